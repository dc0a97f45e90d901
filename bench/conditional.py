"""Tests of what every variable adds to the others: level, power and time, beside hidimstat and vimpy.

`conditional.py WALD` takes any program, which it does not run; the package is the one that is installed.
In the first designs six variables follow one another (correlation .7) and three matter; the others are
from the documentation of hidimstat and of vimpy (and of vimp, its original in R), with null variables
added where an example has none. Those of CLOSE, "sum", "product" and "larger" are for `--designs`. All programs use forests of as many trees, of the response and of the
variables; hidimstat's is its CFI in cross-validation, vimpy's its cross-fitted R squared with sample
splitting, as wald's loco. Of two classes hidimstat has the Brier score, vimpy the numbers 0 and 1.
"""

import argparse
import time

import numpy as np
import pandas as pd
from hidimstat import CFICV
from scipy.linalg import toeplitz
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import KFold
from vimpy import cv_vim

import wald

N_VARIABLES = 6


def draw_own(design, rows, seed):
    """Inputs, response, the variables that matter and those that do not."""
    random = np.random.default_rng(seed)
    common = random.normal(size=(rows, 1))
    x = np.sqrt(0.7) * common + np.sqrt(0.3) * random.normal(size=(rows, N_VARIABLES))
    noise = random.normal(size=rows)
    columns = {f"x{at + 1}": x[:, at] for at in range(N_VARIABLES)}
    y = 2 * x[:, 0] + x[:, 1] ** 2 + x[:, 2] * x[:, 0] + noise
    if design == "levels":
        for at in range(2, N_VARIABLES):
            columns[f"x{at + 1}"] = np.array(list("abcd"))[np.digitize(x[:, at], [-1, 0, 1])]
        y = 2 * x[:, 0] + x[:, 1] ** 2 + 2 * (columns["x3"] == "a") + noise
    if design == "two values":
        for at in range(2, N_VARIABLES):
            columns[f"x{at + 1}"] = (x[:, at] > 0).astype(float)
        y = 2 * x[:, 0] + x[:, 1] ** 2 + columns["x3"] + noise
    if design == "unequal spread":
        for at in range(3, N_VARIABLES):
            columns[f"x{at + 1}"] = x[:, 0] + 0.3 * np.exp(x[:, 0]) * random.normal(size=rows)
    if design == "missing":
        for at in range(2, N_VARIABLES):
            columns[f"x{at + 1}"] = np.where(x[:, at] > 1, np.nan, x[:, at])
    if design == "no dependence":
        x = random.normal(size=(rows, N_VARIABLES))
        columns = {f"x{at + 1}": x[:, at] for at in range(N_VARIABLES)}
        y = 2 * x[:, 0] + x[:, 1] ** 2 + x[:, 2] * x[:, 0] + noise
    if design == "two classes":
        y = np.where(y + random.normal(size=rows) > 2, "yes", "no")
    return pd.DataFrame(columns), y, ["x1", "x2", "x3"], ["x4", "x5", "x6"]


def numbered(x):
    return pd.DataFrame(x, columns=[f"x{at + 1}" for at in range(x.shape[1])])


def vimp(rows, random):
    """The example of vimp's manual: two uniform variables, here with two that add nothing."""
    x = random.uniform(-5, 5, size=(rows, 4))
    y = (x[:, 0] / 5) ** 2 * (x[:, 0] + 7) / 5 + (x[:, 1] / 3) ** 2 + random.normal(size=rows)
    return numbered(x), y, ["x1", "x2"], ["x3", "x4"]


def vimpy(rows, random):
    """The example of vimpy's page: 15 normal variables; of the six in the mean three have a share of the
    variance of more than 1 %."""
    x = random.normal(0, 2, size=(rows, 15))
    y = np.where(abs(x[:, 0]) < 2, np.floor(x[:, 0]), 0) + (x[:, 1] <= 0) + (x[:, 2] > 0)
    y = y + abs(x[:, 5] / 4) ** 3 + abs(x[:, 6] / 4) ** 5 + 7 / 3 * np.cos(x[:, 10] / 2)
    matter = [f"x{at}" for at in (1, 2, 3, 6, 7, 11)]
    return numbered(x), y + random.normal(size=rows), matter, ["x4", "x5", "x8"]


def xor(rows, random):
    """hidimstat's example of variables that matter together only, here with two that add nothing."""
    x = random.normal(size=(rows, 4))
    y = np.where((x[:, 0] > 0) != (x[:, 1] > 0), "yes", "no")
    return numbered(x), y, ["x1", "x2"], ["x3", "x4"]


def neighbours(rows, random):
    """hidimstat's simulation: a linear response, correlation .7 to the power of the distance, noise of a
    quarter of the signal's variance; half of eight variables matter, at random."""
    x = random.multivariate_normal(np.zeros(8), toeplitz(0.7 ** np.arange(8)), size=rows)
    matter = random.permutation(8) < 4
    x = np.column_stack([x[:, matter], x[:, ~matter]])
    signal = x[:, :4].sum(axis=1)
    y = signal + random.normal(size=rows) * signal.std() / 2
    return numbered(x), y, ["x1", "x2", "x3", "x4"], ["x5", "x6", "x7", "x8"]


def spurious(rows, random):
    """Real rows, drawn without replacement, and a column that is a sum of three others and noise, as in
    hidimstat's example of the pitfalls of permutation; there, of houses, here of patients."""
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    chosen = random.permutation(len(X))[:rows]
    X, y = X.iloc[chosen].reset_index(drop=True), y.iloc[chosen].to_numpy()
    X["sex"] = (X["sex"] > 0).astype(float)
    total = X[["bmi", "bp", "s5"]].sum(axis=1)
    X["sum"] = total + random.normal(size=len(X)) * total.std() / 2
    return X, y, ["bmi", "bp", "s5"], ["sum"]


def tails(rows, random):
    """Heavy tails; the correlation is .8."""
    z = random.standard_t(3, size=(rows, 4))
    return z[:, 0], 0.8 * z[:, 0] + 0.6 * z[:, 1], z[:, 2:]


def sine(rows, random):
    x0 = random.uniform(-3, 3, rows)
    return x0, np.sin(2 * x0) + 0.3 * random.normal(size=rows), random.normal(size=(rows, 2))


def follows(value):
    """Normal variables, of which the second is a value of the first and noise."""
    def columns(rows, random):
        z = random.normal(size=(rows, 4))
        return z[:, 0], value(z[:, 0], z[:, 1]), z[:, 2:]
    return columns


# In all, the second variable adds nothing to the first, which it follows closely.
CLOSE = {"correlation .95": follows(lambda x, e: 0.95 * x + np.sqrt(1 - 0.95 ** 2) * e),
         "correlation .99": follows(lambda x, e: 0.99 * x + np.sqrt(1 - 0.99 ** 2) * e),
         "factor": follows(lambda x, e: np.exp(x) * e), "sine": sine, "tails": tails,
         "follows, two values": follows(lambda x, e: (x + 0.3 * e > 0) * 1.0),
         "follows, four values": follows(lambda x, e: np.digitize(x + 0.3 * e, [-1, 0, 1]) * 1.0),
         "square": follows(lambda x, e: x ** 2 + 0.2 * e)}


def close(design, rows, seed):
    random = np.random.default_rng(1000 + seed)
    if design == "sum":
        z = random.normal(size=(rows, 5))
        x = np.column_stack([z[:, 0], z[:, :4].sum(axis=1) + z[:, 4], z[:, 1:4]])
        signal = 1.5 * x[:, [0, 2, 3, 4]].sum(axis=1)
        matter, others = ["x1", "x3", "x4", "x5"], ["x2"]
    else:
        x0, follower, rest = CLOSE[design](rows, random)
        x = np.column_stack([x0, follower, rest])
        signal = 3 * x0 ** 2 if design == "square" else 3 * x0
        signal = 2 * np.sin(2 * x0) if design == "sine" else signal
        matter, others = ["x1"], ["x2", "x3", "x4"]
    return numbered(x), signal + random.normal(size=rows), matter, others


def of_two(design, rows, seed):
    """The third variable is the product, or the larger one, of the first two, which the target follows."""
    random = np.random.default_rng(5000 + seed)
    z, noise = random.normal(size=(rows, 6)), random.normal(size=rows)
    one, other = z[:, 0], z[:, 1]
    if design == "product":
        signal, spread = one * other, 0.3
    else:
        signal, spread = np.maximum(one, other), 0.1
    x = np.column_stack([one, other, signal + spread * z[:, 5], z[:, 2:4]])
    slope = {"product": 2, "larger": 3}[design]
    return numbered(x), slope * signal + noise, ["x1", "x2"], ["x3", "x4", "x5"]


DOCUMENTED = {"vimp": vimp, "vimpy": vimpy, "xor": xor, "neighbours": neighbours, "spurious": spurious}
DESIGNS = ["numbers", "no dependence", "levels", "two values", "unequal spread", "missing",
           "two classes", *DOCUMENTED]


def draw(design, rows, seed):
    if design in ("product", "larger"):
        return of_two(design, rows, seed)
    if design in CLOSE or design == "sum":
        return close(design, rows, seed)
    if design in DOCUMENTED:
        return DOCUMENTED[design](rows, np.random.default_rng(seed))
    return draw_own(design, rows, seed)


def of_wald(method):
    def test(X, y, wanted, trees, seed):
        kind = wald.RandomForestClassifier if y.dtype.kind in "UO" else wald.RandomForestRegressor
        forest = kind(trees, random_state=seed, n_jobs=1)
        found = wald.conditional_test(forest, X, y, method=method)
        return found.p_values[[X.columns.get_loc(name) for name in wanted]]
    return test


def brier(y, probabilities):
    return ((y - probabilities[:, 1]) ** 2).mean()


def of_hidimstat(X, y, wanted, trees, seed):
    settings = {"max_features": "sqrt", "min_samples_leaf": 3, "n_jobs": 1, "random_state": seed}
    numbers = RandomForestRegressor(trees, **settings)
    levels = RandomForestClassifier(trees, **settings)
    judged = {}
    if y.dtype.kind in "UO":
        y, judged = (y == "yes").astype(int), {"method": "predict_proba", "loss": brier}
    found = CFICV(levels if judged else numbers, KFold(5, shuffle=True, random_state=seed),
                  n_permutations=10, imputation_model_continuous=numbers,
                  imputation_model_categorical=levels, random_state=seed, **judged)
    found.fit(X.to_numpy(float), y)
    found.importance(X.to_numpy(float), y)
    return found.pvalues_[[X.columns.get_loc(name) for name in wanted]]


def of_vimpy(X, y, wanted, trees, seed):
    np.random.seed(seed)
    if y.dtype.kind in "UO":
        y = (y == "yes").astype(float)
    forest = RandomForestRegressor(trees, max_features="sqrt", min_samples_leaf=3, n_jobs=1,
                                   random_state=seed)
    p_values = []
    for name in wanted:
        found = cv_vim(y=y, x=X.to_numpy(float), s=X.columns.get_loc(name),
                       measure_type="r_squared", V=5, pred_func=forest)
        found.get_point_est().get_influence_function().get_se().hypothesis_test()
        p_values.append(float(found.p_value_))
    return np.array(p_values)


PROGRAMS = {"wald sobol_cpi": of_wald("sobol_cpi"), "wald loco": of_wald("loco"),
            "hidimstat CFICV": of_hidimstat, "vimpy": of_vimpy}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wald", help="not used")
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--sets", type=int, default=200, help="data sets, for wald")
    parser.add_argument("--sets-of-others", type=int, default=20)
    parser.add_argument("--designs", nargs="+", default=DESIGNS)
    arguments = parser.parse_args()
    print(f"{arguments.rows} rows, {arguments.trees} trees; share of data sets with p < .05; "
          f"{arguments.sets} data sets for wald, {arguments.sets_of_others} for others\n")
    print("| design | program | variables that matter | variables that add nothing | seconds |")
    print("|---|---|---|---|---|")
    for design in arguments.designs:
        seconds_of_wald = None
        for name, test in PROGRAMS.items():
            is_wald = name.startswith("wald")
            # Texts, missing cells and several classes are for wald alone.
            if not is_wald and design in ("levels", "missing", "two classes"):
                continue
            n_sets = arguments.sets if is_wald else arguments.sets_of_others
            if n_sets == 0:
                continue
            found, seconds = [], 0.0
            for seed in range(n_sets):
                X, y, matter, others = draw(design, arguments.rows, seed)
                start = time.process_time()
                found.append(test(X, y, matter + others, arguments.trees, seed))
                seconds += (time.process_time() - start) / n_sets
            seconds_of_wald = seconds_of_wald or seconds
            shares = (np.array(found) < 0.05).mean(axis=0)
            cells = [", ".join(f"{share:.2f}" for share in part)
                     for part in (shares[:len(matter)], shares[len(matter):])]
            print(f"| {design} | {name} | {cells[0]} | {cells[1]} | "
                  f"{seconds:.2f} ({seconds / seconds_of_wald:.1f}) |", flush=True)


if __name__ == "__main__":
    main()
