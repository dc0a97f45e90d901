"""What all displays share: axes, colours, names."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from wald._results.frames import needed
from wald.errors import SettingError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colours that colour-blind readers tell apart (Okabe & Ito 2008).
BLUE, ORANGE, GREEN, SKY = "#0072B2", "#D55E00", "#009E73", "#56B4E9"
PALETTE = (BLUE, ORANGE, GREEN, "#CC79A7", "#B8860B", SKY, "#6A3D9A", "#7F7F7F")
INK, SOFT, HAIR = "#1c2126", "#565e67", "#dcdcd6"

# Longer names are cut in pictures.
LONGEST_NAME = 30

# An inch per so many lines of names, and inches of a letter.
LINES_PER_INCH, LETTER = 3.6, 0.085

# Inches between a picture and its edge.
MARGIN = 0.09

# Ticks at most, so that long numbers do not run into each other.
MOST_TICKS = {"x": 6, "y": 8}

# From here on thousands are set apart.
LONG_NUMBER = 10_000.0


class Display:
    """A picture.

    Attributes
    ----------
    ax_ : matplotlib axes
        What was drawn on.
    figure_ : matplotlib figure
        Its figure.
    """

    ax_: Axes
    figure_: Figure

    def __repr__(self) -> str:
        told = [f"{name}={value!r}" for name, value in vars(self).items()
                if isinstance(value, (str, int)) and not name.endswith("_")]
        return f"{type(self).__name__}({', '.join(told)})"

    def _axes(self, ax: Any, size: tuple[float, float]) -> Any:
        """The axes to draw on: those given, or new ones of that size in inches."""
        pyplot = needed("matplotlib.pyplot", "plot()")
        if ax is not None and not hasattr(ax, "figure"):
            raise SettingError(f"ax is {ax!r}", help="give axes of matplotlib")
        if ax is None:
            figure, ax = pyplot.subplots(figsize=size, layout="constrained")
            # Letters do not touch the edge of the picture.
            figure.get_layout_engine().set(w_pad=MARGIN, h_pad=MARGIN)
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
        n_end = longest // 2
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
    """Hair lines behind the picture, at few round numbers."""
    from matplotlib.ticker import MaxNLocator

    ax.grid(visible=True, axis=axis, color=HAIR, linewidth=0.8)
    for name in ("x", "y") if axis == "both" else (axis,):
        of = ax.xaxis if name == "x" else ax.yaxis
        of.set_major_locator(MaxNLocator(MOST_TICKS[name], steps=[1, 2, 2.5, 5, 10]))
        of.set_major_formatter(_numbers()())


@cache
def _numbers() -> type:
    """How ticks are written; a class that needs matplotlib."""
    from matplotlib.ticker import ScalarFormatter

    class Numbers(ScalarFormatter):
        """In full up to a thousand million, with thousands set apart."""

        def __init__(self) -> None:
            super().__init__()
            self.set_powerlimits((-4, 9))

        def __call__(self, x: float, pos: int | None = None) -> str:
            assert self.axis is not None  # A formatter is asked when it belongs to one.
            is_long = np.abs(self.axis.get_view_interval()).max() >= LONG_NUMBER
            if is_long and not self.get_offset() and x == round(x):
                return f"{x:,.0f}".replace("-", "\N{MINUS SIGN}")
            return super().__call__(x, pos)

    return Numbers


def zero_line(ax: Any) -> None:
    """Where zero is, on a horizontal axis."""
    ax.axvline(0.0, color=SOFT, linewidth=0.9, zorder=1)
