"""Columns of objects: numbers, texts and booleans, which are read by what all of them are."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

import wald._native as _native
from wald._tables.refusals import check_integers
from wald.errors import DataError, DataTypeError

# The code of a missing level.
MISSING = np.uint32(0xFFFFFFFF)

# Types of numbers in a column of objects.
NUMBERS = (int, float, np.number)

# Numbers, or levels and codes.
Cells = Union[NDArray[np.float64], tuple[list[str], NDArray[np.uint32]]]

# What a column was in training: "levels", "numbers", or "numbers among texts", which counted as
# missing.
Kind = str


def of_objects(name: str, values: np.ndarray, missing: np.ndarray, kind: Kind | None = None
               ) -> Cells:
    """The cells of a column of objects, as in training where ``kind`` states what it was there:
    otherwise the same cell would be a number or a level by which rows are beside it."""
    present = values[~missing]
    types = set(map(type, present.tolist()))
    if types == {str} and kind in (None, "levels"):
        return _of_texts(present, missing)
    n_numbers = sum(_is_number(value) for value in present)
    if n_numbers == len(present) and kind != "levels":
        _check_integers(name, present)
        return _with_missing(present.astype(np.float64), missing)
    for value in present:
        if not (isinstance(value, (str, bool, np.bool_)) or _is_number(value)):
            raise DataTypeError(
                f"column {name!r} holds a {type(value).__name__}",
                help="give numbers, texts or categories", column=name)
    texts = [numeral(value) for value in present]
    # Without numbers, texts are levels; in training, the rule of files decides about others.
    if kind == "levels" or kind is None and not n_numbers:
        return _of_texts(texts, missing)
    found = _numbers_among_texts(name, texts) if kind is None else _known_numbers(name, texts, kind)
    return _of_texts(texts, missing) if found is None else _with_missing(found, missing)


def kind_of(cells: Cells, objects: np.ndarray | None) -> Kind:
    """What a column of training is, whose cells are these, read from objects or not."""
    if isinstance(cells, tuple):
        return "levels"
    has_texts = objects is not None and any(isinstance(value, str) for value in objects)
    return "numbers among texts" if has_texts else "numbers"


def _of_texts(texts: Iterable[str], missing: np.ndarray) -> Cells:
    """Levels in the order of their letters, and the code of every cell."""
    texts = list(map(str, texts))
    levels = sorted(set(texts))
    code_of = {level: code for code, level in enumerate(levels)}
    codes = np.full(len(missing), MISSING, dtype=np.uint32)
    codes[~missing] = np.fromiter(map(code_of.__getitem__, texts), np.uint32, len(texts))
    return levels, codes


def _with_missing(present: np.ndarray, missing: np.ndarray) -> NDArray[np.float64]:
    numbers = np.full(len(missing), np.nan)
    numbers[~missing] = present
    return numbers


def _numbers_among_texts(name: str, texts: list[str]) -> NDArray[np.float64] | None:
    """The numbers of a column that also holds texts, which count as missing; None for levels.

    The rule is that of files (docs/files.md); a warning reports what was decided.
    """
    reading, first, numbers = _native.reading_of(texts)
    other = None if first is None else texts[first]
    if reading == "refused":
        raise DataError(
            f"column {name!r} holds numbers, but {other!r} is not a number",
            help="correct the cell; or make the column texts (astype(str)), or numbers "
                 "(pandas.to_numeric(column, errors='coerce'))", column=name)
    if other is not None:
        _warn_of_texts(name, other, is_levels=reading == "levels")
    return None if reading == "levels" else numbers


def _warn_of_texts(name: str, other: str, *, is_levels: bool) -> None:
    what = ("is treated as categories; use pandas.to_numeric(column, errors='coerce') if numbers "
            "are meant" if is_levels else
            "is read as numbers, with the texts as missing; use astype(str) if categories are "
            "meant")
    warnings.warn(f"column {name!r} holds numbers and texts such as {other!r}: it {what}",
                  stacklevel=3)


def _known_numbers(name: str, texts: list[str], kind: Kind) -> NDArray[np.float64]:
    """The numbers of a column that was one of numbers in training."""
    _, first, numbers = _native.reading_of(texts)
    if first is not None and kind == "numbers":
        raise DataError(f"column {name!r} holds {texts[first]!r}, but the forest knows numbers",
                        help="give the column as numbers", column=name)
    if first is not None:
        _warn_of_texts(name, texts[first], is_levels=False)
    return numbers


def numeral(value: Any) -> str:
    """A cell of a column of numbers and texts as text; 1.0 becomes "1"."""
    is_whole = _is_number(value) and float(value).is_integer()
    return str(int(value)) if is_whole else as_text(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, NUMBERS) and not isinstance(value, (bool, np.timedelta64))


def as_text(level: Any) -> str:
    """A level as text; booleans as files have them."""
    if isinstance(level, (bool, np.bool_)):
        return "true" if level else "false"
    return str(level)


def _check_integers(name: str, present: np.ndarray) -> None:
    whole = [value for value in present if isinstance(value, (int, np.integer))]
    check_integers(np.array(whole, dtype=object), f"column {name!r}", name,
                   help="make it a column of texts or categories")
