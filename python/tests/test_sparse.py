"""Sparse tables are read like the same tables with all their zeros."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestRegressor

import wald

GENERATOR = np.random.default_rng(1)
X = np.where(GENERATOR.random((80, 5)) < 0.5, GENERATOR.normal(size=(80, 5)), 0.0)
Y = X[:, 0] - X[:, 1] ** 2


@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array,
                                       sparse.lil_matrix])
def test_sparse_tables_give_the_forest_of_dense_ones(container):
    few = container(X)
    forest, plain = (wald.RandomForestRegressor(5).fit(table, Y) for table in (few, X))
    assert forest._forest.to_bytes() == plain._forest.to_bytes()
    assert np.array_equal(forest.predict(few), plain.predict(X))
    assert np.array_equal(forest.apply(few), plain.apply(X))
    assert forest.score(few, Y) == plain.score(X, Y)
    assert forest.explain(few) == plain.explain(X)
    assert forest.importance("mda_train_test", test=(few, Y)) == plain.importance(
        "mda_train_test", test=(X, Y))


def test_forests_of_other_programs_read_sparse_tables():
    few = sparse.csr_array(X)
    fitted = RandomForestRegressor(5, random_state=0).fit(few, Y)
    forest = wald.from_sklearn(fitted, few, Y)
    assert np.allclose(forest.predict(few), fitted.predict(few))


def test_tables_too_large_with_their_zeros_are_refused():
    huge = sparse.csr_array((10**7, 10**6))
    for call in (lambda: wald.RandomForestRegressor(2).fit(huge, np.zeros(10**7)),
                 lambda: wald.RandomForestRegressor(2).fit(X, Y).predict(huge)):
        with pytest.raises(wald.TooLargeError, match="a sparse table .* needs about .* of memory"):
            call()
