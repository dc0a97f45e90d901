"""Dependence of inputs as a heat map."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._checks import of_type, whole
from wald._plots.display import INK, LETTER, SOFT, Display, short
from wald.typing import Axes

# Numbers are written into cells of at most so many variables.
MOST_NUMBERS = 12

# Inches of a cell with and without a number, and of the bar of colours.
CELL, SMALL_CELL, BAR = 0.4, 0.27, 1.15

# The dendrogram's share of the height of the map.
TREE = 0.16

# Longer names are cut.
LONGEST = 24


class DependenceDisplay(Display):
    """How much inputs depend on each other; those of a cluster are together.

    Parameters
    ----------
    dependence : Dependence
        The result of :func:`wald.dependence`.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.
    tree_
        The axes of the dendrogram above the map.
    shown_ : list of int
        Places of the variables drawn.

    Examples
    --------
    >>> import wald
    >>> found = wald.dependence({"a": [1, 2, 3], "b": [1, 4, 9]})
    >>> wald.DependenceDisplay(found).plot().shown_
    [1, 0]
    """

    def __init__(self, dependence: Any) -> None:
        of_type("dependence", dependence, "Dependence")
        self.dependence = dependence

    def plot(self, ax: Axes | None = None, *, max_variables: int = 30) -> DependenceDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            Those that depend most on any other; the others are counted.

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
        >>> found = wald.dependence({"a": [1, 2, 3], "b": [1, 4, 9]})
        >>> wald.DependenceDisplay(found).plot().shown_
        [1, 0]
        """
        found = self.dependence
        whole("max_variables", max_variables, 1)
        others = found.values - np.eye(len(found.values))
        most = np.argsort(-others.max(axis=1, initial=0.0), kind="stable")[:max_variables]
        self.shown_ = shown = [at for at in found.order() if at in set(most.tolist())]
        names = [short(found.feature_names[at], LONGEST) for at in shown]
        side = max(1.8, (CELL if len(shown) <= MOST_NUMBERS else SMALL_CELL) * len(shown))
        room = 0.3 + LETTER * max(map(len, names), default=0)
        ax = self._axes(ax, (side + room + BAR, (1.0 + TREE) * side + room))
        values = found.values[np.ix_(shown, shown)]
        drawn = ax.imshow(values, cmap="Blues", vmin=0.0, vmax=1.0)
        ax.set_xticks(range(len(shown)), names, rotation=90)
        ax.set_yticks(range(len(shown)), names)
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
        if len(shown) <= MOST_NUMBERS:
            for row, column in np.ndindex(values.shape):
                if row != column:
                    value = values[row, column]
                    ax.text(column, row, f"{value:.2f}".removeprefix("0"), ha="center",
                            va="center", fontsize="x-small",
                            color="white" if value > 0.6 else INK)
        bar = self.figure_.colorbar(drawn, ax=ax, fraction=0.045, pad=0.03)
        bar.set_label("dependence of ranks", color=INK)
        bar.outline.set_visible(False)
        self._tree(ax, shown)
        n_more = len(found.feature_names) - len(shown)
        if n_more:
            ax.set_xlabel(f"and {n_more} more, which depend less", color=SOFT, fontstyle="italic")
        return self

    def _tree(self, ax: Any, shown: list[int]) -> None:
        """The clusters above the map: the higher two of them meet, the less they depend."""
        above = self.tree_ = ax.inset_axes([0.0, 1.01, 1.0, TREE], sharex=ax)
        for x, y in branches(self.dependence.merges, shown):
            above.plot(x, y, color=SOFT, linewidth=1.1, solid_capstyle="projecting")
        above.set_ylim(0.0, 1.02)
        above.set_axis_off()


def branches(merges: list[Any], shown: list[int]) -> list[tuple[list[float], list[float]]]:
    """The lines of a dendrogram of the variables shown, at the places they are shown at.

    Returns
    -------
    list of tuple (x, y)
        Four corners for every two clusters that meet, at the height of 1 - dependence.
    """
    # Of every cluster its middle and its height.
    clusters = {at: (float(place), 0.0) for place, at in enumerate(shown)}
    above: dict[int, int] = {}

    def top(at: int) -> int:
        while at in above:
            at = above[at]
        return at

    lines = []
    for one, other, dependence in merges:
        first, second = top(one), top(other)
        if first == second:
            continue
        above[second] = first
        of_first, of_second = clusters.get(first), clusters.pop(second, None)
        if of_second is None:
            continue
        if of_first is None:
            # Of a cluster that is not shown, nothing is drawn.
            clusters[first] = of_second
            continue
        meet = 1.0 - dependence
        (x, y), (end, end_y) = of_first, of_second
        lines.append(([x, x, end, end], [y, meet, meet, end_y]))
        clusters[first] = ((x + end) / 2.0, meet)
    return lines
