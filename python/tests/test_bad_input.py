"""Bad tables, targets and weights are refused by an error of wald that names what is wrong and how
to fix it.

Each table holds cases as (what, arguments, part of the message).
"""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from bad_input import CLASSES, DAY, FRAME, INF, NAN, X, Y, grower, of, refused

import wald


TABLES = [
    ("a list of texts", [["a", "b", "c"]] * 40, "convert"),
    ("one dimension", X[:, 0], "2D"),
    ("three dimensions", X[None], "dim"),
    ("no rows", np.empty((0, 3)), "0 sample"),
    ("no columns", np.empty((40, 0)), "0 feature"),
    ("ragged", [[1, 2], [1]], "sequence"),
    ("a number", 3.0, "2D"),
    ("a path", "data.csv", "not a table"),
    ("a dict", {"a": [1]}, "dict"),
    ("a set", {1, 2}, "set"),
    ("a generator", (row for row in X), "generator"),
    ("complex", X + 1j, "complex"),
    ("infinite", np.where(X == X[3, 1], INF, X), "'x1', row 4"),
    ("overflowing", X.astype(np.longdouble) * 1e308 * 10, "infinity"),
    ("one text", np.array([[1, "a", None]] * 40, dtype=object), "'x1', row 1, value 'a'"),
    ("dates", X.astype("datetime64[s]"), "dates"),
    ("records", np.zeros(40, dtype=[("a", "f8"), ("b", "f8")]), "records"),
    ("large integers", np.full((40, 3), 2**60 + 1), "2^53"),
    ("a Series of pandas", FRAME["a"], "Series"),
    ("a Series of polars", pl.Series("a", X[:, 0]), "Series"),
    ("a LazyFrame", pl.DataFrame({"a": X[:, 0]}).lazy(), "LazyFrame"),
    ("an array of Arrow", pa.array(X[:, 0]), ""),
    ("equal names", FRAME.set_axis(["a", "a", "b"], axis=1), "name"),
    ("names of several types", FRAME.set_axis(["a", 1, "b"], axis=1), "name"),
    ("no name", FRAME.set_axis(["a", None, "b"], axis=1), "name"),
    ("no rows of pandas", FRAME.iloc[:0], ""),
    ("no columns of pandas", FRAME[[]], ""),
    ("equal names of Arrow", pa.table([X[:, 0], X[:, 1]], names=["a", "a"]), "name"),
]


@pytest.mark.parametrize("what, table, part", TABLES, ids=[each[0] for each in TABLES])
def test_tables(forests, what, table, part):
    rows = np.shape(table)[0] if hasattr(table, "shape") and len(table.shape) else 40
    refused(lambda: grower().fit(table, Y[:rows]), part)
    refused(lambda: forests["own"].predict(table), "")
    refused(lambda: forests["own"].explain(table), "")
    refused(lambda: forests["own"].importance("mda_train_test", test=(table, Y[:rows])), "")
    refused(lambda: forests["foreign"].predict(table), "")
    refused(lambda: wald.from_sklearn(forests["sklearn"], table, Y[:rows]), "")
    refused(lambda: wald.RFE(grower(), folds=2).fit(table, Y[:rows]), "")
    refused(lambda: wald.masking(grower(), table, Y[:rows]), "")
    refused(lambda: wald.population(table, target="y"), "")


COLUMNS = [
    ("infinity", INF, "infinite"),
    ("dates", pd.Timestamp("2026-01-01"), "datetime64"),
    ("dates with a zone", pd.Timestamp("2026-01-01", tz="UTC"), "datetime64"),
    ("days", DAY, "date"),
    ("periods", pd.Period("2026"), "period"),
    ("durations", pd.Timedelta(1, "D"), "timedelta"),
    ("complex", 1j, "complex"),
    ("lists", [[1]] * 40, "list"),
    ("dicts", [{}] * 40, "dict"),
    ("bytes", [b"x"] * 40, "bytes"),
    ("a text among numbers", [0.5 * at for at in range(39)] + ["a"], ""),
    ("large integers", 2**60, "2^53"),
    ("larger integers", np.array([2**70] * 40, dtype=object), "2^53"),
]


@pytest.mark.parametrize("what, cells, part", COLUMNS, ids=[each[0] for each in COLUMNS])
def test_columns(forests, what, cells, part):
    """They are named."""
    table = of("b", cells)
    for call in (lambda: grower().fit(table, Y), lambda: forests["own"].predict(table),
                 lambda: wald.dependence(table), lambda: wald.masking(grower(), table, Y),
                 lambda: wald.RFE(grower(), folds=2).fit(table, Y)):
        error = refused(call, part)
        assert error.column == "b" and "'b'" in str(error).replace("`", "'").replace('"', "'")


@pytest.mark.parametrize("frame", [
    pl.DataFrame({"a": X[:, 0], "b": [[1]] * 40}), pl.DataFrame({"a": X[:, 0], "b": [DAY] * 40}),
    pl.DataFrame({"a": X[:, 0], "b": [{"x": 1}] * 40}), pl.DataFrame({"b": [b"x"] * 40}),
    pl.DataFrame({"b": pl.Series([2**60] * 40)}), pl.DataFrame({"b": [INF] * 40}),
    pa.table({"b": [[1]] * 40}), pa.table({"b": pa.array([DAY] * 40)}),
    pa.table({"b": pa.array([b"x"] * 40)}), pa.table({"b": pa.array([2**60] * 40)}),
], ids=str)
def test_columns_of_other_frames(frame):
    for call in (lambda: grower().fit(frame, Y), lambda: wald.dependence(frame)):
        assert refused(call, "b").column == "b"


def test_other_columns_than_those_of_training(forests):
    for table in (FRAME[["a"]], FRAME[["c", "b", "a"]], of("d", 1), X[:, :2], of("b", "text"),
                  FRAME.rename(columns={"a": "A"})):
        refused(lambda: forests["own"].predict(table), "")
        refused(lambda: forests["own"].explain(table), "")
        refused(lambda: forests["own"].importance("sage", background=table), "")
    words = grower().fit(of("b", ["u", "v"] * 20), Y)
    assert refused(lambda: words.predict(FRAME), "").column == "b"
    error = refused(lambda: words.explain(of("b", ["u", "v"] * 20), "tree_shap_interventional",
                                          background=FRAME), '"b"')
    assert error.column == "b"


TARGETS = [
    ("nothing", None, "y"), ("too short", Y[:5], "40"),
    ("missing", np.where(Y == Y[0], NAN, Y), "NaN"), ("complex", Y + 1j, "complex"),
    ("infinite", np.where(Y == Y[0], INF, Y), "infinity"), ("one number", 1.0, "1d"),
    ("one whole number", 3, "1d"), ("an array without a dimension", np.array(3), "1d"),
    ("a name", "y", "1d"), ("a dict", {"a": 1}, "1d"), ("ragged", [[1], [1, 2]] + [1] * 38, ""),
    ("empty", [], "0"), ("NA", pd.Series([pd.NA] + [1] * 39, dtype="Int64"), "NaN"),
    ("nulls", pl.Series("y", [None] + [1.0] * 39), "NaN"),
    ("None", np.array([None] * 40, dtype=object), ""), ("a set", set(range(40)), "1d"),
    ("masked", np.ma.array(Y, mask=Y > 1), "masked"),
    ("numbers for classes", Y, None), ("texts for numbers", CLASSES, ""),
    ("dates for numbers", np.array(["2026-01-01"] * 40, dtype="datetime64[D]"), "dates"),
]


@pytest.mark.parametrize("what, target, part", TARGETS, ids=[each[0] for each in TARGETS])
def test_targets(forests, what, target, part):
    classifier = wald.RandomForestClassifier(5)
    if "for numbers" not in what:
        refused(lambda: classifier.fit(FRAME, target), "use a regressor" if part is None else part)
        refused(lambda: forests["classes"].importance("mda_train_test", test=(FRAME, target)), "")
    if part is not None:
        for table in (FRAME, X):
            refused(lambda: grower().fit(table, target), part)
        refused(lambda: forests["own"].importance("mda_train_test", test=(FRAME, target)), "")
        refused(lambda: wald.from_sklearn(forests["sklearn"], FRAME, target), "")
        refused(lambda: wald.RFE(grower(), folds=2).fit(FRAME, target), part)
        refused(lambda: wald.masking(grower(), FRAME, target), part)
        refused(lambda: forests["own"].score(FRAME, target), "")


@pytest.mark.parametrize("missing", [None, NAN, pd.NA, pd.NaT], ids=repr)
def test_missing_classes(missing):
    """They are named as such, and not compared with others."""
    classes = np.array(CLASSES, dtype=object)
    classes[3] = missing
    series = pd.Series(classes)
    for target in (classes, classes.tolist(), series, pd.DataFrame({"u": CLASSES, "v": classes}),
                   series.astype("category"), series.astype("string")):
        for table in (FRAME, X):
            error = refused(lambda: wald.RandomForestClassifier(5).fit(table, target),
                            "missing values (None or NaN), the first one in row 4")
            assert error.help == "leave out the rows whose target is missing"


def test_large_integers_of_a_target_are_named_as_such():
    large = np.column_stack([np.arange(40), 2**60 + np.arange(40)])
    for target in (large, pd.DataFrame(large, columns=["u", "v"])):
        assert refused(lambda: grower().fit(FRAME, target),
                       "column 1 of y holds integers above 2^53").column is None
    assert refused(lambda: grower().fit(large, Y), "column 'x1' holds").column == "x1"


def test_weights_of_classes_of_several_targets():
    """They are a list, not what was given."""
    both = np.column_stack([Y > 0, X[:, 0] > 0]).astype(int)
    error = refused(lambda: wald.RandomForestClassifier(5, class_weight={0: 2, 1: 1}).fit(X, both),
                    "list of dicts")
    assert "a list with a dict" in error.help and ".;" not in str(error)


WEIGHTS = [
    ("negative", -np.ones(40)), ("zero", np.zeros(40)), ("missing", np.where(Y == Y[0], NAN, 1.0)),
    ("infinite", np.where(Y == Y[0], INF, 1.0)), ("texts", ["a"] * 40), ("too few", np.ones(3)),
    ("two columns", np.ones((40, 2))), ("a word", "balanced"), ("None", [None] * 40),
    ("complex", np.ones(40) * 1j), ("too large", np.full(40, 1e308)), ("a dict", {}),
]


@pytest.mark.parametrize("what, weights", WEIGHTS, ids=[each[0] for each in WEIGHTS])
def test_weights(forests, what, weights):
    for table in (FRAME, X):
        refused(lambda: grower().fit(table, Y, sample_weight=weights), "weight")
    refused(lambda: wald.RFE(grower(), folds=2).fit(FRAME, Y, sample_weight=weights), "weight")
    refused(lambda: wald.masking(grower(), FRAME, Y, sample_weight=weights), "weight")
    refused(lambda: wald.from_sklearn(forests["sklearn"], FRAME, Y, sample_weight=weights), "")


@pytest.mark.parametrize("weights", [
    "nonsense", {"no": "a"}, {"no": -1.0}, {"no": NAN}, {"other": 1.0}, 3,
    {"no": 0.0, "yes": 0.0}], ids=repr)
def test_weights_of_classes(weights):
    refused(lambda: wald.RandomForestClassifier(5, class_weight=weights).fit(FRAME, CLASSES),
            "weight")


@pytest.mark.parametrize("measures, words", [
    ("sobol_mda", "measure `sobol_mda` does not offer `test=`"),
    (["gini", "sobol_mda"], "none of the measures mdi, sobol_mda offers `test=`"),
])
def test_test_rows_that_no_measure_reads(measures, words):
    """Values would be those of other rows."""
    forest = grower().fit(FRAME, Y)
    error = refused(lambda: forest.importance(measures, test=(FRAME, Y)), words)
    assert isinstance(error, wald.MeasureError) and error.setting == "test"
    assert "such as `mda_train_test`" in error.help
    # One of several measures that reads them is enough.
    table = forest.importance([*np.atleast_1d(measures), "mda_train_test"], test=(FRAME, Y))
    assert table["mda_train_test"].data == "test"
