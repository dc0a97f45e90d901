"""Advice: which measure answers which question."""

import json

import numpy as np
import pandas as pd
import pytest
import wald
from wald.errors import SettingError


@pytest.fixture(scope="module")
def dependent():
    """Bénard's example 1: dependence and interactions."""
    data = wald.simulate("benard_example_1", rows=800, seed=1)
    return wald.RandomForestRegressor(150, random_state=1).fit(data.inputs, data.target)


def verdict(advice, objective, measure):
    of = next(one for one in advice.objectives if one["id"] == objective)
    return next(one["validity"] for one in of["verdicts"] if one["measure"] == measure)


def test_dependence_and_interactions_leave_sobol_mda(dependent):
    advice = wald.advise(dependent)
    assert advice.recommended == {"selection": "sobol_mda", "influence": "shapley_effects"}
    for measure in ("mda_breiman_cutler", "mda_ishwaran_kogalur", "mda_train_test"):
        assert verdict(advice, "selection", measure) == "invalid"
        assert verdict(advice, "influence", measure) == "invalid"
    assert verdict(advice, "selection", "sobol_mda") == "valid"
    concerns = {one["id"]: one["concern"] for one in advice.findings}
    assert concerns["dependence"] == "serious" and concerns["interactions"] == "serious"
    assert 1 <= len(advice.summary) <= 3
    assert advice == wald.advise(dependent), "the same seed"
    assert json.loads(json.dumps(advice.to_dict())) == advice.to_dict()


def test_results_show_themselves(dependent):
    advice = wald.advise(dependent)
    text = repr(advice)
    assert text.startswith("Advice\n") and "sobol_mda" in text
    assert max(map(len, text.splitlines())) <= 88
    page = advice._repr_html_()
    assert "What was looked for" in page and "<script" not in page
    frame = advice.to_pandas()
    assert set(frame["validity"]) <= {"valid", "careful", "invalid"}
    assert list(frame.columns) == ["objective", "measure", "validity", "reason", "source"]


def test_groups_are_variables(dependent):
    advice = wald.advise(dependent, groups={"one": ["x1", "x2"], "two": ["x4", "x5"]})
    found = next(one for one in advice.findings if one["id"] == "dependence")
    evidence = {one["name"]: one["value"] for one in found["evidence"]}
    assert evidence["pairs tested"] == 3.0
    assert found["concern"] != "serious"


def test_foreign_forests_say_what_cannot_be_told():
    ensemble = pytest.importorskip("sklearn.ensemble")
    data = wald.simulate("friedman_1", rows=200, seed=2)
    fitted = ensemble.RandomForestRegressor(20, bootstrap=False, random_state=0)
    forest = wald.from_sklearn(fitted.fit(data.inputs, data.target), data.inputs, data.target)
    advice = wald.advise(forest)
    concerns = {one["id"]: one["concern"] for one in advice.findings}
    assert concerns["weak_forest"] == "unknown" and concerns["too_few_trees"] == "unknown"
    assert all(one["is_thin"] for one in advice.objectives)


def test_hostile_names_are_data():
    numbers = np.random.default_rng(0).normal(size=(80, 1))
    name = "<script>alert(1)</script>" * 3
    table = {name: numbers[:, 0].tolist(), "b": (2 * numbers[:, 0]).tolist()}
    forest = wald.RandomForestRegressor(20).fit(pd.DataFrame(table), numbers[:, 0])
    advice = wald.advise(forest)
    assert "<script" not in advice._repr_html_().lower()
    assert "…" in next(one for one in advice.findings if one["id"] == "dependence")["sentence"]


@pytest.mark.parametrize("settings", [
    {"level": 0.0}, {"level": 1.5}, {"level": "much"}, {"level": float("nan")}, {"seed": -1},
    {"seed": 1.5}, {"groups": {"g": ["nobody"]}}])
def test_settings_out_of_range_are_refused(dependent, settings):
    with pytest.raises(SettingError):
        wald.advise(dependent, **settings)


@pytest.mark.parametrize("thing", [None, 3, wald.RandomForestRegressor(), "forest"])
def test_what_is_no_fitted_forest_is_refused(thing):
    with pytest.raises(SettingError):
        wald.advise(thing)
