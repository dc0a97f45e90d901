"""Code that was written for scikit-learn's forests runs with those of wald."""

import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble
from sklearn.base import clone
from sklearn.metrics import f1_score, r2_score

import wald

GENERATOR = np.random.default_rng(0)
X = GENERATOR.normal(size=(120, 4))
Y = X[:, 0] + X[:, 1] * X[:, 2]
CLASSES = np.where(Y > 0, "yes", "no")
FRAME = pd.DataFrame(X, columns=["a", "b", "c", "d"])

ALL = [
    wald.RandomForestRegressor, wald.RandomForestClassifier,
    wald.ExtraTreesRegressor, wald.ExtraTreesClassifier,
    wald.TotallyRandomizedTreesRegressor, wald.TotallyRandomizedTreesClassifier,
    wald.ConditionalForestRegressor, wald.ConditionalForestClassifier,
]


def target_of(kind):
    return CLASSES if "Classifier" in kind.__name__ else Y


@pytest.mark.parametrize("kind", ALL)
def test_inert_settings_of_scikit_learn_are_taken(kind):
    inert = dict(oob_score=False, verbose=0, max_leaf_nodes=None, ccp_alpha=0, monotonic_cst=None)
    usual = kind(3)
    assert inert.items() <= usual.get_params().items()
    plain = usual.fit(X, target_of(kind)).predict(X)
    again = clone(kind(3, **inert)).fit(X, target_of(kind)).predict(X)
    assert np.array_equal(plain, again)


@pytest.mark.parametrize("name", ["RandomForestRegressor", "RandomForestClassifier",
                                  "ExtraTreesRegressor", "ExtraTreesClassifier"])
def test_the_defaults_of_scikit_learn_are_settings(name):
    theirs = getattr(sklearn.ensemble, name)(n_estimators=5).get_params()
    kind = getattr(wald, name)
    forest = kind(**theirs).fit(X, target_of(kind))
    own = {"max_bins": None} if name.startswith("Random") else {}
    assert forest.get_params() == theirs | own | {"first_tree": 0}
    # Without a seed, the score of five trees is another one each time.
    assert forest.set_params(random_state=0).fit(X, target_of(kind)).score(X, target_of(kind)) > 0.8


def test_scores_of_out_of_bag_rows_are_those_asked_for():
    forest = wald.RandomForestRegressor(60, oob_score=True).fit(X, Y)
    seen = ~np.isnan(forest.oob_prediction_)
    assert seen.all() and forest.oob_score_ == r2_score(Y, forest.oob_prediction_)
    forest.set_params(oob_score=lambda y, found: np.abs(y - found).max()).fit(X, Y)
    assert forest.oob_score_ == np.abs(Y - forest.oob_prediction_).max()
    forest = wald.RandomForestClassifier(60, oob_score=True).fit(X, CLASSES)
    found = np.argmax(forest.oob_decision_function_, axis=1)
    assert forest.oob_score_ == np.mean(forest.classes_[found] == CLASSES)
    # Classes are their places, as in scikit-learn.
    forest.set_params(oob_score=f1_score).fit(X, CLASSES)
    assert forest.oob_score_ == f1_score(CLASSES == "yes", found) > 0.5


def test_scores_of_out_of_bag_rows_need_such_rows():
    for forest in (wald.ExtraTreesRegressor(5, oob_score=True),
                   wald.RandomForestRegressor(5, bootstrap=False, oob_score=True),
                   wald.ConditionalForestRegressor(5, max_samples=1.0, oob_score=np.dot)):
        with pytest.raises(ValueError, match="only available if bootstrap=True"):
            forest.fit(X, Y)
    with pytest.warns(UserWarning, match="Some inputs do not have OOB scores"):
        wald.RandomForestClassifier(1, oob_score=True).fit(X, CLASSES)


def test_scores_of_out_of_bag_rows_are_there_where_wanted():
    for kind in (wald.RandomForestRegressor, wald.RandomForestClassifier):
        forest = kind(1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for fitted in (forest, forest.fit(X, target_of(kind))):
                assert not hasattr(fitted, "oob_score_")
        with pytest.raises(AttributeError, match="'oob_score_': it is there after fit if oob_score is True"):
            forest.oob_score_
        # Without more trees, too; and that of a fit before does not stay.
        forest.set_params(n_estimators=40, oob_score=True).fit(X, target_of(kind))
        scored = forest.oob_score_
        assert scored > 0.5
        for wanted in (False, True):
            forest.set_params(warm_start=True, oob_score=wanted)
            with pytest.warns(UserWarning, match="does not fit new trees"):
                forest.fit(X, target_of(kind))
            assert getattr(forest, "oob_score_", None) == (scored if wanted else None)
    whole = wald.RandomForestRegressor(5, bootstrap=False, warm_start=True).fit(X, Y)
    with pytest.raises(ValueError, match="only available if bootstrap=True"), \
            pytest.warns(UserWarning, match="does not fit new trees"):
        whole.set_params(oob_score=True).fit(X, Y)


class Named(wald.RandomForestRegressor):
    """A forest with a setting of its own."""

    def __init__(self, name="none", n_estimators=10, max_depth=None):
        super().__init__(n_estimators, max_depth=max_depth)
        self.name = name


def test_subclasses_have_settings_of_their_own():
    forest = clone(Named("first", max_depth=3)).fit(X, Y)
    assert forest.get_params() == {"name": "first", "n_estimators": 10, "max_depth": 3}
    same = wald.RandomForestRegressor(10, max_depth=3).fit(X, Y)
    assert np.array_equal(forest.predict(X), same.predict(X))


@pytest.mark.parametrize("kind", [wald.RandomForestRegressor, wald.ExtraTreesClassifier])
def test_frames_are_read_by_position_where_forests_know_no_names(kind):
    y = target_of(kind)
    forest = kind(10).fit(X, y)
    warning = f"X has feature names, but {kind.__name__} was fitted without feature names"
    with pytest.warns(UserWarning, match=warning):
        found = forest.predict(FRAME)
    assert np.array_equal(found, forest.predict(X))
    with pytest.warns(UserWarning, match=warning):
        found = forest.importance("mda_train_test", test=(FRAME, y))
    assert np.array_equal(found.values, forest.importance("mda_train_test", test=(X, y)).values)
    with pytest.warns(UserWarning, match=warning):
        local = forest.explain(FRAME.head(3))
    assert np.array_equal(local.values, forest.explain(X[:3]).values)
    assert np.array_equal(local.columns["x1"], X[:3, 1])
    with pytest.warns(UserWarning, match=warning):
        assert forest.apply(FRAME).shape == (120, 10)
    with pytest.raises(wald.DataError, match="3 features"):
        forest.predict(FRAME[["a", "b", "c"]])


def test_tables_of_arrow_are_read_by_position_where_forests_know_no_names():
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    forest = wald.RandomForestRegressor(10).fit(X, Y)
    for table in (pa.table(FRAME), pl.from_pandas(FRAME)):
        with pytest.warns(UserWarning, match="was fitted without feature names"):
            assert np.array_equal(forest.predict(table), forest.predict(X))


@pytest.mark.parametrize("table", [FRAME, pd.DataFrame(X)])
def test_arrays_are_read_by_position_where_forests_know_names(table):
    forest = wald.RandomForestRegressor(10).fit(table, Y)
    expected = forest.predict(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if table is FRAME else "error")
        assert np.array_equal(forest.predict(X), expected)
        assert forest.importance("mda_train_test", test=(X, Y)).values.shape == (4,)
    if table is FRAME:
        with pytest.warns(UserWarning, match="X does not have valid feature names, but Random"):
            forest.explain(X[:2])


def test_a_row_of_a_frame_is_no_table():
    forest = wald.RandomForestRegressor(10).fit(FRAME, Y)
    with pytest.raises(wald.DataTypeError, match=r"X\.iloc\[\[0\]\]"):
        forest.explain(FRAME.iloc[0])
    assert forest.explain(FRAME.iloc[[0]]).values.shape == (1, 4)


def test_warm_starts_without_further_trees_warn():
    forest = wald.RandomForestRegressor(5, warm_start=True).fit(X, Y)
    with pytest.warns(UserWarning, match="Warm-start fitting without increasing n_estimators does "
                                         "not fit new trees"):
        forest.fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        forest.set_params(n_estimators=6).fit(X, Y)
        forest.set_params(n_estimators=7, max_depth=2).fit(X, Y)


def test_trees_may_have_more_draws_than_rows():
    for draws in (2.5, 300):
        forest = wald.RandomForestRegressor(40, max_samples=draws, oob_score=True).fit(X, Y)
        counts = np.array([forest._forest.in_bag(tree) for tree in range(40)])
        assert (counts.sum(axis=1) == 300).all()
        # A row is left out with the probability exp(-2.5).
        assert abs((counts == 0).mean() - np.exp(-2.5)) < 0.02
        assert forest.oob_score_ > 0.3
    for draws in (0, -1, 0.0, float("inf"), float("nan"), True, "all", 1e6):
        with pytest.raises(wald.SettingError, match="max_samples is"):
            wald.RandomForestRegressor(5, max_samples=draws).fit(X, Y)
    for draws in (1.5, 121):
        with pytest.raises(wald.SettingError, match="max_samples is"):
            wald.ConditionalForestRegressor(5, max_samples=draws).fit(X, Y)
