"""A forest with its training data: what every estimator and every imported forest can measure."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from typing import Any, Literal, overload

import wald._native as _native
from wald import _checks
from wald._estimators.weighted import WeightedForest
from wald._executors.shared import shared
from wald._executors.workers import AnyExecutor
from wald._progress import progress_of
from wald._results.advice import Advice
from wald._results.curves import Curves
from wald._results.importance import Importance
from wald._results.importance_table import ImportanceTable
from wald._results.local import LocalImportance
from wald._results.measures import measures
from wald._tables.columns import frame_names, is_frame
from wald._tables.named import readable
from wald._tables.refusals import dense
from wald.errors import MaskingWarning, MeasureError, SettingError
from wald.typing import (
    CurveMeasure, ExplanationSettings, Floats, GlobalMeasure, Groups, Loss, MeasureSettings,
    Progress, TestRows, Unpack, ValueMeasure,
)

# The prefix of notes on masking.
_MASKING = "masking: "


class FittedForest(WeightedForest):
    """Measures of a fitted forest.

    A class that mixes this in has what :class:`WeightedForest` needs, and ``_test(X, y)``, which
    turns rows and their target into native data.
    """

    def _test(self, X: Any, y: Any, sample_weight: Any = None) -> _native.Dataset:
        """Rows that the forest never saw, with their target."""
        raise NotImplementedError

    @overload
    def importance(
        self, measure: GlobalMeasure = "mda_breiman_cutler", *,
        test: TestRows | None = None, loss: Loss | None = None,
        permutations: Literal["exact"] | int = "exact", groups: Groups | None = None,
        seed: int | None = None, progress: bool | Progress | None = None,
        executor: AnyExecutor | None = None, **settings: Unpack[MeasureSettings],
    ) -> Importance: ...

    @overload
    def importance(
        self, measure: Literal["recommended"] | list[GlobalMeasure] | tuple[GlobalMeasure, ...], *,
        test: TestRows | None = None, loss: Loss | None = None,
        permutations: Literal["exact"] | int = "exact", groups: Groups | None = None,
        seed: int | None = None, progress: bool | Progress | None = None,
        executor: AnyExecutor | None = None, **settings: Unpack[MeasureSettings],
    ) -> ImportanceTable: ...

    def importance(
        self, measure: str | Sequence[str] = "mda_breiman_cutler", *,
        test: TestRows | None = None, loss: Loss | None = None,
        permutations: Literal["exact"] | int = "exact", groups: Groups | None = None,
        seed: int | None = None, progress: bool | Progress | None = None,
        executor: AnyExecutor | None = None, **settings: Unpack[MeasureSettings],
    ) -> Importance | ImportanceTable:
        """Measure how much every variable matters.

        Parameters
        ----------
        measure : str or list of str, default="mda_breiman_cutler"
            Name of a measure; :func:`wald.measures` lists them. Several share one pass over the
            trees; each setting goes to those that offer it. "recommended" stands for those that
            :func:`wald.advise` recommends on these data.
        test : tuple (X, y) or (X, y, sample_weight), optional
            Rows that the forest never saw, for measures that use them (others are refused unless
            one of several does): X of shape (n_test, n_features) and y of shape (n_test,), with
            the case weights of these rows, if they have any.
        loss : str, optional
            "squared", "absolute", "zero_one", "zero_one_vote", "log" or "auc"; the measure's
            default unless given.
        permutations : "exact" or int, default="exact"
            The expectation over all permutations, or a number of random ones.
        groups : dict of str to list of str, optional
            Names of groups with their columns, which are measured together.
        seed : int, optional
            Of random permutations and samples; 0 unless given.
        progress : bool or callable, optional
            Whether to show progress; a callable receives the work done and all of it.
        executor : concurrent.futures.Executor or Workers, optional
            Whose workers share the work; the result is the same to the last bit. See
            docs/many-machines.md.
        **settings
            Further settings of single measures, such as ``normalise``, ``per_class``,
            ``background`` (a table), ``background_rows`` or ``time_budget`` (seconds);
            :class:`wald.typing.MeasureSettings` lists them.

        Returns
        -------
        Importance or ImportanceTable
            A value for every variable or group, in the unit of the measure; a table of several
            where ``measure`` is a list or "recommended".

        Raises
        ------
        NotFittedError
            Before ``fit``.
        MeasureError
            Where the measure needs what the forest does not have; it names what to use instead.
        SettingError
            For a name that no measure has, and settings out of their range.
        DataError
            Where the test rows or the background do not fit the forest.

        Notes
        -----
        Cost, and paper and equation: ``wald.measures()[measure]["cost"]`` and ``["source"]``; of
        "recommended", also that of :func:`wald.advise`.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> forest = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
        >>> forest.importance("sobol_mda").top(1).feature_names
        ['x4']
        >>> forest.importance(["sobol_mda", "mdi"]).to_pandas().columns.tolist()
        ['variable', 'sobol_mda', 'mdi']
        """
        self._check_grown()
        names, is_list = _checks.measures(measure)
        if measure == "recommended":
            names, is_list = self._recommended(groups, progress), True
        asked = _checks.settings(
            {**settings, "permutations": permutations, "seed": seed, "loss": loss},
            of=self.importance)
        for name in names:
            self._check_measure(name, asked)
        if test is not None:
            _check_test_is_read(names)
        found = shared(
            self._forest.measure, self._data_with(groups),
            (names, self._with_tables(asked, test)), threads=self._threads(),
            progress=progress_of(progress, f"measuring {', '.join(names)}"), executor=executor)
        importances = [Importance._from_native(one) for one in found["importances"]]
        units = self._units()
        for one in importances:
            one.unit = units.get(one.unit, one.unit)
            for note in one.notes:
                if note.startswith(_MASKING):
                    warnings.warn(f"{one.measure}: {note[len(_MASKING):]}", MaskingWarning,
                                  stacklevel=2)
        return ImportanceTable(importances=importances) if is_list else importances[0]

    def _advice(self, groups: Groups | None, *, level: float = 0.05, seed: int = 0,
                progress: bool | Progress | None = None) -> Advice:
        """Which measure answers which question on the data of this forest."""
        asked = {"level": level, "seed": seed, "refused": list(self._refusals())}
        found = _native.advise(self._forest, self._data_with(groups), asked,
                               work=(self._threads(), progress_of(progress, "testing")))
        return Advice(**json.loads(found))

    def _refusals(self) -> dict[str, str]:
        """By measure, what is known of the forest besides its trees and speaks against it."""
        refusals = {}
        for info in measures():
            try:
                if info["kind"] == "importance":
                    self._check_measure(info["id"], {})
            except MeasureError as error:
                refusals[info["id"]] = str(error)
        return refusals

    def _recommended(self, groups: Groups | None, progress: bool | Progress | None) -> list[str]:
        advice = self._advice(groups, progress=progress)
        if not advice.recommended:
            raise MeasureError("no measure is recommended on these data",
                               help=" ".join(advice.summary))
        return list(dict.fromkeys(advice.recommended.values()))

    @overload
    def explain(
        self, X: Any = None, measure: ValueMeasure = "tree_shap", *,
        progress: bool | Progress | None = None, y: Any = None,
        **settings: Unpack[ExplanationSettings],
    ) -> LocalImportance: ...

    @overload
    def explain(
        self, X: Any, measure: CurveMeasure, *, progress: bool | Progress | None = None,
        **settings: Unpack[ExplanationSettings],
    ) -> Curves: ...

    @overload
    def explain(
        self, X: Any = None, *, measure: CurveMeasure, progress: bool | Progress | None = None,
        **settings: Unpack[ExplanationSettings],
    ) -> Curves: ...

    def explain(
        self, X: Any = None, measure: ValueMeasure | CurveMeasure = "tree_shap", *,
        progress: bool | Progress | None = None, y: Any = None,
        **settings: Unpack[ExplanationSettings],
    ) -> LocalImportance | Curves:
        """Compute what variables contribute to the predictions of single rows.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features), optional
            The rows to explain; the rows of training unless given.
        measure : str, default="tree_shap"
            Name of a local measure; :func:`wald.measures` lists them.
        progress : bool or callable, optional
            Whether to show progress; a callable receives the work done and all of it.
        y : array of shape (n_samples,), optional
            The target of the rows X, which "tree_shap_loss" needs.
        **settings
            ``out_of_bag=True`` (training rows by trees that did not see them),
            ``variables=[...]``, ``grid=...``; for "tree_shap_interventional",
            ``background=X`` or ``background_rows=n`` with ``seed``; for "tree_shap_loss",
            ``loss="squared"``, ``"absolute"`` or ``"log"``, too;
            :class:`wald.typing.ExplanationSettings` lists them.

        Returns
        -------
        LocalImportance or Curves
            A value for every row and variable, in units of the prediction or of the measure;
            of "ice" and "pdp", Curves.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        MeasureError
            Where the measure needs what the forest does not have; it names what to use instead.
        SettingError
            For a name that no local measure has, and settings that it does not have.
        DataError
            Where X or the background do not fit the forest.

        Notes
        -----
        Cost, and paper and equation: ``wald.measures()["explain", measure]["cost"]`` and
        ``["source"]``.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=100, seed=1)
        >>> forest = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
        >>> local = forest.explain(data.inputs.head(3))
        >>> local.values.shape
        (3, 10)
        >>> predictions = forest.predict(data.inputs.head(3))
        >>> bool(abs(local.values.sum(axis=1) + local.expected_value - predictions).max() < 1e-9)
        True
        """
        self._check_grown()
        _checks.text("measure", measure)
        asked = _checks.settings(settings, "explain", self.explain)
        self._check_explanation(measure, asked)
        if y is not None and X is None:
            raise SettingError("y was given without the rows X that it is of",
                               help="give X, or leave out y to explain the rows of training")
        X = self._dense(X)
        table = None if X is None else self._table(X)
        test = None if y is None else self._test(X, y)
        found = self._forest.explain(
            self._data, table, (measure, self._with_tables(asked)), test=test,
            work=(self._threads(), progress_of(progress, f"explaining rows by {measure}")))
        if table is not None:
            found["notes"] += self._notes_on_rows(table)
        if table is None or (is_frame(X) and frame_names(X) != table.names):
            # A stream of batches can be read once only, and names may be others than the forest's.
            table = self._data.table if table is None else table
            X = {name: readable(cells) for name, cells in table.columns()}
        if found["shape"] == "curves":
            return Curves._from_native(measure, found)
        of_rows = None if found["is_mean"] else X
        return LocalImportance._from_native(measure, found, of_rows, self._unit())

    def _with_tables(self, settings: dict[str, Any], test: Any = None) -> dict[str, Any]:
        """Settings of a measure with their tables as the engine reads them."""
        if test is not None:
            settings["test"] = self._test(*_checks.test_rows(test))
        if "background" in settings:
            settings["background"] = self._table(settings["background"])
        return settings

    def _data_with(self, groups: Groups | None) -> _native.Dataset:
        """The training data, whose columns are measured by groups if there are any."""
        return self._data.with_groups(groups)

    def _unit(self) -> str:
        """The unit of the prediction of all trees."""
        is_number = self._forest.classes is None
        return f"units of {self._forest.target_name}" if is_number else "share of the class"

    def _notes_on_rows(self, table: _native.Table) -> list[str]:
        """Notes on rows that the forest never saw."""
        return []

    def _check_measure(self, measure: str, settings: dict[str, Any]) -> None:
        """Refuses what this forest does not allow; the engine refuses the rest."""

    def _check_explanation(self, measure: str, settings: dict[str, Any]) -> None:
        """Refuses what this forest does not allow; the engine refuses the rest."""

    def _check_leaves(self, what: str) -> None:
        """Refuses what needs leaves that predict the target; the engine refuses the rest."""

    def _units(self) -> dict[str, str]:
        """By unit that the engine states, the one that this forest has."""
        return {}

    def _sums_called(self) -> str | None:
        """What predictions are called that are not the target or shares of classes."""
        return None

    def _dense(self, X: Any) -> Any:
        """A sparse table with all its cells."""
        return dense(X)

    def _predicted(self, X: Any) -> Floats:
        table = self._table(X)
        return self._forest.predict(table, work=(self._threads(), None))


def _check_test_is_read(names: list[str]) -> None:
    """Refuses test rows where all values would be those of other rows, as on the command line; the
    engine refuses names that no measure has."""
    known = measures()
    infos = [known.find("importance", name) for name in names]
    if any(info is None or "test" in info["options"] or "test_rows" in info["needs"]
           for info in infos):
        return
    ids = [info["id"] for info in infos if info]
    what = f"measure `{ids[0]}` does not offer" if len(ids) == 1 else (
        f"none of the measures {', '.join(ids)} offers")
    raise MeasureError(f"{what} `test=`", setting="test", help="leave it out, or add a measure that "
                       "offers it, such as `mda_train_test`")


def check_fitted(forest: Any) -> None:
    """Refuse anything but a fitted forest."""
    if not isinstance(forest, FittedForest):
        raise SettingError(f"{type(forest).__name__} is not a fitted forest of wald",
                           help="fit it first, or import it, for example by wald.from_sklearn")
    forest._check_grown()
