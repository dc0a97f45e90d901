"""Tests of what every variable adds to the others: level, power and time, beside hidimstat and vimpy.

`conditional.py WALD` takes any program, which it does not run; the package is the one that is installed.
Six variables follow one another (correlation .7); three matter. All programs use forests of as many
trees, of the response and of the variables; hidimstat's is its CFI in cross-validation, vimpy's its
cross-fitted R squared with sample splitting, as wald's loco.
"""

import argparse
import time

import numpy as np
import pandas as pd
from hidimstat import CFICV
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import KFold
from vimpy import cv_vim

import wald

N_VARIABLES = 6


def draw(design, rows, seed):
    """Inputs and response; the first three variables matter."""
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
    return pd.DataFrame(columns), y


DESIGNS = ["numbers", "no dependence", "levels", "two values", "unequal spread", "missing",
           "two classes"]


def of_wald(method):
    def test(X, y, trees, seed):
        kind = wald.RandomForestClassifier if y.dtype.kind in "UO" else wald.RandomForestRegressor
        forest = kind(trees, random_state=seed, n_jobs=1)
        return wald.conditional_test(forest, X, y, method=method).p_values
    return test


def of_hidimstat(X, y, trees, seed):
    forest = RandomForestRegressor(trees, max_features="sqrt", min_samples_leaf=3, n_jobs=1,
                                   random_state=seed)
    levels = RandomForestClassifier(trees, max_features="sqrt", min_samples_leaf=3, n_jobs=1)
    found = CFICV(forest, KFold(5, shuffle=True, random_state=seed), n_permutations=10,
                  imputation_model_continuous=forest, imputation_model_categorical=levels,
                  random_state=seed)
    found.fit(X.to_numpy(float), y)
    found.importance(X.to_numpy(float), y)
    return found.pvalues_


def of_vimpy(X, y, trees, seed):
    np.random.seed(seed)
    forest = RandomForestRegressor(trees, max_features="sqrt", min_samples_leaf=3, n_jobs=1,
                                   random_state=seed)
    p_values = []
    for at in range(N_VARIABLES):
        found = cv_vim(y=y, x=X.to_numpy(float), s=at, measure_type="r_squared", V=5,
                       pred_func=forest)
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
    print("| design | program | x1 | x2 | x3 | x4 to x6, which add nothing | processor seconds |")
    print("|---|---|---|---|---|---|---|")
    for design in arguments.designs:
        for name, test in PROGRAMS.items():
            is_wald = name.startswith("wald")
            # Texts, missing cells and classes are for wald alone.
            if not is_wald and design in ("levels", "missing", "two classes"):
                continue
            n_sets = arguments.sets if is_wald else arguments.sets_of_others
            found, start = [], time.process_time()
            for seed in range(n_sets):
                X, y = draw(design, arguments.rows, seed)
                found.append(test(X, y, arguments.trees, seed))
            seconds = (time.process_time() - start) / n_sets
            shares = (np.array(found) < 0.05).mean(axis=0)
            cells = " | ".join(f"{share:.2f}" for share in shares[:3])
            print(f"| {design} | {name} | {cells} | {shares[3:].mean():.3f} | {seconds:.2f} |",
                  flush=True)


if __name__ == "__main__":
    main()
