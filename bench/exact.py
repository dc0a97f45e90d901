"""Whether wald's trees are exact: every split the best one, every tree that of scikit-learn.

Single trees with all columns tried at every node, on all rows or on a bootstrap sample. Two
independent checks:

- Brute force: at every node, all thresholds of all columns are tried here; the split that wald
  made has to be the best of them, and a leaf must not be able to split.
- scikit-learn's DecisionTree: same nodes, rows, impurities and thresholds, from the root down.
  Columns are drawn as 32-bit floats, because it rounds to these. Where several splits are
  equally good, either program takes another of them; if both send the same rows to the same
  child, the comparison goes on below, else it ends at this node, which the table counts.

Run it by `cargo xtask bench exact`; it fails if anything differs.
"""

import argparse
import itertools
import json
import os
import sys
import tempfile
from collections import Counter

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import tables
from programs import Program, versions
from report import head, row

# Of the impurity of a node: above what sums of 64-bit numbers lose, far below what matters.
TOLERANCE = 1e-9

# Nodes of both trees (brute force looks at all of wald's), and how the compared ones agree.
COUNTS = [
    *("nodes", "nodes of scikit-learn", "compared"),
    *("same splits", "ties, same rows", "ties, other rows"),
]

# Criterion and number of classes.
TARGETS = [("variance", 0), ("gini", 2), ("gini", 5), ("entropy", 2), ("entropy", 5)]

# Rows, columns, least draws of a leaf, greatest depth.
SHAPES = [
    (500, 5, 1, None),
    (3_000, 20, 1, None),
    (3_000, 20, 5, None),
    (3_000, 20, 50, 6),
    (100_000, 5, 100, None),
    (100_000, 5, 1, 8),
]


def draw(rng, n_rows, n_columns, n_classes):
    """Columns that scikit-learn does not round, with gaps that it does not overlook."""
    x = (1e4 * rng.standard_normal((n_rows, n_columns))).astype(np.float32).astype(float)
    y = x[:, 0] / 1e4 + (x[:, 1] / 1e4) ** 2 + rng.standard_normal(n_rows)
    if n_classes:
        cuts = np.quantile(y, np.arange(1, n_classes) / n_classes)
        y = np.searchsorted(cuts, y).astype(float)
    return x, y


class Node:
    """The draws that reach a node, and how well they can be divided."""

    def __init__(self, responses, criterion):
        self.n, self.criterion = len(responses), criterion
        if criterion == "variance":
            # Sums of deviations keep their digits.
            responses = responses - responses.mean(axis=0)
        self.responses, self.sums = responses, responses.sum(axis=0)
        squares = 0.0 if criterion == "entropy" else (responses**2).sum()
        # Summed over the draws.
        self.impurity = squares - self.alike(self.sums, self.n)

    def alike(self, sums, n):
        """What grows when draws with these sums are alike; the impurity falls by as much."""
        if self.criterion == "entropy":
            shares = sums / np.expand_dims(n, -1)
            return (sums * np.log2(np.where(shares > 0, shares, 1))).sum(axis=-1)
        return (sums**2).sum(axis=-1) / n

    def decrease(self, left, n_left):
        """Of the impurity, when draws with these sums go left."""
        both = self.alike(left, n_left) + self.alike(self.sums - left, self.n - n_left)
        return both - self.alike(self.sums, self.n)

    def best(self, x, least):
        """The greatest decrease of all divisions; minus infinity where there is none."""
        order = np.argsort(x, axis=0)
        x = np.take_along_axis(x, order, axis=0)
        left = np.cumsum(self.responses[order], axis=0)[:-1]
        n_left = np.arange(1, self.n)[:, None]
        allowed = (x[1:] > x[:-1]) & (n_left >= least) & (self.n - n_left >= least)
        decreases = np.where(allowed, self.decrease(left, n_left), -np.inf)
        return decreases.max(initial=-np.inf)


class Comparison:
    """One tree of wald beside brute force and beside one tree of scikit-learn."""

    def __init__(self, x, y, n_classes, settings, trees):
        self.x, self.settings = x, settings
        self.wald, self.other = trees
        self.responses = np.eye(n_classes)[y.astype(int)] if n_classes else y[:, None]
        # scikit-learn subtracts sums of squares, a child's from its parent's.
        self.lost = 1e-14 * (self.responses**2).sum()
        self.counts = Counter({"nodes of scikit-learn": len(self.other["feature"])})
        self.differences = []

    def run(self):
        draws = np.repeat(np.arange(len(self.x)), self.wald["in_bag"])
        stack = [(0, 0, draws, 0)]
        while stack:
            stack += self.visit(*stack.pop())
        if not self.counts["ties, other rows"]:
            same = self.counts["nodes"] == self.counts["nodes of scikit-learn"]
            self.expect(same, 0, "number of nodes in scikit-learn")

    def expect(self, holds, node, what):
        if not holds:
            self.differences.append(f"node {node}: {what}")

    def visit(self, node, twin, draws, depth):
        """Looks at one node of wald and at its twin, if it has one; returns its children."""
        known = Node(self.responses[draws], self.settings["impurity"])
        tolerance = TOLERANCE * known.impurity
        least = self.settings["min-leaf-size"]
        can_split = depth != self.settings.get("max-depth")
        best = known.best(self.x[draws], least) if can_split else -np.inf
        impurity = self.wald["impurity"][node]
        self.counts["nodes"] += 1
        self.expect(self.wald["weight"][node] == len(draws), node, "number of draws")
        self.expect(abs(len(draws) * impurity - known.impurity) <= tolerance, node, "impurity")
        left = None
        if self.wald["feature"][node] >= 0:
            left = self.goes_left(self.wald, node, draws)
            decrease = known.decrease(known.responses[left].sum(axis=0), left.sum())
            self.expect(decrease >= best - tolerance, node, "another division is better")
            self.expect(least <= left.sum() <= len(draws) - least, node, "a leaf is too small")
        else:
            self.expect(best <= tolerance, node, "a leaf could be divided")
        if twin is not None:
            self.counts["compared"] += 1
            gap = abs(impurity - self.other["impurity"][twin])
            allowed = TOLERANCE * impurity + self.lost / len(draws)
            self.expect(gap <= allowed, node, "impurity in scikit-learn")
        twins = self.twins(node, twin, draws, left) if twin is not None else (None, None)
        if left is None:
            return []
        children = self.wald["left"][node], self.wald["right"][node]
        return zip(children, twins, (draws[left], draws[~left]), (depth + 1, depth + 1))

    def goes_left(self, tree, node, draws):
        return self.x[draws, tree["feature"][node]] <= tree["threshold"][node]

    def twins(self, node, twin, draws, left):
        """The nodes of scikit-learn that hold the rows of wald's children."""
        children = self.other["left"][twin], self.other["right"][twin]
        if left is None or self.other["feature"][twin] < 0:
            same = left is None and self.other["feature"][twin] < 0
            self.expect(same, node, "a leaf in one program only")
            return None, None
        questions = [
            (tree["feature"][at], tree["threshold"][at])
            for tree, at in ((self.wald, node), (self.other, twin))
        ]
        if questions[0] == questions[1]:
            self.counts["same splits"] += 1
            return children
        # Brute force has shown that no division is better than that of wald.
        other_left = self.goes_left(self.other, twin, draws)
        if np.array_equal(left, other_left):
            self.expect(questions[0][0] != questions[1][0], node, "threshold in scikit-learn")
            self.counts["ties, same rows"] += 1
            return children
        if np.array_equal(left, ~other_left):
            self.counts["ties, same rows"] += 1
            return children[::-1]
        known = Node(self.responses[draws], self.settings["impurity"])
        sums = (known.responses[rows].sum(axis=0) for rows in (left, other_left))
        ours, theirs = map(known.decrease, sums, (left.sum(), other_left.sum()))
        equal = abs(ours - theirs) <= TOLERANCE * known.impurity
        self.expect(equal, node, "a split of other worth in scikit-learn")
        self.counts["ties, other rows"] += 1
        return None, None


def grow_both(wald, folder, x, y, n_classes, settings):
    """A tree of wald, and one of scikit-learn on the same draws, as arrays over their nodes."""
    path = os.path.join(folder, "forest.json")
    wald.grow({**settings, "forest": path})
    with open(path, encoding="utf-8") as file:
        ours = json.load(file)["trees"][0]
    kind = DecisionTreeClassifier if n_classes else DecisionTreeRegressor
    criterion = settings["impurity"].replace("variance", "squared_error")
    # One half less than the least weight keeps rounding out; weights are whole numbers.
    fraction = (settings["min-leaf-size"] - 0.5) / sum(ours["in_bag"])
    other = kind(
        criterion=criterion,
        max_depth=settings.get("max-depth"),
        min_weight_fraction_leaf=fraction,
        random_state=settings["seed"],
    )
    tree = other.fit(x, y, sample_weight=ours["in_bag"]).tree_
    theirs = {
        "feature": tree.feature.tolist(),
        "threshold": tree.threshold.tolist(),
        "left": tree.children_left.tolist(),
        "right": tree.children_right.tolist(),
        "impurity": tree.impurity.tolist(),
    }
    return ours, theirs


def compare(arguments, folder, target, shape):
    """Two rows of the table; how many differences there are."""
    criterion, n_classes = target
    n_rows, n_columns, least, depth = shape
    n_rows = max(200, round(arguments.scale * n_rows))
    x, y = draw(np.random.default_rng(arguments.seed), n_rows, n_columns, n_classes)
    path = os.path.join(folder, "train.bin")
    tables.write(path, x, y, n_classes)
    n_differences = 0
    with Program("wald", arguments.wald, [path]) as wald:
        for sampling in ("all", "bootstrap"):
            settings = {
                "trees": 1,
                "mtry": n_columns,
                "min-node-size": 1,
                "min-leaf-size": least,
                **({"max-depth": depth} if depth else {}),
                "impurity": criterion,
                "sampling": sampling,
                "seed": arguments.seed,
            }
            trees = grow_both(wald, folder, x, y, n_classes, settings)
            comparison = Comparison(x, y, n_classes, settings, trees)
            comparison.run()
            name = f"{criterion}, {n_classes} classes" if n_classes else criterion
            counts = [comparison.counts[key] for key in COUNTS]
            found = comparison.differences
            row([name, n_rows, n_columns, sampling, least, depth or "-", *counts, len(found)])
            for difference in found[:5]:
                print(f"{name}, {sampling}: {difference}", file=sys.stderr)
            n_differences += len(found)
    return n_differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wald", help="the program bench_forest")
    parser.add_argument("--scale", type=float, default=1, help="fraction of the rows")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"{versions(['scikit-learn'])}\n")
    head(*("target", "rows", "columns", "draws", "least leaf", "depth"), *COUNTS, "differences")
    with tempfile.TemporaryDirectory() as folder:
        combinations = itertools.product(TARGETS, SHAPES)
        n_differences = sum(compare(arguments, folder, *each) for each in combinations)
    if n_differences:
        sys.exit(f"{n_differences} differences")


if __name__ == "__main__":
    main()
