"""How an executor is used."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import KW_ONLY, dataclass
from os import PathLike
from typing import Union


@dataclass(frozen=True)
class Workers:
    """An executor, and how its workers share work.

    Every ``executor=`` takes one in place of an executor alone.

    Parameters
    ----------
    executor : concurrent.futures.Executor
        Whatever has workers.
    parts : int, optional
        Into how many parts work is divided; as many as there are workers unless given. More parts
        lose less when a worker dies.
    n_jobs : int, optional
        Threads of each part. Unless given, the pools of this machine share its processors, and
        the workers of a cluster use what they have.
    folder : str or path, optional
        A folder that all workers can read: tables and forests go there in files, instead of
        through the executor.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> with ThreadPoolExecutor(2) as pool:
    ...     workers = wald.Workers(pool, parts=4, n_jobs=1)
    ...     wald.RandomForestRegressor(20).fit(data.inputs, data.target, executor=workers)
    RandomForestRegressor(n_estimators=20)
    """

    executor: Executor
    _: KW_ONLY
    parts: int | None = None
    n_jobs: int | None = None
    folder: str | PathLike[str] | None = None


AnyExecutor = Union[Executor, Workers]
