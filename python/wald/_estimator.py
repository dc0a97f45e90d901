"""What estimators in scikit-learn's manner share; ``_estimators.py`` has them."""

from __future__ import annotations

import json
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_feature_names,
    _check_n_features,
    _check_sample_weight,
    _get_feature_names,
    check_array,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from wald import _native
from wald._arguments import count, n_tried, number, share, whole
from wald._columns import array_of, check_names, columns_of, is_frame, matrix_columns
from wald._forest import FittedForest
from wald._paths import paths
from wald._progress import progress_of
from wald._rows import cluster_codes
from wald.errors import DataError, SettingError

# scikit-learn's words for what splits reduce.
CRITERIA = {
    "squared_error": "variance",
    "gini": "gini",
    "entropy": "entropy",
    "log_loss": "entropy",
}


class Forest(FittedForest, BaseEstimator):
    """What all estimators share."""

    _splitting = "best"

    def _keep(self, arguments: dict[str, Any]) -> None:
        """Keeps the arguments of ``__init__`` as they are, which scikit-learn wants."""
        for name in self._get_param_names():
            setattr(self, name, arguments[name])

    def fit(self, X, y, sample_weight=None, clusters=None):
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
        clusters : array of shape (n_samples,), optional
            Rows of equal values, such as repeated measures of a patient, are in the bag of a
            tree together or out of it together.

        Returns
        -------
        self
        """
        self._check_warm_start()
        table, y = self._table_and_target(X, y)
        if sample_weight is not None:
            like = np.empty((table.n_rows, 1))
            sample_weight = _check_sample_weight(sample_weight, like, ensure_non_negative=True)
        cells = self._target_cells(y)
        sample_weight = self._with_class_weight(y, sample_weight)
        data = _native.Dataset(table, self._target_name, cells, weights=sample_weight,
                               clusters=cluster_codes(clusters, table.n_rows))
        settings = self._settings(table.n_rows, self.n_features_in_)
        before = self._forest if self._continues(data, settings) else None
        grow = _native.Forest.grow if before is None else before.grow_more
        self._forest, self._grown = grow(
            data,
            json.dumps(settings),
            threads=self._threads(),
            progress=progress_of(None, "growing trees"),
        )
        self._data, self._grown_with = data, settings
        self._importances = None
        self._set_out_of_bag(y)
        return self

    def _continues(self, data: _native.Dataset, settings: dict[str, Any]) -> bool:
        """Trees do not depend on how many there are: more of them begin with those of before,
        unless anything else was changed."""
        if not self.warm_start or not hasattr(self, "_grown_with"):
            return False
        before = {**self._grown_with, "n_trees": settings["n_trees"]}
        return before == settings and self._data.is_same(data)

    def _check_warm_start(self) -> None:
        before = self._forest.n_trees if self.warm_start and hasattr(self, "_forest") else 0
        if isinstance(self.n_estimators, Integral) and self.n_estimators < before:
            raise SettingError(
                f"n_estimators={self.n_estimators} is less than the {before} trees there are",
                help="with warm_start=True, give as many trees as there are or more")

    def _with_class_weight(self, y: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
        return weights

    @property
    def feature_importances_(self) -> np.ndarray:
        """The mean decrease in impurity as scikit-learn normalises it, ``importance("mdi",
        normalise="sum")``: shares of variables, in every tree and then of all.

        It flatters variables of many values and says nothing of test error; ``importance``
        offers better measures.

        Returns
        -------
        ndarray of shape (n_features,)
        """
        check_is_fitted(self, "_forest")
        if self._importances is None:
            found = self.importance("mdi", normalise="sum", progress=False)
            self._importances = np.nan_to_num(found.values)
        return self._importances

    def apply(self, X: Any) -> np.ndarray:
        """The leaves that rows reach.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_estimators)
            Nodes of each tree, counted from its root, which is 0.
        """
        table = self._table(X)
        return self._forest.leaves(table, threads=self._threads()).astype(np.int64)

    def decision_path(self, X: Any) -> tuple[sparse.csr_array, np.ndarray]:
        """The nodes that rows meet on their way down the trees.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)

        Returns
        -------
        indicator : sparse array of shape (n_samples, n_nodes)
            1 where a row meets a node; the nodes of all trees one after the other.
        n_nodes_ptr : ndarray of shape (n_estimators + 1,)
            The nodes of tree t are the columns from ``n_nodes_ptr[t]`` to ``n_nodes_ptr[t + 1]``.
        """
        return paths(self.apply(X), [self._forest.parents(at) for at in
                                     range(self._forest.n_trees)])

    def _table_and_target(self, X: Any, y: Any) -> tuple[_native.Table, np.ndarray]:
        self._target_name = str(getattr(y, "name", None) or "y")
        if is_frame(X):
            table = self._frame(X, reset=True)
            y = column_or_1d(y, warn=True)
            y = check_array(y, ensure_2d=False, dtype=self._target_dtype)
            check_consistent_length(range(table.n_rows), y)
            return table, y
        X, y = validate_data(
            self, array_of(X), y, dtype=np.float64, ensure_all_finite="allow-nan",
            y_numeric=self._target_dtype is not None)
        return _native.Table(matrix_columns(X, self._names())), y

    def _test(self, X: Any, y: Any) -> _native.Dataset:
        """Rows that the forest never saw, with their target."""
        table = self._table(X)
        y = column_or_1d(y, warn=True)
        return _native.Dataset(table, self._target_name, self._known_cells(y))

    def _table(self, X: Any) -> _native.Table:
        check_is_fitted(self, "_forest")
        if is_frame(X):
            return self._frame(X, reset=False)
        X = validate_data(
            self, array_of(X), dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        return _native.Table(matrix_columns(X, self._names()))

    def _frame(self, X: Any, *, reset: bool) -> _native.Table:
        """The table of a data frame, whose names are noted or compared with those of training."""
        table = _native.Table(columns_of(X))
        if type(X).__module__.partition(".")[0] == "pandas" or _get_feature_names(X) is not None:
            _check_feature_names(self, X, reset=reset)
            if not reset:
                _check_n_features(self, X, reset=False)
        # scikit-learn does not look into everything that speaks Arrow.
        elif reset:
            self.feature_names_in_ = np.array(table.names, dtype=object)
        else:
            check_names(table.names, self._names(), named=hasattr(self, "feature_names_in_"))
        if reset:
            self.n_features_in_ = len(table.names)
        return table

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
            "n_trees": whole("n_estimators", self.n_estimators, 1),
            "splitting": self._splitting,
            "seed": self._seed(),
            "min_leaf_size": count("min_samples_leaf", self.min_samples_leaf, n_rows, 1),
        }
        if self.max_features is not None:
            settings["mtry"] = n_tried(self.max_features, n_features)
        elif self._splitting != "conditional":
            settings["mtry"] = n_features
        if self.min_samples_split is not None:
            split = count("min_samples_split", self.min_samples_split, n_rows, 2)
            settings["min_node_size"] = split - 1
        elif self._splitting != "conditional" and not self.bootstrap:
            # Trees of all rows are grown fully, so that weights do what repeated rows would.
            settings["min_node_size"] = 1
        fraction = number("min_weight_fraction_leaf", self.min_weight_fraction_leaf)
        settings["min_weight_fraction_leaf"] = fraction
        if self._splitting != "conditional":
            decrease = number("min_impurity_decrease", self.min_impurity_decrease)
            settings["min_impurity_decrease"] = decrease
        if self.max_depth is not None:
            settings["max_depth"] = whole("max_depth", self.max_depth, 1)
        settings["impurity"] = self._impurity()
        return settings | self._sampling(n_rows)

    def _sampling(self, n_rows: int) -> dict[str, Any]:
        if self.bootstrap:
            sampling = {"sampling": "bootstrap"}
            if self.max_samples is not None:
                sampling["sample_fraction"] = share("max_samples", self.max_samples, n_rows)
            return sampling
        if self.max_samples is not None:
            raise SettingError(
                "max_samples is set, but bootstrap is not",
                help="leave max_samples out, or let bootstrap be True")
        return {"sampling": "all"}

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
        if self.warm_start and hasattr(self, "_grown_with"):
            return self._grown_with["seed"]
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class Regressor(RegressorMixin, Forest):
    _target_dtype = np.float64
    _criteria = ("squared_error",)

    def _known_cells(self, y):
        return self._target_cells(y)

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
        self.oob_prediction_ = found = self._grown["out_of_bag"][:, 0]
        seen = ~np.isnan(found)
        self.oob_score_ = r2_score(y[seen], found[seen]) if seen.sum() > 1 else np.nan


class Classifier(ClassifierMixin, Forest):
    _target_dtype = None
    _criteria = ("gini", "entropy", "log_loss")

    def _known_cells(self, y):
        known = np.isin(y, self.classes_)
        if not known.all():
            raise DataError(
                f"row {int(np.argmin(known)) + 1} is of class {y[~known][0]!r}, which was not there "
                "in training", help="leave such rows out")
        codes = np.searchsorted(self.classes_, y).astype(np.uint32)
        return [_class_name(name) for name in self.classes_], codes

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
        check_is_fitted(self, "_forest")
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
        shares = self.predict_proba(X)
        return self.classes_[np.argmax(shares, axis=1)]

    def _with_class_weight(self, y, weights):
        if self.class_weight is None:
            return weights
        if self.class_weight == "balanced_subsample":
            raise SettingError(
                'class_weight is "balanced_subsample"',
                help='give "balanced" or a dict of weights: weights of wald are those of rows, '
                     "whichever tree they are in")
        of_classes = compute_sample_weight(self.class_weight, y)
        return of_classes if weights is None else weights * of_classes

    def _set_out_of_bag(self, y):
        self.oob_decision_function_ = found = self._grown["out_of_bag"]
        seen = ~np.isnan(found[:, 0])
        right = self.classes_[np.argmax(found[seen], axis=1)] == y[seen]
        self.oob_score_ = float(np.mean(right)) if seen.any() else np.nan


def _class_name(name: Any) -> str:
    if isinstance(name, (float, np.floating)) and float(name).is_integer():
        return str(int(name))
    return str(name)
