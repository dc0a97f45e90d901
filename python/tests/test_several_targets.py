"""Forests that predict several targets at once: against scikit-learn's trees on the same draws, against
forests of one target, and what they refuse."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import accuracy_score, r2_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, export_text
from sklearn.utils.class_weight import compute_sample_weight
from test_oracle_trees import assert_same, counts, table

import wald

REGRESSORS = [wald.RandomForestRegressor, wald.ExtraTreesRegressor]
CLASSIFIERS = [wald.RandomForestClassifier, wald.ExtraTreesClassifier]


def numbers(seed):
    random, X, signal = table(seed)
    other = 3 + 5 * X[:, 3] + random.normal(size=len(X))
    return X, np.column_stack([signal, other, np.abs(signal)])


def classes(seed):
    """Three classes, and twice two of them."""
    random, X, signal = table(seed)
    y = np.empty((len(X), 3), dtype=object)
    y[:, 0] = np.array(["low", "middle", "top"])[np.digitize(signal, [-0.5, 0.8])]
    y[:, 1] = np.where(X[:, 3] + 0.3 * random.normal(size=len(X)) > 0, "right", "left")
    y[:, 2] = np.where(signal > 0.3, "yes", "no")
    return X, y.astype(str)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("bootstrap", [True, False])
@pytest.mark.parametrize("limits", [dict(min_samples_leaf=12), dict(max_depth=4),
                                    dict(min_weight_fraction_leaf=0.03)])
def test_trees_of_numbers_are_those_of_scikit_learn(seed, bootstrap, limits):
    X, Y = numbers(seed)
    forest = wald.RandomForestRegressor(3, max_features=None, bootstrap=bootstrap,
                                        min_samples_split=2, random_state=seed, **limits).fit(X, Y)
    n_nodes = 0
    for tree, samples in zip(forest.estimators_, forest.estimators_samples_):
        # A row that is drawn twice counts twice.
        other = DecisionTreeRegressor(random_state=0, **limits).fit(X[samples], Y[samples])
        assert tree.tree_.value.shape == (tree.tree_.node_count, 3, 1)
        n_nodes += assert_same(tree.tree_, other.tree_)
    assert n_nodes > 60


@pytest.mark.parametrize("seed", [1, 2])
def test_weighted_trees_are_those_of_scikit_learn(seed):
    X, Y = numbers(seed)
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, len(X))
    limits = dict(max_depth=4, min_weight_fraction_leaf=0.03)
    forest = wald.RandomForestRegressor(3, max_features=None, min_samples_split=2, **limits)
    forest.fit(X, Y, sample_weight=weights)
    n_nodes = 0
    for tree, samples in zip(forest.estimators_, forest.estimators_samples_):
        other = DecisionTreeRegressor(random_state=0, **limits)
        n_nodes += assert_same(tree.tree_, other.fit(X, Y, counts(samples) * weights).tree_)
    assert n_nodes > 60


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("bootstrap", [True, False])
def test_trees_of_classes_are_those_of_scikit_learn(seed, bootstrap):
    X, Y = classes(seed)
    forest = wald.RandomForestClassifier(3, max_features=None, bootstrap=bootstrap,
                                         min_samples_leaf=15, random_state=seed).fit(X, Y)
    n_nodes = 0
    for tree, samples in zip(forest.estimators_, forest.estimators_samples_):
        other = DecisionTreeClassifier(min_samples_leaf=15, random_state=0)
        other.fit(X[samples], Y[samples])
        assert tree.tree_.value.shape == (tree.tree_.node_count, 3, 3)
        n_nodes += assert_same(tree.tree_, other.tree_)
    assert n_nodes > 60


def test_importances_are_those_of_scikit_learn():
    X, Y = numbers(3)
    forest = wald.RandomForestRegressor(1, max_features=None, bootstrap=False, min_samples_leaf=12)
    other = DecisionTreeRegressor(random_state=0, min_samples_leaf=12).fit(X, Y)
    forest.fit(X, Y)
    np.testing.assert_allclose(forest.feature_importances_, other.feature_importances_, rtol=1e-6)
    mean_variance = forest.set_params(min_samples_leaf=1).fit(X, Y).importance("mdi").values.sum()
    np.testing.assert_allclose(mean_variance, Y.var(axis=0).mean(), rtol=1e-9)


@pytest.mark.parametrize("kind", REGRESSORS)
def test_numbers(kind):
    X, Y = numbers(4)
    forest = kind(20, bootstrap=True, oob_score=True, random_state=1).fit(X, Y)
    predicted = forest.predict(X)
    assert forest.n_outputs_ == 3 and predicted.shape == Y.shape
    mean = np.mean([tree.predict(X) for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(predicted, mean, rtol=1e-12)
    seen = ~np.isnan(forest.oob_prediction_[:, 0])
    assert forest.oob_prediction_.shape == Y.shape
    assert forest.oob_score_ == r2_score(Y[seen], forest.oob_prediction_[seen])
    assert forest.score(X, Y) == r2_score(Y, predicted) > forest.oob_score_
    assert forest.apply(X).shape == (len(X), 20) and forest.decision_path(X)[0].shape[0] == len(X)
    assert "|---" in export_text(forest.estimators_[0])
    frame = pd.DataFrame(Y, columns=["one", "two", "three"])
    again = clone(forest).fit(pd.DataFrame(X), frame)
    assert np.array_equal(again.predict(pd.DataFrame(X)), predicted)
    assert np.array_equal(clone(forest).set_params(n_jobs=1).fit(X, Y.tolist()).predict(X), predicted)


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_classes(kind):
    X, Y = classes(5)
    forest = kind(20, bootstrap=True, random_state=1).fit(X, Y)
    assert [list(found) for found in forest.classes_] == [
        ["low", "middle", "top"], ["left", "right"], ["no", "yes"]]
    assert forest.n_classes_ == [3, 2, 2] and forest.n_outputs_ == 3
    shares = forest.predict_proba(X)
    assert [of_target.shape[1] for of_target in shares] == [3, 2, 2]
    for at, (of_target, logarithms) in enumerate(zip(shares, forest.predict_log_proba(X))):
        np.testing.assert_allclose(of_target.sum(axis=1), 1.0)
        np.testing.assert_allclose(np.exp(logarithms), of_target)
        mean = np.mean([tree.predict_proba(X)[at] for tree in forest.estimators_], axis=0)
        np.testing.assert_allclose(of_target, mean, atol=1e-12)
        assert np.array_equal(forest.predict(X)[:, at], forest.classes_[at][of_target.argmax(axis=1)])
    assert (forest.predict(X) == Y).mean() > 0.95
    assert [found.shape for found in forest.oob_decision_function_] == [
        (len(X), 3), (len(X), 2), (len(X), 2)]
    with pytest.raises(wald.DataError, match="multiclass-multioutput"):
        forest.score(X, Y)
    with pytest.raises(wald.SettingError, match="cannot be used to compute OOB estimates"):
        clone(forest).set_params(oob_score=True).fit(X, Y)


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_labels(kind):
    X, Y = classes(6)
    Y = (Y[:, 1:] == ["left", "yes"]).astype(int)
    forest = kind(20, bootstrap=True, oob_score=True, random_state=1).fit(X, Y)
    assert forest.predict(X).dtype == Y.dtype
    shares = forest.oob_decision_function_
    assert shares.shape == (len(X), 2, 2)
    seen = ~np.isnan(shares[:, 0, 0])
    predicted = shares.argmax(axis=1)
    assert forest.oob_score_ == accuracy_score(Y[seen], predicted[seen]) > 0.6
    assert forest.score(X, Y) == accuracy_score(Y, forest.predict(X))


def test_one_target_of_classes_beside_a_constant_one():
    X, Y = classes(7)
    alone = wald.RandomForestClassifier(10, random_state=2).fit(X, Y[:, 0])
    both = wald.RandomForestClassifier(10, random_state=2).fit(
        X, np.column_stack([Y[:, 0], np.full(len(X), "same")]))
    np.testing.assert_allclose(both.predict_proba(X)[0], alone.predict_proba(X), atol=1e-12)
    assert (both.predict_proba(X)[1] == 1.0).all()
    np.testing.assert_allclose(both.feature_importances_, alone.feature_importances_, atol=1e-12)
    np.testing.assert_allclose(2 * both.importance("mdi").values, alone.importance("mdi").values)


def test_weights_of_classes_multiply_over_targets():
    X, Y = classes(8)
    weights = [{"low": 1.0, "middle": 2.0, "top": 3.0}, {"left": 1.0, "right": 0.5},
               {"no": 1.0, "yes": 4.0}]
    for asked in (weights, "balanced"):
        forest = wald.RandomForestClassifier(5, class_weight=asked).fit(X, Y)
        by_row = wald.RandomForestClassifier(5).fit(
            X, Y, sample_weight=compute_sample_weight(asked, Y))
        for one, other in zip(forest.predict_proba(X), by_row.predict_proba(X)):
            assert np.array_equal(one, other)
    with pytest.raises(wald.SettingError, match="class_weight"):
        wald.RandomForestClassifier(5, class_weight=weights[:1]).fit(X, Y)


@pytest.mark.parametrize("kind", REGRESSORS + CLASSIFIERS)
def test_copies_and_more_trees(kind):
    X, Y = numbers(9) if kind in REGRESSORS else classes(9)
    fit = lambda n, **ours: kind(n, random_state=3, **ours).fit(X, Y)
    whole = fit(12)
    copy = pickle.loads(pickle.dumps(whole))
    assert copy._forest.to_bytes() == whole._forest.to_bytes()
    assert np.array_equal(copy.predict(X), whole.predict(X))
    assert np.array_equal(copy.importance("mdi").values, whole.importance("mdi").values)
    more = fit(5, warm_start=True).set_params(n_estimators=12).fit(X, Y)
    assert more._forest.to_bytes() == whole._forest.to_bytes()
    merged = wald.merge([fit(5), fit(7, first_tree=5)])
    assert np.array_equal(merged.predict(X), whole.predict(X))
    of_rows = "oob_prediction_" if kind in REGRESSORS else "oob_decision_function_"
    for one, other in zip(getattr(merged, of_rows), getattr(whole, of_rows)):
        assert np.array_equal(one, other, equal_nan=True)


@pytest.mark.parametrize("kind", REGRESSORS)
def test_one_column_is_one_target(kind):
    X, Y = numbers(1)
    with pytest.warns(UserWarning, match="column-vector"):
        column = kind(5).fit(X, Y[:, :1])
    assert column.predict(X).ndim == 1
    assert np.array_equal(column.predict(X), kind(5).fit(X, Y[:, 0]).predict(X))


@pytest.mark.parametrize("arguments, name", [
    (dict(max_bins=20), "max_bins"),
    (dict(monotonic_cst=[1, 0, 0, 0]), "Monotonicity constraints"),
    (dict(criterion="poisson"), "criterion"),
    (dict(criterion="absolute_error"), "criterion"),
])
def test_settings_of_one_target_are_refused(arguments, name):
    X, Y = numbers(1)
    with pytest.raises(wald.SettingError, match=f"{name}.*several targets"):
        wald.RandomForestRegressor(2, **arguments).fit(X, np.abs(Y))


def test_criteria_and_weights_of_one_target_of_classes_are_refused():
    X, Y = classes(1)
    with pytest.raises(wald.SettingError, match="criterion.*several targets"):
        wald.ExtraTreesClassifier(2, criterion="entropy").fit(X, Y)
    with pytest.raises(wald.SettingError, match="class_weight.*several targets"):
        wald.ExtraTreesClassifier(2, class_weight="balanced_subsample").fit(X, Y)
    with pytest.raises(wald.DataError, match="conditional inference trees predict one target"):
        wald.ConditionalForestClassifier(2).fit(X, Y)


def test_what_is_of_one_target_is_refused():
    X, Y = numbers(1)
    forest = wald.RandomForestRegressor(5).fit(X, Y)
    of_one = "of one target"
    for measure in ("conditional_permutation", "total_sobol_regrow", "tree_shap", "split_count"):
        with pytest.raises(wald.MeasureError, match=of_one):
            forest.importance(measure)
    with pytest.raises(wald.MeasureError, match=of_one):
        forest.explain(X)
    for method in (forest.predict_quantiles, forest.weights, forest.outliers, forest.prototypes):
        with pytest.raises(wald.DataError, match=of_one):
            method()
    with pytest.raises(wald.ForestFileError, match=of_one):
        forest._forest.to_json()
    unfitted = wald.RandomForestRegressor(5)
    for procedure in (
        lambda: wald.report(forest), lambda: wald.advise(forest),
        lambda: wald.uncertainty(forest, "mdi", subsamples=2),
        lambda: wald.compare(forest, forest, subsamples=4),
        lambda: wald.interactions(forest),
    ):
        with pytest.raises(wald.DataError, match=of_one):
            procedure()
    for procedure in (
        lambda: wald.conditional_test(unfitted, X, Y),
        lambda: wald.masking(unfitted, X, Y, mtry=[1, 2]),
        lambda: wald.RFE(unfitted).fit(X, Y),
        lambda: wald.Boruta(unfitted).fit(X, Y),
        lambda: wald.IPSS(unfitted).fit(X, Y),
    ):
        with pytest.raises(wald.DataError, match="y has 3 columns, but this is computed of one target"):
            procedure()


def test_targets_that_do_not_fit():
    X, Y = numbers(1)
    forest = wald.RandomForestRegressor(3).fit(X, Y)
    with pytest.raises(wald.DataError):
        forest.score(X, Y[:, :2])
    for other in (Y[:, 0], Y[:, :2]):
        with pytest.raises(wald.DataError, match="columns?, but the forest predicts 3"):
            forest.importance("mda_train_test", test=(X, other))
    with pytest.raises(wald.DataError, match="2 columns, but the forest predicts 1"):
        wald.RandomForestRegressor(3).fit(X, Y[:, 0]).importance("mda_train_test", test=(X, Y[:, 1:]))
    found = forest.importance("mda_train_test", test=(X, Y))
    assert found.feature_names[found.ranking()[0]] == "x3"
    with pytest.raises(wald.DataError, match="NaN"):
        forest.fit(X, np.where(Y > 2, np.nan, Y))
    with pytest.raises(wald.DataError, match="Unknown label type"):
        wald.RandomForestClassifier(3).fit(X, Y)


def test_targets_in_another_order_are_refused():
    """As inputs are; targets without names are those in their places."""
    X, Y = numbers(1)
    names = ["one", "two", "three"]
    frame, is_large = pd.DataFrame(Y, columns=names), pd.DataFrame(Y > 1, columns=names)
    number = wald.RandomForestRegressor(3, n_jobs=1).fit(X, frame)
    for forest, y in [(number, frame), (wald.ExtraTreesClassifier(3, criterion="gini").fit(X, is_large),
                                        is_large)]:
        swapped = y[["two", "one", "three"]]
        for call in (lambda: forest.score(X, swapped),
                     lambda: forest.importance("mda_train_test", test=(X, swapped))):
            with pytest.raises(wald.DataError, match="columns of y are .'two', 'one'.*; those of the fit"):
                call()
        assert forest.score(X, y) == forest.score(X, y.to_numpy())
    others = frame.set_axis(["a", "b", "c"], axis=1)
    assert number.score(X, others) == number.score(X, frame)
    assert number.fit(X, frame[["two", "one", "three"]]).n_outputs_ == 3
