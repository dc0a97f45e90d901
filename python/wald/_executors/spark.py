"""Spark as an executor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from wald._checks import needed
from wald.errors import SettingError


class SparkExecutor(Executor):
    """Jobs of one task each, which Spark repeats where a worker died."""

    def __init__(self, spark: Any) -> None:
        self.spark, context = spark, spark.sparkContext
        self.threads = int(context.getConf().get("spark.task.cpus", "1"))
        self.n_workers = context.defaultParallelism // self.threads
        self._jobs = ThreadPoolExecutor(max(1, self.n_workers))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Begins a job; objects of :meth:`put` among the arguments are fetched first."""
        def work(_: Iterator[Any]) -> Iterator[Any]:
            from pyarrow import RecordBatch

            found = fn(*(getattr(one, "value", one) for one in args), **kwargs)
            yield RecordBatch.from_pydict({"found": [found]})

        def job() -> Any:
            # Where only the first row were asked for, Spark would stop the worker, and its tables.
            found = self.spark.range(0, 1, 1, 1).mapInArrow(work, "found binary").collect()
            return bytes(found[0][0])

        return self._jobs.submit(job)

    def put(self, value: Any) -> Any:
        """Sends an object to every worker that asks for it, once."""
        return self.spark.sparkContext.broadcast(value)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more jobs; the session of Spark goes on."""
        self._jobs.shutdown(wait, cancel_futures=cancel_futures)


def spark_executor(spark: Any) -> SparkExecutor:
    """Make an executor of a session of Spark.

    Parameters
    ----------
    spark : SparkSession
        The session. Every task has a copy of the table, so that few tasks of many processors
        (``spark.task.cpus``) take less memory.

    Returns
    -------
    Executor
        For ``executor=``.

    Raises
    ------
    ImportError
        Where PySpark is not installed.
    SettingError
        Where it is no session.

    Examples
    --------
    >>> import wald
    >>> forest.fit(X, y, executor=wald.spark_executor(spark))  # doctest: +SKIP
    RandomForestRegressor()
    """
    needed("pyspark", "spark_executor")
    if not hasattr(spark, "sparkContext"):
        raise SettingError(f"spark is of type {type(spark).__name__}", setting="spark",
                           help="give a SparkSession")
    return SparkExecutor(spark)
