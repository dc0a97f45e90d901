"""Recursive feature elimination as a scikit-learn selector."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from os import PathLike
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np

import wald._native as _native
from wald import _checks
from wald._checks import refused, whole
from wald._estimators.base import Forest
from wald._estimators.selecting import Selecting, columns_of
from wald._executors.engines import parts_of
from wald._executors.shared import shared
from wald._executors.workers import AnyExecutor
from wald._progress import progress_of
from wald._results.selection import Selection
from wald.typing import GlobalMeasure, Groups, Progress, Self


@dataclass(eq=False, repr=False)
class _Arguments:
    """The arguments of a selector."""

    estimator: Forest
    measure: GlobalMeasure = "sobol_mda"
    _: KW_ONLY
    n_features_to_select: Literal["best", "one_standard_error"] | int = "best"
    folds: int = 10
    repeats: int = 1
    step: float | Literal["auto"] = "auto"
    min_features_to_select: int = 1
    loss: Literal["squared", "absolute", "zero_one"] = "squared"
    settings: Mapping[str, Any] | None = None
    groups: Groups | None = None
    resume: str | PathLike[str] | None = None
    progress: bool | Progress | None = None


class RFE(_Arguments, Selecting):
    """Recursive feature elimination with cross-validation, as a selector of scikit-learn.

    Variables leave one after the other, each time the least important one of a forest grown anew,
    and held-out rows decide how many to keep.

    Parameters
    ----------
    estimator : a wald estimator
        How forests are grown. ``max_features="sqrt"`` follows the number of variables left; a
        number is that of all variables as long as there are so many.
    measure : str, default="sobol_mda"
        A global measure of training or out-of-bag rows: it finds the least important variable.
    n_features_to_select : "best", "one_standard_error" or int, default="best"
        The number of the smallest error; the smallest number whose error is at most one standard
        error above; or so many.
    folds : int, default=10
        Folds of the cross-validation, which are drawn from the estimator's ``random_state``.
    repeats : int, default=1
        How often rows are divided into folds anew.
    step : "auto", int or float, default="auto"
        Variables that leave at a time: a number, or a share of those left. ``"auto"`` is 1 while at
        most 100 are left, before that a tenth of those left.
    min_features_to_select : int, default=1
        The smallest number of variables that is tried.
    loss : {"squared", "absolute", "zero_one"}, default="squared"
        The loss of held-out rows.
    settings : dict, optional
        Settings of the measure, such as ``{"permutations": 10}``.
    groups : dict of str to list of str, optional
        Names of groups with their columns, which are measured together and leave together. Sizes
        count groups then, a column without a group being one of its own.
    resume : str or path, optional
        A file that keeps what is finished: where it exists, ``fit`` goes on from there, and
        refuses it when it is of other data or settings. ``wald select --resume`` reads it, too.
        With an executor it is written whenever every part has done one elimination.
    progress : bool or callable, optional
        Whether to show progress.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        The variables kept.
    ranking_ : ndarray of int of shape (n_features,)
        1 for variables kept; then, the later a variable left, the smaller. Variables that left
        together share a rank.
    n_features_ : int
        The number of variables kept; of groups where there are any.
    selection_ : Selection
        The whole curve; ``selection_.plot()`` draws it.
    cv_results_ : dict of ndarray
        ``n_features``, ``mean_test_error``, ``se_test_error``, ``mean_test_r2``.
    estimator_ : estimator
        Fitted on the variables kept.
    n_features_in_ : int
        Number of variables seen by ``fit``.
    feature_names_in_ : ndarray of str of shape (n_features,)
        Their names, where the table has names.
    classes_ : ndarray of shape (n_classes,)
        The classes, where the estimator is a classifier.

    Notes
    -----
    Source: Benard, Da Veiga & Scornet (2022), Algorithm 2; Gregorutti, Michel & Saint-Pierre
    (2017). Cost: ``folds * repeats + 1`` times as many forests as there are sizes. Held-out rows
    influence nothing that is grown, measured or dropped. The numbers are those of ``wald select``.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=150, seed=1)
    >>> selector = wald.RFE(wald.RandomForestRegressor(30), folds=3, step=2)
    >>> selector.fit(data.inputs, data.target).transform(data.inputs).shape[0]
    150
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None, clusters: Any = None, *,
            executor: AnyExecutor | None = None) -> Self:
        """Select variables, and fit the estimator on them.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            As for the estimator.
        y : array of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,), optional
            Case weights, of growing, measuring and judging.
        clusters : array of shape (n_samples,), optional
            Rows of equal values are in the bag of a tree together or out of it together, and in
            one fold.
        executor : concurrent.futures.Executor or Workers, optional
            Whose workers share the work; the result is the same to the last bit. See
            docs/many-machines.md.

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
        >>> data = wald.simulate("friedman_1", rows=100, seed=1)
        >>> selector = wald.RFE(wald.ExtraTreesRegressor(20), measure="mdi", folds=3, step=3)
        >>> selector.fit(data.inputs, data.target).get_feature_names_out().tolist()
        ['x1', 'x2', 'x4', 'x5']
        """
        X, data, members, config, threads = self._begin(X, y, sample_weight, clusters)
        measure, loss = _checks.text("measure", self.measure), self.loss
        _checks.one_of("loss", loss, ("squared", "absolute", "zero_one"))
        asked = SimpleNamespace(
            folds=whole("folds", self.folds, 1), repeats=whole("repeats", self.repeats, 1),
            step=self._step(), smallest=whole("min_features_to_select",
                                              self.min_features_to_select, 1), loss=loss,
            resume=self.resume)
        arguments = (data, json.dumps(config), (measure, self._measure_settings()), asked)
        progress = progress_of(self.progress, "selecting variables")
        if executor is not None and self.resume is not None:
            self._eliminate_in_rounds(arguments, threads, progress, executor)
            executor_left = None
        else:
            executor_left = executor
        text = shared(_native.eliminate, *arguments, threads=threads, progress=progress,
                      executor=executor_left)
        self.selection_ = Selection._from_native(measure, text)
        self._choose(members)
        return self._end(X, y, sample_weight, clusters, executor)

    def _eliminate_in_rounds(self, arguments: tuple[Any, ...], threads: int | None,
                             progress: Progress | None, executor: AnyExecutor) -> None:
        """Shares the eliminations that the stored state lacks, one for each part at a time, and
        stores the state after each of these rounds."""
        path: Any = self.resume
        # Only this process reads and writes the file.
        asked = SimpleNamespace(**{**vars(arguments[-1]), "resume": None})
        at_most = parts_of(executor)
        n_all = self.folds * self.repeats + 1
        data, config, measure, _ = arguments
        # What is stored is checked before tables go anywhere.
        _, n_left = _native.eliminate_further(
            data, config, measure, asked, _native.stored(path), 0, work=(threads, None))
        try:
            while n_left > 0:
                state, n_left = shared(
                    _native.eliminate_further, data, config, measure, asked, _native.stored(path),
                    at_most, threads=threads, progress=None, executor=executor)
                _native.write_file(path, state, force=True)
                if progress is not None:
                    progress(n_all - n_left, n_all)
        finally:
            if progress is not None and hasattr(progress, "close"):
                progress.close()

    def _step(self) -> int | float | None:
        step = self.step
        if isinstance(step, str) and step == "auto":
            return None
        if isinstance(step, Integral) and not isinstance(step, bool) and int(step) >= 1:
            return int(step)
        if isinstance(step, Real) and not isinstance(step, Integral) and 0.0 < float(step) < 1.0:
            return float(step)
        raise refused("step", step, "give a whole number of at least 1, a share such as 0.2, or \"auto\"")

    def _choose(self, members: list[list[int]]) -> None:
        """Sets the attributes of the selection; ``members`` are the columns of every variable."""
        found = self.selection_
        wanted: Any = self.n_features_to_select
        if isinstance(wanted, str):
            wanted = {"best": found.best_size,
                      "one_standard_error": found.one_standard_error_size}.get(wanted, wanted)
        if not isinstance(wanted, Integral) or not 1 <= int(wanted) <= len(found.order):
            raise refused(
                "n_features_to_select", wanted,
                f'give "best", "one_standard_error", or a number from 1 to {len(found.order)}')
        size = whole("n_features_to_select", wanted, 1)
        self.n_features_ = size
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[columns_of(found.kept(size), members)] = True
        self.ranking_ = np.ones(self.n_features_in_, dtype=np.int64)
        # Sizes at which a forest was grown, from that of the variables kept upwards.
        sizes = sorted(other for other in {size, *found.n_variables.tolist()} if other >= size)
        for rank, (inner, outer) in enumerate(zip(sizes, sizes[1:]), start=2):
            left = set(found.kept(outer)) - set(found.kept(inner))
            self.ranking_[columns_of(left, members)] = rank
        self.cv_results_ = {
            "n_features": found.n_variables, "mean_test_error": found.errors,
            "se_test_error": found.standard_errors, "mean_test_r2": found.explained_variance}
