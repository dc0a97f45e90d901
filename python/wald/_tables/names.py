"""Names of a data frame's columns: noted when a forest is grown, compared afterwards."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import _check_feature_names, _check_n_features, _get_feature_names

from wald._tables.columns import check_names, is_pandas
from wald._tables.refusals import refusals
from wald.errors import DataError


def note_names(estimator: Any, X: Any, names: list[str]) -> None:
    """Keeps the names of the columns that the estimator is fitted on."""
    _check_distinct(names)
    if _is_known_to_sklearn(X):
        with refusals("names"):
            _check_feature_names(estimator, X, reset=True)
    else:
        estimator.feature_names_in_ = np.array(names, dtype=object)


def compare_names(estimator: Any, X: Any, names: list[str], fitted: list[str]) -> None:
    """Compares the names of columns with those that the estimator was fitted on."""
    _check_distinct(names)
    if _is_known_to_sklearn(X):
        with refusals("names"):
            _check_feature_names(estimator, X, reset=False)
            _check_n_features(estimator, X, reset=False)
    else:
        check_names(names, fitted, named=hasattr(estimator, "feature_names_in_"),
                    of=type(estimator).__name__)


def _is_known_to_sklearn(X: Any) -> bool:
    """scikit-learn does not look into every table that exports Arrow."""
    return is_pandas(X) or _get_feature_names(X) is not None


def _check_distinct(names: list[str]) -> None:
    if len(set(names)) < len(names):
        name = next(name for name in names if names.count(name) > 1)
        raise DataError(f"two columns are called {name!r}", help="rename one of them")
