"""Checks of arguments: errors name the argument and how to fix it."""

from __future__ import annotations

import importlib
import json
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from numbers import Integral, Real
from types import ModuleType
from typing import Any

import numpy as np

import wald._native as _native
from wald.errors import DataTypeError, SettingError

# The largest number that the engine counts with.
MOST = 2**64 - 1

def whole(name: str, value: Any, least: int, most: int = MOST) -> int:
    """A whole number of that range."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if least <= number <= most:
            return number
    range_ = f"of at least {least}" if most == MOST else f"between {least} and {most}"
    raise SettingError(f"{name} is {value!r}", help=f"give a whole number {range_}")


def number(name: str, value: Any, *, finite: bool = False) -> float:
    """A number; the engine checks its range."""
    if isinstance(value, Real) and not isinstance(value, bool) and (
            not finite or math.isfinite(float(value))):
        return float(value)
    raise SettingError(f"{name} is {value!r}", help="give a number")


def text(name: str, value: Any) -> str:
    """A text; the engine checks which."""
    if isinstance(value, str):
        return str(value)
    raise SettingError(f"{name} is {value!r}", help="give a text")


def flag(name: str, value: Any) -> bool:
    """True or False."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise SettingError(f"{name} is {value!r}", help="give True or False")


def names(name: str, value: Any) -> list[str]:
    """A list of names."""
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        raise SettingError(f"{name} is {value!r}", help="give a list of names of columns")
    return [text(f"a name in {name}", one) for one in value]


def groups(given: Any) -> list[tuple[str, list[str]]] | None:
    """Names of groups with those of their columns; ``None`` where there are none."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise SettingError(f"groups is a {type(given).__name__}",
                           help='give a dict such as {"size": ["height", "weight"]}')
    return [(text("the name of a group", name), names(f"group {name!r}", members))
            for name, members in given.items()]


def threads(n_jobs: Any) -> int | None:
    """The number of threads; ``None`` for all processors."""
    if n_jobs is None:
        return None
    wanted = whole("n_jobs", n_jobs, -MOST)
    if wanted == 0:
        raise SettingError("n_jobs is 0", help="give 1 or more, or -1 for all processors")
    if wanted == -1:
        return None
    return max(1, (os.cpu_count() or 1) + 1 + wanted) if wanted < 0 else wanted


# Checks by the values of an option; tables have checks of their own.
_OF_KINDS: dict[str, Callable[[str, Any], Any]] = {
    "flag": flag, "number": number, "seconds": number, "names": names, "word": text,
    "whole": lambda name, value: whole(name, value, 0)}


@cache
def _checks_of_options(which: str) -> dict[str, Callable[[str, Any], Any]]:
    """Checks of the options of measures, by name."""
    kinds = {info["id"]: info["values"] for info in json.loads(_native.options())[which]}
    return {name: _OF_KINDS[kind]
            for name, kind in {**kinds, "seed": "whole"}.items() if kind in _OF_KINDS}


def settings(given: Mapping[str, Any], which: str = "importance") -> dict[str, Any]:
    """Checked settings of a global ("importance") or local ("explain") measure, without those that
    are ``None``."""
    checks = _checks_of_options(which)
    return {text("the name of a setting", name):
            checks[name](name, value) if name in checks else value
            for name, value in given.items() if value is not None}


def pair(test: Any) -> tuple[Any, Any]:
    """Rows and their target."""
    if not isinstance(test, (tuple, list)) or len(test) != 2:
        raise DataTypeError(f"test is {_kind(test)}, not two things",
                            help="give rows and their target: test=(X, y)")
    return test[0], test[1]


def of_type(name: str, value: Any, kind: str) -> None:
    """Refuses what is not of the type of that name, which lower modules need not import."""
    if kind not in [one.__name__ for one in type(value).__mro__]:
        raise SettingError(f"{name} is {_kind(value)}", help=f"give a wald.{kind}")


def optional(check: Callable[[str, Any], Any], name: str, value: Any) -> Any:
    """What a check makes of a value that is there."""
    return None if value is None else check(name, value)


def listed(names: Iterable[Any]) -> str:
    """Names for a hint."""
    return ", ".join(map(repr, names))


def one_of(name: str, value: Any, known: Sequence[str]) -> None:
    """Refuses texts that are not listed."""
    if not isinstance(value, str) or value not in known:
        raise SettingError(f"{name} is {value!r}", help=f"give one of {listed(known)}")


def needed(package: str, what: str) -> ModuleType:
    """A package that only some users have.

    Raises
    ------
    ImportError
        With the command that installs it.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        root = package.partition(".")[0]
        raise ImportError(f"{what} needs {root}; install it with `pip install {root}`") from error


def _kind(value: Any) -> str:
    size = f" of {len(value)}" if isinstance(value, (tuple, list)) else ""
    return f"a {type(value).__name__}{size}"
