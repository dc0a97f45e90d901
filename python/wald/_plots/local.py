"""Local values of all rows, of one row, or of one variable."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._plots.bars import stack
from wald._plots.display import (
    BLUE, INK, LETTER, ORANGE, SOFT, Display, grid, height, levels_along, names_down, number,
    short,
)
from wald._checks import of_type, one_of, place, whole
from wald._plots.swarm import colour_map, scaled, spread
from wald._tables.named import codes
from wald._tables.rows import mean_of_rows
from wald.errors import SettingError
from wald.typing import Axes

KINDS = ("beeswarm", "bar", "waterfall", "scatter")

# Inches for the bars of a waterfall and their numbers.
BARS = 4.3


class LocalDisplay(Display):
    """Contributions of variables to predictions of rows.

    Parameters
    ----------
    local : LocalImportance
        Values of numbers, or of one class (``of_class``); not of interactions. Bars are also of
        several classes.
    kind : {"beeswarm", "bar", "waterfall", "scatter"}, default="beeswarm"
        As of ``LocalImportance.plot``.
    row : int, optional
        The row of a waterfall; the first unless given.
    variable : str, optional
        The variable of a scatter.
    colour_by : str, optional
        Another variable, whose values colour a scatter.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.
    shown_ : ndarray of int
        Places of the variables drawn, from top to bottom.

    Examples
    --------
    >>> import wald
    >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> local = forest.explain(measure="saabas")
    >>> wald.LocalDisplay(local, kind="scatter", variable="x0").plot().ax_.get_ylabel()
    'saabas of x0'
    """

    def __init__(self, local: Any, *, kind: str = "beeswarm", row: int = 0,
                 variable: str | None = None, colour_by: str | None = None) -> None:
        of_type("local", local, "LocalImportance")
        one_of("kind", kind, KINDS)
        if local.is_interactions or local.classes is not None and kind != "bar":
            raise SettingError("values of pairs or of several classes have no such picture",
                               help="draw mean_absolute().plot(), or those of one class")
        whole("row", row, 0, len(local.values) - 1)
        for name in (variable, colour_by):
            if name is not None:
                place("variable", name, local.feature_names)
        if kind == "scatter" and (variable is None or local.columns is None):
            raise SettingError("a scatter needs a variable and the rows that were explained",
                               help="give variable=")
        self.local, self.kind, self.row = local, kind, row
        self.variable, self.colour_by = variable, colour_by

    def plot(self, ax: Axes | None = None, *, max_variables: int | None = None) -> LocalDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, optional
            Those of the largest values; 20, and 12 of a waterfall, unless given.

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
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> local = forest.explain(measure="saabas")
        >>> wald.LocalDisplay(local, kind="scatter", variable="x0").plot().ax_.get_ylabel()
        'saabas of x0'
        """
        if max_variables is not None:
            whole("max_variables", max_variables, 1)
        if self.kind == "beeswarm":
            self._beeswarm(ax, max_variables or 20)
        elif self.kind == "bar":
            self._bar(ax, max_variables or 20)
        elif self.kind == "waterfall":
            self._waterfall(ax, max_variables or 12)
        else:
            self._scatter(ax)
        self._say_of_what()
        return self

    def _say_of_what(self) -> None:
        """The class, the row and the unit, as a title."""
        local = self.local
        words = [] if local.of is None else [f"class {short(local.of)}"]
        words += [f"row {self.row}"] if self.kind == "waterfall" else []
        title = ", ".join(words)
        unit = f"in {local.unit}" if local.unit else ""
        self.ax_.set_title(f"{title} ({unit})" if title and unit else title or unit, loc="left",
                           color=INK, fontsize="medium")

    def _beeswarm(self, ax: Any, most: int) -> None:
        found = self.local
        order = np.argsort(-mean_of_rows(np.abs(found.values), found.weights), kind="stable")
        self.shown_ = shown = order[:most]
        n_more = len(order) - len(shown)
        ax = self._axes(ax, (6.8, max(height(len(shown) + (n_more > 0)), 1.3 + 0.36 * len(shown))))
        names = [found.feature_names[at] for at in shown]
        places = names_down(ax, names, n_more)
        grid(ax)
        columns, drawn = found.columns or {}, None
        span = np.ptp(found.values[:, shown]) if found.values.size else 0.0
        for at, name, place in zip(shown, names, places):
            values = found.values[:, at]
            heights = place + spread(values, span)
            colours = None
            if name in columns and columns[name].dtype != object:
                colours = scaled(columns[name])
            if colours is None:
                ax.scatter(values, heights, s=11, color="#8a9199", linewidths=0)
            else:
                missing = np.isnan(colours)
                ax.scatter(values[missing], heights[missing], s=11, color="#b9bec3", linewidths=0)
                drawn = ax.scatter(values[~missing], heights[~missing], s=11,
                                   c=colours[~missing], cmap=colour_map(), vmin=0, vmax=1,
                                   linewidths=0)
        ax.axvline(0.0, color=SOFT, linewidth=0.9, zorder=1)
        is_grey = any(name not in columns or columns[name].dtype == object for name in names)
        ax.set_xlabel(f"{found.measure} of every row"
                      + ("\ngrey: values that are not numbers" if is_grey else ""), color=INK)
        if drawn is not None:
            self._colour_bar(ax, drawn, "value of the variable")

    def _bar(self, ax: Any, most: int) -> None:
        found = self.local.mean_absolute()
        ax, places = self._ranked(ax, found, most)
        if found.per_class is None:
            ax.barh(places, found.values[self.shown_], height=0.68, color=BLUE)
        else:
            parts = np.column_stack([values[self.shown_] for values in found.per_class.values()])
            stack(ax, places, parts, list(found.per_class), "class")
        ax.set_xlabel(f"mean absolute {self.local.measure} of {len(self.local.values)} rows",
                      color=INK)

    def _colour_bar(self, ax: Any, drawn: Any, title: str) -> None:
        bar = self.figure_.colorbar(drawn, ax=ax, aspect=36, pad=0.02, fraction=0.045)
        bar.set_ticks([0.0, 1.0], labels=["low", "high"])
        bar.ax.tick_params(length=0, labelcolor=INK)
        bar.outline.set_visible(False)
        bar.set_label(title, color=INK, labelpad=-8)

    def _waterfall(self, ax: Any, most: int) -> None:
        found, values = self.local, self.local.values[self.row]
        order = np.argsort(-np.abs(values), kind="stable")
        self.shown_ = shown = order if len(order) <= most else order[:most - 1]
        rest = order[len(shown):]
        steps = [float(values[at]) for at in shown]
        labels = [self._name_and_value(at) for at in shown]
        if len(rest):
            steps.append(float(values[rest].sum()))
            labels.append(f"{len(rest)} others")
        # Long names widen the picture; bars and numbers keep their room.
        width = BARS + 0.4 + LETTER * max(map(len, labels), default=0)
        ax = self._axes(ax, (width, height(len(steps)) + 0.3))
        places = names_down(ax, labels, longest=36)
        grid(ax)
        start = 0.0 if found.expected_value is None else float(found.expected_value)
        # From the expected value at the bottom to the prediction on top.
        ends = start + np.cumsum(steps[::-1])[::-1]
        starts = ends - np.array(steps)
        ax.barh(places, steps, left=starts, height=0.62,
                color=[ORANGE if step >= 0 else BLUE for step in steps])
        for upper, lower, x in zip(places, places[1:], starts):
            ax.plot([x, x], [upper - 0.31, lower + 0.31], color=SOFT, linewidth=0.8)
        low, high = min(starts.min(), ends.min(), start), max(starts.max(), ends.max(), start)
        numbers = [("+" if step >= 0 else "") + number(step) for step in steps]
        # On both sides there is room for the longest number.
        room = (LETTER * max(map(len, numbers), default=0) + 0.1) / BARS
        margin = room / (1.0 - 2.0 * room) * (high - low or 1.0)
        ax.set_xlim(low - margin, high + margin)
        for step, written, end, place in zip(steps, numbers, ends, places):
            ax.annotate(written, (end, place), xytext=(4 if step >= 0 else -4, 0),
                        textcoords="offset points", va="center", color=INK, fontsize="small",
                        ha="left" if step >= 0 else "right")
        ax.axvline(start, color=SOFT, linewidth=0.9, linestyle=":", zorder=1)
        counted = "zero" if found.expected_value is None else f"the expected {number(start)}"
        ax.set_xlabel(f"{found.measure} of row {self.row}: from {counted} to {number(ends[0])}"
                      if len(steps) else found.measure, color=INK)

    def _name_and_value(self, at: int) -> str:
        name, columns = str(self.local.feature_names[at]), self.local.columns or {}
        if name not in columns:
            return name
        value = columns[name][self.row]
        is_text = columns[name].dtype == object
        text = "missing" if value is None or value != value else (
            short(str(value), 12) if is_text else number(value))
        return f"{short(name, max(14, 32 - len(text)))} = {text}"

    def _scatter(self, ax: Any) -> None:
        found, columns = self.local, self.local.columns or {}
        assert self.variable is not None  # __init__ has looked.
        at = found.feature_names.index(self.variable)
        self.shown_ = np.array([at])
        column, values = columns[self.variable], found.values[:, at]
        ax = self._axes(ax, (6.4, 4.2))
        grid(ax, "both")
        x = codes(column)
        if column.dtype == object:
            levels = sorted({str(value) for value in column if value is not None})
            levels_along(ax, levels)
            x = x + np.random.default_rng(0).uniform(-0.16, 0.16, len(x))
        options: dict[str, Any] = {"color": BLUE}
        if self.colour_by is not None:
            other = codes(columns[self.colour_by])
            options = {"c": np.nan_to_num(scaled(other), nan=0.5), "cmap": colour_map(),
                       "vmin": 0, "vmax": 1}
        drawn = ax.scatter(x, values, s=16, alpha=0.85, linewidths=0, **options)
        ax.axhline(0.0, color=SOFT, linewidth=0.9, zorder=1)
        n_missing = int(np.isnan(x).sum())
        ax.set_xlabel(short(self.variable) + (f" ({n_missing} missing)" if n_missing else ""),
                      color=INK)
        ax.set_ylabel(f"{found.measure} of {short(self.variable)}", color=INK)
        if self.colour_by is not None:
            self._colour_bar(ax, drawn, short(self.colour_by))
