"""Advice: which measure answers which question."""

import json
import re

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
    assert "Findings" in page and "<script" not in page
    frame = advice.to_pandas()
    assert set(frame["validity"]) <= {"valid", "careful", "invalid"}
    assert list(frame.columns) == ["objective", "measure", "validity", "reason", "source"]


def test_groups_are_variables(dependent):
    advice = wald.advise(dependent, groups={"one": ["x1", "x2"], "two": ["x4", "x5"]})
    found = next(one for one in advice.findings if one["id"] == "dependence")
    evidence = {one["name"]: one["value"] for one in found["evidence"]}
    assert evidence["pairs tested"] == 3.0
    assert found["concern"] != "serious"


def test_foreign_forests_list_what_is_unknown():
    ensemble = pytest.importorskip("sklearn.ensemble")
    data = wald.simulate("friedman_1", rows=200, seed=2)
    fitted = ensemble.RandomForestRegressor(20, bootstrap=False, random_state=0)
    forest = wald.from_sklearn(fitted.fit(data.inputs, data.target), data.inputs, data.target)
    advice = wald.advise(forest)
    concerns = {one["id"]: one["concern"] for one in advice.findings}
    assert concerns["weak_forest"] == "unknown" and concerns["too_few_trees"] == "unknown"
    first = advice.objectives[0]
    assert first["recommended"] not in (None, "sobol_mda")
    assert "of the measures that this forest allows" in first["reason"].lower()
    assert "A forest that is grown from the table allows sobol_mda as well" in first["reason"]


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


@pytest.mark.parametrize("thing, kind", [
    (None, SettingError), (3, SettingError), (wald.RandomForestRegressor(), wald.NotFittedError),
    ("forest", SettingError)])
def test_what_is_no_fitted_forest_is_refused(thing, kind):
    with pytest.raises(kind):
        wald.advise(thing)


def forests_of_other_programs():
    """By name, a forest of every kind that can be imported, with rows that it never saw."""
    import lightgbm
    import sklearn.ensemble
    import sklearn.tree
    import xgboost
    import ydf

    data = wald.simulate("benard_example_1", rows=240, seed=3)
    frame = pd.DataFrame(dict(data.inputs), dtype=float)
    y = np.asarray(data.target, dtype=float)
    classes = (y > np.median(y)).astype(int)
    few, quiet = dict(n_estimators=12), dict(n_estimators=12, verbose=-1)
    bags = dict(boosting="rf", bagging_freq=1, bagging_fraction=0.6)
    ways = {
        "scikit-learn": (sklearn.ensemble.RandomForestRegressor(12, random_state=0), y),
        "scikit-learn, all rows": (sklearn.ensemble.ExtraTreesRegressor(12, random_state=0), y),
        "scikit-learn, classes": (
            sklearn.ensemble.RandomForestClassifier(12, bootstrap=False, random_state=0), classes),
        "scikit-learn, one tree": (sklearn.tree.DecisionTreeRegressor(max_depth=5), y),
        "LightGBM": (lightgbm.LGBMRegressor(**quiet), y),
        "LightGBM, classes": (lightgbm.LGBMClassifier(**quiet), classes),
        "LightGBM, forest": (lightgbm.LGBMRegressor(**quiet, **bags), y),
        "LightGBM, forest of classes": (lightgbm.LGBMClassifier(**quiet, **bags), classes),
        "XGBoost": (xgboost.XGBRegressor(max_depth=4, **few), y),
        "XGBoost, classes": (xgboost.XGBClassifier(max_depth=4, **few), classes),
        "XGBoost, forest": (xgboost.XGBRFRegressor(max_depth=4, **few), y),
        "YDF": (ydf.RandomForestLearner(label="y", task=ydf.Task.REGRESSION, num_trees=12), y),
        "YDF, classes": (ydf.GradientBoostedTreesLearner(label="y", num_trees=12), classes),
    }
    readers = {"scikit": wald.from_sklearn, "LightG": wald.from_lightgbm,
               "XGBoos": wald.from_xgboost}
    rows, test = slice(0, 160), slice(160, 240)
    for name, (model, target) in ways.items():
        if name.startswith("YDF"):
            fitted = model.train(frame[rows].assign(y=target[rows]), verbose=0)
            forest = wald.from_ydf(fitted, frame[rows], target[rows])
        else:
            fitted = model.fit(frame[rows], target[rows])
            forest = readers[name[:6]](fitted, frame[rows], target[rows])
        yield name, forest, (frame[test], target[test])


@pytest.fixture(scope="module")
def imported():
    return {name: (forest, test) for name, forest, test in forests_of_other_programs()}


KINDS = ["scikit-learn", "scikit-learn, all rows", "scikit-learn, classes",
         "scikit-learn, one tree", "LightGBM", "LightGBM, classes", "LightGBM, forest",
         "LightGBM, forest of classes", "XGBoost", "XGBoost, classes", "XGBoost, forest", "YDF",
         "YDF, classes"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_recommended_runs_on_the_forest(kind, imported):
    forest, test = imported[kind]
    assert len(imported) == len(KINDS)
    advice = wald.advise(forest)
    for objective in advice.objectives:
        for one in objective["verdicts"]:
            # Rows that the forest never saw are the user's to give.
            given = {"test": test} if one["measure"] == "mda_train_test" else {}
            found = forest.importance(one["measure"], **given)
            assert np.isfinite(found.values).all(), one["measure"]
        measure = objective["recommended"]
        if measure is None:
            assert "grow a forest" in objective["reason"] and "another forest" in repr(advice)
            assert objective["id"] not in advice.recommended
            assert "grow a forest" in advice.summary[1]
        else:
            assert np.isfinite(forest.importance(measure).values).all()
            assert any(one["measure"] == measure and one["validity"] != "invalid"
                       for one in objective["verdicts"])
    if kind == "scikit-learn":
        assert advice.recommended["selection"] == "sobol_mda"


def test_further_questions_are_answered_by_their_commands():
    data = wald.simulate("friedman_1", rows=90, seed=2)
    X = data.inputs[["x1", "x2", "x4"]].assign(copy=data.inputs["x4"] ** 2)
    forest, y = wald.RandomForestRegressor(10).fit(X, data.target), data.target
    further = wald.advise(forest).further
    assert {"test", "relevance", "false_discoveries", "effect", "comparison", "interval",
            "distribution", "rows"} <= {one["id"] for one in further}
    for one in further:
        assert one["answer"].endswith(".")
        assert "few rows" in one["answer"] or one["id"] in ("effect", "rows")
        names = {"wald": wald, "forest": forest, "other": forest, "X": X, "y": y}
        found = eval(one["command"], names)
        if one["id"] in ("interval", "rows"):
            assert found.shape == {"interval": (90, 2), "rows": (90,)}[one["id"]]
        else:
            assert type(found).__module__.startswith("wald."), one


@pytest.mark.parametrize("kind", KINDS)
def test_what_refusals_name_instead_runs_on_the_forest(kind, imported):
    forest, test = imported[kind]
    names = [info["id"] for info in wald.measures() if info["kind"] == "importance"]
    n_refused = 0
    for measure in names:
        if measure in ("sage", "shapley_effects"):
            continue  # They take long where they run.
        try:
            forest.importance(measure)
        except wald.MeasureError as refusal:
            n_refused += 1
            instead = set(re.findall(r"\w+", refusal.help)) & set(names)
            for other in instead - {measure}:
                given = {"test": test} if other == "mda_train_test" else {}
                assert np.isfinite(forest.importance(other, **given).values).all(), (measure, other)
    assert n_refused > 0
