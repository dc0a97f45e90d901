"""What can go wrong: every exception names what is wrong, where, and how to fix it.

All are a :class:`WaldError`, and what Python's users expect besides: refused values are
``ValueError``, refused types ``TypeError``, files that cannot be read or written ``OSError``, work
that is too large ``MemoryError``.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from sklearn.exceptions import NotFittedError as _NotFittedError


class WaldError(Exception):
    """Any refusal of wald.

    Parameters
    ----------
    what : str
        What is wrong.
    help : str, optional
        How to fix it; empty where nothing helps.
    column : str, optional
        The column concerned, where there is one.
    setting : str, optional
        The argument concerned, where it is one and the engine names it.

    Attributes
    ----------
    what : str
        What is wrong.
    help : str
        How to fix it.
    column : str or None
        The column concerned.
    setting : str or None
        The argument concerned, such as ``"background_rows"``, where it is one and the engine names
        it.

    Examples
    --------
    >>> import wald
    >>> try:
    ...     wald.RandomForestRegressor(0).fit([[1.0], [2.0]], [1.0, 2.0])
    ... except wald.WaldError as error:
    ...     print(error.what, "|", error.help)
    n_estimators is 0 | give a whole number of at least 1
    """

    def __init__(self, what: str, *, help: str = "", column: str | None = None,
                 setting: str | None = None) -> None:
        super().__init__(f"{what}; {help}" if help else what)
        self.what = what
        self.help = help
        self.column = column
        self.setting = setting

    def __str__(self) -> str:
        return f"{self.what}; {self.help}" if self.help else self.what

    def __reduce__(self) -> Any:
        # Exceptions are made again from positions only.
        named: dict[str, Any] = {"help": self.help, "column": self.column, "setting": self.setting}
        return partial(type(self), **named), (self.what,)


class DataError(WaldError, ValueError):
    """The data contradict themselves or cannot be used.

    Examples
    --------
    >>> import wald
    >>> wald.RandomForestRegressor(5).fit([[1.0], [float("inf")]], [1.0, 2.0])
    Traceback (most recent call last):
    wald.errors.DataError: Input X contains infinity ...: column 'x0', row 2, value 'inf'; give ...
    """


class DataTypeError(DataError, TypeError):
    """The data are of a kind that cannot be used, such as dates.

    Examples
    --------
    >>> import wald
    >>> from datetime import date
    >>> wald.dependence({"day": [date(2026, 1, 1), date(2026, 1, 2)]})
    Traceback (most recent call last):
    wald.errors.DataTypeError: column 'day' holds a date; give numbers, texts or categories
    """


class NotFittedError(WaldError, _NotFittedError):
    """The forest was not grown yet.

    Examples
    --------
    >>> import wald
    >>> wald.RandomForestRegressor().importance("mdi")
    Traceback (most recent call last):
    wald.errors.NotFittedError: This RandomForestRegressor instance is not fitted yet; Call 'fit'...
    """


class SettingError(WaldError, ValueError):
    """A setting is outside its range, or two settings exclude each other.

    Examples
    --------
    >>> import wald
    >>> wald.simulate("friedman_1", rows=0)
    Traceback (most recent call last):
    wald.errors.SettingError: rows is 0; give a whole number of at least 1
    """


class UnknownNameError(SettingError, KeyError):
    """No variable, class or measure of a result has this name.

    Examples
    --------
    >>> import wald
    >>> found = wald.population({"age": [0, 1], "y": [0, 1]}, target="y").to_importance()
    >>> found["ago"]
    Traceback (most recent call last):
    wald.errors.UnknownNameError: there is no variable 'ago'; did you mean 'age'?
    """


class UnknownMeasureError(UnknownNameError):
    """No measure has this name.

    Examples
    --------
    >>> import wald
    >>> wald.measures()["sobol"]
    Traceback (most recent call last):
    wald.errors.UnknownMeasureError: 'sobol' is not a measure; did you mean `sobol_mda` or `tota...
    """


class FileError(WaldError, OSError):
    """A file cannot be read or written.

    Examples
    --------
    >>> import wald
    >>> wald.load("no such file.json")
    Traceback (most recent call last):
    wald.errors.InputNotFoundError: there is no file 'no such file.json'; give the path of one
    """


class OutputExistsError(FileError, FileExistsError):
    """The file exists, and ``force=True`` was not given.

    Examples
    --------
    >>> import pathlib, tempfile, wald
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "found.json"
    >>> found = wald.dependence({"a": [1, 2, 3], "b": [1, 4, 9]})
    >>> found.save(path)
    >>> found.save(path)
    Traceback (most recent call last):
    wald.errors.OutputExistsError: ...found.json exists already; give force=True to replace it
    """


class InputNotFoundError(FileError, FileNotFoundError):
    """The path leads nowhere.

    Examples
    --------
    >>> import wald
    >>> wald.dependence({"a": [1, 2, 3], "b": [1, 4, 9]}).save("no such folder/found.json")
    Traceback (most recent call last):
    wald.errors.InputNotFoundError: the folder of no such folder/found.json does not exist; make ...
    """


class NotAFileError(FileError, IsADirectoryError):
    """There is a folder where a file is wanted.

    Examples
    --------
    >>> import tempfile, wald
    >>> wald.load(tempfile.mkdtemp())
    Traceback (most recent call last):
    wald.errors.NotAFileError: ... is a folder; name a file in it
    """


class ForestFileError(WaldError, ValueError):
    """A file is damaged, or does not hold a forest.

    Examples
    --------
    >>> import pathlib, tempfile, wald
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "forest.json"
    >>> _ = path.write_text("{}")
    >>> wald.read_forest(path)
    Traceback (most recent call last):
    wald.errors.ForestFileError: ...
    """


class MeasureError(WaldError, ValueError):
    """The measure cannot be computed on this forest and these data.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=50, seed=1)
    >>> forest = wald.ExtraTreesRegressor(5).fit(data.inputs, data.target)
    >>> forest.importance("sobol_mda")
    Traceback (most recent call last):
    wald.errors.MeasureError: measure `sobol_mda` needs out-of-bag rows...
    """


class TooLargeError(WaldError, MemoryError):
    """The work would need more memory or time than is sensible.

    Examples
    --------
    >>> import wald
    >>> wald.RandomForestRegressor(10**15).fit([[1.0], [2.0]], [1.0, 2.0])
    Traceback (most recent call last):
    wald.errors.TooLargeError: ...
    """


class WorkerError(WaldError, RuntimeError):
    """A worker of an executor died, or cannot take part.

    Examples
    --------
    >>> import wald
    >>> issubclass(wald.WorkerError, RuntimeError)
    True
    """


class InternalError(WaldError, RuntimeError):
    """A defect of wald itself: please report it with the data.

    Examples
    --------
    >>> import wald
    >>> issubclass(wald.InternalError, RuntimeError)
    True
    """


class ResultFileError(WaldError, ValueError):
    """A file is damaged, or does not hold a result.

    Examples
    --------
    >>> import pathlib, tempfile, wald
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "result.json"
    >>> _ = path.write_text("{}")
    >>> wald.load(path)
    Traceback (most recent call last):
    wald.errors.ResultFileError: ... is not a result that wald.load reads; it reads ...
    """


class MaskingWarning(UserWarning):
    """Variables that could take the place of others are hidden from the trees.

    ``sobol_mda`` is then too large. The message names the variables concerned and an ``mtry``
    (``max_features``) at which less is hidden; ``total_sobol_regrow`` does not need one.

    Examples
    --------
    >>> import warnings
    >>> import wald
    >>> warnings.simplefilter("ignore", wald.MaskingWarning)  # for those who know
    """
