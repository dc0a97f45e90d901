"""Whether importing a forest of scikit-learn and measuring it beats permuting it.

    python bench/python_foreign.py [--rows 20000] [--features 20] [--trees 100] [--jobs -1]

Prints, for one forest in one run, the seconds of `wald.from_sklearn`, of `sobol_mda` on what it
gives, and of `sklearn.inspection.permutation_importance(n_repeats=1)`.
"""

import argparse
import time

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.inspection import permutation_importance

import wald


def timed(work):
    """The seconds of the work, and what it returns."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=-1, help="threads of both programs")
    arguments = parser.parse_args()
    random = np.random.default_rng(0)
    X = random.normal(size=(arguments.rows, arguments.features))
    y = X[:, 0] * X[:, 1] + X[:, 2] + random.normal(size=arguments.rows)
    jobs = arguments.jobs
    fitted = RandomForestRegressor(arguments.trees, max_features=1 / 3, random_state=0, n_jobs=jobs)
    fitted.fit(X, y)
    n_nodes = sum(tree.tree_.node_count for tree in fitted.estimators_)
    print(f"{arguments.rows} rows, {arguments.features} variables, {arguments.trees} trees, "
          f"{n_nodes} nodes, {jobs} threads (-1: all)")
    importing, forest = timed(lambda: wald.from_sklearn(fitted, X, y))
    forest.n_jobs = jobs
    measuring, _ = timed(lambda: forest.importance("sobol_mda"))
    permuting, _ = timed(lambda: permutation_importance(
        fitted, X, y, n_repeats=1, random_state=0, n_jobs=None))
    print(f"wald.from_sklearn                      {importing:8.2f} s")
    print(f"sobol_mda                              {measuring:8.2f} s")
    print(f"both                                   {importing + measuring:8.2f} s")
    print(f"permutation_importance(n_repeats=1)    {permuting:8.2f} s")


if __name__ == "__main__":
    main()
