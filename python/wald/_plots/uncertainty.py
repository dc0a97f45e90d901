"""Importances with intervals for trees and rows together."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from wald._checks import of_type, whole
from wald._plots.display import BLUE, INK, Display, grid, height, names_down, zero_line
from wald._plots.importance import LONGEST_LABEL
from wald._results import Uncertainty

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class UncertaintyDisplay(Display):
    """Importances with their intervals, the most important variable on top.

    A thick bar is the interval of a variable for itself, a thin line the one that covers for all
    variables at once.

    Parameters
    ----------
    uncertainty : Uncertainty
        What :func:`wald.uncertainty` gave.

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

    def __init__(self, uncertainty: Uncertainty) -> None:
        of_type("uncertainty", uncertainty, Uncertainty)
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
        whole("max_variables", max_variables, 1)
        order = found.ranking()
        self.shown_ = shown = order[:max_variables]
        n_more = len(order) - len(shown)
        ax = self._axes(ax, (6.4, height(len(shown) + (n_more > 0))))
        places = names_down(ax, [found.feature_names[at] for at in shown], n_more)
        grid(ax)
        self._bars(ax, places, found.simultaneous_intervals[shown], 1.0)
        self._bars(ax, places, found.intervals[shown], 3.2)
        ax.plot(found.values[shown], places, "o", color=BLUE, markersize=4.8, zorder=4)
        label = f"{found.measure} ({found.unit})" if found.unit else found.measure
        if found.small_is_important and "small" not in found.unit:
            label += "; small values mean important"
        remark = (f"{100 * found.confidence:g} % intervals for trees and rows; "
                  "thin: for all variables at once")
        ax.set_xlabel(f"{textwrap.fill(label, LONGEST_LABEL)}\n{remark}", color=INK)
        if ax.get_xlim()[0] < 0.0 < ax.get_xlim()[1]:
            zero_line(ax)
        return self

    def _bars(self, ax: Any, places: np.ndarray, ends: np.ndarray, width: float) -> None:
        there = ~np.isnan(ends).any(axis=1)
        ax.hlines(places[there], ends[there, 0], ends[there, 1], color="#7fb2d3",
                  linewidth=width, zorder=3)
