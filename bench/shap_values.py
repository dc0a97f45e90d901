"""Shapley values of rows by wald and by shap, of the same forests of scikit-learn.

wald and shap take turns, each alone on the machine's processor for as long as it computes. Run it by
`cargo xtask bench shap`.
"""

import argparse
import itertools
import json
import math
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import forest_json
import numpy as np
import shap
from report import head, machine, row
from sklearn.ensemble import RandomForestRegressor

# Rows, columns, trees, smallest leaf.
CASES = [
    (3000, 5, 300, 4),
    (3000, 20, 100, 1),
    (20000, 20, 50, 5),
    (3000, 100, 50, 1),
    (20000, 20, 20, 1),
]

# Background rows of interventional values, the last of the table; as many as in bench_shap.
BACKGROUND = 100
# Rows whose values are computed by the definition.
EXACT = 5


def grown(n_rows, n_columns, n_trees, leaf):
    numbers = np.random.default_rng(1)
    # scikit-learn rounds columns to single precision.
    X = numbers.normal(size=(n_rows, n_columns)).astype(np.float32).astype(float)
    signal = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + X[:, 3]
    y = signal + 0.5 * numbers.normal(size=n_rows)
    forest = RandomForestRegressor(
        n_trees, max_features=max(1, n_columns // 3), min_samples_leaf=leaf, random_state=0
    )
    return forest.fit(X, y), X, y


def ours(wald, files, n_rows, measure, threads):
    """Elapsed and processor seconds, and the values."""
    forest, table, values = files
    words = [wald, forest, table, n_rows, measure, threads, values]
    answer = subprocess.run([str(word) for word in words], capture_output=True, check=True)
    return json.loads(answer.stdout)["seconds"], np.fromfile(values, dtype="<f8")


def theirs(explain, X):
    """Elapsed and processor seconds, and the values."""
    elapsed, processor = time.perf_counter(), time.process_time()
    values = explain(X)
    seconds = [time.perf_counter() - elapsed, time.process_time() - processor]
    return seconds, np.asarray(values)


def by_definition(forest, row, background):
    """Interventional Shapley values: every coalition of the columns, in double precision."""
    n = len(row)
    predicted = {}
    for size in range(n + 1):
        for known in itertools.combinations(range(n), size):
            mixed = background.copy()
            mixed[:, list(known)] = row[list(known)]
            predicted[known] = forest.predict(mixed).mean()
    values = np.zeros(n)
    for known, prediction in predicted.items():
        size = len(known)
        for column in set(range(n)) - set(known):
            share = math.factorial(size) * math.factorial(n - size - 1) / math.factorial(n)
            values[column] += share * (predicted[tuple(sorted((*known, column)))] - prediction)
    return values


def compare(case, arguments, folder):
    n_rows, n_columns, n_trees, leaf = case
    n_rows, n_trees = int(n_rows * arguments.scale), max(1, int(n_trees * arguments.scale))
    forest, X, y = grown(n_rows, n_columns, n_trees, leaf)
    files = [str(Path(folder) / name) for name in ("forest.json", "table.json", "values")]
    forest_json.write_bootstrapped(files[0], forest, n_columns)
    Path(files[1]).write_text(json.dumps({"X": X.tolist(), "y": y.tolist()}))
    explainer = shap.TreeExplainer(forest, feature_perturbation="tree_path_dependent")
    leaves = statistics.mean(e.tree_.n_leaves for e in forest.estimators_)
    # shap takes as long for every row.
    n_ours = min(n_rows, arguments.rows)
    measures = [("tree_shap", explainer.shap_values, n_ours, max(1, n_ours // 30))]
    background = X[-BACKGROUND:]
    against = shap.TreeExplainer(forest, background, feature_perturbation="interventional")
    # In single precision its values do not add up to predictions.
    single = lambda rows: against.shap_values(rows, check_additivity=False)
    measures.append(("tree_shap_interventional", single, n_ours, max(EXACT, n_ours // 100)))
    if n_columns <= 20:
        pairs = explainer.shap_interaction_values
        measures.append(("tree_shap_interactions", pairs, max(1, n_ours // 10), 3))
    for measure, explain, n_ours, n_theirs in measures:
        if arguments.measures and measure not in arguments.measures:
            continue
        runs = [
            (
                ours(arguments.wald, files, n_ours, measure, 1),
                theirs(explain, X[:n_theirs]),
                ours(arguments.wald, files, n_ours, measure, 2),
            )
            for _ in range(arguments.repeats)
        ]
        seconds = statistics.median((run[0][0][1] or run[0][0][0]) for run in runs) / n_ours
        peer = statistics.median(run[1][0][1] for run in runs) / n_theirs
        # shap has one thread.
        both = statistics.median(run[2][0][0] for run in runs) / n_ours
        waited = statistics.median(run[1][0][0] for run in runs) / n_theirs
        few = ours(arguments.wald, files, 1, measure, 1)[0]
        values, expected = runs[0][0][1], runs[0][1][1].ravel()
        difference = np.abs(values[: len(expected)] - expected).max()
        exact = ["-", "-"]
        if measure == "tree_shap_interventional" and n_columns <= 8:
            true = np.array([by_definition(forest, x, background) for x in X[:EXACT]]).ravel()
            off = [np.abs(of[: len(true)] - true).max() for of in (values, expected)]
            exact = [f"{most:.0e}" for most in off]
        nodes = n_trees * (2 * leaves - 1)
        row([
            f"{n_rows} x {n_columns}, {n_trees} trees of {leaves:.0f} leaves", measure,
            f"{1e3 * seconds:.3f}", f"{1e9 * seconds / nodes:.2f}",
            f"{1e3 * (few[1] or few[0]):.2f}", f"{1e3 * peer:.2f}", f"{peer / seconds:.1f}",
            f"{1e3 * both:.3f}", f"{waited / both:.1f}", f"{difference:.0e}", *exact,
        ])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("wald", help="the program bench_shap")
    add("--repeats", type=int, default=3)
    add("--rows", type=int, default=3000, help="that wald explains; shap fewer")
    add("--measures", nargs="*", help="only these")
    add("--scale", type=float, default=1, help="fraction of rows and trees, to try things out")
    arguments = parser.parse_args()
    print(f"{machine()}; shap {shap.__version__}.")
    print(f"Medians of {arguments.repeats} runs in turn, processor time of one thread but for two columns\n")
    head(
        *("case", "measure", "wald, ms a row", "ns a row and node", "a single row, ms"),
        *("shap, ms a row", "shap / wald", "2 threads, elapsed ms a row", "shap / wald, elapsed"),
        *("largest difference",),
        *("wald off the definition", "shap off the definition"),
    )
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            compare(case, arguments, folder)


if __name__ == "__main__":
    main()
