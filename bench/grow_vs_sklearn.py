"""Time to grow a forest, wald against scikit-learn, and what wald's measures add.

Both grow 100 trees on bootstrap samples with the same mtry and the same stopping rule, taking
turns, on one and on two threads. Run it by `cargo xtask bench grow`, which builds the wald side
and installs scikit-learn.

The stopping rules are equal, not merely alike: scikit-learn's `min_samples_leaf` counts
distinct rows, but `min_weight_fraction_leaf` counts draws with multiplicity, as wald's
`min_leaf_size` does. Numbers of leaves are printed to show it.
"""

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import sklearn
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

N_COLUMNS = 20
FRIEDMAN = "Friedman 1, regression"

# name, classes, mtry, least draws in a leaf
CASES = [
    (f"{FRIEDMAN}, leaves of 5 draws or more", 0, 6, 5),
    (f"{FRIEDMAN}, fully grown", 0, 6, 1),
    ("2 classes, fully grown", 2, 4, 1),
    ("5 classes, fully grown", 5, 4, 1),
]


def draw(rng, n_rows, n_classes):
    """Friedman (1991): five of twenty columns matter; classes cut the target at quantiles."""
    x = rng.random((n_rows, N_COLUMNS))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
    y += 10 * x[:, 3] + 5 * x[:, 4] + rng.standard_normal(n_rows)
    if n_classes:
        cuts = np.quantile(y, np.arange(1, n_classes) / n_classes)
        y = np.searchsorted(cuts, y).astype(float)
    return x, y


def write(path, x, y, n_classes):
    """The format that crates/wald/examples/bench_forest.rs reads."""
    with open(path, "wb") as file:
        np.array([*x.shape, n_classes], dtype="<u8").tofile(file)
        np.asfortranarray(x).T.astype("<f8").tofile(file)
        y.astype("<f8").tofile(file)


def run_wald(arguments, files, threads, case, seed, measures):
    _, _, mtry, least = case
    options = [
        f"trees={arguments.trees}",
        f"threads={threads}",
        f"mtry={mtry}",
        f"min-leaf-size={least}",
        "min-node-size=1",
        f"seed={seed}",
        f"measures={measures}",
    ]
    command = [arguments.wald, *files, *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def run_sklearn(arguments, data, threads, case, seed):
    _, n_classes, mtry, least = case
    (x, y), (x_test, y_test) = data
    kind = RandomForestClassifier if n_classes else RandomForestRegressor
    # Weights of nodes are whole numbers of draws; one half less keeps rounding out of it.
    fraction = (least - 0.5) / len(y) if least > 1 else 0.0
    forest = kind(
        arguments.trees,
        max_features=mtry,
        min_weight_fraction_leaf=fraction,
        n_jobs=threads,
        random_state=seed,
    )
    # What scikit-learn works on; so its conversion is not counted.
    x = np.asarray(x, dtype=np.float32, order="F")
    start = [time.perf_counter(), time.process_time()]
    forest.fit(x, y)
    seconds = [time.perf_counter() - start[0], time.process_time() - start[1]]
    predicted = forest.predict(x_test.astype(np.float32))
    loss = predicted != y_test if n_classes else (predicted - y_test) ** 2
    leaves = statistics.mean(float(tree.get_n_leaves()) for tree in forest.estimators_)
    return {"grow_seconds": seconds, "leaves": leaves, "test_error": float(loss.mean())}


def compare(arguments, case, threads, folder):
    _, n_classes, _, _ = case
    rng = np.random.default_rng(arguments.seed)
    data = [draw(rng, arguments.rows, n_classes) for _ in range(2)]
    files = [os.path.join(folder, name) for name in ("train.bin", "test.bin")]
    for path, (x, y) in zip(files, data):
        write(path, x, y, n_classes)
    wald, peer = [], []
    for seed in range(arguments.repeats):
        wald.append(run_wald(arguments, files, threads, case, seed, "all"))
        peer.append(run_sklearn(arguments, data, threads, case, seed))
    return wald, peer, files


def medians(runs, key):
    """Elapsed and processor seconds; the latter are unknown outside Linux."""
    pairs = zip(*(run[key] for run in runs))
    return [None if None in values else statistics.median(values) for values in pairs]


def show(seconds):
    return " / ".join("-" if value is None else f"{value:.2f}" for value in seconds)


def ratio(above, below):
    return [None if None in pair else pair[0] / pair[1] for pair in zip(above, below)]


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if "model name" in line]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown"


def report(case, threads, wald, peer):
    """One row of the table, and the same numbers for the JSON file."""
    grow, fit = medians(wald, "grow_seconds"), medians(peer, "grow_seconds")
    both = medians(wald, "grow_and_measure_seconds")
    stored = medians(wald, "measure_stored_seconds")
    leaves = [statistics.mean(run["leaves"] for run in runs) for runs in (wald, peer)]
    errors = [statistics.mean(run["test_error"] for run in runs) for runs in (wald, peer)]
    if not math.isclose(*leaves, rel_tol=0.02):
        print(f"warning: {leaves[0]:.0f} and {leaves[1]:.0f} leaves differ by more than 2 %")
    print(
        f"| {case[0]} | {threads} | {show(grow)} | {show(fit)} | {show(ratio(fit, grow))} "
        f"| {show(both)} | {show(ratio(both, fit))} | {show(stored)} "
        f"| {leaves[0]:.0f} / {leaves[1]:.0f} | {errors[0]:.4f} / {errors[1]:.4f} |",
        flush=True,
    )
    return {"case": case[0], "threads": threads, "wald": wald, "scikit-learn": peer}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wald", help="the bench_forest program")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--cases", type=int, nargs="+", default=range(1, len(CASES) + 1))
    parser.add_argument("--seed", type=int, default=1, help="of the data")
    parser.add_argument("--json", help="also write all runs to this file")
    parser.add_argument("--each", action="store_true", help="time every measure by itself")
    arguments = parser.parse_args()
    print(
        f"{time.strftime('%Y-%m-%d')}, {platform.machine()}, {processor()}, "
        f"{os.cpu_count()} cores; scikit-learn {sklearn.__version__}, numpy {np.__version__}, "
        f"Python {platform.python_version()}"
    )
    print(
        f"{arguments.rows} rows, {N_COLUMNS} columns, {arguments.trees} trees; "
        f"medians of {arguments.repeats} runs in turn, elapsed / processor seconds\n"
    )
    print(
        "| case | threads | wald grow | scikit-learn fit | fit / grow | wald grow + measures "
        "| (grow + measures) / fit | wald measures of a stored forest "
        "| leaves, wald / scikit-learn | test error, wald / scikit-learn |\n"
        "|---|---|---|---|---|---|---|---|---|---|"
    )
    results, each = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in arguments.cases:
            case = CASES[number - 1]
            for threads in arguments.threads:
                wald, peer, files = compare(arguments, case, threads, folder)
                results.append(report(case, threads, wald, peer))
            if arguments.each:
                run = run_wald(arguments, files, 1, case, 0, "each")
                each.append((case[0], run["each_seconds"]))
    print(f"\nMeasures: {', '.join(results[0]['wald'][0]['measures'])}.")
    for name, seconds in each:
        print(f"\nSeconds of one measure alone on the stored forest, one thread ({name}):\n")
        for measure, value in seconds.items():
            print(f"- {measure}: {show(value)}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
