"""Tests of what every variable adds to the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wald._plots.conditional import ConditionalTestDisplay
from wald._results import text
from wald._results.checks import check_names, check_shapes
from wald._results.frames import Framed
from wald._results.listed import Listed
from wald._results.ranked import Ranked
from wald._results.storing import Stored
from wald.typing import Axes, Floats


@dataclass(eq=False, repr=False, kw_only=True)
class ConditionalTest(Ranked, Listed, Framed, Stored, kind="conditional_test"):
    """What every variable adds to the others, with errors over rows and p-values.

    Attributes
    ----------
    measure : str
        How they were estimated: ``"sobol_cpi"`` or ``"loco"``.
    feature_names : list of str
        Names of the variables, or of the groups of them.
    values : ndarray of shape (n_variables,)
        Estimates of total Sobol indices: shares of the variance that the other variables do not explain.
    standard_errors : ndarray of shape (n_variables,)
        Over rows, or over clusters.
    confidence : float
        The probability with which intervals cover.
    intervals : ndarray of shape (n_variables, 2)
        Lower and upper ends, for each variable alone.
    p_values : ndarray of shape (n_variables,)
        One-sided, of the hypothesis that the variable adds nothing.
    adjusted_p_values : ndarray of shape (n_variables,)
        The same, corrected for the number of variables.
    adjustment : str
        How they are corrected.
    explained_variance : float
        The share of the variance of held-out rows that forests on all variables explain.
    notes : list of str
        What users should know about these values.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.RandomForestRegressor(50)
    >>> found = wald.conditional_test(forest, data.inputs, data.target, method="loco")
    >>> found.feature_names[found.ranking()[0]], found.intervals.shape
    ('x4', (10, 2))
    """

    measure: str
    feature_names: list[str]
    values: Floats
    standard_errors: Floats
    confidence: float
    intervals: Floats
    p_values: Floats
    adjusted_p_values: Floats
    adjustment: str
    explained_variance: float
    notes: list[str] = field(default_factory=list)

    # Large values matter, whatever the method.
    lower_is_more_important = False
    unit = "share of the variance of the target"

    def __post_init__(self) -> None:
        n = check_names(self.feature_names)
        check_shapes(self, values=(n,), standard_errors=(n,), intervals=(n, 2), p_values=(n,),
                     adjusted_p_values=(n,))

    def _columns(self) -> dict[str, Any]:
        low, high = self.intervals.T
        return {
            "variable": self.feature_names, "value": self.values,
            "standard_error": self.standard_errors, "low": low, "high": high,
            "p_value": self.p_values, "adjusted_p_value": self.adjusted_p_values,
        }

    def plot(self, *, ax: Axes | None = None, max_variables: int = 30) -> ConditionalTestDisplay:
        """Draw the values with their intervals.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            Those with the largest values; the others are counted.

        Returns
        -------
        ConditionalTestDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=100, seed=1)
        >>> found = wald.conditional_test(wald.RandomForestRegressor(20), data.inputs, data.target)
        >>> found.plot().ax_.get_xlabel()
        'sobol_cpi (share of the variance of the target)...'
        """
        return ConditionalTestDisplay(self).plot(ax=ax, max_variables=max_variables)

    def _shown(self) -> list[tuple[str, list[str]]]:
        return [("variable", self.feature_names), ("value", text.numbers(self.values)),
                (f"{100 * self.confidence:g} % interval",
                 text.intervals(self.intervals, self.values)),
                ("p", text.p_values(self.p_values)),
                ("p adjusted", text.p_values(self.adjusted_p_values))]

    def _remark(self) -> str:
        return "; ".join([self.unit, f"p-values corrected: {self.adjustment}"])
