"""Names of targets. None is that of a column, unless the target is this column, which is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from wald._tables.columns import frame_names
from wald._tables.named import readable
from wald._tables.objects import Cells, numeral

# From the name of a column to its cells.
CellsOf = Callable[[str], Cells]


def target_name(y: Any, values: np.ndarray, names: list[str], cells_of: CellsOf) -> str:
    """The name of a target; where it has none, or that of a column of other values, an unused one.

    Parameters
    ----------
    y : array, series or list
        The target as it was given.
    values : ndarray of shape (n_samples,)
        Its values.
    names : list of str
        Names of the columns.
    cells_of : callable
        From the name of a column to its cells.
    """
    own = getattr(y, "name", None)
    if not isinstance(own, (str, int, tuple)) or not own:
        return unused_name(names)
    is_free = str(own) not in names or _is_column(values, cells_of(str(own)))
    return str(own) if is_free else unused_name(names)


def target_names(y: Any, values: np.ndarray, names: list[str], cells_of: CellsOf) -> list[str]:
    """The names of several targets, ``y0``, ``y1``, ... where they have none; as of one target."""
    own = frame_names(y)
    found: list[str] = []
    for at, of_target in enumerate(values.T):
        name = None if own is None else own[at]
        if name is None or name in names and not _is_column(of_target, cells_of(name)):
            name = unused_name([*names, *(own or []), *found], f"{at}")
        found.append(name)
    return found


def unused_name(names: list[str], number: str = "") -> str:
    """The name of a target that has none of its own, which is not among these."""
    first = [f"y{number}", f"target{number}"]
    further = (f"target{number}_{at}" for at in range(2, len(names) + 2))
    return next(name for name in [*first, *further] if name not in names)


def _is_column(values: np.ndarray, cells: Cells) -> bool:
    """Whether a target has the values of a column, as numbers or as texts."""
    if isinstance(cells, tuple):
        return bool(readable(cells).tolist() == [numeral(value) for value in values.tolist()])
    try:
        return np.array_equal(values.astype(np.float64), cells, equal_nan=True)
    except (TypeError, ValueError):
        return False  # Texts are no numbers.
