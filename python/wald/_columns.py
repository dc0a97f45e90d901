"""Tables of any kind as columns of the engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald.errors import DataError, DataTypeError

# The code of a missing level.
MISSING = np.uint32(0xFFFFFFFF)

# Integers up to here are exact as floats.
LARGEST_INTEGER = 2**53

Cells = Any  # float64 array, or (levels, uint32 codes)


def is_frame(table: Any) -> bool:
    """Whether a table has columns of their own, with names and types."""
    return hasattr(table, "__arrow_c_stream__") or hasattr(table, "__dataframe__")


def columns_of(table: Any) -> list[tuple[str, Cells]]:
    """Names and cells of the columns of a data frame."""
    package = type(table).__module__.partition(".")[0]
    if package == "pandas":
        return [(str(name), _pandas(str(name), table.iloc[:, at]))
                for at, name in enumerate(table.columns)]
    if package == "polars":
        return [(name, _polars(name, table.get_column(name))) for name in table.columns]
    return _arrow_columns(table)


def matrix_columns(matrix: np.ndarray, names: list[str]) -> list[tuple[str, Cells]]:
    """Columns of an array of two dimensions."""
    return [(name, np.ascontiguousarray(matrix[:, at], dtype=np.float64))
            for at, name in enumerate(names)]


def _pandas(name: str, column: Any) -> Cells:
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
        return _levels([_text(level) for level in column.cat.categories], codes)
    if pd.api.types.is_bool_dtype(dtype):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return _booleans(values)
    if pd.api.types.is_complex_dtype(dtype):
        raise DataTypeError(
            f"Complex data not supported: column {name!r} holds complex numbers",
            help="give its parts as columns of their own", column=name)
    if pd.api.types.is_numeric_dtype(dtype):
        missing = column.isna().to_numpy()
        if pd.api.types.is_integer_dtype(dtype):
            _check_integers(name, column[~missing])
        return np.ascontiguousarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    if pd.api.types.is_datetime64_any_dtype(dtype) or pd.api.types.is_timedelta64_dtype(dtype):
        raise _not_numbers(name, str(dtype))
    return _texts(name, column.to_numpy(dtype=object), column.isna().to_numpy())


def _polars(name: str, column: Any) -> Cells:
    import polars as pl

    dtype = column.dtype
    if dtype == pl.Boolean:
        return _booleans(column.cast(pl.Float64).fill_null(float("nan")).to_numpy())
    if dtype.is_numeric():
        if dtype.is_integer():
            _check_integers(name, column.drop_nulls())
        return np.ascontiguousarray(column.cast(pl.Float64).fill_null(float("nan")).to_numpy())
    if dtype in (pl.String, pl.Categorical) or isinstance(dtype, pl.Enum):
        column = column.cast(pl.String)
        levels = column.unique().drop_nulls().sort()
        place = {level: at for at, level in enumerate(levels)}
        codes = column.replace_strict(place, default=int(MISSING), return_dtype=pl.UInt32)
        return levels.to_list(), np.ascontiguousarray(codes.fill_null(int(MISSING)).to_numpy())
    raise _not_numbers(name, str(dtype))


def _arrow_columns(table: Any) -> list[tuple[str, Cells]]:
    """Columns of anything with the Arrow PyCapsule interface."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise DataTypeError(
            f"a {type(table).__name__} is read by pyarrow, which is not installed",
            help="install pyarrow, or give a pandas or polars data frame") from error
    table = pa.table(table)
    return [(name, _arrow(name, column))
            for name, column in zip(table.column_names, table.columns, strict=True)]


def _arrow(name: str, column: Any) -> Cells:
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_boolean(kind):
        return _booleans(_numbers(column.cast(pa.int8())))
    if pa.types.is_integer(kind):
        _check_integers(name, column.drop_null().to_numpy())
        return _numbers(column)
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _numbers(column)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view():
        encoded = pc.dictionary_encode(column.cast(pa.large_string())).combine_chunks()
        if isinstance(encoded, pa.ChunkedArray):
            encoded = encoded.chunk(0)
        codes = encoded.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
        return _levels(encoded.dictionary.to_pylist(), codes)
    raise _not_numbers(name, str(kind))


def _numbers(column: Any) -> np.ndarray:
    """Numbers of a column of Arrow's, NaN where there is none."""
    import pyarrow as pa

    numbers = column.cast(pa.float64()).fill_null(float("nan"))
    return np.ascontiguousarray(numbers.to_numpy(), dtype=np.float64)


def _levels(levels: list[str], codes: np.ndarray) -> Cells:
    codes = np.where(codes < 0, np.int64(MISSING), codes.astype(np.int64))
    return levels, np.ascontiguousarray(codes, dtype=np.uint32)


def _booleans(values: np.ndarray) -> Cells:
    codes = np.where(np.isnan(values), -1, values)
    return _levels(["false", "true"], codes)


def _texts(name: str, values: np.ndarray, missing: np.ndarray) -> Cells:
    present = values[~missing]
    if all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
           for value in present):
        numbers = np.full(len(values), np.nan)
        numbers[~missing] = present.astype(np.float64)
        return numbers
    for value in present:
        if not isinstance(value, (str, bool, np.bool_)):
            raise DataTypeError(
                f"column {name!r} holds a {type(value).__name__}",
                help="give numbers, texts or categories", column=name)
    texts = np.array([_text(value) for value in present], dtype=object)
    found, inverse = np.unique(texts, return_inverse=True) if len(texts) else ([], [])
    codes = np.full(len(values), MISSING, dtype=np.uint32)
    codes[~missing] = inverse
    return [str(level) for level in found], codes


def _text(level: Any) -> str:
    if isinstance(level, (bool, np.bool_)):
        return "true" if level else "false"
    return str(level)


def _check_integers(name: str, values: Any) -> None:
    if len(values) and max(abs(int(values.min())), abs(int(values.max()))) > LARGEST_INTEGER:
        raise DataError(
            f"column {name!r} holds integers above 2^53, which cannot be told apart as numbers",
            help="make it a column of texts or categories", column=name)


def _not_numbers(name: str, kind: str) -> DataTypeError:
    return DataTypeError(
        f"column {name!r} is of type {kind}",
        help="make it numbers (for a date for example the days since a first one) or texts",
        column=name)
