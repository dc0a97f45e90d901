"""Forests of scikit-learn on targets far from zero, of medians, and of all variables at a node."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

import wald
from test_foreign_sklearn import donor_predictions, out_of_bag, trees_of, weights_of


def far_targets(estimator, shift):
    """A forest on a target far from zero, and mdi of its trees by variances around their means."""
    X, y = load_diabetes(return_X_y=True)
    y = y + shift
    estimator.fit(X, y)
    found = []
    for tree, drawn in zip(trees_of(estimator), estimator.estimators_samples_):
        paths = tree.decision_path(X.astype(np.float32)[drawn]).toarray().astype(bool)
        sums = [((y[drawn][here] - y[drawn][here].mean()) ** 2).sum() for here in paths.T]
        inner = tree.children_left >= 0
        falls = np.array(sums)
        falls = falls[inner] - falls[tree.children_left[inner]] - falls[tree.children_right[inner]]
        found.append(np.bincount(tree.feature[inner], falls / len(drawn), minlength=X.shape[1]))
    return X, y, np.mean(found, axis=0)


@pytest.mark.parametrize("shift", [2459000.0, 5.4e8])
def test_targets_far_from_zero(shift):
    estimator = RandomForestRegressor(20, random_state=0, max_depth=6)
    X, y, expected = far_targets(estimator, shift)
    found = wald.from_sklearn(estimator, X, y).importance("mdi").values
    assert np.allclose(found, expected, rtol=1e-5, atol=1e-5 * expected.max())


def test_variances_in_files_may_have_lost_digits_of_the_squared_mean(tmp_path):
    y = 5.4e6 + np.arange(8) * 100.0
    left, right = y[:4], y[4:]
    of = [(y, 4.0), (left, -4.0), (right, 4.0)]
    tree = {"feature": [0, -1, -1], "threshold": [3.5, 0, 0], "left": [1, -1, -1],
            "right": [2, -1, -1], "in_bag": [1] * 8,
            "impurity": [part.var() + lost for part, lost in of]}
    document = {"format": "wald-forest", "version": 1, "task": "regression", "features": ["x"],
                "trees": [tree]}
    path = tmp_path / "forest.json"
    X = np.arange(8.0).reshape(-1, 1)
    path.write_text(json.dumps(document))
    assert wald.read_forest(path, X, y).n_trees == 1
    tree["impurity"][0] += 1000.0
    path.write_text(json.dumps(document))
    with pytest.raises(wald.ForestFileError, match="impurity"):
        wald.read_forest(path, X, y)


def test_forests_of_medians_have_measures_of_out_of_bag_rows():
    X, y = load_diabetes(return_X_y=True)
    estimator = RandomForestRegressor(
        9, criterion="absolute_error", max_depth=4, random_state=0).fit(X, y)
    forest = wald.from_sklearn(estimator, X, y)
    found = forest.importance("mda_breiman_cutler", loss="absolute")
    feature = int(found.ranking()[0])
    increases = []
    for tree, rows in zip(trees_of(estimator), out_of_bag(estimator, len(y))):
        predicted = donor_predictions(estimator, X, y, tree, rows, feature)[:, :, 0]
        before = tree.predict(X[rows].astype(np.float32)).ravel()
        increases.append(np.abs(y[rows, None] - predicted).mean() - np.abs(y[rows] - before).mean())
    assert found.values[feature] == pytest.approx(np.mean(increases), rel=1e-10)
    assert forest.importance("mdi").unit.startswith("mean absolute deviation of the target")
    assert forest.predict_quantiles(X[:3]).shape == (3, 3)
    with pytest.raises(wald.MeasureError, match="hold medians"):
        forest.importance("sobol_mda")


@pytest.mark.parametrize("bootstrap", [True, False])
def test_forests_of_medians_with_weights_of_zero(bootstrap):
    X, y = load_diabetes(return_X_y=True)
    weights = np.where(np.arange(len(y)) % 9 == 0, 0.0, weights_of(len(y)))
    estimator = RandomForestRegressor(
        5, criterion="absolute_error", max_depth=3, bootstrap=bootstrap, max_features=3,
        random_state=0).fit(X, y, sample_weight=weights)
    found = wald.from_sklearn(estimator, X, y, weights).importance("mdi", normalise="sum")
    assert np.abs(found.values - estimator.feature_importances_).max() < 1e-10
    tree = DecisionTreeRegressor(criterion="absolute_error", max_depth=3, random_state=0)
    tree.fit(X, y, sample_weight=weights)
    found = wald.from_sklearn(tree, X, y, weights).importance("mdi", normalise="sum")
    assert np.abs(found.values - tree.feature_importances_).max() < 1e-10


def test_notes_of_masking_state_max_features():
    # Of trees that try all variables, one of two that depend on each other hides the other.
    rng = np.random.default_rng(5)
    X = rng.normal(size=(600, 6))
    X[:, 1] = 0.9 * X[:, 0] + np.sqrt(0.19) * X[:, 1]
    y = 2 * X[:, 0] + X[:, 2] + rng.normal(size=600) / 2
    grown = RandomForestRegressor(150, random_state=1, n_jobs=1).fit(X, y)
    notes = " ".join(wald.from_sklearn(grown, X, y).importance("sobol_mda").notes)
    assert "with mtry 6 of 6," in notes
    few = RandomForestRegressor(150, max_features=2, random_state=1, n_jobs=1).fit(X, y)
    assert "mtry 6" not in " ".join(wald.from_sklearn(few, X, y).importance("sobol_mda").notes)
