"""A report about a forest on one HTML page."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable
from os import PathLike
from types import SimpleNamespace
from typing import Any, Literal

import wald._native as _native
from wald import _checks
from wald._estimators.base import Forest
from wald._estimators.fitted import FittedForest, check_fitted
from wald._executors.shared import shared
from wald._executors.workers import AnyExecutor
from wald._progress import progress_of
from wald._results.answer import Answer
from wald._results.importance import Importance
from wald.typing import GlobalMeasure, Groups, Progress, TestRows


def report(
    forest: FittedForest, path: str | PathLike[str] = "report.html", *,
    measures: Iterable[GlobalMeasure] | None = None, test: TestRows | None = None,
    source: str = "data given in Python", command: str | None = None, groups: Groups | None = None,
    quick: bool = False, decimal_mark: Literal[".", ","] = ".", force: bool = False,
    progress: bool | Progress | None = None, executor: AnyExecutor | None = None, **settings: Any,
) -> Reported:
    """Write a report of a forest on one HTML page.

    It begins with what matters, in sentences and as shares of single variables and of groups
    that depend on each other. It states which measure answers which question here, how sure it
    is of its ranks, why measures disagree, which variables depend on each other, what each of
    them does, how many are enough, and how well the forest predicts, with pictures and a
    methods paragraph, and loads nothing else.

    Parameters
    ----------
    forest : a fitted estimator or an imported forest
        The forest to report on.
    path : str or path, default="report.html"
        It is written as a whole or not at all.
    measures : list of str, optional
        Names of global measures; ``mdi``, ``mda_breiman_cutler`` and ``sobol_mda`` unless given,
        as far as they apply, from some of the rows and trees where all would take much longer than
        growing: their notes name which.
    test : tuple (X, y) or (X, y, sample_weight), optional
        Rows that the forest never saw, for measures that use them.
    source : str, default="data given in Python"
        What the page calls the data.
    command : str, optional
        The command that the page shows; the estimator unless given.
    groups : dict of str to list of str, optional
        Names of groups with their columns, which are measured together.
    quick : bool, default=False
        Whether to report on this forest only and grow no others: no advice, no intervals over
        samples of rows, no importances against mtry, no selection of variables.
    decimal_mark : {".", ","}, default="."
        The sign before the decimals of numbers on the page.
    force : bool, default=False
        Whether to replace a file that exists.
    progress : bool or callable, optional
        Whether to show progress.
    executor : concurrent.futures.Executor or Workers, optional
        Whose workers share the work; the result is the same to the last bit. See
        docs/many-machines.md.
    **settings
        Further settings of the measures that offer them, such as ``permutations=10``.

    Returns
    -------
    Reported
        A dict of what was measured, an ``Importance`` by the name of its measure, with the
        attribute ``answer``: what matters, in sentences and as shares (:class:`wald.Answer`).

    Raises
    ------
    OutputExistsError
        When the file exists and ``force`` is not given; nothing is measured then.
    FileError
        When it cannot be written there.
    NotFittedError
        When the forest was not fitted.
    MeasureError
        When a measure that was named does not apply, such as one that compares predictions with the
        target where the trees sum up to log-odds.

    Warns
    -----
    UserWarning
        For measures that were left out, and for what deserves a second look in the data, such as
        columns that identify the rows or leak the target; the page lists them, too.

    Notes
    -----
    Cost: that of its measures, and two to four times that of growing and measuring 500 trees;
    with ``quick``, that of its measures, of a few more, and of explaining some rows. What would
    take longer, does not apply, or needs to know how a forest of another program was grown is
    left out, and the page lists it. ``SOURCE_DATE_EPOCH`` sets the date of the page, which is
    otherwise the same bytes every time.

    Examples
    --------
    >>> import pathlib, tempfile, wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> forest = wald.RandomForestRegressor(20).fit(data.inputs, data.target)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "report.html"
    >>> found = wald.report(forest, path)
    >>> list(found)
    ['mdi', 'mda_breiman_cutler', 'sobol_mda']
    >>> found.answer.entries[0]["name"]
    'x4'
    >>> path.read_text().startswith("<!doctype html>")
    True
    """
    check_fitted(forest)
    _checks.one_of("decimal_mark", decimal_mark, [".", ","])
    _native.check_file(path, force=force)
    refusals = forest._refusals()
    data = forest._data_with(groups)
    left_out = []
    if measures is None:
        names = _native.leading(test is not None)
        left_out = [f"left out: {refusals[name]}" for name in names if name in refusals]
        names = [name for name in names if name not in refusals]
    else:
        names = _checks.names("measures", [measures] if isinstance(measures, str) else measures)
        names = list(dict.fromkeys(names))
        for name in names:
            forest._check_measure(name, settings)
    asked = forest._with_tables(_checks.settings(settings, of=report), test)
    command = _command(forest) if command is None else _checks.text("command", command)
    words = SimpleNamespace(source=_checks.text("source", source), command=command,
                            quick=_checks.flag("quick", quick), are_named=measures is not None,
                            has_commas=decimal_mark == ",", refused=list(refusals),
                            left_out=left_out, units=forest._units(),
                            predictions=forest._sums_called())
    page, found, left_out, notes, answer = shared(
        _native.report, forest._forest, data, (names, asked), words, threads=forest._threads(),
        progress=progress_of(progress, "measuring trees"), executor=executor)
    _native.write_file(path, page.encode(), force=force)
    for note in left_out + notes:
        warnings.warn(note, stacklevel=2)
    of = [Importance._from_native(one) for one in found["importances"]]
    keys = [one.measure for one in of] if measures is None else names
    return Reported(dict(zip(keys, of)),
                    answer=None if answer is None else Answer(**json.loads(answer)))


class Reported(dict[str, Importance]):
    """The content of a report: importances by the names of their measures, and the answer.

    Attributes
    ----------
    answer : Answer or None
        What matters; ``None`` where it is unknown.
    """

    def __init__(self, found: dict[str, Importance], *, answer: Answer | None) -> None:
        super().__init__(found)
        self.answer = answer


def _command(forest: FittedForest) -> str:
    grown = ".fit(X, y)" if isinstance(forest, Forest) else ""
    return f"wald.report({' '.join(repr(forest).split())}{grown})"
