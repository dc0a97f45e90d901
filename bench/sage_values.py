"""SAGE by wald and by sage-importance, of the same forests of scikit-learn.

Both explain the loss on the same test rows, average what is not known over the same background
rows, and use one core. What is compared is processor seconds times the square of the largest
standard error: as errors fall with the square root of the work, the ratio is how many times longer
sage-importance takes to become as precise. A long run of wald shows the errors of both. The
standard errors that the programs state are compared with how far off they are: the mean square of
error over standard error is near 1 where they are honest. sage-importance draws rows with
replacement, one order for each. Run it by `cargo xtask bench sage`.
"""

import argparse
import os
import tempfile
import time

import numpy as np
import sage
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import tables
from accuracy_cases import regression
from cases import interactions
from forest_json import write
from programs import Program, versions
from report import head, machine, row

TEST_ROWS = 1_000
BACKGROUND_ROWS = 512
# The leaves of the last two cases are as many as rows allow.
CASES = [
    (regression("Friedman 1", (1_600, 10), 100), "squared"),
    (regression("Friedman 1", (3_000, 20), 50), "squared"),
    (regression("Benard's example 1, 2 classes", (3_000, 5), 100, draw=interactions, n_classes=2), "log"),
]
PEER_LOSSES = {"squared": "mse", "log": "cross entropy"}


def grown(case, x, y, seed):
    kind = RandomForestClassifier if case.n_classes else RandomForestRegressor
    forest = kind(
        case.n_trees, max_features=max(1, case.n_columns // 3), random_state=seed, n_jobs=1,
        min_samples_leaf=5 if case.n_classes else 1,
    )
    return forest.fit(x, y)


def theirs(forest, rows, loss, arguments):
    """Processor seconds, values, standard errors."""
    background, x, y = rows
    start = time.process_time()
    imputer = sage.MarginalImputer(forest, background)
    estimator = sage.PermutationEstimator(
        imputer, PEER_LOSSES[loss], n_jobs=1, random_state=arguments.seed
    )
    found = estimator(
        x, y, batch_size=arguments.batch, n_permutations=arguments.peer_samples,
        detect_convergence=False, bar=False,
    )
    return time.process_time() - start, found.values, found.std


def ours(program, stored, loss, seed, samples=None):
    wanted = {} if samples is None else {"samples": samples}
    wanted |= {"stored": stored, "measures": f"sage:{loss}", "seed": seed, "threads": 1}
    found = program.grow(wanted)
    found = found["measured"]["sage"]
    values, errors = (np.array(found[key]) for key in ("importances", "standard_errors"))
    return found["seconds"][1] or found["seconds"][0], values, errors, found["settings"]["samples"]


def compare(case, loss, arguments, folder):
    rng = np.random.default_rng(arguments.seed)
    x, y = case.sample(rng, case.n_rows + TEST_ROWS)
    # What scikit-learn works on.
    x = x.astype(np.float32).astype(float)
    y = y.astype(int) if case.n_classes else y
    forest = grown(case, x[: case.n_rows], y[: case.n_rows], arguments.seed)
    test = x[case.n_rows :], y[case.n_rows :]
    background = x[:BACKGROUND_ROWS], y[:BACKGROUND_ROWS]
    files = [os.path.join(folder, name) for name in ("background", "test", "forest.json")]
    for file, (columns, target) in zip(files, (background, test)):
        tables.write(file, columns, target, case.n_classes)
    write(files[2], case, forest.estimators_, values=True)
    with Program("wald", arguments.wald, files[:2]) as program:
        by_samples = [
            [ours(program, files[2], loss, seed, samples) for seed in range(arguments.repeats)]
            for samples in (None, arguments.samples)
        ]
        _, truth, uncertain, _ = ours(program, files[2], loss, 1_000, arguments.long)
    peer = theirs(forest, (background[0], *test), loss, arguments)
    leaves = np.mean([tree.tree_.n_leaves for tree in forest.estimators_])
    label = f"{case.about}: {case.n_trees} trees of {leaves:.0f} leaves, {case.n_columns} columns"
    for by_wald in by_samples:
        seconds = float(np.median([run[0] for run in by_wald]))
        worst = float(np.sqrt(np.mean([run[2].max() ** 2 for run in by_wald])))
        off = np.mean([honesty(run[1], run[2], truth, uncertain) for run in by_wald])
        efficiency = peer[0] * peer[2].max() ** 2 / (seconds * worst**2)
        row([
            label, loss, by_wald[0][3], f"{seconds:.2f}", f"{worst:.2g}", f"{off:.2f}",
            arguments.peer_samples, f"{peer[0]:.1f}", f"{peer[2].max():.2g}",
            f"{honesty(peer[1], peer[2], truth, uncertain):.2f}", f"{efficiency:.0f}",
        ])


def honesty(values, errors, truth, uncertain):
    """The mean square of error over standard error."""
    return np.mean((values - truth) ** 2 / (errors**2 + uncertain**2))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("wald", help="the program bench_forest")
    add("--repeats", type=int, default=5, help="runs of wald, each with another seed")
    add("--samples", type=int, default=16_000, help="of wald, after runs to its default precision")
    add("--long", type=int, default=80_000, help="samples of wald that stand for the truth")
    add("--peer-samples", type=int, default=512)
    add("--batch", type=int, default=64, help="samples that sage-importance takes together")
    add("--seed", type=int, default=0)
    add("--cases", type=int, nargs="*", default=range(len(CASES)))
    arguments = parser.parse_args()
    print(f"{machine()}; {versions(['scikit-learn', 'sage-importance'])}.")
    print(f"{TEST_ROWS} test rows, {BACKGROUND_ROWS} background rows; processor seconds\n")
    head(
        *("case", "loss", "wald, samples", "seconds", "largest standard error", "(error / s.e.)^2"),
        *("sage-importance, samples", "seconds", "largest standard error", "(error / s.e.)^2"),
        "efficiency ratio",
    )
    with tempfile.TemporaryDirectory() as folder:
        for index in arguments.cases:
            compare(*CASES[index], arguments, folder)


if __name__ == "__main__":
    main()
