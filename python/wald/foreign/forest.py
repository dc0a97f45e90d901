"""A forest that another program has grown."""

from __future__ import annotations

from typing import Any, NamedTuple, Union

import numpy as np

import wald._native as _native
from wald._estimators.fitted import FittedForest
from wald._results.measures import measures
from wald._tables.rows import checked_weights
from wald.errors import DataError, MeasureError
from wald.foreign.source import Source
from wald.typing import Floats


# Units of the engine that are others where nodes hold gains, and where a link follows.
IMPURITIES_OF_NODES = ("variance of the target", "Gini impurity of the target")
PREDICTED = "units of the prediction"
AGGREGATES = ("mean absolute value, in {}", "mean, in {}",
              "covariance with the response, in {} times that of the target")


class Sums(NamedTuple):
    """What sums of trees are called."""

    sums: str
    # Before "of" and the name of the target or class.
    short: str


# By link, what the trees sum up to.
LINKED = {
    "logistic": Sums("log-odds", "log-odds"),
    "softmax": Sums("scores of classes", "score"),
    "exponential": Sums("the logarithm of what is predicted", "logarithm"),
    "score": Sums("a score that ranks rows", "ranking score"),
}


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

    def _check_explanation(self, measure: str, settings: dict[str, Any]) -> None:
        self._check_training("explanations")
        if settings.get("out_of_bag") and self._source.no_bags:
            raise MeasureError(
                f"out_of_bag=True needs out-of-bag rows, but {self._source.no_bags}",
                help="leave it out")
        self._check_fit("explain", measure, settings, 'use "tree_shap"')

    def _check_measure(self, measure: str, settings: dict[str, Any]) -> None:
        self._check_training("measures")
        self._check_fit("importance", measure, settings, (
            'use "mda_train_test" with test=(X, y) of rows that the forest never saw, or "mdi"'
            if self.link == "identity" else
            'use "mdi", "tree_shap", "split_count" or "minimal_depth"'))

    def _check_fit(self, kind: str, measure: str, settings: dict[str, Any], instead: str) -> None:
        info = measures().find(kind, measure)
        if info is None:
            return  # The engine lists those that there are.
        # Local measures of out-of-bag rows have the names of global ones, which state their needs.
        global_one = measures().find("importance", info["id"]) or {"needs": []}
        if "out_of_bag_rows" in global_one["needs"] and self._source.no_bags:
            raise MeasureError(
                f"measure `{measure}` needs out-of-bag rows, but {self._source.no_bags}",
                help=instead)
        if self.link == "identity":
            return
        if info["regression_losses"] or info["classification_losses"]:
            raise MeasureError(
                f"measure `{measure}` compares predictions with the target, but the trees of this "
                f"forest sum up to {_sums(self.link)}", help=instead)
        if settings.get("impurity") and "impurity" in info["options"]:
            raise MeasureError(
                f"measure `{measure}` has no impurity to choose: the nodes of this forest hold "
                "gains of its objective", help="leave the impurity out")

    def _check_weights(self, what: str) -> None:
        self._check_training(what)
        if self._source.no_bags and not self._forest.has_bags:
            raise DataError(
                f"{what} need the rows that every tree saw, but {self._source.no_bags}",
                help="import a forest of a program that stores them, such as scikit-learn")

    def _check_leaves(self, what: str) -> None:
        self._check_training(what)
        if self.link != "identity":
            raise DataError(
                f"{what} need leaves that predict the target, but the trees of this forest sum up "
                f"to {_sums(self.link)}",
                help="give a forest whose trees are averaged and that has no link")

    def _units(self) -> dict[str, str]:
        units = {}
        if self._source.gain:
            units = dict.fromkeys(IMPURITIES_OF_NODES, self._source.gain)
        if self.link != "identity":
            units |= {unit.format(PREDICTED): unit.format(_sums(self.link))
                      for unit in AGGREGATES}
        return units

    def _sums_called(self) -> str | None:
        return LINKED[self.link].short if self.link != "identity" else None

    def _dense(self, X: Any) -> Any:
        return self._source.rows.dense(X)

    def _table(self, X: Any) -> _native.Table:
        return self._source.rows.table(X)

    def _test(self, X: Any, y: Any, sample_weight: Any = None) -> _native.Dataset:
        weights = None if sample_weight is None else checked_weights(sample_weight, len(y))
        return self._source.dataset(X, y, weights)

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
    return LINKED[link].sums
