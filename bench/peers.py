"""The programs from PyPI that wald is compared with.

`peers.py NAME TRAIN [TEST]` speaks the language that programs.py describes. Every program gets
the table in the layout that suits it, before the clock starts, and stopping rules as near to
wald's as its own allow: wald counts draws, so a row drawn twice counts twice. A program that
counts distinct rows gets 63.2 % of the number, the share of distinct rows in a bootstrap sample.
"""

import json
import math
import os
import re
import statistics
import sys
import time

import numpy as np

from tables import Table

DISTINCT = 1 - math.exp(-1)


def distinct(draws):
    """Rows that so many draws are made of."""
    return max(1, round(DISTINCT * draws))


def classes(predicted, n_classes):
    """Numbers as they are; of probabilities the likeliest class."""
    if n_classes > 2:
        return predicted.argmax(axis=1)
    return predicted > 0.5 if n_classes else predicted


class ScikitLearn:
    def __init__(self, train):
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        self.kind = RandomForestClassifier if train.n_classes else RandomForestRegressor
        # What it works on; it would convert anything else.
        self.x, self.y = train.matrix(np.float32, "F"), train.target()

    def rules(self, settings):
        # Its least number of rows of a leaf counts distinct ones, but the least weight counts
        # draws, as wald does. Weights are whole numbers; one half less keeps rounding out.
        least = settings["min-leaf-size"]
        return {
            "min_weight_fraction_leaf": (least - 0.5) / len(self.y) if least > 1 else 0.0,
            "min_samples_split": distinct(settings["min-node-size"]) + 1,
        }

    def grow(self, settings):
        forest = self.kind(
            settings["trees"],
            max_features=settings["mtry"],
            n_jobs=settings["threads"],
            random_state=settings["seed"],
            **self.rules(settings),
        )
        return forest.fit(self.x, self.y)

    def leaves(self, forest):
        return statistics.mean(float(tree.get_n_leaves()) for tree in forest.estimators_)

    def predict(self, forest, test):
        return forest.predict(test.matrix(np.float32, "C"))

    def measure(self, forest, test, settings):
        """Seconds and importances of permuting the test rows once, and several times."""
        from sklearn.inspection import permutation_importance

        x, y = test.matrix(np.float32, "C"), test.target()
        found = {}
        for repeats in sorted({1, settings["repeats"]}):
            start = clock()
            values = permutation_importance(
                *(forest, x, y),
                scoring="accuracy" if test.n_classes else "neg_mean_squared_error",
                n_repeats=repeats,
                random_state=settings["seed"],
            ).importances_mean
            found[f"{repeats}"] = {"seconds": since(start), "importances": values.tolist()}
        return found


class OneDal(ScikitLearn):
    def __init__(self, train):
        from sklearnex.ensemble import RandomForestClassifier, RandomForestRegressor

        self.kind = RandomForestClassifier if train.n_classes else RandomForestRegressor
        self.x, self.y = train.matrix(np.float32, "C"), train.target()

    def rules(self, settings):
        return {
            "min_samples_leaf": settings["min-leaf-size"],
            "min_samples_split": settings["min-node-size"] + 1,
        }

    def grow(self, settings):
        forest = super().grow(settings)
        if not hasattr(forest, "_onedal_estimator"):
            sys.exit("which left the work to scikit-learn")
        return forest


class Ydf:
    def __init__(self, train):
        import ydf

        ydf.verbose(0)
        self.ydf, self.n_classes = ydf, train.n_classes
        number, category = ydf.Semantic.NUMERICAL, ydf.Semantic.CATEGORICAL
        # It would join rare levels; wald keeps them.
        every_level = {"min_vocab_frequency": 1, "max_vocab_count": -1}
        columns = [
            ydf.Column(f"x{index}", category, **every_level)
            if n_levels
            else ydf.Column(f"x{index}", number)
            for index, n_levels in enumerate(train.n_levels)
        ]
        target = ydf.Column("y", category if train.n_classes else number)
        data = {**self.features(train), "y": train.target()}
        self.table = ydf.create_vertical_dataset(data, columns=[*columns, target])

    def features(self, table):
        def column(index, n_levels):
            values = table.column(index)
            if n_levels:
                return ["" if np.isnan(code) else f"level {code:.0f}" for code in values]
            return values.astype(np.float32)

        return {f"x{index}": column(index, n) for index, n in enumerate(table.n_levels)}

    def grow(self, settings):
        # Its rule for nodes and its rule for leaves exclude each other; both count draws.
        by_leaf = settings["min-leaf-size"] > 1
        least = settings["min-leaf-size"] if by_leaf else settings["min-node-size"] + 1
        task = self.ydf.Task
        learner = self.ydf.RandomForestLearner(
            label="y",
            task=task.CLASSIFICATION if self.n_classes else task.REGRESSION,
            num_trees=settings["trees"],
            # Version 0.16.1 tries one column more than its setting: when five columns of ten
            # matter, as many of 2,000 roots miss all five as one column more makes likely.
            num_candidate_attributes=max(1, settings["mtry"] - 1),
            min_examples=least,
            in_split_min_examples_check=by_leaf,
            max_depth=-1,
            compute_oob_performances=False,
            winner_take_all=False,
            num_threads=settings["threads"],
            random_seed=settings["seed"],
        )
        return learner.train(self.table)

    def leaves(self, forest):
        return (forest.num_nodes() / forest.num_trees() + 1) / 2

    def predict(self, forest, test):
        return classes(forest.predict(self.features(test)), self.n_classes)


class LightGbm:
    def __init__(self, train):
        import lightgbm

        self.lightgbm, self.n_classes = lightgbm, train.n_classes
        self.x, self.y = train.matrix(np.float32, "C"), train.target()
        self.categories = np.flatnonzero(train.n_levels).tolist()

    def grow(self, settings):
        # It bags without replacement, so all its rows are distinct. A leaf of two rows is the
        # nearest to nodes of four rows that split.
        n_rows = DISTINCT * len(self.y)
        least = distinct(max(settings["min-leaf-size"], (settings["min-node-size"] + 1) / 2))
        several = "multiclass" if self.n_classes > 2 else "binary"
        parameters = {
            "boosting": "rf",
            "objective": several if self.n_classes else "regression",
            "num_class": self.n_classes if self.n_classes > 2 else 1,
            "num_iterations": settings["trees"],
            "bagging_freq": 1,
            "bagging_fraction": DISTINCT,
            "feature_fraction_bynode": settings["mtry"] / self.x.shape[1],
            # As many as there can be, as memory is set aside for each; LightGBM takes no more than
            # 131,072. It splits the best leaf of all next, so the cap ends trees where gains are
            # small. It looks at all leaves to find that one: time grows with their square.
            "num_leaves": min(131_072, 2 + int(n_rows / least)),
            # Without a limit, trees of 24,000 leaves took as long.
            "histogram_pool_size": 1024,
            "max_bin": 255,
            "min_data_in_leaf": least,
            "min_sum_hessian_in_leaf": 0,
            "min_gain_to_split": 0,
            "num_threads": settings["threads"],
            "seed": settings["seed"],
            "verbose": -1,
        }
        # Its bins are made anew for every forest, as wald's ranks are.
        table = self.lightgbm.Dataset(
            self.x, self.y, params=parameters, categorical_feature=self.categories
        )
        return self.lightgbm.train(parameters, table)

    def leaves(self, forest):
        numbers = re.findall(r"num_leaves=(\d+)", forest.model_to_string())
        return statistics.mean(float(number) for number in numbers)

    def predict(self, forest, test):
        return classes(forest.predict(test.matrix(np.float32, "C")), self.n_classes)


PROGRAMS = {"scikit-learn": ScikitLearn, "oneDAL": OneDal, "ydf": Ydf, "LightGBM": LightGbm}


def peak_memory():
    """The most memory this process has held so far, in bytes; None outside Linux."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            words = next(line for line in status if line.startswith("VmHWM:")).split()
    except OSError:
        return None
    return 1024 * int(words[1])


def clock():
    return [time.perf_counter(), time.process_time()]


def since(start):
    return [now - then for now, then in zip(clock(), start)]


def answer(program, settings, test):
    before = peak_memory()
    start = clock()
    forest = program.grow(settings)
    result = {"seconds": since(start), "memory": [before, peak_memory()]}
    result["leaves"] = program.leaves(forest)
    if "repeats" in settings:
        result["measured"] = program.measure(forest, test, settings)
    elif test is not None:
        y, predicted = test.target(), program.predict(forest, test)
        loss = predicted != y if test.n_classes else (predicted - y) ** 2
        result["test_error"] = float(loss.mean())
    return result


def main():
    name, *paths = sys.argv[1:]
    # Libraries print to standard output; only answers may go there.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    train, test = [Table(path) for path in paths] + [None] * (2 - len(paths))
    try:
        program = PROGRAMS[name](train)
    except ImportError as error:
        sys.exit(f"which is not installed ({error})")
    for line in sys.stdin:
        settings = {key: int(value) for key, value in (word.split("=") for word in line.split())}
        print(json.dumps(answer(program, settings, test)), file=answers, flush=True)


if __name__ == "__main__":
    main()
