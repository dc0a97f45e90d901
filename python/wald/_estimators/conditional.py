"""Forests of conditional inference trees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from wald._checks import flag, number
from wald._estimators.arguments import share
from wald._estimators.described import described
from wald._estimators.settings import Settings
from wald._estimators.tasks import Classifier, Regressor
from wald.typing import MaxFeatures, OutOfBagScore, RandomState

class Conditional(Settings):
    """What conditional inference forests share.

    Parameters
    ----------
    criterion : ...
        What is stored of nodes, for impurity measures; it does not choose splits.
    max_features : ...
        Variables tried at each node; 5, or all where there are fewer, unless given.
    max_samples : ...
        Draws of a tree.
    bootstrap : ...
        Whether rows are drawn with replacement; without it, trees have subsamples, or all rows with
        ``max_samples=1.0``.
    """

    min_criterion: float
    _splitting = "conditional"

    def _mtry(self, n_features: int) -> int | None:
        return None if self.max_features is None else super()._mtry(n_features)

    def _settings_of_kind(self, n_rows: int) -> dict[str, Any]:
        bootstrap = flag("bootstrap", self.bootstrap)
        fraction = None if self.max_samples is None else share(
            "max_samples", self.max_samples, n_rows, again=bootstrap)
        takes_all = fraction == 1.0 and not bootstrap
        return {
            "min_criterion": number("min_criterion", self.min_criterion, finite=True) or None,
            "sampling": "bootstrap" if bootstrap else "all" if takes_all else "subsample",
            "sample_fraction": None if takes_all else fraction,
        }


@described
class ConditionalForestRegressor(Conditional, Regressor):
    """A forest of conditional inference trees for numbers.

    Nodes choose the variable that depends most significantly on the target, then its division, so
    that variables of many values are not preferred (party's cforest).

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

    def __init__(
        self, n_estimators: int = 500, *, criterion: Literal["squared_error"] = "squared_error",
        max_depth: int | None = None, min_samples_split: float = 20, min_samples_leaf: float = 7,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures | None = None,
        max_samples: float | None = 0.632, bootstrap: bool = False, min_criterion: float = 0.0,
        oob_score: bool | OutOfBagScore = False, max_leaf_nodes: None = None,
        ccp_alpha: float = 0.0, monotonic_cst: None = None, verbose: int = 0,
        warm_start: bool = False, n_jobs: int | None = -1, random_state: RandomState = 0,
    ) -> None:
        self._keep(locals())


@described
class ConditionalForestClassifier(Conditional, Classifier):
    """A forest of conditional inference trees for classes.

    Nodes choose the variable that depends most significantly on the target, then its division, so
    that variables of many values are not preferred (party's cforest).

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

    def __init__(
        self, n_estimators: int = 500, *,
        criterion: Literal["gini", "entropy", "log_loss"] = "gini", max_depth: int | None = None,
        min_samples_split: float = 20, min_samples_leaf: float = 7,
        min_weight_fraction_leaf: float = 0.0, max_features: MaxFeatures | None = None,
        max_samples: float | None = 0.632, bootstrap: bool = False, min_criterion: float = 0.0,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        oob_score: bool | OutOfBagScore = False, max_leaf_nodes: None = None,
        ccp_alpha: float = 0.0, monotonic_cst: None = None, verbose: int = 0,
        warm_start: bool = False, n_jobs: int | None = -1, random_state: RandomState = 0,
    ) -> None:
        self._keep(locals())
