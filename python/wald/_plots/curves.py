"""Curves of predictions against one variable."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._checks import of_type, place
from wald._plots.display import BLUE, INK, ORANGE, Display, grid, levels_along, short
from wald.typing import Axes

# More curves than this are thinned out evenly.
MOST_CURVES = 300


class CurvesDisplay(Display):
    """Predictions over the values of a variable, all else equal.

    There is a thin line for every row, and a thick one for the mean of all rows.

    Parameters
    ----------
    curves : Curves
        The result of ``forest.explain(X, "ice")`` or "pdp".
    variable : str
        Its curves are drawn.
    target : str, optional
        The class; the second of two unless given.
    centred : bool, default=False
        Whether every curve begins at zero.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.

    Examples
    --------
    >>> import wald
    >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> curves = forest.explain(measure="pdp")
    >>> wald.CurvesDisplay(curves, "x0").plot().ax_.get_xlabel()
    'x0'
    """

    def __init__(self, curves: Any, variable: str, *, target: Any = None,
                 centred: bool = False) -> None:
        of_type("curves", curves, "Curves")
        self.grid, values = curves.of(variable)
        self.label = "prediction"
        if curves.classes is not None:
            target = curves.classes[1] if target is None and len(curves.classes) == 2 else target
            values = values[..., place("class", str(target), curves.classes)]
            self.label = f"predicted share of {short(str(target))}"
        if centred:
            values = values - values[:, :1]
            self.label = f"change of the {self.label}"
        self.values, self.variable = values, variable

    def plot(self, ax: Axes | None = None) -> CurvesDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.

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
        >>> curves = forest.explain(measure="pdp")
        >>> wald.CurvesDisplay(curves, "x0").plot().ax_.get_xlabel()
        'x0'
        """
        ax = self._axes(ax, (6.4, 4.2))
        grid(ax, "both")
        n = len(self.values)
        thin = self.values[:: max(1, -(-n // MOST_CURVES))] if n > 1 else self.values[:0]
        mean = self.values.mean(axis=0)
        is_text = self.grid.dtype == object
        missing = np.array([value is None if is_text else np.isnan(value) for value in self.grid])
        alpha = float(np.clip(25.0 / max(len(thin), 1), 0.06, 0.5))
        label = f"mean of {n} rows" if n > 1 else None
        if is_text:
            x = np.arange(len(self.grid), dtype=np.float64)
            levels_along(ax, ["missing" if value is None else str(value) for value in self.grid])
            ax.plot(x, thin.T, "-", color=BLUE, alpha=alpha, linewidth=0.8)
            ax.plot(x, mean, "o-", color=ORANGE, linewidth=2.4, label=label)
        else:
            x, known = self.grid[~missing], ~missing
            if len(thin):
                ax.step(x, thin[:, known].T, where="pre", color=BLUE, alpha=alpha, linewidth=0.8)
            ax.step(x, mean[known], where="pre", color=ORANGE, linewidth=2.4, label=label)
            if missing.any():
                beside = x[-1] + 0.06 * (np.ptp(x) or 1.0) if len(x) else 0.0
                ax.plot([beside], mean[missing], "D", color=ORANGE)
                ax.annotate("missing", (beside, mean[missing][0]), xytext=(0, 7),
                            textcoords="offset points", ha="center", color=INK, fontsize="small")
        ax.set_xlabel(short(self.variable), color=INK)
        ax.set_ylabel(self.label, color=INK)
        if label is not None:
            ax.legend(frameon=False, labelcolor=INK)
        return self
