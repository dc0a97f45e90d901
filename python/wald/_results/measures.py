"""The list of all measures with their descriptions."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

import wald._native as _native
from wald._results import html
from wald._results.frames import Framed
from wald.errors import UnknownMeasureError

# The columns of the table of measures; entries of single measures have more.
COLUMNS = ("kind", "id", "name", "estimand", "caveat", "source", "cost")


class Measures(Framed, list[dict[str, Any]]):
    """Every measure, as dictionaries; also a data frame, and a table in notebooks.

    Entries are found by place, by name or alias (``measures()["sobol_mda"]``, the global one where
    a local one has the same name), or by kind and name (``measures()["explain", "tree_shap"]``).
    """

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            key = (None, key)
        if isinstance(key, tuple) and len(key) != 2:
            raise UnknownMeasureError(f"{key!r} is not a kind and name of a measure",
                                      help='give two texts, such as "explain", "tree_shap"')
        if not isinstance(key, tuple):
            return super().__getitem__(key)
        kind, name = key
        if (info := self.find(kind, name)) is not None:
            return info
        raise UnknownMeasureError(f"{name!r} is not a measure", setting="measure",
                                  help=_native.suggestion(str(name), kind == "explain"))

    def find(self, kind: Any, name: Any) -> dict[str, Any] | None:
        """The measure of that name or alias, of any kind if it is None."""
        return next((info for info in self if kind in (None, info["kind"])
                     and name in (info["id"], *info.get("aliases", ()))), None)

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
        return html.table("Measures", "forest.importance(measure) gives global ones, "
                          "forest.explain(X, measure) local ones", [
            ("measure", html.name, [info["id"] for info in self]),
            ("kind", html.words, [kinds[info["kind"]] for info in self]),
            ("estimates", html.words, [info["estimand"] for info in self]),
            ("caveat", html.words, [info["caveat"] for info in self])])


@cache
def _all() -> str:
    both = (("importance", _native.measures()), ("explain", _native.explanations()))
    return json.dumps([{"kind": kind, **info}
                       for kind, text in both for info in json.loads(text)])


def measures() -> Measures:
    """Every measure: name, what it estimates, what to beware of, what it needs, its source.

    Returns
    -------
    list of dict
        Global measures (``importance``) and local ones (``explain``); ``kind`` is which. An
        entry is found by name, too, or by kind and name. It is also a data frame
        (``to_pandas()``, ``to_polars()``, ``to_arrow()``).

    See Also
    --------
    wald.RandomForestRegressor.importance : Take a global measure.
    wald.RandomForestRegressor.explain : Take a local measure.

    Examples
    --------
    >>> import wald
    >>> wald.measures()["sobol_mda"]["name"]
    'Sobol-MDA'
    """
    return Measures(json.loads(_all()))
