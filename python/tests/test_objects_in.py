"""Columns of objects: what a cell is follows from the forest, whichever rows it is predicted with."""

import warnings

import numpy as np
import pandas as pd
import pytest

import wald
from wald._tables.objects import MISSING, of_objects

RNG = np.random.default_rng(0)


def grown(cells):
    """A forest that must split on a column of objects, and its rows."""
    X = pd.DataFrame({"g": pd.Series(cells, dtype=object), "x": RNG.normal(size=len(cells))})
    y = np.array([hash_of(cell) for cell in cells])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return wald.ExtraTreesRegressor(10, n_jobs=1).fit(X, y), X


def hash_of(cell):
    return 9.0 if cell is None else float(sum(str(cell).encode()) % 7)


MIXED = {
    "levels": ["K", 1, 2, 3] * 15,
    "levels and numbers with fractions": ["K", 1.0, 2, None, True] * 12,
    "numbers with texts as missing": [0.25 * at for at in range(60)] + ["T"] * 5 + [None] * 2,
    "numbers as texts": [1, 2.5, "3", "4.5"] * 15,
}


@pytest.mark.parametrize("cells", MIXED.values(), ids=MIXED)
def test_predictions_do_not_depend_on_the_rows_beside(cells):
    forest, X = grown(cells)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        together = forest.predict(X)
        assert [forest.predict(X.iloc[[at]])[0] for at in range(len(X))] == together.tolist()
        assert np.array_equal(forest.predict(X[::-1]), together[::-1])
    assert len(set(together)) > 2


def test_texts_among_numbers_are_refused_where_training_had_none():
    forest, X = grown([0.25 * at for at in range(60)])
    for cells in (["T"], ["T", *range(40)]):
        rows = pd.DataFrame({"g": pd.Series(cells, dtype=object), "x": 0.0})
        with pytest.raises(wald.DataError, match="column 'g' holds 'T', but the forest knows numbers"):
            forest.predict(rows)
    assert forest.predict(X.iloc[[3]].assign(g=pd.Series([None], dtype=object))).shape == (1,)


def test_other_columns_are_refused_by_their_names():
    forest, X = grown(MIXED["levels"])
    with pytest.raises(wald.DataError, match="feature names"):
        forest.predict(X[["x", "g"]])
    unnamed = wald.RandomForestRegressor(5, n_jobs=1).fit(RNG.normal(size=(20, 1)), np.arange(20.0))
    with pytest.warns(UserWarning), pytest.raises(wald.DataError, match="2 features"):
        unnamed.predict(X)


@pytest.mark.parametrize("texts", [["b", "a", None, "a"], ["é", "z", "Z", "", "\0", "z\0"], [None], [],
                                   [True, "true", np.str_("b"), False]], ids=repr)
def test_levels_have_the_order_of_their_letters(texts):
    values = np.array(texts, dtype=object)
    missing = np.array([text is None for text in texts], dtype=bool)
    levels, codes = of_objects("g", values, missing, "levels")
    written = [None if text is None else str(text).lower() if isinstance(text, bool) else str(text)
               for text in texts]
    assert levels == sorted({text for text in written if text is not None})
    assert [None if code == MISSING else levels[code] for code in codes] == written
