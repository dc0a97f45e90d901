"""What variables add to the others, with intervals over rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._checks import of_type
from wald._plots.display import BLUE, Display
from wald.typing import Axes

# Variables with smaller adjusted p-values have full dots.
LEVEL = 0.05


class ConditionalTestDisplay(Display):
    """What every variable adds to the others with its interval, the largest value on top.

    Dots are full where the adjusted p-value is below .05.

    Parameters
    ----------
    test : ConditionalTest
        The result of :func:`wald.conditional_test`.

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
    >>> found = wald.conditional_test(wald.RandomForestRegressor(20), data.inputs, data.target)
    >>> len(wald.ConditionalTestDisplay(found).plot(max_variables=4).shown_)
    4
    """

    def __init__(self, test: Any) -> None:
        of_type("test", test, "ConditionalTest")
        self.test = test

    def plot(self, ax: Axes | None = None, *, max_variables: int = 30) -> ConditionalTestDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            Those with the largest values; the others are counted.

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
        >>> found = wald.conditional_test(wald.RandomForestRegressor(20), data.inputs, data.target)
        >>> int(wald.ConditionalTestDisplay(found).plot().shown_[0])
        3
        """
        found = self.test
        ax, places = self._ranked(ax, found, max_variables)
        low, high = found.intervals[self.shown_].T
        ax.hlines(places, low, high, color="#7fb2d3", linewidth=3.2, zorder=3)
        is_small = np.asarray(found.adjusted_p_values)[self.shown_] < LEVEL
        for chosen, face in ((is_small, BLUE), (~is_small, "white")):
            ax.plot(found.values[self.shown_][chosen], places[chosen], "o", color=BLUE,
                    markerfacecolor=face, markersize=4.8, zorder=4)
        self._label(ax, found, f"{100 * found.confidence:g} % intervals over rows; full dots: "
                               f"adjusted p below {LEVEL:g}")
        return self
