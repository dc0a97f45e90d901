"""A worker that dies at work: the result does not change, or an error names what to do."""

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest
from distributed import Client, LocalCluster
from loky import get_reusable_executor
from shared_work import Death, dies, fitted

import wald
from wald._executors import part, shared


def measure(executor, **ours):
    return fitted().importance("mda_breiman_cutler", permutations=5, seed=1, executor=executor,
                               **ours)


@pytest.fixture(scope="module")
def expected():
    return measure(None).values.tobytes()


@pytest.fixture
def death(monkeypatch, tmp_path):
    return Death(monkeypatch, tmp_path)


def test_loky_begins_anew(expected, death):
    found = measure(wald.Workers(get_reusable_executor(max_workers=2), parts=6))
    assert death.has_come() and found.values.tobytes() == expected


def test_dask_begins_parts_anew(expected, death):
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            found = measure(wald.Workers(client.get_executor(), parts=6))
    assert death.has_come() and found.values.tobytes() == expected


def test_processes_need_a_new_pool(death):
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
        with pytest.raises(wald.WorkerError, match="died.*make a new executor") as error:
            measure(wald.Workers(pool, parts=6))
        assert error.value.setting == "executor" and death.has_come()
        with pytest.raises(wald.WorkerError, match="make a new executor"):
            measure(pool)


def test_workers_that_always_die_are_given_up(monkeypatch, tmp_path):
    monkeypatch.setattr(part, "run", partial(dies, tmp_path))
    monkeypatch.setattr(shared, "TRIES", 2)
    with pytest.raises(wald.WorkerError, match="died"):
        measure(get_reusable_executor(max_workers=1))
    assert len(list(tmp_path.iterdir())) == 2
