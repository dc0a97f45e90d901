"""Results as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

import numpy as np

from wald import _native
from wald.typing import Floats

# Longer sentences are wrapped.
WIDTH = 88


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """A line for every row: a name on the left, numbers on the right of their columns."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows)]
    return [f"  {name:<{widths[0]}}" + "".join(
        f"  {cell:>{width}}" for cell, width in zip(cells, widths[1:]))
        for name, *cells in rows]


def and_more(number: int, what: str = "more") -> list[str]:
    """A line that counts what is not shown, if there is any."""
    return [f"  and {number} {what}"] if number > 0 else []


def wrapped(text: str) -> list[str]:
    """An indented sentence in as many lines as it needs."""
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def notes(sentences: Iterable[str]) -> list[str]:
    """Caveats below a result, each in as many lines as it needs."""
    return [line for sentence in sentences
            for line in textwrap.wrap(f"note: {sentence}", WIDTH, subsequent_indent="  ",
                                      break_on_hyphens=False)]


def numbers(values: Floats, of: Floats | None = None) -> list[str]:
    """The numbers of a column as on the command line and on pages: with the decimals that give the
    largest of them, or of the numbers ``of``, four digits."""
    return _native.number_texts(_list(values), None if of is None else _list(of))


def p_values(values: Floats) -> list[str]:
    """p-values with four decimals."""
    return _native.p_value_texts(_list(values))


def intervals(pairs: Floats, of: Floats) -> list[str]:
    """Intervals beside the numbers ``of``; one number where both ends look the same."""
    ends = (numbers(end, of) for end in np.transpose(pairs))
    return [low if low == high else f"{low} to {high}" for low, high in zip(*ends)]


def _list(values: Floats) -> list[float]:
    return np.asarray(values, dtype=np.float64).ravel().tolist()
