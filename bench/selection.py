"""Boruta and integrated path stability selection: decisions and time beside other programs, false discoveries.

`peers`: the same decisions as the Python package Boruta on the example that it ships and as the R
package on those of its manual, and the processor time of the programs in one run (R's, and tables of
mlbench, where R has them). `errors`: how many irrelevant variables are selected, over many data sets of
designs whose truth is known. `wide`: time on 500 rows and 5,000 columns. `ipss`: the authors' program
beside wald, on these columns and on fewer.

    cargo xtask bench selection
    cargo xtask bench selection errors --sets 100
"""

import argparse
import contextlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import norm

R_SCRIPT = """
a <- commandArgs(TRUE)
if (!requireNamespace("Boruta", quietly = TRUE)) quit(status = 3)
d <- read.csv(a[1]); set.seed(as.integer(a[3]))
if (a[2] == "classification") d$y <- factor(d$y)
b <- Boruta::Boruta(d[names(d) != "y"], d$y, getImp = Boruta::getImpRfZ, num.threads = 1)
cat(jsonlite::toJSON(as.list(b$finalDecision), auto_unbox = TRUE))
"""

MLBENCH = """
a <- commandArgs(TRUE)
if (!requireNamespace("mlbench", quietly = TRUE)) quit(status = 3)
data(list = a[1], package = "mlbench")
d <- na.omit(get(a[1])); names(d)[names(d) == a[2]] <- "y"
d[] <- lapply(d, function(v) if (is.factor(v)) as.integer(v) else v)
write.csv(d, a[3], row.names = FALSE)
"""

PYTHON_SCRIPT = """
import sys, json
import numpy as np, pandas as pd
from boruta import BorutaPy
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
table = pd.read_csv(sys.argv[1])
X, y = table.drop(columns="y"), table["y"]
forest = RandomForestClassifier(n_jobs=1, class_weight="balanced", max_depth=5)
if sys.argv[2] == "regression":
    forest = RandomForestRegressor(n_jobs=1, max_depth=5, max_features="sqrt")
found = BorutaPy(forest, n_estimators=int(sys.argv[3]), random_state=1)
found = found.fit(X.to_numpy(float), y.to_numpy())
# Weakly supported ones are those that a rough fix confirms.
names = np.where(found.support_ | found.support_weak_, "confirmed", "rejected")
print(json.dumps(dict(zip(X.columns, names.tolist()))))
"""


def timed(words, **keywords):
    """What a program prints, and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    printed = subprocess.run(words, capture_output=True, text=True, **keywords)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return printed, seconds


def select(wald, table, folder, *words, threads=1):
    path = Path(folder) / "table.csv"
    table.to_csv(path, index=False)
    command = [wald, "select", str(path), "--target", "y", "--quiet", "--format", "json",
               "--threads", str(threads), *words]
    printed, seconds = timed(command)
    assert printed.returncode == 0, printed.stderr
    return json.loads(printed.stdout), seconds


def boruta_example():
    """The example that the Python package ships; its first five variables make the classes."""
    folder = files("boruta") / "examples"
    X = pd.read_csv(folder / "test_X.csv", index_col=0)
    y = pd.read_csv(folder / "test_y.csv", index_col=0, header=None).iloc[:, -1]
    return X.add_prefix("x").assign(y=y.to_numpy()[:len(X)])


def noisy_iris(seed):
    """iris with permuted copies of its columns, as in the tests and the vignette of the R package."""
    from sklearn.datasets import load_iris
    data = load_iris(as_frame=True)
    X, rng = data.data.set_axis(["sl", "sw", "pl", "pw"], axis=1), np.random.default_rng(seed)
    noise = {f"nonsense{at}": rng.permutation(column) for at, (_, column) in enumerate(X.items())}
    return X.assign(**noise, y=data.target.map({0: "a", 1: "b", 2: "c"}))


def small_redundant_xor():
    """The first example of the R package: all 32 rows of five flags, and three made of two of them."""
    flags = np.array(np.meshgrid(*[[0, 1]] * 5)).reshape(5, -1)
    table = pd.DataFrame(dict(zip(["A", "B", "N1", "N2", "N3"], flags)))
    A, B = table["A"], table["B"]
    return table.assign(AoB=A | B, AnB=A & B, nA=1 - A, y=A ^ B)


def of_mlbench(name, target, folder):
    """A table of R's mlbench without rows that have missing cells; levels are numbered, as ranger's."""
    path = Path(folder) / "mlbench.csv"
    done = subprocess.run(["Rscript", "-e", MLBENCH, name, target, str(path)], capture_output=True)
    return pd.read_csv(path) if done.returncode == 0 else None


def peers(arguments, folder):
    examples = [("Python package's example", boruta_example(), "classification", 1000),
                ("iris with noise", noisy_iris(17), "classification", 1000),
                ("small redundant XOR", small_redundant_xor(), "classification", 1000),
                *((name, of_mlbench(name, target, folder), task, 500) for name, target, task in (
                    ("Ozone", "V4", "regression"), ("HouseVotes84", "Class", "classification"),
                    ("Sonar", "Class", "classification")))]
    for name, table, task, trees in examples:
        if table is None:
            print(f"{name}: R's mlbench is not installed")
            continue
        print(f"{name}: {len(table)} rows, {table.shape[1] - 1} columns", flush=True)
        path = Path(folder) / "table.csv"
        if task == "classification":
            table = table.assign(y=pd.factorize(table["y"])[0])
        python = ["--method", "boruta", "--measure", "mdi", "--multiple-testing", "two-step",
                  "--rough-fix", "--trees", str(trees), "--max-depth", "5", "--task", task]
        ours, seconds = decisions(arguments.wald, table, folder, python)
        words = [arguments.python, "-c", PYTHON_SCRIPT, str(path), task, str(trees)]
        printed, theirs = timed(words)
        assert printed.returncode == 0, printed.stderr
        print(f"  BorutaPy {theirs:.1f} s, wald {seconds:.2f} s, ratio {theirs / seconds:.1f}; "
              f"decisions {difference(ours, json.loads(printed.stdout))}", flush=True)
        # Decisions depend on the seed where they are close.
        for seed in range(1, 4):
            ours, seconds = decisions(arguments.wald, table, folder, [
                "--method", "boruta", "--task", task, "--seed", str(seed)])
            printed, theirs = timed(["Rscript", "-e", R_SCRIPT, str(path), task, str(seed)])
            if printed.returncode:
                print("  R's Boruta is not installed")
                break
            of_r = {name: str(of).lower() for name, of in json.loads(printed.stdout).items()}
            print(f"  R's {theirs:.1f} s, wald {seconds:.2f} s, ratio {theirs / seconds:.1f}; "
                  f"decisions {difference(ours, of_r)}", flush=True)


def decisions(wald, table, folder, words):
    found, seconds = select(wald, table, folder, *words)
    return {of["name"]: of["decision"] for of in found["variables"]}, seconds


def difference(ours, theirs):
    """Of how many variables the decisions are equal, and the others."""
    apart = [f"{name}: {of}, wald {ours[name]}" for name, of in theirs.items() if of != ours[name]]
    counts = pd.Series(ours).value_counts().to_dict()
    return f"equal for {len(ours) - len(apart)} of {len(ours)} {counts}; {', '.join(apart)}"


def design(kind, n, p, rng):
    """Rows, the relevant variables, and those that depend on none of them."""
    X = rng.standard_normal((n, p))
    relevant = np.zeros(p, dtype=bool)
    relevant[::p // 5] = True
    blocks = np.arange(p) // (p // 10)
    if kind == "correlated":
        X = np.sqrt(0.5) * X + np.sqrt(0.5) * rng.standard_normal((n, 10))[:, blocks]
    signal = X[:, relevant].sum(axis=1) + X[:, relevant].prod(axis=1) * 0.5
    y = signal + rng.standard_normal(n) * signal.std() / np.sqrt(3)
    if kind == "mixed":
        # Numbers, flags and twelve levels; those that matter are of all three kinds.
        X = np.where(np.arange(p) % 3 == 1, X > 0, X)
        twelfths = np.floor(12 * norm.cdf(X))
        X = np.where(np.arange(p) % 3 == 2, twelfths, X)
        effects = np.where(np.arange(p) % 3 == 2, X % 2, X)
        signal = (effects[:, relevant] / effects[:, relevant].std(axis=0)).sum(axis=1)
        y = signal + rng.standard_normal(n) * signal.std() / np.sqrt(3)
    if kind == "nothing":
        relevant[:] = False
        y = rng.standard_normal(n)
    apart = ~np.isin(blocks, blocks[relevant]) if kind == "correlated" else ~relevant
    table = pd.DataFrame(X, columns=[f"x{at}" for at in range(p)]).assign(y=y)
    if kind == "mixed":
        for at in range(2, p, 3):
            table[f"x{at}"] = [f"L{level:.0f}" for level in table[f"x{at}"]]
    return table, relevant, apart


def errors(arguments, folder):
    print("design, method, data sets: relevant found of 5; irrelevant selected per data set (of them "
          "independent of all relevant); data sets with any independent one; mean rate of irrelevant")
    for kind in ("independent", "correlated", "mixed", "nothing"):
        for method, n, p, words in (
                ("boruta", 150, 20, ["--trees", "100"]),
                ("ipss", 200, 100, ["--target-fdr", "0.2"]),
                ("ipss", 200, 100, ["--target-fp", "1"]),
                ("ipss", 200, 100, ["--target-fp", "1", "--power", "2"]),
                # 200 variables of every half are kept.
                ("ipss", 200, 1000, ["--target-fdr", "0.2"]),
                ("ipss", 200, 1000, ["--target-fp", "1"])):
            found = np.array([one(arguments, folder, kind, method, n, p, words, seed)
                              for seed in range(arguments.sets)], dtype=float)
            hits, false, apart = found.T
            rate = (false / np.maximum(hits + false, 1)).mean()
            print(f"{kind}, {method} {n} x {p} {' '.join(words)}, {len(found)}: {hits.mean():.2f}; "
                  f"{false.mean():.2f} ({apart.mean():.2f}); {(apart > 0).mean():.2f}; {rate:.3f}",
                  flush=True)


def one(arguments, folder, kind, method, n, p, words, seed):
    table, relevant, apart = design(kind, n, p, np.random.default_rng([seed, p]))
    found, _ = select(arguments.wald, table, folder, "--method", method, "--seed", str(seed), *words,
                      threads=arguments.threads)
    if method == "boruta":
        chosen = np.isin(found["features"], found["confirmed"])
    elif "--target-fp" in words:
        chosen = np.array(found["efp_scores"]) <= float(words[1])
    else:
        chosen = np.array(found["q_values"]) <= float(words[1])
    return (chosen & relevant).sum(), (chosen & ~relevant).sum(), (chosen & apart).sum()


def wide(arguments, folder):
    table, relevant, _ = design("correlated", 500, 5000, np.random.default_rng(1))
    for words in ([], ["--preselect", "all"], ["--preselect", "all", "--mtry", "500"]):
        found, seconds = select(arguments.wald, table, folder, "--method", "ipss", *words, threads=2)
        q_values = np.array(found["q_values"])
        print(f"500 x 5,000 {' '.join(words)}: {seconds:.1f} processor seconds; at a rate of 0.2 "
              f"{(q_values[relevant] <= 0.2).sum()} of 5 relevant, "
              f"{(q_values[~relevant] <= 0.2).sum()} others")


def ipss(arguments, folder):
    """The authors' program, with its defaults and as a forest of scikit-learn, beside wald."""
    from ipss import ipss as of_authors
    print("design; program: relevant of 5 and others at a rate of 0.2, others independent of all relevant; "
          "processor seconds (means)")
    for kind, n, p, sets in (("independent", 200, 100, arguments.sets),
                             ("correlated", 200, 100, arguments.sets), ("correlated", 500, 5000, 1)):
        found = {}
        for seed in range(sets):
            table, relevant, apart = design(kind, n, p, np.random.default_rng([seed, p] if sets > 1 else 1))
            X, y = table.drop(columns="y").to_numpy(), table["y"].to_numpy()
            for name, words in (("wald", []), ("wald, mdi", ["--measure", "mdi"])):
                values, seconds = select(arguments.wald, table, folder, "--method", "ipss",
                                         "--seed", str(seed), *words)
                chosen = np.array(values["q_values"]) <= 0.2
                found.setdefault(name, []).append(counted(chosen, relevant, apart) + [seconds])
            for name, selector in (("ipss, forests", "rf"), ("ipss, boosting (default)", "gb")):
                np.random.seed(seed)
                before = time.process_time()
                with contextlib.redirect_stdout(None):
                    values = of_authors(X, y, selector=selector)["q_values"]
                seconds = time.process_time() - before
                chosen = np.array([values[at] for at in range(p)]) <= 0.2
                found.setdefault(name, []).append(counted(chosen, relevant, apart) + [seconds])
        for name, of in found.items():
            hits, false, independent, seconds = np.mean(of, axis=0)
            ratio = seconds / np.mean(found["wald"], axis=0)[3]
            print(f"{kind} {n} x {p}, {sets}; {name}: {hits:.2f} and {false:.2f}, {independent:.2f}; "
                  f"{seconds:.2f} ({ratio:.1f})", flush=True)


def counted(chosen, relevant, apart):
    return [(chosen & relevant).sum(), (chosen & ~relevant).sum(), (chosen & apart).sum()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wald", help="the command")
    parser.add_argument("what", nargs="*", default=["peers", "ipss"], help="peers, errors, wide or ipss")
    parser.add_argument("--python", default=sys.executable, help="has boruta, scikit-learn and pandas")
    parser.add_argument("--sets", type=int, default=20, help="data sets of errors and ipss")
    parser.add_argument("--threads", type=int, default=2, help="of errors")
    arguments = parser.parse_args()
    works = {"peers": peers, "errors": errors, "wide": wide, "ipss": ipss}
    with tempfile.TemporaryDirectory() as folder:
        for what in arguments.what:
            works[what](arguments, folder)


if __name__ == "__main__":
    main()
