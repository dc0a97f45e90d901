"""Differences of importances between two forests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import wald._native as _native
from wald import _checks
from wald._estimators.fitted import FittedForest, check_fitted
from wald._executors.shared import shared
from wald._progress import progress_of
from wald._results.comparison import Comparison
from wald.typing import GlobalMeasure, Groups, Progress


@overload
def compare(
    first: FittedForest, second: FittedForest, measure: GlobalMeasure = "sobol_mda", *,
    confidence: float = 0.9, subsamples: int | None = None,
    subsample_fraction: float | None = None, subsample_trees: int | None = None,
    multiple_testing: str = "holm", groups: Groups | None = None,
    progress: bool | Progress | None = None, **settings: Any,
) -> Comparison: ...


@overload
def compare(
    first: FittedForest, second: FittedForest, measure: Sequence[GlobalMeasure], *,
    confidence: float = 0.9, subsamples: int | None = None,
    subsample_fraction: float | None = None, subsample_trees: int | None = None,
    multiple_testing: str = "holm", groups: Groups | None = None,
    progress: bool | Progress | None = None, **settings: Any,
) -> list[Comparison]: ...


def compare(
    first: FittedForest, second: FittedForest, measure: Any = "sobol_mda", *,
    confidence: float = 0.9, subsamples: int | None = None,
    subsample_fraction: float | None = None, subsample_trees: int | None = None,
    multiple_testing: str = "holm", groups: Groups | None = None,
    progress: bool | Progress | None = None, **settings: Any,
) -> Comparison | list[Comparison]:
    """Compare importances between two forests: differences, intervals and p-values.

    Parameters
    ----------
    first, second : fitted estimators of wald
        Forests on two tables with the same variables, or two forests on the same rows (in the same
        order; targets and weights may differ). They are not changed; further forests are grown with
        their settings on parts of their rows.
    measure : str or list of str, default="sobol_mda"
        Global measures; several share all forests.
    confidence : float, default=0.9
        The probability with which each interval covers.
    subsamples : int, optional
        Forests on parts of the rows of each table; 100 unless given.
    subsample_fraction : float, optional
        Share of the rows (or clusters) of such a part; 0.5 unless given.
    subsample_trees : int, optional
        Trees of such a forest; a fifth of those of the forest, and at least 50, unless given.
    multiple_testing : {"holm", "benjamini_hochberg", "none"}, default="holm"
        How p-values are corrected for the number of variables.
    groups : dict of str to list of str, optional
        Names of groups with their columns, which are measured together.
    progress : bool or callable, optional
        Whether to show progress; a callable receives the work done and all of it.
    **settings
        Of the measures, such as ``seed`` or ``normalise``; see
        :meth:`wald.RandomForestRegressor.importance`.

    Returns
    -------
    Comparison or list of Comparison
        One for every measure; a list where ``measure`` is one.

    Raises
    ------
    DataError
        Where the forests have other variables or targets, or parts of the rows are too small.
    SettingError
        For settings out of their range, and for forests whose settings are not known, so that
        further ones cannot be grown.

    Notes
    -----
    Errors include the finite numbers of rows and trees. Two tables are taken as independent samples;
    on the same rows, both sides are measured on the same parts, and differences are paired. Cost: that
    of :func:`wald.uncertainty` for both forests.

    Examples
    --------
    >>> import wald
    >>> before, after = (wald.simulate("friedman_1", rows=150, seed=seed) for seed in (1, 2))
    >>> first = wald.RandomForestRegressor(100, random_state=1).fit(before.inputs, before.target)
    >>> changed = after.target + 10 * after.inputs["x6"]  # an effect that was not there before
    >>> second = wald.RandomForestRegressor(100, random_state=1).fit(after.inputs, changed)
    >>> found = wald.compare(first, second, "mdi_oob", subsamples=20)
    >>> found.feature_names[found.ranking()[0]], found.is_paired
    ('x6', False)
    """
    for forest in (first, second):
        check_fitted(forest)
    names, is_list = _checks.measures(measure)
    asked_of = _checks.settings_of_forests(settings, compare)
    for forest in (first, second):
        for name in names:
            forest._check_measure(name, asked_of)
    asked = {
        "confidence": confidence, "subsamples": subsamples,
        "subsample_fraction": subsample_fraction, "subsample_trees": subsample_trees,
        "multiple_testing": multiple_testing,
    }
    found = shared(
        _native.compare, (first._forest, first._data_with(groups)),
        (second._forest, second._data_with(groups)), (names, asked_of), asked,
        threads=first._threads(), progress=progress_of(progress, "growing forests"),
        executor=None)
    results = [
        Comparison(confidence=confidence, adjustment=multiple_testing, **one) for one in found
    ]
    return results if is_list else results[0]
