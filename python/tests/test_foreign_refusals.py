"""What cannot be imported or measured is refused with the reason and what to do instead."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    RandomTreesEmbedding,
)
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

import wald

X, Y = load_diabetes(return_X_y=True)
FITTED = RandomForestRegressor(10, random_state=0).fit(X, Y)


def refused(kind, pattern):
    return pytest.raises(kind, match=pattern)


@pytest.mark.parametrize("rows", [
    (X[::-1], Y), (X, Y[::-1]), (X + 1, Y), (X[:, ::-1], Y), (X, Y + 1)])
def test_other_rows_than_those_of_training(rows):
    with refused(wald.DataError, "not the rows that the forest was grown on"):
        wald.from_sklearn(FITTED, *rows)


def test_forests_of_wald_need_no_import():
    own = wald.RandomForestRegressor(2, n_jobs=1).fit(X, Y)
    for call in (lambda: wald.from_sklearn(own), lambda: wald.from_sklearn(own, X, Y),
                 lambda: wald.from_sklearn(own.estimators_[0], X, Y)):
        with refused(wald.DataTypeError, "of wald itself; forests of wald need no import"):
            call()
    # As of other functions of Python.
    with refused(TypeError, "missing a required argument: 'X'"):
        wald.from_sklearn(FITTED)


def test_other_rows_where_values_are_medians():
    fitted = RandomForestRegressor(3, criterion="absolute_error", random_state=0).fit(X, Y)
    with refused(wald.DataError, "not the rows that the forest was grown on"):
        wald.from_sklearn(fitted, X[::-1], Y)


def test_wrong_numbers_of_rows_and_columns():
    with refused(wald.DataError, "400 rows, but the forest was fitted to 442"):
        wald.from_sklearn(FITTED, X[:400], Y[:400])
    with refused(wald.DataError, "442 rows, but y 441"):
        wald.from_sklearn(FITTED, X, Y[:-1])
    with refused(wald.DataError, "9 columns, but the forest 10 features"):
        wald.from_sklearn(FITTED, X[:, 1:], Y)
    with refused(wald.DataError, "9 columns, but the forest 10 features"):
        wald.from_sklearn(FITTED, X, Y).predict(X[:, 1:])


def test_unfitted_and_foreign_estimators():
    with refused(wald.DataError, "not fitted; call its fit"):
        wald.from_sklearn(RandomForestRegressor(), X, Y)
    with refused(wald.DataTypeError, "cannot read a GradientBoostingRegressor"):
        wald.from_sklearn(GradientBoostingRegressor(n_estimators=2).fit(X, Y), X, Y)
    # Its estimator_ is not fitted.
    with refused(wald.DataTypeError, "cannot read a RandomTreesEmbedding; give a RandomForest"):
        wald.from_sklearn(RandomTreesEmbedding(2).fit(X), X, Y)
    with refused(wald.DataTypeError, "cannot read a str"):
        wald.from_sklearn("forest", X, Y)
    pipeline = make_pipeline(StandardScaler(), RandomForestRegressor(2)).fit(X, Y)
    with refused(wald.DataTypeError, "give its last step"):
        wald.from_sklearn(pipeline, X, Y)
    search = GridSearchCV(RandomForestRegressor(2), {"max_depth": [1]}, cv=2).fit(X, Y)
    with refused(wald.DataTypeError, "give its best_estimator_"):
        wald.from_sklearn(search, X, Y)


def test_classes_of_other_packages_that_grow_forests_in_their_own_way():
    class OtherForest(RandomForestRegressor):
        pass

    fitted = OtherForest(2).fit(X, Y)
    assert len(wald.from_sklearn(fitted, X, Y).importance("mdi")) == fitted.n_features_in_
    OtherForest.__module__ = "imblearn.ensemble._forest"
    with refused(wald.DataTypeError, "cannot read a OtherForest of imblearn.*: it draws rows"):
        wald.from_sklearn(fitted, X, Y)


def test_several_targets():
    fitted = RandomForestRegressor(2).fit(X, np.column_stack([Y, Y]))
    with refused(wald.DataTypeError, "predicts 2 targets at once"):
        wald.from_sklearn(fitted, X, Y)


def test_tables_that_are_no_tables_of_numbers():
    with refused(wald.DataError, "not a table of numbers"):
        wald.from_sklearn(FITTED, [["a"] * 10] * 442, Y)
    with refused(wald.DataError, "missing or infinite"):
        wald.from_sklearn(FITTED, X, np.where(Y > 100, np.nan, Y))
    with refused(wald.DataTypeError, "holds no numbers"):
        wald.from_sklearn(FITTED, X, ["a"] * 442)
    with refused(wald.DataError, "not one column"):
        wald.from_sklearn(FITTED, X, np.column_stack([Y, Y]))


def test_columns_by_other_names():
    frame = pd.DataFrame(X, columns=[f"v{at}" for at in range(10)])
    fitted = RandomForestRegressor(3, random_state=0).fit(frame, Y)
    forest = wald.from_sklearn(fitted, frame, Y)
    assert list(forest.feature_names_in_) == list(frame.columns)
    assert forest.importance("mdi").feature_names == list(frame.columns)
    with refused(wald.DataError, "has no column 'v0'"):
        forest.predict(frame.rename(columns={"v0": "w0"}))
    with refused(wald.DataError, "in another order"):
        forest.predict(frame[frame.columns[::-1]])


def test_classes_that_the_forest_does_not_know():
    X, y = load_iris(return_X_y=True)
    fitted = RandomForestClassifier(3, random_state=0).fit(X, y)
    with refused(wald.DataError, "the class 7, which the forest does not know"):
        wald.from_sklearn(fitted, X, np.where(y == 2, 7, y))


def test_weights_that_are_not_those_of_the_fit():
    weights = np.linspace(1, 2, len(Y))
    fitted = RandomForestRegressor(3, random_state=0).fit(X, Y, sample_weight=weights)
    wald.from_sklearn(fitted, X, Y, weights)
    for wrong, pattern in ((weights[::-1], "not what the forest was fitted with"),
                           (weights[:9], "one weight for each row")):
        with refused(wald.DataError, pattern):
            wald.from_sklearn(fitted, X, Y, wrong)


def test_measures_of_out_of_bag_rows_where_trees_saw_all():
    fitted = ExtraTreesRegressor(5, random_state=0).fit(X[:300], Y[:300])
    forest = wald.from_sklearn(fitted, X[:300], Y[:300])
    with refused(wald.MeasureError, r"every tree saw all rows .*test=\(X, y\)"):
        forest.importance("mda_breiman_cutler")
    with refused(wald.MeasureError, "every tree saw all rows"):
        forest.explain(out_of_bag=True)
    assert forest.importance("mda_train_test", test=(X[300:], Y[300:])).values.shape == (10,)
    weights = np.arange(len(X) - 300) % 3
    again = np.repeat(np.arange(300, len(X)), weights)
    weighted = forest.importance("mda_train_test", test=(X[300:], Y[300:], weights))
    repeated = forest.importance("mda_train_test", test=(np.asarray(X)[again], Y[again]))
    np.testing.assert_allclose(weighted.values, repeated.values)
    with refused(wald.DataError, "sample_weight"):
        forest.importance("mda_train_test", test=(X[300:], Y[300:], weights[1:]))


@pytest.mark.parametrize(("settings", "reason"), [
    (dict(class_weight="balanced_subsample"), "weighs classes anew in every tree"),
])
def test_measures_of_out_of_bag_rows_where_rows_have_no_one_weight(settings, reason):
    X, y = load_iris(return_X_y=True)
    fitted = RandomForestClassifier(5, random_state=0, **settings).fit(X, y)
    with refused(wald.MeasureError, reason):
        wald.from_sklearn(fitted, X, y).importance("sobol_mda")


def test_classes_that_trees_favour_are_seen_in_their_roots():
    X, y = load_iris(return_X_y=True)
    rows = np.flatnonzero((y != 1) | (np.arange(len(y)) % 5 == 0))
    X, y = X[rows], y[rows]
    for class_weight, is_refused in [("balanced_subsample", True), (None, False)]:
        fitted = RandomForestClassifier(20, random_state=0, class_weight=class_weight).fit(X, y)
        forest = wald.from_sklearn(fitted, X, y)
        if is_refused:
            with refused(wald.MeasureError, "those of this forest favour some classes"):
                forest.importance("mda_train_test", test=(X, y))
        else:
            forest.importance("mda_train_test", test=(X, y))


def test_monotonic_constraints_are_irrelevant_until_they_clip():
    constraints = [0, 0, 1] + [0] * 7
    fitted = RandomForestRegressor(8, random_state=0, monotonic_cst=constraints).fit(X, Y)
    forest = wald.from_sklearn(fitted, X, Y)
    assert np.abs(forest.importance("mdi", normalise="sum").values
                  - fitted.feature_importances_).max() <= 1e-12
    assert np.allclose(forest.predict(X), fitted.predict(X), rtol=1e-14, atol=0)
    with refused(wald.MeasureError, "monotonic_cst has moved"):
        forest.importance("sobol_mda")


def test_rows_without_weight_are_in_no_node():
    # Where values of nodes do not follow from rows, these are counted.
    weights = np.where(np.arange(len(Y)) % 9 == 0, 0.0, 1.0)
    settings = dict(random_state=0, max_depth=3, monotonic_cst=[0, 0, 1] + [0] * 7)
    fitted = DecisionTreeRegressor(criterion="absolute_error", **settings)
    fitted.fit(X, Y, sample_weight=weights)
    forest = wald.from_sklearn(fitted, X, Y, sample_weight=weights)
    assert np.allclose(forest.predict(X), fitted.predict(X), rtol=1e-14, atol=0)
    with refused(wald.MeasureError, "monotonic_cst has moved"):
        forest.importance("mda_breiman_cutler")
    with refused(wald.DataError, "its rows reach other leaves"):
        wald.from_sklearn(fitted, X, Y)


def test_help_speaks_of_arguments():
    forest = wald.from_sklearn(FITTED, X, Y)
    with refused(wald.MeasureError, r"\(`test=\(X, y\)`\)"):
        forest.importance("mda_train_test")
    with refused(wald.SettingError, "is not a measure"):
        forest.importance("mda_of_nobody")


@pytest.mark.parametrize(("name", "near"), [
    ("permutaton", "did you mean `mda_breiman_cutler`, "), ("sobolmda", "did you mean `sobol_mda`?"),
    ("nonsense", "use one of: mdi, ")])
def test_names_that_no_measure_has_lead_to_the_nearest(name, near):
    forest = wald.from_sklearn(FITTED, X, Y)
    for ask in (forest.importance, wald.measures().__getitem__):
        with pytest.raises(wald.SettingError, match="is not a measure") as refusal:
            ask(name)
        assert refusal.value.help.startswith(near)
    with refused(wald.SettingError, "is not a local measure; did you mean `pdp`"):
        forest.explain(X[:1], "partial_dependence")


def test_no_measure_speaks_of_options():
    for info in wald.measures():
        assert "--" not in " ".join(map(str, info.values())), info["id"]
