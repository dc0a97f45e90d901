"""Importances of the inputs of any black box, through a forest of its outputs."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from sklearn.utils import resample

import wald._native as _native
from wald import _checks
from wald._estimators.base import Forest
from wald._estimators.growing import grower, of_outputs
from wald._procedures.black_box import Box
from wald._progress import progress_of
from wald._results.black_box import BlackBoxImportance
from wald._tables.columns import is_frame
from wald._tables.refusals import prepared
from wald._tables.targets import unused_name
from wald.errors import DataTypeError
from wald.typing import GlobalMeasure, Groups, Progress

# Where the forest explains less of the variance, importances describe it more than the black box.
LEAST_EXPLAINED = 0.9


@overload
def through(
    predict: Any, inputs: Any, *, measure: GlobalMeasure = "sobol_mda",
    groups: Groups | None = None, rows: int | None = None, estimator: Forest | None = None,
    seed: int | None = None, n_jobs: int | None = None, progress: bool | Progress | None = None,
    **settings: Any,
) -> BlackBoxImportance: ...


@overload
def through(
    predict: Any, inputs: Any, *, measure: Sequence[GlobalMeasure], groups: Groups | None = None,
    rows: int | None = None, estimator: Forest | None = None, seed: int | None = None,
    n_jobs: int | None = None, progress: bool | Progress | None = None, **settings: Any,
) -> list[BlackBoxImportance]: ...


def through(
    predict: Any, inputs: Any, *, measure: Any = "sobol_mda", groups: Groups | None = None,
    rows: int | None = None, estimator: Forest | None = None, seed: int | None = None,
    n_jobs: int | None = None, progress: bool | Progress | None = None, **settings: Any,
) -> BlackBoxImportance | list[BlackBoxImportance]:
    """Measure how much every input of a black box matters, through a forest of its outputs.

    The black box is evaluated at rows of inputs, which may depend on each other, a forest is grown
    on the outputs, and its variables are measured.

    Parameters
    ----------
    predict : callable, or object with a method ``predict``
        The black box: it receives a table of inputs, of the kind given (a data frame stays one, an
        array stays one), and returns one number per row: an array of shape (n_rows,) or
        (n_rows, 1), a list, or a Series. Of a model of scikit-learn, XGBoost, LightGBM or the
        like, ``predict`` is called (of a Booster of XGBoost, ``inplace_predict``); of a function
        or metamodel of OpenTURNS, itself, with an array of numbers. A classifier is refused: give
        a function that returns the probability of a class.
    inputs : array or data frame of shape (n_rows, n_inputs)
        Rows of inputs, drawn as they occur: importances are those of this distribution.
    measure : str or list of str, default="sobol_mda"
        Global measures; several share the forest.
    groups : dict of str to list of str, optional
        Names of groups with their columns, which are measured together.
    rows : int, optional
        Use at most so many of the rows, at random; all unless given.
    estimator : a regressor of wald, optional
        How the forest is grown; 300 trees unless given. All variables compete for each split,
        unless ``max_features`` is not its default, "sqrt".
    seed : int, optional
        Of the rows, the forest and the measures; ``random_state`` of the estimator unless given.
    n_jobs : int, optional
        Threads; those of the estimator unless given, which are all processors by default. Results
        do not depend on it.
    progress : bool or callable, optional
        Whether to show progress of growing and measuring; a callable receives the work done and
        all of it.
    **settings
        Of the measures, such as ``normalise``; see :meth:`wald.RandomForestRegressor.importance`.

    Returns
    -------
    BlackBoxImportance or list of BlackBoxImportance
        One for every measure; a list where ``measure`` is one. ``explained`` is the share of the
        variance of the black box that the forest explains.

    Raises
    ------
    SettingError
        When ``predict`` cannot be called, or settings are out of their range; this is found before
        the black box is evaluated.
    DataError
        When the outputs are not one finite number per row, or do not vary.
    MeasureError
        Where a measure does not allow the settings of the forest.

    Warns
    -----
    UserWarning
        When the forest explains less than 90 % of the variance of the black box.

    Notes
    -----
    Source: Bénard, Da Veiga & Scornet (2022), section 6. Cost: one evaluation of the black box for
    every row, in a single call, and one forest.

    Examples
    --------
    >>> import numpy as np
    >>> import wald
    >>> inputs = np.random.default_rng(0).uniform(-1, 1, (2000, 3))
    >>> found = wald.through(lambda x: x[:, 0] + x[:, 1] ** 2, inputs,
    ...                      estimator=wald.RandomForestRegressor(50))
    >>> found.feature_names[found.ranking()[0]], found.explained > 0.95
    ('x0', True)
    """
    names, is_list = _checks.measures(measure)
    asked = _checks.settings_of_forests({**settings, "seed": seed}, through)
    box = Box.of(predict)
    forest = of_outputs(estimator, seed, n_jobs)
    X = _rows(inputs, rows, forest._seed())
    # All but the outputs is checked before the black box is evaluated.
    blank, config, threads, _ = grower(forest, X, np.zeros(len(X)), None)
    config.setdefault("mtry", len(blank.table.names))
    blank = blank.with_groups(groups)
    _native.check_measures(json.dumps(config), (names, asked))
    outputs = box.outputs(X, blank.table)
    known = blank.table.names
    name = unused_name(known) if "output" in known else "output"
    data = _native.Dataset(blank.table, name, outputs).with_groups(groups)
    _, found = _native.Forest.grow(
        data, json.dumps(config), (names, asked),
        work=(threads, progress_of(progress, "growing trees")))
    errors = json.loads(found["errors"])
    explained = None if errors is None else errors["explained_variance"]
    results = [BlackBoxImportance._from_native(
        one, explained=explained, n_evaluations=len(outputs)) for one in found["importances"]]
    if explained is not None and explained < LEAST_EXPLAINED:
        warnings.warn(
            f"{results[0]._share()}: importances describe the forest more than the black box; give "
            "more rows of inputs, or see wald.surrogate for smooth models", stacklevel=2)
    return results if is_list else results[0]


def _rows(inputs: Any, rows: int | None, seed: int) -> Any:
    """The table of inputs, or so many of its rows."""
    X = prepared(inputs)
    if not is_frame(X) and not isinstance(X, np.ndarray):
        try:
            X = np.asarray(X)
        except ValueError as error:
            raise DataTypeError("inputs is not a table: its rows have different lengths",
                                help="give an array of rows and columns, or a data frame") from error
    if not hasattr(X, "__len__") or getattr(X, "ndim", 2) == 0:
        raise DataTypeError(f"inputs is a {type(inputs).__name__}, whose rows cannot be counted",
                            help="give an array of rows and columns, or a data frame")
    if rows is not None and _checks.whole("rows", rows, 1) < len(X):
        X = resample(X, replace=False, n_samples=rows, random_state=seed % 2**32)
    return X
