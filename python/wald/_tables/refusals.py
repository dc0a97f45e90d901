"""Checks of arrays and data frames beyond scikit-learn's, and its errors as errors of wald."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import NotFittedError as _NotFitted

import wald._native as _native
from wald._checks import refused
from wald.errors import DataError, DataTypeError, NotFittedError, WaldError
from wald.typing import Floats

# Integers up to here are exact as floats.
LARGEST_INTEGER = 2**53

# Types of dates and times among objects.
DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)

# How to fix an argument; what exactly is wrong, scikit-learn states.
_TABLE = ("rows and columns of finite numbers, NaN where one is missing, or a data frame, whose "
          "columns may hold texts")
_HELP = {
    "X": f"give {_TABLE}",
    "X and y": f"give {_TABLE}; and one value of the target for every row, none missing",
    "X to predict": f"give the columns of the fit, in their order: {_TABLE}",
    "score": "give the columns of the fit, and one value of y and of sample_weight for every row",
    "y": "give one value for every row of X, numbers to a regressor and classes to a classifier; "
         "leave out rows whose target is missing",
    "classes": "give classes as texts or integers, or use a regressor",
    "sample_weight": "give one finite weight of at least 0 for every row, some above 0",
    "clusters": "give one cluster for every row",
    "names": "give every column a name of its own, and after the fit the columns of the fit, in "
             "their order",
}
_DUMP = re.compile(r"\narray=.*?\.?\n(?=Reshape)", re.DOTALL)


@contextmanager
def refusals(of: str, X: Any = None) -> Iterator[None]:
    """Turns scikit-learn's refusals of an argument into errors of wald: its own message, the first
    cell of ``X`` that is not a finite number, and a hint."""
    try:
        yield
    except WaldError:
        raise
    except _NotFitted as error:
        raise NotFittedError(str(error).partition(" Call ")[0].rstrip("."),
                             help="call fit(X, y) first") from error
    except (TypeError, ValueError, OverflowError) as error:
        words = words_of(error)
        if of in ("y", "sample_weight", "clusters") and re.search(rf"\b{of}\b", words) is None:
            words = f"{of}: {words}"
        column, where = (None, "") if X is None else _culprit(X)
        kind = DataTypeError if isinstance(error, TypeError) else DataError
        raise kind(words.rstrip(".") + where, column=column, help=_HELP[of]) from error


def words_of(error: Exception) -> str:
    """The message of an error, without numbers of the table."""
    words = _DUMP.sub("\n", str(error)).strip()
    return words.partition("\n")[0] if words.startswith("Complex data") else words


def prepared(X: Any) -> Any:
    """A table for scikit-learn to check; what it would silently misread is refused.

    Raises
    ------
    DataTypeError
        When it is not a table at all, or holds dates.
    TooLargeError
        When it is a sparse one that does not fit into memory with all its zeros.
    DataError
        When it holds integers that are not distinct as floats.
    """
    kind = type(X).__name__
    is_stream = hasattr(X, "__arrow_c_stream__")
    refused = [
        (kind == "Series" and not hasattr(X, "iloc"), ", which is one column",
         "give a data frame: X.to_frame()"),
        (kind == "Series", ", which is one row or one column",
         "give a data frame: X.iloc[[0]] of a table is its first row, X.to_frame() of a column a "
         "table"),
        (kind == "LazyFrame", ", whose rows are not there yet", "give X.collect()"),
        (isinstance(X, Mapping) and not issparse(X), "",
         "give a data frame, such as pandas.DataFrame(X)"),
        (X is None or isinstance(X, (str, bytes, set, frozenset))
         or isinstance(X, Iterator) and not is_stream, ", not a table",
         "give an array of rows and columns, or a data frame"),
    ]
    for is_refused, why, help in refused:
        if is_refused:
            raise DataTypeError(f"X is a {kind}{why}", help=help)
    X = _unwrapped(dense(X))
    if isinstance(X, (list, tuple)):
        # As a list it stays: an array of it may have texts in the place of its numbers.
        _check_cells("X", _cells_of(X))
    if isinstance(X, np.ma.MaskedArray):
        _check_cells("X", X.data)
        X = np.ma.filled(X.astype(np.float64), np.nan)
    if isinstance(X, np.ndarray):
        _check_cells("X", X)
    return X


def dense(X: Any) -> Any:
    """The same table; a sparse one with all its zeros, which trees read like other numbers.

    Raises
    ------
    TooLargeError
        When it does not fit into memory.
    """
    if not issparse(X):
        return X
    if X.ndim == 2:
        _native.check_dense(*X.shape)
    return X.toarray()


def prepared_target(y: Any, *, is_number: bool, of: str) -> Any:
    """A target for scikit-learn to check; what it would silently misread is refused."""
    if y is None:
        raise DataError(f"This {of} estimator requires y to be passed, but the target y is None",
                        help="give the target, too: fit(X, y)")
    if isinstance(y, np.ma.MaskedArray) and np.ma.getmaskarray(y).any():
        raise DataError("y has masked values", help="leave out the rows whose target is missing")
    cells = _cells_of(y)
    if is_number:
        _check_cells("y", cells)
    elif cells.dtype.kind == "O":
        _check_present(cells)
    return y


def _unwrapped(X: Any) -> Any:
    """The data frame inside one of narwhals, which exports the index of pandas as a column."""
    is_wrapped = type(X).__module__.partition(".")[0] == "narwhals"
    return X.to_native() if is_wrapped and hasattr(X, "to_native") else X


def _cells_of(values: Any) -> np.ndarray:
    """What a table or a target of any type holds; nothing where it has no shape."""
    try:
        # Integers beside floats would become floats.
        return np.asarray(values, dtype=object if isinstance(values, (list, tuple)) else None)
    except (TypeError, ValueError):
        return np.empty(0)


def check_counts(y: Floats) -> None:
    """Refuses what has no Poisson deviance, in the words of scikit-learn, which programs look for."""
    help = 'use criterion="squared_error", or a target of counts or rates'
    if (y < 0).any():
        row = int(np.argmax(y < 0))
        raise DataError("Some value(s) of y are negative which is not allowed for Poisson "
                        f"regression. Row {row + 1} is {y[row]:g}", help=help)
    if not (y > 0).any():
        raise DataError("Sum of y is not strictly positive which is necessary for Poisson "
                        "regression. All rows are 0", help=help)


def random_state_of(given: Any) -> np.random.RandomState:
    """The random generator that scikit-learn makes of ``random_state``."""
    from sklearn.utils import check_random_state

    try:
        made: np.random.RandomState = check_random_state(given)
    except ValueError as error:
        raise refused("random_state", given,
                      "give a whole number, a RandomState or None") from error
    return made


def check_integers(values: Any, what: str, column: str | None, *, help: str) -> None:
    """Refuses integers that are not exact as floats."""
    if len(values) and max(abs(int(values.min())), abs(int(values.max()))) > LARGEST_INTEGER:
        raise DataError(f"{what} holds integers above 2^53, which are not distinct as floats",
                        help=help, column=column)


def _check_cells(name: str, array: np.ndarray) -> None:
    if array.ndim == 0:
        return  # Not as many values as rows, which scikit-learn refuses.
    if array.dtype.kind in "mM":
        raise DataTypeError(
            f"{name} holds dates or times ({array.dtype})",
            help="make it numbers, for example the days since a first one")
    if array.dtype.kind == "O":
        _check_objects(name, array)
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        for at, column in enumerate(array.T if array.ndim == 2 else [array]):
            of = f"x{at}" if array.ndim == 2 and name == "X" else None
            what = name if array.ndim < 2 else f"column {at} of {name}" if of is None else (
                f"column {of!r}")
            check_integers(column, what, of,
                           help="make them categories of a data frame, or divide them")
    if array.dtype.kind == "V":
        raise DataTypeError(f"{name} is an array of records",
                            help="give a data frame, such as pandas.DataFrame(X)")


def _check_objects(name: str, array: np.ndarray) -> None:
    """Refuses the dates and the large integers among objects."""
    kinds = set(map(type, array.flat))
    dates = [kind for kind in kinds if issubclass(kind, DATES) and kind.__name__ != "NaTType"]
    if dates:
        raise DataTypeError(f"{name} holds dates or times ({dates[0].__name__})",
                            help="make it numbers, for example the days since a first one")
    # Most cells are of other types.
    whole = tuple(kind for kind in kinds if issubclass(kind, (int, np.integer, Decimal)))
    if whole and any(_is_large(value) for value in array.flat if isinstance(value, whole)):
        raise DataError(f"{name} holds integers above 2^53, which are not distinct as floats",
                        help="make them categories of a data frame, or divide them")


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN or a missing value of pandas, which is not even unequal to itself.
    """
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def _check_present(classes: np.ndarray) -> None:
    """Refuses missing values among classes, which scikit-learn would compare with the others."""
    rows = classes if classes.ndim > 1 else classes.reshape(-1, 1)
    # Most cells are of other types.
    kinds = tuple(kind for kind in set(map(type, rows.flat))
                  if issubclass(kind, (float, np.floating, type(None)))
                  or kind.__name__ in ("NAType", "NaTType"))
    for at, row in enumerate(rows if kinds else ()):
        if any(isinstance(value, kinds) and is_missing(value) for value in row):
            raise DataError(f"y has missing values (None or NaN), the first one in row {at + 1}",
                            help="leave out the rows whose target is missing")


def _is_large(value: Any) -> bool:
    if isinstance(value, Decimal):
        return bool(value.is_finite() and abs(value) > LARGEST_INTEGER
                    and value == value.to_integral_value())
    return abs(int(value)) > LARGEST_INTEGER


def _culprit(X: Any) -> tuple[str | None, str]:
    """The column of the first cell of an array that is infinite or no number, and words for it."""
    cells = np.asarray(X, dtype=None if isinstance(X, np.ndarray) else object)
    if cells.ndim != 2 or hasattr(X, "columns"):
        return None, ""
    if cells.dtype.kind in "fiubc":
        wrong = [tuple(at) for at in np.argwhere(np.isinf(cells)).tolist()]
    else:
        wrong = [at for at, cell in np.ndenumerate(cells) if not _is_finite_or_missing(cell)]
    if not wrong:
        return None, ""
    row, column = wrong[0]
    value = str(cells[row, column])[:40]
    return f"x{column}", f": column 'x{column}', row {row + 1}, value {value!r}"


def _is_finite_or_missing(cell: Any) -> bool:
    try:
        return not np.isinf(float(cell))
    except (TypeError, ValueError):
        return False
