"""Ctrl-C stops all work at once, and leaves everything as it was.

Work that is interrupted here would go on for hours, so that a test that ends shows that it was
stopped; `cargo xtask bench python` measures how long that takes.
"""

import json
import subprocess
import sys

import pytest

# One process does all works one after the other, since importing and preparing take most of the time.
PROGRAM = """
import json, os, signal, sys, threading, time
from types import SimpleNamespace
import numpy as np
import wald
from sklearn.ensemble import RandomForestRegressor
from wald.foreign import reading
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

def read_and_interrupt():
    native = reading._native
    def read_arrays(*arguments, **settings):
        interrupt()
        return native.Forest.read_arrays(*arguments, **settings)
    reading._native = SimpleNamespace(Forest=SimpleNamespace(read_arrays=read_arrays))
    try:
        wald.from_sklearn(RandomForestRegressor(10).fit(X, y), X, y)
    finally:
        reading._native = native

def stop(done, total):
    sent.set()
    raise KeyboardInterrupt

def outcome(work, by_thread):
    begun.clear()
    sent.clear()
    if by_thread:
        threading.Thread(target=interrupt_soon).start()
    try:
        begun.set()
        eval(work)
    except KeyboardInterrupt:
        if not sent.is_set():
            return "interrupted before the signal"
    else:
        # A signal that is still on its way must not meet the next work.
        sys.exit(f"the work went on to its end: {work}")
    again = wald.RandomForestRegressor(200).fit(X, y)
    if not ((again.predict(X) == before).all() and (small.predict(X) == before).all()):
        return "other predictions"
    if again.importance("mdi").values.tolist() != small.importance("mdi").values.tolist():
        return "other importances"
    return "clean"

for kind, work, by_thread in json.loads(sys.argv[1]):
    print(json.dumps([kind, outcome(work, by_thread)]), flush=True)
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

# Here something else than a thread interrupts: the work is named with what does.
AT_ONCE = {
    # The last part of reading is the engine's; the signal arrives as it begins.
    "reading a foreign forest": "read_and_interrupt()",
    "what progress raises": "small.importance('mda_breiman_cutler', permutations=100_000, progress=stop)",
}


@pytest.fixture(scope="module")
def outcomes():
    """What became of each work, up to one that ended the process or hung."""
    works = [(kind, work, True) for kind, work in HOURS.items()]
    works += [(kind, work, False) for kind, work in AT_ONCE.items()]
    try:
        done = subprocess.run([sys.executable, "-c", PROGRAM, json.dumps(works)],
                              capture_output=True, text=True, timeout=300, check=False)
        output, ending = done.stdout, done.stderr
    except subprocess.TimeoutExpired as hung:
        output, ending = (hung.stdout or b"").decode(), "the work was not interrupted"
    return dict(json.loads(line) for line in output.splitlines()), ending


@pytest.mark.parametrize("kind", [*HOURS, *AT_ONCE])
def test_work_is_interrupted(outcomes, kind):
    """Another thread of Python's interrupts, which shows as well that work lets it run: nothing
    else would ever end it."""
    known, ending = outcomes
    assert known.get(kind) == "clean", ending
