"""A forest that another program has grown."""

from __future__ import annotations

from typing import Any, Union

import numpy as np

import wald._native as _native
from wald._estimators.fitted import FittedForest
from wald._results.measures import measures
from wald.errors import DataError, MeasureError
from wald.foreign.source import Source
from wald.typing import Floats


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
        How predictions follow from the trees: "identity", or "logistic", "softmax" or
        "exponential" of their sum ("score": a sum that ranks rows).
    notes : list of str
        Caveats about the import.

    Notes
    -----
    Of a forest with a link, local values add up to the sum of the trees (log-odds of "logistic",
    scores of "softmax", the logarithm of "exponential"), as those of its own program do.

    Examples
    --------
    >>> import wald
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> fitted = RandomForestRegressor(20, random_state=0).fit(data.inputs, data.target)
    >>> wald.from_sklearn(fitted, data.inputs, data.target)
    ForeignRegressor(program='scikit-learn', n_trees=20, n_features=10)
    """

    # Threads of measures and predictions; -1 for all processors.
    n_jobs: int | None = -1

    def __init__(self, forest: _native.Forest, data: _native.Dataset | None, source: Source
                 ) -> None:
        self._forest = forest
        self._data = data  # type: ignore[assignment]
        self._source = source
        self.program = source.program
        self.feature_names_in_ = np.array(source.rows.names, dtype=object)
        self.n_features_in_ = len(source.rows.names)
        self.n_trees = forest.n_trees
        self.link = source.link
        self.notes = list(source.notes)

    def _check_training(self, what: str) -> None:
        if self._data is None:
            raise DataError(
                f"{what} need the rows that the forest was grown on, which are not known",
                help="give them: wald.read_forest(path, X, y)")

    def _check_explanation(self, settings: dict[str, Any]) -> None:
        self._check_training("explanations")
        if settings.get("out_of_bag") and self._source.no_bags:
            raise MeasureError(
                f"out_of_bag=True needs out-of-bag rows, but {self._source.no_bags}",
                help="leave it out")

    def _check_measure(self, measure: str, settings: dict[str, Any]) -> None:
        self._check_training("measures")
        info = measures().find("importance", measure)
        if info is None:
            return  # The engine lists those that there are.
        if "out_of_bag_rows" in info["needs"] and self._source.no_bags:
            raise MeasureError(
                f"measure `{measure}` needs out-of-bag rows, but {self._source.no_bags}",
                help=self._instead())
        if self.link != "identity" and (info["regression_losses"] or settings.get("loss")):
            raise MeasureError(
                f"measure `{measure}` compares predictions with the target, but the trees of this "
                f"forest sum up to {_sums(self.link)}",
                help=self._instead())

    def _instead(self) -> str:
        if self.link != "identity":
            return 'use "mdi", "tree_shap", "split_count" or "minimal_depth"'
        return 'use "mda_train_test" with test=(X, y) of rows that the forest never saw, or "mdi"'

    def _table(self, X: Any) -> _native.Table:
        return self._source.rows.table(X)

    def _test(self, X: Any, y: Any) -> _native.Dataset:
        return self._source.dataset(X, y)

    def _unit(self) -> str:
        return super()._unit() if self.link == "identity" else _sums(self.link)

    def _sums(self, X: Any) -> Floats:
        return self._predicted(X) * self._source.slope

    def __repr__(self) -> str:
        return (f"{type(self).__name__}(program={self.program!r}, n_trees={self.n_trees}, "
                f"n_features={self.n_features_in_})")


class ForeignRegressor(ForeignForest):
    """A forest of another program that predicts numbers; see :class:`ForeignForest`.

    Examples
    --------
    >>> import wald
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0]
    >>> forest = wald.from_sklearn(DecisionTreeRegressor().fit(X, y), X, y)
    >>> forest.importance("mdi").values.round(3)
    array([2.889])
    """

    def predict(self, X: Any) -> Floats:
        """Predict numbers, as the program does up to rounding.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns that the forest uses.

        Returns
        -------
        ndarray of shape (n_samples,)
            In units of the target.

        Raises
        ------
        DataError
            When X lacks columns of the forest, or holds what cannot be used.

        Examples
        --------
        >>> import wald
        >>> from sklearn.tree import DecisionTreeRegressor
        >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0]
        >>> wald.from_sklearn(DecisionTreeRegressor().fit(X, y), X, y).predict([[5.0]])
        array([4.])
        """
        return _linked(self._sums(X)[:, 0], self.link)


class ForeignClassifier(ForeignForest):
    """A forest of another program that predicts classes; see :class:`ForeignForest`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, in the order of columns of :meth:`predict_proba`.
    n_classes_ : int
        Their number.

    Examples
    --------
    >>> import wald
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = [[0.0], [1.0], [2.0]], ["no", "no", "yes"]
    >>> wald.from_sklearn(DecisionTreeClassifier().fit(X, y), X, y).classes_.tolist()
    ['no', 'yes']
    """

    def __init__(self, forest: _native.Forest, data: _native.Dataset | None, source: Source
                 ) -> None:
        super().__init__(forest, data, source)
        assert source.target.classes is not None
        self.classes_ = source.target.classes
        self.n_classes_ = len(self.classes_)

    def predict_proba(self, X: Any) -> Floats:
        """Predict the shares of the classes, as the program does up to rounding.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns that the forest uses.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``; rows add up to 1.

        Raises
        ------
        DataError
            When X lacks columns of the forest, or holds what cannot be used.

        Examples
        --------
        >>> import wald
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> X, y = [[0.0], [1.0], [2.0]], ["no", "no", "yes"]
        >>> wald.from_sklearn(DecisionTreeClassifier().fit(X, y), X, y).predict_proba([[5.0]])
        array([[0., 1.]])
        """
        sums = self._sums(X)
        shares = _linked(sums, self.link)
        return np.hstack([1 - shares, shares]) if self.link == "logistic" else shares

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of the largest share.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns that the forest uses.

        Returns
        -------
        ndarray of shape (n_samples,)
            Of shares that are equal, the first in the order of ``classes_``.

        Raises
        ------
        DataError
            When X lacks columns of the forest, or holds what cannot be used.

        Examples
        --------
        >>> import wald
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> X, y = [[0.0], [1.0], [2.0]], ["no", "no", "yes"]
        >>> wald.from_sklearn(DecisionTreeClassifier().fit(X, y), X, y).predict([[5.0]]).tolist()
        ['yes']
        """
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[np.argmax(shares, axis=1)])

    def decision_function(self, X: Any) -> Floats:
        """The sum or mean of the trees, before any link.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns that the forest uses.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Log-odds, scores or shares, by ``link``; one column where two classes have one.

        Raises
        ------
        DataError
            When X lacks columns of the forest, or holds what cannot be used.

        Examples
        --------
        >>> import wald
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> X, y = [[0.0], [1.0], [2.0]], ["no", "no", "yes"]
        >>> forest = wald.from_sklearn(DecisionTreeClassifier().fit(X, y), X, y)
        >>> forest.decision_function([[5.0]])
        array([[0., 1.]])
        """
        sums = self._predicted(X)
        return sums if sums.shape[1] > 1 else sums.ravel()


# A forest of another program, by what it predicts.
Imported = Union[ForeignRegressor, ForeignClassifier]


def _linked(sums: Floats, link: str) -> Floats:
    if link == "logistic":
        # Of either sign without overflow.
        return 0.5 * (1 + np.tanh(0.5 * sums))
    if link == "softmax":
        shares: Floats = np.exp(sums - sums.max(axis=1, keepdims=True))
        return np.asarray(shares / np.sum(shares, axis=1, keepdims=True))
    return np.asarray(np.exp(sums)) if link == "exponential" else sums


def _sums(link: str) -> str:
    return {"logistic": "log-odds", "softmax": "scores of classes",
            "exponential": "the logarithm of what is predicted",
            "score": "a score that ranks rows"}[link]
