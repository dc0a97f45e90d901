"""Ray as an executor."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from wald._checks import needed, whole


class RayExecutor(Executor):
    """Tasks of Ray, each of which takes so many processors of a node."""

    def __init__(self, ray: Any, cpus: int) -> None:
        self.ray, self.threads = ray, cpus
        nodes = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
        self.n_workers = sum(processors // cpus for processors in nodes)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Begins a task; objects of :meth:`put` among the arguments are fetched first."""
        def call(*args: Any, **kwargs: Any) -> Any:
            # Ray takes functions, but no other callables.
            return fn(*args, **kwargs)

        task = self.ray.remote(num_cpus=self.threads)(call).remote(*args, **kwargs)
        future: Future[Any] = task.future()
        return future

    def put(self, value: Any) -> Any:
        """Puts an object where all nodes fetch it from."""
        return self.ray.put(value)


def ray_executor(cpus: int = 1) -> RayExecutor:
    """Make an executor of the Ray that this process is connected to, or of a new one.

    Parameters
    ----------
    cpus : int, default=1
        Processors of a node that a part of the work takes. Every part has a copy of the table, so
        that few large parts take less memory.

    Returns
    -------
    Executor
        For ``executor=``.

    Raises
    ------
    ImportError
        Where Ray is not installed.
    SettingError
        Where ``cpus`` is no number of processors.

    Examples
    --------
    >>> import wald
    >>> forest.fit(X, y, executor=wald.ray_executor())  # doctest: +SKIP
    RandomForestRegressor()
    """
    ray = needed("ray", "ray_executor")
    if not ray.is_initialized():
        ray.init()
    return RayExecutor(ray, whole("cpus", cpus, 1))
