"""One table in the words of every package, and what a forest of it comes to."""

import hashlib

import numpy as np
import pandas as pd

import wald


def mixed(n=240):
    """Numbers, integers, booleans, texts and categories, some of them missing, and a target."""
    random = np.random.default_rng(0)
    number = random.normal(size=n)
    number[::17] = np.nan
    text = random.choice(["b", "a", "ä"], n).astype(object)
    text[::13] = None
    kind = random.choice(["low", "high", "middle"], n).astype(object)
    kind[::19] = None
    frame = pd.DataFrame({
        "number": number,
        "whole": random.integers(-9, 9, n),
        "flag": random.random(n) < 0.5,
        "text": text,
        "kind": pd.Categorical(kind, categories=["low", "middle", "high", "never"]),
    })
    y = np.nan_to_num(number) + frame["whole"] / 3 + (text == "a") + random.normal(0, 0.1, n)
    return frame, y.to_numpy().round(6)


def hash_of(forest):
    """A hash of the whole model file."""
    return hashlib.sha256(forest._forest.to_bytes()).hexdigest()


def grown(X, y, **settings):
    """The hash of a small forest of a table, which also predicts and explains it."""
    forest = wald.RandomForestRegressor(15, **settings).fit(X, y)
    return hash_of(forest)


class Capsule:
    """An object that has the Arrow PyCapsule interface and nothing else."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class BatchCapsule:
    """The same of a single batch."""

    def __init__(self, batch):
        self._batch = batch

    def __arrow_c_array__(self, requested_schema=None):
        return self._batch.__arrow_c_array__(requested_schema)
