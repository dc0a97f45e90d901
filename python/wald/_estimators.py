"""Estimators in scikit-learn's manner."""

from __future__ import annotations

import json
import math
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_feature_names,
    _check_n_features,
    _check_sample_weight,
    check_array,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from wald import _native
from wald._columns import columns_of, is_frame, matrix_columns
from wald._forest import FittedForest
from wald._progress import progress_of
from wald.errors import SettingError

# scikit-learn's words for what splits reduce.
CRITERIA = {
    "squared_error": "variance",
    "gini": "gini",
    "entropy": "entropy",
    "log_loss": "entropy",
}


class _Forest(FittedForest, BaseEstimator):
    """What all estimators share."""

    _splitting = "best"

    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Numbers; in data frames also texts, booleans and categories. NaN and nulls are
            missing values, for which every split learns a side.
        y : array of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,), optional
            Case weights: they multiply impurity, leaf values and losses.

        Returns
        -------
        self
        """
        table, y = self._table_and_target(X, y)
        if sample_weight is not None:
            like = np.empty((table.n_rows, 1))
            sample_weight = _check_sample_weight(sample_weight, like, ensure_non_negative=True)
        cells = self._target_cells(y)
        data = _native.Dataset(table, self._target_name, cells, weights=sample_weight)
        settings = self._settings(table.n_rows, self.n_features_in_)
        self._forest, self._grown = _native.Forest.grow(
            data,
            json.dumps(settings),
            threads=self._threads(),
            progress=progress_of(None, "growing trees"),
        )
        self._data = data
        self._set_out_of_bag(y)
        return self

    def _table_and_target(self, X: Any, y: Any) -> tuple[_native.Table, np.ndarray]:
        self._target_name = str(getattr(y, "name", None) or "y")
        if is_frame(X):
            _check_feature_names(self, X, reset=True)
            columns = columns_of(X)
            self.n_features_in_ = len(columns)
            y = column_or_1d(y, warn=True)
            y = check_array(y, ensure_2d=False, dtype=self._target_dtype)
            check_consistent_length(X, y)
            return _native.Table(columns), y
        X, y = validate_data(
            self, X, y, dtype=np.float64, ensure_all_finite="allow-nan",
            y_numeric=self._target_dtype is not None)
        return _native.Table(matrix_columns(X, self._names())), y

    def _table(self, X: Any) -> _native.Table:
        check_is_fitted(self, "_forest")
        if is_frame(X):
            _check_feature_names(self, X, reset=False)
            _check_n_features(self, X, reset=False)
            return _native.Table(columns_of(X))
        X = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        return _native.Table(matrix_columns(X, self._names()))

    def _names(self) -> list[str]:
        names = getattr(self, "feature_names_in_", None)
        if names is not None:
            return [str(name) for name in names]
        return [f"x{at}" for at in range(self.n_features_in_)]

    def _threads(self) -> int | None:
        n_jobs = self.n_jobs
        if n_jobs is None or n_jobs == -1:
            return None
        if n_jobs < -1:
            import os

            return max(1, (os.cpu_count() or 1) + 1 + n_jobs)
        return n_jobs

    def _settings(self, n_rows: int, n_features: int) -> dict[str, Any]:
        settings: dict[str, Any] = {
            "n_trees": _whole("n_estimators", self.n_estimators, 1),
            "splitting": self._splitting,
            "seed": self._seed(),
            "min_leaf_size": _count("min_samples_leaf", self.min_samples_leaf, n_rows, 1),
        }
        if self.max_features is not None:
            settings["mtry"] = _n_features(self.max_features, n_features)
        if self.min_samples_split is not None:
            split = _count("min_samples_split", self.min_samples_split, n_rows, 2)
            settings["min_node_size"] = split - 1
        if self.max_depth is not None:
            settings["max_depth"] = _whole("max_depth", self.max_depth, 1)
        settings["impurity"] = self._impurity()
        if self.bootstrap:
            settings["sampling"] = "bootstrap"
            if self.max_samples is not None:
                settings["sample_fraction"] = _share("max_samples", self.max_samples, n_rows)
        else:
            if self.max_samples is not None:
                raise SettingError(
                    "max_samples is set, but bootstrap is not",
                    help="`max_sample` cannot be set if `bootstrap=False`: leave one of them out")
            settings["sampling"] = "all"
        return settings

    def _impurity(self) -> str:
        if self.criterion not in self._criteria:
            raise SettingError(
                f"criterion is {self.criterion!r}",
                help=f"give one of {', '.join(map(repr, self._criteria))}")
        return CRITERIA[self.criterion]

    def _seed(self) -> int:
        if isinstance(self.random_state, Integral):
            if self.random_state < 0:
                raise SettingError(
                    f"random_state is {self.random_state}", help="give 0 or a larger number")
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class _Regressor(RegressorMixin, _Forest):
    _target_dtype = np.float64
    _criteria = ("squared_error",)

    def _target_cells(self, y):
        return np.ascontiguousarray(y, dtype=np.float64)

    def predict(self, X):
        """Predict numbers.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._predicted(X)[:, 0]

    def _set_out_of_bag(self, y):
        self.oob_prediction_ = self._grown["out_of_bag"][:, 0]


class _Classifier(ClassifierMixin, _Forest):
    _target_dtype = None
    _criteria = ("gini", "entropy", "log_loss")

    def _target_cells(self, y):
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        return [_class_name(name) for name in self.classes_], codes.astype(np.uint32)

    def predict_proba(self, X):
        """Predict the shares of the classes.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``.
        """
        return self._predicted(X)

    def predict_log_proba(self, X):
        """The natural logarithm of :meth:`predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X):
        """Predict the class of the largest share.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def _set_out_of_bag(self, y):
        self.oob_decision_function_ = self._grown["out_of_bag"]




class RandomForestRegressor(_Regressor):
    """A random forest for numbers (Breiman 2001).

    Parameters
    ----------
    n_estimators : int, default=500
        Trees.
    criterion : {"squared_error"}, default="squared_error"
        What splits reduce.
    max_depth : int, optional
        Deepest level of a leaf, the root being 0.
    min_samples_split : int or float, default=6
        A node splits only if it holds as many draws (a float: as this share of the rows).
    min_samples_leaf : int or float, default=1
        A child holds at least as many draws.
    max_features : {"sqrt", "log2", None}, int or float, default="sqrt"
        Variables tried at each node.
    max_samples : int or float, optional
        Draws of a tree; as many as rows unless given.
    bootstrap : bool, default=True
        Whether trees draw rows with replacement, or have all rows.
    n_jobs : int, default=-1
        Threads; -1 for all processors. Results do not depend on it.
    random_state : int, RandomState or None, default=0
        The seed; ``None`` draws another one for every fit.
    """

    def __init__(self, n_estimators=500, *, criterion="squared_error", max_depth=None,
                 min_samples_split=6, min_samples_leaf=1, max_features="sqrt",
                 max_samples=None, bootstrap=True, n_jobs=-1, random_state=0):
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.random_state = random_state


class RandomForestClassifier(_Classifier):
    """A random forest for classes (Breiman 2001).

    Parameters are those of :class:`RandomForestRegressor`, but for ``criterion``, which is "gini",
    "entropy" or "log_loss", and ``min_samples_split``, which is 2 unless given.
    """

    def __init__(self, n_estimators=500, *, criterion="gini", max_depth=None,
                 min_samples_split=2, min_samples_leaf=1, max_features="sqrt",
                 max_samples=None, bootstrap=True, n_jobs=-1, random_state=0):
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.random_state = random_state


def _class_name(name: Any) -> str:
    if isinstance(name, (float, np.floating)) and float(name).is_integer():
        return str(int(name))
    return str(name)


def _whole(name: str, value: Any, least: int) -> int:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise SettingError(f"{name} is {value!r}", help=f"give a whole number of at least {least}")
    return int(value)


def _count(name: str, value: Any, n_rows: int, least: int) -> int:
    """A number of rows, or a share of them."""
    if isinstance(value, Real) and not isinstance(value, Integral):
        if not 0.0 < value <= 1.0:
            raise SettingError(f"{name} is {value!r}",
                               help=f"give a share above 0 and at most 1, or a whole number of at "
                                    f"least {least}")
        return max(least, math.ceil(value * n_rows))
    return _whole(name, value, least)


def _share(name: str, value: Any, n_rows: int) -> float:
    if isinstance(value, Integral) and not isinstance(value, bool):
        if not 1 <= value <= n_rows:
            raise SettingError(f"{name} is {value!r}",
                               help=f"give a number from 1 to the number of rows, {n_rows}")
        return int(value) / n_rows
    if not isinstance(value, Real) or not 0.0 < value <= 1.0:
        raise SettingError(f"{name} is {value!r}",
                           help="give a share above 0 and at most 1, or a number of rows")
    return max(round(n_rows * value), 1) / n_rows


def _n_features(value: Any, n_features: int) -> int:
    if value == "sqrt":
        return max(1, math.isqrt(n_features))
    if value == "log2":
        return max(1, int(math.log2(n_features)))
    if isinstance(value, Integral) and not isinstance(value, bool):
        return _whole("max_features", value, 1)
    if isinstance(value, Real) and 0.0 < value <= 1.0:
        return max(1, int(value * n_features))
    raise SettingError(
        f"max_features is {value!r}",
        help='give "sqrt", "log2", None, a number of variables or a share of them')
