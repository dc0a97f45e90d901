"""Forests of conditional inference trees."""

from __future__ import annotations

from numbers import Real
from typing import Any

from wald._arguments import share
from wald._estimator import Classifier, Regressor
from wald.errors import SettingError


def conditional_sampling(forest: Any, n_rows: int) -> dict[str, Any]:
    """What conditional inference forests have besides the settings of all forests."""
    if not isinstance(forest.min_criterion, Real) or not 0.0 <= forest.min_criterion < 1.0:
        raise SettingError(f"min_criterion is {forest.min_criterion!r}",
                           help="give a number of at least 0 and below 1, for example 0.95")
    settings: dict[str, Any] = {"sampling": "bootstrap" if forest.bootstrap else "subsample"}
    if forest.max_samples is not None:
        fraction = share("max_samples", forest.max_samples, n_rows)
        if fraction == 1.0 and not forest.bootstrap:
            settings["sampling"] = "all"
        else:
            settings["sample_fraction"] = fraction
    if forest.min_criterion > 0.0:
        settings["min_criterion"] = float(forest.min_criterion)
    return settings


class ConditionalForestRegressor(Regressor):
    """A forest of conditional inference trees (Hothorn, Hornik & Zeileis 2006; party's cforest):
    nodes choose the variable that depends most significantly on the target, then its division.

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
    """

    _splitting = "conditional"

    def __init__(self, n_estimators=500, *, criterion="squared_error", max_depth=None,
                 min_samples_split=20, min_samples_leaf=7,
                 min_weight_fraction_leaf=0.0, max_features=None, max_samples=0.632,
                 bootstrap=False, min_criterion=0.0, warm_start=False, n_jobs=-1,
                 random_state=0):
        self._keep(locals())

    def _sampling(self, n_rows):
        return conditional_sampling(self, n_rows)


class ConditionalForestClassifier(Classifier):
    """A forest of conditional inference trees (Hothorn, Hornik & Zeileis 2006; party's cforest):
    nodes choose the variable that depends most significantly on the target, then its division.

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
    """

    _splitting = "conditional"

    def __init__(self, n_estimators=500, *, criterion="gini", max_depth=None,
                 min_samples_split=20, min_samples_leaf=7,
                 min_weight_fraction_leaf=0.0, max_features=None, max_samples=0.632,
                 bootstrap=False, min_criterion=0.0, class_weight=None, warm_start=False, n_jobs=-1,
                 random_state=0):
        self._keep(locals())

    def _sampling(self, n_rows):
        return conditional_sampling(self, n_rows)
