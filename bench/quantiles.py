"""Quantiles by wald and by quantile-forest: processor time, coverage of 90 % intervals and pinball
loss, on a design whose noise depends on the inputs.

    cargo build --release --package wald-cli
    pip install -r bench/quantiles-requirements.txt
    python bench/quantiles.py target/release/wald

wald's time is that of the whole process, which reads both tables and the forest, sorts rows by leaves,
and writes the quantiles; that of quantile-forest is of `predict` alone. Its leaves are weighted as
those of wald, and as by default. Both grow 500 trees with leaves of at least 5 rows. Times are medians
of alternating turns.
"""

import argparse
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from programs import versions
from quantile_forest import RandomForestQuantileRegressor
from report import head, machine, row
from scipy.stats import norm

LEVELS = [0.05, 0.5, 0.95]
TREES, LEAF, VARIABLES = 500, 5, 10


def draw(n, seed):
    """Uniform inputs; the mean depends on the first and the second, the spread on the third."""
    generator = np.random.default_rng(seed)
    X = generator.random((n, VARIABLES))
    mean, spread = 10 * X[:, 0] + 5 * np.sin(2 * np.pi * X[:, 1]), 0.5 + 3 * X[:, 2]
    y = mean + spread * generator.standard_normal(n)
    return X, y, mean[:, None] + spread[:, None] * norm.ppf(LEVELS)


def write(path, X, y):
    names = ",".join([*(f"x{j}" for j in range(X.shape[1])), "y"])
    np.savetxt(path, np.column_stack([X, y]), delimiter=",", header=names, comments="", fmt="%.17g")


def seconds(work):
    """Processor time of this process and of its children, and what was found."""
    def spent():
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(of.ru_utime + of.ru_stime for of in used)

    before = spent()
    found = work()
    return spent() - before, found


class Wald:
    """The program, with a forest and tables in a folder."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words):
        subprocess.run([self.program, *words, "-q"], cwd=self.folder, check=True)

    def grow(self):
        self.run("fit", "training.csv", "-t", "y", "--trees", str(TREES), "--min-leaf-size", str(LEAF),
                 "--min-node-size", "10", "--mtry", "3", "-o", "forest")

    def quantiles(self, rows, *more):
        levels = ",".join(map(str, LEVELS))
        self.run("predict", "forest", rows, "--quantiles", levels, *more, "-o", "q.csv", "--force")
        with open(self.folder / "q.csv") as file:
            places = [at for at, name in enumerate(file.readline().split(",")) if "quantile" in name]
            return np.loadtxt(file, delimiter=",", usecols=places)


def accuracy(found, y, truth, X):
    """Coverage in all rows and in the fifth with the smallest and the largest spread, mean pinball
    loss, and the mean absolute error of the quantiles."""
    inside = (found[:, 0] <= y) & (y <= found[:, 2])
    order = np.argsort(X[:, 2])
    fifth = len(y) // 5
    loss = np.mean([np.maximum(a * (y - q), (a - 1) * (y - q)) for a, q in zip(LEVELS, found.T)])
    shares = [inside.mean(), inside[order[:fifth]].mean(), inside[order[-fifth:]].mean()]
    return [f"{share:.3f}" for share in shares] + [f"{loss:.4f}", f"{abs(found - truth).mean():.3f}"]


def measured(program, n, n_new, turns):
    """Lines of the table: case, program, seconds, ratio, accuracy."""
    X, y, truth = draw(n, 1)
    new_X, new_y, new_truth = draw(n_new, 2)
    peer = RandomForestQuantileRegressor(
        TREES, min_samples_leaf=LEAF, max_features=3, max_samples_leaf=None, random_state=0).fit(X, y)
    with tempfile.TemporaryDirectory() as name:
        own = Wald(program, Path(name))
        write(own.folder / "training.csv", X, y)
        write(own.folder / "new.csv", new_X, new_y)
        own.grow()
        cases = [
            ("new rows", (new_X, new_y, new_truth), ["new.csv", "--training", "training.csv"], {}),
            ("out of bag", (X, y, truth), ["training.csv", "--out-of-bag"], {"oob_score": True}),
        ]
        for case, (X_of, y_of, truth_of), words, how in cases:
            programs = {
                "wald": lambda: own.quantiles(*words),
                "quantile-forest, weighted": lambda: peer.predict(
                    X_of, LEVELS, weighted_leaves=True, **how),
                "quantile-forest, as by default": lambda: peer.predict(X_of, LEVELS, **how),
            }
            times, found = {name: [] for name in programs}, {}
            for _ in range(turns):
                for name, work in programs.items():
                    spent, found[name] = seconds(work)
                    times[name].append(spent)
            of_wald = statistics.median(times["wald"])
            for name in programs:
                spent = statistics.median(times[name])
                yield [f"{n} rows, {case}", name, f"{spent:.2f}", f"{spent / of_wald:.1f}",
                       *accuracy(found[name], y_of, truth_of, X_of)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wald", type=Path, help="the program")
    parser.add_argument("--rows", type=int, nargs="+", default=[1000, 10000])
    parser.add_argument("--new", type=int, default=5000, help="rows that are predicted")
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{machine()}; {versions(['quantile-forest', 'scikit-learn'])}\n")
    head("case", "program", "seconds", "ratio to wald", "coverage of 90 %", "smallest spread",
         "largest spread", "pinball loss", "error of quantiles")
    for n in arguments.rows:
        for line in measured(arguments.wald.resolve(), n, arguments.new, arguments.turns):
            row(line)


if __name__ == "__main__":
    main()
