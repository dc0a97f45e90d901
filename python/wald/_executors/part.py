"""What a worker does: a part of the work of a call."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import wald._native as _native
from wald._executors.parcels import unpacked
from wald.errors import InternalError, WorkerError


class NotWanted(Exception):
    """Whoever asked for a part has stopped."""


@dataclass(frozen=True)
class Task:
    """What all parts of a call have in common."""

    # The version of whoever asks: others may find other bits.
    version: str
    # The call with its arguments, as bytes without the large objects in it where it was sent.
    call: Any
    parts: int
    threads: int | None
    # How many parts share the memory of a worker's machine, where only the worker can look at it.
    together: int | None
    # Whether the part is still wanted, where the worker can know.
    is_wanted: Callable[[], bool] | None


def memory(call: Callable[..., Any], arguments: tuple[Any, ...], threads: int | None, parts: int,
           together: int | None) -> str | None:
    """The memory that a part takes, in words.

    Raises
    ------
    TooLargeError
        Where so many parts together do not fit into what is free here.
    WaldError
        What the call raises of arguments that it refuses.
    """
    room = _native.Room(parts, together)
    with suppress(_native.Divided):
        call(*arguments, work=(threads, None, room))
    return room.amount


def run(task: Task, number: int, *large: Any) -> bytes:
    """What the part of this number finds."""
    if task.version != _native.__version__:
        raise WorkerError(
            f"a worker has wald {_native.__version__}, but this is {task.version}",
            help="install the same version for all workers", setting="executor")
    call, arguments = unpacked(task.call, large)
    if task.together is not None:
        memory(call, arguments, task.threads, task.parts, task.together)
    is_wanted = task.is_wanted

    def look(done: int, total: int) -> None:
        if is_wanted is not None and not is_wanted():
            raise NotWanted

    part = _native.Part(number, task.parts)
    with suppress(_native.Divided):
        call(*arguments, work=(task.threads, look, part))
    found = part.take()
    if found is None:
        raise InternalError(f"{call.__name__} divides no work",
                            help="this is a defect of wald: please report it with the data")
    return found
