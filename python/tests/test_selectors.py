"""Boruta and integrated path stability selection as selectors."""

import json
import os
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import wald

DATA = wald.simulate("friedman_1", rows=120, seed=1)

# The bags of a table with repeated rows are others than those of one with weights.
FAILURES = {f"check_sample_weight_equivalence_on_{kind}_data": "other random rows and trees"
            for kind in ("dense", "sparse")}


@parametrize_with_checks(
    # So undemanding that they select variables of noise: they predict by those that they selected.
    [wald.Boruta(wald.RandomForestRegressor(5), "mdi", max_runs=12, percentile=1, level=0.9,
                 multiple_testing="none", rough_fix=True),
     wald.IPSS(wald.RandomForestClassifier(5), pairs=5, subsample_trees=5, target_fp=1e6)],
    expected_failed_checks=lambda estimator: FAILURES)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def printed(tmp_path, *words):
    DATA.to_csv(tmp_path / "d.csv", index=False)
    command = [os.environ["WALD"], "select", "d.csv", "--target", "y", "--trees", "30",
               "--constant-draws", "search", "--format", "json", "--quiet", *words]
    return json.loads(subprocess.check_output(command, cwd=tmp_path))


@pytest.mark.skipif("WALD" not in os.environ, reason="WALD names no command")
def test_numbers_are_those_of_the_command_line(tmp_path):
    forest = wald.RandomForestRegressor(30)
    boruta = wald.Boruta(forest, max_runs=15).fit(DATA.inputs, DATA.target)
    found = printed(tmp_path, "--method", "boruta", "--max-runs", "15")
    assert [one["decision"] for one in found["variables"]] == boruta.decisions_.tolist()
    assert [one["rank"] for one in found["variables"]] == boruta.ranking_.tolist()
    assert found["thresholds"] == boruta.shadow_history_.tolist()
    ipss = wald.IPSS(forest, pairs=6).fit(DATA.inputs, DATA.target)
    found = printed(tmp_path, "--method", "ipss", "--pairs", "6")
    assert found["efp_scores"] == ipss.efp_scores_.tolist()
    assert found["q_values"] == ipss.q_values_.tolist()


def test_boruta_confirms_and_predicts():
    selector = wald.Boruta(wald.RandomForestRegressor(50), "mdi", rough_fix=True)
    selector.fit(DATA.inputs, DATA.target)
    assert {"x1", "x2", "x4"} <= set(selector.get_feature_names_out())
    assert not selector.support_weak_.any() and selector.n_features_ == selector.support_.sum()
    assert (selector.ranking_[selector.support_] == 1).all()
    assert selector.importance_history_.shape == (selector.n_runs_, 10)
    rejected = selector.decisions_ == "rejected"
    assert np.isnan(selector.importance_history_[-1, rejected]).any()
    kept = selector.transform(DATA.inputs)
    again = clone(selector.estimator).fit(kept, DATA.target)
    assert np.array_equal(selector.predict(DATA.inputs), again.predict(kept))


def test_ipss_selects_at_targets():
    forest = wald.RandomForestRegressor(50)
    strict = wald.IPSS(forest, target_fp=0.5, pairs=20).fit(DATA.inputs, DATA.target)
    loose = clone(strict).set_params(target_fp=10).fit(DATA.inputs, DATA.target)
    assert np.array_equal(strict.efp_scores_, loose.efp_scores_)
    assert np.array_equal(loose.support_, loose.efp_scores_ <= 10)
    assert strict.n_features_ < loose.n_features_
    assert strict.stability_paths_.shape == (len(strict.thresholds_), 10)
    assert (np.diff(strict.thresholds_) < 0).all()
    few = clone(loose).set_params(preselect=5).fit(DATA.inputs, DATA.target)
    assert not np.array_equal(few.efp_scores_, loose.efp_scores_)
    every = clone(loose).set_params(preselect=None).fit(DATA.inputs, DATA.target)
    assert np.array_equal(every.efp_scores_, loose.efp_scores_)


def test_groups_are_selected_together():
    groups = {"pair": ["x4", "x9"]}
    boruta = wald.Boruta(wald.RandomForestRegressor(30), "mdi", groups=groups)
    boruta.fit(DATA.inputs, DATA.target)
    assert boruta.support_[3] and boruta.support_[8]
    ipss = wald.IPSS(wald.RandomForestRegressor(30), groups=groups, pairs=8)
    ipss.fit(DATA.inputs, DATA.target)
    assert ipss.efp_scores_[3] == ipss.efp_scores_[8] and ipss.stability_paths_.shape[1] == 10


def test_of_noise_nothing_is_selected():
    noise = pd.Series(np.random.default_rng(1).standard_normal(120))
    selector = wald.IPSS(wald.RandomForestRegressor(30), target_fp=0.01, pairs=10)
    selector.fit(DATA.inputs, noise)
    assert selector.n_features_ == 0 and selector.estimator_ is None
    with pytest.raises(wald.DataError, match="no variable was selected"):
        selector.predict(DATA.inputs)


@pytest.mark.parametrize("selector", [
    wald.Boruta(wald.RandomForestRegressor(10), "mdi", max_runs=10),
    wald.IPSS(wald.RandomForestRegressor(10), pairs=5, subsample_trees=10)])
def test_where_no_tree_has_a_split_a_note_states_that_nothing_is_known(selector):
    assert selector.fit(DATA.inputs, DATA.target).note_ is None
    whole = clone(selector).set_params(estimator__min_samples_split=1000)
    whole.fit(DATA.inputs, DATA.target)
    assert whole.note_.startswith("no tree has a split, so that nothing is known")
    assert not whole.support_.any() and whole.n_features_ == 0


def test_a_note_states_that_single_variables_are_never_selected():
    pair = DATA.inputs[["x4", "x9"]]
    selector = wald.IPSS(wald.RandomForestRegressor(10), groups={"pair": ["x4", "x9"]}, pairs=5,
                         subsample_trees=10)
    selector.fit(pair, DATA.target)
    assert "a single one is never selected" in selector.note_
    assert not selector.support_.any()


@pytest.mark.parametrize(("selector", "changes", "words"), [
    (wald.Boruta, {"level": 2}, "level is 2"),
    (wald.Boruta, {"multiple_testing": "holm"}, "give one of 'bonferroni'"),
    (wald.Boruta, {"percentile": 0}, "percentile is 0"),
    (wald.Boruta, {"max_runs": 3}, "3 runs decide nothing"),
    (wald.Boruta, {"rough_fix": "yes"}, "rough_fix"),
    (wald.Boruta, {"measure": "nonsense"}, "not a measure"),
    (wald.IPSS, {"pairs": 1}, "pairs is 1"),
    (wald.IPSS, {"power": 4}, "power is 4"),
    (wald.IPSS, {"preselect": 4}, "preselect is 4"),
    (wald.IPSS, {"subsample_trees": 0}, "subsample_trees is 0"),
    (wald.IPSS, {"target_fdr": 0.1, "target_fp": 1}, "both given"),
    (wald.IPSS, {"target_fdr": 1.5}, "target_fdr is 1.5"),
    (wald.IPSS, {"target_fp": float("inf")}, "target_fp is inf"),
    (wald.IPSS, {"estimator": None}, "not an estimator of wald"),
])
def test_what_does_not_fit_is_refused(selector, changes, words):
    fitted = selector(wald.RandomForestRegressor(5), "mdi").set_params(**changes)
    with pytest.raises(wald.SettingError, match=words):
        fitted.fit(DATA.inputs, DATA.target)
