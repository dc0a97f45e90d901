"""Gaussian processes by wald and by other programs, of the same tables: processor time of a fit,
the likelihood that it finds, and how well it predicts fresh rows.

Build the program and install the others, then run it:

    cargo build --release --package wald-gp --example bench_gp
    pip install -r bench/gaussian-process-requirements.txt
    python bench/gaussian_process.py target/release/examples/bench_gp
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from programs import versions
from report import head, machine, row

HERE = Path(__file__).parent
PRODUCT, RADIAL, SQUARED = "product Matern 5/2", "radial Matern 5/2", "squared exponential"
N_FRESH = 2000


def ishigami(U):
    x = np.pi * (2 * U[:, :3] - 1)
    return np.sin(x[:, 0]) * (1 + 0.1 * x[:, 2] ** 4) + 7 * np.sin(x[:, 1]) ** 2


def friedman(U):
    x = U.T
    return 10 * np.sin(np.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4]


def borehole(U):
    low = np.array([0.05, 100, 63070, 990, 63.1, 700, 1120, 9855])
    high = np.array([0.15, 50000, 115600, 1110, 116, 820, 1680, 12045])
    rw, r, Tu, Hu, Tl, Hl, L, Kw = (low + (high - low) * U[:, :8]).T
    log = np.log(r / rw)
    return 2 * np.pi * Tu * (Hu - Hl) / (log * (1 + 2 * L * Tu / (log * rw**2 * Kw) + Tu / Tl))


# Name, function, inputs that it has, and standard deviation of the noise as a share of its own.
FUNCTIONS = [
    ("Ishigami", ishigami, 3, 0.0),
    ("Borehole", borehole, 8, 0.0),
    ("Ishigami, noise", ishigami, 3, 0.1**0.5),
    ("Friedman, noise", friedman, 5, 0.1**0.5),
]
# Program, kernel, its name in wald, starts.
LINES = [
    ("wald", PRODUCT, "matern_52", 20),
    ("wald", PRODUCT, "matern_52", 4),
    ("wald", SQUARED, "squared_exponential", 4),
    ("numpy", PRODUCT, "matern_52", 4),
    ("scikit-learn", RADIAL, "matern_52", 4),
    ("scikit-learn", SQUARED, "squared_exponential", 4),
    ("libKriging", PRODUCT, "matern_52", 4),
    ("OpenTURNS", PRODUCT, "matern_52", 4),
    ("SMT", PRODUCT, "matern_52", 4),
]


def tabulated(function, n_inputs, noise, seed):
    numbers = np.random.default_rng(seed)
    X = numbers.random((ARGUMENTS.rows, n_inputs + ARGUMENTS.irrelevant))
    fresh = numbers.random((N_FRESH, X.shape[1]))
    y, truth = function(X), function(fresh)
    y = y + noise * truth.std() * numbers.normal(size=len(y))
    return {"X": X.tolist(), "y": y.tolist(), "fresh": fresh.tolist()}, truth


def fitted(program, kernel, n_starts, table, seed):
    """What a program found; `None` if it fails or takes too long."""
    words = [ARGUMENTS.wald] if program == "wald" else [
        sys.executable, HERE / "gaussian_process_peers.py", program
    ]
    words += [table, kernel, n_starts, seed] + ([1] if program == "wald" else [])
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENTURNS_NUM_THREADS")
    try:
        answer = subprocess.run(
            [str(word) for word in words], capture_output=True, check=True, text=True,
            timeout=ARGUMENTS.most_seconds, env={**os.environ, **dict.fromkeys(threads, "1")},
        )
    except subprocess.TimeoutExpired:
        print(f"{program} takes more than {ARGUMENTS.most_seconds} seconds", file=sys.stderr)
        return None
    except subprocess.CalledProcessError as error:
        print(f"{program} fails: {error.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return json.loads(answer.stdout.splitlines()[-1])


def explained(predicted, truth):
    return 1 - np.mean((np.array(predicted) - truth) ** 2) / truth.var()


def compare(name, function, n_inputs, noise, folder):
    found = {line: [] for line in LINES if line[0] in ARGUMENTS.programs}
    for seed in range(ARGUMENTS.seeds):
        table, truth = tabulated(function, n_inputs, noise, seed)
        file = folder / "table.json"
        file.write_text(json.dumps(table))
        for line in found:
            if seed >= ARGUMENTS.slow_seeds and line[0] in ARGUMENTS.slow:
                continue
            program, _, kernel, n_starts = line
            result = fitted(program, kernel, n_starts, file, seed)
            if result:
                q2 = explained(result["predicted"], truth)
                found[line].append((result["seconds"][1], result["log_likelihood"], q2))
    ours = {
        n_starts: statistics.median(seconds for seconds, *_ in results)
        for (program, kernel, _, n_starts), results in found.items()
        if program == "wald" and kernel == PRODUCT
    }
    for (program, kernel, _, n_starts), results in found.items():
        cells = [name, program, kernel, n_starts, len(results)]
        if not results:
            row([*cells, *["-"] * 5])
            continue
        seconds, likelihoods, q2 = zip(*results)
        median = statistics.median(seconds)
        likelihood = "-" if None in likelihoods else f"{statistics.mean(likelihoods):.2f}"
        row([
            *cells, f"{median:.2f}", f"{median / ours[4]:.1f}", likelihood,
            f"{statistics.mean(q2):.4f}", f"{min(q2):.3f}",
        ])


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    programs = list(dict.fromkeys(line[0] for line in LINES))
    add("wald", help="the program bench_gp")
    add("--programs", nargs="+", default=programs)
    add("--rows", type=int, default=200)
    add("--irrelevant", type=int, default=10, help="inputs without influence")
    add("--seeds", type=int, default=10)
    add("--slow", nargs="*", default=["SMT"], help="programs that fit fewer tables")
    add("--slow-seeds", type=int, default=2)
    add("--most-seconds", type=int, default=120, help="a program that takes longer is left out")
    return parser.parse_args()


def main():
    print(f"{machine()}.")
    print(versions(["scikit-learn", "openturns", "pylibkriging", "smt"]))
    print(
        f"{ARGUMENTS.rows} rows, {ARGUMENTS.irrelevant} inputs without influence; processor "
        "seconds of one thread, medians over tables, and their ratio to those of wald with 4 starts; "
        "means of log-likelihoods and of Q2 on fresh rows\n"
    )
    head(
        *("function", "program", "kernel", "starts", "tables", "seconds", "ratio"),
        *("log-likelihood", "Q2", "least Q2"),
    )
    with tempfile.TemporaryDirectory() as folder:
        for function in FUNCTIONS:
            compare(*function, Path(folder))


if __name__ == "__main__":
    ARGUMENTS = parse()
    main()
