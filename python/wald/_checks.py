"""Checks of arguments: errors name the argument and how to fix it."""

from __future__ import annotations

import difflib
import importlib
import inspect
import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from numbers import Integral, Real
from types import ModuleType
from typing import Any

import numpy as np

import wald._native as _native
from wald.errors import DataTypeError, SettingError, UnknownNameError

# The largest number that the engine counts with.
MOST = 2**64 - 1

# Hints list so many names at most.
MOST_LISTED = 20


@contextmanager
def unchanged_unless_done(fitted: Any) -> Iterator[None]:
    """Gives an object the attributes of before where the work fails or is interrupted."""
    before = dict(vars(fitted))
    try:
        yield
    except BaseException:
        vars(fitted).clear()
        vars(fitted).update(before)
        raise


def refused(name: str, value: Any, help: str, *, what: str | None = None) -> SettingError:
    """The refusal of the value of an argument, or of a part of it, which is called ``what``."""
    return SettingError(f"{what or name} is {value!r}", setting=name, help=help)


def whole(name: str, value: Any, least: int, most: int = MOST) -> int:
    """A whole number of that range."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if least <= number <= most:
            return number
    range_ = f"of at least {least}" if most == MOST else f"between {least} and {most}"
    raise refused(name, value, f"give a whole number {range_}")


def number(name: str, value: Any, *, finite: bool = False, what: str | None = None) -> float:
    """A number; the engine checks its range."""
    if isinstance(value, Real) and not isinstance(value, bool) and (
            not finite or math.isfinite(float(value))):
        return float(value)
    raise refused(name, value, "give a number", what=what)


def text(name: str, value: Any, *, what: str | None = None) -> str:
    """A text; the engine checks which."""
    if isinstance(value, str):
        return str(value)
    raise refused(name, value, "give a text", what=what)


def measures(given: Any) -> tuple[list[str], bool]:
    """Names of measures, and whether a list of them was given."""
    is_list = isinstance(given, Iterable) and not isinstance(given, str)
    found = [text("measure", one) for one in (given if is_list else [given])]
    if not found:
        raise SettingError("measure is empty", help="name at least one measure")
    return found, is_list


def flag(name: str, value: Any) -> bool:
    """True or False."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise refused(name, value, "give True or False")


def names(name: str, value: Any) -> list[str]:
    """A list of names."""
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        raise refused(name, value, "give a list of names of columns")
    return [text(name, one, what=f"a name in {name}") for one in value]


def threads(n_jobs: Any) -> int | None:
    """The number of threads; ``None`` for all processors."""
    if n_jobs is None:
        return None
    wanted = whole("n_jobs", n_jobs, -MOST)
    if wanted == 0:
        raise refused("n_jobs", wanted, "give 1 or more, or -1 for all processors")
    if wanted == -1:
        return None
    return max(1, (os.cpu_count() or 1) + 1 + wanted) if wanted < 0 else wanted


# Arguments of earlier versions, and what they are called today.
_RENAMED = {"association": ["conditioning_threshold"], "summary": ["aggregate"],
            "null": ["null_distribution"], "tests": ["null_forests"],
            "adjust": ["multiple_testing"], "errors": ["variance"]}


@cache
def _options(which: str) -> list[str]:
    """The names of the settings of global or local measures."""
    return [*(info["id"] for info in json.loads(_native.options())[which]), "seed"]


def settings(given: Mapping[str, Any], which: str = "importance",
             of: Callable[..., Any] | None = None) -> dict[str, Any]:
    """Settings of a global ("importance") or local ("explain") measure, without those that are
    ``None``; ``of`` is the function that was called with them. The engine checks their values."""
    asked = {text("settings", name, what="the name of a setting"): value
             for name, value in given.items() if value is not None}
    for name in asked:
        if name not in _options(which):
            raise _no_setting(name, _options(which), of)
    return asked


def settings_of_forests(given: Mapping[str, Any], of: Callable[..., Any] | None = None
                        ) -> dict[str, Any]:
    """Settings of a global measure of several forests, each of which has rows of its own."""
    asked = settings(given, of=of)
    for name, instead in [
            ("test", "use sobol_mda or another measure of training or out-of-bag rows"),
            ("background", "background_rows draws them from the training rows")]:
        if name in asked:
            raise SettingError(
                f"{name} is given, but every forest here is measured on its own rows",
                setting=name, help=f"leave it out; {instead}")
    return asked


def _no_setting(name: str, known: Sequence[str], of: Callable[..., Any] | None) -> SettingError:
    """The refusal of an argument that neither a function nor any measure has."""
    arguments = [] if of is None else list(inspect.signature(of).parameters)
    near = _RENAMED.get(name) or difflib.get_close_matches(name, {*arguments, *known}, n=1)
    what = (f"no measure has a setting {name!r}" if of is None else
            f"{of.__name__}() has no argument {name!r}")
    return SettingError(what, setting=name, help=f"did you mean {near[0]}?" if near else
                        "wald.measures() lists the options of each measure")


def test_rows(test: Any) -> tuple[Any, Any, Any]:
    """Rows, their target, and their weights if there are any."""
    if not isinstance(test, (tuple, list)) or len(test) not in (2, 3):
        raise DataTypeError(f"test is {_kind(test)}, not two or three things",
                            help="give rows and their target: test=(X, y), or with the weights of "
                                 "the rows: test=(X, y, sample_weight)")
    return test[0], test[1], test[2] if len(test) == 3 else None


def of_type(name: str, value: Any, kind: str) -> None:
    """Refuses what is not of the type of that name, which lower modules need not import."""
    if kind not in [one.__name__ for one in type(value).__mro__]:
        raise SettingError(f"{name} is of type {type(value).__name__}", help=f"give a wald.{kind}")


def listed(names: Iterable[Any]) -> str:
    """Names for a hint."""
    return ", ".join(map(repr, names))


def one_of(name: str, value: Any, known: Sequence[str]) -> None:
    """Refuses texts that are not listed."""
    if not isinstance(value, str) or value not in known:
        raise refused(name, value, f"give one of {listed(known)}")


def place(what: str, name: str, known: Sequence[str]) -> int:
    """Where a name is listed; refuses names that are not."""
    if name in known:
        return known.index(name)
    raise UnknownNameError(f"there is no {what} {name!r}", help=_name_meant(name, known))


def _name_meant(name: Any, known: Sequence[str]) -> str:
    """The hint at the nearest name, or at those that are listed; of many, the first ones are shown."""
    written = {one.casefold(): one for one in known}
    if isinstance(name, str) and (
            near := difflib.get_close_matches(name.casefold(), written, n=1)):
        return f"did you mean {written[near[0]]!r}?"
    n_more = len(known) - MOST_LISTED
    more = f" or {n_more} others" if n_more > 0 else ""
    return f"give one of {listed(known[:MOST_LISTED])}{more}"


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
