"""Tests of what every variable adds to the others."""

from __future__ import annotations

import json
from typing import Any

import wald._native as _native
from wald import _checks
from wald._estimators.base import Forest
from wald._estimators.growing import grower
from wald._executors.shared import shared
from wald._executors.workers import AnyExecutor
from wald._progress import progress_of
from wald._results.conditional import ConditionalTest
from wald.typing import ConditionalMethod, Groups, Progress


def conditional_test(estimator: Forest, X: Any, y: Any, *, method: ConditionalMethod = "sobol_cpi",
                     draws: int | None = None, folds: int = 5, confidence: float = 0.9,
                     multiple_testing: str = "holm", groups: Groups | None = None,
                     sample_weight: Any = None, clusters: Any = None,
                     progress: bool | Progress | None = None, executor: AnyExecutor | None = None,
                     ) -> ConditionalTest:
    """Test whether each variable adds to what the others explain.

    The null hypothesis is that the response does not depend on the variable given all others. Forests
    are grown on the rows outside of each fold and judged by the rows inside, so that errors are those of
    independent rows. The value is an estimate of the total Sobol index, as ``"sobol_mda"`` is.

    Parameters
    ----------
    estimator : a wald estimator
        How forests are grown; it need not be fitted, and stays as it is. Its ``random_state`` determines
        the folds, too.
    X : array or data frame of shape (n_samples, n_features)
        As for ``estimator.fit``.
    y : array of shape (n_samples,)
        The target.
    method : {"sobol_cpi", "loco"}, default="sobol_cpi"
        Predictions with values of the variable that are drawn given the others, or forests grown
        with its values shuffled, which are judged on other rows than the full ones and have less power.
    draws : int, optional
        Values drawn for each row by ``"sobol_cpi"``; 10 unless given.
    folds : int, default=5
        Folds of the cross-fitting; rows of one cluster stay together.
    confidence : float, default=0.9
        The probability with which intervals cover.
    multiple_testing : {"holm", "benjamini_hochberg", "none"}, default="holm"
        How p-values are corrected for the number of variables.
    groups : dict of str to list of str, optional
        Names of groups with their columns, which are tested together.
    sample_weight, clusters : array of shape (n_samples,), optional
        As for ``estimator.fit``.
    progress : bool or callable, optional
        Whether to show progress.
    executor : concurrent.futures.Executor or Workers, optional
        Whose workers share the work; the result is the same to the last bit. See
        docs/many-machines.md.

    Returns
    -------
    ConditionalTest
        Values, standard errors over rows, intervals and p-values.

    Raises
    ------
    SettingError, DataError
        When settings and data do not fit together.

    Notes
    -----
    Sources: Reyero Lobo, Neuvial & Thirion (2025) for Sobol-CPI, Williamson et al. (2023) for LOCO with
    sample splitting. Cost: folds * (variables + 1) forests. See docs/measures/conditional.md.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> found = wald.conditional_test(wald.RandomForestRegressor(50), data.inputs, data.target)
    >>> [name for name, p in zip(found.feature_names, found.adjusted_p_values) if p < 0.05]
    ['x1', 'x2', 'x3', 'x4', 'x5']
    """
    data, config, threads, _ = grower(estimator, X, y, sample_weight, clusters)
    asked = {
        "method": _checks.text("method", method),
        "draws": None if draws is None else _checks.whole("draws", draws, 1),
        "folds": _checks.whole("folds", folds, 2), "confidence": confidence,
        "multiple_testing": _checks.text("multiple_testing", multiple_testing),
    }
    found = shared(
        _native.conditional_test, data.with_groups(groups), json.dumps(config), asked,
        threads=threads, progress=progress_of(progress, "growing forests"), executor=executor)
    return ConditionalTest(measure=method, confidence=confidence, adjustment=multiple_testing, **found)
