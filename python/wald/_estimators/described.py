"""Docstrings of forests: what they share is described once, in the docstrings of their bases."""

from __future__ import annotations

import inspect
import re
from typing import TypeVar

Forest = TypeVar("Forest", bound=type)

_ORDER = ("", "Parameters", "Attributes", "Notes", "Examples")
_ENTRY = re.compile(r"^(\w+) : (.*)\n((?: {4}.*\n?)+)", re.MULTILINE)


def described(forest: Forest) -> Forest:
    """Completes the docstring of a forest: all parameters in the order of its signature, with their
    defaults, and all attributes. What the class itself describes replaces what its bases do."""
    known: dict[str, dict[str, tuple[str, str]]] = {"Parameters": {}, "Attributes": {}}
    for base in reversed(forest.__mro__):
        sections = _sections(base.__doc__ or "") if base.__module__.startswith("wald.") else {}
        for title, entries in known.items():
            for name, kind, meaning in _ENTRY.findall(sections.get(title, "")):
                # Where bases know the type, it may be left out.
                kind = entries[name][0] if kind == "..." else kind
                entries[name] = kind, meaning.rstrip()
    if not known["Parameters"]:
        # Without docstrings (python -OO) there is nothing to complete.
        return forest
    own = _sections(forest.__doc__ or "")
    own["Parameters"] = "\n".join(
        _parameter(setting, *known["Parameters"][setting.name])
        for setting in inspect.signature(forest).parameters.values())
    own["Attributes"] = "\n".join(
        f"{name} : {kind}\n{meaning}" for name, (kind, meaning) in known["Attributes"].items())
    forest.__doc__ = "\n\n".join(
        f"{title}\n{'-' * len(title)}\n{own[title]}" if title else own[title]
        for title in _ORDER) + "\n"
    return forest


def _sections(doc: str) -> dict[str, str]:
    """The text of every section by its title; that before the first one by the empty text."""
    before, *parts = re.split(r"\n(\w+)\n-{3,}\n", inspect.cleandoc(doc))
    texts = (part.strip("\n") for part in parts[1::2])
    return {"": before.strip("\n"), **dict(zip(parts[::2], texts))}


def _parameter(setting: inspect.Parameter, kind: str, meaning: str) -> str:
    value = f'"{setting.default}"' if isinstance(setting.default, str) else repr(setting.default)
    usual = "optional" if setting.default is None else f"default={value}"
    return f"{setting.name} : {kind}, {usual}\n{meaning}"
