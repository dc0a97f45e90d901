"""Importances with intervals for trees and rows together."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._checks import of_type
from wald._plots.display import BLUE, Display
from wald.typing import Axes


class UncertaintyDisplay(Display):
    """Importances with their intervals, the most important variable on top.

    A thick bar is the interval of a variable for itself, a thin line the one that covers for all
    variables at once.

    Parameters
    ----------
    uncertainty : Uncertainty
        The result of :func:`wald.uncertainty`.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.
    shown_ : ndarray of int
        Places of the variables drawn, from top to bottom.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.RandomForestRegressor(100).fit(data.inputs, data.target)
    >>> found = wald.uncertainty(forest, "mdi", subsamples=20)
    >>> len(wald.UncertaintyDisplay(found).plot(max_variables=4).shown_)
    4
    """

    def __init__(self, uncertainty: Any) -> None:
        of_type("uncertainty", uncertainty, "Uncertainty")
        self.uncertainty = uncertainty

    def plot(self, ax: Axes | None = None, *, max_variables: int = 30) -> UncertaintyDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            The most important ones; the others are counted.

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
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> forest = wald.RandomForestRegressor(100).fit(data.inputs, data.target)
        >>> found = wald.uncertainty(forest, "mdi", subsamples=20)
        >>> int(wald.UncertaintyDisplay(found).plot().shown_[0])
        3
        """
        found = self.uncertainty
        ax, places = self._ranked(ax, found, max_variables)
        for ends, width in ((found.simultaneous_intervals, 1.0), (found.intervals, 3.2)):
            low, high = ends[self.shown_].T
            known = ~np.isnan(low + high)
            ax.hlines(places[known], low[known], high[known], color="#7fb2d3", linewidth=width,
                      zorder=3)
        ax.plot(found.values[self.shown_], places, "o", color=BLUE, markersize=4.8, zorder=4)
        self._label(ax, found, f"{100 * found.confidence:g} % intervals for trees and rows; "
                               "thin: for all variables at once")
        return self
