"""Forests of random thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from wald._estimators.described import described
from wald._estimators.tasks import Classifier, Regressor
from wald.typing import MaxFeatures, OutOfBagScore, RandomState


@described
class ExtraTreesRegressor(Regressor):
    """Extremely randomized trees for numbers: the best of random thresholds.

    At every node a threshold is drawn for each variable tried.

    Notes
    -----
    Source: Geurts, Ernst & Wehenkel (2006). Cost: about rows times depth times variables tried, for
    each tree.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.ExtraTreesRegressor(50).fit(data.inputs, data.target)
    >>> forest.predict(data.inputs.head(2)).shape
    (2,)
    >>> found = forest.importance("mdi")
    >>> found.feature_names[found.ranking()[0]]
    'x4'
    """

    _splitting = "random_threshold"

    def __init__(
        self, n_estimators: int = 500, *, criterion: Literal["squared_error"] = "squared_error",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, min_impurity_decrease: float = 0.0,
        max_features: MaxFeatures = 1.0, max_samples: float | None = None, bootstrap: bool = False,
        oob_score: bool | OutOfBagScore = False, max_leaf_nodes: None = None,
        ccp_alpha: float = 0.0, monotonic_cst: None = None, verbose: int = 0,
        warm_start: bool = False, n_jobs: int | None = -1, random_state: RandomState = 0,
    ) -> None:
        self._keep(locals())


@described
class ExtraTreesClassifier(Classifier):
    """Extremely randomized trees for classes: the best of random thresholds.

    At every node a threshold is drawn for each variable tried.

    Notes
    -----
    Source: Geurts, Ernst & Wehenkel (2006). Cost: about rows times depth times variables tried, for
    each tree.

    Examples
    --------
    >>> import wald
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> forest = wald.ExtraTreesClassifier(50).fit(X, y)
    >>> forest.predict_proba(X.head(2)).argmax(axis=1)
    array([0, 0])
    >>> found = forest.importance("mdi")
    >>> sorted(found.feature_names[at] for at in found.ranking()[:2])
    ['petal length (cm)', 'petal width (cm)']
    """

    _splitting = "random_threshold"

    def __init__(
        self, n_estimators: int = 500, *,
        criterion: Literal["gini", "entropy", "log_loss"] = "gini", max_depth: int | None = None,
        min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, min_impurity_decrease: float = 0.0,
        max_features: MaxFeatures = "sqrt", max_samples: float | None = None,
        bootstrap: bool = False,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        oob_score: bool | OutOfBagScore = False, max_leaf_nodes: None = None,
        ccp_alpha: float = 0.0, monotonic_cst: None = None, verbose: int = 0,
        warm_start: bool = False, n_jobs: int | None = -1, random_state: RandomState = 0,
    ) -> None:
        self._keep(locals())


@described
class TotallyRandomizedTreesRegressor(Regressor):
    """Totally randomized trees for numbers: a random threshold of a random variable.

    No variable competes with another, so that none masks another (Louppe et al. 2013).

    Notes
    -----
    Source: Geurts, Ernst & Wehenkel (2006), with one variable tried; Louppe et al. (2013) on what
    importances of such trees mean. Cost: about rows times depth, for each tree.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.TotallyRandomizedTreesRegressor(50).fit(data.inputs, data.target)
    >>> forest.predict(data.inputs.head(2)).shape
    (2,)
    >>> found = forest.importance("mdi")
    >>> found.feature_names[found.ranking()[0]]
    'x4'
    """

    _splitting = "random_threshold"

    def __init__(
        self, n_estimators: int = 500, *, criterion: Literal["squared_error"] = "squared_error",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, min_impurity_decrease: float = 0.0,
        max_features: MaxFeatures = 1, max_samples: float | None = None, bootstrap: bool = False,
        oob_score: bool | OutOfBagScore = False, max_leaf_nodes: None = None,
        ccp_alpha: float = 0.0, monotonic_cst: None = None, verbose: int = 0,
        warm_start: bool = False, n_jobs: int | None = -1, random_state: RandomState = 0,
    ) -> None:
        self._keep(locals())


@described
class TotallyRandomizedTreesClassifier(Classifier):
    """Totally randomized trees for classes: a random threshold of a random variable.

    No variable competes with another, so that none masks another (Louppe et al. 2013).

    Notes
    -----
    Source: Geurts, Ernst & Wehenkel (2006), with one variable tried; Louppe et al. (2013) on what
    importances of such trees mean. Cost: about rows times depth, for each tree.

    Examples
    --------
    >>> import wald
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> forest = wald.TotallyRandomizedTreesClassifier(50).fit(X, y)
    >>> forest.predict_proba(X.head(2)).argmax(axis=1)
    array([0, 0])
    >>> found = forest.importance("mdi")
    >>> sorted(found.feature_names[at] for at in found.ranking()[:2])
    ['petal length (cm)', 'petal width (cm)']
    """

    _splitting = "random_threshold"

    def __init__(
        self, n_estimators: int = 500, *,
        criterion: Literal["gini", "entropy", "log_loss"] = "entropy",
        max_depth: int | None = None, min_samples_split: float = 2, min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0, min_impurity_decrease: float = 0.0,
        max_features: MaxFeatures = 1, max_samples: float | None = None, bootstrap: bool = False,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        oob_score: bool | OutOfBagScore = False, max_leaf_nodes: None = None,
        ccp_alpha: float = 0.0, monotonic_cst: None = None, verbose: int = 0,
        warm_start: bool = False, n_jobs: int | None = -1, random_state: RandomState = 0,
    ) -> None:
        self._keep(locals())
