"""The same table gives the same forest, whichever package holds it."""

import hashlib
import os
import subprocess
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from kinds_of_tables import BatchCapsule, Capsule, grown, mixed

import wald

FRAME, Y = mixed()
ARROW = pa.Table.from_pandas(FRAME, preserve_index=False)
HASH = grown(FRAME, Y)


def in_chunks(table):
    """Batches of uneven sizes, one of them empty, cut out of larger ones."""
    return pa.concat_tables([table.slice(0, 7), table.slice(7, 0), table.slice(7)])


KINDS = {
    "pandas": lambda: FRAME,
    "pandas, nullable": lambda: FRAME.convert_dtypes(),
    "pandas, of Arrow": lambda: FRAME.convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda: pl.from_pandas(FRAME),
    "polars, in chunks": lambda: pl.concat(
        [pl.from_pandas(FRAME)[:100], pl.from_pandas(FRAME)[100:]], rechunk=False),
    "pyarrow": lambda: ARROW,
    "pyarrow, in chunks": lambda: in_chunks(ARROW),
    "pyarrow, a batch": lambda: ARROW.combine_chunks().to_batches()[0],
    "pyarrow, a stream that is read once": lambda: ARROW.to_reader(max_chunksize=50),
    "a capsule": lambda: Capsule(ARROW),
    "a capsule of polars": lambda: Capsule(pl.from_pandas(FRAME)),
    "a capsule of a batch": lambda: BatchCapsule(ARROW.combine_chunks().to_batches()[0]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_forests_are_equal(kind):
    assert grown(KINDS[kind](), Y) == HASH


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_equal(kind):
    forest = wald.RandomForestRegressor(15).fit(FRAME, Y)
    assert np.array_equal(forest.predict(KINDS[kind]()), forest.predict(FRAME))
    local = forest.explain(KINDS[kind](), "saabas")
    expected = forest.explain(FRAME, "saabas")
    assert np.array_equal(local.values, expected.values)
    for name, values in expected.columns.items():
        assert pd.Series(local.columns[name]).equals(pd.Series(values)), name


@pytest.mark.skipif("WALD" not in os.environ, reason="WALD names no command")
def test_forests_are_those_of_the_command_line(tmp_path):
    flags = FRAME["flag"].map({True: "true", False: "false"})
    FRAME.assign(flag=flags, y=Y).to_csv(tmp_path / "d.csv", index=False)
    words = ["fit", "d.csv", "--target", "y", "--trees", "15", "--output", "m.wald", "--quiet",
             "--constant-draws", "search"]
    subprocess.run([os.environ["WALD"], *words], cwd=tmp_path, check=True)
    assert hashlib.sha256((tmp_path / "m.wald").read_bytes()).hexdigest() == HASH


@pytest.mark.parametrize("kind", [
    pa.int8(), pa.uint16(), pa.int32(), pa.int64(), pa.uint64(), pa.float16(), pa.float32(),
    pa.float64(), pa.decimal128(9, 2), pa.decimal256(12, 4)])
def test_numbers_of_all_widths(kind):
    values = [None if at % 7 == 3 else at * at % 101 for at in range(120)]
    y = np.arange(120) % 10
    expected = grown(pd.DataFrame({"x": np.array(values, dtype=np.float64)}), y)
    given = [None if value is None else Decimal(value) for value in values]
    cells = pa.array(given if pa.types.is_decimal(kind) else values, kind)
    for column in (cells, pa.chunked_array([cells[:50], cells[50:]])):
        assert grown(pa.table({"x": column}), y) == expected


@pytest.mark.parametrize("kind", [
    pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.uint32(), pa.large_string())])
def test_texts_of_all_kinds(kind):
    values = [None if at % 7 == 3 else f"level {at % 5}" for at in range(120)]
    y = np.arange(120) % 10
    expected = grown(pd.DataFrame({"x": values}), y)
    cells = pa.array(values)
    cells = cells.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else (
        cells.cast(kind))
    assert grown(pa.table({"x": cells}), y) == expected
    assert grown(pa.table({"x": cells}).slice(0, 120), y) == expected


def test_categories_written_as_numbers_stay_categories():
    frame = pd.DataFrame({"x": pd.Categorical(np.arange(90) * 7 % 6)})
    y = np.where(frame["x"].isin([1, 4]), 1.0, 0.0)
    expected = grown(frame, y)
    assert grown(pa.Table.from_pandas(frame), y) == expected
    assert grown(frame.astype(str), y) == expected
    assert grown(frame.astype(int), y) != expected


def test_dictionaries_of_integers_are_levels_in_any_table():
    cells = pa.array([3, 1, None, 2] * 30).dictionary_encode()
    y = np.array([0.0, 5.0, 2.0, 1.0] * 30)
    expected = grown(pa.table({"x": cells}), y)
    frame = pd.DataFrame({"x": pd.Series(cells, dtype=pd.ArrowDtype(cells.type))})
    assert grown(frame, y) == expected
    numbers = pd.DataFrame({"x": np.array([3.0, 1.0, np.nan, 2.0] * 30)})
    assert grown(numbers, y) != expected


def test_a_column_of_nothing_is_missing():
    y = np.arange(30.0)
    expected = grown(pd.DataFrame({"x": np.full(30, np.nan), "z": y}), y)
    assert grown(pa.table({"x": pa.nulls(30), "z": pa.array(y)}), y) == expected
    assert grown(pl.DataFrame({"x": [None] * 30, "z": y}), y) == expected


def test_levels_are_found_as_numbers_with_gaps_are_written():
    codes = np.tile(np.arange(6), 20)
    y = codes * 10.0
    whole = pd.DataFrame({"g": pd.Categorical(codes), "flag": codes > 2})
    gaps = pd.DataFrame({"g": pd.Series(codes).where(codes > 0).astype("category"),
                         "flag": np.where(codes > 2, "True", "FALSE")})
    assert list(gaps["g"].cat.categories) == [1.0, 2.0, 3.0, 4.0, 5.0]
    forest = wald.RandomForestRegressor(20, random_state=1).fit(whole, y)
    known = codes > 0
    assert (forest.predict(gaps)[known] == forest.predict(whole)[known]).all()
    back = wald.RandomForestRegressor(20, random_state=1).fit(gaps, y)
    assert (back.predict(whole)[known] == back.predict(gaps)[known]).all()


def test_a_row_without_a_category_has_a_missing_one():
    frame = pd.DataFrame({"a": np.arange(40.0), "c": ["u", "v", None, "w"] * 10})
    forest = wald.RandomForestRegressor(20).fit(frame, np.arange(40.0) % 4)
    expected = forest.predict(frame.iloc[[2]])
    one = frame.iloc[[2]]
    for row in (pd.DataFrame({"a": [2.0], "c": [None]}), one.assign(c=np.nan),
                pl.DataFrame([{"a": 2.0, "c": None}]), pa.table({"a": [2.0], "c": pa.nulls(1)})):
        assert forest.predict(row) == expected
    texts = one.assign(a=pd.Series([None], index=one.index, dtype="str"))
    assert forest.predict(texts) == forest.predict(one.assign(a=np.nan))


def test_the_index_of_a_derived_frame_is_no_column():
    class Derived(pd.DataFrame):
        @property
        def _constructor(self):
            return Derived

    frame = FRAME.set_axis(2 * np.arange(len(FRAME)))
    assert grown(Derived(frame), Y) == HASH
    forest = wald.RandomForestRegressor(15).fit(Derived(frame), Y)
    assert list(forest.feature_names_in_) == list(FRAME.columns)
    assert (forest.predict(Derived(frame)) == forest.predict(FRAME)).all()


def test_a_column_may_be_called_y():
    x = np.arange(30.0)
    frame = pd.DataFrame({"x": x % 7, "y": x % 5})
    forest = wald.RandomForestRegressor(10, random_state=2).fit(frame, x)
    renamed = wald.RandomForestRegressor(10, random_state=2).fit(
        frame.set_axis(["x", "z"], axis=1), x)
    found, other = forest.importance("mdi"), renamed.importance("mdi")
    assert (found.values == other.values).all() and found.unit == "variance of the target"
    named = wald.RandomForestRegressor(10, random_state=2).fit(frame, pd.Series(x, name="y"))
    assert (named.importance("mdi").values == other.values).all()


def test_arrow_is_read_without_pyarrow():
    code = """
import sys

class NoArrow:
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in ("pandas", "pyarrow"):
            raise ModuleNotFoundError(f"there is no {name} here", name=name)
sys.meta_path.insert(0, NoArrow)
import polars, wald
table = polars.DataFrame({"x": [1.0, None, 3.0] * 20, "level": ["b", "a", None] * 20})
class Capsule:
    def __arrow_c_stream__(self, requested_schema=None):
        return table.__arrow_c_stream__(requested_schema)
y = list(range(60))
one, other = (wald.RandomForestRegressor(5).fit(each, y) for each in (table, Capsule()))
assert one._forest.to_bytes() == other._forest.to_bytes()
assert one.feature_names_in_.tolist() == other.feature_names_in_.tolist() == ["x", "level"]
assert (one.predict(Capsule()) == other.predict(table)).all()
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("table, error, words", [
    (pa.table({"when": pa.array([1, 2, 3], pa.timestamp("s"))}), wald.DataTypeError, "when"),
    (pa.table({"x": pa.array([[1], [2], [3]])}), wald.DataTypeError, "List"),
    (pa.table({"x": pa.array([b"a", b"b", b"c"])}), wald.DataTypeError, "Binary"),
    (pa.table({"x": pa.array([1, 2, 2**60])}), wald.DataError, r"2\^53"),
    (pa.table({"x": pa.array([1, 2, 2**64 - 1], pa.uint64())}), wald.DataError, r"2\^53"),
    (pa.table([[1, 2, 3], [1, 2, 3]], names=["x", "x"]), wald.DataError, "x"),
    (pa.chunked_array([[1, 2, 3]]), wald.DataTypeError, "Arrow"),
    (pa.array([1, 2, 3]), wald.DataTypeError, "Arrow"),
    (pl.Series("x", [1, 2, 3]), wald.DataTypeError, "to_frame"),
    (pd.Series([1, 2, 3]), wald.DataTypeError, "to_frame"),
])
def test_what_is_no_table_of_numbers_and_texts_is_refused(table, error, words):
    with pytest.raises(error, match=words) as caught:
        wald.RandomForestRegressor(5).fit(table, [1.0, 2.0, 3.0])
    assert caught.value.help


def test_a_stream_that_fails_is_refused():
    def batches():
        yield ARROW.to_batches()[0]
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(ARROW.schema, batches())
    with pytest.raises(wald.DataTypeError, match="the disk is gone"):
        wald.RandomForestRegressor(5).fit(reader, Y)


def test_other_columns_than_those_of_training_are_refused():
    forest = wald.RandomForestRegressor(5).fit(Capsule(ARROW), Y)
    with pytest.raises(wald.DataError, match="those of training"):
        forest.predict(Capsule(ARROW.select(["whole", "number", "flag", "text", "kind"])))
    unnamed = wald.RandomForestRegressor(5).fit(np.ones((9, 2)), np.arange(9))
    with pytest.raises(wald.DataError, match="5 columns; in training there were 2"):
        unnamed.predict(Capsule(ARROW))


def objects(parts):
    """A frame whose column of objects holds so many cells of each value."""
    cells = [value for value, count in parts for _ in range(count)]
    frame = pd.DataFrame({"g": pd.Series(cells, dtype=object), "x": np.arange(len(cells)) * 0.37 % 1})
    return frame, 2 * frame["x"].rename("y")


def test_objects_of_numbers_and_texts_are_read_as_in_files():
    frame, y = objects([(1, 30), (2, 30), ("K", 30)])
    with pytest.warns(UserWarning, match="'g' holds numbers and texts such as 'K'.*categories"):
        forest = wald.RandomForestRegressor(10).fit(frame, y)
    texts = frame.assign(g=frame["g"].astype(str))
    assert np.array_equal(forest.predict(texts),
                          wald.RandomForestRegressor(10).fit(texts, y).predict(texts))
    frame, y = objects([(0.25 * at, 1) for at in range(60)] + [("T", 5), (None, 2)])
    with pytest.warns(UserWarning, match="is read as numbers, with the texts as missing"):
        forest = wald.RandomForestRegressor(10).fit(frame, y)
    numbers = frame.assign(g=pd.to_numeric(frame["g"], errors="coerce"))
    assert np.array_equal(forest.predict(numbers),
                          wald.RandomForestRegressor(10).fit(numbers, y).predict(numbers))
    frame, y = objects([(0.25 * at, 1) for at in range(60)] + [("1.2.3", 1)])
    with pytest.raises(wald.DataError, match="'g' holds numbers, but '1.2.3' is not a number"):
        wald.RandomForestRegressor(10).fit(frame, y)
