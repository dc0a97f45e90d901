"""Importances of few runs by a Gaussian process and a large sample of it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import wald._native as _native
from wald import _checks
from wald._plots.display import measure_and_unit
from wald._plots.surrogate import SurrogateDisplay
from wald._results import html, text
from wald._results.checks import check_names, check_shapes
from wald._results.frames import Framed, pandas_of
from wald._results.importance import MOST_ROWS
from wald._results.ranked import Ranked
from wald._results.storing import Stored
from wald._tables.named import input_columns, readable, written
from wald.errors import SettingError
from wald.typing import Axes, Floats

if TYPE_CHECKING:
    import pandas

# The two ways from runs to importances.
WAYS = {"direct": "the forest of the runs, not the two steps",
        "two_step": "the two steps, not the forest of the runs",
        "neither": "neither the two steps nor the forest of the runs"}

# Where inputs of the sample come from.
_SOURCES = {
    "copula": "inputs were drawn from a Gaussian copula estimated from the runs",
    "independent": "inputs were drawn independently of each other, each as in the runs",
    "rows": "inputs are rows that were given",
}


@dataclass(eq=False, repr=False, kw_only=True)
class Surrogate(Ranked, Framed, Stored, kind="surrogate"):
    """Importances of few runs: of their forest, and of a large sample of a Gaussian process.

    Both are returned, with which of them to believe; the other one is doubtful. Errors and
    intervals are those of the two-step estimates.

    Attributes
    ----------
    measure, unit : str
        The measure, and the unit of its values.
    feature_names : list of str
        Names of the inputs, or of the groups of them.
    believed : {"direct", "two_step", "neither"}
        Which values to believe.
    reason : str
        Why.
    explained : dict of str to float
        Shares of the variance of the output: "leave_one_out" (by the process without one run at a
        time), "cross_validated" (by processes fitted without a tenth of the runs) and "forest" (by
        the forest of the runs, out of bag; None where its trees see all rows).
    pva, iae_alpha : float
        How far the variance, and the coverage of intervals, of leave-one-out predictions are from
        right; 0 is perfect.
    direct, direct_errors : ndarray of shape (n_variables,)
        Importances of the forest of the runs; their standard errors over trees, None where the
        measure has none. NaN where undefined, here and below.
    two_step : ndarray of shape (n_variables,)
        Importances of the forest of the sample.
    errors : dict of str to ndarray of shape (n_variables,)
        Standard errors of ``two_step`` by reason: "trees", "rows" of the sample, and "process",
        because runs are few.
    standard_errors : ndarray of shape (n_variables,)
        Of all three together: their squares add up.
    intervals : ndarray of shape (n_variables, 2)
        Lower and upper ends around ``two_step``, for all these errors together. They leave out the
        error of the law of inputs where that is estimated from the runs ("copula", "independent").
    confidence : float
        The probability of intervals.
    exact, exact_errors : ndarray of shape (n_variables,) or None
        Total Sobol indices of the mean of the process by conditional laws of the inputs, without
        a forest, and their Monte-Carlo errors; None where the law is not known, and for measures
        other than sobol_mda.
    explained_of_sample : float or None
        The share of the variance of the sample that its forest explains out of bag.
    inputs : {"copula", "independent", "rows"}
        Where inputs of the sample come from.
    outside : dict of str to float
        Inputs that leave the range of the runs, with the share of such rows of the sample.
    process : dict
        The "kernel", "lengths" by input as multiples of its range (several for a categorical one),
        and "noise", its variance as a multiple of that of the process.
    runs, outputs : dict of str to ndarray, and ndarray of shape (n_runs,)
        The columns of the runs, and their outputs.
    sample_inputs, sample_outputs : dict of str to ndarray, and ndarray of shape (n_rows,)
        The columns of the sample, and the means of the process; ``sample`` is both.
    target : str
        Name of the output.
    lower_is_more_important : bool
        True where a small value means that a variable matters.
    notes : list of str
        Caveats about these values.

    Examples
    --------
    >>> import wald
    >>> runs = wald.simulate("friedman_1", rows=40, seed=1)
    >>> forest = wald.RandomForestRegressor(20)
    >>> found = wald.surrogate(runs[["x1", "x2"]], 3 * runs["x1"] + runs["x2"] ** 2, rows=300,
    ...                        draws=2, estimator=forest)
    >>> found.believed, found.sample.shape
    ('two_step', (300, 3))
    """

    measure: str
    feature_names: list[str]
    believed: Literal["direct", "two_step", "neither"]
    reason: str
    explained: dict[str, float | None]
    pva: float
    iae_alpha: float
    direct: Floats
    two_step: Floats
    errors: dict[str, Floats]
    standard_errors: Floats
    intervals: Floats
    confidence: float
    inputs: str
    outside: dict[str, float]
    process: dict[str, Any]
    runs: dict[str, np.ndarray]
    outputs: Floats
    sample_inputs: dict[str, np.ndarray]
    sample_outputs: Floats
    target: str = "y"
    direct_errors: Floats | None = None
    exact: Floats | None = None
    exact_errors: Floats | None = None
    explained_of_sample: float | None = None
    unit: str = ""
    lower_is_more_important: bool = False
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        n = check_names(self.feature_names)
        _checks.one_of("believed", self.believed, list(WAYS))
        check_shapes(self, direct=(n,), direct_errors=(n,), two_step=(n,), standard_errors=(n,),
                     intervals=(n, 2), exact=(n,), exact_errors=(n,), outputs=(None,),
                     sample_outputs=(None,))
        if not isinstance(self.process, dict) or set(self.process) != {
                "kernel", "lengths", "noise"}:
            raise SettingError("process is not what wald.surrogate finds",
                               help="give a dict with the keys kernel, lengths and noise")

    @classmethod
    def _from_native(cls, found: Mapping[str, Any], target: str) -> Surrogate:
        fields = dict(found)
        words = json.loads(fields.pop("words"))
        judged = words.pop("judged")
        for name in ("runs", "sample_inputs"):
            fields[name] = {column: readable(cells) for column, cells in fields[name]}
        return cls(**fields, **words, **judged.pop("verdict"), **judged, target=target)

    @property
    def values(self) -> Floats:  # type: ignore[override]
        """The values to believe, if any.

        Returns
        -------
        ndarray of shape (n_variables,)
            ``direct`` where these are believed, else ``two_step``.

        Examples
        --------
        >>> import wald
        >>> X, y = [[0, 1], [1, 3], [2, 0], [3, 2], [4, 5], [5, 4]], [0, 1, 2, 3, 4, 5]
        >>> found = wald.surrogate(X, y, measure="mdi", rows=100, draws=2,
        ...                        estimator=wald.ExtraTreesRegressor(10))
        >>> believed = found.direct if found.believed == "direct" else found.two_step
        >>> bool((found.values == believed).all())
        True
        """
        return self.direct if self.believed == "direct" else self.two_step

    @property
    def sample(self) -> pandas.DataFrame:
        """The sample as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            The inputs, and the mean of the process as the last column.

        Raises
        ------
        ImportError
            Without pandas; ``sample_inputs`` and ``sample_outputs`` are arrays.

        Examples
        --------
        >>> import wald
        >>> X, y = [[0, 1], [1, 3], [2, 0], [3, 2], [4, 5], [5, 4]], [0, 1, 2, 3, 4, 5]
        >>> found = wald.surrogate(X, y, measure="mdi", rows=100, draws=2,
        ...                        estimator=wald.ExtraTreesRegressor(10))
        >>> list(found.sample)
        ['x0', 'x1', 'y']
        """
        return pandas_of({**self.sample_inputs, self.target: self.sample_outputs})

    def predict(self, X: Any, *, return_std: bool = False, n_jobs: int | None = None) -> Any:
        """Predict the output by the process.

        Parameters
        ----------
        X : data frame, dict of columns, or array of shape (n_samples, n_inputs)
            Rows with the inputs of the runs: columns by name, in any order; those of an array are
            in the order of the runs.
        return_std : bool, default=False
            Whether to return standard deviations, too.
        n_jobs : int, optional
            Threads; all processors unless given.

        Returns
        -------
        ndarray of shape (n_samples,), or two of them
            The mean of the process at every row; its standard deviation, without that of noise.

        Raises
        ------
        DataError
            When a column is not there, or values are missing.

        Notes
        -----
        Cost: rows times the number of runs squared.

        Examples
        --------
        >>> import wald
        >>> X, y = [[0, 1], [1, 3], [2, 0], [3, 2], [4, 5], [5, 4]], [0, 1, 2, 3, 4, 5]
        >>> found = wald.surrogate(X, y, measure="mdi", rows=100, draws=2,
        ...                        estimator=wald.ExtraTreesRegressor(10))
        >>> found.predict([[2.5, 1.0]]).round(2)
        array([2.5])
        """
        table = _native.Table(input_columns(X, list(self.runs)))
        columns = [(name, written(name, values)) for name, values in self.runs.items()]
        runs = _native.Dataset(_native.Table(columns), self.target, self.outputs)
        mean, variance = _native.process_predictions(
            runs, self.process, table, work=(_checks.threads(n_jobs), None))
        return (mean, np.sqrt(variance)) if _checks.flag("return_std", return_std) else mean

    def _columns(self) -> dict[str, Any]:
        low, high = self.intervals.T
        columns = {
            "variable": self.feature_names, "direct": self.direct, "two_step": self.two_step,
            **{f"error_{reason}": errors for reason, errors in self.errors.items()},
            "standard_error": self.standard_errors, "low": low, "high": high, "exact": self.exact}
        return {name: column for name, column in columns.items() if column is not None}

    def plot(self, *, ax: Axes | None = None, max_variables: int = 30) -> SurrogateDisplay:
        """Draw the importances of both ways, with the intervals of the two-step estimates.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            The most important ones; the others are counted.

        Returns
        -------
        SurrogateDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.

        Examples
        --------
        >>> import wald
        >>> X, y = [[0, 1], [1, 3], [2, 0], [3, 2], [4, 5], [5, 4]], [0, 1, 2, 3, 4, 5]
        >>> found = wald.surrogate(X, y, measure="mdi", rows=100, draws=2,
        ...                        estimator=wald.ExtraTreesRegressor(10))
        >>> found.plot().ax_.get_xlabel()
        'mdi (variance of the target)...'
        """
        return SurrogateDisplay(self).plot(ax=ax, max_variables=max_variables)

    def _believe(self) -> str:
        return f"Believe {WAYS[self.believed]}: {self.reason}."

    def _remarks(self) -> list[str]:
        """Where the sample comes from, and caveats."""
        rows = f"the sample has {len(self.sample_outputs)} rows; {_SOURCES[self.inputs]}"
        return [rows, *self.notes]

    def _shown(self) -> list[tuple[str, list[str]]]:
        """Heads and cells of the table as text, the believed values first."""
        def numbers(of: Floats) -> list[str]:
            return text.numbers(of, believed)

        def doubt(way: str) -> str:
            return "" if way == self.believed else " (doubtful)"

        believed = self.direct if self.believed == "direct" else self.two_step
        of_what = ", law given" if self.inputs in ("copula", "independent") else " interval"
        direct = [(f"direct{doubt('direct')}", numbers(self.direct))]
        two_step = [
            (f"two-step{doubt('two_step')}", numbers(self.two_step)),
            (f"{100 * self.confidence:g} %{of_what}", text.intervals(self.intervals, believed))]
        ways = direct + two_step if self.believed == "direct" else two_step + direct
        exact = [] if self.exact is None else [("exact", numbers(self.exact))]
        return [("variable", self.feature_names), *ways, *exact]

    def __repr__(self) -> str:
        order = self.ranking()[:10]
        columns = [[head, *(cells[at] for at in order)] for head, cells in self._shown()]
        return "\n".join([
            *textwrap.wrap(self._believe(), text.WIDTH), measure_and_unit(self),
            *text.aligned(list(zip(*columns))), *text.and_more(len(self.two_step) - len(order)),
            *text.notes(self._remarks())])

    def _repr_html_(self) -> str:
        first, *others = self._shown()
        return html.table(self.measure, "; ".join([self._believe(), self.unit]), [
            (first[0], html.name, first[1]), *((head, html.cell, cells) for head, cells in others)],
            self.ranking(), most=MOST_ROWS, notes=self._remarks())
