"""MDI-oob, UFI and naive-oob of forests of scikit-learn: wald beside programs in Python.

Every forest is grown by scikit-learn and handed to wald as `wald-forest` JSON, so that all
measure the same trees. For two classes the contributions of Li et al. (2019), Proposition 1, come
from treeinterpreter, on which the authors' program builds. For numbers, which treeinterpreter does
not take beside numpy 2, they come from numpy in the same way: once per leaf, along its path. UFI
and naive-oob are written here for whole arrays, which takes less than the published loops. Run it
by `cargo xtask bench impurity`.
"""

import argparse
import os
import tempfile
import time

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from treeinterpreter.treeinterpreter import _predict_tree

import tables
from accuracy_cases import regression
from cases import interactions
from forest_json import write
from programs import Program, versions
from report import head, machine, row

CASES = [
    regression("Benard's example 1", (3_000, 5), 300, draw=interactions),
    regression("Benard's example 1, 2 classes", (3_000, 5), 300, draw=interactions, n_classes=2),
    regression("Friedman 1", (20_000, 20), 100),
]

# Processor seconds of the authors' program on forests of the sizes of the first and last case,
# on another machine.
PUBLISHED = {
    "Benard's example 1": {"mdi_oob_uncentred": 2.6, "mdi_oob_naive": 5.8, "ufi": 17.8},
    "Friedman 1": {"mdi_oob_uncentred": 27.6},
}


class Tree:
    """A tree of scikit-learn, with the rows it was grown on and those it was not."""

    def __init__(self, grown, in_bag, responses):
        self.grown, self.nodes = grown, grown.tree_
        self.in_bag = in_bag
        self.outside = np.flatnonzero(in_bag == 0)
        self.responses = responses[self.outside]
        # Nodes x outputs; scikit-learn holds one output, of one number or of all classes.
        self.values = self.nodes.value[:, 0, :]

    def contributions(self, x):
        """Of every variable to the prediction of every row: rows x variables x outputs."""
        if self.values.shape[1] > 1:
            return _predict_tree(self.grown, x)[2]
        parents = np.full(self.nodes.node_count, -1)
        for children in (self.nodes.children_left, self.nodes.children_right):
            inner = np.flatnonzero(children >= 0)
            parents[children[inner]] = inner
        leaves, of_rows = np.unique(self.grown.apply(x), return_inverse=True)
        by_leaf = np.zeros((len(leaves), x.shape[1], 1))
        for index, node in enumerate(leaves):
            while parents[node] >= 0:
                change = self.values[node] - self.values[parents[node]]
                by_leaf[index, self.nodes.feature[parents[node]]] += change
                node = parents[node]
        return by_leaf[of_rows]

    def outside_nodes(self, x):
        """Number and mean responses of the rows that each node was not grown on."""
        paths = self.grown.decision_path(x)
        counts = np.asarray(paths.sum(axis=0)).ravel().astype(float)
        with np.errstate(invalid="ignore"):
            return counts, (paths.T @ self.responses) / counts[:, None]

    def decreases(self, impurity, weights, counts, n_variables):
        """By variable, over the splits both of whose sides have rows."""
        left, right = self.nodes.children_left, self.nodes.children_right
        inner = np.flatnonzero(left >= 0)
        inner = inner[(counts[left[inner]] > 0) & (counts[right[inner]] > 0)]
        weighted = weights * impurity
        found = weighted[inner] - weighted[left[inner]] - weighted[right[inner]]
        return np.bincount(self.nodes.feature[inner], found, minlength=n_variables)


def mdi_oob_uncentred(tree, x):
    """Equation 14."""
    contributions = tree.contributions(x)
    return np.tensordot(tree.responses, contributions, axes=([0, 1], [0, 2])) / len(x)


def ufi(tree, x):
    """Zhou & Hooker (2019)."""
    counts, outside = tree.outside_nodes(x)
    nodes, inside = tree.nodes, tree.values
    if inside.shape[1] > 1:
        impurity = 1 - (inside * outside).sum(axis=1)
    else:
        squares = tree.grown.decision_path(x).T @ tree.responses[:, 0] ** 2
        with np.errstate(invalid="ignore"):
            variance = squares / counts - outside[:, 0] ** 2
        impurity = nodes.impurity + variance + (inside - outside)[:, 0] ** 2
    weights = nodes.weighted_n_node_samples / nodes.weighted_n_node_samples[0]
    return tree.decreases(impurity, weights, counts, x.shape[1])


def mdi_oob_naive(tree, x):
    """Section 3.2: everything from rows that the tree was not grown on."""
    counts, outside = tree.outside_nodes(x)
    squares = tree.grown.decision_path(x).T @ (tree.responses**2).sum(axis=1)
    with np.errstate(invalid="ignore"):
        impurity = squares / counts - (outside**2).sum(axis=1)
    impurity = np.where(counts > 0, impurity, 0)
    # An empty side takes nothing away here, so that all splits count.
    return tree.decreases(impurity, counts / len(x), np.ones_like(counts), x.shape[1])


MEASURES = [mdi_oob_uncentred, ufi, mdi_oob_naive]


def grow(case, x, y):
    """The forest and how often each tree drew each row."""
    kind = RandomForestClassifier if case.n_classes else RandomForestRegressor
    forest = kind(
        case.n_trees, max_features=case.mtry, min_samples_split=case.min_node_size, random_state=0
    ).fit(x, y)
    drawn = [np.bincount(rows, minlength=len(x)) for rows in forest.estimators_samples_]
    return forest, drawn


def in_python(measure, forest, drawn, x, responses):
    """Processor seconds and importances."""
    x = x.astype(np.float32)
    start = time.process_time()
    total = np.zeros(x.shape[1])
    for grown, in_bag in zip(forest.estimators_, drawn):
        tree = Tree(grown, in_bag, responses)
        total += measure(tree, x[tree.outside])
    return time.process_time() - start, total / len(forest.estimators_)


def compare(case, folder, arguments):
    rng = np.random.default_rng(arguments.seed)
    x, y = case.sample(rng, case.n_rows)
    # What scikit-learn works on.
    x = x.astype(np.float32).astype(float)
    responses = np.eye(case.n_classes)[y.astype(int)] if case.n_classes else y[:, None]
    table, stored = (os.path.join(folder, name) for name in ("table.bin", "forest.json"))
    tables.write(table, x, y, case.n_classes)
    forest, drawn = grow(case, x, y)
    write(stored, case, forest.estimators_, drawn)
    names = [measure.__name__ for measure in MEASURES]
    with Program("wald", arguments.wald, [table]) as wald:
        runs = [
            wald.grow({"stored": stored, "measures": ",".join(names)})["measured"]
            for _ in range(arguments.repeats)
        ]
    leaves = np.mean([grown.get_n_leaves() for grown in forest.estimators_])
    for measure, name in zip(MEASURES, names):
        seconds, values = in_python(measure, forest, drawn, x, responses)
        ours = float(np.median([run[name]["seconds"][1] for run in runs]))
        apart = np.abs(values - runs[0][name]["importances"]).max() / np.abs(values).max()
        known = PUBLISHED.get(case.about, {}).get(name)
        row([
            *(case.about, f"{leaves:.0f}", name, f"{1_000 * ours:.1f}", f"{1_000 * seconds:.0f}"),
            *(f"{seconds / ours:.0f}", f"{known / ours:.0f}" if known else "-", f"{apart:.1e}"),
        ])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("wald", help="the program bench_forest")
    add("--repeats", type=int, default=5, help="of wald; the slower programs run once")
    add("--scale", type=float, default=1, help="fraction of rows and trees, to try things out")
    add("--seed", type=int, default=1, help="of the data")
    arguments = parser.parse_args()
    print(f"{machine()}; {versions(['scikit-learn', 'treeinterpreter'])}.")
    print("One thread, processor milliseconds on a stored forest; medians for wald.\n")
    head(
        *("case", "leaves", "measure", "wald", "Python", "Python / wald"),
        *("authors' program (published seconds, another machine) / wald", "largest difference"),
    )
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            compare(case.scaled(arguments.scale), folder, arguments)


if __name__ == "__main__":
    main()
