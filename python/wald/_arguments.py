"""Arguments of estimators, checked one by one."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from wald.errors import SettingError


def number(name: str, value: Any) -> float:
    """A number; the engine checks its range."""
    if not isinstance(value, Real) or isinstance(value, bool) or not math.isfinite(value):
        raise SettingError(f"{name} is {value!r}", help="give a number")
    return float(value)


def whole(name: str, value: Any, least: int) -> int:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise SettingError(f"{name} is {value!r}", help=f"give a whole number of at least {least}")
    return int(value)


def count(name: str, value: Any, n_rows: int, least: int) -> int:
    """A number of rows, or a share of them."""
    if isinstance(value, Real) and not isinstance(value, Integral):
        if not 0.0 < value <= 1.0:
            raise SettingError(f"{name} is {value!r}",
                               help=f"give a share above 0 and at most 1, or a whole number of at "
                                    f"least {least}")
        return max(least, math.ceil(value * n_rows))
    return whole(name, value, least)


def share(name: str, value: Any, n_rows: int) -> float:
    if isinstance(value, Integral) and not isinstance(value, bool):
        if not 1 <= value <= n_rows:
            raise SettingError(f"{name} is {value!r}",
                               help=f"give a number from 1 to the number of rows, {n_rows}")
        return int(value) / n_rows
    if not isinstance(value, Real) or not 0.0 < value <= 1.0:
        raise SettingError(f"{name} is {value!r}",
                           help="give a share above 0 and at most 1, or a number of rows")
    return max(round(n_rows * value), 1) / n_rows


def n_tried(value: Any, n_features: int) -> int:
    if value == "sqrt":
        return max(1, math.isqrt(n_features))
    if value == "log2":
        return max(1, int(math.log2(n_features)))
    if isinstance(value, Integral) and not isinstance(value, bool):
        return whole("max_features", value, 1)
    if isinstance(value, Real) and 0.0 < value <= 1.0:
        return max(1, int(value * n_features))
    raise SettingError(
        f"max_features is {value!r}",
        help='give "sqrt", "log2", None, a number of variables or a share of them')
