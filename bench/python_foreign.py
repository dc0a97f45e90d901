"""Whether importing a forest of scikit-learn and measuring it beats permuting it.

For one forest in one run: the seconds of `wald.from_sklearn`, of `sobol_mda` on what it gives,
and of `sklearn.inspection.permutation_importance(n_repeats=1)`.
"""

import time

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.inspection import permutation_importance

import wald
from report import head, machine, ratio, row, show


def timed(work):
    """The seconds of the work, elapsed and of the processor, and what it returns."""
    start = time.perf_counter(), time.process_time()
    result = work()
    end = time.perf_counter(), time.process_time()
    return [after - before for before, after in zip(start, end)], result


def report(rows=20_000, features=20, trees=100, jobs=-1):
    """Prints the table."""
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, features))
    y = X[:, 0] * X[:, 1] + X[:, 2] + random.normal(size=rows)
    fitted = RandomForestRegressor(trees, max_features=1 / 3, random_state=0, n_jobs=jobs)
    fitted.fit(X, y)
    n_nodes = sum(tree.tree_.node_count for tree in fitted.estimators_)
    print("## A forest of scikit-learn's\n")
    print(f"{machine()}. {rows:,} rows, {features} variables, {trees} trees, {n_nodes:,} nodes, "
          f"{jobs} threads (-1: all); elapsed / processor seconds\n")
    importing, forest = timed(lambda: wald.from_sklearn(fitted, X, y))
    forest.n_jobs = jobs
    measuring, _ = timed(lambda: forest.importance("sobol_mda"))
    permuting, _ = timed(lambda: permutation_importance(
        fitted, X, y, n_repeats=1, random_state=0, n_jobs=None))
    both = [sum(pair) for pair in zip(importing, measuring)]
    head("wald.from_sklearn", "sobol_mda", "both", "permutation_importance(n_repeats=1)",
         "both / permutation_importance")
    row([show(pair) for pair in (importing, measuring, both, permuting, ratio(both, permuting))])
    print()
