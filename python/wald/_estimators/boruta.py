"""All relevant variables, by comparing them with permuted copies, as a scikit-learn selector."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np

import wald._native as _native
from wald import _checks
from wald._checks import flag, number, whole
from wald._estimators.base import Forest
from wald._estimators.selecting import Selecting, variable_of_column
from wald._progress import progress_of
from wald.typing import GlobalMeasure, Groups, Progress, Self


@dataclass(eq=False, repr=False)
class _Arguments:
    """The arguments of a selector."""

    estimator: Forest
    measure: GlobalMeasure | None = None
    _: KW_ONLY
    level: float | None = None
    multiple_testing: Literal["bonferroni", "two_step", "none"] = "bonferroni"
    percentile: float = 100
    max_runs: int = 100
    rough_fix: bool = False
    settings: Mapping[str, Any] | None = None
    groups: Groups | None = None
    progress: bool | Progress | None = None


class Boruta(_Arguments, Selecting):
    """All relevant variables (Boruta), as a selector of scikit-learn.

    Every run grows a forest on the variables and on shadows, permuted copies of them. A variable
    more important than the best shadow has a hit; tests of the number of hits confirm or reject it.

    Parameters
    ----------
    estimator : a wald estimator
        How forests are grown. ``max_features="sqrt"`` follows the number of columns with their
        shadows.
    measure : str, optional
        What variables and shadows are compared by; ``mda_breiman_cutler`` divided by its standard
        error unless given, as in the R package. ``"mdi"`` is that of the Python package.
    level : float, optional
        The level of the tests: 0.01 unless given, or 0.05 with ``"two_step"``.
    multiple_testing : {"bonferroni", "two_step", "none"}, default="bonferroni"
        The correction for the number of tests: that of the R package, that of the Python package
        (Benjamini-Hochberg over variables, Bonferroni over runs), or none.
    percentile : float, default=100
        The percentile of the shadows' importances that a hit exceeds; 100 is the best shadow.
    max_runs : int, default=100
        The number of forests, at most.
    rough_fix : bool, default=False
        Whether to decide on tentative variables by the medians of their importances and of those
        that a hit exceeds.
    settings : dict, optional
        Settings of the measure, such as ``{"permutations": 10}``.
    groups : dict of str to list of str, optional
        Names of groups with their columns, which are measured and selected together.
    progress : bool or callable, optional
        Whether to show progress.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        The confirmed variables.
    support_weak_ : ndarray of bool of shape (n_features,)
        The tentative variables, which the runs did not decide.
    ranking_ : ndarray of int of shape (n_features,)
        1 for confirmed variables, then tentative ones, then the rejected, the later the smaller.
    decisions_ : ndarray of str of shape (n_features,)
        "confirmed", "tentative" or "rejected".
    hits_ : ndarray of int of shape (n_features,)
        How often a variable was more important than the best shadow.
    n_features_ : int
        The number of confirmed variables; of groups where there are any.
    n_runs_ : int
        How many forests were grown.
    importance_history_ : ndarray of shape (n_runs, n_features)
        The importances of every run; NaN once a variable was rejected.
    shadow_history_ : ndarray of shape (n_runs,)
        What a hit exceeded in every run; of ``minimal_depth``, of which small values are
        important, what it was below.
    note_ : str or None
        Why nothing is known of the variables, where no tree of some runs had a split.
    estimator_ : estimator or None
        Fitted on the confirmed variables; None where there are none.
    n_features_in_ : int
        Number of variables seen by ``fit``.
    feature_names_in_ : ndarray of str of shape (n_features,)
        Their names, where the table has names.
    classes_ : ndarray of shape (n_classes,)
        The classes, where the estimator is a classifier.

    Notes
    -----
    Source: Kursa & Rudnicki (2010), in the form of the R package since version 5. Cost: ``max_runs``
    forests on twice as many variables at most. The decisions are those of ``wald select --method
    boruta``.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> selector = wald.Boruta(wald.RandomForestRegressor(50, random_state=1))
    >>> selector.fit(data.inputs, data.target).get_feature_names_out().tolist()
    ['x1', 'x2', 'x3', 'x4', 'x5']
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Confirm or reject every variable, and fit the estimator on the confirmed ones.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            As for the estimator.
        y : array of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,), optional
            Case weights, of growing and measuring.

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
        >>> selector = wald.Boruta(wald.ExtraTreesRegressor(30), "mdi", max_runs=20)
        >>> selector.fit(data.inputs, data.target).decisions_[3].item()
        'confirmed'
        """
        X, data, members, config, threads = self._begin(X, y, sample_weight, None)
        known = ("bonferroni", "two_step", "none")
        _checks.one_of("multiple_testing", self.multiple_testing, known)
        asked = SimpleNamespace(
            level=None if self.level is None else number("level", self.level),
            multiple_testing=self.multiple_testing,
            percentile=number("percentile", self.percentile),
            max_runs=whole("max_runs", self.max_runs, 0), rough_fix=flag("rough_fix", self.rough_fix))
        found = json.loads(_native.boruta(
            data, json.dumps(config), self._measure(
                "mda_breiman_cutler", normalise="standard_error"), asked,
            work=(threads, progress_of(self.progress, "selecting variables"))))
        self._take(found, members)
        return self._end(X, y, sample_weight, None)

    def _take(self, found: dict[str, Any], members: list[list[int]]) -> None:
        """Sets the attributes; ``members`` are the columns of every variable."""
        variables, of_column = found["variables"], variable_of_column(members, self.n_features_in_)

        def of(name: str) -> np.ndarray:
            values: np.ndarray = np.array([variable[name] for variable in variables])[of_column]
            return values

        self.decisions_, self.hits_, self.ranking_ = of("decision"), of("hits"), of("rank")
        self.support_ = self.decisions_ == "confirmed"
        self.support_weak_ = self.decisions_ == "tentative"
        self.n_features_ = len(found["confirmed"])
        self.n_runs_ = found["n_runs"]
        history = np.array(found["history"], dtype=np.float64).reshape(self.n_runs_, len(members))
        self.importance_history_ = history[:, of_column]
        self.shadow_history_ = np.array(found["thresholds"], dtype=np.float64)
        self.note_ = found["note"]
