"""Forests of YDF (Yggdrasil Decision Forests)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from wald.errors import DataError, DataTypeError
from wald.foreign.document import (
    GAIN_OF_ROWS, LEFT, RIGHT, Tree, add_start, impurity_of_gains, values_of_leaves,
)
from wald.foreign.forest import ForeignClassifier, Imported
from wald.foreign.reading import (
    check_predictions, check_program, check_supported, imported, reading,
)
from wald.foreign.rows import Rows, Target, names_of
from wald.foreign.source import Source
from wald.typing import Floats

LINKS = {"IDENTITY": "identity", "SIGMOID": "logistic", "SOFTMAX": "softmax"}

NO_BAGS = "YDF does not store which rows its trees saw"

# Conditions whose answer is yes for values of their own.
LISTED = "CategoricalIsInCondition"


@reading("YDF")
def from_ydf(fitted: Any, X: Any, y: Any = None) -> Imported:
    """Import a model of YDF: a random forest, a single tree or gradient boosted trees.

    Parameters
    ----------
    fitted : ydf.RandomForestModel or ydf.GradientBoostedTreesModel
        For one number or one class.
    X : data frame with n_samples rows
        The rows it was fitted to, with the columns it knows; others are left alone.
    y : array of shape (n_samples,), optional
        Their target; the column of the label in X unless given.

    Returns
    -------
    ForeignRegressor or ForeignClassifier
        ``predict`` is the model's up to rounding in 32 bits. ``mdi`` of a random forest is taken of
        variance or entropy as YDF stores them; of boosted trees it is the mean gain of a tree, for
        each row.

    Raises
    ------
    WaldError
        For oblique splits, sets of categories, sequences of vectors and tasks without one target.

    Notes
    -----
    YDF does not store which rows a tree saw: measures that need out-of-bag rows refuse.
    Categories, booleans and missing values are kept. Reading trees takes YDF itself about 10
    microseconds for each node.

    Examples
    --------
    >>> import wald, ydf
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> learner = ydf.RandomForestLearner(label="y", task=ydf.Task.REGRESSION, num_trees=20)
    >>> wald.from_ydf(learner.train(data, verbose=0), data)
    ForeignRegressor(program='YDF', n_trees=20, n_features=10)
    """
    _check_type(fitted)
    specification = fitted.data_spec()
    features = fitted.input_features()
    names = [feature.name for feature in features]
    columns = {feature.column_idx: at for at, feature in enumerate(features)}
    rows = Rows(names, levels=_levels(specification, features), others=0)
    boosted = hasattr(fitted, "initial_predictions")
    classes = np.array(fitted.label_classes()) if fitted.task().name == "CLASSIFICATION" else None
    link = _link(fitted) if boosted else "identity"
    source = Source("YDF", rows, Target(classes, str(fitted.label())), link, no_bags=NO_BAGS,
                    gain=GAIN_OF_ROWS if boosted else "")
    y = _label(fitted, X) if y is None else y
    n_outputs = 1 if classes is None or link == "logistic" else len(classes)
    reading = _Reading(specification, columns, n_outputs, boosted)
    trees = [reading.tree(tree.root, at) for at, tree in enumerate(fitted.iter_trees())]
    if boosted:
        start = np.asarray(fitted.initial_predictions(), dtype=np.float64)
        add_start(trees[:n_outputs], start[:n_outputs])
    votes = not boosted and classes is not None and fitted.winner_takes_all()
    forest = imported(
        trees, source, X, y, is_classes=n_outputs > 1, float32_inputs=True,
        impurity="entropy" if n_outputs > 1 else "variance",
        aggregation="sum" if boosted else "vote" if votes else "mean")
    check_predictions(forest, X, fitted.predict, 1e-6 * max(10, len(trees)),
                      found=partial(_predicted, forest))
    return forest


def _check_type(fitted: Any) -> None:
    check_program(fitted, "ydf", is_model=hasattr(fitted, "iter_trees"),
                  help="give a random forest or gradient boosted trees that ydf trained")
    task = fitted.task().name
    if task not in ("CLASSIFICATION", "REGRESSION", "RANKING"):
        raise DataTypeError(f"a model for {task.lower()} has no one target",
                            help="give one for regression or classification")
    if hasattr(fitted, "activation"):
        check_supported("activation", fitted.activation().name, LINKS)
    if task == "CLASSIFICATION" and getattr(fitted, "output_logits", bool)():
        raise DataTypeError("the model predicts what is before its link",
                            help="call its set_output_logits(False), or fit with "
                                 "apply_link_function=True")


def _link(fitted: Any) -> str:
    if fitted.task().name == "RANKING":
        return "score"
    # Counts are predicted by an exponential, whatever the activation is.
    if "\nLoss: POISSON\n" in str(fitted.describe("text")):
        return "exponential"
    return LINKS[fitted.activation().name]


def _label(fitted: Any, X: Any) -> Any:
    if fitted.label() not in (names_of(X) or []):
        raise DataError(f"X has no column {fitted.label()!r}, the label of the model",
                        help="give y", column=fitted.label())
    return X[fitted.label()]


def _levels(specification: Any, features: list[Any]) -> dict[str, list[Any]]:
    levels: dict[str, list[Any]] = {}
    for feature in features:
        column = specification.columns[feature.column_idx]
        kind = feature.semantic.name
        if kind == "BOOLEAN":
            levels[feature.name] = [False, True]
        elif kind == "CATEGORICAL":
            levels[feature.name] = _words(column.categorical)
        elif kind not in ("NUMERICAL", "DISCRETIZED_NUMERICAL"):
            raise DataTypeError(f"column {feature.name!r} is of the kind {kind}",
                                help="fit with numbers, categories and booleans",
                                column=feature.name)
    return levels


def _words(column: Any) -> list[Any]:
    """Categories by index; the first is for all unknown ones."""
    if column.is_already_integerized:
        return list(range(column.number_of_unique_values))
    words: list[Any] = [None] * column.number_of_unique_values
    for word, item in column.items.items():
        words[item.index] = word
    return words


def _check_weights(tree: Tree) -> None:
    """Leaves of honest trees hold other rows than the nodes above them."""
    assert tree.weight is not None
    inner = tree.feature >= 0
    children = tree.weight[tree.left[inner]] + tree.weight[tree.right[inner]]
    if (np.abs(children - tree.weight[inner]) > 1e-6 * tree.weight[inner]).any():
        raise DataTypeError("the rows of a node are not those of its children, as in honest trees",
                            help="fit with honest=False")


@dataclass
class _Reading:
    """How the nodes of a model are read."""

    specification: Any
    columns: dict[int, int]
    n_outputs: int
    boosted: bool

    def tree(self, root: Any, index: int) -> Tree:
        nodes, children = _flat(root)
        n = len(nodes)
        weight = np.array([node.value.num_examples for node in nodes], dtype=np.float64)
        tree = Tree(
            feature=np.full(n, -1), threshold=np.zeros(n),
            left=np.array([pair[0] for pair in children]),
            right=np.array([pair[1] for pair in children]),
            value=self._values(nodes, index), missing=np.full(n, RIGHT),
            weight=weight,
            strict=True, present=np.zeros(n, bool), listed_go="right")
        gains = np.zeros(n)
        for at, node in enumerate(nodes):
            if not node.is_leaf:
                self._split(tree, at, node.condition)
                gains[at] = node.condition.score * weight[at]
        _check_weights(tree)
        # Standard deviations, which YDF stores of numbers, lose digits where the mean is large.
        by_gains = self.boosted or self.n_outputs == 1
        tree.impurity = impurity_of_gains(tree, gains) if by_gains else self._entropies(nodes)
        return tree

    def _values(self, nodes: list[Any], index: int) -> np.ndarray:
        if not self.boosted and self.n_outputs > 1:
            return np.array([node.value.probability for node in nodes], dtype=np.float64)
        values = np.array([node.value.value for node in nodes], dtype=np.float64)
        if not self.boosted:
            return values
        # Inner nodes of boosted trees have the mean of the leaves below them.
        leaf = np.array([node.is_leaf for node in nodes])
        return values_of_leaves(leaf, values[leaf], index % self.n_outputs, self.n_outputs)

    def _entropies(self, nodes: list[Any]) -> np.ndarray:
        shares = np.array([node.value.probability for node in nodes], dtype=np.float64)
        bits = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
        return np.asarray(-(shares * bits).sum(axis=1))

    def _split(self, tree: Tree, at: int, condition: Any) -> None:
        """Yes is right."""
        kind = type(condition).__name__
        column = self.columns.get(getattr(condition, "attribute", -1))
        if column is None:
            raise DataTypeError(f"a split is on several columns ({kind})",
                                help='fit with split_axis="AXIS_ALIGNED"')
        tree.feature[at] = column
        tree.missing[at] = RIGHT if condition.missing else LEFT
        if kind == "NumericalHigherThanCondition":
            tree.threshold[at] = np.float32(condition.threshold)
        elif kind == "DiscretizedNumericalHigherThanCondition":
            bounds = self.specification.columns[condition.attribute].discretized_numerical
            tree.threshold[at] = np.float32(bounds.boundaries[condition.threshold_idx - 1])
        elif kind == "IsTrueCondition":
            tree.levels[at] = [1]
        elif kind == LISTED:
            tree.levels[at] = sorted(int(code) for code in condition.mask)
        elif kind == "IsMissingInCondition":
            tree.present[at] = True
        else:
            raise DataTypeError(f"splits of the kind {kind} are not supported",
                                help="fit with numbers, categories and booleans")


def _flat(root: Any) -> tuple[list[Any], list[tuple[int, int]]]:
    """The nodes of a tree, and of each the places of its children for no and yes."""
    nodes, children, at = [root], [], 0
    while at < len(nodes):
        node = nodes[at]
        if node.is_leaf:
            children.append((-1, -1))
        else:
            children.append((len(nodes), len(nodes) + 1))
            nodes += [node.neg_child, node.pos_child]
        at += 1
    return nodes, children


def _predicted(forest: Imported, some: Any) -> Floats:
    """What YDF predicts; of two classes, the share of the second one."""
    if not isinstance(forest, ForeignClassifier):
        return forest.predict(some)
    shares = forest.predict_proba(some)
    return shares[:, 1] if shares.shape[1] == 2 else shares
