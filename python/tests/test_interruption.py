"""Ctrl-C stops all work at once, and leaves everything as it was.

Work that is interrupted here would go on for hours, so that a test that ends shows that it was
stopped; `cargo xtask bench python` measures how long that takes.
"""

import subprocess
import sys

import pytest

PREPARED = """
import os, signal, sys, threading, time
import numpy as np
import wald
# A process started in the background may ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
random = np.random.default_rng(0)
X = random.normal(size=(400, 6))
y = X[:, 0] * X[:, 1] + random.normal(size=400)
small = wald.RandomForestRegressor(200).fit(X, y)
before = small.predict(X)
begun, sent = threading.Event(), threading.Event()

def interrupt(*_):
    if not sent.is_set():
        sent.set()
        os.kill(os.getpid(), signal.SIGINT)

def interrupt_soon():
    # Python of this thread runs only if the working thread lets it.
    begun.wait()
    time.sleep(0.3)
    interrupt()
"""

CHECKED = """
if {by_thread}:
    threading.Thread(target=interrupt_soon).start()
try:
    begun.set()
    {work}
except KeyboardInterrupt:
    assert sent.is_set()
else:
    sys.exit("the work went on to its end")
again = wald.RandomForestRegressor(200).fit(X, y)
assert (again.predict(X) == before).all() and (small.predict(X) == before).all()
assert again.importance("mdi").values.tolist() == small.importance("mdi").values.tolist()
print("clean")
"""

HOURS = {
    "growing": "wald.RandomForestRegressor(10_000_000).fit(X, y)",
    "growing without order": "wald.ExtraTreesRegressor(10_000_000).fit(X, y)",
    "growing conditional trees": "wald.ConditionalForestRegressor(10_000_000).fit(X, y)",
    "permuting": 'small.importance("mda_breiman_cutler", permutations=100_000)',
    "sampling orders": 'small.importance("sage", precision=1e-9)',
    "explaining": 'small.explain(np.tile(X, (5_000, 1)), "tree_shap_interventional")',
    "selecting": "wald.RFE(wald.RandomForestRegressor(1_000_000), folds=2).fit(X, y)",
    "conditional": "wald.conditional_test(wald.RandomForestRegressor(1_000_000), X, y)",
    "masking": "wald.masking(wald.RandomForestRegressor(1_000_000), X, y)",
    "searching paths": "wald.interactions(small, resamples=100_000)",
    "subsampling": 'wald.uncertainty(small, "mdi", subsamples=100_000)',
    "a sample of a process": "wald.surrogate(X[:30], y[:30], "
                             "estimator=wald.RandomForestRegressor(10_000_000))",
    "a black box": "wald.through(np.sin, X[:, :1], estimator=wald.RandomForestRegressor(10_000_000))",
    "shadows": 'wald.uncertainty(small, "mdi", null_distribution="shadow", null_forests=100_000)',
}


def run(work, by_thread):
    code = PREPARED + CHECKED.format(work=work, by_thread=by_thread)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          timeout=300, check=False)
    assert (done.returncode, done.stdout) == (0, "clean\n"), done.stderr


@pytest.mark.parametrize("kind", HOURS)
def test_work_of_hours(kind):
    """Another thread of Python's interrupts, which shows as well that work lets it run: nothing
    else would ever end it."""
    run(HOURS[kind], by_thread=True)


def test_reading_a_foreign_forest():
    """Here the last part is the engine's; the signal arrives as it begins."""
    run("""
    from types import SimpleNamespace
    from sklearn.ensemble import RandomForestRegressor
    from wald.foreign import reading
    native = reading._native
    def read_arrays(*arguments, **settings):
        interrupt()
        return native.Forest.read_arrays(*arguments, **settings)
    reading._native = SimpleNamespace(Forest=SimpleNamespace(read_arrays=read_arrays))
    fitted = RandomForestRegressor(10).fit(X, y)
    try:
        wald.from_sklearn(fitted, X, y)
    finally:
        reading._native = native
    """, by_thread=False)


def test_what_progress_raises_stops_the_work():
    run("""
    def stop(done, total):
        sent.set()
        raise KeyboardInterrupt
    small.importance("mda_breiman_cutler", permutations=100_000, progress=stop)
    """, by_thread=False)
