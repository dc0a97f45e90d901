"""Importances by several measures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wald._checks import of_type, whole
from wald._plots.display import Display, height
from wald._plots.importance import ImportanceDisplay
from wald.typing import Axes

# What stands beside each other in one panel: shares with all interactions, and alone.
TOTAL, FIRST_ORDER = "sobol_mda", "sobol_first"


class ImportanceTableDisplay(Display):
    """Importances by several measures: a panel for each, the most important variable on top.

    ``sobol_first`` is drawn beside ``sobol_mda`` if both are there.

    Parameters
    ----------
    table : ImportanceTable
        The result of ``forest.importance`` with several measures.

    Attributes
    ----------
    ax_, axes_, figure_
        Matplotlib axes of the first panel, those of all, and the figure.
    shown_ : dict of str to ndarray of int
        Places of the variables drawn, from top to bottom, by measure.

    Examples
    --------
    >>> import wald
    >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
    >>> found = forest.importance(["mdi", "split_count"])
    >>> [ax.get_xlabel() for ax in wald.ImportanceTableDisplay(found).plot().axes_]
    ['mdi (variance of the target)...', 'split_count (splits)...']
    """

    def __init__(self, table: Any) -> None:
        of_type("table", table, "ImportanceTable")
        self.table = table

    def plot(self, ax: Axes | Iterable[Axes] | None = None, *, max_variables: int = 30
             ) -> ImportanceTableDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            As many as there are panels; new ones below each other unless given.
        max_variables : int, default=30
            The most important ones by each measure; the others are counted.

        Returns
        -------
        self
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
        >>> found = forest.importance(["mdi", "split_count"])
        >>> wald.ImportanceTableDisplay(found).plot(max_variables=1).shown_["mdi"]
        array([1])
        """
        whole("max_variables", max_variables, 1)
        drawn = self._drawn()
        n = len(self.table.feature_names)
        # A line more counts the variables that are left out.
        size = (6.4, height(min(n, max_variables) + (n > max_variables)))
        self.shown_ = {}
        for display, panel in zip(drawn, self._panels(ax, len(drawn), 1, size)):
            display.plot(panel, max_variables=max_variables)
            self.shown_[display.importance.measure] = display.shown_
        return self

    def _drawn(self) -> list[ImportanceDisplay]:
        found = dict(self.table.items())
        total, first = found.get(TOTAL), found.get(FIRST_ORDER)
        if total is None or first is None or total.unit != first.unit:
            return [ImportanceDisplay(one) for one in found.values()]
        del found[FIRST_ORDER]
        return [ImportanceDisplay(one, beside=first if one is total else None)
                for one in found.values()]
