"""Forests of LightGBM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wald.errors import DataError, DataTypeError
from wald.foreign.document import (
    GAIN_OF_ROWS, LEFT, RIGHT, Tree, impurity_of_gains, values_of_leaves,
)
from wald.foreign.forest import Imported
from wald.foreign.reading import (
    check_predictions, check_program, check_supported, imported, not_fitted, reading,
)
from wald.foreign.rows import Rows, Target, category_columns, class_values, names_of
from wald.foreign.source import Source

# Bits of a decision.
IS_CATEGORY, DEFAULT_LEFT = 1, 2
MISSING_NONE, MISSING_ZERO, MISSING_NAN = 0, 1, 2

LINKS = {
    **dict.fromkeys(("regression", "regression_l1", "huber", "fair", "quantile", "mape"),
                    "identity"),
    **dict.fromkeys(("binary", "cross_entropy"), "logistic"),
    "multiclass": "softmax",
    **dict.fromkeys(("poisson", "gamma", "tweedie"), "exponential"),
    **dict.fromkeys(("lambdarank", "rank_xendcg"), "score"),
}

NO_BAGS = "LightGBM does not store which rows its trees saw"


@dataclass
class Model:
    """A model as LightGBM writes it."""

    head: dict[str, str]
    trees: list[dict[str, str]]

    def words(self, name: str) -> list[str]:
        return self.head.get(name, "").split()


@reading("LightGBM")
def from_lightgbm(fitted: Any, X: Any, y: Any) -> Imported:
    """Import a fitted model of LightGBM: boosted trees or, with ``boosting="rf"``, a forest.

    Parameters
    ----------
    fitted : lightgbm.Booster, LGBMRegressor, LGBMClassifier or LGBMRanker
        After early stopping, its best iteration.
    X : array or data frame of shape (n_samples, n_features)
        The rows it was fitted to; LightGBM stores nothing to check that with.
    y : array of shape (n_samples,)
        Their target.

    Returns
    -------
    ForeignRegressor or ForeignClassifier
        ``predict`` is the model's. Measures and explanations use the sum of the trees, before
        any link to probabilities or rates. ``mdi`` is the mean gain of a tree, for each row.

    Raises
    ------
    WaldError
        For linear leaves, targets under a square root, ``zero_as_missing`` where zeros and small
        numbers part, and objectives that are not known.

    Notes
    -----
    LightGBM does not store which rows a tree saw: measures that need out-of-bag rows refuse.
    Splits on categories and missing values are kept; categories that training never met go where
    missing values go, as in LightGBM.
    Cost: O(nodes + rows * depth) for each tree, and reading the model.

    Examples
    --------
    >>> import lightgbm, wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> fitted = lightgbm.LGBMRegressor(n_estimators=20, verbose=-1).fit(data.inputs, data.target)
    >>> wald.from_lightgbm(fitted, data.inputs, data.target)
    ForeignRegressor(program='LightGBM', n_trees=20, n_features=10)
    """
    booster: Any = getattr(fitted, "booster_", None) if hasattr(fitted, "get_params") else fitted
    _check_type(fitted, booster)
    model = _parsed(booster.model_to_string())
    objective = (model.words("objective") or ["none"])[0]
    # Words after the first are settings; one of them changes what is predicted.
    check_supported("objective", " ".join(model.words("objective")) or "none"
                    if "sqrt" in model.words("objective") else objective, LINKS)
    n_outputs = int(model.head["num_tree_per_iteration"])
    names = _names(model, X)
    levels, unlisted = _levels(booster, model, names, X)
    rows = Rows(names, levels=levels, unlisted=unlisted, spelt=model.words("feature_names"))
    link = LINKS[objective]
    classes = None
    if objective in ("binary", "multiclass"):
        classes = class_values(fitted, y, 2 if n_outputs == 1 else n_outputs)
    source = Source("LightGBM", rows, Target.of(y, classes, rows, X), link,
                _slope(model), NO_BAGS, GAIN_OF_ROWS)
    is_mean = "average_output" in model.head
    n_rounds = len(model.trees) // n_outputs
    trees = [_tree(tree, (at % n_outputs, n_outputs), n_outputs if is_mean else 1)
             for at, tree in enumerate(model.trees[:n_rounds * n_outputs])]
    forest = imported(trees, source, X, y, is_classes=n_outputs > 1,
                      aggregation="mean" if is_mean else "sum")

    def own(some: Any) -> Any:
        # LightGBM divides by the number of rounds only after this.
        return booster.predict(some, raw_score=True) / (n_rounds if is_mean else 1)

    check_predictions(forest, X, own, 1e-9)
    return forest


def _check_type(fitted: Any, booster: Any) -> None:
    check_program(fitted, "lightgbm",
                  is_model=hasattr(fitted, "get_params") or hasattr(fitted, "model_to_string"),
                  help="give a Booster, LGBMRegressor, LGBMClassifier or LGBMRanker")
    if booster is None or booster.num_trees() == 0:
        raise not_fitted(fitted)


def _parsed(text: str) -> Model:
    body = text.partition("\nend of trees")[0]
    head, *trees = body.split("\nTree=")
    return Model(_fields(head), [_fields(tree) for tree in trees])


def _fields(text: str) -> dict[str, str]:
    lines = (line.partition("=") for line in text.splitlines())
    return {name: value for name, _, value in lines if name}


def _slope(model: Model) -> float:
    """By what log-odds are multiplied before the logistic function."""
    words = (word.partition(":") for word in model.words("objective"))
    return next((float(value) for name, _, value in words if name == "sigmoid"), 1.0)


def _names(model: Model, X: Any) -> list[str]:
    """The names of the frame where there is one: LightGBM replaces blanks in them."""
    known = model.words("feature_names")
    given = names_of(X)
    if given is not None and [name.replace(" ", "_") for name in given] == known:
        return given
    return known


def _levels(booster: Any, model: Model, names: list[str], X: Any
            ) -> tuple[dict[str, list[Any]], dict[str, int]]:
    """The values of categories by name, in the order of LightGBM's codes, and for those that are
    given as codes the one that stands for all that training never met."""
    infos = model.words("feature_infos")
    # Ranges of numbers are in brackets, categories between colons.
    is_category = [info != "none" and not info.startswith("[") for info in infos]
    of_frame = booster.pandas_categorical or []
    columns = category_columns(X)
    if of_frame and len(columns) != len(of_frame):
        raise DataError(
            f"X has {len(columns)} columns of categories, but LightGBM was given {len(of_frame)}",
            help="give the data frame that it was fitted to, with the types of its columns")
    levels: dict[str, list[Any]] = dict(zip((names[at] for at in columns), of_frame))
    unlisted: dict[str, int] = {}
    for name, info, is_one in zip(names, infos, is_category):
        if is_one and name not in levels:
            unlisted[name] = max(int(code) for code in info.split(":")) + 1
            levels[name] = list(range(unlisted[name] + 1))
    return levels, unlisted


def _numbers(tree: dict[str, str], name: str, kind: type = float) -> np.ndarray:
    return np.array(tree.get(name, "").split(), dtype=kind)


def _tree(tree: dict[str, str], output: tuple[int, int], factor: int) -> Tree:
    if tree.get("is_linear", "0") != "0":
        raise DataTypeError("the trees have linear models in their leaves, not numbers",
                            help="fit with linear_tree=False")
    leaves = _numbers(tree, "leaf_value") * factor
    n_leaves, n_inner = len(leaves), int(tree["num_leaves"]) - 1

    def joined(of_inner: np.ndarray, of_leaves: np.ndarray) -> np.ndarray:
        return np.concatenate([of_inner[:n_inner], of_leaves])

    def children(name: str) -> np.ndarray:
        # Leaves are numbered -1, -2 and so on.
        listed = _numbers(tree, name, int)[:n_inner]
        return joined(np.where(listed >= 0, listed, n_inner + ~listed), np.full(n_leaves, -1))

    feature = joined(_numbers(tree, "split_feature", int), np.full(n_leaves, -1))
    threshold = joined(_numbers(tree, "threshold"), np.zeros(n_leaves))
    decision = joined(_numbers(tree, "decision_type", int), np.zeros(n_leaves, dtype=int))
    counts = _numbers(tree, "leaf_count")
    of_leaves = counts if len(counts) == n_leaves and counts.sum() > 0 else np.ones(n_leaves)
    is_category = (decision & IS_CATEGORY) > 0
    missing = _sides(decision, threshold, feature >= 0)
    made = Tree(
        feature, np.where(is_category, 0.0, threshold), children("left_child"),
        children("right_child"), values_of_leaves(feature < 0, leaves, *output), missing,
        weight=joined(_numbers(tree, "internal_count"), of_leaves),
        # All numbers are below infinity: what parts from them is missing.
        present=np.isposinf(threshold) & (missing == RIGHT),
        levels=_listed(tree, threshold, np.flatnonzero(is_category)))
    gains = joined(_numbers(tree, "split_gain"), np.zeros(n_leaves))
    made.impurity = impurity_of_gains(made, gains)
    return made


def _sides(decision: np.ndarray, threshold: np.ndarray, is_inner: np.ndarray) -> np.ndarray:
    """Where missing values go: without a side of their own, where 0 goes."""
    kind = (decision >> 2) & 3
    is_number = is_inner & ((decision & IS_CATEGORY) == 0)
    default = np.where((decision & DEFAULT_LEFT) > 0, LEFT, RIGHT)
    of_zero = np.where(threshold >= 0, LEFT, RIGHT)
    if (is_number & (kind == MISSING_ZERO) & (default != of_zero)).any():
        raise DataTypeError(
            "zeros count as missing and part from numbers next to them, which no threshold leaves",
            help="fit with zero_as_missing=False and NaN for what is missing")
    side = np.where(kind == MISSING_NONE, of_zero, default)
    return np.where(is_number, side, RIGHT)


def _listed(tree: dict[str, str], threshold: np.ndarray, nodes: np.ndarray) -> dict[int, list[int]]:
    """Per split on categories, the codes that go left: bits of words of 32."""
    if len(nodes) == 0:
        return {}
    starts = _numbers(tree, "cat_boundaries", int)
    words = _numbers(tree, "cat_threshold", np.uint32)
    listed = {}
    for node in nodes:
        at = int(threshold[node])
        bits = np.unpackbits(words[starts[at]:starts[at + 1]].view(np.uint8), bitorder="little")
        listed[int(node)] = np.flatnonzero(bits).tolist()
    return listed
