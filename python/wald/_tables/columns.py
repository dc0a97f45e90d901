"""Tables of any kind as columns of the engine."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

import wald._native as _native
from wald._tables.objects import MISSING, Cells, Kind, as_text, kind_of, of_objects
from wald._tables.refusals import LARGEST_INTEGER, check_integers
from wald.errors import DataError, DataTypeError

# Cells of a frame of pandas that may be copied together; of more, columns are read one by one.
MOST_TOGETHER = 10_000_000


def is_frame(table: Any) -> bool:
    """Whether a table is a data frame: columns with names and types."""
    return any(hasattr(table, method)
               for method in ("__arrow_c_stream__", "__arrow_c_array__", "__dataframe__"))


def frame_names(frame: Any) -> list[str] | None:
    """The names of a data frame; ``None`` of what has no columns until it is read."""
    # pyarrow calls them column_names.
    names = getattr(frame, "column_names", getattr(frame, "columns", None))
    return None if names is None else [str(name) for name in names]


def columns_of(table: Any, kinds: Sequence[Kind] | None = None) -> list[tuple[str, Cells]]:
    """Names and cells of the columns of a data frame, which is read once; columns of objects are
    what they were in training, where ``kinds`` states it."""
    if not is_pandas(table):
        return _native.arrow_columns(_without_nulls(table))
    if table.ndim != 2:
        raise DataTypeError(f"a {type(table).__name__} is not a table",
                            help="give a data frame, for example by its method to_frame()")
    plain = _plain(table)
    return [(str(name), plain[at] if at in plain else _pandas(
        str(name), table.iloc[:, at], kinds[at] if kinds else None))
        for at, name in enumerate(table.columns)]


def _plain(table: Any) -> dict[int, np.ndarray]:
    """By place, the columns of NumPy's floats, and of its integers that are exact as floats: one by
    one, each takes pandas longer than a short column is worth."""
    if table.size > MOST_TOGETHER:
        return {}
    found: dict[int, np.ndarray] = {}
    dtypes = list(table.dtypes)
    for kind in ("f", "i"):
        places = [at for at, dtype in enumerate(dtypes)
                  if isinstance(dtype, np.dtype) and dtype.kind == kind]
        matrix = table.iloc[:, places].to_numpy() if places else np.empty((0, 0))
        # The column with a large integer is refused on its own, by its name.
        if kind == "f" or not matrix.size or (
                -LARGEST_INTEGER <= matrix.min() and matrix.max() <= LARGEST_INTEGER):
            found |= zip(places, matrix.astype(np.float64, copy=False).T)
    return found


def kinds_of(table: Any, columns: list[tuple[str, Cells]]) -> list[Kind]:
    """What the columns of a table of training are, which were read from it."""
    objects = {at for at, dtype in enumerate(table.dtypes) if dtype == object} if (
        is_pandas(table)) else set()
    return [kind_of(cells, table.iloc[:, at].to_numpy() if at in objects else None)
            for at, (_, cells) in enumerate(columns)]


def is_pandas(table: Any) -> bool:
    """Whether a table is a data frame of pandas or of a class derived from it, whose index is no
    column."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(table, (pandas.DataFrame, pandas.Series))


def _without_nulls(table: Any) -> Any:
    """A frame of polars whose columns without any value are numbers: it exports those in a form of
    its own, which Arrow does not read."""
    pl = sys.modules.get("polars")
    if pl is None or not isinstance(table, pl.DataFrame) or pl.Null not in table.dtypes:
        return table
    return table.cast({pl.Null: pl.Float64})


def class_name(name: Any) -> str:
    """A class as text; 1.0 becomes "1"."""
    if isinstance(name, (float, np.floating)) and float(name).is_integer():
        return str(int(name))
    return str(name)


def check_names(names: list[str], known: list[str], *, named: bool, of: str) -> None:
    """Refuses other columns than those of training, which had names or only a number of columns.
    """
    if not named:
        # As scikit-learn does.
        warnings.warn(f"X has feature names, but {of} was fitted without feature names",
                      UserWarning, stacklevel=2)
    help = "give the same columns in the same order"
    if named and names != known:
        raise DataError(f"the columns are {names}; those of training are {known}", help=help)
    if len(names) != len(known):
        raise DataError(f"there are {len(names)} columns; in training there were {len(known)}",
                        help=help)


def matrix_columns(matrix: np.ndarray, names: list[str]) -> list[tuple[str, Cells]]:
    """The columns of a two-dimensional array."""
    # The engine copies strided columns, but memory must be aligned.
    columns = np.asarray(matrix, dtype=np.float64)
    if not columns.flags.aligned:
        columns = columns.copy()
    return [(name, columns[:, at]) for at, name in enumerate(names)]


def _pandas(name: str, column: Any, kind: Kind | None) -> Cells:
    import pandas as pd

    dtype = column.dtype
    if str(dtype).startswith("dictionary<"):
        # Categories of Arrow, as tables of Arrow have them.
        cells: Cells = _native.arrow_columns(column.reset_index(drop=True).to_frame())[0][1]
        return cells
    if isinstance(dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
        return _levels([as_text(level) for level in column.cat.categories], codes)
    if pd.api.types.is_bool_dtype(dtype):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return _levels(["false", "true"], np.where(np.isnan(values), -1, values))
    if pd.api.types.is_complex_dtype(dtype):
        raise DataTypeError(
            f"Complex data not supported: column {name!r} holds complex numbers",
            help="give its parts as columns of their own", column=name)
    if pd.api.types.is_numeric_dtype(dtype):
        if pd.api.types.is_integer_dtype(dtype):
            _check_integers(name, column[~column.isna().to_numpy()])
        return np.ascontiguousarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    if pd.api.types.is_datetime64_any_dtype(dtype) or pd.api.types.is_timedelta64_dtype(dtype):
        raise DataTypeError(
            f"column {name!r} is of type {dtype}", column=name,
            help="make it numbers (for a date for example the days since a first one) or texts")
    if isinstance(dtype, pd.StringDtype) and kind in (None, "levels"):
        codes, found = column.factorize()
        # A column without a text is one of missing numbers, as one of objects is.
        if len(found):
            order = np.argsort(np.asarray(found, dtype=object), kind="stable")
            # Missing values have the code -1, which is the last place.
            places = np.append(np.argsort(order), -1)
            return _levels([str(found[at]) for at in order], places[codes])
    return of_objects(name, column.to_numpy(dtype=object), column.isna().to_numpy(), kind)


def _levels(levels: list[str], codes: np.ndarray) -> Cells:
    codes = np.where(codes < 0, np.int64(MISSING), codes.astype(np.int64))
    return levels, np.ascontiguousarray(codes, dtype=np.uint32)


def _check_integers(name: str, values: Any) -> None:
    check_integers(values, f"column {name!r}", name, help="make it a column of texts or categories")
