"""Levels of new rows that the rows of training do not have."""

from __future__ import annotations

import numpy as np

from wald._tables.objects import MISSING, Cells

# Levels that a note names; further ones are counted.
MOST_NAMED = 5


def notes_on_levels(columns: list[tuple[str, Cells]], known: list[tuple[str, Cells]]) -> list[str]:
    """A note for every column with levels that the same column of training does not have."""
    return [f'column "{name}" has levels in {n_rows} {"row" if n_rows == 1 else "rows"} that the '
            f"training data do not have: {_named(new)}; they go where most training rows of a split "
            "went"
            for (name, cells), (_, of_training) in zip(columns, known)
            for new, n_rows in [_new(cells, of_training)] if n_rows]


def _new(cells: Cells, known: Cells) -> tuple[list[str], int]:
    """The new levels and the number of their rows; none of numbers."""
    if not (isinstance(cells, tuple) and isinstance(known, tuple)):
        return [], 0
    there = set(_present(known))
    levels, codes = cells
    new = [level for level in _present(cells) if level not in there]
    places = [at for at, level in enumerate(levels) if level not in there]
    return new, int(np.isin(codes, places).sum())


def _present(cells: tuple[list[str], np.ndarray]) -> list[str]:
    """The levels that rows have."""
    levels, codes = cells
    return [levels[code] for code in np.unique(codes) if code != MISSING]


def _named(levels: list[str]) -> str:
    more = len(levels) - MOST_NAMED
    named = ", ".join(f'"{level}"' for level in levels[:MOST_NAMED])
    return f"{named} and {more} more" if more > 0 else named
