"""The forest of any program as ``wald-forest`` JSON (docs/files.md) with its numbers beside it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from wald.errors import DataError

LEFT, RIGHT = 0, 1

# The unit of `impurity_of_gains` where nodes weigh as many as they have rows.
GAIN_OF_ROWS = "gain of the objective per row"


@dataclass
class Tree:
    """Arrays over the nodes of a tree, the root first; ``None`` where the program is silent."""

    feature: np.ndarray  # -1 on leaves
    threshold: np.ndarray  # of inner nodes; what leaves have is ignored
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray  # (n_nodes,) or (n_nodes, n_classes); NaN where there is none
    missing: np.ndarray  # LEFT or RIGHT
    present: np.ndarray  # nodes that send all values left, missing ones right
    weight: np.ndarray | None = None
    impurity: np.ndarray | None = None
    in_bag: np.ndarray | None = None
    strict: bool = False  # left iff value < threshold, not <=
    levels: dict[int, list[int]] = field(default_factory=dict)  # by node, level codes
    listed_go: str = "left"  # where they go

    def arrays(self) -> dict[str, np.ndarray | None]:
        """The numbers, as the engine takes them."""
        in_bag = None if self.in_bag is None else _counts(self.in_bag)
        threshold = np.where(self.present, 0.0, self.threshold)
        names = ("feature", "left", "right", "missing", "weight", "impurity")
        return {**{name: getattr(self, name) for name in names}, "threshold": threshold,
                "value": self.value.reshape(-1), "in_bag": in_bag}

    def words(self) -> dict[str, Any]:
        """The part of the tree in the JSON document: splits that are not thresholds."""
        words: dict[str, Any] = dict.fromkeys(("feature", "threshold", "left", "right"))
        if not (self.levels or self.strict or self.present.any()):
            return words
        split = np.where(self.present, "present", "lt" if self.strict else "le").astype(object)
        if self.levels:
            levels: list[list[int] | None] = [None] * len(split)
            for node, listed in self.levels.items():
                split[node] = "levels" if self.listed_go == "left" else "levels_right"
                levels[node] = listed
            words["levels"] = levels
        return words | {"split": split.tolist()}

    def compact(self) -> Tree:
        """The same tree without nodes that the root does not reach."""
        inner = self.children_first()
        if len(self.feature) == 2 * len(inner) + 1:
            return self
        reached = np.zeros(len(self.feature), bool)
        reached[[0, *self.left[inner], *self.right[inner]]] = True
        place = np.cumsum(reached) - 1
        kept = {name: of_nodes[reached] for name in (
            "feature", "threshold", "value", "missing", "weight", "impurity", "present")
            if (of_nodes := getattr(self, name)) is not None}
        for name, children in (("left", self.left), ("right", self.right)):
            kept[name] = np.where(children >= 0, place[children], -1)[reached]
        levels = {int(place[node]): listed for node, listed in self.levels.items() if reached[node]}
        return replace(self, **kept, levels=levels)

    def children_first(self) -> list[int]:
        """Inner nodes that the root reaches, every one after those below it."""
        order, todo = [], [0]
        while todo:
            node = todo.pop()
            if self.feature[node] >= 0:
                order.append(node)
                todo += [int(self.left[node]), int(self.right[node])]
        return order[::-1]


def _counts(in_bag: np.ndarray) -> np.ndarray:
    most = np.iinfo(np.uint16).max
    if in_bag.max(initial=0) > most:
        raise DataError(f"a tree drew a row more than {most} times",
                        help="fit with more rows, or with smaller max_samples")
    return in_bag.astype(np.uint16)


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
    for node in tree.children_first():
        total[node] = gain[node] + total[tree.left[node]] + total[tree.right[node]]
    return np.asarray(np.divide(total, weight, out=np.zeros(len(weight)), where=weight > 0))
