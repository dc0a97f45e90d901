"""The estimators: forests by how their nodes are split."""

from __future__ import annotations

from wald._estimator import Classifier, Regressor


class RandomForestRegressor(Regressor):
    """A random forest for numbers (Breiman 2001): the best of all thresholds.

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
    """

    _splitting = "best"

    def __init__(self, n_estimators=500, *, criterion="squared_error", max_depth=None,
                 min_samples_split=None, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, min_impurity_decrease=0.0, max_features="sqrt",
                 max_samples=None, bootstrap=True, warm_start=False, n_jobs=-1,
                 random_state=0):
        self._keep(locals())


class RandomForestClassifier(Classifier):
    """A random forest for classes (Breiman 2001): the best of all thresholds.

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
    """

    _splitting = "best"

    def __init__(self, n_estimators=500, *, criterion="gini", max_depth=None,
                 min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, min_impurity_decrease=0.0, max_features="sqrt",
                 max_samples=None, bootstrap=True, class_weight=None, warm_start=False, n_jobs=-1,
                 random_state=0):
        self._keep(locals())


class ExtraTreesRegressor(Regressor):
    """Extremely randomized trees for numbers (Geurts, Ernst & Wehenkel 2006): the best of random
    thresholds, one for every variable tried.

    Parameters
    ----------
    n_estimators : int, default=500
        Trees.
    criterion : {"squared_error"}, default="squared_error"
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
    max_features : {"sqrt", "log2", None}, int or float, default=1.0
        Variables tried at each node.
    max_samples : int or float, optional
        Draws of a tree; as many as rows unless given.
    bootstrap : bool, default=False
        Whether trees draw rows with replacement, or have all rows.
    warm_start : bool, default=False
        Whether a further fit adds trees to those of before. It grows the new ones only if table,
        target and other settings are as they were, and all of them otherwise.
    n_jobs : int, default=-1
        Threads; -1 for all processors. Results do not depend on it.
    random_state : int, RandomState or None, default=0
        The seed; ``None`` draws another one for every fit.
    """

    _splitting = "random_threshold"

    def __init__(self, n_estimators=500, *, criterion="squared_error", max_depth=None,
                 min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, min_impurity_decrease=0.0, max_features=1.0,
                 max_samples=None, bootstrap=False, warm_start=False, n_jobs=-1,
                 random_state=0):
        self._keep(locals())


class ExtraTreesClassifier(Classifier):
    """Extremely randomized trees for classes (Geurts, Ernst & Wehenkel 2006): the best of random
    thresholds, one for every variable tried.

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
    bootstrap : bool, default=False
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
    """

    _splitting = "random_threshold"

    def __init__(self, n_estimators=500, *, criterion="gini", max_depth=None,
                 min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, min_impurity_decrease=0.0, max_features="sqrt",
                 max_samples=None, bootstrap=False, class_weight=None, warm_start=False, n_jobs=-1,
                 random_state=0):
        self._keep(locals())


class TotallyRandomizedTreesRegressor(Regressor):
    """Totally randomized trees for numbers (Geurts, Ernst & Wehenkel 2006): a random threshold of
    one variable drawn at random, so that no variable masks another (Louppe et al. 2013).

    Parameters
    ----------
    n_estimators : int, default=500
        Trees.
    criterion : {"squared_error"}, default="squared_error"
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
    max_features : {"sqrt", "log2", None}, int or float, default=1
        Variables tried at each node.
    max_samples : int or float, optional
        Draws of a tree; as many as rows unless given.
    bootstrap : bool, default=False
        Whether trees draw rows with replacement, or have all rows.
    warm_start : bool, default=False
        Whether a further fit adds trees to those of before. It grows the new ones only if table,
        target and other settings are as they were, and all of them otherwise.
    n_jobs : int, default=-1
        Threads; -1 for all processors. Results do not depend on it.
    random_state : int, RandomState or None, default=0
        The seed; ``None`` draws another one for every fit.
    """

    _splitting = "random_threshold"

    def __init__(self, n_estimators=500, *, criterion="squared_error", max_depth=None,
                 min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, min_impurity_decrease=0.0, max_features=1,
                 max_samples=None, bootstrap=False, warm_start=False, n_jobs=-1,
                 random_state=0):
        self._keep(locals())


class TotallyRandomizedTreesClassifier(Classifier):
    """Totally randomized trees for classes (Geurts, Ernst & Wehenkel 2006): a random threshold of
    one variable drawn at random, so that no variable masks another (Louppe et al. 2013).

    Parameters
    ----------
    n_estimators : int, default=500
        Trees.
    criterion : {"gini", "entropy", "log_loss"}, default="entropy"
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
    max_features : {"sqrt", "log2", None}, int or float, default=1
        Variables tried at each node.
    max_samples : int or float, optional
        Draws of a tree; as many as rows unless given.
    bootstrap : bool, default=False
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
    """

    _splitting = "random_threshold"

    def __init__(self, n_estimators=500, *, criterion="entropy", max_depth=None,
                 min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, min_impurity_decrease=0.0, max_features=1,
                 max_samples=None, bootstrap=False, class_weight=None, warm_start=False, n_jobs=-1,
                 random_state=0):
        self._keep(locals())
