"""Results as small tables of HTML, for notebooks."""

from __future__ import annotations

import math
from html import escape

from wald._plots.display import number as number

STYLE = (
    "<style>"
    ".wald-table{border-collapse:collapse;font-size:13px;margin:.2em 0 .6em}"
    ".wald-table caption{text-align:left;padding:0 0 .5em;caption-side:top;max-width:46em}"
    ".wald-table caption b{font-size:14px}"
    ".wald-table th,.wald-table td{padding:.22em .9em .22em 0;border:0;text-align:right;"
    "background:none;white-space:nowrap;font-variant-numeric:tabular-nums}"
    ".wald-table thead th{border-bottom:1px solid #8888;font-weight:600}"
    ".wald-table .wald-name{text-align:left;vertical-align:top;max-width:26em;overflow:hidden;"
    "text-overflow:ellipsis}"
    ".wald-table .wald-words{text-align:left;white-space:normal;max-width:26em;"
    "vertical-align:top}"
    ".wald-table .wald-bar{text-align:left;width:9em;padding-right:0}"
    ".wald-table .wald-bar span{display:inline-block;height:.75em;background:#1d5c87;"
    "border-radius:1px}"
    ".wald-table .wald-bar .wald-below{background:#b5532c}"
    ".wald-table .wald-soft{opacity:.7;font-weight:400}"
    "</style>"
)


def bar(value: float, largest: float) -> str:
    """A bar as long as the value is of the largest; of another colour below zero."""
    if math.isnan(value) or not 0.0 < largest < math.inf:
        return '<td class="wald-bar"></td>'
    width = 100.0 * min(abs(value) / largest, 1.0)
    below = ' class="wald-below"' if value < 0.0 else ""
    return f'<td class="wald-bar"><span{below} style="width:{width:.1f}%"></span></td>'


def name(text: str) -> str:
    """A cell with a name, whose title is the name in full."""
    return f'<td class="wald-name" title="{escape(text)}">{escape(text)}</td>'


def cell(text: str) -> str:
    """A cell with a number or a word."""
    return f"<td>{escape(text)}</td>"


def row(first: str, *others: str) -> str:
    """A row with a name and numbers or words."""
    return name(first) + "".join(cell(other) for other in others)


def words(text: str) -> str:
    """A cell with sentences, which take several lines."""
    return f'<td class="wald-words">{escape(text)}</td>'


def table(title: str, remark: str, heads: list[str], rows: list[str], n_more: int = 0, *,
          texts: tuple[int, ...] = (0,)) -> str:
    """A table; ``rows`` are cells of HTML, everything else is text; ``texts`` are the places of
    columns that are no numbers.

    Returns
    -------
    str
        HTML that depends on nothing else in the page.
    """
    head = "".join(
        f'<th class="wald-name">{escape(text)}</th>' if at in texts else f"<th>{escape(text)}</th>"
        for at, text in enumerate(heads))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    more = "" if not n_more else (
        f'<tr><td class="wald-name wald-soft" colspan="{len(heads)}">and {n_more} more</td></tr>')
    soft = f'<br><span class="wald-soft">{escape(remark)}</span>' if remark else ""
    return (f'{STYLE}<table class="wald-table"><caption><b>{escape(title)}</b>{soft}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}{more}</tbody></table>")
