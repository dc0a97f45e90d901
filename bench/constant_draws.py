"""What to do where all variables drawn at a node are constant: search on, or make a leaf.

Tables of many two-valued columns; forests of 100 trees on two thirds of the rows, errors on the rest.
One line per table: the test error of both ways (share misclassified, or squared error over the
variance), of ranger and randomForest where R has them (both make leaves), and of scikit-learn (which
searches on); and for both ways what `mdi`, `mdi_oob` and `air` give to five columns of noise that are
added (three numbers, two flags), their mean over the mean of the table's own columns.

Run: python bench/constant_draws.py --wald target/release/wald --data ../shared/data
"""

import argparse
import io
import shutil
import subprocess
import tempfile

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

N_TREES = 100
N_NOISE = 5
MEASURES = ["mdi", "mdi_oob", "air"]

R_SCRIPT = """
a <- commandArgs(TRUE)
d <- read.csv(a[1]); t <- read.csv(a[2]); k <- as.integer(a[3]); s <- as.integer(a[4])
n <- as.integer(a[5])
if (k) { l <- union(d$y, t$y); d$y <- factor(d$y, l); t$y <- factor(t$y, l) }
loss <- function(p) if (k) mean(as.character(p) != as.character(t$y)) else mean((p - t$y)^2) / var(t$y)
r <- ranger::ranger(y ~ ., d, num.trees = n, seed = s, num.threads = 1)
x <- setdiff(names(d), "y"); set.seed(s)
f <- randomForest::randomForest(d[x], d$y, ntree = n, mtry = floor(sqrt(length(x))), nodesize = if (k) 1 else 5)
cat(loss(predict(r, t, num.threads = 1)$predictions), loss(predict(f, t[x])), "\\n")
"""


def votes(data, _):
    return flags(pd.read_csv(f"{data}/housevotes84.csv"), "Class", True)


def soybean(data, _):
    return flags(pd.read_csv(f"{data}/soybean.csv"), "Class", True)


def churn(data, rng):
    table = pd.read_csv(f"{data}/churn_telco.csv").sample(3000, random_state=rng.integers(1 << 30))
    return flags(table.drop(columns=["monthly_charges", "total_charges"]), "churn", True)


def income(data, rng):
    table = pd.read_csv(f"{data}/income_marketing.csv")
    return flags(table.sample(2000, random_state=rng.integers(1 << 30)), "INCOME", True)


def titanic(data, _):
    table = pd.read_csv(f"{data}/titanic3.csv")
    table["age"] = pd.cut(table["age"], [0, 6, 12, 18, 30, 45, 60, 99]).astype(str)
    return flags(table, "survived", True)


def digits(_, __):
    x, y = load_digits(return_X_y=True)
    return pd.DataFrame((x > 7).astype(int)).add_prefix("x").assign(y=y), True


def led(_, rng):
    """Seven lamps that fail with probability .1 (Breiman et al. 1984), and 17 irrelevant ones."""
    lit = ["1110111", "0010010", "1011101", "1011011", "0111010"]
    lit += ["1101011", "1101111", "1010010", "1111111", "1111011"]
    y = rng.integers(10, size=1000)
    lamps = np.array([[int(lamp) for lamp in lit[digit]] for digit in y])
    lamps ^= rng.random(lamps.shape) < 0.1
    other = rng.integers(2, size=(1000, 17))
    return pd.DataFrame(np.hstack([lamps, other])).add_prefix("x").assign(y=y), True


def genotypes(_, rng):
    """Counts of rare alleles; ten of 200 have additive effects."""
    share = rng.uniform(0.02, 0.3, 200)
    x = rng.binomial(2, share, size=(900, 200))
    score = x[:, :10] @ np.full(10, 1.0)
    return pd.DataFrame(x).add_prefix("x").assign(y=score + 1.5 * rng.standard_normal(900)), False


def product(_, rng):
    """Two flags and two irrelevant ones; classes by their product."""
    x = rng.integers(2, size=(1000, 4))
    y = x[:, 0] ^ x[:, 1] ^ (rng.random(1000) < 0.1)
    return pd.DataFrame(x).add_prefix("x").assign(noise=rng.standard_normal(1000), y=y), True


def dummies(_, rng):
    """A category of 30 levels as flags, beside numbers."""
    level, x = rng.integers(30, size=1500), rng.standard_normal((1500, 4))
    y = rng.standard_normal(30)[level] + x[:, 0] + rng.standard_normal(1500)
    flagged = pd.get_dummies(pd.Series(level), prefix="level").astype(int)
    return pd.concat([flagged, pd.DataFrame(x).add_prefix("x")], axis=1).assign(y=y), False


TABLES = [votes, soybean, churn, income, titanic, digits, led, genotypes, product, dummies]


def flags(table, target, is_class):
    """One column per level; missing cells are a level."""
    y = table[target]
    x = pd.get_dummies(table.drop(columns=target).astype(str), dummy_na=False).astype(int)
    x.columns = [f"v{at}" for at in range(x.shape[1])]
    return x.assign(y=y).loc[y.notna()], is_class


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr}")
    return done.stdout


def loss(predicted, truth, is_class):
    if is_class:
        # wald marks texts that spreadsheets would take for formulas.
        texts = [str(text).removeprefix("'") for text in predicted]
        return float(np.mean(np.array(texts) != np.asarray(truth).astype(str)))
    return float(np.mean((predicted - truth) ** 2) / np.var(truth))


def learner(how, is_class, seed):
    task = ["--task", "classification" if is_class else "regression"]
    return ["--target", "y", *task, "--trees", str(N_TREES), "--seed", str(seed), "--quiet",
            "--constant-draws", how]


def errors(program, folder, is_class, seed):
    """Test errors by program; the tables stand in the folder."""
    train, test, model = (f"{folder}/{name}" for name in ["train.csv", "test.csv", "model.json"])
    truth = pd.read_csv(test)["y"]
    found = {}
    for how in ["search", "leaf"]:
        run(program, "fit", train, *learner(how, is_class, seed), "--output", model, "--force")
        text = run(program, "predict", model, test, "--quiet")
        predicted = pd.read_csv(io.StringIO(text))
        found[how] = loss(predicted["y"], truth, is_class)
    kind = RandomForestClassifier if is_class else RandomForestRegressor
    least = 2 if is_class else 6
    forest = kind(N_TREES, max_features="sqrt", min_samples_split=least, random_state=seed)
    rows = pd.read_csv(train)
    forest.fit(rows.drop(columns="y"), rows["y"])
    found["scikit-learn"] = loss(forest.predict(pd.read_csv(test).drop(columns="y")), truth, is_class)
    if shutil.which("Rscript"):
        text = run("Rscript", "-e", R_SCRIPT, train, test, str(int(is_class)), str(seed), str(N_TREES))
        found["ranger"], found["randomForest"] = map(float, text.split())
    return found


def importances(program, table, folder, is_class, seed):
    """By way and measure: the mean of noise columns over that of the table's own columns."""
    rng = np.random.default_rng(seed)
    n = len(table)
    noise = {f"noise{at}": rng.integers(2, size=n) if at % 2 else rng.standard_normal(n)
             for at in range(N_NOISE)}
    path = f"{folder}/noisy.csv"
    table.assign(**noise).to_csv(path, index=False)
    found = {}
    for how in ["search", "leaf"]:
        text = run(program, "importance", path, *learner(how, is_class, seed), "--measure",
                   ",".join(MEASURES), "--format", "csv")
        values = pd.read_csv(io.StringIO(text))
        is_noise = values["variable"].str.startswith("noise")
        for measure in MEASURES:
            here = values["measure"] == measure
            own = values[here & ~is_noise]["value"].mean()
            found[how, measure] = values[here & is_noise]["value"].mean() / own
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--wald", required=True, help="the program")
    parser.add_argument("--data", required=True, help="the folder of the tables")
    parser.add_argument("--repeats", type=int, default=4)
    parser.add_argument("--only", default=",".join(make.__name__ for make in TABLES))
    arguments = parser.parse_args()
    programs = ["search", "leaf", "scikit-learn", "ranger", "randomForest"]
    ratios = [(how, measure) for measure in MEASURES for how in ["search", "leaf"]]
    head = ["table", *programs, "search - leaf", *(f"{measure}, {how}" for how, measure in ratios)]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for make in TABLES:
        if make.__name__ not in arguments.only.split(","):
            continue
        losses, noise = [], []
        for seed in range(arguments.repeats):
            rng = np.random.default_rng(seed)
            table, is_class = make(arguments.data, rng)
            is_test = rng.permutation(len(table)) % 3 == 0
            with tempfile.TemporaryDirectory() as folder:
                table[~is_test].to_csv(f"{folder}/train.csv", index=False)
                table[is_test].to_csv(f"{folder}/test.csv", index=False)
                losses.append(errors(arguments.wald, folder, is_class, seed))
                noise.append(importances(arguments.wald, table, folder, is_class, seed))
        losses, noise = pd.DataFrame(losses), pd.DataFrame(noise)
        difference = losses["search"] - losses["leaf"]
        error = difference.std() / len(difference) ** 0.5
        cells = [make.__name__, *(f"{losses[name].mean():.4f}" if name in losses else "-" for name in programs)]
        cells += [f"{difference.mean():+.4f} ({error:.4f})"]
        cells += [f"{noise[ratio].mean():.3f}" for ratio in ratios]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
