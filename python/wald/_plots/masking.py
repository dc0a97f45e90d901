"""Importances against the number of variables that compete for a split."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._checks import of_type, whole
from wald._plots.display import INK, LETTER, PALETTE, Display, grid, measure_and_unit, short
from wald.typing import Axes

# Longer names are cut.
LONGEST = 26


class MaskingDisplay(Display):
    """A line for every variable, with its name at the end.

    Parameters
    ----------
    masking : Masking
        The result of :func:`wald.masking`.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.
    shown_ : ndarray of int
        Places of the variables drawn.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> found = wald.masking(wald.ExtraTreesRegressor(20), data.inputs, data.target)
    >>> wald.MaskingDisplay(found).plot(max_variables=3).shown_
    array([3, 1, 0])
    """

    def __init__(self, masking: Any) -> None:
        of_type("masking", masking, "Masking")
        self.masking = masking

    def plot(self, ax: Axes | None = None, *, max_variables: int = 10) -> MaskingDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=10
            Those that are most important at any number; the others are counted.

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
        >>> found = wald.masking(wald.ExtraTreesRegressor(20), data.inputs, data.target)
        >>> wald.MaskingDisplay(found).plot(max_variables=3).shown_
        array([3, 1, 0])
        """
        found = self.masking
        whole("max_variables", max_variables, 1)
        largest = np.max(np.nan_to_num(found.values), axis=0)
        self.shown_ = shown = np.argsort(-largest, kind="stable")[:max_variables]
        names = [short(found.feature_names[at], LONGEST) for at in shown]
        ax = self._axes(ax, (5.4 + LETTER * max(map(len, names), default=0), 4.4))
        grid(ax, "y")
        sizes = found.mtry
        if len(sizes) > 1 and sizes[-1] > 2 * len(sizes):
            ax.set_xscale("log", base=2)
        ax.set_xticks(sizes, [str(size) for size in sizes])
        ax.minorticks_off()
        for number, at in enumerate(shown):
            # Repeated colours have other line styles.
            line = ("-o", "--s", ":^")[number // len(PALETTE) % 3]
            ax.plot(sizes, found.values[:, at], line, color=PALETTE[number % len(PALETTE)],
                    markersize=4, linewidth=1.8)
        self._names(ax, shown, names)
        n_more = len(found.feature_names) - len(shown)
        more = f"; and {n_more} more variables" if n_more else ""
        ax.set_xlabel(f"variables tried at each node (mtry){more}", color=INK)
        ax.set_ylabel(measure_and_unit(found), color=INK)
        return self

    def _names(self, ax: Any, shown: np.ndarray, names: list[str]) -> None:
        """Names at the ends of the lines, pushed apart where they would lie on each other."""
        found = self.masking
        ends = found.values[-1, shown]
        low, high = ax.get_ylim()
        places = apart(ends, 0.052 * (high - low))
        for name, end, place, colour in zip(names, ends, places, np.resize(PALETTE, len(shown))):
            ax.annotate(name, (found.mtry[-1], end),
                        xytext=(1.02, place), textcoords=("axes fraction", "data"), va="center",
                        color=INK, annotation_clip=False,
                        arrowprops={"arrowstyle": "-", "color": str(colour), "linewidth": 0.8,
                                    "shrinkA": 1, "shrinkB": 3,
                                    # From the middle of the name's left edge, past no letter.
                                    "relpos": (0.0, 0.5)})


def apart(wanted: np.ndarray, gap: float) -> np.ndarray:
    """Places as near as possible to those wanted, in the same order, at least ``gap`` apart."""
    order = np.argsort(wanted, kind="stable")
    # Without the gaps the places need only be in order: runs that are not take their mean.
    runs: list[list[float]] = []
    for number, at in enumerate(order):
        runs.append([float(wanted[at]) - gap * number])
        while len(runs) > 1 and np.mean(runs[-2]) > np.mean(runs[-1]):
            last = runs.pop()
            runs[-1] += last
    found = np.empty(len(wanted))
    found[order] = [np.mean(run) for run in runs for _ in run] + gap * np.arange(len(wanted))
    return found
