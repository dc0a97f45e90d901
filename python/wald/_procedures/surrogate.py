"""Few runs of an expensive model: a Gaussian process, a large sample of it, and a forest."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, overload

import wald._native as _native
from wald import _checks
from wald._estimators.base import Forest
from wald._estimators.growing import grower, of_outputs
from wald._progress import progress_of
from wald._results.surrogate import Surrogate
from wald._tables.named import input_columns
from wald.typing import GlobalMeasure, Groups, Kernel, Progress

# The laws that are estimated from the runs.
LAWS = ("copula", "independent")


@overload
def surrogate(
    X: Any, y: Any, *, inputs: Any = "copula", measure: GlobalMeasure = "sobol_mda",
    groups: Groups | None = None, rows: int = 10_000, draws: int = 20,
    kernel: Kernel = "matern_52", starts: int = 20, confidence: float = 0.9,
    estimator: Forest | None = None, seed: int | None = None, n_jobs: int | None = None,
    progress: bool | Progress | None = None, **settings: Any,
) -> Surrogate: ...


@overload
def surrogate(
    X: Any, y: Any, *, inputs: Any = "copula", measure: Sequence[GlobalMeasure],
    groups: Groups | None = None, rows: int = 10_000, draws: int = 20,
    kernel: Kernel = "matern_52", starts: int = 20, confidence: float = 0.9,
    estimator: Forest | None = None, seed: int | None = None, n_jobs: int | None = None,
    progress: bool | Progress | None = None, **settings: Any,
) -> list[Surrogate]: ...


def surrogate(
    X: Any, y: Any, *, inputs: Any = "copula", measure: Any = "sobol_mda",
    groups: Groups | None = None, rows: int = 10_000, draws: int = 20,
    kernel: Kernel = "matern_52", starts: int = 20, confidence: float = 0.9,
    estimator: Forest | None = None, seed: int | None = None, n_jobs: int | None = None,
    progress: bool | Progress | None = None, **settings: Any,
) -> Surrogate | list[Surrogate]:
    """Estimate importances from few runs of an expensive, smooth model.

    A Gaussian process is fitted to the runs and judged, a large sample of inputs is drawn, the
    process provides the outputs, and a forest of the sample is measured. Importances of a forest of
    the runs themselves stand beside, and the result begins with which of both to believe.

    Parameters
    ----------
    X : array or data frame of shape (n_runs, n_inputs)
        The inputs of the runs, without missing values; at most 2000 runs.
    y : array of shape (n_runs,)
        Their outputs, numbers.
    inputs : {"copula", "independent"} or a table, default="copula"
        Inputs of the sample: drawn from a Gaussian copula that is estimated from the runs, drawn
        independently of each other, or rows of a data frame (columns by name, in any order), a
        dict of columns, or an array (columns as in X).
    measure : str or list of str, default="sobol_mda"
        Global measures; several share all forests.
    groups : dict of str to list of str, optional
        Names of groups with their columns, which are measured together.
    rows : int, default=10_000
        Rows of the sample; of a table, at most as many, drawn at random.
    draws : int, default=20
        Functions drawn from the process, which show its error.
    kernel : {"matern_52", "matern_32", "squared_exponential"}, default="matern_52"
        The family of correlations of the process, from smooth to smoothest: matern_32,
        matern_52, squared_exponential.
    starts : int, default=20
        Starts of the search for lengths and noise.
    confidence : float, default=0.9
        The probability with which intervals cover.
    estimator : a regressor of wald, optional
        How forests are grown; 300 trees unless given. Half of the variables compete for each
        split in the sample's forest, unless ``max_features`` is not its default, "sqrt", and nodes of
        20 rows are not divided, unless ``min_samples_split`` is set.
    seed : int, optional
        Of the process, the sample, the forests and the measures; ``random_state`` of the estimator
        unless given.
    n_jobs : int, optional
        Threads; those of the estimator unless given, which are all processors by default. Results
        do not depend on it.
    progress : bool or callable, optional
        Whether to show progress; a callable receives the work done and all of it.
    **settings
        Of the measures, such as ``normalise``; see :meth:`wald.RandomForestRegressor.importance`.

    Returns
    -------
    Surrogate or list of Surrogate
        One for every measure; a list where ``measure`` is one.

    Raises
    ------
    DataError
        When the runs cannot be used: missing values, outputs that are no numbers or do not vary,
        fewer than three or more than 2000 runs, or a table of inputs that lacks one.
    SettingError
        For settings out of their range.
    MeasureError
        Where a measure does not allow the settings of the forest.

    Notes
    -----
    Source: Bénard, Da Veiga & Scornet (2022), section 6. Cost: eleven fits of the process, of
    order runs cubed for every step, and forests of the runs, of the sample, of four parts of it,
    and of 31 functions (``draws`` + 11) on at most 3000 rows with at most 100 trees.

    Examples
    --------
    >>> import wald
    >>> runs = wald.simulate("friedman_1", rows=40, seed=1)
    >>> X, y = runs[["x1", "x2"]], 3 * runs["x1"] + runs["x2"] ** 2
    >>> found = wald.surrogate(X, y, rows=500, draws=2, estimator=wald.RandomForestRegressor(20))
    >>> found.believed, found.feature_names[found.ranking()[0]]
    ('two_step', 'x1')
    """
    names, is_list = _checks.measures(measure)
    asked_of = _checks.settings_of_forests({**settings, "seed": seed}, surrogate)
    data, config, threads, forest = grower(of_outputs(estimator, seed, n_jobs), X, y, None)
    known = data.table.names
    asked = {
        "inputs": inputs, "rows": _checks.whole("rows", rows, 1), "kernel": kernel,
        "draws": _checks.whole("draws", draws, 1), "starts": _checks.whole("starts", starts, 1),
        "confidence": confidence,
    }
    if inputs is None or isinstance(inputs, str) and inputs not in LAWS:
        raise _checks.refused("inputs", inputs,
                              f"give one of {_checks.listed(LAWS)}, or a table of inputs")
    if not isinstance(inputs, str):
        asked["inputs"] = _native.Table(input_columns(inputs, known))
    found = _native.surrogate(
        data.with_groups(groups), json.dumps(config), (names, asked_of), asked,
        work=(threads, progress_of(progress, "growing forests")))
    results = [Surrogate._from_native(one, forest._target_name) for one in found]
    return results if is_list else results[0]
