"""Which measure answers which question on these data."""

from __future__ import annotations

from wald import _checks
from wald._estimators.fitted import FittedForest, check_fitted
from wald._results.advice import Advice
from wald.typing import Groups, Progress


def advise(forest: FittedForest, *, groups: Groups | None = None, level: float = 0.05,
           seed: int = 0, progress: bool | Progress | None = None) -> Advice:
    """Find which measure answers which question on the data of a forest.

    Tests whether variables depend on each other and whether effects add up, and what else makes
    importances mislead; what follows for measures is Table 2 of Bénard, Da Veiga & Scornet (2022).

    Parameters
    ----------
    forest : a fitted estimator or an imported forest
        The forest to advise on.
    groups : dict of str to list of str, optional
        Names of groups with their columns, which count as one variable.
    level : float, default=0.05
        Level of the tests, between 0 and 1.
    seed : int, default=0
        Of what is drawn for comparison.
    progress : bool or callable, optional
        Whether to show progress.

    Returns
    -------
    Advice
        A summary, what was found, and what to use for which objective.

    Raises
    ------
    NotFittedError
        When the forest was not fitted.
    SettingError
        When a setting is out of range.

    Notes
    -----
    Source: Bénard, Da Veiga & Scornet (2022), Table 2 and Theorem 2. Cost: 17 forests of
    100 trees on at most 3000 rows, 8 smaller ones, and all pairs of variables.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=300, seed=1)
    >>> forest = wald.RandomForestRegressor(100).fit(data.inputs, data.target)
    >>> advice = wald.advise(forest)
    >>> advice.recommended
    {'selection': 'sobol_mda', 'influence': 'mda_breiman_cutler'}
    """
    check_fitted(forest)
    return forest._advice(groups, level=_checks.number("level", level),
                          seed=_checks.whole("seed", seed, 0), progress=progress)
