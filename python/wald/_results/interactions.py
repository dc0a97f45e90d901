"""Sets of variables that a forest splits on together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wald._plots.interactions import InteractionsDisplay
from wald._results import html, text
from wald._results.checks import check_shapes, check_texts
from wald._results.frames import Framed
from wald._results.importance import MOST_ROWS
from wald._results.storing import Stored
from wald.errors import SettingError
from wald.typing import Axes, Floats


@dataclass(eq=False, repr=False, kw_only=True)
class Interactions(Framed, Stored, kind="interactions"):
    """Sets of variables that stand together on paths of a forest.

    The set comes first whose prevalence exceeds that elsewhere the most.

    Attributes
    ----------
    classes : list of str
        For each set, the class of the leaves in which it was found; of a numeric target, the side of
        the cut on which their means are, such as ``"> 0.5"``.
    sets : list of list of str
        The variables: ``x+`` where the path is above the threshold of the first split on ``x``, ``x-``
        where it is not, and ``x`` for levels, missing values and groups.
    prevalence : ndarray of shape (n_sets,)
        Of the rows in leaves of the class, the share in leaves whose path contains the set.
    prevalence_elsewhere : ndarray of shape (n_sets,)
        The same of the other leaves; NaN where there are none.
    precision : ndarray of shape (n_sets,)
        Of the rows in leaves whose path contains the set, the share of the class; NaN where no
        such row is in such a leaf.
    precision_without : ndarray of shape (n_sets,)
        The same of the leaves whose path does not contain the set.
    stability : ndarray of shape (n_sets,), or None
        The share of bootstrap samples in which the set is found, too.
    cut : float or None
        The value that divides a numeric target.
    is_out_of_bag : bool
        Whether precisions are those of out-of-bag rows, instead of all.
    notes : list of str
        What to beware of.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.RandomForestRegressor(50, random_state=1).fit(data.inputs, data.target)
    >>> found = wald.interactions(forest, resamples=0)
    >>> len(found.sets) == len(found.prevalence), found.stability is None
    (True, True)
    """

    classes: list[str]
    sets: list[list[str]]
    prevalence: Floats
    prevalence_elsewhere: Floats
    precision: Floats
    precision_without: Floats
    stability: Floats | None = None
    cut: float | None = None
    is_out_of_bag: bool
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_texts("classes", self.classes, help="give the class of every set")
        n = len(self.classes)
        if len(self.sets) != n:
            raise SettingError(f"there are {n} classes of {len(self.sets)} sets",
                               help="give a class for every set")
        check_shapes(self, prevalence=(n,), prevalence_elsewhere=(n,), precision=(n,),
                     precision_without=(n,), stability=(n,))

    def plot(self, *, ax: Axes | None = None, max_sets: int = 20) -> InteractionsDisplay:
        """Draw the prevalence of the sets, in leaves of the class and in the others.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_sets : int, default=20
            The first ones; the others are counted.

        Returns
        -------
        InteractionsDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.
        SettingError
            When no set was found.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> forest = wald.RandomForestRegressor(50, random_state=1).fit(data.inputs, data.target)
        >>> len(wald.interactions(forest, resamples=0).plot(max_sets=3).shown_)
        3
        """
        return InteractionsDisplay(self).plot(ax, max_sets=max_sets)

    def _columns(self) -> dict[str, Any]:
        columns = {
            "class": self.classes, "interaction": [" & ".join(one) for one in self.sets],
            "size": [len(one) for one in self.sets], "prevalence": self.prevalence,
            "prevalence_elsewhere": self.prevalence_elsewhere, "precision": self.precision,
            "precision_without": self.precision_without,
        }
        return columns if self.stability is None else {**columns, "stability": self.stability}

    def _shown(self) -> list[tuple[str, list[str]]]:
        columns = self._columns()
        shown = [(name, list(columns.pop(name))) for name in ("interaction", "class")]
        del columns["size"]
        return shown + [(name.replace("_", " "), text.numbers(values))
                        for name, values in columns.items()]

    def __repr__(self) -> str:
        shown = self._shown()
        n_shown = min(10, len(self.sets))
        columns = [[head, *cells[:n_shown]] for head, cells in shown]
        return "\n".join([*text.aligned(list(zip(*columns))),
                          *text.and_more(len(self.sets) - n_shown), *text.notes(self.notes)])

    def _repr_html_(self) -> str:
        rows = "out-of-bag rows" if self.is_out_of_bag else "rows"
        first, *others = self._shown()
        return html.table("interactions", f"precision: of {rows}", [
            (first[0], html.name, first[1]), *((head, html.cell, cells) for head, cells in others)],
            range(len(self.sets)), most=MOST_ROWS, notes=self.notes)
