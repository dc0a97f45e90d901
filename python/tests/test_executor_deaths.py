"""A worker that dies at work: the result does not change, or an error names what to do."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from distributed import Client, LocalCluster
from loky import get_reusable_executor
from shared_work import fitted

import wald
from wald._executors import shared


class Killer:
    """Kills a worker once the first part is done, when the others are at work."""

    def __init__(self, workers):
        self.workers, self.n_killed = workers, 0

    def __call__(self, done, total):
        if done >= 1 and not self.n_killed:
            self.n_killed += 1
            os.kill(self.workers()[0], signal.SIGKILL)


def measure(executor, **ours):
    """Long enough to be in the middle of it."""
    return fitted().importance("mda_breiman_cutler", permutations=400, seed=1, executor=executor,
                               **ours)


@pytest.fixture(scope="module")
def expected():
    return measure(None).values.tobytes()


def test_loky_begins_anew(expected):
    pool = get_reusable_executor(max_workers=2)
    killer = Killer(lambda: list(pool._processes))
    found = measure(wald.Workers(pool, parts=6), progress=killer)
    assert killer.n_killed == 1 and found.values.tobytes() == expected


def test_dask_begins_parts_anew(expected):
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            killer = Killer(lambda: list(client.run(os.getpid).values()))
            found = measure(wald.Workers(client.get_executor(), parts=6), progress=killer)
    assert killer.n_killed == 1 and found.values.tobytes() == expected


def test_processes_need_a_new_pool():
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
        killer = Killer(lambda: list(pool._processes))
        with pytest.raises(wald.WorkerError, match="died.*make a new executor") as error:
            measure(wald.Workers(pool, parts=6), progress=killer)
        assert error.value.setting == "executor" and killer.n_killed == 1
        with pytest.raises(wald.WorkerError, match="make a new executor"):
            measure(pool)


def test_workers_that_always_die_are_given_up(monkeypatch):
    begun = []

    class Dying(Killer):
        def __call__(self, done, total):
            pool = get_reusable_executor(max_workers=1)
            if pool._processes and id(pool) not in begun:
                begun.append(id(pool))
                os.kill(next(iter(pool._processes)), signal.SIGKILL)

    monkeypatch.setattr(shared, "TRIES", 2)
    with pytest.raises(wald.WorkerError, match="died"):
        measure(get_reusable_executor(max_workers=1), progress=Dying(None))
    assert len(begun) == 2
