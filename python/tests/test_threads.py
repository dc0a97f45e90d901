"""Forests are at home among threads and processes."""

import multiprocessing
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pytest
from kinds_of_tables import hash_of, mixed

import wald

FRAME, Y = mixed()
EXPECTED = hash_of(wald.RandomForestRegressor(20, n_jobs=2).fit(FRAME, Y))


def fit(_=None):
    """The hash of a forest, grown by two threads."""
    return hash_of(wald.RandomForestRegressor(20, n_jobs=2).fit(FRAME, Y))


def fit_and_measure(forest):
    """A hash of a new forest, and the importances of a given one."""
    return fit(), forest.importance("mda_breiman_cutler").values.tolist()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
def test_after_a_fork():
    """The parent has grown with threads, which its children do not have."""
    assert fit() == EXPECTED
    with warnings.catch_warnings():
        # Newer Pythons warn of forks beside threads; wald keeps none.
        warnings.simplefilter("ignore", DeprecationWarning)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map_async(fit, range(4)).get(timeout=120) == [EXPECTED] * 4


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
def test_a_fork_beside_work():
    """A child that is made while another thread of the parent grows a forest."""
    stop = threading.Event()

    def grow():
        while not stop.is_set():
            fit()

    thread = threading.Thread(target=grow)
    thread.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            with multiprocessing.get_context("fork").Pool(1) as pool:
                assert pool.apply_async(fit).get(timeout=120) == EXPECTED
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_joblib(backend):
    forest = wald.RandomForestRegressor(20, n_jobs=2).fit(FRAME, Y)
    expected = fit_and_measure(forest)
    found = joblib.Parallel(2, backend=backend)(
        joblib.delayed(fit_and_measure)(forest) for _ in range(4))
    assert found == [expected] * 4


def test_one_forest_in_four_threads():
    forest = wald.RandomForestRegressor(20).fit(FRAME, Y)
    asked = [
        lambda: forest.importance("mda_breiman_cutler").values,
        lambda: forest.importance("sobol_mda").values,
        lambda: forest.explain(FRAME[:20], "tree_shap").values,
        lambda: forest.predict(FRAME),
        lambda: np.frombuffer(bytes.fromhex(fit()), np.uint8),
        lambda: forest.feature_importances_,
    ]
    expected = [ask() for ask in asked]
    together = threading.Barrier(4)

    def work(first):
        together.wait()
        turns = [(first + at) % len(asked) for at in range(2 * len(asked))]
        return [(turn, asked[turn]()) for turn in turns]

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(work, range(4)):
            for turn, values in found:
                assert np.array_equal(values, expected[turn]), turn


def test_signals_are_heard_by_the_main_thread_only():
    """Work in another thread neither hears signals nor fails for it."""
    with ThreadPoolExecutor(1) as pool:
        calls = []
        forest = pool.submit(lambda: wald.RandomForestRegressor(20).fit(FRAME, Y)).result()
        pool.submit(lambda: forest.importance("sobol_mda", progress=lambda *work: calls.append(
            threading.current_thread()))).result()
    assert hash_of(forest) == EXPECTED
    assert calls and set(calls) != {threading.main_thread()}
