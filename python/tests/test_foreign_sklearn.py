"""Forests of scikit-learn predict the same here as there."""

import pickle

import numpy as np
import pytest
import shap
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.metrics import mean_squared_error
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor

import wald

LOADERS = {"diabetes": load_diabetes, "cancer": load_breast_cancer, "wine": load_wine,
           "iris": load_iris}
SEED = dict(n_estimators=12, random_state=0)


def weights_of(n):
    return np.random.default_rng(5).uniform(0.5, 3.0, n)


# Name of the data, share of missing cells, the estimator, and whether rows have weights.
CASES = {
    "diabetes": ("diabetes", 0, RandomForestRegressor(**SEED, oob_score=True), False),
    "diabetes_missing": ("diabetes", 0.2, RandomForestRegressor(**SEED, oob_score=True), False),
    "max_samples": ("diabetes", 0, RandomForestRegressor(**SEED, max_samples=0.4), False),
    "weights": ("diabetes", 0, RandomForestRegressor(**SEED), True),
    "weights_all_rows": ("diabetes", 0, RandomForestRegressor(**SEED, bootstrap=False,
                                                              max_features=3), True),
    "friedman": ("diabetes", 0, ExtraTreesRegressor(**SEED, criterion="friedman_mse"), False),
    "extra_missing": ("diabetes", 0.2, ExtraTreesRegressor(**SEED), False),
    "extra_bootstrap": ("diabetes", 0, ExtraTreesRegressor(**SEED, bootstrap=True), False),
    "best_first": ("diabetes", 0, RandomForestRegressor(**SEED, max_leaf_nodes=15), False),
    "pruned": ("diabetes", 0, RandomForestRegressor(**SEED, ccp_alpha=20.0), False),
    "absolute": ("diabetes", 0, RandomForestRegressor(**SEED, criterion="absolute_error"), False),
    "tree": ("diabetes", 0, DecisionTreeRegressor(random_state=0), True),
    "extra_tree": ("diabetes", 0, ExtraTreeRegressor(random_state=0), False),
    "stumps": ("diabetes", 0, RandomForestRegressor(**SEED, max_depth=1), False),
    "cancer": ("cancer", 0, RandomForestClassifier(**SEED, oob_score=True), False),
    "entropy": ("wine", 0, RandomForestClassifier(**SEED, criterion="entropy"), False),
    "log_loss": ("wine", 0.1, RandomForestClassifier(**SEED, criterion="log_loss"), False),
    "iris_missing": ("iris", 0.3, RandomForestClassifier(**SEED), False),
    "balanced": ("cancer", 0, RandomForestClassifier(**SEED, class_weight="balanced"), False),
    "subsample": ("cancer", 0, RandomForestClassifier(
        **SEED, class_weight="balanced_subsample"), False),
    "classes_weigh": ("iris", 0, ExtraTreesClassifier(
        **SEED, class_weight={0: 1.0, 1: 5.0, 2: 0.5}), True),
    "class_tree": ("wine", 0, DecisionTreeClassifier(
        random_state=0, class_weight="balanced"), True),
    "only_missing": ("iris", 0, RandomForestClassifier(**SEED), False),
}


def fitted(name):
    data, missing, estimator, is_weighted = CASES[name]
    X, y = LOADERS[data](return_X_y=True)
    random = np.random.default_rng(1)
    X[random.random(X.shape) < missing] = np.nan
    if name == "only_missing":
        # A column that is informative only where it is missing makes splits without a threshold.
        X[:, 3] = np.where(y == 1, np.nan, 7.0)
    weights = weights_of(len(y)) if is_weighted else None
    return estimator.fit(X, y, sample_weight=weights), X, y, weights


@pytest.fixture(params=CASES)
def case(request):
    estimator, X, y, weights = fitted(request.param)
    return estimator, X, y, wald.from_sklearn(estimator, X, y, weights)


def trees_of(estimator):
    return [each.tree_ for each in getattr(estimator, "estimators_", [estimator])]


def own_predictions(estimator, X):
    return estimator.predict_proba(X) if hasattr(estimator, "classes_") else estimator.predict(X)


def predictions(forest, X):
    return forest.predict_proba(X) if hasattr(forest, "classes_") else forest.predict(X)


def test_mdi_is_feature_importances(case):
    estimator, _, _, forest = case
    found = forest.importance("mdi", normalise="sum")
    assert np.abs(found.values - estimator.feature_importances_).max() <= 1e-12


def test_predictions_are_the_same(case):
    estimator, X, _, forest = case
    own, found = own_predictions(estimator, X), predictions(forest, X)
    assert (np.abs(own - found) <= 4 * np.spacing(np.abs(own))).all()
    assert (forest.predict(X) == estimator.predict(X)).all() or not hasattr(forest, "classes_")


def test_rows_that_training_never_saw_reach_the_same_leaves(case):
    estimator, X, _, forest = case
    random = np.random.default_rng(2)
    # At thresholds themselves, rounded in 32 bits, is where routing could part.
    new = X[random.integers(len(X), size=300)].copy()
    for tree in trees_of(estimator):
        inner = np.flatnonzero((tree.children_left >= 0) & np.isfinite(tree.threshold))
        some = random.choice(inner, 20)
        rows = random.integers(300, size=20)
        new[rows, tree.feature[some]] = tree.threshold[some]
    own, found = own_predictions(estimator, new), predictions(forest, new)
    assert (np.abs(own - found) <= 4 * np.spacing(np.abs(own))).all()


def saabas(estimator, X):
    """What every split on the path of a row adds, by treeinterpreter's definition."""
    total = 0
    for tree in trees_of(estimator):
        value = tree.value[:, 0, :]
        paths = tree.decision_path(X.astype(np.float32)).tocoo()
        parent = np.full(tree.node_count, -1)
        for children in (tree.children_left, tree.children_right):
            inner = children >= 0
            parent[children[inner]] = np.flatnonzero(inner)
        added = np.zeros((len(X), X.shape[1], value.shape[1]))
        below = paths.col > 0
        rows, nodes = paths.row[below], paths.col[below]
        np.add.at(added, (rows, tree.feature[parent[nodes]]), value[nodes] - value[parent[nodes]])
        total = total + added
    return total / len(trees_of(estimator))


def test_saabas_follows_paths(case):
    estimator, X, _, forest = case
    expected = saabas(estimator, X)
    found = forest.explain(X, "saabas").values
    found = found if found.ndim == 3 else found[:, :, None]
    assert np.abs(found - expected).max() <= 1e-10 * max(1, np.abs(expected).max())


@pytest.mark.parametrize("name", ["diabetes", "cancer", "entropy", "balanced", "classes_weigh",
                                  "weights_all_rows", "absolute", "best_first"])
def test_tree_shap_is_that_of_shap(name):
    estimator, X, y, weights = fitted(name)
    forest = wald.from_sklearn(estimator, X, y, weights)
    # shap compares 64-bit values with thresholds, scikit-learn 32-bit ones.
    rows = X[:40].astype(np.float32).astype(np.float64)
    expected = shap.TreeExplainer(estimator, feature_perturbation="tree_path_dependent")
    found = forest.explain(rows, "tree_shap")
    scale = max(1.0, np.abs(y).max())
    assert np.abs(found.values - expected.shap_values(rows)).max() <= 1e-8 * scale
    assert np.abs(found.expected_value - expected.expected_value).max() <= 1e-8 * scale


@pytest.mark.parametrize("name", ["diabetes", "diabetes_missing", "cancer", "max_samples",
                                  "weights", "balanced", "extra_bootstrap"])
def test_out_of_bag_rows_are_those_of_scikit_learn(name):
    estimator, X, y, weights = fitted(name)
    forest = wald.from_sklearn(estimator, X, y, weights)
    for at, rows in enumerate(estimator.estimators_samples_):
        assert (forest._forest.in_bag(at) == np.bincount(rows, minlength=len(y))).all()


@pytest.mark.parametrize("name", ["diabetes", "diabetes_missing", "cancer"])
def test_out_of_bag_predictions_are_those_of_scikit_learn(name):
    estimator, X, y, _ = fitted(name)
    estimator.set_params(n_estimators=60).fit(X, y)
    forest = wald.from_sklearn(estimator, X, y)
    found = forest.explain(None, "saabas", out_of_bag=True)
    # Out-of-bag trees predict the value of their root plus what they add.
    bags = np.array([forest._forest.in_bag(at) for at in range(forest.n_trees)])
    roots = np.array([tree.value[0, 0] for tree in trees_of(estimator)])
    out = (bags == 0).astype(float)
    starts = out.T @ roots / out.sum(axis=0)[:, None]
    values = found.values if found.values.ndim == 3 else found.values[:, :, None]
    own = getattr(estimator, "oob_prediction_", getattr(estimator, "oob_decision_function_", None))
    own = own.reshape(len(y), -1)
    assert np.abs(values.sum(axis=1) + starts - own).max() <= 1e-9 * max(1, np.abs(own).max())


def donor_predictions(estimator, X, y, tree, rows, feature):
    """Predictions of a tree, every row with the value of every donor: (rows, donors, outputs)."""
    n = len(rows)
    changed = np.repeat(X[rows], n, axis=0)
    changed[:, feature] = np.tile(X[rows, feature], n)
    predicted = tree.predict(changed.astype(np.float32))
    return predicted.reshape(n, n, -1)


def out_of_bag(estimator, n_rows):
    return [np.setdiff1d(np.arange(n_rows), rows) for rows in estimator.estimators_samples_]


@pytest.fixture(scope="module")
def small():
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 4))
    y = X[:, 0] + X[:, 1] ** 2 + random.normal(size=60) / 4
    X[random.random(X.shape) < 0.1] = np.nan
    return X, y, RandomForestRegressor(n_estimators=9, random_state=2).fit(X, y)


def test_breiman_cutler_is_the_mean_over_all_permutations(small):
    X, y, estimator = small
    found = wald.from_sklearn(estimator, X, y).importance("mda_breiman_cutler")
    for feature in range(X.shape[1]):
        increases = []
        for tree, rows in zip(trees_of(estimator), out_of_bag(estimator, len(y))):
            predicted = donor_predictions(estimator, X, y, tree, rows, feature)[:, :, 0]
            before = tree.predict(X[rows].astype(np.float32)).ravel()
            # Under a random permutation every row has every donor's value equally often.
            after = ((y[rows, None] - predicted) ** 2).mean()
            increases.append(after - ((y[rows] - before) ** 2).mean())
        assert found.values[feature] == pytest.approx(np.mean(increases), rel=1e-10, abs=1e-12)


def test_breiman_cutler_of_classes_counts_wrong_votes():
    X, y = load_iris(return_X_y=True)
    estimator = RandomForestClassifier(n_estimators=6, random_state=1, max_depth=3).fit(X, y)
    forest = wald.from_sklearn(estimator, X, y)
    found = forest.importance("mda_breiman_cutler", loss="zero_one")
    for feature in range(X.shape[1]):
        increases = []
        for tree, rows in zip(trees_of(estimator), out_of_bag(estimator, len(y))):
            predicted = donor_predictions(estimator, X, y, tree, rows, feature).argmax(axis=2)
            before = tree.predict(X[rows].astype(np.float32)).argmax(axis=1)
            increases.append((predicted != y[rows, None]).mean() - (before != y[rows]).mean())
        assert found.values[feature] == pytest.approx(np.mean(increases), rel=1e-10, abs=1e-12)


def test_ishwaran_kogalur_is_the_mean_over_all_permutations(small):
    X, y, estimator = small
    found = wald.from_sklearn(estimator, X, y).importance("mda_ishwaran_kogalur")
    n = len(y)
    all_rows = out_of_bag(estimator, n)
    n_trees = sum(np.isin(np.arange(n), rows) for rows in all_rows)
    seen = n_trees > 0
    for feature in range(X.shape[1]):
        before, mean, variance = np.zeros(n), np.zeros(n), np.zeros(n)
        for tree, rows in zip(trees_of(estimator), all_rows):
            predicted = donor_predictions(estimator, X, y, tree, rows, feature)[:, :, 0]
            before[rows] += tree.predict(X[rows].astype(np.float32)).ravel()
            mean[rows] += predicted.mean(axis=1)
            # Trees are permuted independently of each other.
            variance[rows] += predicted.var(axis=1)
        before, mean = before[seen] / n_trees[seen], mean[seen] / n_trees[seen]
        after = ((y[seen] - mean) ** 2 + variance[seen] / n_trees[seen] ** 2).mean()
        expected = after - ((y[seen] - before) ** 2).mean()
        assert found.values[feature] == pytest.approx(expected, rel=1e-10, abs=1e-12)


def test_test_rows_are_predicted_and_permuted():
    X, y = load_diabetes(return_X_y=True)
    estimator = RandomForestRegressor(20, random_state=0).fit(X[:300], y[:300])
    forest = wald.from_sklearn(estimator, X[:300], y[:300])
    found = forest.importance("mda_train_test", test=(X[300:], y[300:]), permutations=200)
    random = np.random.default_rng(0)
    before = mean_squared_error(y[300:], estimator.predict(X[300:]))
    for feature in (2, 8):
        increases = []
        for _ in range(200):
            changed = X[300:].copy()
            changed[:, feature] = random.permutation(changed[:, feature])
            increases.append(mean_squared_error(y[300:], estimator.predict(changed)) - before)
        error = np.std(increases) / np.sqrt(len(increases))
        assert abs(found.values[feature] - np.mean(increases)) < 4 * np.sqrt(2) * error


def test_a_poisson_forest_has_means_and_mdi_of_variance():
    X, y = load_diabetes(return_X_y=True)
    estimator = RandomForestRegressor(8, criterion="poisson", random_state=0).fit(X, y)
    forest = wald.from_sklearn(estimator, X, y)
    assert np.allclose(forest.predict(X), estimator.predict(X), rtol=1e-15)
    same_trees = []
    for tree, rows in zip(trees_of(estimator), estimator.estimators_samples_):
        counts = np.bincount(rows, minlength=len(y))
        reached = tree.decision_path(X.astype(np.float32)).toarray() * counts[:, None]
        weight = reached.sum(axis=0)
        variance = y ** 2 @ reached / weight - (y @ reached / weight) ** 2
        inner = np.flatnonzero(tree.children_left >= 0)
        fall = (weight * variance)[inner] - sum(
            (weight * variance)[side[inner]] for side in (tree.children_left, tree.children_right))
        same_trees.append(np.bincount(tree.feature[inner], fall / weight[0], minlength=10))
    assert np.allclose(forest.importance("mdi").values, np.mean(same_trees, axis=0), rtol=1e-9)


def test_a_forest_survives_pickling(small):
    X, y, estimator = small
    forest = wald.from_sklearn(estimator, X, y)
    again = pickle.loads(pickle.dumps(forest))
    assert (again.predict(X) == forest.predict(X)).all()
    assert (again.importance("mdi").values == forest.importance("mdi").values).all()
