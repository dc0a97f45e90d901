"""Importances of few runs, directly and by a process."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._checks import of_type
from wald._plots.display import BLUE, ORANGE, SOFT, Display
from wald.typing import Axes


class SurrogateDisplay(Display):
    """Importances of both ways, the most important variable on top.

    Filled dots are the values to believe, hollow ones are doubtful; bars are the intervals of the
    two-step estimates.

    Parameters
    ----------
    surrogate : Surrogate
        The result of :func:`wald.surrogate`.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.
    shown_ : ndarray of int
        Places of the variables drawn, from top to bottom.

    Examples
    --------
    >>> import wald
    >>> X, y = [[0, 1], [1, 3], [2, 0], [3, 2], [4, 5], [5, 4]], [0, 1, 2, 3, 4, 5]
    >>> found = wald.surrogate(X, y, measure="mdi", rows=100, draws=2,
    ...                        estimator=wald.ExtraTreesRegressor(10))
    >>> len(wald.SurrogateDisplay(found).plot(max_variables=1).shown_)
    1
    """

    def __init__(self, surrogate: Any) -> None:
        of_type("surrogate", surrogate, "Surrogate")
        self.surrogate = surrogate

    def plot(self, ax: Axes | None = None, *, max_variables: int = 30) -> SurrogateDisplay:
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
        >>> X, y = [[0, 1], [1, 3], [2, 0], [3, 2], [4, 5], [5, 4]], [0, 1, 2, 3, 4, 5]
        >>> found = wald.surrogate(X, y, measure="mdi", rows=100, draws=2,
        ...                        estimator=wald.ExtraTreesRegressor(10))
        >>> int(wald.SurrogateDisplay(found).plot().shown_[0])
        0
        """
        found = self.surrogate
        ax, places = self._ranked(ax, found, max_variables)
        shown = self.shown_
        low, high = found.intervals[shown].T
        known = ~np.isnan(low + high)
        ax.hlines(places[known], low[known], high[known], color="#7fb2d3", linewidth=3.2, zorder=3)
        if found.exact is not None:
            ax.plot(found.exact[shown], places, "|", color=SOFT, markersize=11, zorder=3,
                    label="exact index of the process")
        for way, name, colour in (("direct", "direct", ORANGE), ("two_step", "two-step", BLUE)):
            is_believed = way == found.believed
            ax.plot(getattr(found, way)[shown], places, "o", color=colour, markersize=5.2, zorder=4,
                    markerfacecolor=colour if is_believed else "white",
                    label=f"{name} ({'believed' if is_believed else 'doubtful'})")
        ax.legend(loc="lower right", fontsize="small", framealpha=0.9)
        self._label(ax, found, f"{100 * found.confidence:g} % intervals of the two-step estimates")
        return self
