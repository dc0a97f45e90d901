"""Sobol indices, comparisons and p-values beside other programs, where the truth is known.

`indices`: first-order and closed Sobol indices of independent and of dependent inputs, beside the
estimators from given data of OpenTURNS, SALib and the R package sensitivity: errors and time.
`compare`: differences of importances between two tables, beside scikit-learn's permutation importance
on bootstrap samples: level, power and time. `permuted`: p-values by permuted responses that stop
early, beside importance_pvalues of ranger, which do not. `known_truth.py WALD` takes any program,
which it does not run.

    cargo xtask bench known-truth

Seconds are of the processor, on one thread. Programs from R run in processes of their own, where R has
them.
"""

import argparse
import tempfile

import numpy as np
import openturns as ot
import pandas as pd
from programs import versions
from report import head, machine, row
from SALib.analyze import delta, rbd_fast
from same_forests import in_r, seconds
from scipy.linalg import toeplitz
from scipy.stats import norm
from sklearn.ensemble import RandomForestRegressor
from sklearn.inspection import permutation_importance

import wald

# Sets whose closed index is estimated, besides single variables.
SETS = [(0, 1), (0, 2), (1, 2)]


def ishigami(rows, random):
    """Ishigami's function of three uniform variables and an inert one."""
    X = random.uniform(-np.pi, np.pi, size=(rows, 4))
    y = np.sin(X[:, 0]) + 7 * np.sin(X[:, 1]) ** 2 + 0.1 * X[:, 2] ** 4 * np.sin(X[:, 0])
    parts = np.array([0.5 * (1 + 0.1 * np.pi**4 / 5) ** 2, 49 / 8, 0.1**2 * np.pi**8 * 8 / 225])
    first, second, both = parts / parts.sum()
    return X, y, [first, second, 0, 0], [first + second, first + both, second]


def gaussian(rows, random):
    """A linear function of five normal variables, correlation .7 to the power of the distance, and
    noise of a fifth of the variance."""
    covariance, slopes = toeplitz(0.7 ** np.arange(5)), np.array([1.0, 0.0, 1.0, 0.0, 0.5])
    X = random.multivariate_normal(np.zeros(5), covariance, size=rows)
    signal = slopes @ covariance @ slopes
    y = X @ slopes + random.normal(size=rows) * np.sqrt(signal / 4)

    def closed(chosen):
        with_y = (covariance @ slopes)[list(chosen)]
        return with_y @ np.linalg.solve(covariance[np.ix_(chosen, chosen)], with_y) / (1.25 * signal)

    return X, y, [closed([at]) for at in range(5)], [closed(chosen) for chosen in SETS]


def by_wald(X, y, **settings):
    names = [f"x{at}" for at in range(X.shape[1])]
    forest = wald.RandomForestRegressor(500, random_state=1, n_jobs=1, **settings)
    forest.fit(pd.DataFrame(X, columns=names), y)
    first = forest.importance("sobol_first").values
    groups = [forest.importance("sobol_first", groups={"set": [names[at] for at in chosen]})
              for chosen in SETS]
    return first, [found.values[found.feature_names.index("set")] for found in groups]


def by_openturns(X, y):
    algorithm = ot.RankSobolSensitivityAlgorithm(ot.Sample(X), ot.Sample(y[:, None]))
    return np.array(algorithm.getFirstOrderIndices()), None


def by_salib(analyse):
    def of(X, y):
        names = [f"x{at}" for at in range(X.shape[1])]
        bounds = [[low, high] for low, high in zip(X.min(axis=0), X.max(axis=0))]
        problem = {"num_vars": len(names), "names": names, "bounds": bounds}
        found = analyse.analyze(problem, X, y, num_resamples=2, seed=1)
        return np.array(found["S1"]), None
    return of


SENSITIVITY = """
if (!requireNamespace("sensitivity", quietly = TRUE)) quit(status = 3)
library(sensitivity)
X <- as.matrix(read.csv("X.csv", header = FALSE)); y <- scan("y.csv", quiet = TRUE)
spent <- function(work) { before <- proc.time(); force(work); sum((proc.time() - before)[1:2]) }
took <- c(spent({ found <- sobolrank(NULL, X); found <- tell(found, y) }))
sets <- c(as.list(seq_len(ncol(X))), list(c(1, 2), c(1, 3), c(2, 3)))
took[2] <- spent(near <- shapleysobol_knn(function(X) y, X, U = sets, n.knn = 3))
cat(jsonlite::toJSON(list(took = took, rank = found$S[, 1], near = near$Sobol[, 1]), digits = NA))
"""


def by_sensitivity(X, y, folder):
    """What both estimators of R find, and their seconds, by name."""
    found = in_r(SENSITIVITY, {"X.csv": X, "y.csv": y}, folder)
    if found is None:
        return {}
    near, n = np.array(found["near"]), X.shape[1]
    return {"sensitivity (R), sobolrank": (found["took"][0], (np.array(found["rank"]), None)),
            "sensitivity (R), shapleysobol_knn": (found["took"][1], (near[:n], near[n:]))}


def indices(arguments, folder):
    head("indices", "program", "seconds (ratio)", "root mean square error, first order",
         "largest mean error", "closed, pairs", "largest mean error")
    programs = {"wald": by_wald, "wald, every variable at every node": lambda X, y: by_wald(
        X, y, max_features=1.0), "OpenTURNS, ranks": by_openturns,
        "SALib, RBD-FAST": by_salib(rbd_fast), "SALib, delta": by_salib(delta)}
    for design in (ishigami, gaussian):
        for rows in (500, 2000):
            errors, took = {}, {}
            for seed in range(arguments.sets):
                X, y, first, closed = design(rows, np.random.default_rng(seed))
                found = {name: seconds(lambda of=of: of(X, y)) for name, of in programs.items()}
                found |= by_sensitivity(X, y, folder)
                for name, (spent, (singles, pairs)) in found.items():
                    took.setdefault(name, []).append(spent)
                    apart = None if pairs is None else np.array(pairs) - closed
                    errors.setdefault(name, []).append((np.array(singles) - first, apart))
            for name, of in errors.items():
                cells = []
                for part in zip(*of):
                    part = None if part[0] is None else np.array(part)
                    cells += ["", ""] if part is None else [
                        f"{np.sqrt((part**2).mean()):.3f}", f"{abs(part.mean(axis=0)).max():.3f}"]
                spent = np.mean(took[name])
                row([f"{design.__name__}, {rows} rows, {arguments.sets} data sets", name,
                     f"{spent:.3f} ({spent / np.mean(took['wald']):.2f})", *cells])
            if not any("(R)" in name for name in errors):
                print("sensitivity of R was not run: it is not installed")


def table(rows, slope, random):
    X = random.normal(size=(rows, 6))
    y = X[:, 0] + X[:, 1] + slope * X[:, 2] + random.normal(size=rows)
    return X, y


def compared_by_wald(first, second, trees, seed):
    forests = [wald.RandomForestRegressor(trees, random_state=seed + at, n_jobs=1).fit(*of)
               for at, of in enumerate((first, second))]
    return wald.compare(*forests, "mda_breiman_cutler", subsamples=50).p_values


def compared_by_bootstrap(first, second, trees, seed):
    """Importances of the rows out of 30 bootstrap samples of each table; a normal test of the means."""
    random, found = np.random.default_rng(seed), []
    for X, y in (first, second):
        values = []
        for _ in range(30):
            drawn = random.integers(len(y), size=len(y))
            out = np.setdiff1d(np.arange(len(y)), drawn)
            forest = RandomForestRegressor(trees, max_features="sqrt", min_samples_leaf=3, n_jobs=1,
                                           random_state=int(random.integers(2**31)))
            forest.fit(X[drawn], y[drawn])
            values.append(permutation_importance(forest, X[out], y[out], n_repeats=1, n_jobs=1,
                                                 scoring="neg_mean_squared_error",
                                                 random_state=1).importances_mean)
        found.append((np.mean(values, axis=0), np.var(values, axis=0, ddof=1)))
    (one, spread), (other, more) = found
    return 2 * norm.sf(abs(other - one) / np.sqrt(spread + more))


def comparisons(arguments):
    head("comparison", "program", "p < .05: the changed variable", "the same ones that matter",
         "the irrelevant ones", "seconds (ratio)")
    programs = {"wald": (compared_by_wald, 4 * arguments.sets),
                "scikit-learn, bootstrap by hand": (compared_by_bootstrap, arguments.sets)}
    for slopes in ((1, 1), (0.5, 1), (0, 1)):
        own = None
        for name, (compare, sets) in programs.items():
            took, p_values = 0, []
            for seed in range(sets):
                random = np.random.default_rng(seed)
                tables = [table(200, slope, random) for slope in slopes]
                spent, found = seconds(lambda compare=compare, tables=tables, seed=seed:
                                       compare(*tables, 50, seed))
                took += spent / sets
                p_values.append(found)
            own = own or took
            shares = (np.array(p_values) < 0.05).mean(axis=0)
            row([f"slope {slopes[0]} and {slopes[1]}, {sets} pairs of tables", name, f"{shares[2]:.2f}",
                 f"{shares[:2].mean():.2f}", f"{shares[3:].mean():.2f}", f"{took:.2f} ({took / own:.1f})"])


ALTMANN = """
if (!requireNamespace("ranger", quietly = TRUE)) quit(status = 3)
d <- as.data.frame(read.csv("X.csv", header = FALSE)); d$y <- scan("y.csv", quiet = TRUE)
set.seed(1); before <- proc.time()
fit <- ranger::ranger(y ~ ., d, num.trees = 100, mtry = 3, importance = "permutation",
                      num.threads = 1, seed = 1)
found <- ranger::importance_pvalues(fit, "altmann", num.permutations = 999, formula = y ~ ., data = d,
                                    num.threads = 1)
cat(jsonlite::toJSON(list(took = sum((proc.time() - before)[1:2]), p = found[, "pvalue"]), digits = NA))
"""


def permuted(arguments, folder):
    head("p-values by 999 permutations", "program", "seconds (ratio)", "largest p of relevant variables",
         "root mean square difference of the others' p", "p < .05 of the others")
    for name, relevant in (("Friedman 1, 200 x 10", 5), ("nothing relevant, 200 x 10", 0)):
        ours, theirs, took = [], [], []
        for seed in range(arguments.permuted_sets):
            random = np.random.default_rng(seed)
            X = random.random((200, 10))
            y = random.normal(size=200)
            if relevant:
                y = y + 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
                y += 10 * X[:, 3] + 5 * X[:, 4]

            def by_wald(X=X, y=y):
                forest = wald.RandomForestRegressor(100, max_features=3, random_state=1, n_jobs=1)
                return wald.uncertainty(forest.fit(X, y), "mda_breiman_cutler", subsamples=2,
                                        subsample_trees=2, null_distribution="permuted",
                                        null_forests=999).p_values

            spent, found = seconds(by_wald)
            ours.append(found)
            printed = in_r(ALTMANN, {"X.csv": X, "y.csv": y}, folder)
            took.append((spent, np.nan if printed is None else printed["took"][0]))
            if printed is not None:
                theirs.append(printed["p"])
        spent, of_r = np.mean(took, axis=0)
        case = f"{name}, {len(ours)} data sets"
        for program, p, time in (("wald", ours, spent), ("ranger (R), altmann", theirs, of_r)):
            if len(p) == 0:
                print("ranger of R was not run: it is not installed")
                continue
            p = np.array(p)
            apart = np.sqrt(((p - np.array(ours))[:, relevant:] ** 2).mean())
            row([case, program, f"{time:.2f} ({time / spent:.1f})",
                 f"{p[:, :relevant].max():.4f}" if relevant else "",
                 "" if program == "wald" else f"{apart:.3f}", f"{(p[:, relevant:] < 0.05).mean():.3f}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wald", help="not used")
    parser.add_argument("what", nargs="*", default=["indices", "compare", "permuted"])
    parser.add_argument("--sets", type=int, default=25, help="data sets; four times as many for wald alone")
    parser.add_argument("--permuted-sets", type=int, default=5)
    arguments = parser.parse_args()
    names = ["scikit-learn", "openturns", "SALib", "ranger"]
    print(f"{machine()}; {versions(names)}; wald {wald.__version__}\n")
    with tempfile.TemporaryDirectory() as folder:
        works = {"indices": lambda: indices(arguments, folder), "compare": lambda: comparisons(arguments),
                 "permuted": lambda: permuted(arguments, folder)}
        for what in arguments.what:
            works[what]()
            print(flush=True)


if __name__ == "__main__":
    main()
