"""How soon Ctrl-C is heard: from the signal to KeyboardInterrupt, for every kind of work."""

import os
import random
import signal
import statistics
import tempfile
import threading
import time

import numpy as np
from sklearn.ensemble import RandomForestRegressor

import wald
from report import head, machine, row

# Milliseconds: of most interruptions, and of the slowest.
AIM, WORST = 100, 250


def works(rows, folder):
    """Names, and work that goes on for longer than anybody waits."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(rows, 30))
    y = X[:, 0] * X[:, 1] + X[:, 2] + draw.normal(size=rows)
    few = slice(rows // 20)
    small = wald.RandomForestRegressor(50).fit(X[few], y[few])
    forest = wald.RandomForestRegressor(100).fit(X, y)
    peer = RandomForestRegressor(20, max_features=1 / 3, n_jobs=-1).fit(X, y)
    endless = wald.RandomForestRegressor(10_000_000)
    path = os.path.join(folder, "report.html")
    return {
        "fit": lambda: endless.fit(X, y),
        "fit, one tree after the other": lambda: [
            wald.RandomForestRegressor(1).fit(X, y) for _ in range(10_000)],
        "fit, random thresholds": lambda: wald.ExtraTreesRegressor(10_000_000).fit(X, y),
        "fit, conditional": lambda: wald.ConditionalForestRegressor(10_000_000).fit(X[few], y[few]),
        "predict": lambda: [forest.predict(X) for _ in range(10_000)],
        **{f"importance, {measure}": lambda measure=measure: [
            forest.importance(measure) for _ in range(10_000)]
           for measure in ("mdi", "mdi_oob", "mda_breiman_cutler", "mda_ishwaran_kogalur",
                           "sobol_mda", "conditional_permutation", "air")},
        "importance, sage": lambda: [small.importance("sage") for _ in range(10_000)],
        "importance, total_sobol_retrain": lambda: [
            small.importance("total_sobol_retrain") for _ in range(10_000)],
        **{f"explain, {measure}": lambda measure=measure: [
            forest.explain(X, measure) for _ in range(10_000)]
           for measure in ("tree_shap", "saabas", "local_mdi")},
        "explain, tree_shap_interactions": lambda: [
            small.explain(X, "tree_shap_interactions") for _ in range(10_000)],
        "from_sklearn": lambda: [wald.from_sklearn(peer, X, y) for _ in range(10_000)],
        "report": lambda: [wald.report(small, path, force=True) for _ in range(10_000)],
        "RFE": lambda: wald.RFE(endless, folds=2).fit(X[few], y[few]),
        "pickle": lambda: [forest._forest.to_bytes() for _ in range(10_000)],
    }


def latency(work, wait):
    """Milliseconds from the signal, sent after so many seconds, to the exception."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(wait, send)
    try:
        timer.start()
        work()
    except KeyboardInterrupt:
        return 1000 * (time.perf_counter() - sent[0])
    raise SystemExit("the work came to its end before it was interrupted")


def report(repeats, rows=50_000):
    """Prints the table."""
    # A process started in the background may have been set to ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    when = random.Random(0)
    print("## Ctrl-C\n")
    print(f"{machine()}. {rows:,} rows, 30 variables; milliseconds from the signal to "
          f"KeyboardInterrupt, {repeats} times each, at random moments; target: a median of "
          f"{AIM}, at most {WORST}\n")
    head("work", "median", "90 %", "slowest")
    everything = []
    with tempfile.TemporaryDirectory() as folder:
        for name, work in works(rows, folder).items():
            found = sorted(latency(work, when.uniform(0.2, 1.5)) for _ in range(repeats))
            everything += found
            row([name, *(f"{value:.0f}" for value in (
                statistics.median(found), found[int(0.9 * (len(found) - 1))], found[-1]))])
    slow = sum(value > AIM for value in everything) / len(everything)
    print(f"\nall: median {statistics.median(everything):.0f}, slowest {max(everything):.0f}; "
          f"{100 * slow:.1f} % above {AIM}\n")
