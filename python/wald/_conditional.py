"""Forests of conditional inference trees."""

from __future__ import annotations

from wald._estimator import Classifier, Regressor, conditional_sampling


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
    max_features : {"sqrt", "log2", None}, int or float, optional
        Variables tried at each node; 5, or all where there are fewer, unless given.
    max_samples : int or float, default=0.632
        Draws of a tree.
    bootstrap : bool, default=False
        Whether rows are drawn with replacement; without it, trees have subsamples.
    min_criterion : float, default=0.0
        A node splits only if 1 - p of its variable is above this.
    warm_start : bool, default=False
        Whether a further fit may only add trees. Trees do not depend on how many there are.
    n_jobs : int, default=-1
        Threads; -1 for all processors. Results do not depend on it.
    random_state : int, RandomState or None, default=0
        The seed; ``None`` draws another one for every fit.
    """

    _splitting = "conditional"

    def __init__(self, n_estimators=500, *, criterion="squared_error", max_depth=None,
                 min_samples_split=20, min_samples_leaf=7, max_features=None, max_samples=0.632,
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
    max_features : {"sqrt", "log2", None}, int or float, optional
        Variables tried at each node; 5, or all where there are fewer, unless given.
    max_samples : int or float, default=0.632
        Draws of a tree.
    bootstrap : bool, default=False
        Whether rows are drawn with replacement; without it, trees have subsamples.
    min_criterion : float, default=0.0
        A node splits only if 1 - p of its variable is above this.
    class_weight : dict or "balanced", optional
        Weights of classes, which multiply those of rows.
    warm_start : bool, default=False
        Whether a further fit may only add trees. Trees do not depend on how many there are.
    n_jobs : int, default=-1
        Threads; -1 for all processors. Results do not depend on it.
    random_state : int, RandomState or None, default=0
        The seed; ``None`` draws another one for every fit.
    """

    _splitting = "conditional"

    def __init__(self, n_estimators=500, *, criterion="gini", max_depth=None,
                 min_samples_split=20, min_samples_leaf=7, max_features=None, max_samples=0.632,
                 bootstrap=False, min_criterion=0.0, class_weight=None, warm_start=False, n_jobs=-1,
                 random_state=0):
        self._keep(locals())

    def _sampling(self, n_rows):
        return conditional_sampling(self, n_rows)
