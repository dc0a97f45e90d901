"""Rows and targets as an imported forest reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.validation import column_or_1d

import wald._native as _native
from wald._tables.columns import class_name, columns_of, frame_names, is_frame, matrix_columns
from wald._tables.objects import MISSING
from wald._tables.refusals import dense, is_missing, prepared, prepared_target, words_of
from wald._tables.targets import target_name
from wald.errors import DataError, DataTypeError


def names_of(X: Any) -> list[str] | None:
    """The names of the columns of a data frame."""
    if not is_frame(X):
        return None
    names = frame_names(X)
    if names is None:
        raise DataTypeError(f"the columns of a {type(X).__name__} cannot be looked at one by one",
                            help="give a data frame of pandas, polars or pyarrow, or an array")
    return names


def numbers_of(X: Any) -> np.ndarray:
    """A table as float64, NaN where a value is missing."""
    X = prepared(X)
    try:
        if hasattr(X, "to_pandas") and not hasattr(X, "__array__"):
            X = X.to_pandas()
        return np.asarray(check_array(X, dtype=np.float64, ensure_all_finite="allow-nan"))
    except (ValueError, TypeError) as error:
        kind = DataTypeError if isinstance(error, TypeError) else DataError
        raise kind(f"X is not a table of numbers: {words_of(error)}",
                   help="give X as it was given to the forest") from error


@dataclass
class Rows:
    """What the columns of a forest are called, and which of them hold levels."""

    names: list[str]
    # By name, the values of levels, in the order of codes.
    levels: dict[str, list[Any]] = field(default_factory=dict)
    # Whether every column is read as a number, as programs without categories do.
    all_numbers: bool = False
    # Whether the program knows the names, and not this package alone.
    names_are_given: bool = True
    # How the program spells names.
    spelt: list[str] | None = None
    # The code of levels that the program has never met; missing unless given.
    others: int = int(MISSING)
    # By name of a column of categories that are given as their codes, the code of those that no
    # split lists.
    unlisted: dict[str, int] = field(default_factory=dict)
    # What stands for a missing value, of programs that read a table without categories as numbers.
    missing: float | None = None
    # Columns of booleans that the forest knows as texts.
    codes_of_booleans: dict[str, list[str]] = field(default_factory=dict)

    def table(self, X: Any) -> _native.Table:
        """The columns of the forest: by name of a data frame, by place of an array."""
        X = _with_gaps(X) if self.missing is not None else prepared(X)
        given = names_of(X)
        if self.missing is not None and not self.levels:
            return self._numbers(X, given, self.missing)
        if self.all_numbers or given is None:
            numbers = numbers_of(X) if self.all_numbers or not self.levels else np.asarray(X)
            self._check_places(given, np.shape(numbers)[1] if np.ndim(numbers) == 2 else 1)
            if not self.levels:
                return _native.Table(matrix_columns(numbers, self.names))
            return _native.Table([(name, self._column(name, numbers[:, at]))
                                  for at, name in enumerate(self.names)])
        places = self._places(given)
        if self.levels or self.spelt is not None:
            return _native.Table([(name, self._column(name, _column_at(X, at)))
                                  for name, at in zip(self.names, places)])
        found = dict(columns_of(X))
        return _native.Table([(name, self._spelt(name, found[name])) for name in self.names])

    def dense(self, X: Any) -> Any:
        """A sparse table with all its cells; those that are absent are missing, or zeros, as the
        program has it."""
        return dense(X) if self.missing is None else _with_gaps(X)

    def _numbers(self, X: Any, given: list[str] | None, missing: float) -> _native.Table:
        """Every column as numbers; values that are ``missing`` in 32 bits are."""
        numbers = numbers_of(X)
        if given is None:
            self._check_places(None, numbers.shape[1])
        else:
            numbers = numbers[:, self._places(given)]
        with np.errstate(over="ignore"):
            gaps = numbers.astype(np.float32) == np.float32(missing)
        return _native.Table(matrix_columns(np.where(gaps, np.nan, numbers), self.names))

    def _places(self, given: list[str]) -> list[int]:
        """Where a data frame has the columns of the forest."""
        lacking = [name for name in self.names if name not in given]
        if lacking and given == self.spelt:
            return list(range(len(given)))
        if lacking:
            raise DataError(
                f"X has no column {lacking[0]!r}, which the forest uses",
                help=f"the forest uses {_list(self.names)}; X has {_list(given)}",
                column=lacking[0])
        return [given.index(name) for name in self.names]

    def _check_places(self, given: list[str] | None, n_columns: int) -> None:
        if given is not None and given != self.names and self.names_are_given:
            self._places(given)
            raise DataError("X has other columns than the forest, or in another order",
                            help=f"give the columns {_list(self.names)}")
        if n_columns != len(self.names):
            raise DataError(
                f"X has {n_columns} columns, but the forest {len(self.names)} features",
                help="give the columns that the forest was grown on, in their order")

    def _spelt(self, name: str, cells: Any) -> Any:
        """R writes booleans in capitals."""
        if name in self.codes_of_booleans and isinstance(cells, tuple):
            return [level.upper() for level in cells[0]], cells[1]
        return cells

    def level_names(self) -> list[list[str] | None]:
        """Per column, the names of its levels in the order of codes, as documents have them."""
        known = (self.levels.get(name) for name in self.names)
        return [None if levels is None else [str(level) for level in levels] for levels in known]

    def _column(self, name: str, values: Any) -> Any:
        known = self.levels.get(name)
        if known is None:
            return np.ascontiguousarray(numbers_of(np.reshape(_array(values), (-1, 1)))[:, 0])
        if name in self.unlisted:
            return [str(level) for level in known], _listed(values, self.unlisted[name])
        values = _array(values).tolist()
        codes = [code if code is not None else int(MISSING) if _is_missing(value) else self.others
                 for value, code in zip(values, _codes(values, known))]
        return [str(level) for level in known], np.array(codes, dtype=np.uint32)


@dataclass
class Target:
    """What a forest predicts: numbers, or the classes in the order of its values."""

    classes: np.ndarray | None
    name: str = "y"
    # How a file calls the classes.
    named: list[str] | None = None

    @classmethod
    def of(cls, y: Any, classes: np.ndarray | None, rows: Rows, X: Any) -> Target:
        """With the name that the target has of its own, unless a column of other values has it."""
        def cells_of(name: str) -> Any:
            return dict(rows.table(X).columns())[name]

        return cls(classes, target_name(y, np.asarray(y), rows.names, cells_of))

    @property
    def names(self) -> list[str] | None:
        if self.classes is None or self.named is not None:
            return self.named
        return [class_name(each) for each in self.classes]

    def cells(self, y: Any, *, as_codes: bool = False) -> Any:
        """The target of rows for the engine; ``as_codes`` gives classes as the numbers 0, 1..."""
        if y is not None:
            y = prepared_target(y, is_number=self.classes is None, of="forest")
        try:
            y = column_or_1d(y if hasattr(y, "shape") else np.asarray(y))
        except (ValueError, TypeError) as error:
            raise DataError(f"y is not one column: {error}",
                            help="give one value of the target for each row of X") from error
        if self.classes is None:
            return _finite(y)
        codes = _codes(y.tolist(), self.classes.tolist())
        if None in codes:
            raise DataError(
                f"y has the class {y.tolist()[codes.index(None)]!r}, which the forest does not "
                "know", help=f"its classes are {_list(self.names or [])}")
        known = np.array(codes, dtype=np.uint32)
        return known.astype(np.float64) if as_codes else (self.names, known)


def _with_gaps(X: Any) -> Any:
    """A table, NaN where a sparse one has no value."""
    if not hasattr(X, "tocoo"):
        return prepared(X)
    cells = X.tocoo()
    dense = np.full(cells.shape, np.nan)
    dense[cells.row, cells.col] = cells.data
    return dense


def _listed(values: Any, unlisted: int) -> np.ndarray:
    """Codes without their fractions; those from ``unlisted`` on are one, negative ones missing."""
    numbers = np.trunc(numbers_of(np.reshape(_array(values), (-1, 1)))[:, 0])
    there = numbers >= 0  # NaN is not.
    codes = np.minimum(numbers, unlisted, where=there, out=np.zeros(len(numbers)))
    return np.where(there, codes.astype(np.uint32), MISSING).astype(np.uint32)


def _codes(values: list[Any], known: list[Any]) -> list[int | None]:
    """Where values are listed, or the texts that they are written as; ``None`` of others."""
    code_of = {_key(each): code for code, each in enumerate(known)}

    def code(value: Any) -> int | None:
        # Booleans as Python and others write them.
        texts = [str(value)] + [str(value).lower()] * isinstance(value, (bool, np.bool_))
        return next((code_of[key] for key in [_key(value), *texts] if key in code_of), None)

    return [code(value) for value in values]


def _is_missing(value: Any) -> bool:
    """NaN and the missing values of pandas are no value of their own, nor are empty texts."""
    return is_missing(value) or value == ""


def _finite(y: np.ndarray) -> np.ndarray:
    try:
        numbers = np.ascontiguousarray(y, dtype=np.float64)
    except (ValueError, TypeError) as error:
        raise DataTypeError("y holds no numbers, but the forest predicts numbers",
                            help="give the target that the forest was fitted to") from error
    if not np.isfinite(numbers).all():
        raise DataError("y has missing or infinite values",
                        help="leave out the rows whose target is unknown")
    return numbers


def _key(value: Any) -> Any:
    """What equal values share, whether they are numpy's or Python's."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _array(values: Any) -> np.ndarray:
    return values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)


def _column_at(X: Any, at: int) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[:, at]
    return X.get_column(X.columns[at]) if hasattr(X, "get_column") else X.column(at)


def _list(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:8])
    return shown if len(names) <= 8 else f"{shown} and {len(names) - 8} more"


def category_columns(X: Any) -> list[int]:
    """Places of the columns of categories of a data frame of pandas or polars."""
    kinds = getattr(X, "dtypes", None)
    if names_of(X) is None or kinds is None:
        return []
    return [at for at, kind in enumerate(list(kinds))
            if str(kind).lower().startswith(("category", "categorical", "enum"))]


def categories_of(X: Any, at: int) -> list[Any]:
    """The categories of a column, in the order of their codes."""
    column = _column_at(X, at)
    if hasattr(X, "iloc"):
        return list(column.cat.categories)
    return list(column.cat.get_categories())


def class_values(fitted: Any, y: Any, n_classes: int) -> np.ndarray:
    """The classes of an estimator; the numbers 0, 1... of a booster of its own."""
    return np.asarray(getattr(fitted, "classes_", np.arange(n_classes)))


def own_frame(X: Any, n_rows: int) -> Any:
    """The first rows, for the program that knows the kind of table."""
    return X.slice(0, n_rows) if hasattr(X, "slice") else X[:n_rows]
