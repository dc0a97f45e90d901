"""Forests of XGBoost."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import numpy as np

from wald.errors import DataError, DataTypeError
from wald.foreign.document import LEFT, RIGHT, Tree, add_start, impurity_of_gains, values_of_leaves
from wald.foreign.forest import Imported
from wald.foreign.reading import (
    check_predictions, check_program, check_supported, imported, not_fitted, reading,
)
from wald.foreign.rows import (
    Rows, Target, category_columns, categories_of, class_values, names_of,
)
from wald.foreign.source import Source

LINKS = {
    **dict.fromkeys(("reg:squarederror", "reg:squaredlogerror", "reg:absoluteerror",
                     "reg:pseudohubererror", "reg:quantileerror"), "identity"),
    **dict.fromkeys(("binary:logistic", "reg:logistic"), "logistic"),
    **dict.fromkeys(("multi:softprob", "multi:softmax"), "softmax"),
    **dict.fromkeys(("count:poisson", "reg:gamma", "reg:tweedie"), "exponential"),
    **dict.fromkeys(("binary:logitraw", "rank:ndcg", "rank:map", "rank:pairwise"), "score"),
}

NO_BAGS = "XGBoost does not store which rows its trees saw"

# Nodes weigh the sum of their second derivatives.
GAIN = "gain of the objective per unit of weight"


@reading("XGBoost")
def from_xgboost(fitted: Any, X: Any, y: Any) -> Imported:
    """Import a fitted model of XGBoost: boosted trees, or a forest (``num_parallel_tree``).

    Parameters
    ----------
    fitted : xgboost.Booster, XGBRegressor, XGBClassifier, XGBRanker or XGBRF*
        After early stopping, a fitted estimator gives its best iteration, a Booster all.
    X : array or data frame of shape (n_samples, n_features)
        The rows it was fitted to; XGBoost stores nothing to check that with.
    y : array of shape (n_samples,)
        Their target.

    Returns
    -------
    ForeignRegressor or ForeignClassifier
        ``predict`` is the model's up to rounding in 32 bits. Measures and explanations use the
        sum of the trees, before any link to probabilities or rates; a forest of one round for
        numbers is a mean of trees, as any random forest. ``mdi`` is the mean gain of a tree, for
        each unit of weight (the sum of second derivatives).

    Raises
    ------
    WaldError
        For linear boosters, trees of several targets, and objectives that are not known, such as
        functions.

    Notes
    -----
    A Booster does not store that its objective was a function: it is read as one whose predictions
    are the sum of the trees.
    XGBoost does not store which rows a tree saw: measures that need out-of-bag rows refuse.
    Splits on categories and missing values are kept, also where another number (``missing``) or an
    absent cell of a sparse array stands for these. Codes of categories that no split lists go
    left, as in XGBoost, which refuses categories of data frames that training never met.
    Cost: O(nodes + rows * depth) for each tree, and reading the model.

    Examples
    --------
    >>> import wald, xgboost
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> fitted = xgboost.XGBRegressor(n_estimators=20).fit(data.inputs, data.target)
    >>> wald.from_xgboost(fitted, data.inputs, data.target)
    ForeignRegressor(program='XGBoost', n_trees=20, n_features=10)
    """
    booster = _booster(fitted)
    learner = json.loads(bytes(booster.save_raw("json")))["learner"]
    parameters = learner["learner_model_param"]
    objective = learner["objective"]["name"]
    _check_model(learner, objective)
    if callable(getattr(fitted, "objective", None)):
        raise DataTypeError(
            "the objective is a function, of which XGBoost does not store what follows its trees",
            help=f"fit with one of: {', '.join(LINKS)}")
    n_outputs = max(1, int(parameters["num_class"]))
    link = LINKS[objective]
    names = _names(learner, X, int(parameters["num_feature"]))
    levels, unlisted = _levels(learner, names, X)
    missing = getattr(fitted, "missing", None)
    missing = np.nan if missing is None else float(missing)
    if levels and not np.isnan(missing):
        raise DataTypeError(f"the model has categories and takes {missing:g} for a missing value",
                            help="fit it with NaN for missing values")
    rows = Rows(names, levels=levels, unlisted=unlisted, missing=missing)
    classes = None
    if link == "softmax" or objective == "binary:logistic":
        classes = class_values(fitted, y, max(2, n_outputs))
    source = Source("XGBoost", rows, Target.of(y, classes, rows, X), link, no_bags=NO_BAGS,
                    gain=GAIN)
    drawn, factors = _trees(learner, fitted, booster)
    if not drawn:
        raise DataError("the model has no trees", help="fit it with at least one round")
    trees = [_tree(tree, (output, n_outputs), factor) for (tree, output), factor
             in zip(drawn, factors)]
    base = _base(parameters["base_score"], link, n_outputs)
    is_mean = link == "identity" and _is_one_round(learner, drawn)
    if is_mean:
        for tree in trees:
            tree.value = base[0] + len(trees) * tree.value
    else:
        outputs = [output for _, output in drawn]
        add_start([trees[outputs.index(output)] for output in range(n_outputs)], base)
    forest = imported(trees, source, X, y, is_classes=n_outputs > 1,
                      aggregation="mean" if is_mean else "sum", float32_inputs=True)
    # Sums of 32 bits.
    own = partial(_margins, booster, _n_rounds(fitted, booster), missing)
    check_predictions(forest, X, own, 1e-6 * max(10, len(drawn)))
    return forest


def _booster(fitted: Any) -> Any:
    check_program(fitted, "xgboost",
                  is_model=hasattr(fitted, "get_booster") or hasattr(fitted, "save_raw"),
                  help="give a Booster or a fitted XGB estimator")
    if not hasattr(fitted, "get_booster"):
        return fitted
    try:
        return fitted.get_booster()
    except Exception as error:  # scikit-learn's NotFittedError, or XGBoost's own.
        raise not_fitted(fitted) from error


def _check_model(learner: dict[str, Any], objective: str) -> None:
    name = learner["gradient_booster"]["name"]
    if name not in ("gbtree", "dart"):
        raise DataTypeError(f"a booster of the kind {name!r} has no trees",
                            help='fit with booster="gbtree" or "dart"')
    if int(learner["learner_model_param"].get("num_target", 1)) > 1:
        raise DataTypeError("the model predicts several targets at once, of which every measure "
                            "would be another", help="fit a model for each target")
    check_supported("objective", objective, LINKS)


def _names(learner: dict[str, Any], X: Any, n_features: int) -> list[str]:
    known = learner.get("feature_names") or names_of(X)
    if known is None or len(known) != n_features:
        return [f"x{at}" for at in range(n_features)]
    return [str(name) for name in known]


def _levels(learner: dict[str, Any], names: list[str], X: Any
            ) -> tuple[dict[str, list[Any]], dict[str, int]]:
    """The values of categories by name, in the order of XGBoost's codes, and for those that are
    given as codes the one that stands for all that no split lists, which go left."""
    kinds = learner.get("feature_types") or []
    columns = category_columns(X)
    known = _stored_levels(learner)
    levels: dict[str, list[Any]] = {}
    unlisted: dict[str, int] = {}
    for at, (name, kind) in enumerate(zip(names, kinds)):
        if kind == "c" and at in columns:
            levels[name] = known.get(at) or categories_of(X, at)
        elif kind == "c":
            unlisted[name] = _most_code(learner, at) + 1
            levels[name] = list(range(unlisted[name] + 1))
    return levels, unlisted


def _stored_levels(learner: dict[str, Any]) -> dict[int, list[Any]]:
    """By place of a column, its categories as models of XGBoost 3.1 and later hold them."""
    levels: dict[int, list[Any]] = {}
    for at, column in enumerate(_model(learner).get("cats", {}).get("enc", [])):
        if "offsets" in column:
            text = bytes(value % 256 for value in column["values"])
            ends = column["offsets"]
            levels[at] = [text[start:end].decode() for start, end in zip(ends, ends[1:])]
        else:
            levels[at] = column["values"]
    return levels


def _most_code(learner: dict[str, Any], feature: int) -> int:
    codes = [0]
    for tree in _model(learner)["trees"]:
        for node, start, size in _segments(tree):
            if tree["split_indices"][node] == feature:
                codes += tree["categories"][start:start + size]
    return max(codes)


def _model(learner: dict[str, Any]) -> dict[str, Any]:
    booster = learner["gradient_booster"]
    return dict((booster["gbtree"] if "gbtree" in booster else booster)["model"])


def _trees(learner: dict[str, Any], fitted: Any, booster: Any
           ) -> tuple[list[tuple[dict[str, Any], int]], list[float]]:
    """The trees that predict, with the output of each, and by what dart multiplies them."""
    model = _model(learner)
    trees = list(zip(model["trees"], model["tree_info"]))
    factors = learner["gradient_booster"].get("weight_drop") or [1.0] * len(trees)
    n_rounds = _n_rounds(fitted, booster)
    n_trees = model["iteration_indptr"][n_rounds] if n_rounds else len(trees)
    return trees[:n_trees], factors[:n_trees]


def _n_rounds(fitted: Any, booster: Any) -> int:
    """The rounds that predict, where fitting stopped early; 0 for all of them."""
    stops = fitted is not booster and getattr(fitted, "early_stopping_rounds", None) is not None
    return booster.best_iteration + 1 if stops else 0


def _is_one_round(learner: dict[str, Any], drawn: list[Any]) -> bool:
    n_parallel = int(_model(learner)["gbtree_model_param"].get("num_parallel_tree", 1))
    return n_parallel > 1 and len(drawn) == n_parallel


def _base(text: str, link: str, n_outputs: int) -> np.ndarray:
    """What the sum of trees starts from, by output."""
    base = np.array(text.strip("[]").split(","), dtype=np.float32).astype(np.float64)
    base = np.broadcast_to(base, n_outputs)
    if link == "logistic":
        return np.log(base / (1 - base))
    return np.log(base) if link == "exponential" else base


def _segments(tree: dict[str, Any]) -> Any:
    return zip(tree["categories_nodes"], tree["categories_segments"], tree["categories_sizes"])


def _tree(tree: dict[str, Any], output: tuple[int, int], factor: float) -> Tree:
    left = np.array(tree["left_children"])
    leaf = left < 0
    # 32 bits, as XGBoost compares them.
    conditions = np.array(tree["split_conditions"], dtype=np.float32).astype(np.float64)
    listed = {int(node): tree["categories"][start:start + size]
              for node, start, size in _segments(tree)}
    made = Tree(
        feature=np.where(leaf, -1, tree["split_indices"]),
        threshold=conditions,
        left=left,
        right=np.array(tree["right_children"]),
        value=values_of_leaves(leaf, conditions[leaf] * factor, *output),
        missing=np.where(np.array(tree["default_left"]) == 1, LEFT, RIGHT),
        weight=np.array(tree["sum_hessian"], dtype=np.float64),
        present=np.zeros(len(left), bool), strict=True, levels=listed, listed_go="right")
    gains = np.where(leaf, 0.0, np.array(tree["loss_changes"], dtype=np.float64))
    made.impurity = impurity_of_gains(made, gains)
    return made.compact()


def _margins(booster: Any, n_rounds: int, missing: float, some: Any) -> Any:
    """What XGBoost predicts before the link."""
    import xgboost

    known = {} if names_of(some) is not None else {
        "feature_names": booster.feature_names, "feature_types": booster.feature_types}
    rows = xgboost.DMatrix(some, missing=missing, enable_categorical=True, **known)
    return booster.predict(rows, output_margin=True, iteration_range=(0, n_rounds))
