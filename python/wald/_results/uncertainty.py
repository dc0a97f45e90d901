"""Importances with sampling errors, intervals, ranks and p-values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wald._plots.display import measure_and_unit
from wald._plots.uncertainty import UncertaintyDisplay
from wald._results import html, text
from wald._results.checks import check_names, check_shapes
from wald._results.frames import Framed
from wald._results.importance import MOST_ROWS
from wald._results.ranked import Ranked
from wald._results.storing import Stored
from wald.typing import Axes, Floats


@dataclass(eq=False, repr=False, kw_only=True)
class Uncertainty(Ranked, Framed, Stored, kind="uncertainty"):
    """The uncertainty of the importances by one measure.

    Errors have two parts: that of the finite number of trees (Monte-Carlo), and that of the rows
    that happen to be in the table (sampling). Intervals are for both together, around what forests
    on so many rows find on average.

    Attributes
    ----------
    measure, unit : str
        The measure, and the unit of its values.
    feature_names : list of str
        Names of the variables, or of the groups of them.
    values : ndarray of shape (n_variables,)
        The importances; NaN where undefined, here and below.
    monte_carlo_errors : ndarray of shape (n_variables,) or None
        Standard errors of the finite number of trees, where the measure has them.
    sampling_errors : ndarray of shape (n_variables,)
        Standard errors of the rows.
    standard_errors : ndarray of shape (n_variables,)
        Of both: their squares add up.
    confidence : float
        The probability with which intervals cover.
    intervals : ndarray of shape (n_variables, 2)
        Lower and upper ends; each covers with this probability.
    simultaneous_intervals : ndarray of shape (n_variables, 2)
        All of them cover at once with this probability.
    rank_intervals : ndarray of shape (n_variables, 2) or None
        Best and worst rank, 1 being the most important; all cover at once. None for more than 3000
        variables.
    p_values : ndarray of shape (n_variables,) or None
        How often irrelevant variables would be as important.
    adjusted_p_values : ndarray of shape (n_variables,) or None
        The same, corrected for the number of variables.
    errors, null, adjustment : str
        Where sampling errors come from, what p-values rest on, and how they are corrected; the last
        two are None without p-values.
    trees_to_separate : list of tuples (str, str, int or None)
        Neighbours in the ranking, and about how many trees would separate them as far as the
        error of the trees is concerned (None where they are equal); empty where the measure is
        not a mean over trees.
    lower_is_more_important : bool
        True where a small value means that a variable matters.
    notes : list of str
        Caveats about these values.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.RandomForestRegressor(100).fit(data.inputs, data.target)
    >>> found = wald.uncertainty(forest, "mdi", subsamples=20)
    >>> found.feature_names[found.ranking()[0]], found.intervals.shape
    ('x4', (10, 2))
    """

    measure: str
    feature_names: list[str]
    values: Floats
    sampling_errors: Floats
    standard_errors: Floats
    confidence: float
    intervals: Floats
    simultaneous_intervals: Floats
    monte_carlo_errors: Floats | None = None
    rank_intervals: Floats | None = None
    p_values: Floats | None = None
    adjusted_p_values: Floats | None = None
    errors: str = "subsampling"
    null: str | None = None
    adjustment: str | None = None
    trees_to_separate: list[tuple[str, str, int | None]] = field(default_factory=list)
    unit: str = ""
    lower_is_more_important: bool = False
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        n = check_names(self.feature_names)
        check_shapes(self, values=(n,), sampling_errors=(n,), standard_errors=(n,),
                     intervals=(n, 2), simultaneous_intervals=(n, 2), monte_carlo_errors=(n,),
                     p_values=(n,), adjusted_p_values=(n,), rank_intervals=(n, 2))

    def _columns(self) -> dict[str, Any]:
        undefined = np.full(len(self.feature_names), np.nan)
        low, high = self.intervals.T
        all_low, all_high = self.simultaneous_intervals.T
        best, worst = (None, None) if self.rank_intervals is None else self.rank_intervals.T
        columns = {
            "variable": self.feature_names, "value": self.values,
            "monte_carlo_error": (
                undefined if self.monte_carlo_errors is None else self.monte_carlo_errors),
            "sampling_error": self.sampling_errors, "standard_error": self.standard_errors,
            "low": low, "high": high, "simultaneous_low": all_low, "simultaneous_high": all_high,
            "lowest_rank": best, "highest_rank": worst, "p_value": self.p_values,
            "adjusted_p_value": self.adjusted_p_values}
        return {name: column for name, column in columns.items() if column is not None}

    def plot(self, *, ax: Axes | None = None, max_variables: int = 30) -> UncertaintyDisplay:
        """Draw the importances with their intervals.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            The most important ones; the others are counted.

        Returns
        -------
        UncertaintyDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> forest = wald.RandomForestRegressor(100).fit(data.inputs, data.target)
        >>> wald.uncertainty(forest, "mdi", subsamples=20).plot().ax_.get_xlabel()
        'mdi (variance of the target)...'
        """
        return UncertaintyDisplay(self).plot(ax=ax, max_variables=max_variables)

    def _shown(self) -> list[tuple[str, list[str] | None]]:
        """The columns of the table as text, the first one with names."""
        def p_values(of: Floats | None) -> list[str] | None:
            return None if of is None else text.p_values(of)

        def pairs(of: Floats | None, like: Floats) -> list[str] | None:
            return None if of is None else text.intervals(of, like)

        return [("variable", self.feature_names), ("value", text.numbers(self.values)),
                (f"{100 * self.confidence:g} % interval", pairs(self.intervals, self.values)),
                ("rank", pairs(self.rank_intervals, np.ones(1))), ("p", p_values(self.p_values)),
                ("p adjusted", p_values(self.adjusted_p_values))]

    def __repr__(self) -> str:
        order = self.ranking()[:10]
        columns = [[head, *(cells[at] for at in order)]
                   for head, cells in self._shown() if cells is not None]
        return "\n".join([measure_and_unit(self), *text.aligned(list(zip(*columns))),
                          *text.and_more(len(self.values) - len(order)), *text.notes(self.notes)])

    def _repr_html_(self) -> str:
        words = [self.unit, f"sampling errors by {self.errors}"]
        if self.null is not None:
            words.append(f"p-values: {self.null}, corrected: {self.adjustment}")
        words += ["small values mean important"] if self.lower_is_more_important else []
        remark = "; ".join(word for word in words if word)
        first, *others = self._shown()
        return html.table(self.measure, remark, [
            (first[0], html.name, first[1]), *((head, html.cell, cells) for head, cells in others)],
            self.ranking(), most=MOST_ROWS, notes=self.notes)
