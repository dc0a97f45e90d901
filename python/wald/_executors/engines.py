"""What is known of an executor: how many workers it has, and how tables and forests reach them."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from wald import _checks
from wald._executors.parcels import Parcel, packed
from wald._executors.workers import Workers
from wald.errors import SettingError


class Engine:
    """An executor of any kind, whose workers may be anywhere: what they need goes with each part."""

    # How many parts share the memory of this machine; `None` where workers are elsewhere.
    together: int | None = None

    def __init__(self, executor: Any) -> None:
        self.executor = executor

    def n_workers(self) -> int | None:
        """How many parts can be worked on at the same time, where that is known."""
        return getattr(self.executor, "n_workers", getattr(self.executor, "_max_workers", None))

    def threads(self) -> int | None:
        """The threads of a part; ``None`` for all processors of its machine."""
        return getattr(self.executor, "threads", 1)

    def packed(self, call: Any) -> tuple[Any, list[Any]]:
        """A call with its arguments, and the large objects in it, which go by themselves."""
        return packed(call)

    def sent(self, large: Sequence[Any]) -> list[Any]:
        """Large objects as arguments of parts, sent to the workers once where that is possible."""
        put = getattr(self.executor, "put", lambda parcel: parcel)
        return [put(Parcel.of(one)) for one in large]

    def is_wanted(self) -> Callable[[], bool] | None:
        """What a worker asks from time to time."""
        return None

    def submit(self, run: Callable[..., bytes], *arguments: Any) -> Future[bytes]:
        """Begins a part."""
        future: Future[bytes] = self.executor.submit(run, *arguments)
        return future

    def mend(self) -> bool:
        """Replaces workers that died; false where that is left to the user."""
        return False

    def close(self) -> None:
        """Stops parts that still run, and removes what was laid out for them."""


class Threads(Engine):
    """Threads of this process, which share its tables and forests."""

    def __init__(self, executor: ThreadPoolExecutor) -> None:
        super().__init__(executor)
        self.over = Event()
        self.together = executor._max_workers

    def threads(self) -> int:
        return _each(self.together)

    def packed(self, call: Any) -> tuple[Any, list[Any]]:
        return call, []

    def is_wanted(self) -> Callable[[], bool]:
        return lambda: not self.over.is_set()

    def close(self) -> None:
        self.over.set()


class Folder(Engine):
    """Workers that read files of a folder, which is there as long as parts are wanted."""

    def __init__(self, executor: Any, within: str | None = None) -> None:
        super().__init__(executor)
        self.folder = Path(tempfile.mkdtemp(prefix="wald-", dir=within))

    def sent(self, large: Sequence[Any]) -> list[Any]:
        return [Parcel.of(one).in_folder(self.folder) for one in large]

    def is_wanted(self) -> Callable[[], bool]:
        return partial(os.path.exists, self.folder)

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class Processes(Folder):
    """Processes of this machine."""

    def __init__(self, executor: Any, within: str | None = None) -> None:
        super().__init__(executor, within)
        self.together = executor._max_workers

    def threads(self) -> int:
        return _each(self.together)

    def mend(self) -> bool:
        # loky's pool that is shared by a whole program makes itself anew.
        again = getattr(type(self.executor), "get_reusable_executor", None)
        if again is not None:
            self.executor, _ = again(max_workers=self.together)
        return again is not None


class Dask(Engine):
    """The executor of a client of Dask, each of whose workers does a part at a time."""

    def _threads(self) -> list[int]:
        client = self.executor._client
        if client.status != "running":
            raise SettingError("the client of Dask is closed", setting="executor",
                               help="give client.get_executor() of one that is connected")
        return list(client.nthreads().values())

    def n_workers(self) -> int:
        return len(self._threads())

    def threads(self) -> int:
        return min(self._threads(), default=1)

    def sent(self, large: Sequence[Any]) -> list[Any]:
        parcels = [Parcel.of(one) for one in large]
        sent = self.executor._client.scatter(parcels, broadcast=True, hash=False)
        return list(sent)

    def submit(self, run: Callable[..., bytes], *arguments: Any) -> Future[bytes]:
        # Not the result of an earlier call with equal arguments.
        future: Future[bytes] = self.executor.submit(run, *arguments, pure=False)
        return future


def engine_of(given: Any) -> tuple[Engine, int, int | None]:
    """The engine, into how many parts it divides work, and the threads of each.

    Raises
    ------
    SettingError
        Where it is no executor, or has no workers.
    """
    workers = given if isinstance(given, Workers) else Workers(given)
    executor = workers.executor
    if not isinstance(executor, Executor):
        raise SettingError(f"executor is of type {type(executor).__name__}", setting="executor",
                           help=_instead(executor))
    parts, n_jobs = workers.parts, workers.n_jobs
    parts = None if parts is None else _checks.whole("parts", parts, 1)
    threads = None if n_jobs is None else _checks.whole("n_jobs", n_jobs, 1)
    engine = _engine(executor, workers.folder)
    try:
        n_workers = engine.n_workers()
        if n_workers == 0:
            raise SettingError("the executor has no workers", setting="executor",
                               help="start some, and wait until they are connected")
        if parts is None and n_workers is None:
            raise SettingError("the number of the executor's workers is unknown", setting="parts",
                               help="give wald.Workers(executor, parts=...) with a number")
        return engine, parts or n_workers or 1, engine.threads() if threads is None else threads
    except BaseException:
        engine.close()
        raise


def parts_of(given: Any) -> int:
    """Into how many parts an executor divides work."""
    engine, parts, _ = engine_of(given)
    engine.close()
    return parts


def _engine(executor: Executor, folder: Any) -> Engine:
    modules = {kind.__module__.split(".")[0] for kind in type(executor).__mro__}
    names = {kind.__name__ for kind in type(executor).__mro__}
    within = None if folder is None else _folder(folder)
    if isinstance(executor, ThreadPoolExecutor):
        return Threads(executor)
    # loky comes with joblib and by itself, and has no base in common with Python's processes.
    if isinstance(executor, ProcessPoolExecutor) or "ProcessPoolExecutor" in names:
        return Processes(executor, within)
    if within is not None:
        return Folder(executor, within)
    return Dask(executor) if "distributed" in modules else Engine(executor)


def _folder(given: Any) -> str:
    path = given if isinstance(given, (str, os.PathLike)) else ""
    if not os.path.isdir(path):
        raise _checks.refused("folder", given, "give a folder that exists, for this process and "
                                               "for all workers")
    return os.fspath(path)


def _each(n_workers: int | None) -> int:
    """Threads of each of so many workers of this machine."""
    return max(1, (os.cpu_count() or 1) // (n_workers or 1))


def _instead(given: Any) -> str:
    """What to give in place of what is no executor."""
    kind = given if isinstance(given, type) else type(given)
    module = getattr(given, "__name__", "") if given is sys.modules.get("ray") else kind.__module__
    ways = {"distributed": "give client.get_executor()", "ray": "give wald.ray_executor()",
            "pyspark": "give wald.spark_executor(spark)",
            "joblib": "give loky.get_reusable_executor()"}
    return ways.get(module.split(".")[0],
                    "give a concurrent.futures.Executor, for example ProcessPoolExecutor()")
