"""What wald computes from forests of scikit-learn that it takes over, and what other programs do from the
same forests: Friedman's H beside artemis, accumulated local effects beside PyALE, the shares of splits
weighted by depth beside grf's formula in numpy, random intersection trees beside the R package iRF
and all sets counted, outlier scores and prototypes beside randomForest's definition in numpy and beside
the R package itself. `same_forests.py WALD` takes any program, which it does not run.

    cargo xtask bench same-forests

pyartemis refuses newer versions of pandas and numpy, but works with them. PyALE has other quantiles as
its grid; values are compared on wald's, which replaces it, and times are those on its own. Seconds are
of the processor, on one thread, medians of alternating turns; taking a forest over counts for wald.
Programs from R run in processes of their own, where R has them.
"""

import argparse
import itertools
import json
import logging
import shutil
import statistics
import subprocess
import tempfile
import time
import warnings
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
from artemis.interactions_methods.model_agnostic import FriedmanHStatisticMethod
from programs import versions
from PyALE import ale
from PyALE._src import ALE_1D
from report import head, machine, row
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import roc_auc_score

import wald


def seconds(work):
    """Processor time of this process, and what was found."""
    before = time.process_time()
    found = work()
    return time.process_time() - before, found


def alternating(works, turns):
    """Median seconds and last results of pieces of work, by name."""
    spent, found = {name: [] for name in works}, {}
    for _ in range(turns):
        for name, work in works.items():
            took, found[name] = seconds(work)
            spent[name].append(took)
    return {name: statistics.median(of) for name, of in spent.items()}, found


def times(spent, name):
    """Seconds and their ratio to wald's."""
    return f"{spent[name]:.3f} ({spent[name] / spent['wald']:.1f})"


def friedman(rows, columns, trees, classes=False):
    """Inputs and target of the first design of Friedman, and scikit-learn's forest of them."""
    data = wald.simulate("friedman_1", rows=rows, seed=1)
    more = np.random.default_rng(1).random((rows, max(columns - 10, 0)))
    inputs = np.column_stack([np.asarray(data.inputs), more])[:, :columns]
    X = pd.DataFrame(inputs, columns=[f"x{at}" for at in range(columns)])
    y = np.asarray(data.target)
    kind, settings = RandomForestRegressor, {"max_features": 1 / 3, "random_state": 1, "n_jobs": 1}
    if classes:
        kind, y = RandomForestClassifier, ((X.iloc[:, :3] > 0.5).all(axis=1)).astype(int).to_numpy()
    return X, y, kind(trees, **settings).fit(X, y)


def interaction_strength(turns):
    head("Friedman's H", "program", "seconds (ratio)", "largest difference of pairs", "of totals")
    for rows, columns, trees in ((100, 5, 100), (200, 5, 100), (200, 10, 100)):
        X, y, forest = friedman(rows, columns, trees)

        def by_artemis():
            method = FriedmanHStatisticMethod()
            method.fit(forest, X)
            return method

        works = {"wald": lambda: wald.from_sklearn(forest, X, y).explain(measure="friedman_h"),
                 "artemis": by_artemis}
        spent, found = alternating(works, turns if rows * columns < 1500 else 1)
        ours, theirs = found["wald"].values[0], np.zeros((columns, columns))
        place = {name: at for at, name in enumerate(X)}
        for first, second, value in found["artemis"].ovo.to_numpy():
            theirs[place[first], place[second]] = theirs[place[second], place[first]] = value
        for name, value in found["artemis"].ova.to_numpy():
            theirs[place[name], place[name]] = value
        apart = abs(ours - theirs)
        total = np.diag(apart).max()
        np.fill_diagonal(apart, 0)
        case = f"{rows} x {columns}, {trees} trees"
        row([case, "wald", times(spent, "wald"), "", ""])
        row([case, "artemis", times(spent, "artemis"), f"{apart.max():.0e}", f"{total:.0e}"])


def local_effects(turns):
    head("ALE", "program", "seconds (ratio)", "largest difference / range of the curve, same grid")
    for rows, columns, trees in ((500, 10, 100), (4000, 10, 100)):
        X, y, forest = friedman(rows, columns, trees)

        def by_pyale(name):
            return ale(X, forest, [name], feature_type="continuous", grid_size=40, include_CI=False,
                       plot=False)["eff"]

        works = {"wald": lambda: wald.from_sklearn(forest, X, y).explain(measure="ale"),
                 "PyALE": lambda: [by_pyale(name) for name in X]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            spent, found = alternating(works, turns)
            apart = []
            for name, grid, ours in zip(X, found["wald"].grids, found["wald"].values):
                with mock.patch.object(ALE_1D, "quantile_ied", lambda *_: pd.Series(grid)):
                    apart.append(abs(ours[0] - by_pyale(name)).max() / np.ptp(ours[0]))
        case = f"{rows} x {columns}, {trees} trees"
        row([case, "wald", times(spent, "wald"), ""])
        row([case, "PyALE", times(spent, "PyALE"), f"{max(apart):.0e}"])


def split_shares(forest, columns, depths=4, decay=2.0):
    """grf's variable_importance with its defaults, from the splits of scikit-learn's trees."""
    counts = np.zeros((depths, columns))
    for tree in (one.tree_ for one in forest.estimators_):
        level = [0]
        for depth in range(depths):
            inner = [node for node in level if tree.children_left[node] >= 0]
            counts[depth] += np.bincount(tree.feature[inner], minlength=columns)
            level = [child for node in inner
                     for child in (tree.children_left[node], tree.children_right[node])]
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    weights = np.arange(1, depths + 1) ** -decay
    return weights @ shares / weights.sum()


def splits_by_depth(turns):
    head("depth-weighted splits", "program", "seconds (ratio)", "largest difference")
    for rows, columns, trees in ((1000, 10, 500), (5000, 10, 500)):
        X, y, forest = friedman(rows, columns, trees)
        taken = wald.from_sklearn(forest, X, y)
        works = {"wald": lambda: taken.importance("depth_weighted_splits").values,
                 "numpy": lambda: split_shares(forest, columns)}
        spent, found = alternating(works, turns)
        case = f"{rows} x {columns}, {trees} trees"
        row([case, "wald, forest already taken over", times(spent, "wald"), ""])
        row([case, "grf's formula in numpy", times(spent, "numpy"),
             f"{abs(found['wald'] - found['numpy']).max():.0e}"])


def leaf_sets(forest, X):
    """By leaf: whether x+ (first columns) and x- (last ones) are on its path, its rows, its class."""
    sets, weights, classes = [], [], []
    columns = X.shape[1]
    for one in forest.estimators_:
        tree = one.tree_
        rows = np.bincount(one.apply(X.to_numpy(np.float32)), minlength=tree.node_count)
        waiting = [(0, np.zeros(2 * columns, bool))]
        while waiting:
            node, path = waiting.pop()
            if tree.children_left[node] < 0:
                sets.append(path)
                weights.append(rows[node])
                classes.append(tree.value[node, 0].argmax())
                continue
            feature = tree.feature[node]
            for child, at in ((tree.children_left[node], feature + columns),
                              (tree.children_right[node], feature)):
                longer = path.copy()
                if not (path[feature] or path[feature + columns]):
                    longer[at] = True
                waiting.append((child, longer))
    return np.array(sets), np.array(weights, float), np.array(classes)


RIT = """
if (!requireNamespace("iRF", quietly = TRUE)) quit(status = 3)
z <- as.matrix(read.csv("sets.csv", header = FALSE)) == 1
w <- scan("weights.csv", quiet = TRUE)
before <- proc.time()
found <- iRF::RIT(z, weights = w / sum(w), depth = 5, n_trees = 500, branch = 2, output_list = TRUE)
took <- sum((proc.time() - before)[1:2])
sets <- sapply(found$Interactions, function(s) paste(s, collapse = " "))
cat(jsonlite::toJSON(list(took = took, sets = sets), auto_unbox = TRUE, digits = NA))
"""


def in_r(script, files, folder):
    """What a script of R prints, as JSON; None where R or its package is not installed."""
    if not shutil.which("Rscript"):
        return None
    for name, table in files.items():
        np.savetxt(Path(folder) / name, table, delimiter=",", fmt="%.17g")
    done = subprocess.run(["Rscript", "-e", script], cwd=folder, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def intersections(turns, folder):
    head("random intersection trees", "program", "seconds (ratio)", "sets found",
         "all with prevalence above .3: found of", "largest difference of prevalence")
    for rows, columns in ((500, 10), (2000, 40)):
        X, y, forest = friedman(rows, columns, 200, classes=True)
        spent, found = alternating({"wald": lambda: wald.interactions(
            wald.from_sklearn(forest, X, y), resamples=0)}, turns)
        sets, weights, classes = leaf_sets(forest, X)
        one = classes == 1
        share = weights[one] / weights[one].sum()
        names = [f"{name}+" for name in X] + [f"{name}-" for name in X]

        def prevalence(chosen):
            return share[sets[one][:, list(chosen)].all(axis=1)].sum()

        started = time.process_time()
        frequent = {chosen for size in (2, 3) for chosen in itertools.combinations(range(2 * columns), size)
                    if prevalence(chosen) > 0.3}
        spent["count"] = time.process_time() - started
        ours = {tuple(sorted(names.index(name) for name in of)): value
                for of, name, value in zip(found["wald"].sets, found["wald"].classes,
                                           found["wald"].prevalence) if name in ("1", "1.0")}
        apart = max(abs(prevalence(chosen) - value) for chosen, value in ours.items())
        case = f"{rows} x {columns}, {len(sets)} leaves"
        row([case, "wald, both classes, with prevalence and precision", times(spent, "wald"), len(ours),
             f"{len(frequent & set(ours))} of {len(frequent)}", f"{apart:.0e}"])
        files = {"sets.csv": sets[one].astype(int), "weights.csv": weights[one]}
        printed = in_r(RIT, files, folder)
        if printed is None:
            print("iRF of R was not run: it is not installed")
        else:
            theirs = {tuple(int(at) - 1 for at in text.split()) for text in printed["sets"]}
            spent["iRF"] = printed["took"]
            row([case, "iRF's RIT, one class, paths given to it", times(spent, "iRF"), len(theirs),
                 f"{len(frequent & theirs)} of {len(frequent)}", ""])
        row([case, "all pairs and triples counted in numpy", times(spent, "count"), len(frequent),
             f"{len(frequent)} of {len(frequent)}", ""])


def proximities(forest, X):
    """randomForest's, over trees in which both rows are out of bag."""
    leaves = forest.apply(X)
    together, both = np.zeros((len(X), len(X))), np.zeros((len(X), len(X)))
    for at, drawn in enumerate(forest.estimators_samples_):
        out = np.ones(len(X), bool)
        out[drawn] = False
        pair = np.outer(out, out)
        both += pair
        together += pair & (leaves[:, at][:, None] == leaves[:, at])
    return together / np.maximum(both, 1)


def outlier_scores(near, y):
    """randomForest's outlier."""
    scores = np.zeros(len(y))
    for name in np.unique(y):
        here = np.flatnonzero(y == name)
        raw = len(y) / ((near[np.ix_(here, here)] ** 2).sum(axis=1) - 1)
        middle = np.median(raw)
        scores[here] = (raw - middle) / (1.4826 * np.median(abs(raw - middle)))
    return scores


R_OUTLIERS = """
if (!requireNamespace("randomForest", quietly = TRUE)) quit(status = 3)
x <- read.csv("x.csv", header = FALSE); y <- factor(scan("y.csv", quiet = TRUE))
set.seed(1); before <- proc.time()
rf <- randomForest::randomForest(x, y, ntree = 500, proximity = TRUE, oob.prox = TRUE)
grown <- proc.time()
scores <- randomForest::outlier(rf)
centres <- randomForest::classCenter(x, y, rf$proximity)
done <- proc.time()
cat(jsonlite::toJSON(list(took = sum((done - before)[1:2]), after = sum((done - grown)[1:2]),
                          scores = as.numeric(scores), centres = unname(centres)), digits = NA))
"""


def planted(rows, random):
    """Three classes of eight normal numbers; the last rows of each class lie apart."""
    y = np.arange(rows) % 3
    X = random.normal(size=(rows, 8))
    X[:, 0] += 3 * (y == 1)
    X[:, 1] += 3 * (y == 2)
    apart = np.arange(rows) >= rows - 12
    X[apart, :2] = random.normal(size=(12, 2)) + 3 * np.eye(3)[(y[apart] + 1) % 3][:, 1:]
    return pd.DataFrame(X, columns=[f"x{at}" for at in range(8)]), y, apart


def outliers(sets, folder):
    head("outliers and prototypes", "program", "seconds (ratio)", "rank correlation with wald",
         "area under the curve of 12 planted rows", "planted among the 12 highest",
         "largest distance of prototypes, in deviations")
    for rows in (300, 1200, 3000):
        found, missing = {}, False
        for seed in range(sets):
            X, y, apart = planted(rows, np.random.default_rng(seed))
            grown = RandomForestClassifier(500, random_state=seed, n_jobs=1).fit(X, y)

            def of_wald(forest):
                scores, middles = forest.outliers(), forest.prototypes()
                centres = [[middles[str(name)]["centre"][column] for column in X] for name in range(3)]
                return scores, np.array(centres)

            works = {
                "wald, scikit-learn's forest": lambda: of_wald(wald.from_sklearn(grown, X, y)),
                "R's definition in numpy, the same forest":
                    lambda: (outlier_scores(proximities(grown, X), y), None),
                "wald, growing as well": lambda: of_wald(
                    wald.RandomForestClassifier(500, random_state=seed, n_jobs=1).fit(X, y)),
            }
            of_set = {name: seconds(work) for name, work in works.items()}
            printed = in_r(R_OUTLIERS, {"x.csv": X.to_numpy(), "y.csv": y}, folder)
            missing = printed is None
            if not missing:
                of_set["randomForest (R), growing as well"] = (
                    printed["took"][0], (printed["scores"], np.array(printed["centres"])))
            ours, centres = of_set["wald, scikit-learn's forest"][1]
            for name, (took, (scores, other)) in of_set.items():
                highest = np.argsort(-np.asarray(scores))[:12]
                distance = np.nan if other is None else (abs(centres - other) / X.std().to_numpy()).max()
                found.setdefault(name, []).append([
                    took, pd.Series(ours).corr(pd.Series(scores), method="spearman"),
                    roc_auc_score(apart, scores), apart[highest].sum(), distance])
        means = {name: np.mean(of, axis=0) for name, of in found.items()}
        for name, (took, agreement, area, highest, distance) in means.items():
            beside = "wald, growing as well" if "growing" in name else "wald, scikit-learn's forest"
            shown = "" if np.isnan(distance) or agreement == 1 else f"{distance:.2f}"
            row([f"{rows} rows, {sets} data sets", name, f"{took:.3f} ({took / means[beside][0]:.1f})",
                 f"{agreement:.2f}", f"{area:.3f}", f"{highest:.1f}", shown])
        if missing:
            print("randomForest of R was not run: it is not installed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wald", help="not used")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--sets", type=int, default=10, help="data sets with outliers")
    arguments = parser.parse_args()
    logging.disable(logging.INFO)
    names = ["scikit-learn", "pyartemis", "PyALE"]
    print(f"{machine()}; {versions(names)}; wald {wald.__version__}\n")
    with tempfile.TemporaryDirectory() as folder:
        for work in (lambda: interaction_strength(arguments.turns), lambda: local_effects(arguments.turns),
                     lambda: splits_by_depth(arguments.turns),
                     lambda: intersections(arguments.turns, folder),
                     lambda: outliers(arguments.sets, folder)):
            work()
            print(flush=True)


if __name__ == "__main__":
    main()
