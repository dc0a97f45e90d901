"""What selectors have in common: the table, the estimator, and what they are fitted with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.utils import get_tags

import wald._native as _native
from wald import _checks
from wald._checks import refused
from wald._estimators.growing import grower
from wald._estimators.selected import Selected
from wald._executors.workers import AnyExecutor
from wald._tables.columns import is_frame
from wald._tables.refusals import prepared
from wald.errors import DataError, DataTypeError
from wald.typing import Groups, Self


class Selecting(Selected, MetaEstimatorMixin, BaseEstimator):
    """A selector whose procedure grows forests like those of its estimator."""

    estimator: Any
    groups: Groups | None
    settings: Mapping[str, Any] | None

    def _begin(self, X: Any, y: Any, sample_weight: Any, clusters: Any
               ) -> tuple[Any, _native.Dataset, list[list[int]], dict[str, Any], int | None]:
        """The table, its data with groups, the columns of every variable, the settings of the
        engine, and the threads."""
        X = prepared(X)
        _check_table(X, type(self).__name__)
        data, config, threads, forest = grower(self.estimator, X, y, sample_weight, clusters)
        columns, data = data.group_names, data.with_groups(self.groups)
        groups = self.groups or {}
        members = [[columns.index(column) for column in groups.get(name, [name])]
                   for name in data.group_names]
        self.n_features_in_ = forest.n_features_in_
        if hasattr(forest, "feature_names_in_"):
            self.feature_names_in_ = forest.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        _check(forest, data, y, sample_weight)
        return X, data, members, config, threads

    def _end(self, X: Any, y: Any, sample_weight: Any, clusters: Any,
             executor: AnyExecutor | None = None) -> Self:
        """Fits the estimator on the variables kept; of none, there is no estimator."""
        self.estimator_ = None
        if self.support_.any():
            self.estimator_ = clone(self.estimator).fit(
                self._kept(X), y, sample_weight, clusters, executor=executor)
        if is_classifier(self.estimator):
            self.classes_ = np.unique(np.asarray(y)) if self.estimator_ is None \
                else self.estimator_.classes_
        return self

    def _measure_settings(self) -> dict[str, Any]:
        if self.settings is not None and not isinstance(self.settings, Mapping):
            raise refused("settings", self.settings, 'give a dict such as {"permutations": 10}')
        return _checks.settings_of_forests(self.settings or {})

    def _measure(self, usual: str, **scaled: str) -> tuple[str, dict[str, Any]]:
        """The measure with its settings; where none is named, the usual one, scaled as usual."""
        named: Any = getattr(self, "measure")
        settings = self._measure_settings()
        if named is None:
            return usual, {**scaled, **settings}
        return _checks.text("measure", named), settings

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    def __sklearn_tags__(self) -> Any:
        # Those of the estimator, but as a transformer.
        tags = get_tags(self.estimator)
        tags.transformer_tags = super().__sklearn_tags__().transformer_tags
        tags.target_tags.required = True
        # Variables are selected for one target.
        tags.target_tags.multi_output = False
        return tags


def columns_of(variables: Iterable[int], members: list[list[int]]) -> list[int]:
    """The columns of these variables, in the order of the table."""
    return sorted(at for variable in variables for at in members[variable])


def _check_table(X: Any, selector: str) -> None:
    """Refuses tables from which columns cannot be selected."""
    if is_frame(X) and not any(hasattr(X, way) for way in ("iloc", "get_column", "select")):
        raise DataTypeError(f"{selector} takes no columns out of a {type(X).__name__}",
                            help="give a data frame of pandas, polars or pyarrow, or an array")


def _check(forest: Any, data: _native.Dataset, y: Any, weights: Any) -> None:
    """Refuses what scikit-learn refuses, in its words."""
    for name, number, what in (("n_samples", data.n_rows, "row"),
                               ("n_features", forest.n_features_in_, "variable")):
        if number == 1:
            raise DataError(f"{name} = 1: there is one {what} only",
                            help=f"give at least two {what}s")
    if is_classifier(forest):
        counted = np.asarray(y) if weights is None else np.asarray(y)[np.asarray(weights) > 0.0]
        if len(np.unique(counted)) == 1:
            raise DataError("the target has one class only",
                            help="give rows of at least two classes, with weights above zero")


def variable_of_column(members: list[list[int]], n_columns: int) -> np.ndarray:
    """The variable of every column; ``members`` are the columns of every variable."""
    found = np.zeros(n_columns, dtype=np.int64)
    for variable, columns in enumerate(members):
        found[columns] = variable
    return found
