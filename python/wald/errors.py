"""What can go wrong: every exception says what is wrong, where, and how to mend it."""

from __future__ import annotations

__all__ = [
    "DataError",
    "DataTypeError",
    "ForestFileError",
    "InternalError",
    "MeasureError",
    "SettingError",
    "TooLargeError",
    "WaldError",
]


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
