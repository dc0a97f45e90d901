"""What an estimator would grow, without growing it."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import _check_sample_weight

from wald import _native
from wald._estimator import Forest
from wald._rows import cluster_codes
from wald.errors import SettingError


def grower(estimator: Any, X: Any, y: Any, sample_weight: Any, clusters: Any = None
           ) -> tuple[_native.Dataset, dict[str, Any], int | None, Forest]:
    """The data, the settings of the engine, the threads, and a clone that has looked at the data.

    Raises
    ------
    SettingError
        When the estimator is none of wald's.
    """
    if not isinstance(estimator, Forest):
        raise SettingError(
            f"{type(estimator).__name__} is no estimator of wald",
            help="give one that grows forests, for example wald.RandomForestRegressor()")
    forest = clone(estimator)
    table, y = forest._table_and_target(X, y)
    cells = forest._target_cells(y)
    if sample_weight is not None:
        like = np.empty((table.n_rows, 1))
        sample_weight = _check_sample_weight(sample_weight, like, ensure_non_negative=True)
    weights = forest._with_class_weight(y, sample_weight)
    data = _native.Dataset(table, forest._target_name, cells, weights=weights,
                           clusters=cluster_codes(clusters, table.n_rows))
    config = forest._settings(table.n_rows, forest.n_features_in_)
    if forest.max_features == "sqrt":
        # The engine's own default, which follows the number of columns that are left.
        config.pop("mtry", None)
    return data, config, forest._threads(), forest
