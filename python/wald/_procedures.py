"""What needs more than one forest, or none: masking and dependence of inputs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from wald import _native
from wald._columns import is_frame, matrix_columns
from wald._progress import Progress, progress_of
from wald._results import Dependence, Importance, Masking
from wald._tables import named_columns
from wald.errors import DataTypeError


def dependence(X: Any, *, n_jobs: int | None = None,
               progress: bool | Progress | None = None) -> Dependence:
    """How much the inputs depend on each other, and which of them form clusters.

    Where inputs depend on each other, measures of importance disagree: this shows where.

    Parameters
    ----------
    X : data frame, dict of columns, or array of shape (n_samples, n_features)
    n_jobs : int, optional
        Threads; all processors unless given.
    progress : bool or callable, optional

    Returns
    -------
    Dependence

    Raises
    ------
    TooLargeError
        For more than 2000 columns. Cost: rows (at most 2000 of them) times columns squared.

    Examples
    --------
    >>> import wald
    >>> found = wald.dependence({"a": [1, 2, 3, 4], "b": [1, 4, 9, 16], "c": [2, 1, 1, 2]})
    >>> found.values[0].round(3).tolist()
    [1.0, 1.0, 0.0]
    """
    if isinstance(X, Mapping) or is_frame(X):
        columns = named_columns(X)
    else:
        matrix = np.asarray(X, dtype=np.float64)
        if matrix.ndim != 2:
            raise DataTypeError(f"X has {matrix.ndim} dimensions",
                                help="give an array of rows and columns, or a data frame")
        columns = matrix_columns(matrix, [f"x{at}" for at in range(matrix.shape[1])])
    table = _native.Table(columns)
    data = _native.Dataset(table, "row", np.arange(table.n_rows, dtype=np.float64))
    names, values, merges = _native.dependence(
        data, threads=n_jobs, progress=progress_of(progress, "comparing columns"))
    return Dependence(values=values, feature_names=names, merges=merges)


def masking(estimator: Any, X: Any, y: Any, *, measure: str = "mdi",
            mtry: Iterable[int] | None = None, sample_weight: Any = None,
            progress: bool | Progress | None = None, **settings: Any) -> Masking:
    """Importances against the number of variables tried at each node: whether variables hide
    others (Louppe et al. 2013, section 4).

    Parameters
    ----------
    estimator : a wald estimator
        How forests are grown, all else equal; it need not be fitted, and stays as it is.
    X, y : as for ``estimator.fit``
    measure : str, default="mdi"
        A global measure.
    mtry : list of int, optional
        The numbers; all of up to 12 variables, else 1, 2, 4, ... unless given.
    sample_weight : array of shape (n_samples,), optional
    progress : bool or callable, optional
    **settings
        Of the measure.

    Returns
    -------
    Masking

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> forest = wald.RandomForestRegressor(20)
    >>> wald.masking(forest, data.inputs, data.target, mtry=[1, 5, 10]).values.shape
    (3, 10)
    """
    from wald._growing import grower

    data, config, threads, _ = grower(estimator, X, y, sample_weight)
    sizes, found = _native.masking(
        data, json.dumps(config), (measure, settings), None if mtry is None else list(mtry),
        threads=threads, progress=progress_of(progress, "growing forests"))
    of = [Importance._from_native(one, data.group_names) for one in found]
    errors = None if of[0].standard_errors is None else np.array(
        [one.standard_errors for one in of])
    return Masking(measure=measure, feature_names=data.group_names, mtry=np.array(sizes),
                   values=np.array([one.values for one in of]), standard_errors=errors,
                   unit=of[0].unit)
