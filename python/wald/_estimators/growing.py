"""Data and settings of an estimator, for procedures that grow forests like it."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

import wald._native as _native
from wald._checks import whole
from wald._estimators.base import Forest
from wald._estimators.random_forest import RandomForestRegressor
from wald._estimators.settings import RegressorSettings
from wald._estimators.several import check_one_column
from wald.errors import SettingError


def of_outputs(estimator: Any, seed: int | None, n_jobs: int | None) -> Forest:
    """How forests of outputs of a model are grown: by an estimator, or 300 trees, with another seed
    and number of threads where these are given."""
    forest = RandomForestRegressor(300) if estimator is None else estimator
    if not isinstance(forest, Forest) or not isinstance(forest, RegressorSettings):
        raise SettingError(
            f"{getattr(forest, '__name__', type(forest).__name__)} is not a regressor of wald",
            help="give one that grows forests, for example wald.RandomForestRegressor()")
    changes = {
        "random_state": None if seed is None else whole("seed", seed, 0),
        "n_jobs": n_jobs,
    }
    changes = {name: value for name, value in changes.items() if value is not None}
    changed: Forest = clone(forest).set_params(**changes)
    return changed


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
    check_one_column(y)
    data, _, config = forest._data_and_settings(X, y, sample_weight, clusters)
    return data, config, forest._threads(), forest
