"""Tables of every kind give the same imported forest."""

import lightgbm
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import wald


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X.set_axis(["a", "b", "c", "d"], axis=1), y


@pytest.mark.parametrize("to", [
    lambda X: X, pl.from_pandas, lambda X: X.convert_dtypes(), lambda X: X.astype(np.float32),
    lambda X: X.to_numpy(), lambda X: np.asfortranarray(X.to_numpy()),
    lambda X: X.to_numpy().tolist()])
def test_scikit_learn(to, iris):
    X, y = iris
    X = to(X)
    fitted = RandomForestClassifier(8, random_state=0).fit(X, y)
    forest = wald.from_sklearn(fitted, X, y)
    assert (forest.predict_proba(X) == fitted.predict_proba(X)).all()
    assert list(forest.feature_names_in_) == list(
        getattr(fitted, "feature_names_in_", ["x0", "x1", "x2", "x3"] if not hasattr(X, "columns")
                else X.columns))


@pytest.mark.parametrize("to", [
    list, np.array, pd.Series, pl.Series, lambda y: pd.Series(y, dtype="category"),
    lambda y: pd.Series(y, dtype="string"), lambda y: np.array(y, dtype=object)])
def test_classes_that_are_texts(to, iris):
    X, y = iris
    y = to(list(np.array(["setosa", "versicolor", "virginica"])[y]))
    fitted = RandomForestClassifier(8, random_state=0).fit(X, y)
    forest = wald.from_sklearn(fitted, X, y)
    assert (forest.predict(X) == fitted.predict(X)).all()
    assert list(forest.classes_) == ["setosa", "versicolor", "virginica"]
    found = forest.importance("mda_breiman_cutler", per_class=True)
    assert set(found.per_class) == {"setosa", "versicolor", "virginica"}


def test_booleans_and_whole_numbers_are_numbers_to_scikit_learn(iris):
    X, y = iris
    X = X.assign(e=X["a"] > 5.5, f=(10 * X["b"]).round().astype("int64"))
    fitted = RandomForestRegressor(8, random_state=0).fit(X, y)
    forest = wald.from_sklearn(fitted, X, y)
    assert np.allclose(forest.predict(X), fitted.predict(X), rtol=1e-15)


def test_groups_of_columns(iris):
    X, y = iris
    forest = wald.from_sklearn(RandomForestClassifier(8, random_state=0).fit(X, y), X, y)
    found = forest.importance("mda_breiman_cutler", groups={"sepal": ["a", "b"]})
    assert found.feature_names == ["sepal", "c", "d"]


def test_lightgbm_on_arrow(iris):
    X, y = iris
    table = pa.Table.from_pandas(X)
    model = lightgbm.LGBMRegressor(n_estimators=5, verbose=-1).fit(table, y)
    forest = wald.from_lightgbm(model, table, y)
    assert np.allclose(forest.predict(table), model.predict(table), rtol=1e-12)
    assert np.allclose(forest.predict(X.to_numpy()), model.predict(table), rtol=1e-12)


def test_columns_of_frames_are_found_by_name(iris):
    X, y = iris
    model = lightgbm.LGBMRegressor(n_estimators=5, verbose=-1).fit(X, y)
    forest = wald.from_lightgbm(model, X, y)
    assert (forest.predict(X[["d", "c", "b", "a"]]) == forest.predict(X)).all()
    with pytest.raises(wald.DataError, match="has no column 'c'"):
        forest.predict(X[["a", "b", "d"]])
