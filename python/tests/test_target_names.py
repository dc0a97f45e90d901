"""Names of targets: one that a column has is refused where the target is this column, and replaced
elsewhere."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor

import wald

RNG = np.random.default_rng(0)
A = RNG.normal(size=(60, 3))
Y = A[:, 0] + 0.3 * RNG.normal(size=60)
X = pd.DataFrame(A, columns=["a", "b", "c"])
SIGNS = pd.Series(np.where(Y > 0, "up", "down"), name="a")


def grow(X, y, kind=wald.RandomForestRegressor, **settings):
    return kind(5, n_jobs=1, **settings).fit(X, y)


@pytest.mark.parametrize("table, y", [
    (pd.DataFrame(A), pd.DataFrame(np.c_[Y, Y])),
    (X.set_axis(["y0", "y1", "target0"], axis=1), np.c_[Y, Y]),
    (X, X[["b", "a"]].set_axis(["a", "b"], axis=1)),
    (X, pd.Series(Y, name="a")),
    (X, pd.Series(Y > 0, name="a").astype(float)),
    (A[:, 1:], pd.Series(A[:, 0], name="x0")),
    (X.assign(name=1.0), pd.DataFrame({"name": Y, "d": Y})),
], ids=["names of pandas", "names of wald", "swapped", "others", "zeros and ones", "array", "name"])
def test_names_of_columns_are_replaced_where_values_differ(table, y):
    forest, plain = grow(table, y), grow(table, np.asarray(y))
    assert np.array_equal(forest.predict(table), plain.predict(table))
    names = {str(name) for name in getattr(table, "columns", ["x0", "x1"])}
    assert forest._forest.target_name not in names


@pytest.mark.parametrize("table, y, kind", [
    (X, X["b"], wald.RandomForestRegressor),
    (X, X["b"].astype(object), wald.RandomForestRegressor),
    (X, X.assign(d=Y)[["d", "b"]], wald.RandomForestRegressor),
    (X.assign(a=SIGNS), SIGNS, wald.RandomForestClassifier),
    (X.assign(a=SIGNS == "up"), SIGNS == "up", wald.RandomForestClassifier),
    (X.assign(a=(SIGNS == "up").astype(float)), (SIGNS == "up").astype(int),
     wald.RandomForestClassifier),
], ids=["number", "objects", "one of several", "texts", "booleans", "numbers of classes"])
def test_a_target_that_is_a_column_is_refused(table, y, kind):
    with pytest.raises(wald.DataError, match='the target "[ab]" is also an input variable'):
        grow(table, y, kind)


def test_all_functions_take_such_targets():
    y = pd.Series(Y, name="a")
    estimator = wald.RandomForestRegressor(5, n_jobs=1)
    assert wald.masking(estimator, X, y, mtry=[1, 3]).feature_names == ["a", "b", "c"]
    assert wald.RFE(estimator, measure="mdi", folds=2).fit(X, y).selection_.measure == "mdi"
    assert wald.conditional_test(estimator, X, y, method="loco").feature_names == ["a", "b", "c"]
    found = wald.surrogate(X[:20], y[:20], measure="mdi", rows=100, draws=2, estimator=estimator)
    assert found.predict(X[:3]).shape == (3,)
    fitted = RandomForestRegressor(5, random_state=0).fit(X, y)
    assert wald.from_sklearn(fitted, X, y).importance("mdi").values.shape == (3,)
    with pytest.raises(wald.DataError, match="is also an input variable"):
        wald.from_sklearn(fitted, X, X["a"])


def test_a_column_may_have_the_name_that_rows_and_outputs_have_inside():
    inputs = X.set_axis(["row", "output", "y"], axis=1)
    assert wald.dependence(inputs).feature_names == list(inputs)
    found = wald.through(lambda x: np.asarray(x)[:, 0], inputs,
                         estimator=wald.RandomForestRegressor(5), measure="mdi")
    assert found.feature_names == list(inputs)
