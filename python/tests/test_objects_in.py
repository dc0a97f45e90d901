"""Cells of pandas: what an object is follows from the forest, whichever rows it is predicted with."""

import warnings

import numpy as np
import pandas as pd
import pytest

import wald
from wald._tables import columns
from wald._tables.columns import columns_of
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


@pytest.mark.parametrize("storage", ["python", "pyarrow"])
@pytest.mark.parametrize("texts", [["b", "a", None, "a"], ["é", "z", "Z", "", "\0", "z\0"], [None], []],
                         ids=repr)
def test_texts_are_those_of_objects(texts, storage):
    column = pd.Series(texts, dtype=pd.StringDtype(storage))
    [(_, found)] = columns_of(column.to_frame("g"))
    values = np.array(texts, dtype=object)
    expected = of_objects("g", values, np.equal(values, None))
    assert isinstance(found, tuple) == isinstance(expected, tuple) == any(texts)
    if isinstance(found, tuple):
        assert found[0] == expected[0] and np.array_equal(found[1], expected[1])
        assert all(type(level) is str for level in found[0])
    else:
        assert np.array_equal(found, expected, equal_nan=True)


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


def test_columns_read_together_are_those_read_one_by_one(monkeypatch):
    """Bit for bit, whatever stands between them."""
    whole = RNG.integers(-9, 9, 30)
    frame = pd.DataFrame({
        "double": RNG.normal(size=30), "text": ["a", "b", None] * 10, "int8": whole.astype("int8"),
        "single": RNG.normal(size=30).astype("float32"), "int64": whole * 2**40, "flag": whole > 0,
        "half": RNG.normal(size=30).astype("float16"), "uint64": np.abs(whole).astype("uint64"),
        "nullable": pd.Series(whole, dtype="Int64").where(whole > 0), "gaps": np.where(whole, 1.5, np.nan)})
    for table in (frame, frame.iloc[::-2], frame.iloc[:0], frame[["int8"]], frame.iloc[:, [0, 0]]):
        together = columns_of(table)
        with monkeypatch.context() as patched:
            patched.setattr(columns, "MOST_TOGETHER", -1)
            one_by_one = columns_of(table)
        assert [name for name, _ in together] == [name for name, _ in one_by_one] == list(table)
        for (_, cells), (_, expected) in zip(together, one_by_one):
            if isinstance(expected, tuple):
                assert cells[0] == expected[0] and np.array_equal(cells[1], expected[1])
            else:
                assert cells.dtype == expected.dtype == np.float64
                assert np.array_equal(cells, expected, equal_nan=True)
    large = frame.assign(single=1, int64=whole + 2**60)
    with pytest.raises(wald.DataError, match="column 'int64' holds integers above 2"):
        columns_of(large)
