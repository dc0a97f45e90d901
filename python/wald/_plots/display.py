"""What all displays share: axes, colours, names."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._results.frames import needed

# Colours that colour-blind readers tell apart (Okabe & Ito 2008).
BLUE, ORANGE, GREEN, SKY = "#0072B2", "#D55E00", "#009E73", "#56B4E9"
PALETTE = (BLUE, ORANGE, GREEN, "#CC79A7", "#B8860B", SKY, "#6A3D9A", "#7F7F7F")
INK, SOFT, HAIR = "#1c2126", "#565e67", "#dcdcd6"

# Longer names are cut in pictures.
LONGEST_NAME = 30

# An inch per so many lines of names.
LINES_PER_INCH = 3.6


class Display:
    """A picture.

    Attributes
    ----------
    ax_ : matplotlib axes
        What was drawn on.
    figure_ : matplotlib figure
        Its figure.
    """

    ax_: Any
    figure_: Any

    def _axes(self, ax: Any, size: tuple[float, float]) -> Any:
        """The axes to draw on: those given, or new ones of that size in inches."""
        pyplot = needed("matplotlib.pyplot", "plot()")
        if ax is None:
            _, ax = pyplot.subplots(figsize=size, layout="constrained")
        self.ax_, self.figure_ = ax, ax.figure
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        for side in ("left", "bottom"):
            ax.spines[side].set_color(SOFT)
        ax.tick_params(colors=SOFT, labelcolor=INK)
        ax.set_axisbelow(True)
        return ax


def height(n_lines: int) -> float:
    """Inches that so many lines take, with room for labels."""
    return max(2.4, 1.3 + n_lines / LINES_PER_INCH)


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """A name that leaves room for the picture, cut in its middle, as long names tend to differ at
    their ends; nothing in it is read as a formula."""
    name = " ".join(name.split()) or "(no name)"
    if len(name) > longest:
        n_end = longest // 3
        name = f"{name[:longest - 1 - n_end].rstrip()}…{name[-n_end:].lstrip()}"
    return name.replace("$", r"\$")


def names_down(ax: Any, names: list[str], n_more: int = 0, *,
               longest: int = LONGEST_NAME) -> np.ndarray:
    """Names on the vertical axis, the first on top, and how many are left out.

    Returns
    -------
    ndarray
        The height of every name.
    """
    places = -np.arange(len(names), dtype=np.float64)
    labels = [short(name, longest) for name in names]
    ticks = places
    if n_more:
        labels.append(f"and {n_more} more")
        ticks = np.append(places, -len(names))
    ax.set_yticks(ticks, labels)
    ax.set_ylim(ticks[-1] - 0.6 if len(ticks) else -0.6, 0.6)
    ax.tick_params(axis="y", length=0)
    if n_more:
        last = ax.get_yticklabels()[-1]
        last.set_color(SOFT)
        last.set_fontstyle("italic")
    return places


def grid(ax: Any, axis: str = "x") -> None:
    """Hair lines behind the picture."""
    ax.grid(visible=True, axis=axis, color=HAIR, linewidth=0.8)


def zero_line(ax: Any) -> None:
    """Where zero is, on a horizontal axis."""
    ax.axvline(0.0, color=SOFT, linewidth=0.9, zorder=1)
