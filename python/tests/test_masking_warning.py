"""Variables that hide others are warned of, by a class of its own."""

import warnings

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor

import wald


@pytest.fixture(scope="module")
def table():
    """The first input has a stand-in, the last one."""
    random = np.random.default_rng(3)
    X = random.normal(size=(800, 6))
    X[:, 5] = 0.85 * X[:, 0] + (1 - 0.85**2) ** 0.5 * X[:, 5]
    return X, 2 * X[:, 0] + X[:, 1] + 0.7 * random.normal(size=800)


def test_forests_of_scikit_learn_let_all_variables_compete(table):
    X, y = table
    forest = wald.from_sklearn(RandomForestRegressor(200, random_state=0).fit(X, y), X, y)
    with pytest.warns(wald.MaskingWarning, match="too large for .*x0.*use total_sobol_regrow"):
        found = forest.importance("sobol_mda")
    assert any(note.startswith("masking: ") for note in found.notes)
    with pytest.warns(wald.MaskingWarning, match="^sobol_mda: .*x0") as warned:
        forest.importance(["mdi", "sobol_mda"])
    assert len(warned) == 1


def test_few_variables_that_compete_hide_none(table):
    forest = wald.RandomForestRegressor(200, max_features=1, random_state=0).fit(*table)
    with warnings.catch_warnings():
        warnings.simplefilter("error", wald.MaskingWarning)
        found = forest.importance("sobol_mda")
        again = forest.importance("total_sobol_regrow")
    assert not any(note.startswith("masking: ") for note in found.notes)
    assert abs(found.values[0] - again.values[0]) < 0.1


def test_pruned_forests_are_not_compared(table):
    """Their branches cannot be grown again: the recommended measure would be refused."""
    settings = {"max_features": 1.0, "random_state": 0}
    pruned = wald.RandomForestRegressor(200, max_leaf_nodes=1000, **settings).fit(*table)
    with warnings.catch_warnings():
        warnings.simplefilter("error", wald.MaskingWarning)
        found = pruned.importance("sobol_mda")
    assert not any(note.startswith("masking: ") for note in found.notes)
    # The same trees, without a limit.
    with pytest.warns(wald.MaskingWarning, match="x0"):
        whole = wald.RandomForestRegressor(200, **settings).fit(*table).importance("sobol_mda")
    assert whole.values.tolist() == found.values.tolist()
