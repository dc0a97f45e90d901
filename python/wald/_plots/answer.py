"""What matters: groups with their members below, and single variables."""

from __future__ import annotations

import math
import textwrap
from typing import Any

import numpy as np

from wald._checks import of_type, whole
from wald._plots.display import BLUE, INK, LONGEST_LABEL, ORANGE, SKY, Display, zero_line
from wald.errors import SettingError
from wald.typing import Axes


# How far a first-order index is from the line of its variable.
BELOW = 0.36


def rows_of(entries: list[dict[str, Any]]) -> list[tuple[str | None, dict[str, Any]]]:
    """Entries, each followed by its members with the name of their group."""
    rows: list[tuple[str | None, dict[str, Any]]] = []
    for entry in entries:
        rows.append((None, entry))
        rows += [(entry["name"], member) for member in entry["members"]]
    return rows


def has_first_order(rows: list[tuple[str | None, dict[str, Any]]]) -> bool:
    """Whether any variable has a first-order index."""
    return any("first_order" in entry for _, entry in rows)


class AnswerDisplay(Display):
    """Shares of variables and groups, the largest on top, and what members of groups add alone.

    Parameters
    ----------
    answer : Answer
        The answer of ``wald.report``.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.
    shown_ : list of str
        Names of the variables and groups drawn, from top to bottom.

    Examples
    --------
    >>> import wald
    >>> entry = dict(name="x", members=[], share=0.6, standard_error=0.05, low=0.5, high=0.7,
    ...              finding="something")
    >>> answer = wald.Answer(sentences=["x matters."], measure="sobol_mda", sample=None,
    ...                      interval=None, unit="share of the variance", entries=[entry])
    >>> wald.AnswerDisplay(answer).plot().shown_
    ['x']
    """

    def __init__(self, answer: Any) -> None:
        of_type("answer", answer, "Answer")
        if not answer.entries:
            raise SettingError("the answer has no shares",
                               help="print it: its sentences give the reason")
        self.answer = answer

    def plot(self, ax: Axes | None = None, *, max_variables: int = 30) -> AnswerDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            The lines with the largest shares, with the members of groups; the others are counted.

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
        >>> entry = dict(name="x", members=[], share=0.6, standard_error=0.05, low=0.5, high=0.7,
        ...              finding="something")
        >>> answer = wald.Answer(sentences=["x matters."], measure="sobol_mda", sample=None,
        ...                      interval=None, unit="share of the variance", entries=[entry])
        >>> wald.AnswerDisplay(answer).plot().ax_.get_xlabel().splitlines()
        ['share of the variance', 'lines: 95 % intervals for trees and rows']
        """
        whole("max_variables", max_variables, 1)
        rows = rows_of(self.answer.entries)
        shown, n_more = rows[:max_variables], max(0, len(rows) - max_variables)
        self.shown_ = [entry["name"] for _, entry in shown]
        # Members stand below their group.
        labels = [entry["name"] if group is None else f"{entry['name']} alone"
                  for group, entry in shown]
        ax, places = self._rows(ax, labels, n_more, longest=36)
        for label, place, (group, entry) in zip(ax.get_yticklabels(), places, shown):
            label.set_fontsize("small" if group is not None else "medium")
            _draw(ax, place, entry, is_member=group is not None)
        zero_line(ax)
        ax.set_xlabel(self._remark(shown), color=INK)
        return self

    def _remark(self, shown: list[tuple[str | None, dict[str, Any]]]) -> str:
        answer = self.answer
        lines = textwrap.wrap(answer.unit, LONGEST_LABEL)
        if any(group is not None for group, _ in shown):
            lines += textwrap.wrap("bars: groups and variables; dots below a group: what each "
                                   "member adds alone", LONGEST_LABEL)
        if any(entry["low"] is not None for _, entry in shown):
            lines.append("lines: 95 % intervals for trees and rows")
        if has_first_order(shown):
            lines += textwrap.wrap("diamonds: what each variable explains by itself, its first-order "
                                   "Sobol index, with lines for trees", LONGEST_LABEL)
        if answer.sample:
            lines += textwrap.wrap(f"from {answer.sample}", LONGEST_LABEL)
        return "\n".join(lines)


def _draw(ax: Any, place: float, entry: dict[str, Any], *, is_member: bool) -> None:
    share, low, high = (math.nan if entry[key] is None else entry[key]
                        for key in ("share", "low", "high"))
    if not is_member:
        ax.barh(place, share, height=0.56, color=SKY, zorder=2)
    reach = np.array([[share - low], [high - share]])
    errors = None if np.isnan(reach).any() else np.maximum(reach, 0.0)
    ax.errorbar([share], [place], xerr=errors, fmt="o" if is_member else "none", color=BLUE,
                ecolor=BLUE, elinewidth=1.8, capsize=0 if is_member else 3, markersize=4.2,
                zorder=3)
    if (first := entry.get("first_order")) is not None:
        # Below the share, which it may be equal to.
        place -= BELOW
        ax.errorbar([first["share"]], [place], fmt="D", color=ORANGE, markersize=3.6, zorder=4)
        if first["low"] is not None:
            ax.plot([first["low"], first["high"]], [place, place], color=ORANGE, linewidth=1.4,
                    zorder=4)
