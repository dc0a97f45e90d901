"""Arrays and data frames that scikit-learn looks at, and its refusals in the words of wald."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import NotFittedError as _NotFitted

from wald.errors import DataError, DataTypeError, NotFittedError, SettingError, WaldError

# Integers up to here are exact as floats.
LARGEST_INTEGER = 2**53

# How to mend what scikit-learn's words are about.
_HELP = (
    ("clusters: ", "give one cluster for every row"),
    ("y: could not convert", "give numbers to a regressor; classes go to a classifier"),
    ("y: float() argument", "give numbers to a regressor; classes go to a classifier"),
    ("sample_weight", "give one finite weight of at least 0 for every row"),
    ("Expected 2D array", "give rows and columns, a column for every variable"),
    ("Found array with dim", "give an array of rows and columns, or a data frame"),
    ("0 sample(s)", "give at least one row"),
    ("0 feature(s)", "give at least one column"),
    ("Sparse data", "give X.toarray()"),
    ("Sample weights", "give at least one row a weight above 0"),
    ("contains infinity", "give finite numbers, and NaN where a value of X is missing"),
    ("contains NaN", "leave out the rows whose target is missing"),
    ("Complex data", "give its parts as columns of their own"),
    ("convert string to float", "give numbers, or a data frame, whose columns may hold texts"),
    ("a string or a real number", "give numbers, or a data frame, whose columns may hold texts"),
    ("setting an array element", "give rows of equal length, with a number in every cell"),
    ("inconsistent numbers of samples", "give one value of the target for every row of X"),
    ("y should be a 1d array", "give one value of the target for every row of X"),
    ("requires y to be passed", "give the target, too: fit(X, y)"),
    ("Unknown label type: continuous", "use a regressor, or give classes as texts or integers"),
    ("Unknown label type", "give classes as texts or integers"),
    ("The feature names should match", "give the columns of the fit, in their order"),
    ("Feature names are only supported", "make all names texts: X.columns = X.columns.astype(str)"),
    ("Feature names", "give every column a name of its own"),
    ("Expected unique column names", "give every column a name of its own"),
    ("features", "give the columns of the fit, in their order"),
    ("shape", "give the columns of the fit, in their order"),
)
_DUMP = re.compile(r"\narray=.*?\.?\n(?=Reshape)", re.DOTALL)


@contextmanager
def refusals(X: Any = None, *, of: str = "") -> Iterator[None]:
    """Makes of scikit-learn's refusals errors of wald that tell how to mend it, and which cell of
    ``X`` or which argument ``of`` it is about."""
    try:
        yield
    except WaldError:
        raise
    except _NotFitted as error:
        raise NotFittedError(str(error).partition(" Call ")[0].rstrip("."),
                             help="call fit(X, y) first") from error
    except (TypeError, ValueError, OverflowError) as error:
        words = words_of(error)
        if of and re.search(rf"\b{of}\b", words) is None:
            words = f"{of}: {words}"
        column, where = _culprit(X, words)
        kind = DataTypeError if isinstance(error, TypeError) else DataError
        raise kind(words.rstrip(".") + where, column=column,
                   help=next((help for part, help in _HELP if part in words),
                             "give an array of numbers or a data frame")) from error


def words_of(error: Exception) -> str:
    """What an error says, without numbers of the table."""
    words = _DUMP.sub("\n", str(error)).strip()
    return words.partition("\n")[0] if words.startswith("Complex data") else words


def prepared(X: Any) -> Any:
    """A table as scikit-learn takes it, without what it would silently misread.

    Raises
    ------
    DataTypeError
        When it is no table at all, or holds dates.
    DataError
        When it holds integers that no float tells apart.
    """
    kind = type(X).__name__
    if kind == "Series":
        if not hasattr(X, "iloc"):
            raise DataTypeError("X is a Series, which is one column",
                                help="give a data frame: X.to_frame()")
        raise DataTypeError("X is a Series, which is one row or one column",
                            help="give a data frame: X.iloc[[0]] of a table is its first row, "
                                 "X.to_frame() of a column a table")
    if kind == "LazyFrame":
        raise DataTypeError("X is a LazyFrame, whose rows are not there yet",
                            help="give X.collect()")
    if isinstance(X, Mapping) and not issparse(X):
        raise DataTypeError(f"X is a {kind}",
                            help="give a data frame, such as pandas.DataFrame(X)")
    is_stream = hasattr(X, "__arrow_c_stream__")
    if X is None or isinstance(X, (str, bytes, set, frozenset)) or (
            isinstance(X, Iterator) and not is_stream):
        raise DataTypeError(f"X is a {kind}, not a table",
                            help="give an array of rows and columns, or a data frame")
    if isinstance(X, np.ma.MaskedArray):
        _check_cells("X", X.data)
        X = np.ma.filled(X.astype(np.float64), np.nan)
    if isinstance(X, np.ndarray):
        _check_cells("X", X)
    return X


def prepared_target(y: Any, *, is_number: bool, of: str) -> Any:
    """A target as scikit-learn takes it, without what it would silently misread."""
    if y is None:
        raise DataError(f"This {of} estimator requires y to be passed, but the target y is None",
                        help="give the target, too: fit(X, y)")
    if isinstance(y, np.ma.MaskedArray) and np.ma.getmaskarray(y).any():
        raise DataError("y has masked values", help="leave out the rows whose target is missing")
    if is_number and isinstance(getattr(y, "dtype", None), np.dtype):
        _check_cells("y", np.asarray(y))
    return y


def random_state_of(given: Any) -> np.random.RandomState:
    """What scikit-learn makes of ``random_state``."""
    from sklearn.utils import check_random_state

    try:
        made: np.random.RandomState = check_random_state(given)
    except ValueError as error:
        raise SettingError(f"random_state is {given!r}",
                           help="give a whole number, a RandomState or None") from error
    return made


def _check_cells(name: str, array: np.ndarray) -> None:
    if array.dtype.kind in "mM":
        raise DataTypeError(
            f"{name} holds dates or times ({array.dtype})",
            help="make it numbers, for example the days since a first one")
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        columns = array.T if array.ndim == 2 else [array]
        for at, column in enumerate(columns):
            if max(abs(int(column.min())), abs(int(column.max()))) > LARGEST_INTEGER:
                of = f"x{at}" if array.ndim == 2 else None
                raise DataError(
                    f"{name if of is None else f'column {of!r}'} holds integers above 2^53, which "
                    "cannot be told apart as numbers", column=of,
                    help="make them categories of a data frame, or divide them")
    if array.dtype.kind == "V":
        raise DataTypeError(f"{name} is an array of records",
                            help="give a data frame, such as pandas.DataFrame(X)")


def _culprit(X: Any, words: str) -> tuple[str | None, str]:
    """The column and the words for the first cell that cannot be a number."""
    names = getattr(X, "columns", None)
    if X is None or names is not None or not any(
            part in words for part in ("infinity", "convert string", "real number")):
        return None, ""
    cells = np.asarray(X, dtype=object)
    if cells.ndim != 2:
        return None, ""
    for (row, at), cell in np.ndenumerate(cells):
        try:
            is_wrong = bool(np.isinf(float(cell)))
        except (TypeError, ValueError):
            is_wrong = True
        if is_wrong:
            return f"x{at}", f": column 'x{at}', row {row + 1}, value {str(cell)[:40]!r}"
    return None, ""
