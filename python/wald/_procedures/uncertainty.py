"""Uncertainty of importances: errors of trees and rows, intervals, ranks, p-values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import wald._native as _native
from wald import _checks
from wald._estimators.fitted import FittedForest, check_fitted
from wald._executors.shared import shared
from wald._executors.workers import AnyExecutor
from wald._progress import progress_of
from wald._results.uncertainty import Uncertainty
from wald.typing import GlobalMeasure, Groups, NullDistribution, Progress, Variance


@overload
def uncertainty(
    forest: FittedForest, measure: GlobalMeasure = "sobol_mda", *, confidence: float = 0.9,
    variance: Variance = "subsampling", subsamples: int | None = None,
    subsample_fraction: float | None = None, subsample_trees: int | None = None,
    null_distribution: NullDistribution | None = None, null_forests: int | None = None,
    multiple_testing: str = "holm", groups: Groups | None = None,
    progress: bool | Progress | None = None, executor: AnyExecutor | None = None, **settings: Any,
) -> Uncertainty: ...


@overload
def uncertainty(
    forest: FittedForest, measure: Sequence[GlobalMeasure], *, confidence: float = 0.9,
    variance: Variance = "subsampling", subsamples: int | None = None,
    subsample_fraction: float | None = None, subsample_trees: int | None = None,
    null_distribution: NullDistribution | None = None, null_forests: int | None = None,
    multiple_testing: str = "holm", groups: Groups | None = None,
    progress: bool | Progress | None = None, executor: AnyExecutor | None = None, **settings: Any,
) -> list[Uncertainty]: ...


def uncertainty(
    forest: FittedForest, measure: Any = "sobol_mda", *, confidence: float = 0.9,
    variance: Variance = "subsampling", subsamples: int | None = None,
    subsample_fraction: float | None = None, subsample_trees: int | None = None,
    null_distribution: NullDistribution | None = None, null_forests: int | None = None,
    multiple_testing: str = "holm", groups: Groups | None = None,
    progress: bool | Progress | None = None, executor: AnyExecutor | None = None, **settings: Any,
) -> Uncertainty | list[Uncertainty]:
    """Compute the uncertainty of importances: intervals of values and ranks, and p-values.

    Parameters
    ----------
    forest : a fitted estimator of wald
        It is not changed; further forests are grown with its settings, on its rows.
    measure : str or list of str, default="sobol_mda"
        Global measures; several share all forests.
    confidence : float, default=0.9
        The probability with which intervals cover.
    variance : {"subsampling", "jackknife"}, default="subsampling"
        Where sampling errors come from: forests on parts of the rows, or the bags of the forest
        itself (for mdi, split_count and minimal_depth, with about ten trees per row).
    subsamples : int, optional
        Forests on parts of the rows; 100 unless given.
    subsample_fraction : float, optional
        Share of the rows (or clusters) of such a part; 0.5 unless given.
    subsample_trees : int, optional
        Trees of such a forest; a fifth of those of the forest, and at least 50, unless given.
    null_distribution : {"permuted", "shadow", "mirrored"}, optional
        Adds p-values, by forests whose responses were permuted, by shadows of the variables that
        grow along (fewer forests), or by variables that are below their shadows (one forest, for
        tables of many variables).
    null_forests : int, optional
        Forests of p-values: at most 999 permuted ones, or 40 with shadows, unless given. Without
        ``null_distribution``, it requests permuted ones.
    multiple_testing : {"holm", "benjamini_hochberg", "none"}, default="holm"
        How p-values are corrected for the number of variables.
    groups : dict of str to list of str, optional
        Names of groups with their columns, which are measured together.
    progress : bool or callable, optional
        Whether to show progress; a callable receives the work done and all of it.
    executor : concurrent.futures.Executor or Workers, optional
        Whose workers share the work; the result is the same to the last bit. See
        docs/many-machines.md.
    **settings
        Of the measures, such as ``seed`` or ``normalise``; see
        :meth:`wald.RandomForestRegressor.importance`.

    Returns
    -------
    Uncertainty or list of Uncertainty
        One for every measure; a list where ``measure`` is one.

    Raises
    ------
    SettingError
        For settings out of their range, and for forests whose settings are not known, so that
        further ones cannot be grown.
    MeasureError
        Where a measure does not allow a setting, such as the jackknife.
    DataError
        Where parts of the rows are too small, or shadows would need rows in clusters permuted.

    Notes
    -----
    Cost: with the defaults, ten forests for the errors, up to 999 for permuted p-values, 40 of
    twice as many variables with shadows, and one for mirrored ones. Sources: Ishwaran & Lu (2019)
    and Shao & Wu (1989) for subsampling, Wager, Hastie & Efron (2014) for the jackknife, Mogstad et
    al. (2024) for ranks, Altmann et al. (2010) and Besag & Clifford (1991) for permuted responses,
    Nembrini, Koenig & Wright (2018) for shadows, Janitza, Celik & Boulesteix (2018) for mirror
    images.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.RandomForestRegressor(100).fit(data.inputs, data.target)
    >>> found = wald.uncertainty(forest, "mdi", subsamples=20, null_distribution="shadow",
    ...                          null_forests=10)
    >>> [found.feature_names[at] for at in range(10) if found.p_values[at] < 0.02]
    ['x1', 'x2', 'x4', 'x5']
    """
    check_fitted(forest)
    names, is_list = _checks.measures(measure)
    asked_of = _checks.settings_of_forests(settings, uncertainty)
    for name in names:
        forest._check_measure(name, asked_of)
    asked = {
        "confidence": confidence, "variance": variance, "subsamples": subsamples,
        "subsample_fraction": subsample_fraction, "subsample_trees": subsample_trees,
        "null_distribution": null_distribution, "null_forests": null_forests,
        "multiple_testing": multiple_testing,
    }
    data = forest._data_with(groups)
    found = shared(
        _native.uncertainty, forest._forest, data, (names, asked_of), asked,
        threads=forest._threads(), progress=progress_of(progress, "growing forests"),
        executor=executor)
    results = [Uncertainty(**one) for one in found]
    return results if is_list else results[0]
