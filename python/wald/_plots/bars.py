"""Bars made of parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._plots.display import INK, short


def stack(ax: Any, places: np.ndarray, parts: np.ndarray, labels: list[str], title: str) -> None:
    """Draws a bar at every place, whose parts are named by a legend.

    ``parts`` has a line for every place and a column for every label; those below zero go to the
    left.
    """
    from matplotlib import colormaps

    colours = colormaps["viridis"](np.linspace(0.05, 0.95, len(labels)))
    ends = {True: np.zeros(len(places)), False: np.zeros(len(places))}
    for part, label, colour in zip(np.nan_to_num(parts).T, labels, colours):
        start = np.where(part < 0.0, ends[True], ends[False])
        ax.barh(places, part, left=start, height=0.68, color=colour, label=short(label),
                edgecolor="white", linewidth=0.5)
        ends[True] += np.minimum(part, 0.0)
        ends[False] += np.maximum(part, 0.0)
    # Beside the bars, which may be of any length.
    ax.legend(title=title, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5),
              fontsize="small", title_fontsize="small", labelcolor=INK)
