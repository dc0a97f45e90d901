"""Means of local values over rows, by variable or pair of variables, and by class."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald._tables.rows import mean_of_rows
from wald.typing import Floats

# A head and a number for every line.
Column = tuple[str, Floats]


def are_shares(local: Any) -> bool:
    """Whether values are shares themselves, whose mean over classes is a share, too."""
    return bool(local.measure == "friedman_h")


def mean_absolute(local: Any, values: Floats) -> tuple[list[str], Floats]:
    """Names of variables or pairs, and means of absolute values over rows by their weights, with a
    last axis of classes where there are classes; ``values`` are of the shape of ``local.values``."""
    names = list(local.feature_names)
    if local.is_interactions:
        one, other = np.triu_indices(len(names))
        # Both orders of a pair together make a prediction; a share is one number for both.
        both = np.where((one == other) | are_shares(local), 1.0, 2.0)
        values = values[:, one, other] * (both if local.classes is None else both[:, None])
        names = [names[a] if a == b else f"{names[a]} × {names[b]}" for a, b in zip(one, other)]
    return names, mean_of_rows(np.abs(values), local.weights)


def lines(local: Any) -> tuple[list[str], list[Column]]:
    """Names of lines and columns to show, sorted by the last one, as on the command line.

    Parts of predictions have a line for every class, since those of all classes add up to 0 in every
    row; of two classes, one determines the other, and only the second is shown.
    """
    names, means = mean_absolute(local, local.values)
    columns = [("mean absolute values", means)]
    if are_shares(local):
        head = "values" if local.classes is None else "values (means over classes)"
        columns = [(head, means if local.classes is None else means.mean(axis=1))]
    elif local.classes is not None:
        first = 1 if len(local.classes) == 2 else 0
        names = [f"{name} [{of}]" for name in names for of in local.classes[first:]]
        columns = [("mean absolute values", means[:, first:].ravel())]
    if local.shares_of_variance is not None:
        _, shares = mean_absolute(local, local.shares_of_variance)
        # Shares of classes add up to that of all of them.
        columns.append(("shares of variance",
                        shares if local.classes is None else shares.sum(axis=1)))
    order = np.argsort(-columns[-1][1], kind="stable")
    return [names[at] for at in order], [(head, values[order]) for head, values in columns]
