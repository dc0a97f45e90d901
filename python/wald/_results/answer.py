"""The answer of a report: sentences, and shares of variables and groups."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

import numpy as np

from wald._plots.answer import AnswerDisplay, has_first_order, rows_of
from wald._results import html, text
from wald._results.checks import check_entries, check_texts
from wald._results.frames import Framed
from wald._results.storing import Stored
from wald.typing import Axes, Floats

_ENTRY = {"name", "members", "share", "standard_error", "low", "high", "finding"}
_OPTIONAL = frozenset({"first_order", "masked_share", "too_large_by"})
_FINDINGS = {"something": "yes", "unclear": "not clear", "nothing": "not seen"}


@dataclass(eq=False, repr=False, kw_only=True)
class Answer(Framed, Stored, kind="answer"):
    """What matters for the target of a forest, and how sure that is.

    Variables that depend on each other are a group: each of them alone may add nothing because the
    others replace it, though together they matter.

    Attributes
    ----------
    sentences : list of str
        What matters and how much, how sure that is, and what the shares are.
    measure : str
        Name of the measure.
    unit : str
        What the shares are of.
    sample : str or None
        Which rows and trees the shares come from, where these are not all.
    interval : str or None
        What the intervals cover.
    entries : list of dict
        Variables and groups by decreasing share: ``name``, ``members`` (the variables of a group,
        as such dicts; empty for a variable), ``share``, ``standard_error``, ``low``, ``high`` and
        ``finding``: whether it adds "something", "nothing" that is distinguishable from zero or
        above it, or "unclear".
        Variables of reports also have ``first_order``, what they explain by themselves: its
        ``share``, ``low`` and ``high``. Where masking makes a share too large, it is that of trees
        that were grown again without the variables (``total_sobol_regrow``), and ``masked_share``
        is what the measure gives; where that takes long, ``too_large_by`` is by about how much it
        is too large, and ``low`` and ``finding`` allow for it. Empty where shares are unknown.

    Examples
    --------
    >>> import pathlib, tempfile, wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.RandomForestRegressor(100).fit(data.inputs, data.target)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "report.html"
    >>> answer = wald.report(forest, path, quick=True).answer
    >>> answer.entries[0]["name"]
    'x4'
    """

    sentences: list[str]
    measure: str
    unit: str
    sample: str | None
    interval: str | None
    entries: list[dict[str, Any]]

    def __post_init__(self) -> None:
        check_texts("sentences", self.sentences, help="give sentences")
        check_entries("entries", self.entries, _ENTRY, "wald.report", _OPTIONAL)

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain dicts and lists, as ``wald importance --format json`` has it.

        Returns
        -------
        dict
            With the attributes as keys.

        Examples
        --------
        >>> import pathlib, tempfile, wald
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> forest = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "report.html"
        >>> sorted(wald.report(forest, path, quick=True).answer.to_dict())
        ['entries', 'interval', 'measure', 'sample', 'sentences', 'unit']
        """
        return self._fields()

    def plot(self, *, ax: Axes | None = None, max_variables: int = 30) -> AnswerDisplay:
        """Draw groups and variables by their shares, with the members of groups below them.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            Lines of the picture; the others are counted.

        Returns
        -------
        AnswerDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.

        Examples
        --------
        >>> import pathlib, tempfile, wald
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> forest = wald.RandomForestRegressor(100).fit(data.inputs, data.target)
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "report.html"
        >>> wald.report(forest, path, quick=True).answer.plot().shown_[0]
        'x4'
        """
        return AnswerDisplay(self).plot(ax=ax, max_variables=max_variables)

    def _columns(self) -> dict[str, Any]:
        rows = rows_of(self.entries)
        columns: dict[str, Any] = {
            "name": [entry["name"] for _, entry in rows],
            "group": [group for group, _ in rows],
        }
        for key in ("share", "standard_error", "low", "high"):
            columns[key] = [float("nan") if entry[key] is None else entry[key]
                            for _, entry in rows]
        columns["finding"] = [entry["finding"] for _, entry in rows]
        if has_first_order(rows):
            columns["first_order"] = [entry.get("first_order", {}).get("share", float("nan"))
                                      for _, entry in rows]
        return columns

    def __str__(self) -> str:
        return "\n".join(line for sentence in self.sentences
                         for line in textwrap.wrap(sentence, text.WIDTH))

    def __repr__(self) -> str:
        return "\n".join(["Answer", *(line for sentence in self.sentences
                                      for line in text.wrapped(sentence))])

    def _repr_html_(self) -> str:
        rows = rows_of(self.entries)
        names = [entry["name"] if group is None else f"\u2003{entry['name']} alone"
                 for group, entry in rows]

        def numbers(key: str) -> Floats:
            return np.array([entry[key] for _, entry in rows], dtype=np.float64)

        shares = numbers("share")
        first = np.array([entry.get("first_order", {}).get("share") for _, entry in rows],
                         dtype=np.float64)
        return html.table("Answer", " ".join(self.sentences), [
            ("variable or group", html.name, names),
            *((key, html.cell, text.numbers(numbers(key), shares))
              for key in ("share", "low", "high")),
            *([("by itself", html.cell, text.numbers(first, shares))]
              if has_first_order(rows) else []),
            ("adds anything", html.cell, [_FINDINGS[entry["finding"]] for _, entry in rows])])
