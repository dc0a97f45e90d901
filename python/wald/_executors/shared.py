"""A call whose work an executor shares: divided, waited for, and merged."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import (
    FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait,
)
from typing import Any, TypeVar

import wald._native as _native
from wald._executors import part
from wald._executors.engines import Engine, engine_of
from wald._executors.workers import AnyExecutor
from wald._progress import Terminal
from wald.errors import SettingError, WaldError, WorkerError
from wald.typing import Progress

Found = TypeVar("Found")

# Seconds between looks at signals and progress.
TICK = 0.05

# How often the parts of workers that died begin anew: an executor whose workers always die, for
# example for lack of memory, is given up.
TRIES = 3


def shared(call: Callable[..., Found], *arguments: Any, threads: int | None,
           progress: Progress | None, executor: AnyExecutor | None) -> Found:
    """What a native function gives, with its work done here, or by the workers of an executor."""
    if executor is None:
        return call(*arguments, work=(threads, progress))
    engine, parts, of_each = engine_of(executor)
    try:
        amount = part.memory(call, arguments, of_each, parts, engine.together)
        if isinstance(progress, Terminal):
            progress.doing += f", {parts} parts of {amount} each"
        # Where workers are elsewhere, they look at their own memory.
        together = 1 if engine.together is None else None
        content, large = _packed(engine, (call, arguments))
        task = part.Task(_native.__version__, content, parts, of_each, together,
                         engine.is_wanted())
        found = _Gathering(engine, task, progress).run(large)
    finally:
        engine.close()
        if progress is not None and hasattr(progress, "close"):
            progress.close()
    merged = call(*arguments, work=(threads, None, _native.Parts(found)))
    if progress is not None:
        progress(parts + 1, parts + 1)
    return merged


class _Gathering:
    """Parts that are waited for."""

    def __init__(self, engine: Engine, task: part.Task, progress: Progress | None) -> None:
        self.engine, self.task, self.progress = engine, task, progress
        self.found: dict[int, bytes] = {}
        self.running: dict[Future[bytes], int] = {}

    def run(self, large: list[Any]) -> list[bytes]:
        """What all parts found, in their order."""
        sent = self._refusing(self.engine.sent, large)
        try:
            for turn in range(TRIES):
                missing = set(range(1, self.task.parts + 1)) - set(self.found)
                try:
                    for number in sorted(missing):
                        future = self._refusing(self.engine.submit, part.run, self.task, number,
                                                *sent)
                        self.running[future] = number
                    self._wait()
                    break
                except BrokenExecutor as error:
                    self._cancel()
                    if turn + 1 == TRIES or not self.engine.mend():
                        raise _died(error) from error
        finally:
            self._cancel()
        return [self.found[number] for number in range(1, self.task.parts + 1)]

    def _wait(self) -> None:
        while self.running:
            done, _ = wait(self.running, timeout=TICK, return_when=FIRST_COMPLETED)
            for future in done:
                self.found[self.running.pop(future)] = self._result(future)
            if self.progress is not None:
                # The last unit is merging.
                self.progress(len(self.found), self.task.parts + 1)

    def _result(self, future: Future[bytes]) -> bytes:
        try:
            return future.result()
        except (WaldError, BrokenExecutor):
            raise
        except CancelledError as error:
            raise WorkerError("a part of the work was cancelled", setting="executor",
                              help="ask again with an executor that goes on") from error
        except ModuleNotFoundError as error:
            raise _lacks(error.name) from error
        except Exception as error:
            if type(error).__name__ == "KilledWorker":
                raise _died(error) from error
            cause = _cause(error)
            if cause.startswith("ModuleNotFoundError: "):
                raise _lacks(cause.partition("named ")[2].strip("'")) from error
            raise _refusal(error) or WorkerError(
                f"a part of the work failed: {cause}", setting="executor",
                help="see the exception above, which the worker raised") from error

    def _refusing(self, do: Callable[..., Any], *arguments: Any) -> Any:
        """Does something with the executor."""
        try:
            return do(*arguments)
        except (WaldError, BrokenExecutor):
            raise
        except Exception as error:
            raise _refusal(error) or SettingError(
                f"the executor takes no work: {_cause(error)}", setting="executor",
                help="give one that was not shut down") from error

    def _cancel(self) -> None:
        for future in self.running:
            future.cancel()
        self.running.clear()


def _packed(engine: Engine, call: Any) -> tuple[Any, list[Any]]:
    try:
        return engine.packed(call)
    except Exception as error:
        raise _refusal(error) or error


def _refusal(error: Exception) -> SettingError | None:
    """That of what cannot be pickled, of whose exceptions only some are of pickle's own kind."""
    if isinstance(error, pickle.PicklingError) or "pickle" in _cause(error):
        return SettingError(
            f"the call cannot be sent to the workers: {_cause(error)}", setting="executor",
            help="give settings that can be pickled, such as numbers, texts and tables, or a "
                 "ThreadPoolExecutor, which sends nothing")
    return None


def _died(error: Exception) -> WorkerError:
    return WorkerError(
        "a worker died at work, often for lack of memory", setting="executor",
        help="make a new executor, with fewer workers or more memory for each, and ask again")


def _lacks(module: str | None) -> WorkerError:
    return WorkerError(f"a worker has no module {module}", setting="executor",
                       help="install wald for all workers, of the same version")


def _cause(error: Exception) -> str:
    """What an error states first; of one that holds the traceback of a worker, how that ends."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1].strip() if "Traceback (most recent call last):" in lines else lines[0]
