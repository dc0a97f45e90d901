"""The forest of any program as ``wald-forest`` JSON (docs/files.md) with its numbers beside it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wald.errors import DataError

LEFT, RIGHT = 0, 1


@dataclass
class Tree:
    """Arrays over the nodes of a tree, the root first; ``None`` where the program is silent."""

    feature: np.ndarray  # -1 on leaves
    threshold: np.ndarray  # of inner nodes; what leaves have is ignored
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray  # (n_nodes,) or (n_nodes, n_classes); NaN where there is none
    missing: np.ndarray  # LEFT or RIGHT
    weight: np.ndarray | None = None
    impurity: np.ndarray | None = None
    in_bag: np.ndarray | None = None
    strict: bool = False  # left iff value < threshold, not <=
    present: np.ndarray | None = None  # nodes that send all values left, missing ones right
    levels: dict[int, list[int]] = field(default_factory=dict)  # by node, level codes
    listed_go: str = "left"  # where they go

    def arrays(self) -> dict[str, np.ndarray | None]:
        """The numbers, as the engine takes them."""
        def positions(of_nodes: np.ndarray) -> np.ndarray:
            # -1 becomes the largest number, which means none.
            return np.ascontiguousarray(of_nodes, dtype=np.int64).astype(np.uint32)

        def numbers(of_nodes: np.ndarray | None) -> np.ndarray | None:
            return None if of_nodes is None else np.ascontiguousarray(of_nodes, dtype=np.float64)

        threshold = self.threshold
        if self.present is not None:
            threshold = np.where(self.present, 0.0, threshold)
        return {
            "feature": positions(self.feature),
            "threshold": numbers(threshold),
            "left": positions(self.left),
            "right": positions(self.right),
            "missing": positions(self.missing),
            "value": numbers(self.value.reshape(-1)),
            "weight": numbers(self.weight),
            "impurity": numbers(self.impurity),
            "in_bag": None if self.in_bag is None else _counts(self.in_bag),
        }

    def words(self) -> dict[str, Any]:
        """The part of the tree in the JSON document: splits that are no thresholds."""
        words: dict[str, Any] = dict.fromkeys(("feature", "threshold", "left", "right"))
        present = self.present if self.present is not None else np.zeros(len(self.feature), bool)
        if not (self.levels or self.strict or present.any()):
            return words
        split = np.where(present, "present", "lt" if self.strict else "le").astype(object)
        if self.levels:
            levels: list[list[int] | None] = [None] * len(split)
            for node, listed in self.levels.items():
                split[node] = "levels" if self.listed_go == "left" else "levels_right"
                levels[node] = listed
            words["levels"] = levels
        return words | {"split": split.tolist()}

    def compact(self) -> Tree:
        """The same tree without nodes that the root does not reach."""
        inner = np.flatnonzero(self.feature >= 0)
        if len(self.feature) == 2 * len(inner) + 1:
            return self
        reached, todo = np.zeros(len(self.feature), bool), [0]
        while todo:
            node = todo.pop()
            reached[node] = True
            if self.feature[node] >= 0:
                todo += [self.left[node], self.right[node]]
        place = np.cumsum(reached) - 1

        def moved(children: np.ndarray) -> np.ndarray:
            return np.where(children >= 0, place[children], -1)[reached]

        def kept(of_nodes: np.ndarray | None) -> np.ndarray | None:
            return None if of_nodes is None else of_nodes[reached]

        return Tree(
            self.feature[reached], self.threshold[reached], moved(self.left), moved(self.right),
            self.value[reached], self.missing[reached], kept(self.weight), kept(self.impurity),
            self.in_bag, self.strict, kept(self.present),
            {int(place[node]): listed for node, listed in self.levels.items() if reached[node]},
            self.listed_go)


def _counts(in_bag: np.ndarray) -> np.ndarray:
    most = np.iinfo(np.uint16).max
    if in_bag.max(initial=0) > most:
        raise DataError(f"a tree drew a row more than {most} times",
                        help="fit with more rows, or with smaller max_samples")
    return in_bag.astype(np.uint16)


@dataclass
class Document:
    """A forest: words as JSON, and the numbers of its trees, which would be slow as text."""

    words: bytes
    trees: list[dict[str, np.ndarray | None]]


def written(trees: list[Tree], features: list[str], *, classes: list[str] | None,
            impurity: str | None = None, **fields: Any) -> Document:
    """The whole document; ``fields`` are further ones of the format."""
    words = {
        "format": "wald-forest",
        "version": 1,
        "task": "regression" if classes is None else "classification",
        "features": features,
        "classes": classes,
        **fields,
        "trees": [tree.words() for tree in trees],
    }
    if impurity is not None:
        words["impurity"] = impurity
    text = json.dumps(words, allow_nan=False, separators=(",", ":"))
    return Document(text.encode(), [tree.arrays() for tree in trees])


def values_of_leaves(leaf: np.ndarray, leaves: np.ndarray, output: int, n_outputs: int
                     ) -> np.ndarray:
    """The values of a tree that predicts one of several outputs; inner nodes have none."""
    value = np.full((len(leaf), n_outputs), np.nan)
    value[leaf] = 0.0
    value[leaf, output] = leaves
    return value[:, 0] if n_outputs == 1 else value


def add_start(trees: list[Tree], start: np.ndarray) -> None:
    """Adds what a sum of trees starts from to the first tree of every output, which has that place.
    """
    for output, value in enumerate(start):
        leaves = trees[output].value
        trees[output].value = leaves + value if leaves.ndim == 1 else (
            leaves + np.where(np.arange(leaves.shape[1]) == output, value, 0.0))


def impurity_of_gains(tree: Tree, gain: np.ndarray) -> np.ndarray:
    """Impurities of nodes whose weighted decreases are the gains, 0 in leaves.

    Boosting programs store by how much every split lowered their objective, not an impurity.
    """
    assert tree.weight is not None
    weight = tree.weight
    total = np.zeros(len(weight))
    for node in _children_first(tree):
        total[node] = gain[node] + total[tree.left[node]] + total[tree.right[node]]
    means: np.ndarray = np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)
    return means


def _children_first(tree: Tree) -> list[int]:
    """Inner nodes, every one after those below it."""
    order, todo = [], [0]
    while todo:
        node = todo.pop()
        if tree.feature[node] >= 0:
            order.append(node)
            todo += [int(tree.left[node]), int(tree.right[node])]
    return order[::-1]
