"""Work that the workers of an executor share gives the bytes of one process."""

import pickle
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest
from distributed import Client, LocalCluster
from loky import get_reusable_executor
from shared_work import COMMANDS, FRAME, Y, fitted, forest, grow

import wald
from wald._executors import engines, parcels, part


@pytest.fixture(scope="module")
def client():
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            yield client


@pytest.fixture(scope="module", params=["threads", "processes", "loky", "dask"])
def executor(request):
    if request.param == "dask":
        yield request.getfixturevalue("client").get_executor()
        return
    if request.param == "loky":
        yield get_reusable_executor(max_workers=2)
        return
    context = get_context("forkserver")
    with (ThreadPoolExecutor(2) if request.param == "threads" else
          ProcessPoolExecutor(2, mp_context=context)) as pool:
        yield pool


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_bytes_are_those_of_one_process(executor, command, here, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert command(executor, tmp_path) == here.of(command)


@pytest.mark.parametrize("parts", [1, 3, 40])
def test_any_number_of_parts(parts, here, tmp_path):
    """40 parts are more than there are trees."""
    with ThreadPoolExecutor(2) as pool:
        assert grow(wald.Workers(pool, parts=parts, n_jobs=1), tmp_path) == here.of(grow)


class Anywhere(engines.Executor):
    """An executor that nobody knows: it pickles what it is given, and works at once."""

    def __init__(self):
        self.sizes = []

    def submit(self, fn, /, *args, **kwargs):
        content = pickle.dumps((fn, args, kwargs))
        self.sizes.append(len(content))
        fn, args, kwargs = pickle.loads(content)
        future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def test_executors_that_nobody_knows(here, tmp_path):
    pool = Anywhere()
    assert grow(wald.Workers(pool, parts=3), tmp_path) == here.of(grow)
    assert len(pool.sizes) == 3 and min(pool.sizes) > FRAME["number"].nbytes
    # A folder that all workers read holds the table; it is empty at the end.
    pool, folder = Anywhere(), tmp_path / "shared"
    folder.mkdir()
    assert grow(wald.Workers(pool, parts=3, folder=folder), tmp_path) == here.of(grow)
    assert max(pool.sizes) < 2000 and not list(folder.iterdir())


def test_a_process_unpacks_and_ranks_a_table_once(monkeypatch):
    parcels._kept.clear()
    unpackings = []
    loads = pickle.loads
    monkeypatch.setattr(parcels.pickle, "loads",
                        lambda content: unpackings.append(len(content)) or loads(content))
    pool = wald.Workers(Anywhere(), parts=4)
    fitted().importance("mdi", executor=pool)
    # The executor unpickles each part, and the process the table and the forest.
    assert len(unpackings) == 4 + 2
    fitted().importance("sobol_mda", executor=pool)
    assert len(unpackings) == 8 + 2
    kept, = (one for one in parcels._kept.values() if isinstance(one, wald._native.Forest))
    data, = (one for one in parcels._kept.values() if isinstance(one, wald._native.Dataset))
    assert kept.keeps_ranks_of(data)
    for seed in range(2 * parcels.KEPT):
        forest(n_estimators=2).fit(FRAME, Y + seed, executor=pool)
    assert len(parcels._kept) == parcels.KEPT


def test_dask_sends_a_table_once(client, monkeypatch):
    sizes = []
    submit = type(client).submit
    monkeypatch.setattr(type(client), "submit", lambda self, fn, *args, **kwargs: (
        sizes.append(sum(len(pickle.dumps(one)) for one in args[1:2])),
        submit(self, fn, *args, **kwargs))[1])
    forest().fit(FRAME, Y, executor=wald.Workers(client.get_executor(), parts=3))
    assert len(sizes) == 3 and max(sizes) < 2000


def test_progress_counts_parts():
    seen = []
    with ThreadPoolExecutor(2) as pool:
        fitted().importance("sobol_mda", executor=wald.Workers(pool, parts=5),
                            progress=lambda *work: seen.append(work))
    assert seen[-1] == (6, 6) and {total for _, total in seen} == {6}
    assert sorted(seen) == seen and len({done for done, _ in seen}) > 1


def test_the_bar_names_the_memory_of_a_part(monkeypatch, capsys):
    from wald import _progress

    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    monkeypatch.setattr(_progress, "PAUSE", 0.0)
    with ThreadPoolExecutor(1) as pool:
        fitted().importance("mda_breiman_cutler", permutations=500, progress=True,
                            executor=wald.Workers(pool, parts=2))
    shown = capsys.readouterr().err
    assert "measuring mda_breiman_cutler, 2 parts of " in shown and "B each" in shown
    assert shown.endswith("\r\x1b[2K")


def test_more_parts_take_less_memory_each():
    """Almost all that a part holds here are trees and predictions, of which it has its share."""
    grown = (fitted()._data, '{"n_trees": 20000}')
    amounts = [part.memory(wald._native.Forest.grow, grown, 1, parts, None) for parts in (1, 2, 100)]
    sizes = [float(amount.removesuffix(" MB")) for amount in amounts]
    assert 0.49 < sizes[1] / sizes[0] < 0.55 and sizes[2] < sizes[1] / 10
