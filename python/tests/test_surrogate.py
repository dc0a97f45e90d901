"""Importances of few runs, against closed forms and against the process of another program."""

import json
import pickle
import subprocess
from statistics import NormalDist
from typing import get_args

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from bad_input import INF, NAN, refused
from kinds_of_tables import Capsule
from pages import ROOT, command

import wald
from wald.typing import Kernel

RANDOM = np.random.default_rng(5)
X = RANDOM.uniform(-1, 1, (50, 3))
NAMED = pd.DataFrame(X, columns=["x1", "x2", "x3"])
# Parts of the variance of x1 + x2² + x1 x2 are 1/3 of x1, 4/45 of x2, and 1/9 of both together.
Y = X[:, 0] + X[:, 1] ** 2 + X[:, 0] * X[:, 1]
CLOSED = np.array([1 / 3 + 1 / 9, 4 / 45 + 1 / 9, 0]) / (1 / 3 + 4 / 45 + 1 / 9)
FEW = wald.RandomForestRegressor(10)
# Trees grown to their ends overestimate indices of inputs that interact.
LARGE_NODES = wald.RandomForestRegressor(40, min_samples_split=20)
SMALL = {"rows": 200, "draws": 2, "starts": 1, "estimator": FEW}


def find(table=NAMED[:30], y=Y[:30], **settings):
    return wald.surrogate(table, y, **{**SMALL, **settings})


@pytest.fixture(scope="module")
def found():
    return find(NAMED, Y, inputs="independent", rows=1500, estimator=LARGE_NODES)


def test_estimates_are_those_of_the_closed_form(found):
    rows = RANDOM.uniform(-1, 1, (1500, 3))
    given = find(NAMED, Y, inputs=rows, rows=1500, estimator=LARGE_NODES)
    assert np.abs(given.two_step - CLOSED).max() < 0.06 < np.abs(given.direct - CLOSED).max()
    assert found.believed == "two_step" and (found.values == found.two_step).all()
    assert found.explained["cross_validated"] > 0.98 > found.explained["forest"]
    # Margins are those of 50 runs.
    assert np.abs(found.exact - CLOSED).max() < 0.1
    assert (np.abs(found.two_step - found.exact) < 3 * found.standard_errors + 0.02).all()
    assert found.explained_of_sample > 0.9


def test_errors_add_up_and_intervals_follow(found):
    parts = np.array([found.errors[reason] for reason in ("trees", "rows", "process")])
    np.testing.assert_allclose(np.sqrt((parts**2).sum(axis=0)), found.standard_errors, rtol=1e-12)
    # The law is known, and with it the bias of the forest: the error of rows is that and the Monte-Carlo
    # error of the exact value. Half an interval is the .9 quantile of the absolute normal error.
    bias = found.two_step - found.exact
    spread = np.sqrt(parts[1] ** 2 - bias**2 + parts[2] ** 2)
    low, high = found.intervals.T
    np.testing.assert_allclose(found.two_step - low, high - found.two_step, rtol=1e-9)
    reach = high - found.two_step
    error = NormalDist()
    covered = [error.cdf((reach - bias) / spread) - error.cdf((-reach - bias) / spread)
               for reach, bias, spread in zip(reach, bias, spread)]
    np.testing.assert_allclose(covered, 0.9, atol=1e-6)
    wider = find(confidence=0.99)
    assert wider.confidence == 0.99 and (np.diff(wider.intervals) > np.diff(find().intervals)).all()


def test_the_process_predicts_as_that_of_scikit_learn(found):
    """With one input, the product of kernels is scikit-learn's own kernel."""
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import Matern

    x = X[:12, [0]]
    y = np.sin(3 * x[:, 0])
    one = find(x, y)
    width = np.ptp(x)
    kernel = Matern(one.process["lengths"][0] * width, "fixed", nu=2.5)
    noise = one.process["noise"]
    assert noise < 1e-4
    rows = np.linspace(-1, 1, 7)[:, np.newaxis]
    # Its mean is 0; with generalised least squares, the mean is that of weighted outputs.
    inverse = np.linalg.inv(kernel(x) + noise * np.eye(12))
    center = inverse.sum(axis=0) @ y / inverse.sum()
    peer = GaussianProcessRegressor(kernel, alpha=noise, optimizer=None).fit(x, y - center)
    mean, deviation = one.predict(rows, return_std=True)
    np.testing.assert_allclose(mean, peer.predict(rows) + center, atol=1e-6)
    assert (deviation >= 0).all() and (one.predict(rows) == mean).all()
    assert one.predict(x, return_std=True)[1].max() < deviation.max()


def test_the_sample_is_what_the_process_predicts(found):
    frame = found.sample
    assert list(frame) == ["x1", "x2", "x3", "y"] and len(frame) == 1500
    predicted = found.predict(frame)
    np.testing.assert_allclose(predicted, frame["y"], atol=1e-8)
    assert (found.predict(frame[["y", "x3", "x1", "x2"]]) == predicted).all()
    assert (found.predict(frame.to_numpy()[:9, :3], n_jobs=1) == predicted[:9]).all()
    assert list(find(y=pd.Series(Y[:30], name="drag")).sample) == ["x1", "x2", "x3", "drag"]


def test_tables_of_inputs(found):
    rows = RANDOM.uniform(-1, 1, (500, 3))
    rows[:50, 1] = 2.0
    frame = pd.DataFrame(rows, columns=["x1", "x2", "x3"])
    given = find(inputs=frame)
    assert given.inputs == "rows" and given.exact is None and len(given.sample) == 200
    assert "the sample leaves the range of the runs: " in " ".join(repr(given).split())
    assert any(" x2 in 1" in note for note in given.notes)
    assert 0.05 < given.outside["x2"] < 0.2
    turned = frame[["x3", "x1", "x2"]].assign(other=1.0)
    for inputs in (rows, turned, dict(turned), pl.from_pandas(turned), pa.table(turned),
                   Capsule(pa.table(turned))):
        assert find(inputs=inputs) == given
    for table in (pl.from_pandas(NAMED[:30]), pa.table(NAMED[:30])):
        assert find(table, inputs=frame) == given
    array = find(X[:30], inputs=rows)
    assert array.feature_names == ["x0", "x1", "x2"] and (array.two_step == given.two_step).all()


def test_groups_measures_and_categories():
    both = find(measure=["sobol_mda", "mdi"], groups={"a": ["x1", "x2"]})
    assert [one.measure for one in both] == ["sobol_mda", "mdi"]
    assert both[0].feature_names == ["a", "x3"] and both[0] == find(groups={"a": ["x1", "x2"]})
    assert both[0].exact is not None and both[1].exact is None
    kinds = np.array(["p", "q", "r"])[np.arange(30) % 3]
    mixed = find(NAMED[["x1"]][:30].assign(kind=kinds), X[:30, 0] + 4 * (kinds == "q"))
    assert mixed.feature_names[mixed.ranking()[0]] == "kind"
    assert len(mixed.process["lengths"]) == 4
    shown = pd.DataFrame({"kind": ["q", "p"], "x1": [0.0, 0.0]})
    np.testing.assert_allclose(mixed.predict(shown), [4.0, 0.0], atol=0.05)
    refused(lambda: mixed.predict(shown.assign(kind="new")), "a level that no run has")
    kept = pickle.loads(pickle.dumps(mixed))
    assert kept == mixed and (kept.predict(shown) == mixed.predict(shown)).all()


def test_equal_bits_on_any_number_of_threads_and_other_seeds():
    one, two = find(n_jobs=1), find(n_jobs=2)
    assert one == two
    assert find(seed=1) != one and find(seed=0) == one
    assert find(estimator=wald.RandomForestRegressor(10, random_state=1, n_jobs=1)) == find(seed=1)


def test_the_command_line_finds_the_same(tmp_path):
    runs = NAMED[:30].assign(y=Y[:30])
    runs.to_csv(tmp_path / "runs.csv", index=False)
    words = ["--target", "y", "--trees", "10", "--rows", "200", "--draws", "2", "--starts", "1",
             "--measure", "sobol_mda,mdi", "--group", "a=x1,x3", "--seed", "3", "--format", "json",
             "--constant-draws", "search", "--quiet"]
    text = subprocess.run([command(), "surrogate", tmp_path / "runs.csv", *words], check=True,
                          capture_output=True, text=True, cwd=ROOT).stdout
    printed = json.loads(text)
    both = find(runs[["x1", "x2", "x3"]], runs["y"], measure=["sobol_mda", "mdi"], seed=3,
                groups={"a": ["x1", "x3"]})
    assert both[0].explained == printed["explained"] and both[0].pva == printed["pva"]
    assert {"believed": both[0].believed, "reason": both[0].reason} == printed["verdict"]
    assert both[0].process["lengths"] == printed["process"]["lengths"]
    assert both[0].exact.tolist() == printed["exact"]["values"]
    for one, other in zip(both, printed["measures"], strict=True):
        assert one.direct.tolist() == other["direct"] and one.unit == other["unit"]
        assert one.two_step.tolist() == other["values"]
        assert one.standard_errors.tolist() == other["standard_errors"]
        assert one.errors["rows"].tolist() == [errors["rows"] for errors in other["errors"]]
        assert one.intervals.tolist() == [[ends["low"], ends["high"]] for ends in other["intervals"]]


def test_results_are_saved_and_say_what_to_believe(found, tmp_path):
    found.save(tmp_path / "found.json")
    again = wald.load(tmp_path / "found.json")
    assert again == found and repr(again) == repr(found)
    rows = X[:5] / 2
    assert (again.predict(rows) == found.predict(rows)).all()
    shown = repr(found)
    assert shown.startswith("Believe the two steps, not the forest of the runs: the process")
    assert max(map(len, shown.splitlines())) <= 88
    assert "leave out the error of the law" in " ".join(shown.split())
    head = shown.splitlines()[4]
    assert head.split() == ["variable", "two-step", "90", "%,", "law", "given", "direct",
                            "(doubtful)", "exact"]
    page = found._repr_html_()
    assert "Believe the two steps" in page and "direct (doubtful)" in page
    frame = found.to_pandas()
    assert list(frame) == ["variable", "direct", "two_step", "error_trees", "error_rows",
                           "error_process", "standard_error", "low", "high", "exact"]
    assert found.to_polars()["two_step"].to_list() == found.two_step.tolist()


def test_a_process_that_predicts_nothing_is_doubtful():
    noise = find(y=RANDOM.normal(size=30))
    assert noise.believed == "neither" and (noise.values == noise.two_step).all()
    assert "Believe neither" in repr(noise) and "two-step (doubtful)" in repr(noise)
    display = noise.plot()
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert {"direct (doubtful)", "two-step (doubtful)"} < set(labels)


def test_pictures_show_both_ways(found):
    display = found.plot(max_variables=2)
    assert isinstance(display, wald.SurrogateDisplay) and display.shown_.tolist() == [0, 1]
    assert "90 % intervals" in display.ax_.get_xlabel()
    refused(lambda: wald.SurrogateDisplay(FEW), "surrogate is of type")


@pytest.mark.parametrize("settings, part", [
    ({"rows": 99}, "99 rows"), ({"rows": 2.5}, "rows is 2.5"), ({"draws": 1}, "1 functions"),
    ({"draws": "x"}, "draws"), ({"starts": 0}, "starts is 0"), ({"starts": 101}, "101 starts"),
    ({"kernel": "cubic"}, "kernel is"), ({"kernel": 3}, "kernel"),
    ({"confidence": 1.5}, "confidence"), ({"confidence": "x"}, "confidence"),
    ({"inputs": "law"}, "inputs is 'law'"), ({"inputs": None}, "inputs is None"),
    ({"inputs": X[:, :2]}, "2 columns for 3 inputs"), ({"inputs": 3}, ""),
    ({"inputs": NAMED[["x1", "x2"]]}, 'no column "x3"'),
    ({"inputs": NAMED.assign(x1=NAN)}, "missing value"),
    ({"inputs": NAMED.assign(x1="a")}, "x1"), ({"inputs": np.full((9, 3), INF)}, ""),
    ({"inputs": NAMED[:0]}, ""),
    ({"measure": "sobol"}, "sobol"), ({"measure": []}, "measure is empty"),
    ({"measure": 3}, "measure is 3"), ({"nonsense": 1}, "surrogate() has no argument 'nonsense'"),
    ({"test": (X, Y)}, "test is given"), ({"groups": {"a": ["z"]}}, "z"),
    ({"estimator": wald.RandomForestClassifier()}, "RandomForestClassifier is not a regressor"),
    ({"estimator": wald.RandomForestRegressor}, "RandomForestRegressor is not a regressor"),
    ({"estimator": wald.ExtraTreesRegressor(5)}, ""),
    ({"seed": -1}, "seed is -1"), ({"n_jobs": 0}, "n_jobs is 0"), ({"progress": 3}, "progress"),
    ({"y": np.ones(30)}, "no variance"), ({"y": np.full(30, NAN)}, ""),
    ({"y": np.where(Y[:30] > 0, "a", "b")}, ""), ({"y": Y[:9]}, ""),
    ({"table": NAMED[:30].where(NAMED > -0.9)}, "missing value"),
    ({"table": np.ones((30, 2))}, "all inputs are constant"),
    ({"table": X[:2], "y": Y[:2]}, "there are 2"),
], ids=str)
def test_bad_input(settings, part):
    refused(lambda: find(**settings), part)


def test_kernels_are_those_that_there_are():
    known = get_args(Kernel)
    for kernel in known:
        assert find(kernel=kernel).process["kernel"] == kernel
    with pytest.raises(wald.SettingError) as refusal:
        find(kernel="nonsense")
    assert refusal.value.help == "give one of " + ", ".join(f'"{name}"' for name in known)
    assert refusal.value.setting == "kernel"


def test_progress_never_goes_back():
    calls = []
    find(progress=lambda done, of: calls.append((done, of)))
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1][0] == calls[-1][1]
