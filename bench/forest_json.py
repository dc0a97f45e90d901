"""Forests of scikit-learn as `wald-forest` JSON."""

import json

import numpy as np


def write(path, case, grown_trees, drawn=None, values=False):
    """`drawn` tells by tree how often it drew every row. Node values follow from the rows unless
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
