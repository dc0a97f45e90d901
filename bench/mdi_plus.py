"""MDI+ beside imodels on the same forests: time and agreement.

`mdi_plus.py WALD` takes any program, which it does not run; the package is the one that is installed.
The forests are scikit-learn's; imodels fits its regressions and scores them, wald reads the forest
and measures, in processor seconds. Data are rounded to 32 bits, which both send down alike.
"""

import argparse
import time
import warnings

import numpy as np
from imodels.importance import RandomForestPlusRegressor, RidgeRegressorPPM
from sklearn.datasets import make_friedman1
from sklearn.ensemble import RandomForestRegressor

import wald


def seconds(work):
    begin = time.process_time()
    found = work()
    return time.process_time() - begin, found


def of_imodels(forest, X, y):
    plus = RandomForestPlusRegressor(forest, RidgeRegressorPPM())
    plus.fit(X, y)
    return plus.get_mdi_plus_scores(X, y)["importance"].to_numpy()


def of_wald(forest, X, y):
    return wald.from_sklearn(forest, X, y).importance("mdi_plus")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wald", help="not run")
    parser.add_argument("--trees", type=int, default=10)
    parser.add_argument("--cases", nargs="+", default=["200x5", "500x10", "1000x10", "1000x50"])
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    print("| rows x variables | imodels, s | wald, s | ratio | largest difference |")
    print("|---|---|---|---|---|")
    for case in arguments.cases:
        rows, variables = map(int, case.split("x"))
        X, y = make_friedman1(rows, variables, noise=1.0, random_state=1)
        X = X.astype(np.float32).astype(float)
        forest = RandomForestRegressor(
            arguments.trees, min_samples_leaf=5, max_features=1 / 3, random_state=1
        ).fit(X, y)
        theirs, expected = seconds(lambda: of_imodels(forest, X, y))
        own, found = seconds(lambda: of_wald(forest, X, y))
        gap = np.abs(np.asarray(found.values) - expected).max()
        print(f"| {case} | {theirs:.2f} | {own:.3f} | {theirs / own:.0f} | {gap:.0e} |", flush=True)


if __name__ == "__main__":
    main()
