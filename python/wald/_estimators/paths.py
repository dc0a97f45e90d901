"""Decision paths of rows."""

from __future__ import annotations

import numpy as np
from scipy import sparse


def paths(leaves: np.ndarray, parents: list[np.ndarray]) -> tuple[sparse.csr_array, np.ndarray]:
    """The nodes above the leaves, leaves included: which row meets which node, and where the
    nodes of every tree begin.

    ``leaves`` has rows and trees; ``parents`` has an array for each tree, in which the root is its
    own parent.
    """
    starts = np.concatenate([[0], np.cumsum([len(of_tree) for of_tree in parents])])
    met_by, met = [], []
    for tree, parent in enumerate(parents):
        rows, nodes = np.arange(len(leaves)), leaves[:, tree]
        while len(rows):
            met_by.append(rows)
            met.append(starts[tree] + nodes)
            below = nodes > 0
            rows, nodes = rows[below], parent[nodes[below]].astype(np.int64)
    rows, nodes = np.concatenate(met_by), np.concatenate(met)
    shape = (len(leaves), int(starts[-1]))
    indicator = sparse.csr_array((np.ones(len(rows), np.int64), (rows, nodes)), shape=shape)
    indicator.sort_indices()
    return indicator, starts
