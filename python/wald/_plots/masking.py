"""Importances against the number of variables that compete for a split."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._plots.display import INK, PALETTE, Display, grid, short
from wald._results import Masking


class MaskingDisplay(Display):
    """A line for every variable, with its name at the end.

    Parameters
    ----------
    masking : Masking

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.
    shown_ : ndarray of int
        Places of the variables drawn.
    """

    def __init__(self, masking: Masking) -> None:
        self.masking = masking

    def plot(self, ax: Any = None, *, max_variables: int = 10) -> MaskingDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, optional
        max_variables : int, default=10
            Those that are most important at any number; the others are counted.

        Returns
        -------
        self
        """
        found = self.masking
        largest = np.max(np.nan_to_num(found.values), axis=0)
        self.shown_ = shown = np.argsort(-largest, kind="stable")[:max_variables]
        ax = self._axes(ax, (6.8, 4.4))
        grid(ax, "y")
        sizes = found.mtry
        if len(sizes) > 1 and sizes[-1] > 2 * len(sizes):
            ax.set_xscale("log", base=2)
        ax.set_xticks(sizes, [str(size) for size in sizes])
        ax.minorticks_off()
        for at, colour in zip(shown, np.resize(PALETTE, len(shown))):
            ax.plot(sizes, found.values[:, at], "-o", color=str(colour), markersize=4,
                    linewidth=1.8)
        self._names(ax, shown)
        n_more = len(found.feature_names) - len(shown)
        more = f"; and {n_more} more variables" if n_more else ""
        ax.set_xlabel(f"variables tried at each node (mtry){more}", color=INK)
        ax.set_ylabel(f"{found.measure} ({found.unit})" if found.unit else found.measure,
                      color=INK)
        return self

    def _names(self, ax: Any, shown: np.ndarray) -> None:
        """Names at the ends of the lines, pushed apart where they would lie on each other."""
        found = self.masking
        ends = found.values[-1, shown]
        low, high = ax.get_ylim()
        gap = 0.052 * (high - low)
        places = ends.copy()
        order = np.argsort(ends)
        for below, above in zip(order, order[1:]):
            places[above] = max(places[above], places[below] + gap)
        excess = places[order[-1]] - high if len(order) else 0.0
        if excess > 0.0:
            ax.set_ylim(low, high + excess + gap)
        for at, end, place, colour in zip(shown, ends, places, np.resize(PALETTE, len(shown))):
            ax.annotate(short(found.feature_names[at], 20), (found.mtry[-1], end),
                        xytext=(1.02, place), textcoords=("axes fraction", "data"), va="center",
                        color=INK, annotation_clip=False,
                        arrowprops={"arrowstyle": "-", "color": str(colour), "linewidth": 0.8,
                                    "shrinkA": 1, "shrinkB": 3})
