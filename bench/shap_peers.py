"""Shapley values and interactions by wald and by other programs, of the same forests: many rows and
a single one, one thread and two, against the depth of trees and the number of columns.

Programs take turns. Run it by `cargo xtask bench shap-peers`. fasttreeshap takes part where
`--fasttreeshap` names a Python that has it; see docs/benchmarks.md.
"""

import argparse
import json
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import forest_json
import numpy as np
from report import head, machine, row
from sklearn.ensemble import RandomForestRegressor

HERE = Path(__file__).parent
SHAP, WOODELF, FAST = "shap", "woodelf_explainer", "fasttreeshap"
# A program that takes longer is left out.
MOST_SECONDS = 400


@dataclass(frozen=True)
class Case:
    n_columns: int
    n_trees: int
    leaf: int = 1
    depth: int | None = None
    n_rows: int = 3000


FEW_COLUMNS, DEEP = Case(5, 300, leaf=5), Case(20, 100)
DEPTHS = [replace(DEEP, n_trees=50, depth=depth) for depth in (4, 8, 12, 16, 24, None)]
COLUMNS = [replace(DEEP, n_trees=50, n_columns=n_columns) for n_columns in (5, 10, 20, 50)]


def grow(case, folder):
    """Writes a forest and its table; returns the mean number of leaves and the mean depth."""
    numbers = np.random.default_rng(1)
    # scikit-learn rounds columns to single precision.
    X = numbers.normal(size=(case.n_rows, case.n_columns)).astype(np.float32).astype(float)
    signal = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + X[:, 3]
    y = signal + 0.5 * numbers.normal(size=case.n_rows)
    forest = RandomForestRegressor(
        case.n_trees, max_features=max(1, case.n_columns // 3), min_samples_leaf=case.leaf,
        max_depth=case.depth, random_state=0,
    ).fit(X, y)
    found = [estimator.tree_ for estimator in forest.estimators_]
    np.save(folder / "X.npy", X)
    (folder / "forest.pickle").write_bytes(pickle.dumps(forest))
    of_trees = {
        "left": "children_left", "right": "children_right", "feature": "feature",
        "threshold": "threshold", "weight": "weighted_n_node_samples",
    }
    arrays = {
        name: np.concatenate([getattr(tree, key) for tree in found])
        for name, key in of_trees.items()
    }
    arrays["value"] = np.concatenate([tree.value[:, 0, 0] for tree in found])
    np.savez(folder / "forest.npz", sizes=[tree.node_count for tree in found], **arrays)
    forest_json.write_bootstrapped(folder / "forest.json", forest, case.n_columns)
    (folder / "table.json").write_text(json.dumps({"X": X.tolist(), "y": y.tolist()}))
    leaves = statistics.mean(tree.n_leaves for tree in found)
    return leaves, statistics.mean(tree.max_depth for tree in found)


def by_wald(folder, n_rows, threads, measure):
    """Elapsed and processor seconds of a row, and the values of all."""
    files = [folder / name for name in ("forest.json", "table.json")]
    words = [ARGUMENTS.wald, *files, n_rows, measure, threads, folder / "values"]
    answer = subprocess.run([str(word) for word in words], capture_output=True, check=True)
    seconds = json.loads(answer.stdout)["seconds"]
    return [(at or 0) / n_rows for at in seconds], np.fromfile(folder / "values", dtype="<f8")


def by_peer(name, folder, n_rows, threads, measure):
    """The same by another program; `None` if it does not."""
    python = ARGUMENTS.fasttreeshap if name == FAST else sys.executable
    if python is None:
        return None
    # An old numpy of another environment must not see this one's path.
    count = {key: str(threads) for key in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    words = [python, HERE / "shap_program.py", name, folder, n_rows, threads, measure]
    try:
        answer = subprocess.run(
            [str(word) for word in words], capture_output=True, check=True, text=True,
            timeout=MOST_SECONDS, env={**os.environ, **count},
        )
    except subprocess.TimeoutExpired:
        print(f"{name} takes more than {MOST_SECONDS} seconds", file=sys.stderr)
        return None
    except subprocess.CalledProcessError as error:
        print(f"{name} fails: {error.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    seconds = json.loads(answer.stdout.splitlines()[-1])["seconds"]
    return [at / n_rows for at in seconds], np.load(folder / "values.npy").ravel()


def turns(folder, measure, name, n_rows, threads):
    """Medians of wald's and of the peer's elapsed and processor seconds a row, and the largest
    difference; rows of both are numbers in this order."""
    found = []
    for _ in range(ARGUMENTS.repeats):
        ours = by_wald(folder, n_rows[0], threads, measure)
        theirs = by_peer(name, folder, n_rows[1], threads, measure)
        if theirs is None:
            return None
        found.append((ours, theirs))
    n_same = min(len(ours[1]), len(theirs[1]))
    difference = np.abs(ours[1][:n_same] - theirs[1][:n_same]).max()
    seconds = [
        [statistics.median(turn[side][0][clock] for turn in found) for clock in (0, 1)]
        for side in (0, 1)
    ]
    return *seconds, difference


def milliseconds(seconds):
    return f"{1e3 * seconds:.3g}"


def compare_programs(folder):
    """All programs, of two forests."""
    print("\n### Programs\n")
    head(
        *("forest", "measure", "program", "wald, 1 thread", "program", "ratio", "wald, 2 threads"),
        *("program", "ratio", "largest difference"),
    )
    for case in (FEW_COLUMNS, DEEP):
        case = scaled(case)
        leaves, depth = grow(case, folder)
        about = f"{case.n_rows} x {case.n_columns}, {case.n_trees} trees, {leaves:.0f} leaves, depth {depth:.0f}"
        lines = [("tree_shap", SHAP, 30), ("tree_shap", WOODELF, 1000), ("tree_shap", FAST, 300)]
        lines += [("tree_shap_interactions", SHAP, 5), ("tree_shap_interactions", WOODELF, 1000)]
        for measure, name, n_theirs in lines:
            n_rows = (min(1000, case.n_rows), min(n_theirs, case.n_rows))
            one = turns(folder, measure, name, n_rows, 1)
            if one is None:
                row([about, measure, name, *["-"] * 7])
                continue
            cells = [milliseconds(one[0][1]), milliseconds(one[1][1])]
            cells.append(f"{one[1][1] / one[0][1]:.0f}")
            # The others have one thread.
            two = turns(folder, measure, name, n_rows, 2) if name == FAST else None
            ours = two[0][0] if two else by_wald(folder, n_rows[0], 2, measure)[0][0]
            cells.append(milliseconds(ours))
            cells += [milliseconds(two[1][0]), f"{two[1][0] / ours:.0f}"] if two else ["-", "-"]
            row([about, measure, name, *cells, f"{one[2]:.0e}"])


def compare_sizes(folder, title, cases):
    """wald and shap, from case to case."""
    print(f"\n### {title}\n")
    head(
        *("columns", "leaves", "depth", "measure", "wald", "wald, ns a row and node", "shap"),
        *("ratio", "a single row: wald", "shap", "largest difference"),
    )
    for case in map(scaled, cases):
        leaves, depth = grow(case, folder)
        nodes = case.n_trees * (2 * leaves - 1)
        # shap takes as long for every row, and minutes for pairs of many columns.
        lines = [("tree_shap", 30), ("tree_shap_interactions", 3 if case.n_columns <= 20 else 1)]
        for measure, n_theirs in lines:
            many = turns(folder, measure, SHAP, (min(1000, case.n_rows), n_theirs), 1)
            single = turns(folder, measure, SHAP, (1, 1), 1)
            row([
                case.n_columns, f"{leaves:.0f}", f"{depth:.0f}", measure,
                milliseconds(many[0][1]), f"{1e9 * many[0][1] / nodes:.2f}",
                milliseconds(many[1][1]), f"{many[1][1] / many[0][1]:.0f}",
                milliseconds(single[0][1]), milliseconds(single[1][1]), f"{many[2]:.0e}",
            ])


def scaled(case):
    scale = ARGUMENTS.scale
    return replace(
        case, n_rows=int(case.n_rows * scale), n_trees=max(1, int(case.n_trees * scale))
    )


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("wald", help="the program bench_shap")
    add("--repeats", type=int, default=3)
    add("--scale", type=float, default=1, help="fraction of rows and trees, to try things out")
    add("--fasttreeshap", help="a Python that has fasttreeshap")
    add("--parts", nargs="+", default=["programs", "depth", "columns"])
    return parser.parse_args()


def main():
    print(f"{machine()}.")
    print(
        f"Milliseconds a row, medians of {ARGUMENTS.repeats} turns: processor time of one thread, "
        "elapsed time of two"
    )
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        if "programs" in ARGUMENTS.parts:
            compare_programs(folder)
        if "depth" in ARGUMENTS.parts:
            compare_sizes(folder, "Against the depth of trees", DEPTHS)
        if "columns" in ARGUMENTS.parts:
            compare_sizes(folder, "Against the number of columns", COLUMNS)


if __name__ == "__main__":
    ARGUMENTS = parse()
    main()
