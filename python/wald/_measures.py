"""What every measure is, in words."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from wald import _native
from wald.errors import in_python
from wald._results import html
from wald._results.frames import Framed

# What a table of measures tells; single measures tell more.
COLUMNS = ("kind", "id", "name", "estimand", "caveat", "source", "cost")


class Measures(Framed, list):
    """Every measure, as dictionaries; also a data frame, and a table in notebooks.

    Entries are found by place, by name (``measures()["sobol_mda"]``, the global one where a local
    one has the same name), or by kind and name (``measures()["explain", "tree_shap"]``).
    """

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            key = (None, key)
        if not isinstance(key, tuple):
            return super().__getitem__(key)
        kind, name = key
        for info in self:
            if info["id"] == name and kind in (None, info["kind"]):
                return info
        raise KeyError(f"{name!r} is no measure; one of {', '.join(info['id'] for info in self)}")

    def _columns(self) -> dict[str, Any]:
        return {column: np.array([info[column] for info in self], dtype=object)
                for column in COLUMNS}

    def __repr__(self) -> str:
        width = max(len(info["id"]) for info in self)
        lines = []
        for kind, head in (("importance", "forest.importance(measure)"),
                           ("explain", "forest.explain(X, measure)")):
            lines.append(head)
            lines += [f"  {info['id']:<{width}}  {info['name']}"
                      for info in self if info["kind"] == kind]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        kinds = {"importance": "global", "explain": "local"}
        rows = ["".join([html.name(info["id"]), html.words(kinds[info["kind"]]),
                         html.words(info["estimand"]), html.words(info["caveat"])])
                for info in self]
        return html.table("Measures", "forest.importance(measure) gives global ones, "
                          "forest.explain(X, measure) local ones",
                          ["measure", "kind", "estimates", "beware"], rows,
                          texts=(0, 1, 2, 3))


@cache
def _all() -> str:
    both = (("importance", _native.measures()), ("explain", _native.explanations()))
    return json.dumps(
        [{"kind": kind, **_said(info)} for kind, text in both for info in json.loads(text)])


def _said(info: dict[str, Any]) -> dict[str, Any]:
    return {key: in_python(value) if isinstance(value, str) else value
            for key, value in info.items()}


def measures() -> Measures:
    """Every measure: name, what it estimates, what to beware of, what it needs, its source.

    Returns
    -------
    list of dict
        Global measures (``importance``) and local ones (``explain``); ``kind`` tells which. It is
        also a data frame (``to_pandas()``, ``to_polars()``, ``to_arrow()``).

    Examples
    --------
    >>> import wald
    >>> wald.measures()["sobol_mda"]["name"]
    'Sobol-MDA'
    """
    return Measures(json.loads(_all()))
