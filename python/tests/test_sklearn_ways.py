"""Estimators at work inside scikit-learn: pipelines, searches, selectors, routed weights."""

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import RFECV, SelectFromModel
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import wald


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True, as_frame=True)


def test_pipelines_hand_their_tables_on(diabetes):
    X, y = diabetes
    forest = wald.RandomForestRegressor(n_estimators=30)
    pipeline = make_pipeline(StandardScaler(), forest)
    assert cross_validate(pipeline, X, y, cv=3)["test_score"].mean() > 0.3
    scaled = StandardScaler().fit_transform(X)
    expected = clone(forest).fit(scaled, y).predict(scaled)
    assert np.array_equal(pipeline.fit(X, y).predict(X), expected)


def test_searches_find_the_better_settings(diabetes):
    X, y = diabetes
    search = GridSearchCV(wald.RandomForestRegressor(30), {"max_depth": [1, 6]}, cv=3).fit(X, y)
    assert search.best_params_ == {"max_depth": 6}
    assert search.best_score_ == max(search.cv_results_["mean_test_score"]) > 0.3
    again = wald.RandomForestRegressor(30, max_depth=6).fit(X, y)
    assert np.array_equal(search.predict(X), again.predict(X))


def test_selectors_keep_the_variables_that_matter(diabetes):
    X, y = diabetes
    forest = wald.RandomForestRegressor(30)
    chosen = SelectFromModel(forest, threshold="mean").fit(X, y)
    shares = forest.fit(X, y).feature_importances_
    assert np.array_equal(chosen.get_support(), shares >= shares.mean())
    assert {"bmi", "s5"} <= set(chosen.get_feature_names_out())
    kept = RFECV(forest, step=3, cv=3, min_features_to_select=2).fit(X, y)
    assert {"bmi", "s5"} <= set(kept.get_feature_names_out())
    best = kept.cv_results_["mean_test_score"].argmax()
    assert kept.n_features_ == kept.cv_results_["n_features"][best]


def test_permutation_importance_of_scikit_learn(diabetes):
    X, y = diabetes
    forest = wald.RandomForestRegressor(30).fit(X, y)
    found = permutation_importance(forest, X, y, n_repeats=2, random_state=0).importances_mean
    assert {X.columns[at] for at in np.argsort(found)[-2:]} == {"bmi", "s5"}


def test_boruta_tells_noise_from_signal():
    boruta = pytest.importorskip("boruta")
    generator = np.random.default_rng(1)
    X = generator.normal(size=(200, 6))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    forest = wald.RandomForestClassifier(max_depth=5)
    found = boruta.BorutaPy(forest, n_estimators=50, max_iter=30, random_state=0).fit(X, y)
    assert found.support_.tolist() == [True, True, False, False, False, False]


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def test_weights_are_routed_through_pipelines_and_searches(routing, diabetes):
    X, y = diabetes
    weights = np.where(y > y.median(), 5.0, 0.1)
    forest = wald.RandomForestRegressor(20).set_fit_request(sample_weight=True)
    expected = clone(forest).fit(X, y, sample_weight=weights).predict(X)
    assert not np.allclose(expected, clone(forest).fit(X, y).predict(X))
    pipeline = make_pipeline("passthrough", forest).fit(X, y, sample_weight=weights)
    assert np.array_equal(pipeline.predict(X), expected)
    search = GridSearchCV(
        forest.set_score_request(sample_weight=False), {"min_samples_leaf": [1]}, cv=3)
    assert np.array_equal(search.fit(X, y, sample_weight=weights).predict(X), expected)


def test_weights_are_routed_to_every_fold(routing, diabetes):
    X, y = diabetes
    weights = np.where(y > y.median(), 5.0, 0.1)
    forest = wald.RandomForestRegressor(20).set_fit_request(sample_weight=True)
    forest.set_score_request(sample_weight=True)
    folds = KFold(3)
    found = cross_validate(forest, X, y, cv=folds, params={"sample_weight": weights})["test_score"]
    for score, (train, test) in zip(found, folds.split(X)):
        fold = clone(forest).fit(X.iloc[train], y.iloc[train], sample_weight=weights[train])
        assert score == fold.score(X.iloc[test], y.iloc[test], sample_weight=weights[test])
    with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError):
        unasked = wald.RandomForestRegressor(5)
        cross_validate(unasked, X, y, cv=folds, params={"sample_weight": weights})


def test_warm_starts_grow_the_new_trees_only(diabetes):
    X, y = diabetes
    X = X.mask(X > 0.1)
    forest = wald.RandomForestRegressor(10, warm_start=True, oob_score=True).fit(X, y)
    before = forest._forest
    forest.set_params(n_estimators=25)
    assert forest._continues(forest._data, {**forest._grown_with, "n_trees": 25})
    more = forest.fit(X, y)
    fresh = wald.RandomForestRegressor(25, oob_score=True).fit(X, y)
    assert more._forest is not before and more._forest.to_bytes() == fresh._forest.to_bytes()
    assert np.array_equal(more.oob_prediction_, fresh.oob_prediction_, equal_nan=True)
    assert more.oob_score_ == fresh.oob_score_
    for measure in ("mdi", "mda_breiman_cutler"):
        assert np.array_equal(more.importance(measure).values, fresh.importance(measure).values)
    with pytest.raises(ValueError, match="less than the 25 trees"):
        forest.set_params(n_estimators=5).fit(X, y)


def interrupted(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize(("changed", "error"), [
    ({"max_depth": -1}, wald.SettingError), ({"oob_score": interrupted}, KeyboardInterrupt)])
def test_a_fit_that_does_not_end_leaves_the_forest_of_before(changed, error):
    X, y = load_iris(return_X_y=True, as_frame=True)
    before = wald.RandomForestClassifier(20, random_state=1).fit(X, y)
    expected, names = before.predict(X), list(before.feature_names_in_)
    with pytest.raises(error):
        before.set_params(**changed).fit(X[X.columns[::-1]].head(100), 1 - y.head(100))
    assert (before.predict(X) == expected).all() and list(before.classes_) == [0, 1, 2]
    assert list(before.feature_names_in_) == names


def test_warm_starts_with_other_settings_or_rows_begin_anew(diabetes):
    X, y = diabetes
    forest = wald.RandomForestRegressor(10, warm_start=True).fit(X, y)
    forest.set_params(n_estimators=20, max_depth=3).fit(X, y)
    fresh = wald.RandomForestRegressor(20, max_depth=3)
    assert np.array_equal(forest.predict(X), fresh.fit(X, y).predict(X))
    half = slice(0, len(y) // 2)
    forest.set_params(n_estimators=21).fit(X[half], y[half])
    fresh = wald.RandomForestRegressor(21, max_depth=3).fit(X[half], y[half])
    assert np.array_equal(forest.predict(X), fresh.predict(X))


def test_warm_starts_without_more_trees_stay_as_they_are(diabetes):
    X, y = diabetes
    forest = wald.RandomForestRegressor(10, warm_start=True).fit(X, y)
    before = forest.predict(X)
    forest.set_params(max_depth=1)
    half = slice(0, len(y) // 2)
    for rows, target in ((X, y), (X[half], y[half]), (X.drop(columns="bmi"), y),
                         (X, np.column_stack([y, y]))):
        with pytest.warns(UserWarning, match="does not fit new trees.*warm_start=False"):
            assert forest.fit(rows, target) is forest
        assert np.array_equal(forest.predict(X), before)
        assert (forest.n_features_in_, forest.n_outputs_) == (10, 1)
    assert np.array_equal(forest.importance("mdi").values,
                          wald.RandomForestRegressor(10).fit(X, y).importance("mdi").values)


@pytest.mark.parametrize("random_state", [None, 7])
def test_warm_starts_keep_the_first_seed(diabetes, random_state):
    X, y = diabetes
    forest = wald.RandomForestRegressor(10, warm_start=True, random_state=random_state).fit(X, y)
    seed = forest._grown_with["seed"]
    forest.set_params(random_state=None if random_state is None else random_state + 1)
    with pytest.warns(UserWarning, match="does not fit new trees"):
        forest.fit(X, y)
    assert forest._grown_with["seed"] == seed
    more = forest.set_params(n_estimators=15).fit(X, y)
    fresh = wald.RandomForestRegressor(15, random_state=seed).fit(X, y)
    assert np.array_equal(more.predict(X), fresh.predict(X))


def groups_of(leaves):
    """Which rows share a leaf, whatever its number."""
    _, groups = np.unique(leaves, return_inverse=True)
    first = {group: row for row, group in reversed(list(enumerate(groups)))}
    return [first[group] for group in groups]


@pytest.mark.parametrize("limit", [
    {"min_weight_fraction_leaf": 0.03},
    {"min_weight_fraction_leaf": 0.2, "min_samples_leaf": 5},
    {"min_impurity_decrease": 0.01},
    {"min_weight_fraction_leaf": 0.02, "min_impurity_decrease": 0.002},
])
@pytest.mark.parametrize("criterion", ["squared_error", "gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
def test_limits_are_those_of_scikit_learn(limit, criterion, weighted):
    generator = np.random.default_rng(7)
    X = generator.normal(size=(300, 5)).astype(np.float32).astype(float)
    signal = X[:, 0] + np.sin(3 * X[:, 1]) + 0.3 * generator.normal(size=300)
    weights = generator.uniform(0.1, 3.0, 300) if weighted else None
    settings = dict(limit, n_estimators=1, bootstrap=False, max_features=None, random_state=0)
    if criterion == "squared_error":
        y, ours, theirs = signal, wald.RandomForestRegressor, RandomForestRegressor
    else:
        # With more variables, several make equally good divisions of classes.
        X, y = X[:, :1], np.digitize(signal, [-1.0, 1.0])
        settings["criterion"] = criterion
        ours, theirs = wald.RandomForestClassifier, RandomForestClassifier
    here = ours(**settings).fit(X, y, sample_weight=weights)
    there = theirs(**settings).fit(X, y, sample_weight=weights)
    assert groups_of(here.apply(X)[:, 0]) == groups_of(there.apply(X)[:, 0])
    assert np.allclose(here.predict(X), there.predict(X), rtol=1e-9)
    assert 2 < len(set(there.apply(X)[:, 0])) < 60


@pytest.mark.parametrize("limit", [
    {"min_weight_fraction_leaf": 0.04}, {"min_impurity_decrease": 0.01}])
@pytest.mark.parametrize("estimator", [
    wald.ExtraTreesRegressor(20),
    wald.ExtraTreesClassifier(20),
    wald.TotallyRandomizedTreesRegressor(20),
    wald.TotallyRandomizedTreesClassifier(20),
    wald.RandomForestClassifier(20),
    wald.ConditionalForestRegressor(20, min_samples_split=2, min_samples_leaf=1),
])
def test_limits_hold_in_every_tree(limit, estimator, diabetes):
    X, y = diabetes
    if hasattr(estimator, "class_weight"):
        y = (y > y.median()).astype(int)
    weights = np.random.default_rng(2).uniform(0.1, 2.0, len(y))
    if "min_impurity_decrease" in limit and hasattr(estimator, "min_criterion"):
        pytest.skip("they reduce no impurity")
    free = clone(estimator).fit(X, y, sample_weight=weights)
    forest = clone(estimator).set_params(**limit).fit(X, y, sample_weight=weights)
    leaves = forest.apply(X)
    for tree in range(20):
        drawn = forest._forest.in_bag(tree) * weights
        of_leaves = np.bincount(leaves[:, tree], drawn)
        least = limit.get("min_weight_fraction_leaf", 0.0) * drawn.sum()
        assert of_leaves[of_leaves > 0].min() >= least * (1 - 1e-9)
    n_leaves = [sum(len(set(of_tree)) for of_tree in each.T) for each in (leaves, free.apply(X))]
    assert 25 < n_leaves[0] < n_leaves[1]


@pytest.mark.parametrize("forest", [
    wald.RandomForestClassifier(7),
    wald.ExtraTreesClassifier(7),
    wald.ConditionalForestClassifier(7),
])
def test_leaves_and_paths_tell_where_rows_go(forest):
    X, y = load_iris(return_X_y=True)
    forest.fit(X, y)
    leaves = forest.apply(X)
    assert leaves.shape == (150, 7) and leaves.dtype == np.int64
    # Rows of one leaf in every tree are predicted alike.
    same, where = np.unique(leaves, axis=0, return_inverse=True)
    shares = forest.predict_proba(X)
    for group in range(len(same)):
        of_group = shares[where == group]
        assert np.array_equal(of_group, np.broadcast_to(of_group[0], of_group.shape))
    indicator, starts = forest.decision_path(X)
    assert starts[0] == 0 and indicator.shape == (150, starts[-1]) and len(starts) == 8
    dense = indicator.toarray()
    assert set(np.unique(dense)) == {0, 1}
    for tree in range(7):
        met = dense[:, starts[tree]:starts[tree + 1]]
        assert met[:, 0].all(), "every row begins at the root"
        assert met[np.arange(150), leaves[:, tree]].all(), "and ends in its leaf"
        # A row that meets a node meets its parent.
        parents = forest._forest.parents(tree)
        assert (met <= met[:, parents]).all()
        is_leaf = ~np.isin(np.arange(len(parents)), parents[1:])
        assert np.array_equal(met[:, is_leaf].sum(axis=1), np.ones(150)), "one leaf"
