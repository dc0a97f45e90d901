"""Trees against scikit-learn's own, grown on the same draws: where all variables are tried and no two
divisions are equally good, nothing is left to chance."""

import numpy as np
import pytest
import wald
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.class_weight import compute_sample_weight

N_ROWS, N_COLUMNS = 500, 4


def table(seed):
    """Numbers that 32 bits hold, as scikit-learn rounds them."""
    random = np.random.RandomState(seed)
    X = random.normal(size=(N_ROWS, N_COLUMNS)).astype(np.float32).astype(np.float64)
    return random, X, X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * random.normal(size=N_ROWS)


def decrease(tree, node):
    """Weight times the decrease of the impurity by the split of a node."""
    cost = tree.weighted_n_node_samples * tree.impurity
    return cost[node] - cost[tree.children_left[node]] - cost[tree.children_right[node]]


def assert_same(one, other):
    """Compares two trees node by node; returns the number of nodes. Where two variables divide a node
    equally well, either may be taken, and what is below is another tree."""
    pending, n_nodes, n_ties = [(0, 0)], 0, 0
    while pending:
        here, there = pending.pop()
        n_nodes += 1
        for name in ("impurity", "weighted_n_node_samples"):
            np.testing.assert_allclose(getattr(one, name)[here], getattr(other, name)[there],
                                       rtol=1e-9, atol=1e-9, err_msg=f"{name} of node {here}")
        np.testing.assert_allclose(one.value[here], other.value[there], rtol=1e-9, atol=1e-9)
        if one.impurity[here] == 0.0:
            # Rounding lets scikit-learn divide pure nodes whose weights are not whole numbers.
            assert one.feature[here] < 0
        elif one.feature[here] != other.feature[there]:
            np.testing.assert_allclose(decrease(one, here), decrease(other, there), rtol=1e-9)
            n_ties += 1
        elif one.children_left[here] >= 0:
            np.testing.assert_allclose(one.threshold[here], other.threshold[there], rtol=1e-9)
            pending += [(side[here], of_other[there]) for side, of_other in (
                (one.children_left, other.children_left),
                (one.children_right, other.children_right))]
    assert n_ties <= 3
    return n_nodes


def counts(samples):
    return np.bincount(samples, minlength=N_ROWS).astype(np.float64)


LIMITS = dict(max_depth=4, min_weight_fraction_leaf=0.03)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("bootstrap", [True, False])
def test_balanced_subsample_weighs_the_draws_of_every_tree(n_classes, criterion, bootstrap):
    _, X, signal = table(n_classes)
    # Rare classes.
    y = np.digitize(signal, [1.2, 2.2][:n_classes - 1])
    forest = wald.RandomForestClassifier(
        6, class_weight="balanced_subsample", criterion=criterion, max_features=None,
        bootstrap=bootstrap, **LIMITS).fit(X, y)
    n_nodes = 0
    for tree, samples in zip(forest.estimators_, forest.estimators_samples_):
        weights = counts(samples) * compute_sample_weight("balanced", y, indices=samples)
        other = DecisionTreeClassifier(criterion=criterion, random_state=0, **LIMITS).fit(
            X, y, sample_weight=weights)
        n_nodes += assert_same(tree.tree_, other.tree_)
    assert n_nodes > 60
    shares = forest.feature_importances_
    np.testing.assert_allclose(shares.sum(), 1.0)


def test_balanced_subsample_changes_what_rare_classes_are_given():
    _, X, signal = table(0)
    y = (signal > 2.0).astype(int)
    settings = dict(n_estimators=50, min_samples_leaf=25, random_state=3)
    rare = [wald.RandomForestClassifier(class_weight=each, **settings).fit(X, y)
            .predict_proba(X)[:, 1].mean() for each in (None, "balanced_subsample")]
    assert rare[1] > 1.2 * rare[0]
    forest = wald.RandomForestClassifier(class_weight="balanced_subsample", **settings).fit(X, y)
    # What looks at the trees or the order of predictions alone applies; what takes rows to have weights, or
    # compares predictions with the target, does not.
    for measure, loss in [("mdi", None), ("mda_ishwaran_kogalur", "auc")]:
        assert forest.importance(measure, loss=loss).ranking()[0] in (0, 1, 2)
    for measure in ("sobol_mda", "mda_breiman_cutler", "tree_shap_loss"):
        with pytest.raises(wald.MeasureError, match="every tree of this forest weighs classes anew"):
            forest.importance(measure)
    with pytest.raises(wald.MeasureError, match="every tree of this forest weighs classes anew"):
        forest.explain(X[:5], "tree_shap_loss", y=y[:5])
    with pytest.raises(wald.DataError, match="every tree weighs classes anew"):
        forest.outliers()
    with pytest.raises(wald.SettingError, match="class_weight"):
        wald.ConditionalForestClassifier(5, class_weight="balanced_subsample").fit(X, y)


def numbers(criterion, seed):
    """Whole numbers, whose sums are exact: scikit-learn compares them to the last bit."""
    random, X, signal = table(seed)
    if criterion == "poisson":
        return X, random.poisson(np.exp(0.7 * signal)).astype(float)
    return X, np.round(1e6 * (signal + random.normal(size=N_ROWS) ** 3))


@pytest.mark.parametrize("criterion", ["poisson", "absolute_error"])
@pytest.mark.parametrize("settings", [
    dict(bootstrap=True), dict(bootstrap=False), dict(bootstrap=True, min_impurity_decrease=0.01)])
def test_losses_split_as_in_scikit_learn(criterion, settings):
    n_nodes = 0
    for seed in range(3):
        X, y = numbers(criterion, seed)
        limits = {**LIMITS, "min_impurity_decrease": settings.get("min_impurity_decrease", 0.0)}
        forest = wald.RandomForestRegressor(
            4, criterion=criterion, max_features=None, min_samples_split=2,
            bootstrap=settings["bootstrap"], **limits).fit(X, y)
        for tree, samples in zip(forest.estimators_, forest.estimators_samples_):
            other = DecisionTreeRegressor(criterion=criterion, random_state=0, **limits).fit(
                X, y, sample_weight=counts(samples))
            n_nodes += assert_same(tree.tree_, other.tree_)
    assert n_nodes > 100


@pytest.mark.parametrize("criterion, seeds", [
    # Medians leave many divisions equally good, between which rounding decides in scikit-learn: in
    # these tables it has not.
    ("poisson", (4, 5, 6)), ("absolute_error", (6, 8, 9))])
def test_whole_trees_of_one_variable_are_those_of_scikit_learn(criterion, seeds):
    """One variable leaves nothing to chance, however deep trees are."""
    for seed in seeds:
        X, y = numbers(criterion, seed)
        X = X[:, :1]
        forest = wald.RandomForestRegressor(1, criterion=criterion, bootstrap=False).fit(X, y)
        other = DecisionTreeRegressor(criterion=criterion).fit(X, y)
        tree = forest.estimators_[0]
        assert assert_same(tree.tree_, other.tree_) > 100
        np.testing.assert_allclose(tree.predict(X), other.predict(X), rtol=1e-9)


def test_weighted_medians_are_those_of_scikit_learn():
    X, y = numbers("absolute_error", 7)
    weights = np.random.RandomState(1).randint(1, 6, N_ROWS).astype(float)
    forest = wald.RandomForestRegressor(1, criterion="absolute_error", max_features=None,
                                        bootstrap=False, **LIMITS).fit(X, y, weights)
    other = DecisionTreeRegressor(criterion="absolute_error", random_state=0, **LIMITS).fit(
        X, y, sample_weight=weights)
    assert_same(forest.estimators_[0].tree_, other.tree_)


def test_measures_follow_from_what_nodes_hold():
    X, y = numbers("poisson", 3)
    counted = wald.RandomForestRegressor(30, criterion="poisson").fit(X, y)
    assert counted.importance("sobol_mda").ranking()[0] in (0, 1, 2)
    assert (counted.predict(X) > 0).all()
    assert counted.importance("mdi").unit == "half the Poisson deviance of the target"
    with pytest.raises(wald.MeasureError, match="has no form for the impurity `poisson`"):
        counted.importance("ufi")
    medians = wald.RandomForestRegressor(30, criterion="absolute_error").fit(X, y)
    assert medians.importance("mda_breiman_cutler").ranking()[0] in (0, 1, 2)
    with pytest.raises(wald.MeasureError, match="hold medians"):
        medians.importance("sobol_mda")


# In words that programs look for, as scikit-learn has them.
@pytest.mark.parametrize("y, words", [
    (np.where(np.arange(N_ROWS) == 2, -2.0, 1.0), r"Some value\(s\) of y are negative .* Row 3 is -2;"),
    (np.zeros(N_ROWS), "Sum of y is not strictly positive .* All rows are 0;")])
def test_the_deviance_is_of_counts(y, words):
    with pytest.raises(wald.DataError, match=words):
        wald.RandomForestRegressor(5, criterion="poisson").fit(table(0)[1], y)


def test_random_thresholds_leave_no_side_without_a_count():
    X, y = numbers("poisson", 4)
    y = np.where(y > 3, y, 0.0)
    for forest in (wald.ExtraTreesRegressor, wald.TotallyRandomizedTreesRegressor):
        fitted = forest(20, criterion="poisson").fit(X, y)
        for tree in fitted.estimators_:
            assert (tree.tree_.value > 0).all() and np.isfinite(tree.tree_.impurity).all()
