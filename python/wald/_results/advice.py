"""Advice on measures: findings about the data, and a measure for every question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wald._results import html, text
from wald._results.checks import check_entries, check_texts
from wald._results.frames import Framed
from wald._results.storing import Stored

_FINDING = {"id", "name", "concern", "sentence", "consequence", "evidence", "variables", "source"}
_OBJECTIVE = {"id", "question", "recommended", "reason", "is_thin", "command", "verdicts"}
_FURTHER = {"id", "question", "answer", "command"}
_CONCERNS = {"none": "no concern", "unknown": "not known", "minor": "worth knowing",
             "serious": "serious"}


@dataclass(eq=False, repr=False, kw_only=True)
class Advice(Framed, Stored, kind="advice"):
    """Which measure answers which question on the data of a forest.

    Attributes
    ----------
    summary : list of str
        The advice, in at most three sentences.
    findings : list of dict
        Everything that was looked for: ``id``, ``name``, ``concern`` ("none", "unknown", "minor" or
        "serious"), ``sentence``, ``consequence``, ``evidence`` (a list of ``name`` and ``value``),
        ``variables`` and ``source``.
    objectives : list of dict
        What to use for which objective, "selection" and "influence": ``id``, ``question``,
        ``recommended`` (None where another forest is to be grown), ``reason``, ``is_thin``,
        ``command`` and ``verdicts``, a list of ``measure``, ``name``, ``validity`` ("valid",
        "careful" or "invalid"), ``reason`` and ``source``.
    further : list of dict
        Questions beyond the objectives, each with a procedure that answers it: ``id``, ``question``,
        ``answer`` (what to know of it on these data) and ``command``.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("benard_example_1", rows=400)
    >>> forest = wald.RandomForestRegressor(100).fit(data.inputs, data.target)
    >>> wald.advise(forest).recommended["selection"]
    'sobol_mda'
    """

    summary: list[str]
    findings: list[dict[str, Any]]
    objectives: list[dict[str, Any]]
    further: list[dict[str, Any]]

    def __post_init__(self) -> None:
        check_texts("summary", self.summary, help="give sentences")
        check_entries("findings", self.findings, _FINDING, "wald.advise")
        check_entries("objectives", self.objectives, _OBJECTIVE, "wald.advise")
        check_entries("further", self.further, _FURTHER, "wald.advise")

    @property
    def recommended(self) -> dict[str, str]:
        """The measures recommended for the objectives that the forest can answer.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> forest = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
        >>> wald.advise(forest, progress=False).recommended["selection"]
        'sobol_mda'
        """
        return {one["id"]: one["recommended"] for one in self.objectives
                if one["recommended"] is not None}

    def to_dict(self) -> dict[str, Any]:
        """The advice as plain dicts and lists, as ``wald advise --format json`` has it.

        Returns
        -------
        dict
            With the keys ``summary``, ``findings``, ``objectives`` and ``further``.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=200)
        >>> forest = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
        >>> sorted(wald.advise(forest).to_dict())
        ['findings', 'further', 'objectives', 'summary']
        """
        return self._fields()

    def _columns(self) -> dict[str, Any]:
        rows = [(objective["id"], verdict) for objective in self.objectives
                for verdict in objective["verdicts"]]
        columns: dict[str, Any] = {"objective": [objective for objective, _ in rows]}
        for key in ("measure", "validity", "reason", "source"):
            columns[key] = [verdict[key] for _, verdict in rows]
        return columns

    def __repr__(self) -> str:
        lines = ["Advice"]
        for sentence in self.summary:
            lines += text.wrapped(sentence)
        for objective in self.objectives:
            thin = " (the evidence is thin)" if objective["is_thin"] else ""
            lines.append(f"  {objective['question']}: {_use(objective)}{thin}")
        noted = [one for one in self.findings if one["concern"] != "none"]
        for finding in noted:
            concern = _CONCERNS[finding["concern"]]
            lines += text.wrapped(f"{finding['name']} ({concern}): {finding['sentence']}")
        questions = ", ".join(one["id"] for one in self.further)
        lines += text.wrapped(f"further questions, in .further: {questions}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        objectives, findings = self.objectives, self.findings
        return html.table("Advice", " ".join(self.summary), [
            ("objective", html.name, [one["question"] for one in objectives]),
            ("use", html.words, [_use(one) for one in objectives]),
            ("why", html.words, [one["reason"] for one in objectives]),
        ]) + html.table("Further questions", "", [
            ("question", html.name, [one["question"] for one in self.further]),
            ("answer", html.words, [one["answer"] for one in self.further]),
            ("command", html.words, [one["command"] for one in self.further]),
        ]) + html.table("Findings", "", [
            ("", html.name, [one["name"] for one in findings]),
            ("concern", html.words, [_CONCERNS[one["concern"]] for one in findings]),
            ("found", html.words, [f"{one['sentence']} {one['consequence']}".strip()
                                   for one in findings])])


def _use(objective: dict[str, Any]) -> str:
    return objective["recommended"] or "another forest"
