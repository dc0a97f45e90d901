"""The list of all measures with their descriptions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

import wald._native as _native
from wald import _checks
from wald._results import html
from wald._results.frames import Framed
from wald.errors import SettingError, UnknownMeasureError

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
        for info in self:
            if name in (info["id"], *info.get("aliases", ())) and kind in (None, info["kind"]):
                return info
        raise UnknownMeasureError(f"{name!r} is not a measure", setting="measure",
                                      help=_native.suggestion(str(name), kind == "explain"))

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


def explanation_settings(measure: str, given: Mapping[str, Any], of: Callable[..., Any]
                         ) -> dict[str, Any]:
    """The checked settings of a local measure; settings that it does not have are refused."""
    asked = _checks.settings(
        {name: value for name, value in given.items() if name != "y"}, "explain", of)
    grid = asked.get("grid")
    if grid is not None and not (isinstance(grid, str) and grid == "exact"):
        if isinstance(grid, str):
            raise SettingError(f"grid is {grid!r}", help='give "exact" or a whole number of points')
        _checks.whole("grid", grid, 1, 2**32)
    info = next((info for info in measures()
                 if info["kind"] == "explain" and info["id"] == measure), None)
    if info is not None and given.get("y") is not None and not info["regression_losses"]:
        raise SettingError(f"local measure `{measure}` has no setting 'y'", help="leave it out")
    return asked
