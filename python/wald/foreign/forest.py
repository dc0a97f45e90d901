"""A forest that another program has grown."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald import _native
from wald._forest import FittedForest
from wald._measures import measures
from wald._results import Importance, LocalImportance
from wald.errors import DataError, MeasureError
from wald.foreign.told import Told


class ForeignForest(FittedForest):
    """A forest of another program, with the measures that can be taken of it.

    Made by :func:`wald.from_sklearn`, :func:`wald.from_lightgbm`, :func:`wald.from_xgboost`,
    :func:`wald.from_ydf`, :func:`wald.from_ranger` and :func:`wald.read_forest`. It never changes
    and can be pickled.

    Attributes
    ----------
    program : str
        The program that grew it.
    n_features_in_ : int
        Number of variables.
    feature_names_in_ : ndarray of str of shape (n_features_in_,)
        Names of the variables.
    n_trees : int
        Number of trees.
    link : str
        How predictions follow from what trees say: "identity", or "logistic", "softmax" or
        "exponential" of their sum ("score": a sum that ranks rows).
    notes : list of str
        What the reader must know about the import.
    """

    # Threads of measures and predictions; -1 for all processors.
    n_jobs: int | None = -1

    def __init__(self, forest: _native.Forest, data: _native.Dataset | None, told: Told) -> None:
        self._forest = forest
        self._data = data  # type: ignore[assignment]
        self._told = told
        self.program = told.program
        self.feature_names_in_ = np.array(told.rows.names, dtype=object)
        self.n_features_in_ = len(told.rows.names)
        self.n_trees = forest.n_trees
        self.link = told.link
        self.notes = list(told.notes)

    def importance(self, measure: str = "mda_breiman_cutler", **settings: Any) -> Importance:
        """How much every variable matters, by one measure; see
        :meth:`wald.RandomForestRegressor.importance` for the settings.

        Raises
        ------
        MeasureError
            Where the measure needs what this forest does not have, such as out-of-bag rows; it
            says what to use instead.
        """
        self._check_training("measures")
        self._check_measure(measure, settings)
        return super().importance(measure, **settings)

    def explain(self, X: Any = None, measure: str = "tree_shap", **settings: Any
                ) -> LocalImportance:
        """What variables do to what trees say of single rows; see
        :meth:`wald.RandomForestRegressor.explain`.

        Of a forest with a link, values add up to the sum of the trees (log-odds of "logistic",
        scores of "softmax", the logarithm of "exponential"), as those of its own program do.
        """
        self._check_training("explanations")
        if settings.get("out_of_bag") and self._told.no_bags:
            raise MeasureError(
                f"out_of_bag=True needs out-of-bag rows, but {self._told.no_bags}",
                help="leave it out")
        return super().explain(X, measure, **settings)

    def _check_training(self, what: str) -> None:
        if self._data is None:
            raise DataError(
                f"{what} look at the rows that the forest was grown on, which are not known",
                help="give them: wald.read_forest(path, X, y)")

    def _check_measure(self, measure: str, settings: dict[str, Any]) -> None:
        infos = measures()
        known = (each for each in infos if each["kind"] == "importance")
        info = next((each for each in known if each["id"] == measure), None)
        if info is None:
            return  # The engine lists those that there are.
        if "out_of_bag_rows" in info["needs"] and self._told.no_bags:
            raise MeasureError(
                f"measure `{measure}` needs out-of-bag rows, but {self._told.no_bags}",
                help=self._instead())
        if self.link != "identity" and (info["regression_losses"] or settings.get("loss")):
            raise MeasureError(
                f"measure `{measure}` compares predictions with the target, but the trees of this "
                f"forest sum up to {_sums(self.link)}",
                help='use "mdi", "tree_shap", "split_count" or "minimal_depth"')

    def _instead(self) -> str:
        if self.link != "identity":
            return 'use "mdi", "tree_shap", "split_count" or "minimal_depth"'
        return 'use "mda_train_test" with test=(X, y) of rows that the forest never saw, or "mdi"'

    def _table(self, X: Any) -> _native.Table:
        return self._told.rows.table(X)

    def _threads(self) -> int | None:
        return None if self.n_jobs in (None, -1) else self.n_jobs

    def _test(self, X: Any, y: Any) -> _native.Dataset:
        return self._told.dataset(X, y)

    def _sums(self, X: Any) -> np.ndarray:
        return self._predicted(X) * self._told.slope

    def __repr__(self) -> str:
        return (f"{type(self).__name__}(program={self.program!r}, n_trees={self.n_trees}, "
                f"n_features={self.n_features_in_})")


class ForeignRegressor(ForeignForest):
    """A forest of another program that predicts numbers."""

    def predict(self, X: Any) -> np.ndarray:
        """Predict numbers, as the program does up to rounding.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        sums = self._sums(X)[:, 0]
        return _linked(sums, self.link)


class ForeignClassifier(ForeignForest):
    """A forest of another program that predicts classes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, in the order of columns of :meth:`predict_proba`.
    """

    def __init__(self, forest: _native.Forest, data: _native.Dataset | None, told: Told) -> None:
        super().__init__(forest, data, told)
        assert told.target.classes is not None
        self.classes_ = told.target.classes
        self.n_classes_ = len(self.classes_)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Predict the shares of the classes, as the program does up to rounding.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        sums = self._sums(X)
        if self.link == "logistic":
            of_second = _linked(sums[:, 0], "logistic")
            return np.column_stack([1 - of_second, of_second])
        return _linked(sums, self.link)

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of the largest share.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def decision_function(self, X: Any) -> np.ndarray:
        """What the trees say together, before any link.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        sums = self._predicted(X)
        return sums[:, 0] if sums.shape[1] == 1 else sums


def _linked(sums: np.ndarray, link: str) -> np.ndarray:
    if link == "logistic":
        # Of either sign without overflow.
        return 0.5 * (1 + np.tanh(0.5 * sums))
    if link == "softmax":
        shares = np.exp(sums - sums.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)
    return np.exp(sums) if link == "exponential" else sums


def _sums(link: str) -> str:
    return {"logistic": "log-odds", "softmax": "scores of classes",
            "exponential": "the logarithm of what is predicted",
            "score": "a score that ranks rows"}[link]
