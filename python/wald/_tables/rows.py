"""Weights and clusters of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, column_or_1d

from wald._tables.refusals import is_missing, refusals
from wald.errors import DataError, DataTypeError
from wald.typing import Floats


def cluster_codes(clusters: Any, n_rows: int) -> NDArray[np.uint32] | None:
    """Codes of clusters, the rows that belong together."""
    if clusters is None:
        return None
    _check_unmasked("clusters", clusters)
    with refusals("clusters"):
        values = column_or_1d(clusters, dtype=object)
        check_consistent_length(range(n_rows), values)
    missing = np.array([is_missing(value) for value in values], dtype=bool)
    if missing.any():
        raise DataError(f"row {int(np.argmax(missing)) + 1} has no cluster",
                        help="give every row a cluster; a row on its own needs one of its own")
    try:
        _, codes = np.unique(values, return_inverse=True)
    except TypeError as error:
        raise DataTypeError(f"clusters are of several types: {error}",
                            help="give numbers or texts") from error
    return codes.astype(np.uint32)


def checked_weights(weights: Any, n_rows: int) -> Floats | None:
    """One weight of at least 0 for each row; ``None`` where there are none."""
    if weights is None:
        return None
    _check_unmasked("sample_weight", weights)
    with refusals("sample_weight"):
        found = _check_sample_weight(weights, np.empty((n_rows, 1)), ensure_non_negative=True)
    # 32 bits stay as they are.
    return np.ascontiguousarray(found, dtype=np.float64)


def _check_unmasked(name: str, values: Any) -> None:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise DataError(f"{name} has masked values", help="give a value for every row")


def mean_of_rows(values: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """The means over the rows that have a value, by their weights; NaN where no row has one."""
    is_known = ~np.isnan(values)
    of_rows = np.ones(len(values)) if weights is None else weights
    each = is_known * of_rows.reshape(-1, *[1] * (values.ndim - 1))
    total = each.sum(axis=0)
    sums = (each * np.where(is_known, values, 0.0)).sum(axis=0)
    means: np.ndarray = np.divide(
        sums, total, out=np.full(total.shape, np.nan), where=total > 0)
    return means
