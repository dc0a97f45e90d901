"""The tables and settings on which growing is timed."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

import tables
from programs import R


def friedman(rng, n_rows, n_columns):
    """Friedman (1991): five columns matter, with standard normal noise."""
    x = rng.random((n_rows, n_columns))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
    return x, y + 10 * x[:, 3] + 5 * x[:, 4] + rng.standard_normal(n_rows)


def benard(rng, n_rows, n_columns):
    """Benard, Da Veiga & Scornet (2022), example 2: five independent groups of normal columns
    with correlation 0.8; one column of each group matters; a tenth of the variance is noise."""
    per_group = n_columns // 5
    shared = np.repeat(rng.standard_normal((n_rows, 5)), per_group, axis=1)
    x = np.sqrt(0.8) * shared + np.sqrt(0.2) * rng.standard_normal((n_rows, n_columns))
    y = x[:, ::per_group] @ [2, 1, 1, 1, 1]
    return x, y + np.sqrt(8 / 9) * rng.standard_normal(n_rows)


def interactions(rng, n_rows, _):
    """Benard, Da Veiga & Scornet (2022), example 1: five normal columns, the first two with
    correlation 0.9 and the last two with 0.6; a tenth of the variance is noise."""
    x = rng.standard_normal((n_rows, 5))
    for first, second, shared in ((0, 1, 0.9), (3, 4, 0.6)):
        x[:, second] = shared * x[:, first] + np.sqrt(1 - shared**2) * x[:, second]
    y = np.where(x[:, 2] > 0, 1.5 * x[:, 0] * x[:, 1], x[:, 3] * x[:, 4])
    return x, y + np.sqrt(0.317431) * rng.standard_normal(n_rows)


def sparse(rng, n_rows, n_columns):
    """Ten of many independent normal columns matter; a tenth of the variance is noise."""
    x = rng.standard_normal((n_rows, n_columns))
    return x, x[:, :10].sum(axis=1) + np.sqrt(10 / 9) * rng.standard_normal(n_rows)


@dataclass
class Case:
    """One table and how forests are grown on it."""

    about: str
    n_rows: int
    n_columns: int
    n_trees: int
    mtry: int
    draw: Callable = friedman
    n_classes: int = 0
    # A node splits if it holds more draws than this; a leaf holds at least this many.
    min_node_size: int = 1
    min_leaf_size: int = 1
    # Programs that are left out, and why.
    without: dict = field(default_factory=dict)
    n_test: int = 10_000

    def settings(self, threads, seed):
        """In the words of the command line of wald."""
        return {
            "trees": self.n_trees,
            "mtry": self.mtry,
            "min-node-size": self.min_node_size,
            "min-leaf-size": self.min_leaf_size,
            "threads": threads,
            "seed": seed,
        }

    def scaled(self, scale):
        """A smaller one, to try things out."""
        n_rows, n_trees = round(scale * self.n_rows), round(scale * self.n_trees)
        return replace(self, n_rows=max(200, n_rows), n_trees=max(2, n_trees))

    def sample(self, rng, n_rows):
        x, y = self.draw(rng, n_rows, self.n_columns)
        if self.n_classes:
            # Classes of equal size: the target cut at its quantiles.
            cuts = np.quantile(y, np.arange(1, self.n_classes) / self.n_classes)
            y = np.searchsorted(cuts, y)
        return x, y

    def paths(self, folder):
        return [os.path.join(folder, name) for name in ("train.bin", "test.bin")]

    def write(self, folder, seed):
        """Writes the tables to learn from and to test with; their paths."""
        rng = np.random.default_rng(seed)
        paths = self.paths(folder)
        for path, n_rows in zip(paths, (self.n_rows, self.n_test)):
            x, y = self.sample(rng, n_rows)
            tables.write(path, x, y, self.n_classes)
        return paths


NO_CATEGORIES = dict.fromkeys(
    ["scikit-learn", "oneDAL", "randomForest"], "which takes no categories with missing values"
)


@dataclass
class Loans(Case):
    """A table with categories and missing values, from a file."""

    min_node_size: int = 5
    n_test: int = 2_000
    without: dict = field(default_factory=lambda: dict(NO_CATEGORIES))
    # Columns left out.
    left_out: tuple = ()
    path: str | None = None

    def write(self, folder, seed):
        # Here, because only this case needs it.
        import pandas as pd

        # The grade of a loan is its interest rate, rounded.
        frame = pd.read_csv(self.path).drop(columns=["grade", "sub_grade", *self.left_out])
        frame = frame.sample(self.n_rows + self.n_test, random_state=seed)
        y = frame.pop("interest_rate").to_numpy()
        x, n_levels = np.empty(frame.shape), []
        for index, (_, column) in enumerate(frame.items()):
            is_number = pd.api.types.is_numeric_dtype(column)
            codes, values = (column, []) if is_number else pd.factorize(column)
            x[:, index] = codes if is_number else np.where(codes < 0, np.nan, codes)
            n_levels.append(len(values))
        paths = self.paths(folder)
        for path, rows in zip(paths, (slice(self.n_rows), slice(self.n_rows, None))):
            tables.write(path, x[rows], y[rows], n_levels=n_levels)
        return paths


def slow(*programs):
    return dict.fromkeys(programs, "which takes minutes")


# Rows, columns, trees, mtry.
CASES = {
    "a1": Case("Friedman 1, leaves of 5 draws or more", 20_000, 20, 100, 6, min_leaf_size=5),
    "a2": Case("Friedman 1, nodes of more than 5 draws split", 20_000, 20, 100, 6, min_node_size=5),
    "b": Case("Benard's example 2", 1_000, 200, 300, 66, benard, min_node_size=5),
    "c": Case(
        "2 classes, fully grown", 100_000, 30, 100, 5, n_classes=2, without=slow("randomForest")
    ),
    "d": Case(
        *("many columns", 500, 5_000, 500, 70, sparse),
        min_node_size=5,
        n_test=2_000,
        without=slow("LightGBM"),
    ),
    "d2": Case(
        *("very many columns", 500, 50_000, 50, 223, sparse),
        min_node_size=5,
        n_test=500,
        without=slow("LightGBM", *R),
    ),
    "e": Case("many rows", 1_000_000, 10, 20, 3, min_node_size=5, without=slow("LightGBM", *R)),
    "e2": Case(
        *("very many rows", 10_000_000, 10, 2, 3),
        min_node_size=5,
        without=slow("LightGBM", "scikit-learn", "ydf", *R),
    ),
    # Trees that LightGBM can grow to their end.
    "e3": Case("many rows, leaves of 30 draws or more", 1_000_000, 10, 20, 3, min_leaf_size=30),
    "e4": Case("many rows, leaves of 150 draws or more", 1_000_000, 10, 20, 3, min_leaf_size=150),
    "f1": Loans("loans: categories, missing values", 8_000, 52, 100, 17),
    "f2": Loans("loans without the 4,741 job titles", 8_000, 51, 100, 17, left_out=("emp_title",)),
}
