"""Atomic writing and checked reading of files."""

from __future__ import annotations

import os
import stat
import tempfile
from os import PathLike
from pathlib import Path

from wald import _checks
from wald.errors import FileError, InputNotFoundError, OutputExistsError, NotAFileError


def check(path: str | PathLike[str], *, force: bool) -> Path:
    """The path, resolved, if a file may be written there.

    Raises
    ------
    OutputExistsError
        When a file is there and ``force`` is not given.
    NotAFileError, InputNotFoundError
        When the path is a folder, or its folder does not exist.
    FileError
        When the path leads to a device, which a file would replace.
    """
    place = Path(_checks.path(path)).resolve()
    if place.is_dir():
        raise NotAFileError(f"{path} is a folder", help="name a file in it")
    if place.exists() and not place.is_file():
        raise FileError(f"{path} is no file, but a device", help="name a file")
    if place.exists() and not force:
        raise _there(path)
    if not place.parent.is_dir():
        raise InputNotFoundError(f"the folder of {path} does not exist", help="make it first")
    return place


def read(path: str | PathLike[str]) -> bytes:
    """The bytes of a file.

    Raises
    ------
    InputNotFoundError, NotAFileError, FileError
        When there is none, it is a folder, or it cannot be read.
    """
    given = os.fspath(_checks.path(path))
    try:
        if stat.S_ISCHR(os.stat(given).st_mode):
            # Reading it may never end.
            raise FileError(f"{given!r} is no file, but a device", help="name a file")
        return Path(given).read_bytes()
    except FileError:
        raise
    except FileNotFoundError as error:
        raise InputNotFoundError(f"there is no file {given!r}", help="give the path of one"
                               ) from error
    except IsADirectoryError as error:
        raise NotAFileError(f"{given!r} is a folder", help="name a file in it") from error
    except OSError as error:
        raise FileError(f"{given!r} cannot be read: {error.strerror}",
                        help="give the path of a file that you may read") from error


def _there(path: object) -> OutputExistsError:
    return OutputExistsError(f"{path} exists already", help="give force=True to replace it")


def write(path: str | PathLike[str], content: bytes, *, force: bool) -> None:
    """Write a temporary file beside the path, then rename it."""
    place = check(path, force=force)
    try:
        _write(place, content, force=force)
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}",
                        help="name a file in a folder where you may write") from error


def _write(place: Path, content: bytes, *, force: bool) -> None:
    handle, temporary = tempfile.mkstemp(prefix=".wald-", suffix=".tmp", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _permissions(place))
        if force:
            os.replace(temporary, place)
        else:
            # A link does not replace a file that was created in the meantime.
            _rename_without_replacing(temporary, place)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _rename_without_replacing(temporary: str, place: Path) -> None:
    try:
        os.link(temporary, place)
    except FileExistsError:
        raise _there(place) from None
    except OSError:
        # A file system without links.
        os.rename(temporary, place)


def _permissions(place: Path) -> int:
    if place.exists():
        return place.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
