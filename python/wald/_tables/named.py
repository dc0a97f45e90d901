"""Tables of any kind by the names of their columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import check_array

from wald._tables.columns import columns_of, is_frame, matrix_columns
from wald._tables.objects import MISSING, Cells, of_objects
from wald._tables.refusals import is_missing, prepared, refusals
from wald.errors import DataError, DataTypeError

Columns = dict[str, np.ndarray]


def named_columns(table: Any) -> list[tuple[str, Cells]]:
    """Names and cells of a data frame, or of a dict of lists or arrays.

    Raises
    ------
    DataTypeError
        When the table has no names, or holds what is neither numbers nor texts.
    """
    if isinstance(table, Mapping):
        found = []
        for name, values in table.items():
            values = _list(values)
            if values.ndim != 1:
                raise DataTypeError(f"column {name!r} is not a list", column=str(name),
                                    help="give one value per row")
            missing = np.array([is_missing(value) for value in values], dtype=bool)
            found.append((str(name), of_objects(str(name), values, missing)))
        return found
    if is_frame(table):
        return columns_of(prepared(table))
    raise DataTypeError("the table has no names of columns",
                        help="give a data frame, or a dict of columns")


def _list(values: Any) -> np.ndarray:
    """Values one by one, which may be lists themselves."""
    try:
        return np.asarray(values, dtype=object)
    except ValueError:
        # Nested lists of different lengths.
        return np.empty((0, 0), dtype=object)


def column(columns: list[tuple[str, Cells]], name: str) -> Cells:
    """One of the columns.

    Raises
    ------
    DataError
        When there is none of that name.
    """
    for known, cells in columns:
        if known == name:
            return cells
    raise DataError(f"there is no column {name!r}",
                    help=f"columns are {', '.join(repr(known) for known, _ in columns)}")


def input_columns(table: Any, names: list[str] | None = None) -> list[tuple[str, Cells]]:
    """Names and cells of a data frame, a dict of columns, or an array.

    The columns of an array are called x0, x1, ..., or have the names given, in their order.

    Raises
    ------
    DataError
        When an array has another number of columns than there are names, or cells that are no
        numbers.
    """
    if isinstance(table, Mapping) or is_frame(prepared(table)):
        return named_columns(table)
    table = prepared(table)
    with refusals("X", table):
        matrix: np.ndarray = check_array(
            table, dtype=np.float64, ensure_all_finite="allow-nan", input_name="X")
    names = [f"x{at}" for at in range(matrix.shape[1])] if names is None else names
    if matrix.shape[1] != len(names):
        raise DataError(f"the array has {matrix.shape[1]} columns for {len(names)} inputs",
                        help="give a column for every input, in the order of the runs")
    return matrix_columns(matrix, names)


def written(name: str, values: np.ndarray) -> Cells:
    """The inverse of :func:`readable`, for values that are not missing."""
    is_text = values.dtype == object
    return of_objects(name, values, np.zeros(len(values), dtype=bool)) if is_text else values


def readable(cells: Cells) -> np.ndarray:
    """A column as numbers (NaN is missing) or texts (``None`` is missing)."""
    if not isinstance(cells, tuple):
        return np.asarray(cells, dtype=np.float64)
    levels, codes = cells
    texts = np.array([*levels, None], dtype=object)
    return texts[np.where(codes == MISSING, len(levels), codes)]


def columns_by_name(table: Any, names: list[str]) -> Columns | None:
    """The columns of those names, as numbers or texts; an array has them in that order."""
    if table is None:
        return None
    if isinstance(table, Mapping) and all(isinstance(cells, np.ndarray)
                                          for cells in table.values()):
        found = list(table.items())
    elif isinstance(table, Mapping) or is_frame(table):
        found = [(name, readable(cells)) for name, cells in named_columns(table)]
    else:
        matrix = np.asarray(table)
        found = [(name, readable(cells)) for name, cells in matrix_columns(matrix, names)] if (
            matrix.ndim == 2 and matrix.shape[1] == len(names)) else []
    of_name = dict(found)
    return {name: of_name[name] for name in names if name in of_name}


def codes(column: np.ndarray) -> np.ndarray:
    """Numbers for texts, by their order; NaN where missing."""
    if column.dtype != object:
        return column.astype(np.float64)
    present = np.array([value is not None for value in column], dtype=bool)
    found = np.full(len(column), np.nan)
    if present.any():
        found[present] = np.unique(column[present].astype(str), return_inverse=True)[1]
    return found
