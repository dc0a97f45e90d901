"""What an estimator would grow, without growing it."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from wald import _native
from wald._estimator import Forest
from wald._rows import checked_weights, cluster_codes
from wald.errors import SettingError


def grower(estimator: Any, X: Any, y: Any, sample_weight: Any, clusters: Any = None
           ) -> tuple[_native.Dataset, dict[str, Any], int | None, Forest]:
    """The data, the settings of the engine, the threads, and a clone that has looked at the data.

    Raises
    ------
    SettingError
        When the estimator is none of wald's.
    """
    if not isinstance(estimator, Forest) or isinstance(estimator, type):
        raise SettingError(
            f"{type(estimator).__name__} is no estimator of wald",
            help="give one that grows forests, for example wald.RandomForestRegressor()")
    forest = clone(estimator)
    table, y = forest._table_and_target(X, y)
    cells = forest._target_cells(y)
    weights = forest._with_class_weight(y, checked_weights(sample_weight, table.n_rows))
    data = _native.Dataset(table, forest._target_name, cells, weights=weights,
                           clusters=cluster_codes(clusters, table.n_rows))
    config = forest._settings(table.n_rows, forest.n_features_in_)
    if isinstance(forest.max_features, str) and forest.max_features == "sqrt":
        # The engine's own default, which follows the number of columns that are left.
        config.pop("mtry", None)
    return data, config, forest._threads(), forest
