"""Arguments of estimators that depend on the table, as numbers of the engine."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from wald._checks import refused, whole


def count(name: str, value: Any, n_rows: int, least: int) -> int:
    """A number of rows, or a share of them."""
    if isinstance(value, Real) and not isinstance(value, Integral):
        if not 0.0 < float(value) <= 1.0:
            raise refused(name, value, "give a share above 0 and at most 1, or a whole number of "
                                       f"at least {least}")
        return max(least, math.ceil(float(value) * n_rows))
    return whole(name, value, least)


def share(name: str, value: Any, n_rows: int, *, again: bool) -> float:
    """A share of rows, or a number of them; more than there are where rows are drawn ``again``."""
    draws = 0.0
    # Above 2^53, numbers of draws are no longer exact; the engine knows what is too many.
    most_draws = 2**53 if again else n_rows
    if isinstance(value, Integral) and not isinstance(value, bool):
        draws = min(int(value), most_draws + 1)
    elif isinstance(value, Real) and not isinstance(value, bool):
        draws = float(value) * n_rows
    if 0.0 < draws <= most_draws:
        return max(round(draws), 1) / n_rows
    most = "" if again else f" and at most 1, or a number from 1 to the number of rows, {n_rows}"
    raise refused(name, value, f"give a share above 0{most or ', or a number of draws'}")


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
    raise refused("max_features", value,
                  'give "sqrt", "log2", None, a number of variables or a share of them')
