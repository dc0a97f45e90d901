"""Differences of importances between two forests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wald._plots.comparison import ComparisonDisplay
from wald._results import text
from wald._results.checks import check_names, check_shapes
from wald._results.frames import Framed
from wald._results.listed import Listed
from wald._results.storing import Stored
from wald.typing import Axes, Floats, Integers


@dataclass(eq=False, repr=False, kw_only=True)
class Comparison(Listed, Framed, Stored, kind="comparison"):
    """Differences of importances between two forests, with errors, intervals and p-values.

    Attributes
    ----------
    measure : str
        The measure.
    feature_names : list of str
        Names of the variables, or of the groups of them, as in the first forest.
    unit : str
        What the values are in.
    first, second : ndarray of shape (n_variables,)
        The importances of both forests; NaN where undefined.
    differences : ndarray of shape (n_variables,)
        The second ones minus the first ones.
    standard_errors : ndarray of shape (n_variables,)
        Of the differences, over samples of rows and over trees.
    confidence : float
        The probability with which each interval covers.
    intervals : ndarray of shape (n_variables, 2)
        Lower and upper ends, for each variable alone.
    p_values : ndarray of shape (n_variables,)
        Two-sided, of the hypothesis that both importances are equal.
    adjusted_p_values : ndarray of shape (n_variables,)
        The same, corrected for the number of variables.
    adjustment : str
        How they are corrected.
    is_paired : bool
        True where errors are those of differences on the same rows: both forests have them, and
        the error of the measure over trees is known.
    notes : list of str
        What users should know about the values.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> few, many = (wald.RandomForestRegressor(50, max_features=m).fit(data.inputs, data.target)
    ...              for m in (1, 8))
    >>> found = wald.compare(few, many, "mdi", subsamples=10)
    >>> found.is_paired, found.intervals.shape
    (True, (10, 2))
    """

    measure: str
    feature_names: list[str]
    unit: str
    first: Floats
    second: Floats
    differences: Floats
    standard_errors: Floats
    confidence: float
    intervals: Floats
    p_values: Floats
    adjusted_p_values: Floats
    adjustment: str
    is_paired: bool
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        n = check_names(self.feature_names)
        check_shapes(self, first=(n,), second=(n,), differences=(n,), standard_errors=(n,),
                     intervals=(n, 2), p_values=(n,), adjusted_p_values=(n,))

    def ranking(self) -> Integers:
        """Return positions of the variables, the smallest p-value first.

        Returns
        -------
        ndarray of int
            Undefined ones come last.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=60, seed=1)
        >>> forest = wald.RandomForestRegressor(10).fit(data.inputs, data.target)
        >>> wald.compare(forest, forest, "mdi", subsamples=5).ranking().tolist()
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        """
        return np.argsort(self.p_values, kind="stable")

    def plot(self, *, ax: Axes | None = None, max_variables: int = 30) -> ComparisonDisplay:
        """Draw the differences with their intervals, the smallest p-value on top.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            Those with the smallest p-values; the others are counted.

        Returns
        -------
        ComparisonDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=60, seed=1)
        >>> forest = wald.RandomForestRegressor(10).fit(data.inputs, data.target)
        >>> wald.compare(forest, forest, "mdi", subsamples=5).plot().ax_.get_xlabel()
        'mdi: second minus first (variance of the target)...'
        """
        return ComparisonDisplay(self).plot(ax, max_variables=max_variables)

    def _columns(self) -> dict[str, Any]:
        low, high = self.intervals.T
        return {
            "variable": self.feature_names, "first": self.first, "second": self.second,
            "difference": self.differences, "standard_error": self.standard_errors, "low": low,
            "high": high, "p_value": self.p_values, "adjusted_p_value": self.adjusted_p_values,
        }

    def _shown(self) -> list[tuple[str, list[str]]]:
        like = np.concatenate([self.first, self.second])

        def numbers(values: Floats) -> list[str]:
            return text.numbers(values, like)

        return [("variable", self.feature_names), ("first", numbers(self.first)),
                ("second", numbers(self.second)), ("difference", numbers(self.differences)),
                (f"{100 * self.confidence:g} % interval", text.intervals(self.intervals, like)),
                ("p", text.p_values(self.p_values)),
                ("p adjusted", text.p_values(self.adjusted_p_values))]

    def _remark(self) -> str:
        rows = "the same rows" if self.is_paired else "independent rows"
        corrected = f"p-values corrected: {self.adjustment}"
        return "; ".join([self.unit, rows, corrected])
