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


def test_trees_are_pickled_with_their_forest_and_refuse_to_be_fitted():
    forest = wald.RandomForestRegressor(3).fit(X, Y)
    tree = pickle.loads(pickle.dumps(forest.estimators_[2]))
    assert np.array_equal(tree.predict(X), forest.estimators_[2].predict(X))
    again = pickle.loads(pickle.dumps(forest)).estimators_[2]
    assert again.tree_.node_count == tree.tree_.node_count
    with pytest.raises(wald.SettingError, match="cannot be fitted alone"):
        tree.fit(X, Y)
    for call in (lambda: clone(tree).predict(X), lambda: wald.RandomForestRegressor().estimators_,
                 lambda: len(wald.RandomForestRegressor())):
        with pytest.raises(wald.NotFittedError):
            call()
