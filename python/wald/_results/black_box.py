"""Importances of the inputs of a black box."""

from __future__ import annotations

from dataclasses import dataclass

from wald._results.importance import Importance


@dataclass(eq=False, repr=False, kw_only=True)
class BlackBoxImportance(Importance, kind="black_box"):
    """How much every input of a black box matters, by one measure of a forest of its outputs.

    It has everything that :class:`wald.Importance` has.

    Attributes
    ----------
    explained : float or None
        The share of the variance of the black box that the forest explains out of bag; where it is
        low, importances describe the forest more than the black box. None where its trees see all
        rows.
    n_evaluations : int
        Rows on which the black box was evaluated.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=300, seed=1)
    >>> forest = wald.RandomForestRegressor(20)
    >>> found = wald.through(lambda X: 3 * X["x1"] + X["x2"], data.inputs, estimator=forest)
    >>> found.feature_names[found.ranking()[0]], found.explained > 0.9
    ('x1', True)
    """

    explained: float | None = None
    n_evaluations: int = 0

    def _share(self) -> str:
        share = ("an unknown share" if self.explained is None
                 else f"{100 * max(self.explained, 0.0):.3g} %")
        return (f"the forest explains {share} of the variance of {self.n_evaluations} outputs of "
                "the black box")

    def __repr__(self) -> str:
        first, *others = super().__repr__().split("\n")
        return "\n".join([first, *others, f"  {self._share()}"])

    def _remarks(self) -> list[str]:
        return [*super()._remarks(), self._share()]
