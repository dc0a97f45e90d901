"""Weights and clusters of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, column_or_1d

from wald._tables.refusals import refusals
from wald.errors import DataError, DataTypeError
from wald.typing import Floats


def cluster_codes(clusters: Any, n_rows: int) -> NDArray[np.uint32] | None:
    """Codes of clusters, the rows that belong together."""
    if clusters is None:
        return None
    with refusals("clusters"):
        values = column_or_1d(clusters, dtype=object)
        check_consistent_length(range(n_rows), values)
    missing = np.array([value is None or value != value for value in values], dtype=bool)
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
    with refusals("sample_weight"):
        found: Floats = _check_sample_weight(
            weights, np.empty((n_rows, 1)), ensure_non_negative=True)
    return found
