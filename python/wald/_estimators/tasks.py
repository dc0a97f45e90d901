"""Regressors and classifiers."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets

from wald._estimators.base import Forest
from wald._estimators.several import Outputs, by_target, indicators, likeliest, named, numbers
from wald._tables.columns import class_name
from wald._tables.objects import Cells
from wald._tables.refusals import check_counts, refusals
from wald.errors import DataError, SettingError
from wald.typing import Floats


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
    oob_prediction_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        Out-of-bag predictions of training rows, in units of the target; NaN where all trees saw
        a row.
    """

    _target_dtype = np.float64
    _criteria = ("squared_error", "friedman_mse", "absolute_error", "poisson")

    def _known_cells(self, y: Any) -> Cells | Outputs:
        with refusals("y"):
            if y.ndim > 1:
                return numbers(y, self._target_names)
            return np.ascontiguousarray(y, dtype=np.float64)

    def _target_cells(self, y: Any) -> Cells | Outputs:
        self.n_outputs_ = 1 if y.ndim == 1 else y.shape[1]
        if self.n_outputs_ == 1 and str(self.criterion) == "poisson":
            check_counts(y)
        return self._known_cells(y)

    def predict(self, X: Any) -> Floats:
        """Predict numbers.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
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
        found = self._predicted(X)
        return found.ravel() if self.n_outputs_ == 1 else found

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R squared of the predictions of rows.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit; rows that the forest never saw estimate its error.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Their target.
        sample_weight : array of shape (n_samples,), optional
            Weights of rows; equal unless given.

        Returns
        -------
        float
            1 - squared error / variance; at most 1. Of several targets, their mean.

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
            return float(super().score(X, self._prepared_again(y), sample_weight=sample_weight))

    def _set_oob_score_and_attributes(self, y: np.ndarray) -> None:
        found = self._grown["out_of_bag"]
        seen = ~np.isnan(found[:, 0])
        self.oob_prediction_ = found = found[:, 0] if self.n_outputs_ == 1 else found
        self._keep_oob_score(r2_score, y, found, seen)


class Classifier(ClassifierMixin, Forest):
    """What classifiers share.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss"}
        What splits reduce.
    class_weight : dict, "balanced" or "balanced_subsample"
        Weights of classes, which multiply those of rows. The last weighs the draws of every tree
        such that all classes that were drawn weigh the same: rows then have no weights that all
        trees share, and predictions not the shares of classes of the table. Measures that need
        either refuse the forest; ``mdi`` and others do without.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,), or list of them
        The classes, sorted; of several targets, those of each.
    n_classes_ : int, or list of int
        Their number.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag shares of the classes; NaN where all trees saw a row. Of several targets, of shape
        (n_samples, n_classes, n_outputs), or a list where their numbers of classes differ.
    """

    # Of several targets, lists.
    classes_: np.ndarray
    n_classes_: int

    _target_dtype = None
    _criteria = ("gini", "entropy", "log_loss")

    def _known_cells(self, y: Any) -> Cells | Outputs:
        if self.n_outputs_ == 1:
            return self._known_classes(y, self.classes_)
        codes = [self._known_classes(of_target, classes)[1]
                 for of_target, classes in zip(y.T, self.classes_)]
        return indicators(np.column_stack(codes), list(self.classes_), self._target_names)

    def _known_classes(self, y: Any, classes: np.ndarray) -> tuple[list[str], Any]:
        known = np.isin(y, classes)
        if not known.all():
            raise DataError(
                f"row {int(np.argmin(known)) + 1} is of class {class_name(y[~known][0])!r}, which "
                "was not there in training", help="leave such rows out")
        codes = np.searchsorted(classes, y).astype(np.uint32)
        return [class_name(name) for name in classes], codes

    def _target_cells(self, y: Any) -> Cells | Outputs:
        with refusals("classes"):
            check_classification_targets(y)
        self.n_outputs_ = 1 if y.ndim == 1 else y.shape[1]
        if self.n_outputs_ > 1:
            found = [np.unique(of_target, return_inverse=True) for of_target in y.T]
            self.classes_ = cast("np.ndarray", [classes for classes, _ in found])
            self.n_classes_ = cast("int", [len(classes) for classes, _ in found])
            codes = np.column_stack([codes for _, codes in found])
            return indicators(codes, list(self.classes_), self._target_names)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        return [class_name(name) for name in self.classes_], codes.astype(np.uint32)

    def _monotonic(self, names: list[str]) -> Any:
        signs = super()._monotonic(names)
        if signs and self.n_classes_ > 2:
            # The words of scikit-learn, which programs look for.
            raise SettingError(
                "Monotonicity constraints are not supported with multiclass classification: there "
                f"are {self.n_classes_} classes, whose probabilities have no common direction",
                setting="monotonic_cst", help="leave monotonic_cst out, or predict two classes")
        return signs

    def _training_target(self) -> np.ndarray:
        found = self._data.target
        if self.n_outputs_ > 1:
            return named(likeliest(by_target(found, list(self.classes_))), list(self.classes_))
        return np.asarray(self.classes_[found])

    def predict_proba(self, X: Any) -> Floats:
        """Predict the shares of the classes.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Means over trees, in the order of ``classes_``; rows add up to 1. Of several targets, a
            list with an array for each.

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
        found: Any = self._predicted(X)
        return cast("Floats", found if self.n_outputs_ == 1 else by_target(found, list(self.classes_)))

    def predict_log_proba(self, X: Any) -> Floats:
        """Predict the natural logarithm of the shares of the classes.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``; minus infinity where a share is 0. Of several targets, a
            list with an array for each.

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
        shares: Any = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            is_one = self.n_outputs_ == 1
            found = np.log(shares) if is_one else [np.log(of_target) for of_target in shares]
        return cast("Floats", found)

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of the largest share.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
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
        shares: Any = self.predict_proba(X)
        if self.n_outputs_ > 1:
            return named(likeliest(shares), list(self.classes_))
        return np.asarray(self.classes_[np.argmax(shares, axis=1)])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose class is predicted.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit; rows that the forest never saw estimate its error.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Their classes.
        sample_weight : array of shape (n_samples,), optional
            Weights of rows; equal unless given.

        Returns
        -------
        float
            Between 0 and 1. Of several targets of two classes each, all of them must be right.

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
            return float(super().score(X, self._prepared_again(y), sample_weight=sample_weight))

    def _with_class_weight(self, y: np.ndarray, weights: Floats | None) -> Floats | None:
        if self.class_weight is None or self._weighs_anew():
            return weights
        try:
            of_classes: Floats = compute_sample_weight(self.class_weight, y)
        except (TypeError, ValueError) as error:
            each = "a dict of a weight for every class"
            each = each if y.ndim == 1 else f"a list with {each} for each target"
            raise SettingError(
                f"class_weight is {self.class_weight!r}: {str(error).rstrip('.')}",
                help=f'give "balanced", "balanced_subsample", {each}, or None') from error
        return of_classes if weights is None else weights * of_classes

    def _set_oob_score_and_attributes(self, y: np.ndarray) -> None:
        self.oob_decision_function_ = found = self._grown["out_of_bag"]
        if self.n_outputs_ > 1:
            return self._set_out_of_bag_of_several(y)
        codes = np.searchsorted(self.classes_, y)
        self._keep_oob_score(accuracy_score, codes, np.argmax(found, axis=1),
                             ~np.isnan(found[:, 0]))

    def _set_out_of_bag_of_several(self, y: np.ndarray) -> None:
        found = self._grown["out_of_bag"]
        classes = list(self.classes_)
        shares = by_target(found, classes)
        is_even = len({len(of_target) for of_target in classes}) == 1
        self.oob_decision_function_ = np.stack(shares, axis=2) if is_even else shares
        codes = np.column_stack([np.searchsorted(known, of_target)
                                 for known, of_target in zip(classes, y.T)])
        self._keep_oob_score(accuracy_score, codes, likeliest(shares), ~np.isnan(found[:, 0]))

    def _check_oob_score(self, has_bags: bool) -> None:
        super()._check_oob_score(has_bags)
        is_several = self.n_outputs_ > 1
        if self.oob_score and is_several and max(len(found) for found in self.classes_) > 2:
            # The words of scikit-learn, which programs look for.
            raise SettingError(
                "The type of target cannot be used to compute OOB estimates: one of several targets "
                "has more than two classes", help="leave out oob_score; oob_decision_function_ has "
                                                  "the shares of the classes")
