"""Random forests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from wald._tasks import Classifier, Regressor
from wald.typing import MaxFeatures


class RandomForestRegressor(Regressor):
    """A random forest for numbers: the best of all thresholds.

    Parameters
    ----------
    n_estimators : int, default=500
        Trees.
    criterion : {"squared_error"}, default="squared_error"
        What splits reduce.
    max_depth : int, optional
        Deepest level of a leaf, the root being 0.
    min_samples_split : int or float, optional
        A node splits only if it holds as many draws (a float: as this share of the rows); 6, or 2
        with ``bootstrap=False``, unless given.
    min_samples_leaf : int or float, default=1
        A child holds at least as many draws.
    min_weight_fraction_leaf : float, default=0.0
        A child holds at least this share of the weight of the tree's draws.
    min_impurity_decrease : float, default=0.0
        A node splits only if that decreases its impurity, times its share of the tree's weight,
        by at least so much.
    max_features : {"sqrt", "log2", None}, int or float, default="sqrt"
        Variables tried at each node.
    max_samples : int or float, optional
        Draws of a tree; as many as rows unless given.
    bootstrap : bool, default=True
        Whether trees draw rows with replacement, or have all rows.
    warm_start : bool, default=False
        Whether a further fit adds trees to those of before. It grows the new ones only if table,
        target and other settings are as they were, and all of them otherwise.
    n_jobs : int, default=-1
        Threads; -1 for all processors. Results do not depend on it.
    random_state : int, RandomState or None, default=0
        The seed; ``None`` draws another one for every fit.

    Attributes
    ----------
    n_features_in_ : int
        Number of variables seen by ``fit``.
    feature_names_in_ : ndarray of str of shape (n_features,)
        Their names, where the table has names.
    feature_importances_ : ndarray of shape (n_features,)
        Shares of the mean decrease in impurity.
    oob_score_ : float
        R squared of the out-of-bag predictions; NaN where there are none.
    oob_prediction_ : ndarray of shape (n_samples,)
        Out-of-bag predictions of training rows, in units of the target; NaN where all trees saw
        a row.

    Notes
    -----
    Source: Breiman (2001). Cost: about rows times log rows times variables tried, for each tree.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
    >>> forest.predict(data.inputs.head(2)).shape
    (2,)
    >>> found = forest.importance("mdi")
    >>> found.feature_names[found.ranking()[0]]
    'x4'
    """

    _splitting = "best"

    def __init__(
        self,
        n_estimators: int = 500,
        *,
        criterion: Literal["squared_error"] = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: MaxFeatures = "sqrt",
        max_samples: float | None = None,
        bootstrap: bool = True,
        warm_start: bool = False,
        n_jobs: int | None = -1,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self._keep(locals())


class RandomForestClassifier(Classifier):
    """A random forest for classes: the best of all thresholds.

    Parameters
    ----------
    n_estimators : int, default=500
        Trees.
    criterion : {"gini", "entropy", "log_loss"}, default="gini"
        What splits reduce.
    max_depth : int, optional
        Deepest level of a leaf, the root being 0.
    min_samples_split : int or float, default=2
        A node splits only if it holds as many draws (a float: as this share of the rows).
    min_samples_leaf : int or float, default=1
        A child holds at least as many draws.
    min_weight_fraction_leaf : float, default=0.0
        A child holds at least this share of the weight of the tree's draws.
    min_impurity_decrease : float, default=0.0
        A node splits only if that decreases its impurity, times its share of the tree's weight,
        by at least so much.
    max_features : {"sqrt", "log2", None}, int or float, default="sqrt"
        Variables tried at each node.
    max_samples : int or float, optional
        Draws of a tree; as many as rows unless given.
    bootstrap : bool, default=True
        Whether trees draw rows with replacement, or have all rows.
    class_weight : dict or "balanced", optional
        Weights of classes, which multiply those of rows.
    warm_start : bool, default=False
        Whether a further fit adds trees to those of before. It grows the new ones only if table,
        target and other settings are as they were, and all of them otherwise.
    n_jobs : int, default=-1
        Threads; -1 for all processors. Results do not depend on it.
    random_state : int, RandomState or None, default=0
        The seed; ``None`` draws another one for every fit.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_classes_ : int
        Their number.
    n_features_in_ : int
        Number of variables seen by ``fit``.
    feature_names_in_ : ndarray of str of shape (n_features,)
        Their names, where the table has names.
    feature_importances_ : ndarray of shape (n_features,)
        Shares of the mean decrease in impurity.
    oob_score_ : float
        Share of right out-of-bag predictions; NaN where there are none.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag shares of the classes; NaN where all trees saw a row.

    Notes
    -----
    Source: Breiman (2001). Cost: about rows times log rows times variables tried, for each tree.

    Examples
    --------
    >>> import wald
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> forest = wald.RandomForestClassifier(50).fit(X, y)
    >>> forest.predict_proba(X.head(2)).argmax(axis=1)
    array([0, 0])
    >>> found = forest.importance("mdi")
    >>> sorted(found.feature_names[at] for at in found.ranking()[:2])
    ['petal length (cm)', 'petal width (cm)']
    """

    _splitting = "best"

    def __init__(
        self,
        n_estimators: int = 500,
        *,
        criterion: Literal["gini", "entropy", "log_loss"] = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: MaxFeatures = "sqrt",
        max_samples: float | None = None,
        bootstrap: bool = True,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        warm_start: bool = False,
        n_jobs: int | None = -1,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self._keep(locals())
