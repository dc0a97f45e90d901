"""Results of variable selection."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from wald._checks import whole
from wald._plots.selection import SelectionDisplay
from wald._results import html, text
from wald._results.checks import check_names, check_shapes
from wald._results.frames import Framed
from wald._results.storing import Stored
from wald.typing import Axes, Floats, Integers


@dataclass(eq=False, repr=False, kw_only=True)
class Selection(Framed, Stored, kind="selection"):
    """The selected variables, and the error for every number of variables.

    Found by recursive feature elimination with cross-validation (Benard, Da Veiga & Scornet 2022,
    Algorithm 2); :class:`wald.RFE` makes it.

    Attributes
    ----------
    feature_names : list of str
        The variables, or groups of them.
    measure, loss : str
        The measure that ranked the variables, and the loss of held-out rows.
    n_variables : ndarray of shape (n_sizes,)
        The numbers of variables tried, decreasing.
    errors, standard_errors : ndarray of shape (n_sizes,)
        Mean loss of held-out rows, and its standard error over ``standard_errors_over``.
    explained_variance : ndarray of shape (n_sizes,)
        1 - squared error / variance of the target.
    errors_by_repeat : ndarray of shape (n_sizes, n_repeats)
        The mean loss in every repetition.
    frequencies : ndarray of shape (n_sizes, n_variables)
        The share of folds that kept each variable at each size.
    order : list of int
        The order in which variables leave on all rows, the least important one first.
    best_size : int
        The number of variables with the smallest error.
    one_standard_error_size : int
        The smallest number whose error is at most one standard error above that.
    folds : list of dict
        The order in every fold, with ``repeat`` and ``fold``.
    standard_errors_over : str
        "folds" or "repeats".
    note : str or None
        Why variables may leave in a wrong order, where there is a reason.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> selector = wald.RFE(wald.ExtraTreesRegressor(20), measure="mdi", folds=3, step=3)
    >>> selector.fit(data.inputs, data.target).selection_.n_variables
    array([10,  7,  4,  1])
    """

    feature_names: list[str]
    measure: str
    loss: str
    n_variables: Integers
    errors: Floats
    standard_errors: Floats
    explained_variance: Floats
    errors_by_repeat: Floats
    frequencies: Floats
    order: list[int]
    best_size: int
    one_standard_error_size: int
    folds: list[dict[str, Any]]
    standard_errors_over: str = "folds"
    note: str | None = None

    def __post_init__(self) -> None:
        n, sizes = check_names(self.feature_names), len(self.n_variables)
        check_shapes(self, n_variables=(sizes,), errors=(sizes,), standard_errors=(sizes,),
                     explained_variance=(sizes,), errors_by_repeat=(sizes, None),
                     frequencies=(sizes, n))

    @classmethod
    def _from_native(cls, measure: str, text: str) -> Selection:
        words = json.loads(text)
        curve, asked = words["curve"], words["settings"]
        place = {name: at for at, name in enumerate(words["features"])}

        def of(name: str) -> np.ndarray:
            return np.array([point[name] for point in curve])

        def places(order: list[str]) -> list[int]:
            return [place[name] for name in order]

        return cls(
            feature_names=words["features"], measure=measure, loss=asked["error"],
            n_variables=of("n_variables"), errors=of("error"),
            standard_errors=of("standard_error"), explained_variance=of("explained_variance"),
            errors_by_repeat=of("errors"), frequencies=of("frequencies"),
            order=places(words["order"]), best_size=words["best"]["n_variables"],
            one_standard_error_size=words["one_standard_error"]["n_variables"],
            folds=[{**fold, "order": places(fold["order"])} for fold in words["folds"]],
            standard_errors_over=asked["standard_errors_over"], note=words.get("note"))

    def kept(self, n_variables: int) -> list[int]:
        """Return the variables kept at a size on all rows, in the order of the table.

        Parameters
        ----------
        n_variables : int
            The size.

        Returns
        -------
        list of int
            Places in ``feature_names``.

        Raises
        ------
        SettingError
            When there are not so many variables.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=100, seed=1)
        >>> selector = wald.RFE(wald.ExtraTreesRegressor(20), measure="mdi", folds=3, step=3)
        >>> selector.fit(data.inputs, data.target).selection_.kept(4)
        [0, 1, 3, 4]
        """
        whole("n_variables", n_variables, 1, len(self.order))
        return sorted(self.order[len(self.order) - n_variables:])

    def _columns(self) -> dict[str, Any]:
        names = np.array(self.feature_names, dtype=object)
        kept = [self.kept(size) for size in self.n_variables]
        leaving = [[self.feature_names[at] for at in self.order if at in set(these) - set(next_)]
                   for these, next_ in zip(kept, [*kept[1:], kept[-1]])]
        return {
            "n_variables": self.n_variables, "error": self.errors,
            "standard_error": self.standard_errors,
            "explained_variance": self.explained_variance,
            "leaving": np.array([", ".join(these) for these in leaving], dtype=names.dtype),
            "best": self.n_variables == self.best_size,
            "one_standard_error": self.n_variables == self.one_standard_error_size,
        }

    def plot(self, *, ax: Axes | None = None) -> SelectionDisplay:
        """Draw the error against the number of variables.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.

        Returns
        -------
        SelectionDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=100, seed=1)
        >>> selector = wald.RFE(wald.ExtraTreesRegressor(20), measure="mdi", folds=3, step=3)
        >>> selector.fit(data.inputs, data.target).selection_.plot().ax_.get_ylabel()
        'squared loss of held-out rows'
        """
        return SelectionDisplay(self).plot(ax=ax)

    def __repr__(self) -> str:
        best = ", ".join(self.feature_names[at] for at in self.kept(self.best_size))
        fewer = ", ".join(self.feature_names[at] for at in self.kept(self.one_standard_error_size))
        return "\n".join([f"Selection by {self.measure}",
                          f"  {self.best_size} variables, of the smallest error: {best}",
                          f"  {self.one_standard_error_size} within one standard error: {fewer}",
                          *text.notes(self._notes())])

    def _notes(self) -> list[str]:
        return [self.note] if self.note else []

    def _repr_html_(self) -> str:
        columns = self._columns()
        remark = (f"{self.loss} loss of held-out rows; "
                  f"standard errors over {self.standard_errors_over}")
        chosen = ["smallest" if best else "within 1 standard error" if fewer else ""
                  for best, fewer in zip(columns["best"], columns["one_standard_error"])]
        return html.table(f"Selection by {self.measure}", remark, [
            ("variables", html.cell, [str(size) for size in self.n_variables]),
            ("error", html.cell, text.numbers(self.errors)),
            ("standard error", html.cell, text.numbers(self.standard_errors, self.errors)),
            ("leaving next", html.name, columns["leaving"]), ("", html.words, chosen)],
            notes=self._notes())
