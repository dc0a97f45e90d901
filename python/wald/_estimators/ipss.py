"""Variables with few false discoveries, by stability over halves, as a scikit-learn selector."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

import wald._native as _native
from wald import _checks
from wald._checks import number, whole
from wald._estimators.base import Forest
from wald._estimators.selecting import Selecting, variable_of_column
from wald._progress import progress_of
from wald.errors import SettingError
from wald.typing import GlobalMeasure, Groups, Progress, Self


@dataclass(eq=False, repr=False)
class _Arguments:
    """The arguments of a selector."""

    estimator: Forest
    measure: GlobalMeasure | None = None
    _: KW_ONLY
    target_fdr: float | None = None
    target_fp: float | None = None
    pairs: int = 50
    power: int = 3
    subsample_trees: int | None = None
    preselect: int | None = 200
    settings: Mapping[str, Any] | None = None
    groups: Groups | None = None
    progress: bool | Progress | None = None


class IPSS(_Arguments, Selecting):
    """Integrated path stability selection, as a selector of scikit-learn.

    The rows are halved at random, many times, and a forest grown on every half. Variables that most
    halves agree on, over a range of thresholds of importance, are selected, with a bound on the
    number or rate of false discoveries.

    Parameters
    ----------
    estimator : a wald estimator
        How forests are grown.
    measure : str, optional
        What halves select by; ``mdi_oob`` unless given, and ``air`` where trees leave no rows out.
    target_fdr : float, optional
        Variables whose q-value is at most this rate of false discoveries are selected; 0.1 unless
        one of the two targets is given.
    target_fp : float, optional
        Variables whose efp score is at most this expected number of false positives are selected.
    pairs : int, default=50
        How often the rows are halved.
    power : {2, 3}, default=3
        Power m of the transformation of stability paths.
    subsample_trees : int, optional
        Trees of a forest on half of the rows; a tenth of those of the estimator, and at least 50,
        unless given.
    preselect : int, default=200
        Variables of which the forest of a half is grown: those that depend most on the target in its
        rows. None for all of them.
    settings : dict, optional
        Settings of the measure, such as ``{"permutations": 10}``.
    groups : dict of str to list of str, optional
        Names of groups with their columns, which are measured and selected together.
    progress : bool or callable, optional
        Whether to show progress.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        The variables selected.
    efp_scores_ : ndarray of shape (n_features,)
        The bound on the expected number of false positives when a variable and all with smaller
        scores are selected.
    q_values_ : ndarray of shape (n_features,)
        The smallest rate of false discoveries at which a variable is selected.
    ranking_ : ndarray of int of shape (n_features,)
        1 for the smallest efp score; equal scores share a rank.
    n_features_ : int
        The number of variables selected; of groups where there are any.
    thresholds_ : ndarray of shape (n_thresholds,)
        The thresholds of importance, decreasing.
    stability_paths_ : ndarray of shape (n_thresholds, n_features)
        The share of halves whose importance of a variable is above a threshold.
    note_ : str or None
        Why relevant variables may not be selected: no tree of some halves has a split, or there are
        few variables.
    estimator_ : estimator or None
        Fitted on the variables selected; None where there are none.
    n_features_in_ : int
        Number of variables seen by ``fit``.
    feature_names_in_ : ndarray of str of shape (n_features,)
        Their names, where the table has names.
    classes_ : ndarray of shape (n_classes,)
        The classes, where the estimator is a classifier.

    Notes
    -----
    Source: Melikechi & Miller (2025); Melikechi, Dunson & Miller (2025). Cost: ``2 * pairs`` forests
    on half of the rows. The scores are those of ``wald select --method ipss``. The bound takes most
    variables to be irrelevant: of fewer than ten, relevant ones may have large scores, and a single
    one is never selected.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> selector = wald.IPSS(wald.RandomForestRegressor(random_state=1), target_fp=1)
    >>> "x4" in selector.fit(data.inputs, data.target).get_feature_names_out()
    True
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None, clusters: Any = None) -> Self:
        """Score every variable, and fit the estimator on those selected.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            As for the estimator.
        y : array of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,), optional
            Case weights, of growing and measuring.
        clusters : array of shape (n_samples,), optional
            Rows of equal values are in one half, and in the bag of a tree together or out of it.

        Returns
        -------
        self
            The selector, with ``support_`` and ``estimator_``.

        Raises
        ------
        SettingError, DataError, MeasureError
            When settings, data and measure do not fit together.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=150, seed=1)
        >>> selector = wald.IPSS(wald.ExtraTreesRegressor(50), pairs=20)
        >>> selector.fit(data.inputs, data.target).q_values_.shape
        (10,)
        """
        X, data, members, config, threads = self._begin(X, y, sample_weight, clusters)
        at_most = self._target()
        asked = SimpleNamespace(
            pairs=whole("pairs", self.pairs, 0), power=whole("power", self.power, 0),
            subsample_trees=self._optional("subsample_trees"), preselect=self._optional("preselect"))
        settings = json.dumps(config)
        found = json.loads(_native.ipss(
            data, settings, self._measure(_native.ipss_measure(settings)), asked,
            work=(threads, progress_of(self.progress, "selecting variables"))))
        scores = np.array(found[at_most[0]])
        self.n_features_ = int((scores <= at_most[1]).sum())
        of_column = variable_of_column(members, self.n_features_in_)
        self.support_ = (scores <= at_most[1])[of_column]
        self.efp_scores_ = np.array(found["efp_scores"])[of_column]
        self.q_values_ = np.array(found["q_values"])[of_column]
        ordered = np.sort(np.array(found["efp_scores"]))
        self.ranking_ = np.searchsorted(ordered, self.efp_scores_) + 1
        self.thresholds_ = np.array(found["thresholds"], dtype=np.float64)
        paths = np.array(found["shares"], dtype=np.float64).reshape(-1, len(members))
        self.stability_paths_ = paths[:, of_column]
        self.note_ = found["note"]
        return self._end(X, y, sample_weight, clusters)

    def _optional(self, name: str) -> int | None:
        given = getattr(self, name)
        return None if given is None else whole(name, given, 0)

    def _target(self) -> tuple[str, float]:
        """Which scores of selected variables are at most how large."""
        rate, expected = self.target_fdr, self.target_fp
        if rate is not None and expected is not None:
            raise SettingError("target_fdr and target_fp are both given", setting="target_fdr",
                               help="leave out one of them")
        if expected is not None:
            if not number("target_fp", expected, finite=True) > 0.0:
                raise _checks.refused("target_fp", expected, "give a number above 0, such as 1")
            return "efp_scores", float(expected)
        rate = 0.1 if rate is None else number("target_fdr", rate)
        if not 0.0 < rate < 1.0:
            raise _checks.refused("target_fdr", rate, "give a number above 0 and below 1")
        return "q_values", rate
