"""Results as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

# Longer sentences are wrapped.
WIDTH = 88


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """A line for every row: a name on the left, numbers on the right of their columns."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows)]
    return [f"  {name:<{widths[0]}}" + "".join(
        f"  {cell:>{width}}" for cell, width in zip(cells, widths[1:]))
        for name, *cells in rows]


def named(names: list[str], values: list[str]) -> list[str]:
    """A line for every name with what follows it."""
    width = max(map(len, names), default=0)
    return [f"  {name:<{width}}  {value}" for name, value in zip(names, values)]


def and_more(number: int, what: str = "more") -> list[str]:
    """A line that counts what is not shown, if there is any."""
    return [f"  and {number} {what}"] if number > 0 else []


def wrapped(text: str) -> list[str]:
    """An indented sentence in as many lines as it needs."""
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
