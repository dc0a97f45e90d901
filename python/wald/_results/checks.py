"""Whether the parts of a result fit together."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald.errors import SettingError


def check_names(what: str, names: Any) -> None:
    """Refuse anything but a list of texts."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise SettingError(f"{what} is no list of texts", help="give a name for every variable")


def check_shape(what: str, array: Any, shape: tuple[int | None, ...], *,
                optional: bool = False) -> None:
    """Refuse anything but numbers of the shape; ``None`` stands for any length."""
    if array is None and optional:
        return
    is_numbers = isinstance(array, np.ndarray) and array.dtype.kind in "fiub"
    if is_numbers and array.ndim == len(shape) and all(
            wanted is None or wanted == length for wanted, length in zip(shape, array.shape)):
        return
    lengths = ", ".join("any" if length is None else str(length) for length in shape)
    raise SettingError(f"{what} has not the shape ({lengths})",
                       help="give an array of numbers of that shape")
