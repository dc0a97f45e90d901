"""What cannot be shared is refused by an error that names the argument and how to fix it."""

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest
from bad_input import refused
from distributed import Client, LocalCluster
from loky import get_reusable_executor
from shared_work import FRAME, Y, fitted, forest
from test_executors import Anywhere

import wald
from wald import _native
from wald._executors import engines, part, shared


def fit(executor, **settings):
    return lambda: forest(**settings).fit(FRAME, Y, executor=executor)


def of(setting, call, words):
    error = refused(call, words)
    assert error.setting == setting
    return error


@pytest.mark.parametrize("given, words", [
    (3, "is of type int"), ("threads", "ProcessPoolExecutor()"), (ThreadPoolExecutor, "type"),
    (sys, "ProcessPoolExecutor()"), (wald.Workers(None), "NoneType"),
], ids=str)
def test_what_is_no_executor(given, words):
    of("executor", fit(given), words)


def test_workers_are_checked():
    with ThreadPoolExecutor(1) as pool:
        for name, value in [("parts", 0), ("parts", 2.5), ("n_jobs", 0), ("n_jobs", "all")]:
            of(name, fit(wald.Workers(pool, **{name: value})), name)
    of("folder", fit(wald.Workers(Anywhere(), parts=2, folder="no such folder")), "folder")
    of("folder", fit(wald.Workers(Anywhere(), parts=2, folder=3)), "folder")
    of("parts", fit(Anywhere()), "parts=")


def test_executors_that_were_shut_down():
    pools = [ThreadPoolExecutor(1), ProcessPoolExecutor(1, mp_context=get_context("forkserver")),
             get_reusable_executor(max_workers=1)]
    for pool in pools:
        pool.shutdown()
        of("executor", fit(pool), "shut down")


def test_clusters_without_workers():
    with LocalCluster(n_workers=0, dashboard_address=None) as cluster, Client(cluster) as client:
        of("executor", fit(client.get_executor()), "no workers")
        of("executor", fit(client), "get_executor()")
        pool = client.get_executor()
    of("executor", fit(pool), "closed")


def test_what_cannot_be_pickled():
    """What a setting holds is checked here, so that only what the engine takes is sent."""
    class Name(str):
        def __reduce__(self):
            raise TypeError("cannot pickle 'Name' object")

    loss = Name("absolute")
    call = partial(fitted().importance, "mda_breiman_cutler", loss=loss)
    with ProcessPoolExecutor(1, mp_context=get_context("forkserver")) as pool:
        of("executor", lambda: call(executor=pool), "cannot be sent")
    with ThreadPoolExecutor(1) as pool:
        assert (call(executor=pool).values == call().values).all()


def test_workers_of_another_version(monkeypatch):
    task = part.Task("0.0.1", b"", 1, 1, None, None)
    with pytest.raises(wald.WorkerError, match="this is 0.0.1; install the same") as error:
        part.run(task, 1)
    assert error.value.setting == "executor"
    # A result of another version is refused as well.
    monkeypatch.setattr(part, "run", lambda *_: b"\x89walp\r\n\x1a" + b"\xff" * 60)
    refused(fit(wald.Workers(Anywhere(), parts=1)), "version")


def lacks(*_):
    raise ModuleNotFoundError("No module named 'wald'", name="wald")


def fails(*_):
    raise ZeroDivisionError("division by zero")


def lacks_in_spark(*_):
    """Spark hands on what a worker printed."""
    raise RuntimeError("An exception was thrown from the Python worker:\n"
                       "Traceback (most recent call last):\n  cloudpickle.loads(obj)\n"
                       "ModuleNotFoundError: No module named 'wald'\n")


@pytest.mark.parametrize("run, words", [
    (lacks, "has no module wald; install"), (lacks_in_spark, "has no module wald; install"),
    (fails, "division by zero")])
def test_workers_that_fail(monkeypatch, run, words):
    monkeypatch.setattr(part, "run", run)
    with pytest.raises(wald.WorkerError, match=words) as error:
        fit(wald.Workers(Anywhere(), parts=2))()
    assert error.value.setting == "executor"


def test_refusals_are_those_of_one_process(tmp_path):
    """They are found here, before anything is sent."""
    pool = wald.Workers(Anywhere(), parts=2)
    for call in (
        lambda **ours: forest(n_estimators=0).fit(FRAME, Y, **ours),
        lambda **ours: fitted().importance("mdi", loss="nonsense", **ours),
        lambda **ours: fitted().importance("nonsense", **ours),
        lambda **ours: wald.masking(forest(), FRAME, Y, mtry=[9], **ours),
        lambda **ours: wald.uncertainty(fitted(), "mdi", confidence=2.0, **ours),
        lambda **ours: wald.report(fitted(), tmp_path / "a.html", measures=["nonsense"], **ours),
        lambda **ours: wald.RFE(forest(), folds=1000).fit(FRAME, Y, **ours),
    ):
        alone, divided = refused(call, ""), refused(partial(call, executor=pool), "")
        assert (type(divided), str(divided)) == (type(alone), str(alone))
        assert divided.setting == alone.setting


def test_what_does_not_fit_into_memory():
    """Ten thousand workers would need so many tables and ranks at the same time."""
    with ThreadPoolExecutor(10**9) as pool:
        error = refused(fit(pool), "parts at a time")
    assert isinstance(error, wald.TooLargeError) and "of the 200 rows" in error.help
    # Workers elsewhere look at their own memory.
    task = part.Task(_native.__version__, (wald._native.Forest.grow, ()), 2, 1, 10**9, None)
    data = fitted()._data
    task = part.Task(_native.__version__, (_native.Forest.grow, (data, "{}")), 2, 1, 10**9, None)
    with pytest.raises(wald.TooLargeError, match="of the 200 rows"):
        part.run(task, 1)


INTERRUPTED = """
import os, signal, sys, threading, time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
import wald
signal.signal(signal.SIGINT, signal.default_int_handler)

def main():
    data = wald.simulate("friedman_1", rows=300, seed=1)
    pool = {pool}
    begun = threading.Event()

    def interrupt():
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    small = wald.RandomForestRegressor(500).fit(data.inputs, data.target)
    try:
        small.importance("mda_breiman_cutler", permutations=20_000, executor=pool,
                         progress=lambda done, total: begun.set())
    except KeyboardInterrupt:
        # Parts that would go on for minutes have stopped, so that the pool ends.
        pool.shutdown()
        print("clean")
    else:
        sys.exit("the work went on to its end")

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("pool", [
    "ThreadPoolExecutor(2)", "ProcessPoolExecutor(2, mp_context=get_context('forkserver'))"])
def test_ctrl_c_stops_all_parts(pool, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED.replace("{pool}", pool))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "clean\n"), done.stderr


def test_what_progress_raises_stops_all_parts():
    def stop(*_):
        raise LookupError

    with ThreadPoolExecutor(2) as pool, pytest.raises(LookupError):
        fitted().importance("mda_breiman_cutler", permutations=20_000, progress=stop,
                            executor=wald.Workers(pool, parts=4))
