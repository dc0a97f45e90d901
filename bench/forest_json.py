"""Forests of scikit-learn as `wald-forest` JSON."""

import json
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shape:
    """What a forest is of; no classes where the target is a number."""

    n_columns: int
    n_classes: int = 0


def write_bootstrapped(path, forest, n_columns):
    """A bootstrapped forest of a numeric target, with the values of its nodes."""
    n_rows = len(forest.estimators_samples_[0])
    drawn = [np.bincount(rows, minlength=n_rows) for rows in forest.estimators_samples_]
    write(path, Shape(n_columns), forest.estimators_, drawn, values=True)


def write(path, case, grown_trees, drawn=None, values=False):
    """`drawn` counts, by tree, how often every row was drawn. Node values follow from the rows unless
    `values` are asked for."""
    trees = []
    for index, grown in enumerate(grown_trees):
        nodes = grown.tree_
        tree = {
            "feature": np.maximum(nodes.feature, -1).tolist(),
            "threshold": nodes.threshold.tolist(),
            "left": nodes.children_left.tolist(),
            "right": nodes.children_right.tolist(),
        }
        if drawn is not None:
            tree["in_bag"] = drawn[index].tolist()
        if values:
            # Nodes x outputs; scikit-learn holds one output, of one number or of all classes.
            outputs = nodes.value[:, 0, :]
            tree["value"] = (outputs if case.n_classes else outputs[:, 0]).tolist()
        trees.append(tree)
    document = {
        "format": "wald-forest",
        "version": 1,
        "task": "classification" if case.n_classes else "regression",
        "features": [f"x{index + 1}" for index in range(case.n_columns)],
        "classes": [str(index) for index in range(case.n_classes)] or None,
        "float32_inputs": True,
        "trees": trees,
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
