"""Results as files: JSON with a checksum; reading runs no code."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import fields
from os import PathLike
from typing import Any

import numpy as np

import wald._native as _native
from wald.errors import ResultFileError, WaldError

FORMAT = "wald-result"
VERSION = 2

_DTYPES = {"numbers": np.float64, "integers": np.int64, "booleans": np.bool_, "texts": object}

# Result classes by their name in files.
_KINDS: dict[str, type[Stored]] = {}


class Stored:
    """A result that can be saved, loaded, pickled and compared; a dataclass."""

    _kind: str

    def __init_subclass__(cls, kind: str | None = None, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if kind is not None:
            cls._kind = kind
            _KINDS[kind] = cls

    def _fields(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name)
                for field in fields(self)}  # type: ignore[arg-type]

    def _parts(self) -> dict[str, Any]:
        """The fields that are written and compared."""
        return self._fields()

    def _body(self) -> Any:
        """What is written of the result."""
        return encoded(self._parts())

    @classmethod
    def _of_body(cls, body: Any) -> Any:
        """The result that was written."""
        return cls(**decoded(body))

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the result to a file, which :func:`wald.load` reads.

        The file is JSON with a checksum; nothing in it runs.

        Parameters
        ----------
        path : str or path
            It is written as a whole or not at all.
        force : bool, default=False
            Whether to replace a file that exists.

        Raises
        ------
        OutputExistsError
            When the file exists and ``force`` is not given.
        FileError
            When it cannot be written there.

        Examples
        --------
        >>> import tempfile, pathlib, wald
        >>> found = wald.dependence({"a": [1, 2, 3], "b": [1, 4, 9]})
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "found.json"
        >>> found.save(path)
        >>> wald.load(path) == found
        True
        """
        _native.check_file(path, force=force)
        text = _text([self._kind, self._body()])
        head = {"format": FORMAT, "version": VERSION, "checksum": _checksum(text)}
        # The checksum is that of this text, which is written unchanged.
        document = f'{_text(head)[:-1]},"result":{text}}}'
        _native.write_file(path, document.encode(), force=force)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return isinstance(other, Stored) and bool(
            encoded(self._parts()) == encoded(other._parts()))

    __hash__ = None  # type: ignore[assignment]


def load(path: str | PathLike[str]) -> Any:
    """Read a result that was saved, or importances that the command line wrote.

    Parameters
    ----------
    path : str or path
        A file that ``save`` or ``wald importance --format json`` wrote.

    Returns
    -------
    a result, such as Importance, Curves, Selection, Advice or Uncertainty
        Equal to the one that was saved; of a file of the command line, a list of Importance, one
        per measure.

    Raises
    ------
    ResultFileError
        When the file is damaged, was changed, or holds something else. Nothing in it is run.
    InputNotFoundError
        When there is no such file.

    Examples
    --------
    >>> import tempfile, pathlib, wald
    >>> found = wald.population({"x": [0, 1], "y": ["no", "yes"]}, target="y")
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "found.json"
    >>> found.save(path)
    >>> wald.load(path) == found
    True
    """
    content = _native.read_file(path)
    try:
        document = json.loads(content, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        document = None
    if not _is_read(document):
        raise ResultFileError(
            f"{path} is not a result that wald.load reads",
            help="it reads what save() and `wald importance --format json` write")
    version = document.get("version")
    if version not in (1, VERSION):
        raise ResultFileError(f"{path} was written in version {version} of the format",
                              help=f"this wald reads versions 1 and {VERSION}")
    try:
        if "measures" in document:
            return [_KINDS["importance"]._of_body(body) for body in document["measures"]]
        if document["checksum"] != _checksum(_text(document["result"])):
            raise ValueError("the checksum does not fit")
        kind, body = document["result"]
        if (kind, version) == ("importance", 1):
            raise ResultFileError(f"{path} was written in version 1 of the format",
                                  help="save the result again")
        return _KINDS[kind]._of_body(body)
    except ResultFileError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, WaldError) as error:
        raise ResultFileError(f"{path} is damaged ({error})",
                              help="save the result again") from error


def _is_read(document: Any) -> bool:
    """Whether this is what `save` or `wald importance` writes; other commands write summaries."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return False
    measures = document.get("measures")
    return "result" in document or isinstance(measures, list) and all(
        isinstance(one, dict) and "names" in one for one in measures)


def encoded(value: Any) -> Any:
    """A value of a result as JSON without loss."""
    if isinstance(value, np.ndarray):
        kind = {"f": "numbers", "i": "integers", "u": "integers", "b": "booleans"}.get(
            value.dtype.kind, "texts")
        cells = value.ravel().tolist()
        if kind != "numbers" or not np.isfinite(value).all():
            cells = [encoded(cell) for cell in cells]
        return {"array": kind, "shape": list(value.shape), "cells": cells}
    if isinstance(value, dict):
        return {"map": [[encoded(key), encoded(of)] for key, of in value.items()]}
    if isinstance(value, (list, tuple)):
        return [encoded(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": str(value)}
    return value


def decoded(value: Any) -> Any:
    """The inverse of :func:`encoded`; anything else is refused."""
    if isinstance(value, list):
        return [decoded(part) for part in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"number"}:
        return float(value["number"])
    if value.keys() == {"map"}:
        return {decoded(key): decoded(of) for key, of in value["map"]}
    if value.keys() == {"array", "shape", "cells"}:
        shape = tuple(value["shape"])
        if any(type(length) is not int or length < 0 for length in shape):
            raise ValueError("an array has no shape")
        cells = value["cells"]
        if value["array"] != "numbers" or set(map(type, cells)) - {float}:
            cells = [decoded(cell) for cell in cells]
        array: np.ndarray = np.empty(len(cells), dtype=_DTYPES[value["array"]])
        array[:] = cells
        return array.reshape(shape)
    raise ValueError("an unknown kind of value")


def _text(value: Any) -> str:
    """Canonical JSON: reading and writing it again gives the same text."""
    return json.dumps(value, separators=(",", ":"))


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")
