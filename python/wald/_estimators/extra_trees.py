"""Forests of random thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wald._estimators.described import described
from wald._estimators.settings import ClassifierSettings, RegressorSettings
from wald._estimators.tasks import Classifier, Regressor
from wald.typing import MaxFeatures


@dataclass(eq=False, repr=False, kw_only=True)
class _ExtraTreesRegressor(RegressorSettings):
    """The arguments whose defaults are its own."""

    min_samples_split: float = 2
    max_features: MaxFeatures = 1.0


@described
class ExtraTreesRegressor(_ExtraTreesRegressor, Regressor):
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


@described
class ExtraTreesClassifier(ClassifierSettings, Classifier):
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


@dataclass(eq=False, repr=False, kw_only=True)
class _TotallyRandomizedTreesRegressor(RegressorSettings):
    """The arguments whose defaults are its own."""

    min_samples_split: float = 2
    max_features: MaxFeatures = 1


@described
class TotallyRandomizedTreesRegressor(_TotallyRandomizedTreesRegressor, Regressor):
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


@dataclass(eq=False, repr=False, kw_only=True)
class _TotallyRandomizedTreesClassifier(ClassifierSettings):
    """The arguments whose defaults are its own."""

    criterion: Literal["gini", "entropy", "log_loss"] = "entropy"
    max_features: MaxFeatures = 1


@described
class TotallyRandomizedTreesClassifier(_TotallyRandomizedTreesClassifier, Classifier):
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
