"""Forests of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import sklearn
from sklearn.ensemble import (
    ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from wald._estimators.settings import CRITERIA
from wald.errors import DataError, DataTypeError
from wald.foreign.document import LEFT, RIGHT, Tree
from wald.foreign.forest import Imported
from wald.foreign.reading import check_supported, imported, not_fitted, reading
from wald.foreign.rows import Rows, Target, names_of, numbers_of
from wald.foreign.source import Source

FORESTS = (RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier,
           ExtraTreesRegressor)
TREES = (DecisionTreeClassifier, DecisionTreeRegressor)

# What nodes of single criteria hold: None where it is not what the engine computes.
IMPURITIES = {**CRITERIA, "poisson": None}

ALL_ROWS = "every tree saw all rows (bootstrap=False)"
SUBSAMPLE = ("class_weight='balanced_subsample' weighs classes anew in every tree, so that its "
             "rows have no weights of their own")
ELSEWHERE = ("scikit-learn before 1.8 counts rows with missing values in other nodes than those "
             "that they reach in its predictions")
CLIPPED = ("monotonic_cst has moved what its nodes predict away from the means or medians of their "
           "rows, which the out-of-bag measures take")


@reading("scikit-learn")
def from_sklearn(fitted: Any, X: Any, y: Any, sample_weight: Any = None) -> Imported:
    """Import a fitted forest or tree of scikit-learn.

    Parameters
    ----------
    fitted : RandomForest*, ExtraTrees*, DecisionTree* or ExtraTree*
        A fitted estimator for one target.
    X : array or data frame of shape (n_samples, n_features)
        The rows it was fitted to, in the same order.
    y : array of shape (n_samples,)
        Their target.
    sample_weight : array of shape (n_samples,), optional
        The weights given to ``fit``. Needed for single trees (and before scikit-learn 1.9); newer
        forests remember them.

    Returns
    -------
    ForeignRegressor or ForeignClassifier
        With the bootstrap rows of every tree, scikit-learn's routing in 32 bits, its missing
        values, node values and weights. ``importance("mdi", normalise="sum")`` is
        ``feature_importances_``, except with ``criterion="poisson"``, where "mdi" is about the
        variance and not the deviance, and of targets so far from zero that scikit-learn's variances
        have lost digits.

    Raises
    ------
    WaldError
        Where the estimator is not fitted, is of another type or predicts several targets, or
        where X and y are other rows than those of the fit.

    Notes
    -----
    Cost: O(nodes + rows * depth) for each tree.

    Examples
    --------
    >>> import wald
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> fitted = RandomForestRegressor(n_estimators=50, random_state=0).fit(X, y)
    >>> forest = wald.from_sklearn(fitted, X, y)
    >>> found = forest.importance("sobol_mda")
    >>> found.feature_names[found.ranking()[0]]
    'bmi'
    """
    _check_type(fitted)
    estimators = fitted.estimators_ if isinstance(fitted, FORESTS) else [fitted]
    names = names_of(X)
    if hasattr(fitted, "feature_names_in_"):
        names = [str(name) for name in fitted.feature_names_in_]
    elif names is None or len(names) != fitted.n_features_in_:
        names = [f"x{at}" for at in range(fitted.n_features_in_)]
    rows = Rows(names, all_numbers=True, names_are_given=hasattr(fitted, "feature_names_in_"))
    classes = getattr(fitted, "classes_", None)
    source = Source("scikit-learn", rows, Target.of(y, classes, rows, X))
    numbers = numbers_of(X)
    n_rows = len(numbers)
    _check_n_rows(fitted, estimators, n_rows)
    of_their_own = _no_bags(fitted, estimators, numbers)
    source.no_bags = of_their_own or ("" if getattr(fitted, "bootstrap", False) else ALL_ROWS)
    weights = _row_weights(fitted, y, sample_weight, source)
    draws = [None] * len(estimators) if of_their_own else _draws(fitted, estimators, n_rows)
    trees = [_tree(each.tree_, drawn, classes is not None, fitted.criterion)
             for each, drawn in zip(estimators, draws)]
    if of_their_own and of_their_own != ELSEWHERE:
        _check_rows(fitted, estimators[0], numbers, weights)
    return imported(trees, source, X, y, is_classes=classes is not None, float32_inputs=True,
                    impurity=IMPURITIES[fitted.criterion], mtry=int(estimators[0].max_features_),
                    weights=None if of_their_own else weights)


def _check_type(fitted: Any) -> None:
    if not isinstance(fitted, FORESTS + TREES):
        # Of those that fit several, estimator_ is not fitted.
        names = () if hasattr(fitted, "estimators_") else ("best_estimator_", "estimator_", "steps")
        inner = next((name for name in names if hasattr(fitted, name)), None)
        inside = {"steps": "give its last step, and X as the steps before it change it",
                  None: "give a RandomForest, ExtraTrees or DecisionTree of scikit-learn"}
        raise DataTypeError(
            f"from_sklearn cannot read a {type(fitted).__name__}",
            help=inside.get(inner, f"give its {inner}"))
    if type(fitted).__module__.partition(".")[0] == "imblearn":
        # Its forests draw rows in another way than their base class.
        raise DataTypeError(
            f"from_sklearn cannot read a {type(fitted).__name__} of {type(fitted).__module__}: "
            "it draws rows in a way of its own",
            help="give a RandomForest, ExtraTrees or DecisionTree of scikit-learn itself")
    try:
        check_is_fitted(fitted)
    except NotFittedError as error:
        raise not_fitted(fitted) from error
    check_supported("criterion", fitted.criterion, IMPURITIES)
    if fitted.n_outputs_ > 1:
        raise DataTypeError(
            f"this {type(fitted).__name__} predicts {fitted.n_outputs_} targets at once, of which "
            "every measure would be another",
            help="fit a forest for each target")


def _check_n_rows(fitted: Any, estimators: list[Any], n_rows: int) -> None:
    n_grown = getattr(fitted, "_n_samples", None)
    if n_grown is None and fitted in estimators:
        n_grown = max(n_rows, int(fitted.tree_.n_node_samples[0]))
    if n_grown is not None and n_grown != n_rows:
        raise DataError(
            f"X has {n_rows} rows, but the forest was fitted to {n_grown}",
            help="give the rows of the fit, in the same order")


def _no_bags(fitted: Any, estimators: list[Any], numbers: np.ndarray) -> str:
    """Why the values of nodes do not follow from in-bag rows; empty where they do."""
    version = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
    if version < (1, 8) and np.isnan(numbers).any():
        return ELSEWHERE
    bootstrap = getattr(fitted, "bootstrap", False)
    if bootstrap and getattr(fitted, "class_weight", None) == "balanced_subsample":
        return SUBSAMPLE
    constraints = getattr(fitted, "monotonic_cst", None)
    if constraints is not None and np.any(constraints):
        # Medians of children do not determine that of their parent, so that none is known to be kept.
        if fitted.criterion == "absolute_error" or any(
                _is_clipped(each.tree_) for each in estimators):
            return CLIPPED
    return ""


def _is_clipped(tree: Any) -> bool:
    """Whether the value of a node is not the mean of its children."""
    inner = tree.children_left >= 0
    weight = tree.weighted_n_node_samples[:, None]
    sums = tree.value[:, 0, :] * weight
    below = sums[tree.children_left[inner]] + sums[tree.children_right[inner]]
    spread = np.abs(tree.value).max()
    return bool((np.abs(below - sums[inner]) > 1e-9 * spread * weight[inner]).any())


def _draws(fitted: Any, estimators: list[Any], n_rows: int) -> list[np.ndarray | None]:
    """How often every tree drew every row."""
    if not getattr(fitted, "bootstrap", False):
        return [np.ones(n_rows, dtype=np.int64)] * len(estimators)
    return [np.bincount(rows, minlength=n_rows) for rows in fitted.estimators_samples_]


def _row_weights(fitted: Any, y: Any, sample_weight: Any, source: Source) -> np.ndarray | None:
    """By what trees multiply the draws of rows; ``None`` for 1."""
    given = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    if given is not None and given.shape != np.shape(np.asarray(y)):
        raise DataError(f"sample_weight has the shape {given.shape}, but y {np.shape(y)}",
                        help="give one weight for each row")
    class_weight = getattr(fitted, "class_weight", None)
    if hasattr(fitted, "_sample_weight"):
        stored = None if fitted._sample_weight is None else (
            np.ascontiguousarray(fitted._sample_weight, dtype=np.float64))
        if class_weight is None and given is not None and not np.allclose(
                given, np.ones_like(given) if stored is None else stored):
            raise DataError("sample_weight is not what the forest was fitted with",
                            help="give that, or leave it out: the forest remembers it")
        if not fitted.bootstrap:
            return stored
        if stored is not None:
            source.notes.append(
                "weights decided how often trees drew rows, as scikit-learn has it since 1.9; "
                "out-of-bag rows count equally")
        return None
    if class_weight is None:
        return given
    if class_weight == "balanced_subsample":
        class_weight = "balanced"
    of_classes: np.ndarray = compute_sample_weight(class_weight, np.asarray(y))
    return of_classes if given is None else of_classes * given


def _tree(tree: Any, in_bag: np.ndarray | None, is_classes: bool, criterion: str) -> Tree:
    leaf = tree.children_left < 0
    side = np.where(tree.missing_go_to_left == 1, LEFT, RIGHT)
    # An infinite threshold sends all numbers to the left and missing values to the right.
    present = ~leaf & np.isinf(tree.threshold)
    value = tree.value[:, 0, :]
    # Variances as means of squares minus squared means lose digits where the mean is large, so that
    # the engine computes them of the rows where these are known.
    is_computed = IMPURITIES[criterion] is None or (in_bag is not None and not is_classes)
    return Tree(
        feature=np.where(leaf, -1, tree.feature),
        threshold=tree.threshold,
        left=tree.children_left,
        right=tree.children_right,
        value=value if is_classes else value[:, 0],
        missing=np.where(present, RIGHT, side),
        weight=tree.weighted_n_node_samples,
        impurity=None if is_computed else tree.impurity,
        in_bag=in_bag,
        present=present,
    )


def _check_rows(fitted: Any, estimator: Any, numbers: np.ndarray, weights: np.ndarray | None
                ) -> None:
    """That the rows of the first tree reach its leaves, where the engine cannot look."""
    drawn = np.arange(len(numbers))
    if getattr(fitted, "bootstrap", False):
        drawn = np.unique(fitted.estimators_samples_[0])
    if weights is not None:
        # Rows without weight are in no node.
        drawn = drawn[weights[drawn] > 0]
    tree = estimator.tree_
    leaves = tree.apply(numbers[drawn].astype(np.float32))
    reached = np.bincount(leaves, minlength=tree.node_count)
    ends = tree.children_left < 0
    if not np.array_equal(reached[ends], tree.n_node_samples[ends]):
        raise DataError("X is not the table that the forest was grown on: its rows reach other "
                        "leaves", help="give X as it was given to fit, the rows in the same order")
