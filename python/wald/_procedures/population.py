"""Exact importances of a known joint distribution."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

import wald._native as _native
from wald import _checks
from wald._progress import progress_of
from wald._results.population import Population
from wald._tables.named import column, named_columns
from wald.errors import DataError, SettingError
from wald.typing import Groups, Impurity, Progress


def population(
    table: Any, *, target: str, probability: str | None = None,
    mtry: int | Literal["all"] | Iterable[int] = 1, depth: int | None = None,
    subspace: int | None = None, impurity: Impurity | None = None, local: bool = False,
    samples: int | None = None, groups: Groups | None = None, seed: int = 0,
    limit: float | None = None, n_jobs: int | None = None, progress: bool | Progress | None = None,
) -> Population:
    """Exact importances of a distribution, given as a table.

    They are what infinitely many multiway trees on infinitely many rows find.

    Parameters
    ----------
    table : data frame or dict of columns
        The distribution, a row for every combination of values. Different numbers are different
        categories, and missing values a category of their own.
    target : str
        The column that the others predict.
    probability : str, optional
        The column of probabilities or counts; rows are equally likely unless given.
    mtry : int, "all" or list of int, default=1
        Variables to choose the best from at each node; 1 means totally randomized trees. Of
        several, ``by_mtry`` has the importances of each.
    depth : int, optional
        Levels of splits of a tree; fully developed unless given.
    subspace : int, optional
        Variables drawn for each tree, which uses no others; for ``mtry=1``.
    impurity : {"entropy", "gini", "variance"}, optional
        What importances reduce: the variance of numbers and the entropy of classes (texts, or
        numbers with two different values) unless given.
    local : bool, default=False
        Whether to add the importances at every point.
    samples : int, optional
        Estimate from so many random orders of the variables (or paths through trees) instead,
        with standard errors; of more variables than can be listed.
    groups : dict of str to list of str, optional
        Columns that count as one variable.
    seed : int, default=0
        Of the samples.
    limit : float, default=60
        Refuse exact work that is estimated to take longer than this many seconds.
    n_jobs : int, optional
        Threads; all processors unless given.
    progress : bool or callable, optional
        Whether to show progress.

    Returns
    -------
    Population
        Importances in bits, decreases of the Gini index or squared units of the target, with their
        terms by how many other variables are known.

    Raises
    ------
    SettingError
        When settings contradict each other.
    DataError
        When a column is missing, or probabilities are negative.
    TooLargeError
        With an estimate, when the work is beyond the limit.

    Notes
    -----
    Source: Equation 3 of Louppe, Wehenkel, Sutera & Geurts (2013); local importances of Sutera et
    al. (2021). Cost: all sets of variables are visited: time grows by two to three times with every
    variable.

    Examples
    --------
    Two coins, and whether they differ: each is uninformative alone, and decisive with the other.

    >>> import wald
    >>> coins = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "differ": ["no", "yes", "yes", "no"]}
    >>> found = wald.population(coins, target="differ")
    >>> found.by_degree
    array([[0. , 0.5],
           [0. , 0.5]])
    >>> found.relevance
    ['strong', 'strong']
    """
    columns = named_columns(table)
    cells = _target_cells(target, column(columns, target), impurity)
    weights = None
    if probability is not None:
        given = column(columns, probability)
        if isinstance(given, tuple):
            raise DataError(f"the column of probabilities {probability!r} holds texts",
                            help="give numbers", column=probability)
        if probability == target:
            raise SettingError(f"{target!r} is both the target and the probability",
                               help="name two columns")
        weights = given
    inputs = [(name, of) for name, of in columns if name not in (target, probability)]
    data = _native.Dataset(_native.Table(inputs), target, cells, weights=weights, groups=groups)
    asked = {"mtry": mtry, "depth": depth, "subspace": subspace, "impurity": impurity,
             "local": local, "samples": samples, "seed": seed, "limit": limit}
    text = _native.population(data, asked, work=(
        _checks.threads(n_jobs), progress_of(progress, "adding up all sets")))
    return Population._from_native(text)


def _target_cells(name: str, cells: Any, impurity: str | None) -> Any:
    """Classes for impurities of classes; else numbers are numbers, but for two of them."""
    if isinstance(cells, tuple):
        return cells
    if np.isnan(cells).any():
        raise DataError(f"the target {name!r} has missing values",
                        help="leave out these rows", column=name)
    distinct, codes = np.unique(cells, return_inverse=True)
    is_classes = impurity in ("entropy", "gini") or (impurity is None and len(distinct) == 2)
    if not is_classes:
        return cells
    return [np.format_float_positional(value, trim="-") for value in distinct], codes.astype(
        np.uint32)
