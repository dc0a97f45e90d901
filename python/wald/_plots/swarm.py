"""Beeswarms: points that would overlap are moved apart."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

# The picture is divided into so many columns, in which points are counted.
N_BINS = 120

# No point is further than this from its line.
HALF_HEIGHT = 0.38


def spread(values: np.ndarray, span: float) -> np.ndarray:
    """Heights of points about a line: the more points are near, the wider.

    Parameters
    ----------
    values : ndarray of shape (n,)
    span : float
        The width of the whole picture in units of the values.

    Returns
    -------
    ndarray of shape (n,)
        Between -0.38 and 0.38.
    """
    heights = np.zeros(len(values))
    if not span > 0.0 or not len(values):
        return heights
    bins = np.floor(N_BINS * (values - values.min()) / span)
    counts = {}
    for each in np.unique(bins):
        counts[each] = np.flatnonzero(bins == each)
    most = max(len(places) for places in counts.values())
    step = min(0.07, 2.0 * HALF_HEIGHT / max(most - 1, 1))
    for places in counts.values():
        # From the line outwards, by turns above and below.
        turn = np.arange(len(places))
        heights[places] = step * np.where(turn % 2, (turn + 1) // 2, -(turn // 2))
    return np.clip(heights, -HALF_HEIGHT, HALF_HEIGHT)


def scaled(values: np.ndarray) -> np.ndarray:
    """Numbers from 0 to 1 for colours, between the 5th and the 95th percentile; NaN stays."""
    present = values[np.isfinite(values)]
    if not len(present):
        return np.full(len(values), np.nan)
    low, high = np.percentile(present, [5, 95])
    if low == high:
        low, high = present.min(), present.max()
    if low == high:
        return np.where(np.isnan(values), np.nan, 0.5)
    return np.asarray(np.clip((values - low) / (high - low), 0.0, 1.0))


@cache
def colour_map() -> Any:
    """From blue over a light violet to orange, which the colour-blind distinguish."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("wald", ["#1f5fa8", "#a99bc4", "#e0661b"])
