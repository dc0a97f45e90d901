"""Regressors and classifiers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets

from wald._estimators.base import Forest
from wald._tables.columns import Cells, class_name
from wald._tables.refusals import refusals
from wald.errors import DataError, SettingError
from wald.typing import Floats, OutOfBagScore


def _out_of_bag_score(asked: bool | OutOfBagScore, usual: OutOfBagScore, y: np.ndarray,
                      predicted: np.ndarray, seen: np.ndarray) -> float:
    """The score of the rows that have out-of-bag predictions."""
    if asked and not seen.all():
        warnings.warn("Some inputs do not have OOB scores: more trees would leave every row out of "
                      "some bag", UserWarning, stacklevel=4)
    if seen.sum() < 2:
        return float("nan")
    return float((asked if callable(asked) else usual)(y[seen], predicted[seen]))


def _check_counts(y: Floats) -> None:
    """Refuses what has no Poisson deviance, in the words of scikit-learn, which programs look for."""
    help = 'use criterion="squared_error", or a target of counts or rates'
    if (y < 0).any():
        row = int(np.argmax(y < 0))
        raise DataError("Some value(s) of y are negative which is not allowed for Poisson "
                        f"regression. Row {row + 1} is {y[row]:g}", help=help)
    if not (y > 0).any():
        raise DataError("Sum of y is not strictly positive which is necessary for Poisson "
                        "regression. All rows are 0", help=help)


class Regressor(RegressorMixin, Forest):
    """What regressors share.

    Parameters
    ----------
    criterion : {"squared_error", "friedman_mse", "absolute_error", "poisson"}
        What splits reduce: the variance; the mean absolute deviation from the median, which nodes
        then predict, so that measures of means refuse; half the Poisson deviance of a target of
        counts or rates. The second is deprecated; it splits as the first.

    Attributes
    ----------
    oob_score_ : float
        R squared of the out-of-bag predictions, or the score by ``oob_score``; NaN where there
        are none.
    oob_prediction_ : ndarray of shape (n_samples,)
        Out-of-bag predictions of training rows, in units of the target; NaN where all trees saw
        a row.
    """

    _target_dtype = np.float64
    _criteria = ("squared_error", "friedman_mse", "absolute_error", "poisson")

    def _target_cells(self, y: Any) -> Cells:
        with refusals("y"):
            cells: Floats = np.ascontiguousarray(y, dtype=np.float64)
        if isinstance(self.criterion, str) and self.criterion == "poisson":
            _check_counts(cells)
        return cells

    def predict(self, X: Any) -> Floats:
        """Predict numbers.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples,)
            Means over trees, in units of the target.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        DataError
            When X has other columns than the table of the fit, or holds what cannot be used.

        Notes
        -----
        Cost: about rows times trees times depth.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> forest.predict([[0.0], [2.0]])
        array([0., 2.])
        """
        return self._predicted(X).ravel()

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R squared of the predictions of rows.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit; rows that the forest never saw estimate its error.
        y : array of shape (n_samples,)
            Their target.
        sample_weight : array of shape (n_samples,), optional
            Weights of rows; equal unless given.

        Returns
        -------
        float
            1 - squared error / variance; at most 1.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        DataError
            When X, y and weights do not fit together or the forest.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> forest.score([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        1.0
        """
        with refusals("score"):
            return float(super().score(X, self._prepared(y), sample_weight=sample_weight))

    def _set_out_of_bag(self, y: np.ndarray) -> None:
        self.oob_prediction_ = found = self._grown["out_of_bag"][:, 0]
        self.oob_score_ = _out_of_bag_score(
            self.oob_score, r2_score, y, found, ~np.isnan(found))


class Classifier(ClassifierMixin, Forest):
    """What classifiers share.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss"}
        What splits reduce.
    class_weight : dict, "balanced" or "balanced_subsample"
        Weights of classes, which multiply those of rows. The last weighs the draws of every tree
        such that all classes that were drawn weigh the same: rows then have no weights that all
        trees share, which some measures need and others do without.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_classes_ : int
        Their number.
    oob_score_ : float
        Share of right out-of-bag predictions, or the score by ``oob_score``; NaN where there are
        none.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag shares of the classes; NaN where all trees saw a row.
    """

    _target_dtype = None
    _criteria = ("gini", "entropy", "log_loss")

    def _known_cells(self, y: Any) -> Cells:
        known = np.isin(y, self.classes_)
        if not known.all():
            raise DataError(
                f"row {int(np.argmin(known)) + 1} is of class {class_name(y[~known][0])!r}, which "
                "was not there in training", help="leave such rows out")
        codes = np.searchsorted(self.classes_, y).astype(np.uint32)
        return [class_name(name) for name in self.classes_], codes

    def _target_cells(self, y: Any) -> Cells:
        with refusals("classes"):
            check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        return [class_name(name) for name in self.classes_], codes.astype(np.uint32)

    def _settings(self, n_rows: int, names: list[str]) -> dict[str, Any]:
        settings = super()._settings(n_rows, names)
        if "monotonic" in settings and self.n_classes_ > 2:
            # The words of scikit-learn, which programs look for.
            raise SettingError(
                "Monotonicity constraints are not supported with multiclass classification: there "
                f"are {self.n_classes_} classes, whose probabilities have no common direction",
                setting="monotonic_cst", help="leave monotonic_cst out, or predict two classes")
        return settings

    def predict_proba(self, X: Any) -> Floats:
        """Predict the shares of the classes.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Means over trees, in the order of ``classes_``; rows add up to 1.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        DataError
            When X has other columns than the table of the fit, or holds what cannot be used.

        Notes
        -----
        Cost: about rows times trees times depth.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesClassifier(20).fit([[0.0], [1.0]], ["no", "yes"])
        >>> forest.predict_proba([[0.0], [1.0]])
        array([[1., 0.],
               [0., 1.]])
        """
        return self._predicted(X)

    def predict_log_proba(self, X: Any) -> Floats:
        """Predict the natural logarithm of the shares of the classes.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``; minus infinity where a share is 0.

        Raises
        ------
        NotFittedError, DataError
            As for ``predict_proba``.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesClassifier(20).fit([[0.0], [1.0]], ["no", "yes"])
        >>> forest.predict_log_proba([[0.0]])
        array([[  0., -inf]])
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of the largest share.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples,)
            Of shares that are equal, the first in the order of ``classes_``.

        Raises
        ------
        NotFittedError, DataError
            As for ``predict_proba``.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesClassifier(20).fit([[0.0], [1.0]], ["no", "yes"])
        >>> forest.predict([[0.0], [1.0]]).tolist()
        ['no', 'yes']
        """
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[np.argmax(shares, axis=1)])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose class is predicted.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit; rows that the forest never saw estimate its error.
        y : array of shape (n_samples,)
            Their classes.
        sample_weight : array of shape (n_samples,), optional
            Weights of rows; equal unless given.

        Returns
        -------
        float
            Between 0 and 1.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        DataError
            When X, y and weights do not fit together or the forest.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesClassifier(20).fit([[0.0], [1.0]], ["no", "yes"])
        >>> forest.score([[0.0], [1.0]], ["no", "no"])
        0.5
        """
        with refusals("score"):
            return float(super().score(X, self._prepared(y), sample_weight=sample_weight))

    def _with_class_weight(self, y: np.ndarray, weights: Floats | None) -> Floats | None:
        if self.class_weight is None or self._weighs_anew():
            return weights
        try:
            of_classes: Floats = compute_sample_weight(self.class_weight, y)
        except (TypeError, ValueError) as error:
            raise SettingError(
                f"class_weight is {self.class_weight!r}: {error}",
                help='give "balanced", "balanced_subsample", a dict of a weight for every class, '
                     "or None") from error
        return of_classes if weights is None else weights * of_classes

    def _set_out_of_bag(self, y: np.ndarray) -> None:
        self.oob_decision_function_ = found = self._grown["out_of_bag"]
        codes = np.searchsorted(self.classes_, y)
        self.oob_score_ = _out_of_bag_score(
            self.oob_score, accuracy_score, codes, np.argmax(found, axis=1),
            ~np.isnan(found[:, 0]))
