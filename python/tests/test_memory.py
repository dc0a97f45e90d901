"""What is over leaves no memory behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc")

# A forest of this script with its table holds 80 kB, the table alone 14 kB: to keep either of them
# at each of 900 turns would add 12 MB at least, and of 1800 fits 25 MB. Without a leak a process
# grows by a few kB, now and then by what an allocator keeps for itself.
MOST = 8_000_000

SCRIPT = """
import gc, resource, sys
import numpy as np
import wald
random = np.random.default_rng(0)
X = random.normal(size=(300, 5))
y = X[:, 0] + random.normal(size=300)
kept = []

def size():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

def grow():
    return wald.RandomForestRegressor(5, n_jobs=1).fit(X, y)

forest = grow()

def measure():
    forest.importance("mda_breiman_cutler", permutations=2)

def explain():
    forest.explain(X[:20], "tree_shap")

def fail():
    try:
        forest.importance("mda_train_test")
    except wald.MeasureError:
        return
    sys.exit("nothing failed")

def stop():
    def stopping(*work):
        raise LookupError
    try:
        forest.importance("mdi", progress=stopping)
    except LookupError:
        return
    sys.exit("nothing stopped")

def leak():
    kept.append(grow()) if len(kept) % 4 else kept.append(None)

work, warm, n = {work}, {warm}, {n}
for _ in range(warm):
    work()
before = size()
for _ in range(n):
    work()
print(size() - before)
"""


def growth(work, warm, n):
    """Bytes that a process grows by."""
    code = SCRIPT.replace("{work}", work).replace("{warm}", str(warm)).replace("{n}", str(n))
    # One arena, whose size does not depend on which thread asked when.
    environment = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          check=True, env=environment)
    return int(done.stdout)


@pytest.mark.parametrize("work, warm, n", [
    ("grow", 200, 1800), ("measure", 100, 900), ("explain", 100, 900), ("fail", 100, 900),
    ("stop", 100, 900)])
def test_memory_does_not_grow(work, warm, n):
    assert growth(work, warm, n) < MOST


def test_a_leak_would_be_seen():
    """Three of four forests are kept, but many fewer of them."""
    assert growth("leak", 20, 400) > 2 * MOST
