"""Results that are shown as a table of their variables."""

from __future__ import annotations

from wald._plots.display import measure_and_unit
from wald._results import html, text
from wald._results.importance import MOST_ROWS
from wald.typing import Integers


class Listed:
    """A result with a line for every variable, the leading ones first."""

    measure: str
    notes: list[str]

    def ranking(self) -> Integers:
        raise NotImplementedError

    def _shown(self) -> list[tuple[str, list[str]]]:
        """The columns of the table as text, the first one with names."""
        raise NotImplementedError

    def _remark(self) -> str:
        """What stands above the table in a notebook."""
        raise NotImplementedError

    def __repr__(self) -> str:
        ranking = self.ranking()
        order = ranking[:10]
        columns = [[head, *(cells[at] for at in order)] for head, cells in self._shown()]
        return "\n".join([measure_and_unit(self),
                          *text.aligned(list(zip(*columns))),
                          *text.and_more(len(ranking) - len(order)), *text.notes(self.notes)])

    def _repr_html_(self) -> str:
        first, *others = self._shown()
        return html.table(self.measure, self._remark(), [
            (first[0], html.name, first[1]), *((head, html.cell, cells) for head, cells in others)],
            self.ranking(), most=MOST_ROWS, notes=self.notes)
