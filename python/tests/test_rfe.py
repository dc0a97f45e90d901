"""Recursive feature elimination as a selector."""

import json
import os
import pickle
import subprocess

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import wald

DATA = wald.simulate("friedman_1", rows=120, seed=1)

# The folds of a table with repeated rows are others than those of one with weights.
FAILURES = {f"check_sample_weight_equivalence_on_{kind}_data": "other random folds and trees"
            for kind in ("dense", "sparse")}


@parametrize_with_checks(
    [wald.RFE(wald.RandomForestRegressor(5), folds=2),
     wald.RFE(wald.RandomForestClassifier(5), measure="mdi", folds=2, loss="zero_one")],
    expected_failed_checks=lambda estimator: FAILURES)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def selector():
    selector = wald.RFE(wald.RandomForestRegressor(20), folds=3, step=3)
    return selector.fit(DATA.inputs, DATA.target)


def test_numbers_are_those_of_the_command_line(selector):
    # wald simulate friedman_1 --rows 120 --seed 1 --output d.csv
    # wald select d.csv --target y --trees 20 --folds 3 --step 3 --format json
    found = selector.selection_
    assert found.n_variables.tolist() == [10, 7, 4, 1]
    assert found.errors.tolist() == [
        10.690655374347106, 9.934590707441375, 7.268576318590237, 23.419069887666037]
    assert found.standard_errors.tolist() == [
        0.3387219722541084, 2.0306185123705873, 0.7384783679800857, 3.174297109303208]
    assert [found.feature_names[at] for at in found.order] == [
        "x10", "x9", "x3", "x6", "x8", "x7", "x5", "x1", "x2", "x4"]
    assert (found.best_size, found.one_standard_error_size) == (4, 4)


@pytest.mark.skipif("WALD" not in os.environ, reason="WALD names no command")
def test_numbers_are_those_of_this_command_line(selector, tmp_path):
    DATA.to_csv(tmp_path / "d.csv", index=False)
    command = [os.environ["WALD"], "select", "d.csv", "--target", "y", "--trees", "20",
               "--constant-draws", "search",
               "--folds", "3", "--step", "3", "--format", "json", "--quiet"]
    printed = json.loads(subprocess.check_output(command, cwd=tmp_path))
    found = selector.selection_
    for name, values in (("error", found.errors), ("standard_error", found.standard_errors),
                         ("explained_variance", found.explained_variance)):
        assert [point[name] for point in printed["curve"]] == values.tolist()
    assert printed["order"] == [found.feature_names[at] for at in found.order]


@pytest.mark.parametrize("forest", [wald.RandomForestRegressor, wald.ConditionalForestRegressor])
def test_a_number_of_variables_stays_where_columns_are_left_out(forest):
    def errors(max_features):
        grown = forest(5, max_features=max_features)
        return wald.RFE(grown, measure="mdi", folds=2, step=3).fit(DATA.inputs, DATA.target).selection_.errors
    # Of 10 columns, the square root is 3, and conditional forests try 5 unless given.
    number, usual = (5, None) if forest is wald.ConditionalForestRegressor else (3, "sqrt")
    assert errors(number)[0] == errors(usual)[0]
    if usual == "sqrt":
        assert errors(number)[1] != errors(usual)[1]
    else:
        assert errors("sqrt")[0] == errors(3)[0] != errors(usual)[0]


@pytest.mark.skipif("WALD" not in os.environ, reason="WALD names no command")
def test_a_number_of_variables_is_that_of_the_command_line(tmp_path):
    DATA.to_csv(tmp_path / "d.csv", index=False)
    command = [os.environ["WALD"], "select", "d.csv", "--target", "y", "--trees", "5", "--mtry", "3",
               "--constant-draws", "search",
               "--folds", "2", "--step", "3", "--format", "json", "--quiet"]
    printed = json.loads(subprocess.check_output(command, cwd=tmp_path))
    forest = wald.RandomForestRegressor(5, max_features=3)
    found = wald.RFE(forest, folds=2, step=3).fit(DATA.inputs, DATA.target).selection_
    assert [point["error"] for point in printed["curve"]] == found.errors.tolist()


def test_support_and_ranks_follow_the_order(selector):
    assert selector.n_features_ == 4
    assert selector.get_feature_names_out().tolist() == ["x1", "x2", "x4", "x5"]
    # x10, x9, x3 left first, then x6, x8, x7.
    assert selector.ranking_.tolist() == [1, 1, 3, 1, 1, 2, 2, 2, 3, 3]
    assert selector.get_support(indices=True).tolist() == [0, 1, 3, 4]
    assert selector.cv_results_["n_features"].tolist() == [10, 7, 4, 1]


def test_frames_stay_frames_of_their_kind(selector):
    kept = selector.transform(DATA.inputs)
    assert isinstance(kept, pd.DataFrame) and list(kept) == ["x1", "x2", "x4", "x5"]
    mixed = DATA.inputs.assign(kind=pd.Categorical(np.where(DATA.target > 14, "high", "low")))
    forest = wald.RandomForestRegressor(20)
    fitted = wald.RFE(forest, measure="mdi", folds=3, step=5, n_features_to_select=2)
    kept = fitted.fit(mixed, DATA.target).transform(mixed)
    assert kept["kind"].dtype == "category" and kept.shape == (120, 2)
    polars = fitted.fit(pl.from_pandas(mixed), DATA.target).transform(pl.from_pandas(mixed))
    assert isinstance(polars, pl.DataFrame) and set(polars.columns) == set(kept)


def test_predicts_by_the_variables_kept(selector):
    by_hand = clone(selector.estimator).fit(selector.transform(DATA.inputs), DATA.target)
    assert np.array_equal(selector.predict(DATA.inputs), by_hand.predict(
        DATA.inputs[["x1", "x2", "x4", "x5"]]))
    assert selector.score(DATA.inputs, DATA.target) > 0.8


def test_sizes_can_be_chosen():
    forest = wald.RandomForestRegressor(20)
    for wanted, n in ((2, 2), ("one_standard_error", None), ("best", None)):
        fitted = wald.RFE(forest, folds=3, step=0.5, n_features_to_select=wanted)
        fitted.fit(DATA.inputs, DATA.target)
        found = fitted.selection_
        n = n or {"best": found.best_size}.get(wanted, found.one_standard_error_size)
        assert fitted.n_features_ == n == fitted.support_.sum()
        assert set(np.flatnonzero(fitted.support_)) == set(found.order[-n:])


def test_works_in_pipelines_and_searches():
    X, y = load_iris(return_X_y=True, as_frame=True)
    selector = wald.RFE(wald.RandomForestClassifier(20), folds=3, measure="mda_breiman_cutler")
    pipeline = make_pipeline(selector, wald.RandomForestClassifier(20)).fit(X, y)
    assert pipeline.score(X, y) > 0.95
    search = GridSearchCV(selector, {"n_features_to_select": [1, 2]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    assert selector.fit(X, y).predict_proba(X).shape == (150, 3)
    assert make_pipeline(
        wald.RFE(wald.RandomForestRegressor(20), folds=3, step=5), LinearRegression()
    ).fit(DATA.inputs, DATA.target).score(DATA.inputs, DATA.target) > 0.5


def test_pickles(selector):
    again = pickle.loads(pickle.dumps(selector))
    assert again.selection_ == selector.selection_
    assert np.array_equal(again.predict(DATA.inputs), selector.predict(DATA.inputs))


@pytest.mark.parametrize(("changes", "kind", "words"), [
    ({"folds": 1}, wald.SettingError, "2 folds"),
    ({"folds": 1000}, wald.SettingError, "120 rows"),
    ({"step": 0}, wald.SettingError, "step is 0"),
    ({"step": 1.5}, wald.SettingError, "step is 1.5"),
    ({"loss": "hinge"}, wald.SettingError, "give one of 'squared'"),
    ({"loss": "zero_one"}, wald.SettingError, "zero_one"),
    ({"measure": "nonsense"}, wald.SettingError, "not a measure"),
    ({"measure": "mda_train_test"}, wald.MeasureError, "test rows"),
    ({"n_features_to_select": 11}, wald.SettingError, "from 1 to 10"),
    ({"n_features_to_select": "few"}, wald.SettingError, "'few'"),
    ({"min_features_to_select": 10}, wald.SettingError, "between 1 and 9"),
    ({"estimator": RandomForestRegressor()}, wald.SettingError, "not an estimator of wald"),
])
def test_what_does_not_fit_is_refused(changes, kind, words):
    selector = wald.RFE(wald.RandomForestRegressor(5), measure="mdi", folds=2, step=5)
    with pytest.raises(kind, match=words):
        selector.set_params(**changes).fit(DATA.inputs, DATA.target)
