"""Weights of training rows through Python, and what follows from them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor

import wald
from wald.errors import DataError, NotFittedError, SettingError

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def penguins():
    table = pd.read_csv(DATA / "penguins.csv")
    return table[table["body_mass_g"].notna()].reset_index(drop=True)


@pytest.fixture(scope="module")
def masses(penguins):
    X, y = penguins.drop(columns="body_mass_g"), penguins["body_mass_g"]
    weights = np.where(penguins["sex"] == "male", 2.0, 0.5)
    return X, y, wald.RandomForestRegressor(40, random_state=1).fit(X, y, weights)


def test_means_by_weights_are_predictions(masses):
    X, y, forest = masses
    out_of_bag = forest.weights()
    assert out_of_bag.shape == (len(y), len(y)) and out_of_bag.nnz < len(y) ** 2 / 2
    np.testing.assert_allclose(out_of_bag @ y.to_numpy(), forest.oob_prediction_, rtol=1e-12)
    new = forest.weights(X.head(7))
    np.testing.assert_allclose(new @ y.to_numpy(), forest.predict(X.head(7)), rtol=1e-12)
    np.testing.assert_allclose(new.sum(axis=1), 1, rtol=1e-12)


def test_means_of_classes_are_proportions(penguins):
    X, y = penguins.drop(columns="species"), penguins["species"]
    forest = wald.RandomForestClassifier(60, random_state=1).fit(X, y)
    one_hot = pd.get_dummies(y)[list(forest.classes_)].to_numpy(float)
    np.testing.assert_allclose(forest.weights() @ one_hot, forest.oob_decision_function_, atol=1e-12)
    found = forest.prototypes(n_neighbours=30)
    assert list(found) == list(forest.classes_)
    gentoo = found["Gentoo"]
    assert gentoo["centre"]["island"] == "Biscoe" and set(y[gentoo["neighbours"]]) == {"Gentoo"}
    low, high = gentoo["quartiles"]["body_mass_g"]
    values = X["body_mass_g"][gentoo["neighbours"]]
    assert [low, gentoo["centre"]["body_mass_g"], high] == list(values.quantile([0.25, 0.5, 0.75]))
    assert forest.outliers().shape == y.shape


def test_quantiles_are_those_of_the_weights(masses):
    X, y, forest = masses
    order = np.argsort(y.to_numpy())
    sums = forest.weights().toarray()[:, order].cumsum(axis=1)
    levels = [0.9, 0.1]
    for level, found in zip(levels, forest.predict_quantiles(quantiles=levels).T):
        np.testing.assert_array_equal(found, y.to_numpy()[order][(sums >= level - 1e-12).argmax(axis=1)])
    found = forest.predict_quantiles(X.head(3))
    assert found.shape == (3, 3) and (np.diff(found) >= 0).all()


def test_forests_of_scikit_learn_have_weights():
    rng = np.random.default_rng(0)
    X = rng.random((80, 3))
    y = X[:, 0] + rng.random(80)
    foreign = RandomForestRegressor(20, random_state=0).fit(X, y)
    forest = wald.from_sklearn(foreign, X, y)
    np.testing.assert_allclose(forest.weights(X) @ y, foreign.predict(X), rtol=1e-12)


def test_what_cannot_be_computed_is_refused(masses, penguins):
    X, _, forest = masses
    for wrong in ([1.5], [], [float("nan")]):
        with pytest.raises(SettingError):
            forest.predict_quantiles(X, wrong)
    with pytest.raises(DataError, match="number"):
        forest.prototypes()
    with pytest.raises(DataError):
        forest.weights(X[["sex", "year"]])
    with pytest.raises(NotFittedError):
        wald.RandomForestRegressor().predict_quantiles(X)
    classes = wald.RandomForestClassifier(5).fit(X.drop(columns="species"), penguins["species"])
    with pytest.raises(DataError, match="classes"):
        classes.predict_quantiles(X.drop(columns="species"))
    with pytest.raises(SettingError):
        classes.prototypes(n_neighbours=0)


def test_one_quantile_is_a_number():
    data = wald.simulate("friedman_1", rows=60, seed=1)
    forest = wald.RandomForestRegressor(10, n_jobs=1).fit(data.inputs, data.target)
    found = forest.predict_quantiles(data.inputs, 0.5)
    assert found.shape == (60,)
    assert np.array_equal(found, forest.predict_quantiles(data.inputs, [0.5])[:, 0])
    for given in (None, "0.5", ["a"], [[0.5]], 2, {0.5: 1}, [True]):
        with pytest.raises(SettingError, match="quantile"):
            forest.predict_quantiles(data.inputs, given)
