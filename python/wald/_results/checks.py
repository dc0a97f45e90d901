"""Checks that the fields of a result are consistent."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald.errors import SettingError


def check_names(names: Any) -> int:
    """The number of variables; anything but a list of texts is refused."""
    check_texts("feature_names", names, help="give a name for every variable")
    return len(names)


def check_texts(what: str, texts: Any, *, help: str) -> None:
    """Refuse anything but a list of texts."""
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise SettingError(f"{what} is not a list of texts", help=help)


def check_entries(what: str, entries: Any, keys: set[str], made_by: str,
                  optional: frozenset[str] = frozenset()) -> None:
    """Refuse anything but a list of dicts with these keys, and perhaps optional ones."""
    if not isinstance(entries, list) or not all(
            isinstance(entry, dict) and set(entry) - optional == keys for entry in entries):
        raise SettingError(f"{what} is not a list of what {made_by} finds",
                           help=f"every entry has the keys {', '.join(sorted(keys))}")


def check_shapes(result: Any, **shapes: tuple[int | None, ...]) -> None:
    """Refuse attributes that are not of their shapes, unless None, the default, is given."""
    for name, shape in shapes.items():
        if getattr(result, name) is not None or getattr(type(result), name, ...) is not None:
            check_shape(name, getattr(result, name), shape)


def check_shape(what: str, array: Any, shape: tuple[int | None, ...]) -> None:
    """Refuse anything but numbers of the shape; ``None`` stands for any length."""
    is_numbers = isinstance(array, np.ndarray) and array.dtype.kind in "fiub"
    if is_numbers and array.ndim == len(shape) and all(
            wanted is None or wanted == length for wanted, length in zip(shape, array.shape)):
        return
    lengths = ", ".join("any" if length is None else str(length) for length in shape)
    raise SettingError(f"{what} is not of the shape ({lengths})",
                       help="give an array of numbers of that shape")
