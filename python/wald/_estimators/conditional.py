"""Forests of conditional inference trees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from wald._checks import flag, number
from wald._estimators.arguments import n_tried, share
from wald._estimators.described import described
from wald._estimators.settings import ClassifierSettings, RegressorSettings
from wald._estimators.tasks import Classifier, Regressor
from wald.errors import DataError
from wald.typing import MaxFeatures


@dataclass(eq=False, repr=False, kw_only=True)
class Conditional:
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

    min_samples_leaf: float = 7
    min_impurity_decrease: float = field(init=False, default=0.0)
    max_features: MaxFeatures = None
    max_samples: float | None = 0.632
    bootstrap: bool = False
    min_criterion: float = 0.0

    n_outputs_: ClassVar[int]
    _splitting = "conditional"

    def _mtry(self, n_features: int) -> int | None:
        return None if self.max_features is None else n_tried(self.max_features, n_features)

    def _takes_several_targets(self) -> bool:
        return False

    def _settings_of_kind(self, n_rows: int) -> dict[str, Any]:
        if self.n_outputs_ > 1:
            raise DataError(
                f"y has {self.n_outputs_} columns, but conditional inference trees predict one "
                "target", help="give one of its columns, or use a random forest or extra trees")
        bootstrap = flag("bootstrap", self.bootstrap)
        fraction = None if self.max_samples is None else share(
            "max_samples", self.max_samples, n_rows, again=bootstrap)
        takes_all = fraction == 1.0 and not bootstrap
        return {
            "min_criterion": number("min_criterion", self.min_criterion, finite=True) or None,
            "sampling": "bootstrap" if bootstrap else "all" if takes_all else "subsample",
            "sample_fraction": None if takes_all else fraction,
        }


@dataclass(eq=False, repr=False, kw_only=True)
class _ConditionalForestRegressor(Conditional, RegressorSettings):
    """The arguments whose defaults are its own."""

    min_samples_split: float = 20


@described
class ConditionalForestRegressor(_ConditionalForestRegressor, Regressor):
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


@dataclass(eq=False, repr=False, kw_only=True)
class _ConditionalForestClassifier(Conditional, ClassifierSettings):
    """The arguments whose defaults are its own."""

    min_samples_split: float = 20


@described
class ConditionalForestClassifier(_ConditionalForestClassifier, Classifier):
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
