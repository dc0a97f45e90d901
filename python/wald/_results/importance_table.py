"""The result of several global measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wald._checks import needed, place, whole
from wald._plots.importance_table import ImportanceTableDisplay
from wald._results import html, text
from wald._results.checks import check_texts
from wald._results.frames import Framed
from wald._results.importance import MOST_ROWS, Importance
from wald._results.measures import measures
from wald._results.storing import Stored
from wald.errors import SettingError
from wald.typing import Axes, Floats, Integers

if TYPE_CHECKING:
    import pandas


@dataclass(eq=False, repr=False, kw_only=True)
class ImportanceTable(Framed, Stored, kind="importance table"):
    """How much every variable matters, by several measures.

    ``table[measure]`` is the result of a measure, by name or alias; names of measures are what is
    iterated over.

    Attributes
    ----------
    importances : list of Importance
        One for every measure, of the same variables in the same order.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
    >>> table = forest.importance(["sobol_mda", "mdi"])
    >>> table.measures, table["mdi"].top(1).feature_names
    (['sobol_mda', 'mdi'], ['x4'])
    >>> table.to_pandas().columns.tolist()
    ['variable', 'sobol_mda', 'mdi']
    """

    importances: list[Importance]

    def __post_init__(self) -> None:
        if not self.importances:
            raise SettingError("importances is empty", setting="importances",
                               help="give one importance at least")
        check_texts("measures", self.measures, help="give names of measures")
        if len(set(self.measures)) < len(self.measures):
            raise SettingError("a measure is twice among the importances", setting="importances",
                               help="give every measure once")
        if len({tuple(one.feature_names) for one in self.importances}) > 1:
            raise SettingError("the importances are of different variables", setting="importances",
                               help="give importances of the same variables in the same order")

    @property
    def measures(self) -> list[str]:
        """Names of the measures.

        Returns
        -------
        list of str
            In the order in which they were asked for.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> forest.importance(["mdi", "split_count"]).measures
        ['mdi', 'split_count']
        """
        return [one.measure for one in self.importances]

    @property
    def feature_names(self) -> list[str]:
        """Names of the variables, or of the groups of them.

        Returns
        -------
        list of str
            In the order of the table of the fit.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> forest.importance(["mdi", "split_count"]).feature_names
        ['x0', 'x1']
        """
        return self.importances[0].feature_names

    @property
    def values(self) -> Floats:
        """The values of all measures.

        Returns
        -------
        ndarray of shape (n_variables, n_measures)
            Each column in the unit of its measure; NaN where undefined.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> forest.importance(["mdi", "split_count"]).values.shape
        (2, 2)
        """
        return np.column_stack([one.values for one in self.importances])

    @property
    def ranks(self) -> Integers:
        """Ranks of the variables by every measure, 1 for the most important one.

        Returns
        -------
        ndarray of shape (n_variables, n_measures)
            Equal values have the order of the table.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> forest.importance(["mdi", "split_count"]).ranks.tolist()
        [[2, 2], [1, 1]]
        """
        return np.column_stack([one.ranks for one in self.importances])

    def __getitem__(self, measure: str) -> Importance:
        known = self.measures
        info = None if measure in known else measures().find("importance", measure)
        return self.importances[place("measure", info["id"] if info else measure, known)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.measures)

    def __len__(self) -> int:
        return len(self.importances)

    def keys(self) -> list[str]:
        """The names of the measures, so that ``dict(table)`` has the result of each.

        Returns
        -------
        list of str
            As ``measures``.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> [one.unit for one in dict(forest.importance(["mdi", "split_count"])).values()]
        ['variance of the target', 'splits']
        """
        return self.measures

    def items(self) -> Iterator[tuple[str, Importance]]:
        """Pair the names of the measures with their results, in the order of ``measures``.

        Returns
        -------
        iterator of tuple (str, Importance)
            One for every measure.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> both = forest.importance(["mdi", "split_count"])
        >>> [(measure, found.top(1).feature_names) for measure, found in both.items()]
        [('mdi', ['x1']), ('split_count', ['x1'])]
        """
        return zip(self.measures, self.importances)

    def top(self, n: int, by: str | None = None) -> ImportanceTable:
        """The most important variables by one of the measures, the first one first.

        Parameters
        ----------
        n : int
            How many; all where there are fewer.
        by : str, optional
            The measure; the first unless given.

        Returns
        -------
        ImportanceTable
            All measures of these variables only.

        Raises
        ------
        SettingError
            When ``n`` is no whole number of at least 1, or there is no such measure.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> forest.importance(["mdi", "split_count"]).top(1).feature_names
        ['x1']
        """
        order = self[self.measures[0] if by is None else by].ranking()[:whole("n", n, 1)]
        return ImportanceTable(importances=[one._of(order) for one in self.importances])

    def to_series(self) -> pandas.Series:
        """The values as a pandas series by measure and variable.

        Returns
        -------
        pandas.Series
            In the order of ``measures`` and of the table: ``table.to_series()["mdi"]`` has the
            values of ``table["mdi"].to_series()``.

        Raises
        ------
        ImportError
            Without pandas.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> forest.importance(["mdi", "split_count"]).to_series().index.tolist()
        [('mdi', 'x0'), ('mdi', 'x1'), ('split_count', 'x0'), ('split_count', 'x1')]
        """
        package = needed("pandas", "to_series()")
        index = package.MultiIndex.from_product([self.measures, self.feature_names],
                                                names=["measure", "variable"])
        return package.Series(self.values.T.ravel(), index=index, name="value")

    def plot(self, *, ax: Axes | Iterable[Axes] | None = None, max_variables: int = 30
             ) -> ImportanceTableDisplay:
        """Draw the importances, a panel for each measure.

        ``sobol_first`` stands beside ``sobol_mda`` if both are there, as on the command line: what a
        variable explains alone, and what is lost without it.

        Parameters
        ----------
        ax : matplotlib axes, optional
            As many as there are panels; new ones below each other unless given.
        max_variables : int, default=30
            The most important ones by each measure; the others are counted.

        Returns
        -------
        ImportanceTableDisplay
            With ``axes_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.
        SettingError
            When there are not as many axes as panels.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> len(forest.importance(["mdi", "split_count"]).plot().axes_)
        2
        """
        return ImportanceTableDisplay(self).plot(ax, max_variables=max_variables)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """The values by measure and variable.

        Returns
        -------
        dict of str to dict of str to float
            NaN where undefined.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> sorted(forest.importance(["mdi", "split_count"]).to_dict()["mdi"])
        ['x0', 'x1']
        """
        return {one.measure: one.to_dict() for one in self.importances}

    def _parts(self) -> dict[str, Any]:
        return {"importances": [one._parts() for one in self.importances]}

    def _body(self) -> list[dict[str, Any]]:
        return [one._body() for one in self.importances]

    @classmethod
    def _of_body(cls, body: list[Mapping[str, Any]]) -> ImportanceTable:
        return cls(importances=[Importance._of_body(one) for one in body])

    def _columns(self) -> dict[str, Any]:
        values = {one.measure: one.values for one in self.importances}
        return {"variable": self.feature_names, **values}

    def _units(self) -> list[str]:
        words = [(one.measure, "; ".join(filter(None, [one.unit, one._direction()])))
                 for one in self.importances]
        return [f"{measure}: {unit}" for measure, unit in words if unit]

    def _notes(self) -> list[str]:
        """Every note once, after the measures that it is on where these are not all."""
        of_note: dict[str, list[str]] = {}
        for one in self.importances:
            for note in dict.fromkeys(one.notes):
                of_note.setdefault(note, []).append(one.measure)
        return [note if len(on) == len(self) else f"{', '.join(on)}: {note}"
                for note, on in of_note.items()]

    def __repr__(self) -> str:
        order = self.importances[0].ranking()[:MOST_ROWS]
        columns = [["variable", *(self.feature_names[at] for at in order)]]
        columns += [[one.measure, *text.numbers(one.values[order], one.values)]
                    for one in self.importances]
        return "\n".join([*text.aligned(list(zip(*columns))),
                          *text.and_more(len(self.feature_names) - len(order)), *self._units(),
                          *text.notes(self._notes())])

    def _repr_html_(self) -> str:
        numbers = [(one.measure, html.cell, text.numbers(one.values)) for one in self.importances]
        return html.table("Importances", "; ".join(self._units()), [
            ("variable", html.name, self.feature_names), *numbers],
            self.importances[0].ranking(), most=MOST_ROWS, notes=self._notes())
