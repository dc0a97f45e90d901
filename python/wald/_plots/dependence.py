"""Dependence of inputs as a heat map."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._plots.display import INK, SOFT, Display, short
from wald._results import Dependence

# Numbers are written into cells of at most so many variables.
MOST_NUMBERS = 12


class DependenceDisplay(Display):
    """How much inputs depend on each other; those of a cluster are together.

    Parameters
    ----------
    dependence : Dependence

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.
    shown_ : list of int
        Places of the variables drawn.
    """

    def __init__(self, dependence: Dependence) -> None:
        self.dependence = dependence

    def plot(self, ax: Any = None, *, max_variables: int = 30) -> DependenceDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, optional
        max_variables : int, default=30
            Those that depend most on any other; the others are counted.

        Returns
        -------
        self
        """
        found = self.dependence
        others = found.values - np.eye(len(found.values))
        most = np.argsort(-others.max(axis=1, initial=0.0), kind="stable")[:max_variables]
        self.shown_ = shown = [at for at in found.order() if at in set(most.tolist())]
        side = max(3.6, 1.8 + 0.27 * len(shown))
        ax = self._axes(ax, (side + 1.0, side))
        values = found.values[np.ix_(shown, shown)]
        drawn = ax.imshow(values, cmap="Blues", vmin=0.0, vmax=1.0)
        names = [short(found.feature_names[at], 22) for at in shown]
        ax.set_xticks(range(len(shown)), names, rotation=90)
        ax.set_yticks(range(len(shown)), names)
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
        if len(shown) <= MOST_NUMBERS:
            for row, column in np.ndindex(values.shape):
                if row != column:
                    value = values[row, column]
                    ax.text(column, row, f"{value:.2f}".removeprefix("0"), ha="center",
                            va="center", fontsize="x-small",
                            color="white" if value > 0.6 else INK)
        bar = self.figure_.colorbar(drawn, ax=ax, fraction=0.045, pad=0.03)
        bar.set_label("dependence of ranks", color=INK)
        bar.outline.set_visible(False)
        n_more = len(found.feature_names) - len(shown)
        if n_more:
            ax.set_title(f"and {n_more} more, which depend less", color=SOFT, fontstyle="italic",
                         fontsize="medium")
        return self
