"""Forests of conditional inference trees."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, Literal

import numpy as np

from wald._arguments import share
from wald._checks import flag
from wald._tasks import Classifier, Regressor
from wald.errors import SettingError
from wald.typing import MaxFeatures


def conditional_sampling(forest: Any, n_rows: int) -> dict[str, Any]:
    """What conditional inference forests have besides the settings of all forests."""
    least = forest.min_criterion
    if not isinstance(least, Real) or isinstance(least, bool) or not 0.0 <= float(least) < 1.0:
        raise SettingError(f"min_criterion is {least!r}",
                           help="give a number of at least 0 and below 1, for example 0.95")
    bootstrap = flag("bootstrap", forest.bootstrap)
    settings: dict[str, Any] = {"sampling": "bootstrap" if bootstrap else "subsample"}
    if forest.max_samples is not None:
        fraction = share("max_samples", forest.max_samples, n_rows)
        if fraction == 1.0 and not bootstrap:
            settings["sampling"] = "all"
        else:
            settings["sample_fraction"] = fraction
    if float(least) > 0.0:
        settings["min_criterion"] = float(least)
    return settings


class ConditionalForestRegressor(Regressor):
    """A forest of conditional inference trees for numbers.

    Nodes choose the variable that depends most significantly on the target, then its division, so
    that variables of many values are not preferred (party's cforest).

    Parameters
    ----------
    n_estimators : int, default=500
        Trees.
    criterion : {"squared_error"}, default="squared_error"
        What is stored of nodes, for impurity measures; it does not choose splits.
    max_depth : int, optional
        Deepest level of a leaf, the root being 0.
    min_samples_split : int or float, default=20
        A node splits only if it holds as many draws (a float: as this share of the rows).
    min_samples_leaf : int or float, default=7
        A child holds at least as many draws.
    min_weight_fraction_leaf : float, default=0.0
        A child holds at least this share of the weight of the tree's draws.
    max_features : {"sqrt", "log2", None}, int or float, optional
        Variables tried at each node; 5, or all where there are fewer, unless given.
    max_samples : int or float, default=0.632
        Draws of a tree.
    bootstrap : bool, default=False
        Whether rows are drawn with replacement; without it, trees have subsamples, or all rows with
        ``max_samples=1.0``.
    min_criterion : float, default=0.0
        A node splits only if 1 - p of its variable is above this.
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
    Source: Hothorn, Hornik & Zeileis (2006); subsamples as in Strobl et al. (2007). Cost: about
    rows times depth times variables tried, for each tree, with one sort for every split.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.ConditionalForestRegressor(50).fit(data.inputs, data.target)
    >>> forest.predict(data.inputs.head(2)).shape
    (2,)
    >>> found = forest.importance("mdi")
    >>> found.feature_names[found.ranking()[0]]
    'x4'
    """

    _splitting = "conditional"

    def __init__(
        self,
        n_estimators: int = 500,
        *,
        criterion: Literal["squared_error"] = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 20,
        min_samples_leaf: float = 7,
        min_weight_fraction_leaf: float = 0.0,
        max_features: MaxFeatures | None = None,
        max_samples: float | None = 0.632,
        bootstrap: bool = False,
        min_criterion: float = 0.0,
        warm_start: bool = False,
        n_jobs: int | None = -1,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self._keep(locals())

    def _sampling(self, n_rows: int) -> dict[str, Any]:
        return conditional_sampling(self, n_rows)


class ConditionalForestClassifier(Classifier):
    """A forest of conditional inference trees for classes.

    Nodes choose the variable that depends most significantly on the target, then its division, so
    that variables of many values are not preferred (party's cforest).

    Parameters
    ----------
    n_estimators : int, default=500
        Trees.
    criterion : {"gini", "entropy", "log_loss"}, default="gini"
        What is stored of nodes, for impurity measures; it does not choose splits.
    max_depth : int, optional
        Deepest level of a leaf, the root being 0.
    min_samples_split : int or float, default=20
        A node splits only if it holds as many draws (a float: as this share of the rows).
    min_samples_leaf : int or float, default=7
        A child holds at least as many draws.
    min_weight_fraction_leaf : float, default=0.0
        A child holds at least this share of the weight of the tree's draws.
    max_features : {"sqrt", "log2", None}, int or float, optional
        Variables tried at each node; 5, or all where there are fewer, unless given.
    max_samples : int or float, default=0.632
        Draws of a tree.
    bootstrap : bool, default=False
        Whether rows are drawn with replacement; without it, trees have subsamples, or all rows with
        ``max_samples=1.0``.
    min_criterion : float, default=0.0
        A node splits only if 1 - p of its variable is above this.
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
    Source: Hothorn, Hornik & Zeileis (2006); subsamples as in Strobl et al. (2007). Cost: about
    rows times depth times variables tried, for each tree, with one sort for every split.

    Examples
    --------
    >>> import wald
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> forest = wald.ConditionalForestClassifier(50).fit(X, y)
    >>> forest.predict_proba(X.head(2)).argmax(axis=1)
    array([0, 0])
    >>> found = forest.importance("mdi")
    >>> sorted(found.feature_names[at] for at in found.ranking()[:2])
    ['petal length (cm)', 'petal width (cm)']
    """

    _splitting = "conditional"

    def __init__(
        self,
        n_estimators: int = 500,
        *,
        criterion: Literal["gini", "entropy", "log_loss"] = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 20,
        min_samples_leaf: float = 7,
        min_weight_fraction_leaf: float = 0.0,
        max_features: MaxFeatures | None = None,
        max_samples: float | None = 0.632,
        bootstrap: bool = False,
        min_criterion: float = 0.0,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        warm_start: bool = False,
        n_jobs: int | None = -1,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self._keep(locals())

    def _sampling(self, n_rows: int) -> dict[str, Any]:
        return conditional_sampling(self, n_rows)
