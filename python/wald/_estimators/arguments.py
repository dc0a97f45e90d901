"""Arguments of estimators that depend on the table, as numbers of the engine."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from wald._checks import refused, whole
from wald.errors import SettingError

# The engine's words for scikit-learn's signs.
TRENDS = {1: "increasing", -1: "decreasing"}


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


def trends(value: Any, names: list[str]) -> dict[str, str]:
    """In which direction predictions may change with which columns."""
    name, help = "monotonic_cst", "give -1, 0 or 1 for every column, or a dict of those of some columns"
    if value is None:
        return {}
    given = value
    if isinstance(value, Mapping):
        unknown = next((key for key in value if key not in names), None)
        if unknown is not None:
            raise SettingError(f"{name} names {unknown!r}, which is not a column of X",
                               setting=name, help=f"X has {', '.join(map(repr, names[:8]))}")
        value = [value.get(column, 0) for column in names]
    if isinstance(value, (str, bytes)) or np.ndim(_object(value)) != 1:
        raise refused(name, given, help)
    if len(value) != len(names):
        raise SettingError(
            f"{name} has shape {len(value)} but the input data X has {len(names)} features",
            setting=name, help=help)
    wrong = [sign for sign in np.asarray(value, dtype=object).tolist() if isinstance(sign, bool)
             or not isinstance(sign, Real) or sign not in (-1, 0, 1)]
    if wrong:
        raise SettingError(f"{name} must be None or an array-like of -1, 0 or 1, but holds {wrong[:8]}",
                           setting=name, help=help)
    return {column: TRENDS[int(sign)] for column, sign in zip(names, value) if sign != 0}


def _object(value: Any) -> Any:
    """An array of anything; nothing of lists of different lengths, which are no array."""
    try:
        return np.asarray(value, dtype=object)
    except ValueError:
        return None
