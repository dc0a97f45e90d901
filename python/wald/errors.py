"""What can go wrong: every exception says what is wrong, where, and how to mend it."""

from __future__ import annotations

import re

from sklearn.exceptions import NotFittedError as _NotFittedError

__all__ = [
    "DataError",
    "DataTypeError",
    "ForestFileError",
    "InternalError",
    "MeasureError",
    "NotFittedError",
    "ResultFileError",
    "SettingError",
    "TooLargeError",
    "WaldError",
]


# What the engine says to the command line, and what it means here.
_PHRASES = (
    ("give a table of them with `--test`", "give them with `test=(X, y)`"),
    ("name columns of few distinct values with `--categorical`",
     "make columns of few distinct values categories"),
    ("name the column as categorical", "give the column as categories"),
    ("grow the forest with bootstrap or subsample", "fit with `bootstrap=True`"),
    ("use `--task classification`", "use a classifier"),
    ("use `--task regression`", "use a regressor"),
    ("`--test`", "`test=(X, y)`"),
    ("`--out-of-bag`", "`out_of_bag=True`"),
    ("`--rows`", "`X`"),
)
_OPTION = re.compile(r"`--([a-z][a-z-]*)(?: ([^`]+))?`")


def in_python(text: str) -> str:
    """The engine's words with Python's arguments in place of the options of the command line."""
    for option, argument in _PHRASES:
        text = text.replace(option, argument)
    return _OPTION.sub(_argument, text)


def _argument(option: re.Match[str]) -> str:
    name, value = option[1].replace("-", "_"), option[2]
    if value is None:
        return f"`{name}`"
    is_number = re.fullmatch(r"[0-9.]+", value) is not None
    return f"`{name}={value}`" if is_number else f'`{name}="{value}"`'


class WaldError(Exception):
    """Any refusal of wald.

    Attributes
    ----------
    help : str
        How to mend it; empty where nothing helps.
    column : str or None
        The column concerned, where there is one.
    """

    def __init__(self, what: str, *, help: str = "", column: str | None = None) -> None:
        what, help = in_python(what), in_python(help)
        super().__init__(f"{what}; {help}" if help else what)
        self.what = what
        self.help = help
        self.column = column

    def __reduce__(self):
        return _again, (type(self), self.what, self.help, self.column)


def _again(kind: type[WaldError], what: str, help: str, column: str | None) -> WaldError:
    return kind(what, help=help, column=column)


class DataError(WaldError, ValueError):
    """The data contradict themselves or cannot be used."""


class DataTypeError(DataError, TypeError):
    """The data are of a kind that cannot be used."""


class NotFittedError(WaldError, _NotFittedError):
    """The forest was not grown yet."""


class SettingError(WaldError, ValueError):
    """A setting is outside its range, or two settings exclude each other."""


class ForestFileError(WaldError, ValueError):
    """A file is damaged, or does not hold a forest."""


class MeasureError(WaldError, ValueError):
    """The measure cannot be computed on this forest and these data."""


class TooLargeError(WaldError, MemoryError):
    """The work would need more memory than is sensible."""


class InternalError(WaldError, RuntimeError):
    """A defect of wald itself."""


class ResultFileError(WaldError, ValueError):
    """A file is damaged, or does not hold a result."""
