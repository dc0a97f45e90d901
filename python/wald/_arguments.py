"""Arguments of estimators as settings of the engine."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np

from wald._checks import whole
from wald.errors import SettingError


def number(name: str, value: Any) -> float:
    """A finite number; the engine checks its range."""
    if not isinstance(value, Real) or isinstance(value, bool) or not math.isfinite(float(value)):
        raise SettingError(f"{name} is {value!r}", help="give a number")
    return float(value)


def class_name(name: Any) -> str:
    """A class in words; 1.0 is 1."""
    if isinstance(name, (float, np.floating)) and float(name).is_integer():
        return str(int(name))
    return str(name)


def count(name: str, value: Any, n_rows: int, least: int) -> int:
    """A number of rows, or a share of them."""
    if isinstance(value, Real) and not isinstance(value, Integral):
        if not 0.0 < float(value) <= 1.0:
            raise SettingError(f"{name} is {value!r}",
                               help=f"give a share above 0 and at most 1, or a whole number of at "
                                    f"least {least}")
        return max(least, math.ceil(float(value) * n_rows))
    return whole(name, value, least)


def share(name: str, value: Any, n_rows: int) -> float:
    """A share of rows, or a number of them."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        if not 1 <= int(value) <= n_rows:
            raise SettingError(f"{name} is {value!r}",
                               help=f"give a number from 1 to the number of rows, {n_rows}")
        return int(value) / n_rows
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 < float(value) <= 1.0:
        raise SettingError(f"{name} is {value!r}",
                           help="give a share above 0 and at most 1, or a number of rows")
    return max(round(n_rows * float(value)), 1) / n_rows


def n_tried(value: Any, n_features: int) -> int:
    """How many variables are tried at each node."""
    if isinstance(value, str) and value == "sqrt":
        return max(1, math.isqrt(n_features))
    if isinstance(value, str) and value == "log2":
        return max(1, int(math.log2(n_features)))
    if isinstance(value, Integral) and not isinstance(value, bool):
        return whole("max_features", value, 1)
    if isinstance(value, Real) and not isinstance(value, Integral) and 0.0 < float(value) <= 1.0:
        return max(1, int(float(value) * n_features))
    raise SettingError(
        f"max_features is {value!r}",
        help='give "sqrt", "log2", None, a number of variables or a share of them')
