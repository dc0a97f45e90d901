"""Monotonic constraints: trees against scikit-learn's on the same draws, and what has no direction."""

import numpy as np
import pandas as pd
import pytest
import wald
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from test_oracle_trees import LIMITS, assert_same, counts, decrease, table


def target(task, signal):
    """Whole numbers, whose sums are exact, or two classes."""
    return np.round(1e6 * signal) if task == "number" else np.where(signal > 0.3, "yes", "no")


def forest_and_tree(task, criterion):
    kinds = {"number": (wald.RandomForestRegressor, DecisionTreeRegressor),
             "classes": (wald.RandomForestClassifier, DecisionTreeClassifier)}
    forest, tree = kinds[task]
    own = dict(max_features=None, min_samples_split=2, criterion=criterion)
    return (lambda **settings: forest(4, **own, **settings),
            lambda **settings: tree(criterion=criterion, random_state=0, **settings))


CASES = [("number", "squared_error"), ("number", "absolute_error"), ("classes", "gini"),
         ("classes", "entropy")]


@pytest.mark.parametrize("task, criterion", CASES)
@pytest.mark.parametrize("signs", [[1, 1, -1, -1], [-1, 1, 1, 1]])
def test_trees_are_those_of_scikit_learn(task, criterion, signs):
    """Where every variable has a sign, scikit-learn clips nothing."""
    forest_of, tree_of = forest_and_tree(task, criterion)
    n_nodes, changes = 0, 0
    # Whether a split that decreases nothing is made is for rounding to decide in scikit-learn: there is none
    # with medians in the second table.
    for seed in (1,) if criterion == "absolute_error" else (0, 1):
        _, X, signal = table(seed)
        y = target(task, signal)
        forest = forest_of(monotonic_cst=signs, **LIMITS).fit(X, y)
        for tree, samples in zip(forest.estimators_, forest.estimators_samples_):
            other = tree_of(monotonic_cst=signs, **LIMITS).fit(X, y, sample_weight=counts(samples))
            n_nodes += assert_same(tree.tree_, other.tree_)
            free = tree_of(**LIMITS).fit(X, y, sample_weight=counts(samples))
            changes += not np.array_equal(free.tree_.feature, other.tree_.feature)
    assert n_nodes > 50 and changes > 3


def clipped(tree, X, y, weights):
    """The nodes whose values scikit-learn moved away from the means of their rows."""
    paths = tree.decision_path(X).toarray() * weights[:, np.newaxis]
    y = y if tree.tree_.value.shape[2] == 1 else (y == tree.classes_[1]).astype(float)
    means = paths.T @ y / paths.sum(axis=0)
    return ~np.isclose(tree.tree_.value[:, 0, -1], means, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("task, criterion", [CASES[0], CASES[2]])
def test_trees_part_from_those_of_scikit_learn_where_it_clips_only(task, criterion):
    """Splits on other variables keep to the bounds, too, where scikit-learn moves values."""
    forest_of, tree_of = forest_and_tree(task, criterion)
    n_same, n_parted = 0, 0
    for seed, signs in [(0, [1, 0, 0, 0]), (1, [1, -1, 0, 0]), (2, [-1, 0, 0, 1])]:
        _, X, signal = table(seed)
        y = target(task, signal)
        forest = forest_of(monotonic_cst=signs, **LIMITS).fit(X, y)
        for view, samples in zip(forest.estimators_, forest.estimators_samples_):
            weights = counts(samples)
            fitted = tree_of(monotonic_cst=signs, **LIMITS).fit(X, y, sample_weight=weights)
            one, other, moved = view.tree_, fitted.tree_, clipped(fitted, X, y, weights)
            pending = [(0, 0)]
            while pending:
                here, there = pending.pop()
                np.testing.assert_allclose(one.value[here], other.value[there], rtol=1e-9)
                sides = other.children_left[there], other.children_right[there]
                if one.feature[here] == other.feature[there] and np.isclose(
                        one.threshold[here], other.threshold[there], rtol=1e-9):
                    n_same += 1
                    if sides[0] >= 0:
                        pending += zip((one.children_left[here], one.children_right[here]), sides)
                    continue
                is_tie = one.feature[here] >= 0 and np.isclose(
                    decrease(one, here), decrease(other, there), rtol=1e-9)
                assert is_tie or moved[list(sides)].any()
                n_parted += 1
    assert n_same > 60 and n_parted > 0


@pytest.mark.parametrize("kind", [wald.RandomForestRegressor, wald.ExtraTreesRegressor,
                                  wald.TotallyRandomizedTreesRegressor])
def test_predictions_never_go_the_other_way(kind):
    random, X, signal = table(3)
    X[random.uniform(size=X.shape) < 0.1] = np.nan
    forest = kind(20, monotonic_cst={"x0": -1, "x3": 1}).fit(X, signal)
    assert kind(20, monotonic_cst=[-1, 0, 0, 1]).fit(X, signal).predict(X).tolist() \
        == forest.predict(X).tolist()
    steps = np.linspace(-4, 4, 60)
    for column, sign in [(0, -1), (3, 1)]:
        rows = np.repeat(X[:40], len(steps), axis=0)
        rows[:, column] = np.tile(steps, 40)
        changes = np.diff(forest.predict(rows).reshape(40, -1))
        assert (sign * changes >= 0).all()
    # Nodes hold the means of their rows.
    assert forest.importance("mdi").values.shape == (4,)
    frame = pd.DataFrame(X, columns=list("abcd"))
    named = kind(20, monotonic_cst={"a": -1, "d": 1}).fit(frame, signal)
    assert named.predict(frame).tolist() == forest.predict(X).tolist()
    assert named.estimators_[0].monotonic_cst == {"a": -1, "d": 1}


@pytest.mark.parametrize("signs, words", [
    ([1, 0, 0], "monotonic_cst has shape 3 but the input data X has 4 features; give -1, 0 or 1"),
    ([1, 0, 0, 2], "monotonic_cst must be None or an array-like of -1, 0 or 1, but holds [2]"),
    ([1, 0, 0, 0.5], "holds [0.5]"), ([True, 0, 0, 0], "holds [True]"), ([[1, 0, 0, 0]], "monotonic_cst is"),
    (3, "monotonic_cst is 3; give"), ("up", "monotonic_cst is 'up'; give"),
    ({"x9": 1}, "monotonic_cst names 'x9', which is not a column of X; X has 'x0', 'x1'"),
    ({"x1": "up"}, "holds ['up']")])
def test_signs_that_are_none(signs, words):
    _, X, signal = table(0)
    with pytest.raises(wald.SettingError) as refusal:
        wald.RandomForestRegressor(2, monotonic_cst=signs).fit(X, signal)
    assert words in str(refusal.value) and refusal.value.setting == "monotonic_cst"


def test_what_has_no_direction():
    _, X, signal = table(0)
    signs = [1, 0, 0, 0]
    for forest, y, words in [
        (wald.RandomForestClassifier, np.digitize(signal, [-1, 1]),
         "not supported with multiclass classification: there are 3 classes"),
        (wald.ConditionalForestRegressor, signal,
         "monotonic_cst was given, but conditional splitting does not compare"),
    ]:
        with pytest.raises(wald.SettingError, match=words) as refusal:
            forest(2, monotonic_cst=signs).fit(X, y)
        assert refusal.value.setting == "monotonic_cst"
    frame = pd.DataFrame(X, columns=list("abcd")).assign(a=np.where(X[:, 0] > 0, "up", "down"))
    with pytest.raises(wald.SettingError, match='monotonic_cst names "a", whose levels have no order'):
        wald.RandomForestRegressor(2, monotonic_cst=signs).fit(frame, signal)
    # Signs of 0 alone are no constraints.
    zeros = wald.RandomForestRegressor(2, monotonic_cst=[0] * 4).fit(X, signal)
    assert zeros.predict(X).tolist() == wald.RandomForestRegressor(2).fit(X, signal).predict(X).tolist()
