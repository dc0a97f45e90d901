"""Importances as dots, boxes, or bars by degree."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._checks import of_type, one_of
from wald._plots.bars import stack
from wald._plots.display import BLUE, INK, ORANGE, SOFT, Display, undefined
from wald.errors import SettingError
from wald.typing import Axes

KINDS = ("dots", "bar", "box", "degrees")

# How far two importances of a variable are from its line.
APART = 0.16

# Half of a 95 % interval in standard errors, as in reports.
HALF_WIDTH = 1.96

# More degrees than this are put together.
MOST_DEGREES = 7


class ImportanceDisplay(Display):
    """Importances, the most important variable on top.

    Parameters
    ----------
    importance : Importance
        The result of ``forest.importance``.
    kind : {"dots", "bar", "box", "degrees"}, default="dots"
        As of ``Importance.plot``.
    beside : Importance, optional
        As of ``Importance.plot``.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.
    shown_ : ndarray of int
        Places of the variables drawn, from top to bottom.

    Examples
    --------
    >>> import wald
    >>> found = wald.population({"x": [0, 1], "y": ["no", "yes"]}, target="y").to_importance()
    >>> wald.ImportanceDisplay(found).plot().ax_.get_xlabel()
    'population (bits)'
    """

    def __init__(self, importance: Any, *, kind: str = "dots", beside: Any = None) -> None:
        of_type("importance", importance, "Importance")
        one_of("kind", kind, KINDS)
        if kind == "box" and importance.per_tree is None and importance.per_permutation is None:
            raise SettingError(f"{importance.measure} is not a mean over trees or permutations",
                               help='use kind="dots"')
        if kind == "degrees" and importance.by_degree is None:
            raise SettingError("the importance has no values by degree",
                               help='ask for importance("mdi", by_degree=True)')
        if beside is not None:
            of_type("beside", beside, "Importance")
            if kind != "dots":
                raise SettingError("another importance is drawn beside dots only",
                                   help='use kind="dots"')
            _check_comparable(importance, beside)
        self.importance = importance
        self.beside = beside
        self.kind = kind

    def plot(self, ax: Axes | None = None, *, max_variables: int = 30) -> ImportanceDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            The most important ones; the others are counted.

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
        >>> found = wald.population({"x": [0, 1], "y": ["no", "yes"]}, target="y").to_importance()
        >>> wald.ImportanceDisplay(found).plot().shown_
        array([0])
        """
        ax, places = self._ranked(ax, self.importance, max_variables)
        draw = {"dots": self._dots, "bar": self._bars, "box": self._boxes,
                "degrees": self._degrees}[self.kind]
        # Of two measures the legend has the names.
        label = None if self.beside is None else self.importance.unit
        self._label(ax, self.importance, draw(ax, places, self.shown_), label)
        undefined(ax, places[np.isnan(self.importance.values[self.shown_])])
        return self

    def _dots(self, ax: Any, places: np.ndarray, shown: np.ndarray) -> str:
        found, beside = self.importance, self.beside
        if beside is None:
            drawn = [_dots_of(ax, places, found, shown, BLUE, "#7fb2d3", "o")]
        else:
            # In any order of the variables.
            place_of = {name: at for at, name in enumerate(beside.feature_names)}
            same = np.array([place_of[found.feature_names[at]] for at in shown], dtype=np.int64)
            drawn = [_dots_of(ax, places + APART, found, shown, BLUE, "#7fb2d3", "o"),
                     _dots_of(ax, places - APART, beside, same, ORANGE, "#eab38c", "D")]
            ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5),
                      fontsize="small", labelcolor=INK)
        if min(least for least, _ in drawn) >= 0.0:
            ax.set_xlim(left=0.0 if ax.get_xlim()[1] > 0.0 else None)
        if not any(has_errors for _, has_errors in drawn):
            return ""
        return "bars: " + _intervals_of(*(one for one in (found, beside) if one is not None))

    def _bars(self, ax: Any, places: np.ndarray, shown: np.ndarray) -> str:
        found = self.importance
        errors = None if found.standard_errors is None else HALF_WIDTH * found.standard_errors[shown]
        ax.barh(places, found.values[shown], height=0.68, color=BLUE, xerr=errors,
                error_kw={"ecolor": INK, "elinewidth": 1.2})
        has_errors = errors is not None and not np.isnan(errors).all()
        return f"lines: {_intervals_of(found)}" if has_errors else ""

    def _boxes(self, ax: Any, places: np.ndarray, shown: np.ndarray) -> str:
        found = self.importance
        single, of = (found.per_tree, "trees") if found.per_tree is not None else (
            found.per_permutation, "permutations")
        columns = [column[~np.isnan(column)] for column in single[:, shown].T]
        ax.boxplot(
            columns, positions=places, widths=0.62, manage_ticks=False, patch_artist=True,
            boxprops={"facecolor": "#cfe2ef", "edgecolor": BLUE}, whiskerprops={"color": BLUE},
            capprops={"color": BLUE}, medianprops={"color": INK, "linewidth": 1.6},
            flierprops={"marker": ".", "markersize": 3, "markeredgecolor": SOFT}, **_sideways())
        ax.plot(found.values[shown], places, "D", color=BLUE, markersize=4, zorder=4)
        return f"boxes: single {of} ({len(single)}); diamonds: the importance"

    def _degrees(self, ax: Any, places: np.ndarray, shown: np.ndarray) -> str:
        parts = self.importance.by_degree[shown]
        labels = [str(degree) for degree in range(parts.shape[1])]
        if parts.shape[1] > MOST_DEGREES:
            last = parts[:, MOST_DEGREES - 1:].sum(axis=1, keepdims=True)
            parts = np.hstack([parts[:, :MOST_DEGREES - 1], last])
            labels = [*labels[:MOST_DEGREES - 1], f"{MOST_DEGREES - 1} and more"]
        stack(ax, places, parts, labels, "degree")
        return "degree: how many other variables are known above a split"


def _dots_of(ax: Any, places: np.ndarray, found: Any, shown: np.ndarray, colour: str, pale: str,
             marker: str) -> tuple[float, bool]:
    """Draws dots; the least number drawn, or zero, and whether they have intervals."""
    values, errors = found.values[shown], found.standard_errors
    errors = None if errors is None else HALF_WIDTH * errors[shown]
    ax.errorbar(values, places, xerr=errors, fmt=marker, color=colour, ecolor=pale,
                elinewidth=2.4, markersize=4.8, zorder=3, label=found.measure)
    least = np.nanmin(values - (0.0 if errors is None else np.nan_to_num(errors)), initial=0.0)
    return float(least), errors is not None and not np.isnan(errors).all()


def _intervals_of(*drawn: Any) -> str:
    over = " and ".join(dict.fromkeys(one.standard_errors_over for one in drawn))
    return f"±{HALF_WIDTH} Monte-Carlo standard errors over {over}"


def _check_comparable(one: Any, other: Any) -> None:
    if set(one.feature_names) != set(other.feature_names):
        raise SettingError("the importances are of different variables",
                           help="give importances of the same variables")
    if one.unit != other.unit:
        raise SettingError(f"{one.measure} and {other.measure} have different units: "
                           f"{one.unit}; {other.unit}",
                           help="draw them one at a time, or ranks by against=")


def _sideways() -> dict[str, Any]:
    """The argument for horizontal boxes, which has changed with matplotlib 3.10."""
    from matplotlib import __version_info__

    return {"orientation": "horizontal"} if __version_info__ >= (3, 10) else {"vert": False}
