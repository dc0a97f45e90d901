"""Data and settings of an estimator, for procedures that grow forests like it."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

import wald._native as _native
from wald._estimators.base import Forest
from wald.errors import SettingError


def grower(estimator: Any, X: Any, y: Any, sample_weight: Any, clusters: Any = None
           ) -> tuple[_native.Dataset, dict[str, Any], int | None, Forest]:
    """The data, the settings of the engine, the threads, and a clone that knows the columns.

    Raises
    ------
    SettingError
        When the estimator is not one of wald.
    """
    if not isinstance(estimator, Forest) or isinstance(estimator, type):
        raise SettingError(
            f"{type(estimator).__name__} is not an estimator of wald",
            help="give one that grows forests, for example wald.RandomForestRegressor()")
    forest = clone(estimator)
    data, _, config = forest._data_and_settings(X, y, sample_weight, clusters)
    if isinstance(forest.max_features, str) and forest.max_features == "sqrt":
        # The engine's own default, which follows the number of columns that are left.
        config.pop("mtry", None)
    return data, config, forest._threads(), forest
