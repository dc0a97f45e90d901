"""Masking, which grows several forests, and dependence of inputs, which needs none."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

import wald._native as _native
from wald import _checks
from wald._estimators.base import Forest
from wald._estimators.growing import grower
from wald._executors.shared import shared
from wald._executors.workers import AnyExecutor
from wald._progress import progress_of
from wald._results.dependence import Dependence
from wald._results.masking import Masking
from wald._tables.named import input_columns
from wald._tables.targets import unused_name
from wald.typing import GlobalMeasure, Progress


def dependence(X: Any, *, n_jobs: int | None = None,
               progress: bool | Progress | None = None) -> Dependence:
    """How much the inputs depend on each other, and which of them form clusters.

    Where inputs depend on each other, measures of importance disagree: this shows where.

    Parameters
    ----------
    X : data frame, dict of columns, or array of shape (n_samples, n_features)
        The inputs: numbers, texts and categories.
    n_jobs : int, optional
        Threads; all processors unless given.
    progress : bool or callable, optional
        Whether to show progress.

    Returns
    -------
    Dependence
        Between 0 and 1 for every pair of columns, and the clusters of average linkage.

    Raises
    ------
    DataError
        When the columns cannot be used; of types that cannot be used, a DataTypeError.
    TooLargeError
        For more than 2000 columns.

    Notes
    -----
    Sources: Spearman (1904) for two columns of numbers; the correlation ratio of ranks and
    Cramer's V, corrected for chance (Bergsma 2013), where there are texts. Cost: rows (at most 2000
    of them) times columns squared.

    Examples
    --------
    >>> import wald
    >>> found = wald.dependence({"a": [1, 2, 3, 4], "b": [1, 4, 9, 16], "c": [2, 1, 1, 2]})
    >>> found.values[0].round(3).tolist()
    [1.0, 1.0, 0.0]
    """
    table = _native.Table(input_columns(X))
    data = _native.Dataset(table, unused_name(table.names), np.arange(table.n_rows, dtype=np.float64))
    names, values, merges = _native.dependence(
        data, work=(_checks.threads(n_jobs), progress_of(progress, "comparing columns")))
    return Dependence(values=values, feature_names=names, merges=merges)


def masking(estimator: Forest, X: Any, y: Any, *, measure: GlobalMeasure = "mdi",
            mtry: Iterable[int] | None = None, sample_weight: Any = None,
            progress: bool | Progress | None = None, executor: AnyExecutor | None = None,
            **settings: Any) -> Masking:
    """Measure importances against the number of variables tried at each node.

    They show whether variables hide others.

    Parameters
    ----------
    estimator : a wald estimator
        How forests are grown, all else equal; it need not be fitted, and stays as it is.
    X : array or data frame of shape (n_samples, n_features)
        As for ``estimator.fit``.
    y : array of shape (n_samples,)
        The target.
    measure : str, default="mdi"
        A global measure.
    mtry : list of int, optional
        The numbers; all of up to 12 variables, else 1, 2, 4, ... unless given.
    sample_weight : array of shape (n_samples,), optional
        Case weights, of growing and measuring.
    progress : bool or callable, optional
        Whether to show progress.
    executor : concurrent.futures.Executor or Workers, optional
        Whose workers share the work; the result is the same to the last bit. See
        docs/many-machines.md.
    **settings
        Of the measure, such as ``permutations=10``; see
        :meth:`wald.RandomForestRegressor.importance`.

    Returns
    -------
    Masking
        The importances of a forest for each of the numbers.

    Raises
    ------
    SettingError, DataError, MeasureError
        When settings, data and measure do not fit together.

    Notes
    -----
    Source: Louppe et al. (2013), section 4. Cost: a forest for each of the numbers.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> forest = wald.RandomForestRegressor(20)
    >>> wald.masking(forest, data.inputs, data.target, mtry=[1, 5, 10]).values.shape
    (3, 10)
    """
    data, config, threads, _ = grower(estimator, X, y, sample_weight)
    asked = _checks.settings_of_forests(settings, masking)
    if mtry is not None:
        if isinstance(mtry, str) or not isinstance(mtry, Iterable):
            raise _checks.refused("mtry", mtry, "give a list of numbers of variables")
        mtry = [_checks.whole("mtry", size, 1) for size in mtry]
    found = shared(
        _native.masking, data, json.dumps(config), (_checks.text("measure", measure), asked), mtry,
        threads=threads, progress=progress_of(progress, "growing forests"), executor=executor)
    return Masking(measure=measure, **found)
