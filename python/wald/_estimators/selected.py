"""Transforming and predicting with a fitted selector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from wald._tables.columns import is_frame
from wald._tables.refusals import prepared, refusals
from wald.errors import DataError

Method = TypeVar("Method", bound=Callable[..., Any])


def _if_estimator_has(name: str) -> Callable[[Method], Method]:
    """Decorates methods that are there where the estimator has one of that name."""
    decorator: Callable[[Method], Method] = available_if(
        lambda selector: hasattr(selector.estimator, name))
    return decorator


class Selected(SelectorMixin):
    """A selector with ``support_`` and ``estimator_``, when it is fitted."""

    support_: NDArray[np.bool_]
    estimator_: Any

    def _get_support_mask(self) -> NDArray[np.bool_]:
        self._fitted()
        return self.support_

    def _kept(self, X: Any) -> Any:
        """The columns kept, of a table of any kind."""
        if is_frame(X):
            places = np.flatnonzero(self.support_).tolist()
            if hasattr(X, "iloc"):
                return X.iloc[:, places]
            return X[:, places] if hasattr(X, "get_column") else X.select(places)
        return np.asarray(X)[:, self.support_]

    def _seen(self, X: Any) -> Any:
        self._fitted()
        X = prepared(X)
        with refusals("X to predict", X):
            if is_frame(X):
                validate_data(self, X, reset=False, skip_check_array=True)
            else:
                X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan",
                                  reset=False)
        return self._kept(X)

    def transform(self, X: Any) -> Any:
        """Keep the variables selected.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with all columns of the fit.

        Returns
        -------
        array or data frame of shape (n_samples, n_features_)
            Of the kind of ``X``: texts and categories stay as they are.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        DataError
            When X has other columns than the table of the fit.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=100, seed=1)
        >>> selector = wald.RFE(wald.ExtraTreesRegressor(20), measure="mdi", folds=3, step=3)
        >>> selector.fit(data.inputs, data.target).transform(data.inputs).shape
        (100, 4)
        """
        return self._seen(X)

    @_if_estimator_has("predict")
    def predict(self, X: Any) -> Any:
        """Predict by ``estimator_``, from all columns.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with all columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples,)
            In units of the target, or classes.

        Raises
        ------
        NotFittedError, DataError
            As for ``transform``.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=100, seed=1)
        >>> selector = wald.RFE(wald.ExtraTreesRegressor(20), measure="mdi", folds=3, step=3)
        >>> selector.fit(data.inputs, data.target).predict(data.inputs).shape
        (100,)
        """
        return self._predictor().predict(self._seen(X))

    @_if_estimator_has("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        """Predict the shares of the classes by ``estimator_``, from all columns.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with all columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``.

        Raises
        ------
        NotFittedError, DataError
            As for ``transform``.

        Examples
        --------
        >>> import wald
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> selector = wald.RFE(wald.ExtraTreesClassifier(20), measure="mdi", folds=3)
        >>> selector.fit(X, y).predict_proba(X).shape
        (150, 3)
        """
        return self._predictor().predict_proba(self._seen(X))

    @_if_estimator_has("score")
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R squared or accuracy of ``estimator_``.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with all columns of the fit.
        y : array of shape (n_samples,)
            Their target.
        sample_weight : array of shape (n_samples,), optional
            Weights of rows; equal unless given.

        Returns
        -------
        float
            At most 1.

        Raises
        ------
        NotFittedError, DataError
            As for ``transform``.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=100, seed=1)
        >>> selector = wald.RFE(wald.ExtraTreesRegressor(20), measure="mdi", folds=3, step=3)
        >>> selector.fit(data.inputs, data.target).score(data.inputs, data.target) > 0.9
        True
        """
        with refusals("score"):
            return float(self._predictor().score(self._seen(X), y, sample_weight=sample_weight))

    def _fitted(self) -> Any:
        with refusals("score"):
            check_is_fitted(self, "estimator_")
        return self.estimator_

    def _predictor(self) -> Any:
        estimator = self._fitted()
        if estimator is None:
            raise DataError("no variable was selected, so there is nothing to predict by",
                            help="look at what the selector found, or select less strictly")
        return estimator
