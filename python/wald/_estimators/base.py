"""What estimators in scikit-learn's manner share."""

from __future__ import annotations

import json
import warnings
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import (
    check_array, check_consistent_length, column_or_1d, validate_data,
)

import wald._native as _native
from wald import _checks
from wald._estimators.ensemble import Ensemble
from wald._estimators.fitted import FittedForest
from wald._estimators.leaves import Leaves
from wald._estimators.several import Outputs, n_columns
from wald._estimators.settings import Settings
from wald._executors.shared import shared
from wald._executors.workers import AnyExecutor
from wald._progress import progress_of
from wald._tables.columns import columns_of, frame_names, is_frame, kinds_of, matrix_columns
from wald._tables.levels import notes_on_levels
from wald._tables.names import compare_names, note_names
from wald._tables.objects import Cells, Kind
from wald._tables.refusals import prepared, prepared_target, refusals
from wald._tables.rows import checked_weights, cluster_codes
from wald._tables.targets import target_name, target_names
from wald.errors import DataError, SettingError
from wald.typing import Floats, OutOfBagScore, Self

class Forest(FittedForest, Ensemble, Leaves, Settings, BaseEstimator):
    """What all estimators share.

    Attributes
    ----------
    n_features_in_ : int
        Number of variables seen by ``fit``.
    feature_names_in_ : ndarray of str of shape (n_features,)
        Their names, where the table has names.
    feature_importances_ : ndarray of shape (n_features,)
        Shares of the mean decrease in impurity.
    n_outputs_ : int
        Number of targets.
    oob_score_ : float
        With ``oob_score``, the score of the out-of-bag predictions.
    """

    n_features_in_: int
    n_outputs_: int

    _target_dtype: type[np.float64] | None = None
    _target_name: str
    _target_names: list[str]
    # The names of several targets as they were given, if they had any.
    _target_columns: list[str] | None = None
    # What columns were in training; forests in files of earlier builds do not know it.
    _kinds: list[Kind] | None = None
    _importances: Floats | None
    _grown: Any
    _grown_with: dict[str, Any]
    _scored_by: Any = None
    _oob_score: float | None = None

    def _known_cells(self, y: Any) -> Cells | Outputs:
        """The target of rows that the forest never saw."""
        return self._target_cells(y)

    def _target_cells(self, y: Any) -> Cells | Outputs:
        """The target of training rows."""
        raise NotImplementedError

    def _training_target(self) -> np.ndarray:
        """The target of training rows, as ``fit`` has it."""
        return self._data.target

    def _set_oob_score_and_attributes(self, y: np.ndarray) -> None:
        """Keeps the out-of-bag predictions and their score; by the name that it has in scikit-learn's
        forests, whose subclasses extend it."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any, sample_weight: Any = None, clusters: Any = None, *,
            executor: AnyExecutor | None = None) -> Self:
        """Grow the forest.

        Parameters
        ----------
        X : array, sparse array or data frame of shape (n_samples, n_features)
            Numbers; in data frames also texts, booleans and categories. NaN and nulls are
            missing values, for which every split learns a side.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            The target, or several targets, which every tree then predicts together.
        sample_weight : array of shape (n_samples,), optional
            Case weights: they multiply impurity, leaf values and losses.
        clusters : array of shape (n_samples,), optional
            Rows of equal values, such as repeated measures of a patient, are in the bag of a
            tree together or out of it together.
        executor : concurrent.futures.Executor or Workers, optional
            Whose workers share the work; the result is the same to the last bit. See
            docs/many-machines.md.

        Returns
        -------
        self
            The estimator, grown.

        Raises
        ------
        DataError
            When X, y and weights do not fit together, or hold what cannot be used; of types that
            cannot be used, such as dates, a DataTypeError.
        SettingError
            When an argument of the estimator is out of its range.
        WorkerError
            When a worker of the executor died or cannot take part.
        TooLargeError
            When the forest would not fit into memory.

        Notes
        -----
        Cost: see the class. Equal tables, settings and seeds give equal bits, whatever the number
        of threads and the kind of table.

        Examples
        --------
        >>> import wald
        >>> wald.RandomForestRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        RandomForestRegressor(n_estimators=20)
        """
        with _checks.unchanged_unless_done(self):
            return self._fit(X, y, sample_weight, clusters, executor)

    def _fit(self, X: Any, y: Any, sample_weight: Any, clusters: Any, executor: AnyExecutor | None
             ) -> Self:
        if self._has_all_trees():
            # The words of scikit-learn, which programs look for.
            warnings.warn("Warm-start fitting without increasing n_estimators does not fit new trees. "
                          "The forest is that of the fit before; warm_start=False grows another one",
                          UserWarning, stacklevel=3)
            return self._scored_anew()
        data, y, settings = self._data_and_settings(X, y, sample_weight, clusters)
        before = None
        if self._continues(data, settings):
            before, settings["seed"] = self._forest, self._grown_with["seed"]
        grow = _native.Forest.grow if before is None else before.grow_more
        self._forest, self._grown = shared(
            grow, data, json.dumps(settings), threads=self._threads(), executor=executor,
            progress=progress_of(bool(self.verbose) or None, "growing trees"))
        self._data, self._grown_with, self._scored_by = data, settings, self.oob_score
        self._importances = None
        self._set_oob_score_and_attributes(y)
        return self

    def _data_and_settings(self, X: Any, y: Any, sample_weight: Any, clusters: Any
                           ) -> tuple[_native.Dataset, np.ndarray, dict[str, Any]]:
        """The data and the settings of the engine, with the target as it was checked."""
        table, y = self._table_and_target(X, y)
        cells = self._target_cells(y)
        weights = self._with_class_weight(y, checked_weights(sample_weight, table.n_rows))
        data = _native.Dataset(table, self._target_name, cells, weights=weights,
                               clusters=cluster_codes(clusters, table.n_rows))
        return data, y, self._settings(table.n_rows, table.names)

    def _continues(self, data: _native.Dataset, settings: dict[str, Any]) -> bool:
        """Trees do not depend on how many there are: more of them begin with those of before and
        have their seed, unless anything else was changed."""
        if not self.warm_start or not hasattr(self, "_grown_with"):
            return False
        changed = {name: settings[name] for name in ("n_trees", "seed")}
        return {**self._grown_with, **changed} == settings and self._data.is_same(data)

    def _has_all_trees(self) -> bool:
        """Whether a warm start has no trees to add."""
        wanted = _checks.flag("warm_start", self.warm_start)
        if not (wanted and hasattr(self, "_grown_with") and isinstance(self.n_estimators, Integral)):
            return False
        before = self._forest.n_trees
        if self.n_estimators < before:
            raise SettingError(
                f"n_estimators={self.n_estimators} is less than the {before} trees there are",
                help="with warm_start=True, give as many trees as there are or more")
        return bool(self.n_estimators == before)

    def _scored_anew(self) -> Self:
        """The forest as it is, with the out-of-bag score that is wanted now."""
        if self.oob_score != self._scored_by:
            self._check_oob_score(self._grown_with["sampling"] != "all")
            self._scored_by = self.oob_score
            self._set_oob_score_and_attributes(self._training_target())
        return self

    def _keep_oob_score(self, usual: OutOfBagScore, y: np.ndarray, predicted: np.ndarray,
                        seen: np.ndarray) -> None:
        """Keeps the score of the out-of-bag predictions if it is wanted, and none of a fit before."""
        self._oob_score = None
        if not self.oob_score:
            return
        if not seen.all():
            warnings.warn("Some inputs do not have OOB scores: more trees would leave every row out "
                          "of some bag", UserWarning, stacklevel=5)
        score = self.oob_score if callable(self.oob_score) else usual
        found = score(y[seen], predicted[seen]) if seen.sum() > 1 else float("nan")
        self._oob_score = _checks.number("oob_score", found, what="what oob_score returned")

    def _with_class_weight(self, y: np.ndarray, weights: Floats | None) -> Floats | None:
        return weights

    @property
    def oob_score_(self) -> float:
        """The score of the out-of-bag predictions, of forests with ``oob_score``.

        Returns
        -------
        float
            R squared, or the share of right classes, or what the function ``oob_score`` returns; NaN
            where there are no such predictions.

        Raises
        ------
        AttributeError
            Before ``fit``, and of forests without ``oob_score``.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> forest = wald.RandomForestRegressor(100, oob_score=True).fit(data.inputs, data.target)
        >>> bool(forest.oob_score_ > 0.7)
        True
        """
        if self._oob_score is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'oob_score_': it is "
                                 "there after fit if oob_score is True")
        return self._oob_score

    @oob_score_.setter
    def oob_score_(self, score: float) -> None:
        # Subclasses that extend those of scikit-learn assign it.
        self._oob_score = score

    @property
    def feature_importances_(self) -> Floats:
        """The mean decrease in impurity as scikit-learn normalises it.

        These are shares of variables, in every tree and then of all: ``importance("mdi",
        normalise="sum")``. It favours variables of many values and ignores the test error;
        ``importance`` offers better measures.

        Returns
        -------
        ndarray of shape (n_features,)
            They add up to 1; 0 where undefined.

        Raises
        ------
        NotFittedError
            Before ``fit``.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0, 1], [1, 1], [2, 1]], [0, 1, 2])
        >>> forest.feature_importances_
        array([1., 0.])
        """
        self._check_grown()
        if self._importances is None:
            found = self.importance("mdi", normalise="sum", progress=False)
            self._importances = np.nan_to_num(found.values)
        return self._importances

    def _table_and_target(self, X: Any, y: Any) -> tuple[_native.Table, np.ndarray]:
        given = y
        is_number = self._target_dtype is not None
        n_targets = n_columns(y)
        X, y = prepared(X), self._prepared(y)
        if not is_frame(X):
            with refusals("X and y", X):
                X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=is_number,
                                     ensure_all_finite="allow-nan", multi_output=n_targets > 1)
            columns = matrix_columns(X, self._names())
            self._name_targets(given, y, columns)
            self._kinds = kinds_of(X, columns)
            return _native.Table(columns), y
        columns = columns_of(X)
        table = _native.Table(columns)
        note_names(self, X, table.names)
        self.n_features_in_ = len(table.names)
        with refusals("y"):
            y = column_or_1d(y, warn=True) if n_targets == 1 else y
            y = check_array(y, ensure_2d=False, dtype=self._target_dtype, input_name="y")
            check_consistent_length(range(table.n_rows), y)
        self._name_targets(given, y, columns)
        self._kinds = kinds_of(X, columns)
        return table, y

    def _name_targets(self, given: Any, y: np.ndarray, columns: list[tuple[str, Cells]]) -> None:
        names, cells_of = [name for name, _ in columns], dict(columns).__getitem__
        self._target_columns = frame_names(given) if y.ndim > 1 else None
        if y.ndim > 1:
            self._target_names = target_names(given, y, names, cells_of)
        self._target_name = target_name(given, y, names, cells_of)

    def _test(self, X: Any, y: Any, sample_weight: Any = None) -> _native.Dataset:
        """Rows that the forest never saw, with their target and their case weights."""
        table, n_targets, y = self._table(X), n_columns(y), self._prepared_again(y)
        with refusals("y"):
            if n_targets == 1:
                y = column_or_1d(y, dtype=self._target_dtype, warn=True)
            else:
                y = check_array(y, dtype=self._target_dtype, input_name="y")
            self._check_outputs(n_targets)
        return _native.Dataset(table, self._target_name, self._known_cells(y),
                               weights=checked_weights(sample_weight, table.n_rows))

    def _check_outputs(self, n_targets: int) -> None:
        """Refuses another number of targets than the forest has."""
        if n_targets != self.n_outputs_:
            columns = "column" if n_targets == 1 else "columns"
            raise DataError(f"y has {n_targets} {columns}, but the forest predicts {self.n_outputs_}",
                            help="give the targets of the fit, in their order")

    def _prepared(self, y: Any) -> Any:
        return prepared_target(y, is_number=self._target_dtype is not None, of=type(self).__name__)

    def _prepared_again(self, y: Any) -> Any:
        """The target of other rows; several targets of a frame must be in the order of the fit."""
        known, names = self._target_columns, frame_names(y)
        if known and names and names != known and sorted(names) == sorted(known):
            raise DataError(f"the columns of y are {names}; those of the fit are {known}",
                            help="give the same targets in the same order")
        return self._prepared(y)

    def _table(self, X: Any) -> _native.Table:
        self._check_grown()
        X = prepared(X)
        known = self._forest.feature_names
        if is_frame(X):
            columns = columns_of(X, self._kinds_of(X))
            compare_names(self, X, [name for name, _ in columns], self._names())
            # Of a forest fitted without names, columns are those in their places.
            return _native.Table([(name, cells) for name, (_, cells) in zip(known, columns)])
        with refusals("X to predict", X):
            X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan",
                              reset=False)
        return _native.Table(matrix_columns(X, known))

    def _kinds_of(self, X: Any) -> list[Kind] | None:
        """What the columns of a frame were in training; none of other columns, which are refused by
        their names."""
        names = frame_names(X) or []
        is_alike = names == self._names() if hasattr(self, "feature_names_in_") else (
            len(names) == self.n_features_in_)
        return self._kinds if is_alike else None

    def _notes_on_rows(self, table: _native.Table) -> list[str]:
        columns = table.columns()
        # The columns of training are copies, which may take memory.
        has_levels = any(isinstance(cells, tuple) for _, cells in columns)
        return notes_on_levels(columns, self._data.table.columns()) if has_levels else []

    def _names(self) -> list[str]:
        names = getattr(self, "feature_names_in_", None)
        if names is not None:
            return [str(name) for name in names]
        return [f"x{at}" for at in range(self.n_features_in_)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        tags.target_tags.multi_output = self._takes_several_targets()
        return tags
