"""Trees of a forest, read by tools for scikit-learn's trees."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import export_graphviz, export_text, plot_tree

import wald

X, Y = load_diabetes(return_X_y=True)
# Numbers that 32 bits hold, so that scikit-learn's own arrays route rows in the same way.
X = X.astype(np.float32).astype(np.float64)
FLOWERS, SPECIES = load_iris(return_X_y=True)

REGRESSORS = [wald.RandomForestRegressor(6), wald.ExtraTreesRegressor(6),
              wald.ConditionalForestRegressor(6),
              wald.RandomForestRegressor(6, bootstrap=False, max_depth=3)]


@pytest.mark.parametrize("forest", REGRESSORS, ids=repr)
def test_trees_of_numbers_are_those_of_the_forest(forest):
    X_missing = np.where(np.random.default_rng(0).random(X.shape) < 0.05, np.nan, X)
    forest = clone(forest).fit(X_missing, Y)
    assert len(forest) == len(forest.estimators_) == 6 and forest[0].n_features_in_ == 10
    trees = list(forest)
    mean = np.mean([tree.predict(X_missing) for tree in trees], axis=0)
    assert np.allclose(mean, forest.predict(X_missing), rtol=1e-12)
    leaves = np.column_stack([tree.apply(X_missing) for tree in trees])
    assert np.array_equal(leaves, forest.apply(X_missing))
    indicator, starts = forest.decision_path(X_missing)
    for at, tree in enumerate(trees):
        part = indicator[:, starts[at]:starts[at + 1]]
        assert (tree.decision_path(X_missing) != part).nnz == 0
        # The arrays are read by scikit-learn's own code.
        same = tree.tree_.apply(X_missing.astype(np.float32))
        assert np.array_equal(same, leaves[:, at])
        assert tree.get_n_leaves() == tree.tree_.n_leaves
        assert tree.get_depth() == tree.tree_.max_depth == part.sum(axis=1).max() - 1


@pytest.mark.parametrize("forest", REGRESSORS, ids=repr)
def test_nodes_know_their_rows(forest):
    forest = clone(forest).fit(X, Y)
    for tree, drawn in zip(forest.estimators_, forest.estimators_samples_):
        nodes = tree.tree_
        assert drawn.dtype == np.int32
        path = nodes.decision_path(X[drawn].astype(np.float32))
        assert np.array_equal(np.asarray(path.sum(axis=0)).ravel(), nodes.n_node_samples)
        assert np.array_equal(nodes.weighted_n_node_samples, nodes.n_node_samples)
        for node in (0, nodes.node_count - 1):
            of = Y[drawn][path.toarray()[:, node] > 0]
            assert nodes.value[node, 0, 0] == pytest.approx(of.mean())
            assert nodes.impurity[node] == pytest.approx(of.var())
    shares = np.mean([tree.feature_importances_ for tree in forest], axis=0)
    assert np.allclose(shares, forest.feature_importances_)


def test_trees_of_classes_predict_classes():
    names = np.array(["rose", "iris", "lily"])[SPECIES]
    forest = wald.RandomForestClassifier(5, max_depth=2).fit(FLOWERS, names)
    trees = forest.estimators_
    mean = np.mean([tree.predict_proba(FLOWERS) for tree in trees], axis=0)
    assert np.allclose(mean, forest.predict_proba(FLOWERS), rtol=1e-12)
    assert set(trees[0].predict(FLOWERS)) <= {"rose", "iris", "lily"}
    assert trees[0].score(FLOWERS, names) > 0.5
    text = export_text(trees[0], feature_names=["a", "b", "c", "d"], show_weights=True)
    assert "class: " in text and ("|--- c <= " in text or "|--- d <= " in text)


def test_trees_are_exported():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    frame = pd.DataFrame(X, columns=[f"v{at}" for at in range(10)])
    tree = wald.RandomForestRegressor(3, max_depth=2).fit(frame, Y).estimators_[1]
    root = frame.columns[tree.tree_.feature[0]]
    threshold = tree.tree_.threshold[0]
    text = export_text(tree, feature_names=list(frame), decimals=4)
    assert text.startswith(f"|--- {root} <= {threshold:.4f}\n")
    boxes = plot_tree(tree, feature_names=list(frame))
    assert len(boxes) >= 7 and boxes[0].get_text().startswith(f"{root} <= ")
    assert export_graphviz(tree).count("->") >= 6


def test_rows_are_routed_in_64_bits():
    close = np.array([[1.0], [1.0 + 1e-12], [1.0], [1.0 + 1e-12]] * 3)
    forest = wald.ExtraTreesRegressor(2).fit(close, [0, 1, 0, 1] * 3)
    assert forest.estimators_[0].predict(close[:2]).tolist() == [0, 1]


def test_splits_on_levels_have_no_arrays_of_numbers():
    frame = pd.DataFrame({"size": X[:, 0], "colour": np.where(Y > 150, "red", "blue")})
    forest = wald.RandomForestRegressor(3, max_features=2).fit(frame, Y)
    tree = forest.estimators_[0]
    mean = np.mean([tree.predict(frame) for tree in forest], axis=0)
    assert np.allclose(mean, forest.predict(frame), rtol=1e-12)
    with pytest.raises(wald.DataError, match="levels of 'colour'") as refusal:
        export_text(tree)
    assert refusal.value.column == "colour"


def test_trees_are_pickled_with_their_forest():
    forest = wald.RandomForestRegressor(3).fit(X, Y)
    tree = pickle.loads(pickle.dumps(forest.estimators_[2]))
    assert np.array_equal(tree.predict(X), forest.estimators_[2].predict(X))
    again = pickle.loads(pickle.dumps(forest)).estimators_[2]
    assert again.tree_.node_count == tree.tree_.node_count
    for call in (lambda: clone(tree).predict(X), lambda: wald.RandomForestRegressor().estimators_,
                 lambda: len(wald.RandomForestRegressor())):
        with pytest.raises(wald.NotFittedError):
            call()


@pytest.mark.parametrize("forest", [
    wald.ExtraTreesRegressor(4, max_features=3), wald.RandomForestRegressor(4, bootstrap=False),
    wald.ConditionalForestRegressor(4, max_samples=1.0, max_features=2, min_criterion=0.5,
                                    random_state=None),
    wald.RandomForestClassifier(4, bootstrap=False, max_bins=20, max_leaf_nodes=9, first_tree=2),
], ids=repr)
def test_a_copy_of_a_tree_is_grown_on_its_own(forest):
    table, y = (FLOWERS, SPECIES) if hasattr(forest, "class_weight") else (X, Y)
    forest = clone(forest).fit(table, y)
    before = forest.predict(table)
    tree = pickle.loads(pickle.dumps(clone(forest.estimators_[3])))
    again = tree.fit(table, y)
    assert again is tree and np.array_equal(tree.apply(table), forest.apply(table)[:, 3])
    assert np.array_equal(tree.tree_.value, forest.estimators_[3].tree_.value)
    # Its own settings, and other rows.
    small = clone(tree).set_params(max_depth=1).fit(table[::2], y[::2])
    assert small.get_depth() == 1 and small.tree_.n_node_samples[0] == len(table[::2])
    assert len(clone(forest.estimator).fit(table, y).cost_complexity_pruning_path(table, y).impurities) > 2
    assert tree.get_depth() > 1 and np.array_equal(forest.predict(table), before)


def test_trees_that_are_grown_on_their_own_have_weights_and_the_least_size_of_their_forest():
    forest = wald.RandomForestRegressor(2).fit(X, Y)
    assert forest.estimator.min_samples_split == forest.estimators_[0].min_samples_split == 6
    sizes = clone(forest[1]).fit(X, Y).tree_.n_node_samples
    inner = forest[1].tree_.children_left >= 0
    assert forest[1].tree_.n_node_samples[inner].min() == sizes[sizes > 5].min() == 6
    weights = np.where(SPECIES == 2, 0.0, 1.0)
    tree = wald.RandomForestClassifier(class_weight="balanced").estimator
    assert tree.class_weight is None and tree.fit(FLOWERS, SPECIES, weights).score(FLOWERS, SPECIES) == 2 / 3


def test_a_tree_without_a_forest_is_refused():
    kind = type(wald.ExtraTreesRegressor().estimator)
    with pytest.raises(wald.SettingError, match="of which forest this RegressionTree is"):
        kind().fit(X, Y)
