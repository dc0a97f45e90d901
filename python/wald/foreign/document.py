"""The forest of any program as ``wald-forest`` JSON (docs/files.md)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np

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

    def entries(self) -> dict[str, Any]:
        leaf = self.feature < 0
        present = np.zeros(len(leaf), bool) if self.present is None else self.present
        threshold = np.where(leaf | present, 0.0, self.threshold)
        entries: dict[str, Any] = {
            "feature": self.feature.tolist(),
            "threshold": threshold.tolist(),
            "left": self.left.tolist(),
            "right": self.right.tolist(),
            "missing": self.missing.tolist(),
            "value": _values(self.value),
        }
        for name in ("weight", "impurity", "in_bag"):
            if (given := getattr(self, name)) is not None:
                entries[name] = given.tolist()
        if self.levels or self.strict or present.any():
            entries |= self._questions(present)
        return entries

    def _questions(self, present: np.ndarray) -> dict[str, Any]:
        split = np.where(present, "present", "lt" if self.strict else "le").astype(object)
        levels: list[list[int] | None] = [None] * len(split)
        for node, listed in self.levels.items():
            split[node] = "levels" if self.listed_go == "left" else "levels_right"
            levels[node] = listed
        return {"split": split.tolist(), "levels": levels}

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


def _values(value: np.ndarray) -> list[Any]:
    unknown = np.isnan(value) if value.ndim == 1 else np.isnan(value).any(axis=1)
    if not unknown.any():
        return value.tolist()
    return [None if lacks else each for lacks, each in zip(unknown, value.tolist())]


def written(trees: list[Tree], features: list[str], *, classes: list[str] | None,
            impurity: str | None = None, **fields: Any) -> bytes:
    """The whole document; ``fields`` are further ones of the format."""
    document = {
        "format": "wald-forest",
        "version": 1,
        "task": "regression" if classes is None else "classification",
        "features": features,
        "classes": classes,
        **fields,
        "trees": [tree.entries() for tree in trees],
    }
    if impurity is not None:
        document["impurity"] = impurity
    return json.dumps(document, allow_nan=False, separators=(",", ":")).encode()


def impurity_of_gains(tree: Tree, gain: np.ndarray) -> np.ndarray:
    """Impurities of nodes whose weighted decreases are the gains, 0 in leaves.

    Boosting programs store by how much every split lowered their objective, not an impurity.
    """
    assert tree.weight is not None
    weight = tree.weight
    total = np.zeros(len(weight))
    for node in _children_first(tree):
        total[node] = gain[node] + total[tree.left[node]] + total[tree.right[node]]
    return np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)


def _children_first(tree: Tree) -> list[int]:
    """Inner nodes, every one after those below it."""
    order, todo = [], [0]
    while todo:
        node = todo.pop()
        if tree.feature[node] >= 0:
            order.append(node)
            todo += [int(tree.left[node]), int(tree.right[node])]
    return order[::-1]
