"""Results as small tables of HTML, for notebooks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

from wald._plots.display import number as number

# The style sheet in one line, which stands before every table.
_RULES = files("wald._results").joinpath("table.css").read_text(encoding="utf-8")
STYLE = f"<style>{''.join(_RULES.splitlines())}</style>"


# A column of a table: its head, how its cells are drawn, and what is in them, if there is anything.
Column = tuple[str, Callable[[Any], str], Any]


def shares(values: np.ndarray) -> np.ndarray:
    """Values as shares of the largest, for bars; NaN where there are none."""
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    return values / largest if 0.0 < largest < math.inf else np.full(len(values), np.nan)


def bar(share: float) -> str:
    """A bar; of another colour below zero."""
    if math.isnan(share):
        return '<td class="wald-bar"></td>'
    width = 100.0 * min(abs(share), 1.0)
    below = ' class="wald-below"' if share < 0.0 else ""
    return f'<td class="wald-bar"><span{below} style="width:{width:.1f}%"></span></td>'


def name(text: str) -> str:
    """A cell with a name, whose title is the name in full."""
    return f'<td class="wald-name" title="{escape(text)}">{escape(text)}</td>'


def cell(text: str) -> str:
    """A cell with a number or a word."""
    return f"<td>{escape(text)}</td>"


def words(text: str) -> str:
    """A cell with sentences, which take several lines."""
    return f'<td class="wald-words">{escape(text)}</td>'


def table(title: str, remark: str, columns: list[Column], order: Any = None, *,
          most: int | None = None, notes: Iterable[str] = ()) -> str:
    """A table of the columns that there are, and of at most so many rows, in that order, with
    caveats in its head.

    Returns
    -------
    str
        HTML that depends on nothing else in the page.
    """
    columns = [column for column in columns if column[2] is not None]
    order = range(len(columns[0][2])) if order is None else order
    shown = order[:most]
    head = "".join(
        f'<th class="wald-name">{escape(text)}</th>' if draw in (name, words) else
        f"<th>{escape(text)}</th>" for text, draw, _ in columns)
    body = "".join(f"<tr>{''.join(draw(cells[at]) for _, draw, cells in columns)}</tr>"
                   for at in shown)
    more = "" if len(shown) == len(order) else (
        f'<tr><td class="wald-name wald-soft" colspan="{len(columns)}">'
        f"and {len(order) - len(shown)} more</td></tr>")
    lines = [*filter(None, [remark]), *(f"note: {note}" for note in notes)]
    soft = "".join(f'<br><span class="wald-soft">{escape(line)}</span>' for line in lines)
    return (f'{STYLE}<table class="wald-table"><caption><b>{escape(title)}</b>{soft}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}{more}</tbody></table>")
