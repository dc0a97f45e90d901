"""A forest with its training data: what every estimator and every imported forest can tell."""

from __future__ import annotations

from typing import Any

import numpy as np

from wald import _native
from wald._checked import Checked
from wald._columns import is_frame
from wald._progress import Progress, progress_of
from wald.errors import NotFittedError
from wald._results import Curves, Importance, LocalImportance
from wald._tables import readable


class FittedForest(Checked):
    """Measures of a forest that is there.

    A class that mixes this in has ``_forest`` (native), ``_data`` (native), ``_threads()``, and
    ``_table(X)``, which turns rows into a native table.
    """

    _forest: _native.Forest
    _data: _native.Dataset

    def importance(
        self,
        measure: str = "mda_breiman_cutler",
        *,
        test: tuple[Any, Any] | None = None,
        loss: str | None = None,
        permutations: str | int = "exact",
        groups: dict[str, list[str]] | None = None,
        seed: int | None = None,
        progress: bool | Progress | None = None,
        **settings: Any,
    ) -> Importance:
        """How much every variable matters, by one measure.

        Parameters
        ----------
        measure : str
            Name of a measure; :func:`wald.measures` lists them.
        test : tuple (X, y), optional
            Rows that the forest never saw, for measures that look at them.
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
            Whether to show progress; a callable is told of the work done and all of it.
        **settings
            Further settings of single measures, such as ``normalise``, ``per_class``,
            ``background`` (a table), ``background_rows`` or ``time_budget`` (seconds).

        Returns
        -------
        Importance

        Raises
        ------
        MeasureError
            Where the measure needs what the forest does not have; it says what to use instead.
        """
        self._check_grown()
        asked = {**settings, "permutations": permutations, "seed": seed or 0}
        if loss is not None:
            asked["loss"] = loss
        if test is not None:
            asked["test"] = self._test(*test)
        if asked.get("background") is not None:
            asked["background"] = self._table(asked["background"])
        data = self._data if groups is None else self._data.with_groups(list(groups.items()))
        found = self._forest.measure(
            data,
            [(measure, asked)],
            threads=self._threads(),
            progress=progress_of(progress, f"measuring {measure}"),
        )
        return Importance._from_native(found["importances"][0], found["names"])

    def explain(
        self,
        X: Any = None,
        measure: str = "tree_shap",
        *,
        progress: bool | Progress | None = None,
        **settings: Any,
    ) -> LocalImportance | Curves:
        """What variables do to the predictions of single rows.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features), optional
            The rows to explain; the rows of training unless given.
        measure : str, default="tree_shap"
            Name of a local measure; :func:`wald.measures` lists them.
        progress : bool or callable, optional
            Whether to show progress.
        **settings
            ``out_of_bag=True`` (training rows by trees that did not see them),
            ``variables=[...]``, ``grid=...``; for "tree_shap_interventional",
            ``background=X`` or ``background_rows=n`` with ``seed``.

        Returns
        -------
        LocalImportance, or Curves of "ice" and "pdp"
        """
        self._check_grown()
        table = None if X is None else self._table(X)
        if settings.get("background") is not None:
            settings["background"] = self._table(settings["background"])
        found = self._forest.explain(
            self._data,
            table,
            measure,
            settings,
            threads=self._threads(),
            progress=progress_of(progress, f"explaining rows by {measure}"),
        )
        if table is None or (is_frame(X) and not hasattr(X, "shape")):
            # A stream of batches can be read once only.
            table = self._data.table if table is None else table
            X = {name: readable(cells) for name, cells in table.columns()}
        return LocalImportance._from_native(measure, found, X)

    def _check_grown(self) -> None:
        if not hasattr(self, "_forest"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet",
                                 help="call fit(X, y) first")

    def _predicted(self, X: Any) -> np.ndarray:
        table = self._table(X)
        return self._forest.predict(table, threads=self._threads())
