"""What the tests of executors share: every command that takes one, what it writes, and a death."""

import os
import signal
from dataclasses import replace
from functools import cache, partial

import numpy as np
from kinds_of_tables import mixed

import wald
from wald._executors import part

FRAME, Y = mixed(200)
CLASSES = np.where(Y > np.median(Y), "high", "low")
WEIGHTS = np.linspace(0.5, 2.0, len(Y))
CLUSTERS = np.repeat(np.arange(100), 2)


def forest(**settings):
    return wald.RandomForestRegressor(**{"n_estimators": 24, "random_state": 3, **settings})


@cache
def fitted():
    return forest().fit(FRAME, Y)


def written(result, folder):
    """The document of a result."""
    path = folder / "found.json"
    result.save(path, force=True)
    return path.read_bytes()


def grow(executor, folder):
    grown = wald.RandomForestClassifier(25).fit(FRAME, CLASSES, WEIGHTS, CLUSTERS, executor=executor)
    return grown._forest.to_bytes() + grown.oob_decision_function_.tobytes()


def grow_more(executor, folder):
    grown = forest(n_estimators=7, warm_start=True).fit(FRAME, Y)
    grown.set_params(n_estimators=24).fit(FRAME, Y, executor=executor)
    return grown._forest.to_bytes() + grown.oob_prediction_.tobytes()


def measure(executor, folder):
    return b"".join(
        written(fitted().importance(name, executor=executor, **settings), folder)
        for name, settings in [
            ("sobol_mda", {}), ("mda_breiman_cutler", {"permutations": 3, "loss": "absolute"}),
            ("mda_train_test", {"test": (FRAME[:50], Y[:50])}),
            ("tree_shap_interventional", {"background": FRAME[:9]}),
            ("mdi", {"groups": {"both": ["number", "text"]}})])


def select(executor, folder):
    found = wald.RFE(forest(), folds=3).fit(FRAME, Y, executor=executor)
    return written(found.selection_, folder) + found.estimator_._forest.to_bytes()


def uncertainty(executor, folder):
    found = wald.uncertainty(fitted(), ["mdi", "sobol_mda"], subsamples=8, subsample_trees=10,
                             null_distribution="shadow", null_forests=5, executor=executor)
    return b"".join(written(one, folder) for one in found)


def masking(executor, folder):
    return written(wald.masking(forest(), FRAME, Y, executor=executor), folder)


def report(executor, folder):
    path = folder / "report.html"
    wald.report(fitted(), path, force=True, quick=True, executor=executor)
    return path.read_bytes()


def conditional(executor, folder):
    settings = {"sample_weight": WEIGHTS, "clusters": CLUSTERS, "executor": executor}
    return b"".join(
        written(wald.conditional_test(forest(), FRAME, Y, method=method, **settings), folder)
        for method in ("sobol_cpi", "loco"))


COMMANDS = (grow, grow_more, measure, select, uncertainty, masking, conditional, report)


class Here:
    """What every command gives without an executor, computed once."""

    def __init__(self, folder):
        self.of = cache(lambda command: command(None, folder))


class Death:
    """Lets the worker that has the second part be killed in the middle of it, the first time."""

    def __init__(self, monkeypatch, folder):
        self.marker = folder / "killed"
        monkeypatch.setattr(part, "run", partial(_dies_once, self.marker))

    def has_come(self):
        return self.marker.exists()


def dies(folder, *_):
    """Work of a worker that is killed at once, and leaves its number."""
    (folder / str(os.getpid())).touch()
    return _die()


def _dies_once(marker, task, number, *large):
    # In a worker, this is what it always was.
    if number != 2 or marker.exists():
        return part.run(task, number, *large)
    marker.touch()
    # The worker looks from time to time whether the part is wanted; short work is lost at its end.
    part.run(replace(task, is_wanted=_die), number, *large)
    return _die()


def _die():
    os.kill(os.getpid(), signal.SIGKILL)
