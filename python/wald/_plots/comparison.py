"""Differences between two forests with their intervals."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from wald._checks import of_type
from wald._plots.display import BLUE, INK, LONGEST_LABEL, Display, undefined, zero_line
from wald.typing import Axes


class ComparisonDisplay(Display):
    """Differences of importances with their intervals, the smallest p-value on top.

    Parameters
    ----------
    comparison : Comparison
        The result of :func:`wald.compare`.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.
    shown_ : ndarray of int
        Places of the variables drawn, from top to bottom.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> few, many = (wald.RandomForestRegressor(50, max_features=m).fit(data.inputs, data.target)
    ...              for m in (1, 8))
    >>> found = wald.compare(few, many, "mdi", subsamples=10)
    >>> len(wald.ComparisonDisplay(found).plot(max_variables=4).shown_)
    4
    """

    def __init__(self, comparison: Any) -> None:
        of_type("comparison", comparison, "Comparison")
        self.comparison = comparison

    def plot(self, ax: Axes | None = None, *, max_variables: int = 30) -> ComparisonDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            Those with the smallest p-values; the others are counted.

        Returns
        -------
        self
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=100, seed=1)
        >>> few, many = (wald.RandomForestRegressor(50, max_features=m).fit(data.inputs, data.target)
        ...              for m in (1, 8))
        >>> found = wald.compare(few, many, "mdi", subsamples=10)
        >>> wald.ComparisonDisplay(found).plot().ax_.get_xlabel().splitlines()[-1]
        '90 % intervals'
        """
        found = self.comparison
        ax, places = self._ranked(ax, found, max_variables)
        differences = found.differences[self.shown_]
        low, high = found.intervals[self.shown_].T
        known = ~np.isnan(low + high)
        ax.hlines(places[known], low[known], high[known], color="#7fb2d3", linewidth=3.2, zorder=3)
        ax.plot(differences, places, "o", color=BLUE, markersize=4.8, zorder=4)
        undefined(ax, places[np.isnan(differences)])
        unit = f" ({found.unit})" if found.unit else ""
        label = textwrap.fill(f"{found.measure}: second minus first{unit}", LONGEST_LABEL)
        ax.set_xlabel(f"{label}\n{100 * found.confidence:g} % intervals", color=INK)
        zero_line(ax)
        return self
