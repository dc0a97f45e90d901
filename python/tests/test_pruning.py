"""Trees that are limited by their leaves, or pruned by their cost: those of scikit-learn on the same rows."""

import numpy as np
import pytest
import sklearn.ensemble

import wald

GENERATOR = np.random.default_rng(3)
X = GENERATOR.normal(size=(500, 5))
Y = X[:, 0] + X[:, 1] * X[:, 2] + GENERATOR.normal(size=500)
CLASSES = np.array(["low", "middle", "high"])[np.digitize(Y, [-1, 1])]

# All columns compete for all rows, so that one split is best, and every tree is the same. Ties of two
# columns in small nodes would be decided by chance.
WHOLE = dict(n_estimators=2, bootstrap=False, max_features=None, min_samples_leaf=5, random_state=0)


@pytest.mark.parametrize("limits", [
    dict(max_leaf_nodes=2), dict(max_leaf_nodes=17), dict(ccp_alpha=0.02), dict(ccp_alpha=0.05),
    dict(max_leaf_nodes=30, ccp_alpha=0.005), dict(max_leaf_nodes=12, max_depth=4)])
@pytest.mark.parametrize("name, y", [("RandomForestRegressor", Y), ("RandomForestClassifier", CLASSES)])
def test_trees_are_those_of_scikit_learn(name, y, limits):
    own = getattr(wald, name)(**WHOLE, **limits).fit(X, y)
    peer = getattr(sklearn.ensemble, name)(**WHOLE, **limits).fit(X, y)
    found = [tree.tree_.n_leaves for tree in own.estimators_]
    assert found == [tree.tree_.n_leaves for tree in peer.estimators_]
    whole = getattr(wald, name)(**WHOLE).fit(X, y)
    assert 1 < found[0] < whole.estimators_[0].tree_.n_leaves
    predict = "predict_proba" if name.endswith("Classifier") else "predict"
    np.testing.assert_allclose(getattr(own, predict)(X), getattr(peer, predict)(X), atol=1e-12)
    np.testing.assert_allclose(own.feature_importances_, peer.feature_importances_, atol=1e-12)


def test_only_the_root_is_left_where_leaves_cost_too_much():
    forest = wald.ExtraTreesRegressor(3, ccp_alpha=1e6).fit(X, Y)
    assert [tree.tree_.n_leaves for tree in forest.estimators_] == [1, 1, 1]
    assert np.allclose(forest.predict(X), Y.mean())
    again = wald.ExtraTreesRegressor(3).fit(X, Y)
    assert again.estimators_[0].tree_.n_leaves > 100


def test_branches_of_pruned_trees_are_not_grown_again():
    forest = wald.RandomForestRegressor(20, max_leaf_nodes=10).fit(X, Y)
    with pytest.raises(wald.MeasureError,
                       match="the settings of these trees prune them; .*max_leaf_nodes.*ccp_alpha"):
        forest.importance("total_sobol_regrow")
    assert forest.importance("total_sobol_retrain").top(1).feature_names == ["x0"]
