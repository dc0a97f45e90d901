"""Columns of many levels in wald, LightGBM, ydf and ranger: errors on new rows, and importances.

The tables are those of many_levels.py. Every program grows a regression forest of unpruned trees with
leaves of at least five rows, on bootstrap samples (LightGBM: subsamples of .632). wald also grows one
without the columns of more than 12 levels. ranger orders levels by their means (`order`).

Prints squared errors, and for columns without meaning `mdi` and `mda_breiman_cutler` of the column of
levels with their standard errors, beside those of a number without meaning.

Run, where wald, LightGBM and ydf are installed and R has ranger:
python bench/many_levels_peers.py --data ../shared/data
"""

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
import wald
import ydf
from many_levels import MOST_FREE, TABLES, flights

# Training rows of a leaf, at least: in all programs.
LEAF = 5

RANGER = """
given <- commandArgs(TRUE)
train <- read.csv(given[1]); test <- read.csv(given[2])
levels_of <- strsplit(given[3], ",")[[1]]
for (name in levels_of) {
  train[[name]] <- factor(paste0("L", train[[name]]))
  test[[name]] <- factor(paste0("L", test[[name]]))
}
grown <- ranger::ranger(y ~ ., train, num.trees = as.integer(given[4]), mtry = as.integer(given[5]),
                        seed = as.integer(given[6]), num.threads = 1,
                        min.node.size = 2L * as.integer(given[8]),
                        respect.unordered.factors = "order")
writeLines(format(predict(grown, test, num.threads = 1)$predictions, digits = 17), given[7])
"""


def frame_of(x, n_levels):
    """Numbers as they are, levels as categories."""
    names = [f"x{at}" for at in range(x.shape[1])]
    table = pd.DataFrame(x, columns=names)
    return table.assign(**{name: pd.Categorical("L" + table[name].astype(int).astype(str))
                           for name, count in zip(names, n_levels) if count})


def ranger(train, test, n_levels, mtry, n_trees, seed):
    """Predictions of new rows by ranger with levels ordered."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("train.csv", "test.csv", "predicted.txt")]
        for (x, y), path in zip((train, test), paths):
            names = [f"x{at}" for at in range(x.shape[1])]
            pd.DataFrame(x, columns=names).assign(y=y).to_csv(path, index=False)
        is_level = ",".join(f"x{at}" for at, count in enumerate(n_levels) if count)
        words = [*paths[:2], is_level, n_trees, mtry, seed, paths[2], LEAF]
        subprocess.run(["Rscript", "-e", RANGER, *map(str, words)], check=True)
        return np.loadtxt(paths[2])


def peers(train, test, n_levels, mtry, n_trees, seed):
    """Random forests of LightGBM and ydf with their own ways of categories."""
    (x, y), (new, truth) = train, test
    names = [f"x{at}" for at in range(x.shape[1])]
    is_level = [name for name, count in zip(names, n_levels) if count]
    parameters = {
        "objective": "regression", "boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.632,
        "feature_fraction_bynode": mtry / len(names), "min_data_in_leaf": LEAF, "num_leaves": 1 << 13,
        "min_sum_hessian_in_leaf": 0, "seed": seed, "verbosity": -1, "num_threads": 1,
    }
    table = lightgbm.Dataset(x, y, feature_name=names, categorical_feature=is_level)
    light = lightgbm.train(parameters, table, n_trees).predict(new)

    def frame(values):
        table = pd.DataFrame(values, columns=names)
        return table.assign(**{name: table[name].astype(int).astype(str) for name in is_level})

    # ydf tries one variable more than it is asked for: 4 of 5 give the trees of all 5.
    ydf.verbose(0)
    learner = ydf.RandomForestLearner(
        label="y", task=ydf.Task.REGRESSION, num_trees=n_trees, random_seed=seed, num_threads=1,
        num_candidate_attributes=mtry - 1, min_examples=LEAF, compute_oob_performances=False)
    other = learner.train(frame(x).assign(y=y)).predict(frame(new))
    return [np.mean((predicted - truth) ** 2) for predicted in (light, other)]


def grown(train, test, n_levels, mtry, n_trees, seed):
    """A forest of wald with its error on new rows, and processor seconds of growing."""
    # New rows may have levels that no training row has: these go to a side of their own choice.
    estimator = wald.RandomForestRegressor(n_trees, max_features=mtry, min_samples_leaf=LEAF,
                                           random_state=seed, n_jobs=1)
    table = frame_of(train[0], n_levels)
    began = time.process_time()
    estimator.fit(table, train[1])
    seconds = time.process_time() - began
    predicted = estimator.predict(frame_of(test[0], n_levels))
    return estimator, np.mean((predicted - test[1]) ** 2), seconds


def line(name, draw, arguments):
    """Mean errors of the programs, and the importances of a column without meaning."""
    errors, importances = [], []
    for seed in range(1, arguments.repeats + 1):
        x, n_levels, y, n_train, mtry = draw(arguments.data, seed)
        train, test = (x[:n_train], y[:n_train]), (x[n_train:], y[n_train:])
        run = (mtry, arguments.trees, seed)
        forest, error, _ = grown(train, test, n_levels, *run)
        few = n_levels <= MOST_FREE
        without = [(rows[:, few], out) for rows, out in (train, test)]
        # mtry counts the columns that are left.
        _, error_without, _ = grown(*without, n_levels[few], min(mtry, few.sum()), *run[1:])
        light, other = peers(train, test, n_levels, *run)
        ordered = np.mean((ranger(train, test, n_levels, *run) - test[1]) ** 2)
        errors.append([error, error_without, light, other, ordered])
        if "no meaning" in name:
            for measure in ("mdi", "mda_breiman_cutler"):
                found = forest.importance(measure)
                importances.append((measure, *found.values[[0, 5]],
                                    *np.asarray(found.standard_errors)[[0, 5]]))
    return np.mean(errors, axis=0), importances


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, help="the folder of the tables")
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    programs = ["wald", "wald, without", "LightGBM", "ydf", "ranger"]
    print("| squared error | " + " | ".join(programs) + " | wald / best |")
    print("|" + "---|" * (len(programs) + 2))
    lines = []
    for name, draw in TABLES.items():
        errors, importances = line(name, draw, arguments)
        digits = 0 if draw is flights else 3
        cells = " | ".join(f"{error:.{digits}f}" for error in errors)
        print(f"| {name} | {cells} | {errors[0] / min(errors[2:]):.3f} |", flush=True)
        lines += [(name, *found) for found in importances]
    print("\n| | measure | levels | standard error | number | standard error |\n" + "|---" * 6 + "|")
    for name, measure, levels, number, error, other in lines:
        print(f"| {name} | {measure} | {levels:.5f} | {error:.5f} | {number:.5f} | {other:.5f} |")


if __name__ == "__main__":
    main()
