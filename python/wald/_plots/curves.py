"""Curves of predictions against variables."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from wald._checks import of_type, place, whole
from wald._plots.display import (
    BLUE, INK, LETTER, ORANGE, Display, grid, inches, levels_along, short,
)
from wald._tables.columns import class_name
from wald._tables.rows import mean_of_rows
from wald.errors import SettingError
from wald.typing import Axes

# More curves than this are thinned out evenly.
MOST_CURVES = 300

# Inches of the only panel, and of each of several.
SINGLE, SMALL = (6.4, 4.2), (3.2, 2.7)

# The part of the height of a panel that is left beside the axes, for the label.
LABEL = 0.7


class Panel(NamedTuple):
    """The curves of a variable for a class, or for the number that is predicted."""

    variable: str
    of: str | None
    grid: np.ndarray
    values: np.ndarray
    label: str


class CurvesDisplay(Display):
    """Predictions over the values of variables, all else equal: a panel per variable and class.

    There is a thin line for every row, and a thick one for the mean of all rows.

    Parameters
    ----------
    curves : Curves
        The result of ``forest.explain(X, "ice")``, "pdp" or "ale".
    variable : str, optional
        Its curves are drawn; all unless given, those first whose mean has the widest range.
    target : str, optional
        The class; unless given, the second of two, and every one of more.
    centred : bool, default=False
        Whether every curve begins at zero.

    Attributes
    ----------
    ax_, axes_, figure_
        Matplotlib axes of the first panel, those of all, and the figure.
    shown_ : list of tuple (str, str or None)
        The variable and the class of every panel; None where numbers are predicted.

    Examples
    --------
    >>> import wald
    >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> curves = forest.explain(measure="pdp")
    >>> wald.CurvesDisplay(curves, "x0").plot().ax_.get_xlabel()
    'x0'
    """

    def __init__(self, curves: Any, variable: str | None = None, *, target: Any = None,
                 centred: bool = False) -> None:
        of_type("curves", curves, "Curves")
        if not curves.feature_names:
            raise SettingError("there are no curves", help="explain one variable at least")
        self.curves, self.variable, self.centred = curves, variable, centred
        classes = curves.classes
        self._places: list[Any] = [None]
        if classes is not None:
            first = 1 if len(classes) == 2 else 0
            self._places = list(range(first, len(classes))) if target is None else [
                place("class", class_name(target), classes)]
        if variable is not None:
            place("variable", variable, curves.feature_names)

    def plot(self, ax: Axes | Iterable[Axes] | None = None, *, max_variables: int = 6
             ) -> CurvesDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            As many as there are panels; new ones unless given.
        max_variables : int, default=6
            Those whose mean curve has the widest range; the others are counted.

        Returns
        -------
        self
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.
        SettingError
            When there are not as many axes as panels.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> curves = forest.explain(measure="pdp")
        >>> wald.CurvesDisplay(curves, "x0").plot().ax_.get_xlabel()
        'x0'
        """
        whole("max_variables", max_variables, 1)
        panels, n_more = self._panels_of(max_variables)
        self.shown_ = [(panel.variable, panel.of) for panel in panels]
        n_classes, is_single = len(self._places), len(panels) == 1
        # Rows begin with a variable, wherever its classes fill them.
        n_columns = 1 if is_single else 3 if n_classes % 3 == 0 else 2
        size = SINGLE if is_single else SMALL
        axes = self._panels(ax, len(panels), n_columns, size)
        for one, panel in zip(axes, panels):
            _draw(one, panel, self.curves)
            high = LABEL * size[1] if ax is None else inches(one)[1]
            one.set_ylabel(textwrap.fill(panel.label, max(8, int(high / LETTER))), color=INK)
        if axes[0].get_legend_handles_labels()[1]:
            # Small panels have no room: it is above the first one, for all of them.
            above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0)}
            axes[0].legend(frameon=False, labelcolor=INK, **({} if is_single else above))
        if n_more:
            more = f"(and {n_more} more variable{'s' if n_more > 1 else ''})"
            axes[-1].set_xlabel(f"{axes[-1].get_xlabel()}\n{more}", color=INK)
        return self

    def _panels_of(self, max_variables: int) -> tuple[list[Panel], int]:
        """The panels, and how many variables have none."""
        names = self.curves.feature_names if self.variable is None else [self.variable]
        panels, ranges = [], []
        for name in names:
            of_variable = [self._panel(name, at) for at in self._places]
            panels.append(of_variable)
            ranges.append(max(_range(mean_of_rows(panel.values, self.curves.weights))
                              for panel in of_variable))
        order = np.argsort(-np.array(ranges), kind="stable")[:max_variables]
        return [panel for at in order for panel in panels[at]], len(names) - len(order)

    def _panel(self, variable: str, at: int | None) -> Panel:
        along, values = self.curves.of(variable)
        of, what = None, "prediction"
        if at is not None:
            of, values = self.curves.classes[at], values[..., at]
            what = f"predicted share of {short(of)}"
        if self.curves.measure == "ale":
            what = f"effect on the {what}"
        if self.centred:
            values = values - values[:, :1]
            what = f"change of the {what}"
        return Panel(variable, of, along, values, what)


def _range(curve: np.ndarray) -> float:
    known = curve[~np.isnan(curve)]
    return float(np.ptp(known)) if len(known) else 0.0


def _draw(ax: Any, panel: Panel, curves: Any) -> None:
    grid(ax, "both")
    of_grid = panel.grid
    values = panel.values[~np.isnan(panel.values).all(axis=1)]
    n = len(values)
    thin = values[:: max(1, -(-n // MOST_CURVES))] if n > 1 else values[:0]
    middle = mean_of_rows(panel.values, curves.weights)
    # Effects are added up between the numbers of the grid; predictions are steps.
    draw = ax.plot if curves.measure == "ale" else partial(ax.step, where="pre")
    is_text = of_grid.dtype == object
    missing = np.array([value is None if is_text else np.isnan(value) for value in of_grid])
    alpha = float(np.clip(25.0 / max(len(thin), 1), 0.06, 0.5))
    label = f"mean of {n} rows" if n > 1 else None
    if is_text:
        x = np.arange(len(of_grid), dtype=np.float64)
        levels_along(ax, ["missing" if value is None else str(value) for value in of_grid])
        ax.plot(x, thin.T, "-", color=BLUE, alpha=alpha, linewidth=0.8)
        ax.plot(x, middle, "o-", color=ORANGE, linewidth=2.4, label=label)
    else:
        x, known = of_grid[~missing], ~missing
        if len(thin):
            draw(x, thin[:, known].T, color=BLUE, alpha=alpha, linewidth=0.8)
        draw(x, middle[known], color=ORANGE, linewidth=2.4, label=label)
        if missing.any():
            beside = x[-1] + 0.06 * (np.ptp(x) or 1.0) if len(x) else 0.0
            ax.plot([beside], middle[missing], "D", color=ORANGE)
            # On the side where the curve does not end.
            is_below = bool(len(x)) and middle[missing][0] < middle[known][-1]
            ax.annotate("missing", (beside, middle[missing][0]), xytext=(0, -7 if is_below else 7),
                        textcoords="offset points", ha="center", color=INK, fontsize="small",
                        va="top" if is_below else "baseline")
    ax.set_xlabel(short(panel.variable), color=INK)
