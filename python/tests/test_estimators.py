"""Estimators behave as scikit-learn expects."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

import wald

ESTIMATORS = [
    wald.RandomForestRegressor(n_estimators=10),
    wald.RandomForestClassifier(n_estimators=10),
    wald.ExtraTreesRegressor(n_estimators=10),
    wald.ExtraTreesClassifier(n_estimators=10),
    wald.TotallyRandomizedTreesRegressor(n_estimators=10),
    wald.TotallyRandomizedTreesClassifier(n_estimators=10),
    wald.ConditionalForestRegressor(n_estimators=10),
    wald.ConditionalForestClassifier(n_estimators=10),
]

# Trees of all rows, which know rows with weights and repeated rows as the same.
ALL_ROWS = [
    wald.RandomForestRegressor(n_estimators=10, bootstrap=False),
    wald.RandomForestClassifier(n_estimators=10, bootstrap=False),
    wald.ConditionalForestRegressor(
        n_estimators=10, max_samples=1.0, min_samples_split=2, min_samples_leaf=1),
    wald.ConditionalForestClassifier(
        n_estimators=10, max_samples=1.0, min_samples_split=2, min_samples_leaf=1),
]


def expected_failures(estimator):
    draws = estimator.bootstrap
    if hasattr(estimator, "min_criterion"):
        draws = estimator.max_samples != 1.0
    # Of a table with repeated rows, other rows are drawn than of one with weights. Forests of
    # scikit-learn that draw rows fail this check, too.
    checks = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")]
    return dict.fromkeys(checks, "draws rows") if draws else {}


@parametrize_with_checks(ESTIMATORS + ALL_ROWS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [
    *ESTIMATORS, *ALL_ROWS, wald.RandomForestRegressor(criterion="poisson"),
    wald.ExtraTreesClassifier(criterion="entropy"),
    wald.TotallyRandomizedTreesClassifier(criterion="gini"),
    wald.RandomForestRegressor(monotonic_cst={"x0": 1})], ids=repr)
def test_tags_state_where_several_targets_are_taken(estimator):
    """scikit-learn's checks try several targets where the tags state so."""
    X, y = load_iris(return_X_y=True)
    try:
        clone(estimator).set_params(n_estimators=2).fit(X, np.column_stack([y > 0, y > 1]))
        takes = True
    except wald.WaldError:
        takes = False
    assert get_tags(estimator).target_tags.multi_output == takes
    assert not get_tags(wald.RFE(estimator)).target_tags.multi_output


def test_kinds_of_tables_agree():
    X, y = load_iris(return_X_y=True)
    names = ["a", "b", "c", "d"]
    forest = wald.RandomForestClassifier(n_estimators=20)
    plain = forest.fit(X, y).predict_proba(X)
    frame = pd.DataFrame(X, columns=names)
    tables = [
        np.asfortranarray(X),
        X[::-1][::-1],
        frame,
        frame.astype({"a": "Float64", "b": "float64"}),
        pytest.importorskip("polars").DataFrame(X, schema=names),
    ]
    for table in tables:
        other = clone(forest).fit(table, y)
        assert np.array_equal(other.predict_proba(table), plain), type(table)
    integers = (X * 10).round().astype(np.int16)
    for kind in (np.int32, np.int64, np.uint8, np.float32, np.float16):
        same = clone(forest).fit(integers.astype(kind), y).predict_proba(integers.astype(kind))
        assert np.array_equal(same, clone(forest).fit(integers, y).predict_proba(integers)), kind


def test_texts_and_missing_values():
    generator = np.random.default_rng(0)
    n = 300
    island = generator.choice(["Biscoe", "Dream", "Torgersen"], n)
    mass = generator.normal(4000, 300, n) + 900 * (island == "Biscoe")
    mass[::10] = np.nan
    frame = pd.DataFrame({
        "island": pd.Categorical(island, categories=["Torgersen", "Dream", "Biscoe", "unused"]),
        "mass": mass,
        "ringed": pd.array(generator.choice([True, False], n), dtype="boolean"),
        "note": np.where(generator.random(n) < 0.2, None, island),
    })
    y = np.where(island == "Biscoe", "one", "other")
    forest = wald.RandomForestClassifier(n_estimators=50, oob_score=True).fit(frame, y)
    assert forest.score(frame, y) == 1.0
    assert forest.oob_score_ > 0.95
    found = forest.importance("mda_breiman_cutler")
    assert found.feature_names == list(frame.columns)
    assert found.values[2] < 0.02 < found.values[0]
    assert found.ranking()[-1] == 2
    # A level that was not there in training.
    new = frame.head(2).assign(note=["elsewhere", None])
    assert forest.predict(new).shape == (2,)


def test_pickle_and_the_same_bits_for_any_number_of_threads():
    X, y = load_breast_cancer(return_X_y=True)
    forest = wald.RandomForestClassifier(n_estimators=30, n_jobs=1).fit(X, y)
    again = pickle.loads(pickle.dumps(forest))
    other = wald.RandomForestClassifier(n_estimators=30, n_jobs=2).fit(X, y)
    expected = forest.importance("mda_breiman_cutler").values
    for twin in (again, other):
        assert np.array_equal(twin.predict_proba(X), forest.predict_proba(X))
        assert np.array_equal(twin.importance("mda_breiman_cutler").values, expected)


@pytest.mark.parametrize("arguments, words", [
    ({"n_estimators": 0}, "n_estimators is 0"),
    ({"max_features": "all"}, "max_features is 'all'"),
    ({"max_features": 11}, "11"),
    ({"criterion": "median"}, "criterion is 'median'"),
    ({"min_samples_split": 1}, "min_samples_split is 1"),
    ({"max_samples": -2.0}, "max_samples is -2.0"),
    ({"bootstrap": False, "max_samples": 0.5}, "cannot be set if `bootstrap=False`"),
    ({"random_state": -1}, "random_state is -1"),
    ({"min_weight_fraction_leaf": 0.6}, "min_weight_fraction_leaf is 0.6"),
    ({"min_weight_fraction_leaf": "a"}, "min_weight_fraction_leaf is 'a'"),
    ({"min_impurity_decrease": -1.0}, "min_impurity_decrease is -1"),
    ({"min_impurity_decrease": float("nan")}, "min_impurity_decrease is nan"),
])
def test_settings_are_checked(arguments, words):
    X, y = load_diabetes(return_X_y=True)
    with pytest.raises(wald.WaldError, match=words) as caught:
        wald.RandomForestRegressor(**arguments).fit(X, y)
    assert isinstance(caught.value, ValueError)
    assert caught.value.help


def test_columns_that_cannot_be_used_are_named():
    y = np.arange(4.0)
    frame = pd.DataFrame({"when": pd.date_range("2026-01-01", periods=4), "x": np.arange(4.0)})
    with pytest.raises(wald.DataTypeError, match="'when'") as caught:
        wald.RandomForestRegressor(5).fit(frame, y)
    assert isinstance(caught.value, TypeError) and caught.value.column == "when"
    large = pd.DataFrame({"key": np.array([1, 2, 3, 2**60])})
    with pytest.raises(wald.DataError, match="2\\^53"):
        wald.RandomForestRegressor(5).fit(large, y)
    infinite = pd.DataFrame({"x": [0.0, 1.0, np.inf, 2.0]})
    with pytest.raises(wald.DataError, match="infinite"):
        wald.RandomForestRegressor(5).fit(infinite, y)


def test_arrow_tables_are_tables():
    pa = pytest.importorskip("pyarrow")
    frame = pd.DataFrame({
        "x": [1.0, None, 3.5, 4.0] * 10,
        "n": [1, 2, 3, 4] * 10,
        "level": ["b", "a", None, "b"] * 10,
        "flag": [True, False, True, True] * 10,
    })
    y = np.arange(40.0) % 4
    forest = wald.RandomForestRegressor(20)
    expected = forest.fit(frame, y).predict(frame)
    table = pa.table(frame)
    tables = [table, table.set_column(2, "level", table["level"].dictionary_encode())]
    for same in tables:
        assert np.array_equal(clone(forest).fit(same, y).predict(same), expected)


def test_rows_that_the_forest_never_saw():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    forest = wald.RandomForestClassifier(50).fit(X[::2], names[::2])
    found = forest.importance("mda_train_test", test=(X[1::2], names[1::2]))
    assert found.data == "test" and found.values.argmax() in (2, 3)
    with pytest.raises(wald.DataError, match="rosa"):
        forest.importance("mda_train_test", test=(X[:2], ["rosa", "setosa"]))


def test_weights_of_test_rows_repeat_them():
    """Rows of weight two are as rows that occur twice, and those of weight zero do not count."""
    random = np.random.default_rng(6)
    X, other = random.normal(size=(80, 3)), random.normal(size=(40, 3))
    forest = wald.RandomForestRegressor(10, random_state=1).fit(X, X[:, 0] + X[:, 1])
    target, weights = other[:, 0] + random.normal(size=40), np.arange(40) % 3
    again = np.repeat(np.arange(40), weights)
    weighted = forest.importance("mda_train_test", test=(other, target, weights))
    repeated = forest.importance("mda_train_test", test=(other[again], target[again]))
    plain = forest.importance("mda_train_test", test=(other, target))
    np.testing.assert_allclose(weighted.values, repeated.values)
    assert not np.allclose(weighted.values, plain.values)
    none = forest.importance("mda_train_test", test=(other, target, None))
    assert np.array_equal(none.values, plain.values)
    with pytest.raises(wald.DataError, match="sample_weight"):
        forest.importance("mda_train_test", test=(other, target, weights[1:]))
    with pytest.raises(wald.DataError, match="sample_weight"):
        forest.importance("mda_train_test", test=(other, target, -weights))
    with pytest.raises(TypeError, match="not two or three things"):
        forest.importance("mda_train_test", test=(other,))


def test_values_against_background_rows_add_up():
    X, y = load_diabetes(return_X_y=True)
    forest = wald.RandomForestRegressor(20).fit(X, y)
    found = forest.explain(X[:5], "tree_shap_interventional", background=X[100:130])
    assert found.expected_value == pytest.approx(forest.predict(X[100:130]).mean(), rel=1e-12)
    sums = found.expected_value + found.values.sum(axis=1)
    assert np.allclose(sums, forest.predict(X[:5]), rtol=1e-9)


def test_forests_that_are_not_grown_say_so():
    for ask in ("importance", "explain"):
        with pytest.raises(wald.NotFittedError, match="Call 'fit'"):
            getattr(wald.RandomForestClassifier(), ask)()


def test_none_of_max_features_is_all():
    X, y = load_diabetes(return_X_y=True)
    every = wald.RandomForestRegressor(5, max_features=None).fit(X, y).predict(X)
    assert np.array_equal(every, wald.RandomForestRegressor(5, max_features=10).fit(X, y).predict(X))


def test_the_table_is_ranked_once_for_fit_and_importances():
    """The forest keeps the ranks of its training data, also when it was pickled."""
    X, y = load_diabetes(return_X_y=True)
    forest = wald.RandomForestRegressor(n_estimators=20, random_state=1).fit(X, y)
    assert forest._forest.keeps_ranks_of(forest._data)
    first = forest.importance("mdi")
    assert forest._forest.keeps_ranks_of(forest._data)
    again = pickle.loads(pickle.dumps(forest))
    assert not again._forest.keeps_ranks_of(again._data)
    np.testing.assert_array_equal(again.importance("mdi").values, first.values)
    assert again._forest.keeps_ranks_of(again._data)
