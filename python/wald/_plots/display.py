"""What all displays share: axes, colours, names."""

from __future__ import annotations

import math
import textwrap
from functools import cache
from typing import Any

import numpy as np

from wald._checks import needed, refused, whole
from wald.errors import SettingError
from wald.typing import Axes, Figure

# Colours that colour-blind readers distinguish (Okabe & Ito 2008).
BLUE, ORANGE, GREEN, SKY = "#0072B2", "#D55E00", "#009E73", "#56B4E9"
PALETTE = (BLUE, ORANGE, GREEN, "#CC79A7", "#B8860B", SKY, "#6A3D9A", "#7F7F7F")
INK, SOFT, HAIR = "#1c2126", "#565e67", "#dcdcd6"

# Longer names are cut in pictures.
LONGEST_NAME = 30

# An inch per so many lines of names, and inches of a letter.
LINES_PER_INCH, LETTER = 3.6, 0.085

# Inches between a picture and its edge.
MARGIN = 0.09

# Most ticks, so that long numbers do not overlap.
MOST_TICKS = {"x": 6, "y": 8}

# Letters of the numbers at ticks, where they are not long, and between them.
USUAL_LETTERS, BETWEEN = 4, 1.5

# Numbers from here on have separators of thousands.
LONG_NUMBER = 10_000.0

# Numbers from here on are written as multiples of a power.
LONGEST_PLAIN = 1e9


# A label of an axis has lines of so many letters.
LONGEST_LABEL = 60


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
    axes_: list[Axes]
    figure_: Figure
    shown_: Any

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in vars(self).items()
                if isinstance(value, (str, int)) and not name.endswith("_")]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _axes(self, ax: Any, size: tuple[float, float]) -> Any:
        """The axes to draw on: those given, or new ones of that size in inches."""
        if ax is not None and not hasattr(ax, "figure"):
            raise refused("ax", ax, "give axes of matplotlib")
        (ax,) = new_axes(1, 1, size) if ax is None else [ax]
        self.ax_, self.figure_ = ax, ax.figure
        style(ax)
        return ax

    def _panels(self, ax: Any, number: int, n_columns: int, size: tuple[float, float]) -> list[Any]:
        """The axes of so many panels: those given, or new ones side by side, each of that size."""
        given = new_axes(number, n_columns, size) if ax is None else list(np.ravel(ax))
        if not all(hasattr(one, "figure") for one in given):
            raise refused("ax", ax, "give axes of matplotlib")
        if len(given) != number:
            raise SettingError(f"ax is {len(given)} axes, and there are {number} panels",
                               setting="ax", help=f"give {number} axes, or draw fewer panels")
        self.axes_, self.ax_, self.figure_ = given, given[0], given[0].figure
        for one in given:
            style(one)
        return given

    def _rows(self, ax: Any, names: list[str], n_more: int, *, longest: int = LONGEST_NAME
              ) -> tuple[Any, np.ndarray]:
        """Axes with a line for every name and one that counts the others, and where lines are."""
        ax = self._axes(ax, (6.4, height(len(names) + (n_more > 0))))
        places = names_down(ax, names, n_more, longest=longest)
        grid(ax)
        return ax, places

    def _ranked(self, ax: Any, found: Any, max_variables: int) -> tuple[Any, np.ndarray]:
        """Axes with a line for each of the most important variables, which are ``shown_``."""
        whole("max_variables", max_variables, 1)
        order = found.ranking()
        self.shown_ = shown = order[:max_variables]
        names = [found.feature_names[at] for at in shown]
        return self._rows(ax, names, len(order) - len(shown))

    def _label(self, ax: Any, found: Any, remark: str, label: str | None = None) -> None:
        """The measure and its unit, or another label, and a remark, below a ranked picture."""
        label = label or measure_and_unit(found)
        if found.lower_is_more_important and "small" not in found.unit:
            label += "; small values mean important"
        label = textwrap.fill(label, LONGEST_LABEL)
        ax.set_xlabel(f"{label}\n{remark}" if remark else label, color=INK)
        zero_line(ax)


def new_axes(number: int, n_columns: int, size: tuple[float, float]) -> list[Any]:
    """So many axes in a new figure, in rows of so many, each of that size in inches."""
    pyplot = needed("matplotlib.pyplot", "plot()")
    n_rows = -(-number // n_columns)
    figure, axes = pyplot.subplots(
        n_rows, n_columns, squeeze=False, layout="constrained",
        figsize=(n_columns * size[0], n_rows * size[1]))
    # Letters do not touch the edge of the picture.
    figure.get_layout_engine().set(w_pad=MARGIN, h_pad=MARGIN)
    for spare in axes.flat[number:]:
        spare.remove()
    return list(axes.flat[:number])


def style(ax: Any) -> None:
    """The colours of axes, of which two sides are drawn."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(SOFT)
    ax.tick_params(colors=SOFT, labelcolor=INK)
    ax.set_axisbelow(True)


def undefined(ax: Any, places: np.ndarray) -> None:
    """Words on lines that have no value."""
    for place in places:
        ax.annotate("undefined", (0.0, place), xycoords=("axes fraction", "data"),
                    xytext=(4, 0), textcoords="offset points", va="center", color=SOFT,
                    fontstyle="italic", fontsize="small")


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


def inches(ax: Any) -> tuple[float, float]:
    """Width and height of axes; names beside them take their part when they are laid out."""
    box = ax.get_window_extent()
    return float(box.width / ax.figure.dpi), float(box.height / ax.figure.dpi)


def levels_along(ax: Any, levels: list[str]) -> None:
    """Levels on the horizontal axis, aslant where they would lie on each other."""
    names = [short(level, 14) for level in levels]
    # Of two neighbours, half of each is between their places, and a letter is left between them.
    widest = max((len(one) + len(next_) for one, next_ in zip(names, names[1:])), default=0)
    room = 0.9 * inches(ax)[0] / max(len(names) - 1, 1)
    is_aslant = len(levels) > 5 or LETTER * (widest / 2 + 1) > room
    ax.set_xticks(range(len(levels)), names, rotation=30 if is_aslant else 0)


def grid(ax: Any, axis: str = "x") -> None:
    """Hair lines behind the picture, at few round numbers."""
    from matplotlib.ticker import MaxNLocator

    ax.grid(visible=True, axis=axis, color=HAIR, linewidth=0.8)
    for name in ("x", "y") if axis == "both" else (axis,):
        of = ax.xaxis if name == "x" else ax.yaxis
        kind = _fewer_ticks() if name == "x" else MaxNLocator
        of.set_major_locator(kind(MOST_TICKS[name], steps=[1, 2, 2.5, 5, 10]))
        of.set_major_formatter(_numbers()())


@cache
def _fewer_ticks() -> type:
    """The locator of horizontal ticks; a class that needs matplotlib."""
    from matplotlib.ticker import MaxNLocator

    class FewerTicks(MaxNLocator):
        """Round numbers, no more of them than fit side by side."""

        def tick_values(self, vmin: float, vmax: float) -> Any:
            ax = self.axis.axes if self.axis is not None else None  # type: ignore[union-attr]
            largest = max(abs(vmin), abs(vmax))
            if ax is not None and np.isfinite(largest):
                is_long = LONG_NUMBER <= largest < LONGEST_PLAIN
                letters = len(f"{largest:,.0f}") if is_long else USUAL_LETTERS
                fitting = int(inches(ax)[0] / (LETTER * (letters + BETWEEN)))
                self.set_params(nbins=min(MOST_TICKS["x"], max(1, fitting)))
            return super().tick_values(vmin, vmax)

    return FewerTicks


@cache
def _numbers() -> type:
    """The formatter of ticks; a class that needs matplotlib."""
    from matplotlib.ticker import ScalarFormatter

    class Numbers(ScalarFormatter):
        """Plain numbers up to a thousand million, with separators of thousands."""

        def __init__(self) -> None:
            super().__init__()
            self.set_powerlimits((-4, 9))  # The latter is LONGEST_PLAIN.

        def __call__(self, x: float, pos: int | None = None) -> str:
            assert self.axis is not None  # Matplotlib has set it by now.
            is_long = np.abs(self.axis.get_view_interval()).max() >= LONG_NUMBER
            if is_long and not self.get_offset() and x == round(x):
                return f"{x:,.0f}".replace("-", "\N{MINUS SIGN}")
            return super().__call__(x, pos)

    return Numbers


def zero_line(ax: Any) -> None:
    """Marks zero if it is inside the horizontal axis."""
    left, right = ax.get_xlim()
    if left < 0.0 < right:
        ax.axvline(0.0, color=SOFT, linewidth=0.9, zorder=1)


def measure_and_unit(found: Any) -> str:
    """The name of a measure with its unit, for a label."""
    return f"{found.measure} ({found.unit})" if found.unit else str(found.measure)


def number(value: float | None) -> str:
    """A number as pictures and tables show it; a dash where there is none."""
    if value is None or math.isnan(value):
        return "–"
    return f"{value:.4g}".replace("-", "−")
