"""Random forests."""

from __future__ import annotations

from dataclasses import dataclass

from wald._estimators.described import described
from wald._estimators.settings import ClassifierSettings, RegressorSettings
from wald._estimators.tasks import Classifier, Regressor


@dataclass(eq=False, repr=False, kw_only=True)
class _RandomForestRegressor(RegressorSettings):
    """The arguments whose defaults are its own."""

    min_samples_split: float | None = None
    max_bins: int | None = None
    bootstrap: bool = True


@described
class RandomForestRegressor(_RandomForestRegressor, Regressor):
    """A random forest for numbers: the best of all thresholds.

    Parameters
    ----------
    min_samples_split : int or float
        A node splits only if it holds as many draws (a float: as this share of the rows); unless
        given 6, and 2 with ``bootstrap=False`` or the criterion "absolute_error".

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


@dataclass(eq=False, repr=False, kw_only=True)
class _RandomForestClassifier(ClassifierSettings):
    """The arguments whose defaults are its own."""

    max_bins: int | None = None
    bootstrap: bool = True


@described
class RandomForestClassifier(_RandomForestClassifier, Classifier):
    """A random forest for classes: the best of all thresholds.

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
