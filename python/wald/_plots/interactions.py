"""Sets of variables and where they stand together."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from wald._checks import of_type, whole
from wald._plots.display import (
    BLUE, INK, LETTER, LONGEST_LABEL, ORANGE, SOFT, Display, grid, height, names_down, number,
    short,
)
from wald.errors import SettingError
from wald.typing import Axes

# Longer sets and classes are cut.
LONGEST_SET, LONGEST_CLASS = 44, 14

# Inches for the dots.
DOTS = 3.2

# Sets of smaller stability have hollow dots, as they are more often absent than found.
STABLE = 0.5


class InteractionsDisplay(Display):
    """The prevalence of sets of variables, in leaves of the class and in the others.

    The set comes first whose prevalence exceeds that elsewhere the most. Dots are hollow where fewer
    than half of the bootstrap samples have the set.

    Parameters
    ----------
    interactions : Interactions
        The result of :func:`wald.interactions`.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.
    shown_ : ndarray of int
        Places of the sets drawn, from top to bottom.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.RandomForestRegressor(50, random_state=1).fit(data.inputs, data.target)
    >>> found = wald.interactions(forest, resamples=0)
    >>> wald.InteractionsDisplay(found).plot(max_sets=3).shown_
    array([0, 1, 2])
    """

    def __init__(self, interactions: Any) -> None:
        of_type("interactions", interactions, "Interactions")
        if not interactions.sets:
            raise SettingError("no set of variables was found",
                               help="search for smaller sets (min_size=) of less prevalence")
        self.interactions = interactions

    def plot(self, ax: Axes | None = None, *, max_sets: int = 20) -> InteractionsDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_sets : int, default=20
            The first ones; the others are counted.

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
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> forest = wald.RandomForestRegressor(50, random_state=1).fit(data.inputs, data.target)
        >>> found = wald.interactions(forest, resamples=0)
        >>> wald.InteractionsDisplay(found).plot(max_sets=3).ax_.get_xlabel().splitlines()[0]
        'prevalence: share of rows in leaves whose path has the set'
        """
        whole("max_sets", max_sets, 1)
        found = self.interactions
        n = min(len(found.sets), max_sets)
        n_more = len(found.sets) - n
        self.shown_ = np.arange(n)
        names = [" & ".join(one) for one in found.sets[:n]]
        classes = [self._side(one) for one in found.classes[:n]]
        letters = sum(max(map(len, column)) for column in (
            [short(name, LONGEST_SET) for name in names], classes))
        width = max(6.4, DOTS + LETTER * letters)
        ax = self._axes(ax, (width, height(n + (n_more > 0))))
        places = names_down(ax, names, n_more, longest=LONGEST_SET)
        grid(ax)
        self._dots(ax, places, n)
        head = "class" if found.cut is None else "target"
        for place, name in [*zip(places, classes), (0.6, head)]:
            is_head = place > 0.0
            ax.annotate(name, (1.0, place), xycoords=("axes fraction", "data"), xytext=(8, 0),
                        textcoords="offset points", va="bottom" if is_head else "center",
                        color=SOFT if is_head else INK, annotation_clip=False)
        ax.set_xlabel(self._remark(n), color=INK)
        return self

    def _side(self, name: str) -> str:
        """The class, or the side of the cut, whose digits are fewer than in the results."""
        cut = self.interactions.cut
        return short(name, LONGEST_CLASS) if cut is None else f"{name.split()[0]} {number(cut)}"

    def _dots(self, ax: Any, places: np.ndarray, n: int) -> None:
        found = self.interactions
        inside, elsewhere = found.prevalence[:n], found.prevalence_elsewhere[:n]
        known = ~np.isnan(elsewhere)
        # Dots at zero are not clipped.
        ax.hlines(places[known], elsewhere[known], inside[known], color="#c9ced3", linewidth=2.4,
                  zorder=2)
        ax.plot(elsewhere, places, "D", color=ORANGE, markersize=4.2, zorder=3, clip_on=False)
        is_stable = np.full(n, True) if found.stability is None else found.stability[:n] >= STABLE
        for chosen, face in ((is_stable, BLUE), (~is_stable, "white")):
            ax.plot(inside[chosen], places[chosen], "o", color=BLUE, markerfacecolor=face,
                    markersize=5.2, zorder=4, clip_on=False)
        ax.set_xlim(left=0.0)

    def _remark(self, n: int) -> str:
        of = "of the class" if self.interactions.cut is None else "on that side of the cut"
        words = f"dots: leaves {of}"
        stability = self.interactions.stability
        if stability is not None and (stability[:n] < STABLE).any():
            words += ", hollow where fewer than half of the bootstrap samples have the set"
        if not np.isnan(self.interactions.prevalence_elsewhere[:n]).all():
            words += "; diamonds: other leaves"
        return "\n".join(["prevalence: share of rows in leaves whose path has the set",
                          *textwrap.wrap(words, LONGEST_LABEL)])
