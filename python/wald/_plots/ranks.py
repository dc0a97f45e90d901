"""Rank against rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._checks import of_type, whole
from wald._plots.display import BLUE, INK, ORANGE, SOFT, Display, height, short
from wald.errors import SettingError
from wald.typing import Axes

# Variables that move by at least this share of the ranks stand out.
FAR = 0.25


def plot_ranks(one: Any, other: Any, *, ax: Axes | None = None,
               max_variables: int = 30) -> RankDisplay:
    """Draw ranks by one measure against ranks by another.

    Parameters
    ----------
    one, other : Importance
        Of the same variables, in any order.
    ax : matplotlib axes, optional
        New ones unless given.
    max_variables : int, default=30
        Those with the best rank by either measure; the others are counted.

    Returns
    -------
    RankDisplay
        With ``ax_`` and ``figure_``.

    Raises
    ------
    SettingError
        When the variables differ.
    ImportError
        Without matplotlib.

    Examples
    --------
    >>> import wald
    >>> forest = wald.RandomForestRegressor(20).fit([[0, 3], [1, 2], [2, 7], [3, 1]], [0, 1, 2, 3])
    >>> wald.plot_ranks(forest.importance("mdi"), forest.importance("split_count"))
    RankDisplay()
    """
    return RankDisplay(one, other).plot(ax, max_variables=max_variables)


class RankDisplay(Display):
    """Ranks by two measures.

    A line goes from the rank of every variable on the left to that on the right. Lines of variables
    that move far are dark.

    Parameters
    ----------
    one, other : Importance
        Of the same variables, in any order.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.

    Examples
    --------
    >>> import wald
    >>> forest = wald.RandomForestRegressor(20).fit([[0, 3], [1, 2], [2, 7], [3, 1]], [0, 1, 2, 3])
    >>> one, other = forest.importance("mdi"), forest.importance("split_count")
    >>> len(wald.RankDisplay(one, other).plot().ax_.lines)
    2
    """

    def __init__(self, one: Any, other: Any) -> None:
        of_type("one", one, "Importance")
        of_type("other", other, "Importance")
        if sorted(one.feature_names) != sorted(other.feature_names):
            raise SettingError("the two importances are of different variables",
                               help="measure the same variables, or the same groups of them")
        self.one, self.other = one, other

    def plot(self, ax: Axes | None = None, *, max_variables: int = 30) -> RankDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            Those with the best rank by either measure; the others are counted.

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
        >>> X, y = [[0, 3], [1, 2], [2, 7], [3, 1]], [0, 1, 2, 3]
        >>> forest = wald.RandomForestRegressor(20).fit(X, y)
        >>> one, other = forest.importance("mdi"), forest.importance("split_count")
        >>> len(wald.RankDisplay(one, other).plot().ax_.lines)
        2
        """
        whole("max_variables", max_variables, 1)
        names = self.one.feature_names
        place = {name: at for at, name in enumerate(self.other.feature_names)}
        left = self.one.ranks
        right = self.other.ranks[[place[name] for name in names]]
        shown = np.argsort(np.minimum(left, right), kind="stable")[:max_variables]
        n_more = len(names) - len(shown)
        longest = max((len(short(names[at])) for at in shown), default=0)
        # Room for names on both sides.
        width = 4.0 + 2 * 0.1 * longest
        ax = self._axes(ax, (width, height(len(shown) + (n_more > 0))))
        # Places among those shown; labels are the ranks among all.
        down = [-np.argsort(np.argsort(ranks[shown])) for ranks in (left, right)]
        far = max(2.0, FAR * len(names))
        for at, start, end in zip(shown, *down):
            move = left[at] - right[at]
            is_far = abs(move) >= far
            colour = (BLUE if move > 0 else ORANGE) if is_far else "#9aa1a8"
            ax.plot([0, 1], [start, end], "-o", color=colour, linewidth=2.2 if is_far else 1.2,
                    markersize=4.5, zorder=3 if is_far else 2)
            for x, y, rank, side in ((0, start, left[at], "right"), (1, end, right[at], "left")):
                text = short(names[at])
                text = f"{text}  {rank}" if side == "right" else f"{rank}  {text}"
                ax.annotate(text, (x, y), xytext=(-9 if side == "right" else 9, 0),
                            textcoords="offset points", ha=side, va="center", color=INK,
                            annotation_clip=False)
        self._frame(ax, len(shown), n_more)
        return self

    def _frame(self, ax: Any, n_shown: int, n_more: int) -> None:
        ax.set_xlim(-0.04, 1.04)
        ax.set_ylim(-n_shown + 0.4 - (n_more > 0), 0.6)
        ax.set_yticks([])
        ax.set_xticks([0, 1], [f"rank by\n{short(one.measure)}" for one in (self.one, self.other)])
        ax.xaxis.tick_top()
        ax.tick_params(axis="x", length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
        if n_more:
            ax.text(0.5, -n_shown, f"and {n_more} more", ha="center", va="center", color=SOFT,
                    fontstyle="italic")
