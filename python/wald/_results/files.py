"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from os import PathLike
from pathlib import Path


def check(path: str | PathLike[str], *, force: bool) -> Path:
    """The path, resolved, if a file may be written there.

    Raises
    ------
    FileExistsError
        When a file is there and ``force`` is not given.
    IsADirectoryError, FileNotFoundError
        When the path is a folder, or its folder does not exist.
    """
    place = Path(path).resolve()
    if place.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file in it")
    if place.exists() and not force:
        raise FileExistsError(f"{path} exists already; give force=True to replace it")
    if not place.parent.is_dir():
        raise FileNotFoundError(f"the folder of {path} does not exist; make it first")
    return place


def write(path: str | PathLike[str], content: bytes, *, force: bool) -> None:
    """Write a temporary file beside the path, then rename it."""
    place = check(path, force=force)
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
            # A link cannot replace a file that came to be in the meantime.
            _rename_without_replacing(temporary, place)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _rename_without_replacing(temporary: str, place: Path) -> None:
    try:
        os.link(temporary, place)
    except FileExistsError:
        raise FileExistsError(
            f"{place} exists already; give force=True to replace it") from None
    except OSError:
        # A file system without links.
        os.rename(temporary, place)


def _permissions(place: Path) -> int:
    if place.exists():
        return place.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
