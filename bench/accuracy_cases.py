"""The tables on which permutation importances are compared, and what is true of them."""

import numpy as np

from cases import Case, interactions, slow


def friedman_shares(n_columns):
    """Total Sobol indices of Friedman's function, whose columns are independent: the limit of
    all measures here, up to a factor."""
    middles = (np.arange(1_000) + 0.5) / 1_000
    product = 10 * np.sin(np.pi * np.outer(middles, middles))
    pair = product.var(axis=0).mean()
    alone = [20**2 / 180, 10**2 / 12, 5**2 / 12]
    shares = np.array([pair, pair, *alone, *[0] * (n_columns - 5)])
    return shares / (product.var() + sum(alone) + 1)


def alike(shares):
    """Permuting and projecting have the same limit."""
    return {"permuted": shares, "total": shares}


# Permuted and total shares of example 1 of Benard, Da Veiga & Scornet (2022), section 2.5.
INTERACTIONS = {
    "permuted": np.array([0.6415, 0.6415, 0.4722, 0.2142, 0.2142]),
    "total": np.array([0.0673, 0.0673, 0.4722, 0.1008, 0.1008]),
}
# Of classes only this is known: which columns matter.
CLASSES = alike(np.array([1.0] * 5 + [0.0] * 5))

PARTY = slow("party")
SLOW = slow("randomForest", "scikit-learn", "party")


def regression(about, shape, n_trees, **options):
    n_rows, n_columns = shape
    mtry = int(np.sqrt(n_columns))
    return Case(
        *(about, n_rows, n_columns, n_trees, mtry), min_node_size=5, **options
    )


# Cases and truths.
CASES = {
    "a": (regression("Friedman 1", (1_000, 10), 300), alike(friedman_shares(10))),
    "b": (
        regression("Friedman 1, many columns", (1_000, 200), 300, without=PARTY),
        alike(friedman_shares(200)),
    ),
    "c": (
        regression("Friedman 1, many rows", (10_000, 10), 100, without=PARTY),
        alike(friedman_shares(10)),
    ),
    "d": (
        Case("2 classes", 10_000, 10, 100, 3, n_classes=2, without=PARTY),
        CLASSES,
    ),
    "e": (
        regression("Benard's example 1", (3_000, 5), 300, draw=interactions),
        INTERACTIONS,
    ),
    "f": (
        regression("Friedman 1, more rows and columns", (20_000, 20), 100, without=SLOW),
        alike(friedman_shares(20)),
    ),
}

# Seconds that the reference implementation of Sobol-MDA, a fork of ranger, took on another
# machine, and those of growing there where they are known.
PUBLISHED = {"a": (8.8, 0.27), "e": (26.0, 1.1), "f": (180.0, None)}
