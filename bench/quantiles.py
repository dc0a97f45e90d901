"""Quantiles by wald, by quantile-forest and by ranger: processor time, coverage of 90 % intervals and
pinball loss, on a design whose noise depends on the inputs.

    cargo xtask bench quantiles

All grow 500 trees with leaves of at least 5 rows (ranger: it splits nodes of at least 10) on one
thread. wald's package and quantile-forest run in one process; ranger, where R has it, in a process of
its own. quantile-forest weighs the rows of leaves as wald does, and as by default; ranger keeps one row
of each leaf. Times are medians of alternating turns: growing, quantiles of new rows by the forest as
grown and once more, those of a single row, and those of the training rows out of bag.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from programs import versions
from quantile_forest import RandomForestQuantileRegressor
from report import head, machine, row
from scipy.stats import norm

import wald

LEVELS = [0.05, 0.5, 0.95]
TREES, LEAF, VARIABLES = 500, 5, 10
WORK = ["grow", "new", "grow and new", "again", "one", "out of bag"]


def draw(n, seed):
    """Uniform inputs; the mean depends on the first and the second, the spread on the third."""
    generator = np.random.default_rng(seed)
    X = generator.random((n, VARIABLES))
    mean, spread = 10 * X[:, 0] + 5 * np.sin(2 * np.pi * X[:, 1]), 0.5 + 3 * X[:, 2]
    y = mean + spread * generator.standard_normal(n)
    return X, y, mean[:, None] + spread[:, None] * norm.ppf(LEVELS)


def seconds(work):
    """Processor time of this process, and what was found."""
    before = time.process_time()
    found = work()
    return time.process_time() - before, found


class Wald:
    name = "wald"

    def __init__(self, X, y):
        self.forest = wald.RandomForestRegressor(
            TREES, min_samples_leaf=LEAF, max_features=3, random_state=1, n_jobs=1).fit(X, y)

    def of(self, X):
        return self.forest.predict_quantiles(X, quantiles=LEVELS)

    def out_of_bag(self):
        return self.forest.predict_quantiles(quantiles=LEVELS)


class QuantileForest:
    """All rows of the leaves, weighed as wald weighs them."""

    name, how = "quantile-forest, weighted", {"weighted_leaves": True}

    def __init__(self, X, y):
        self.X = X
        self.forest = RandomForestQuantileRegressor(
            TREES, min_samples_leaf=LEAF, max_features=3, max_samples_leaf=None, random_state=1,
            n_jobs=1).fit(X, y)

    def of(self, X):
        return self.forest.predict(X, LEVELS, **self.how)

    def out_of_bag(self):
        return self.forest.predict(self.X, LEVELS, oob_score=True, **self.how)


class Unweighted(QuantileForest):
    name, how = "quantile-forest, as by default", {}


RANGER = """
library(ranger)
cases <- commandArgs(TRUE)
training <- read.csv(cases[1]); new <- read.csv(cases[2])
spent <- function(work) { before <- proc.time(); force(work); sum((proc.time() - before)[1:2]) }
times <- list(
  grow = spent(fit <- ranger(y ~ ., training, num.trees = %d, min.node.size = %d, mtry = 3,
                             quantreg = TRUE, num.threads = 1, seed = 1, verbose = FALSE)),
  new = spent(found <- predict(fit, new, type = "quantiles", quantiles = c(%s), num.threads = 1)),
  again = spent(predict(fit, new, type = "quantiles", quantiles = c(%s), num.threads = 1)),
  one = spent(predict(fit, new[1, ], type = "quantiles", quantiles = c(%s), num.threads = 1)))
write.table(found$predictions, cases[3], row.names = FALSE, col.names = FALSE)
cat(jsonlite::toJSON(times, auto_unbox = TRUE, digits = NA))
"""


def by_ranger(X, y, new):
    """Times and quantiles of new rows, by a process of R."""
    levels = ", ".join(map(str, LEVELS))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = ",".join([*(f"x{j}" for j in range(VARIABLES)), "y"])
        for file, (inputs, target) in {"training.csv": (X, y), "new.csv": (new, 0 * new[:, 0])}.items():
            rows = np.column_stack([inputs, target])
            np.savetxt(folder / file, rows, delimiter=",", header=names, comments="")
        script = RANGER % (TREES, 2 * LEAF, levels, levels, levels)
        words = ["Rscript", "-e", script, "training.csv", "new.csv", "found.txt"]
        result = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
        return json.loads(result.stdout), np.loadtxt(folder / "found.txt")


def accuracy(found, y, truth, X):
    """Coverage in all rows and in the fifth with the smallest and the largest spread, mean pinball
    loss, and the mean absolute error of the quantiles."""
    inside = (found[:, 0] <= y) & (y <= found[:, 2])
    order = np.argsort(X[:, 2])
    fifth = len(y) // 5
    loss = np.mean([np.maximum(a * (y - q), (a - 1) * (y - q)) for a, q in zip(LEVELS, found.T)])
    shares = [inside.mean(), inside[order[:fifth]].mean(), inside[order[-fifth:]].mean()]
    return [f"{share:.3f}" for share in shares] + [f"{loss:.4f}", f"{abs(found - truth).mean():.3f}"]


def turn(kind, X, y, new):
    """Seconds of each piece of work, and the quantiles of new rows and out of bag."""
    times = {}
    times["grow"], program = seconds(lambda: kind(X, y))
    times["new"], of_new = seconds(lambda: program.of(new))
    times["again"], _ = seconds(lambda: program.of(new))
    times["one"], _ = seconds(lambda: program.of(new[:1]))
    times["out of bag"], out_of_bag = seconds(program.out_of_bag)
    return times, of_new, out_of_bag


def measured(n, n_new, turns):
    """Lines of the two tables: times with ratios, and accuracy."""
    X, y, truth = draw(n, 1)
    new, new_y, new_truth = draw(n_new, 2)
    times, lines = {}, []
    for place in range(turns):
        for kind in (Wald, QuantileForest, Unweighted):
            spent, of_new, out_of_bag = turn(kind, X, y, new)
            times.setdefault(kind.name, []).append(spent)
            if place == 0:
                lines.append([f"{n} rows", "new", kind.name, *accuracy(of_new, new_y, new_truth, new)])
                lines.append([f"{n} rows", "out of bag", kind.name, *accuracy(out_of_bag, y, truth, X)])
        if shutil.which("Rscript"):
            spent, of_new = by_ranger(X, y, new)
            times.setdefault("ranger", []).append(spent)
            if place == 0:
                lines.append([f"{n} rows", "new", "ranger", *accuracy(of_new, new_y, new_truth, new)])
    medians = {
        name: {work: statistics.median(spent[work] for spent in of) for work in of[0]}
        for name, of in times.items()
    }
    for of in medians.values():
        of["grow and new"] = of["grow"] + of["new"]
    own = medians["wald"]
    table = [
        [f"{n} rows", name,
         *(f"{of[work]:.3f} ({of[work] / own[work]:.1f})" if work in of else "" for work in WORK)]
        for name, of in medians.items()
    ]
    return table, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wald", help="not used")
    parser.add_argument("--rows", type=int, nargs="+", default=[1000, 5000, 20000])
    parser.add_argument("--new", type=int, default=5000, help="rows that are predicted")
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    names = ["quantile-forest", "scikit-learn", "ranger"]
    print(f"{machine()}; {versions(names)}; wald {wald.__version__}\n")
    head("case", "program", *(f"{work}: seconds (ratio to wald)" for work in WORK))
    cases = []
    for n in arguments.rows:
        table, lines = measured(n, arguments.new, arguments.turns)
        for line in table:
            row(line)
        cases += lines
    print()
    head("case", "rows", "program", "coverage of 90 %", "smallest spread", "largest spread",
         "pinball loss", "error of quantiles")
    for line in cases:
        row(line)


if __name__ == "__main__":
    main()
