"""Arrays of any type, order and strides, and pandas' own types, give the same forest."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from kinds_of_tables import grown, hash_of

import wald

RANDOM = np.random.default_rng(1)
# Small whole numbers, which every type holds.
WHOLE = RANDOM.integers(0, 100, (90, 4))
Y = WHOLE[:, 0] + WHOLE[:, 1] * (WHOLE[:, 2] > 50) + RANDOM.normal(size=90)
HASH = grown(WHOLE.astype(np.float64), Y)


@pytest.mark.parametrize("kind", [
    "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", ">f8", ">i4", "longdouble",
    "object"])
def test_types(kind):
    matrix = WHOLE.astype(kind)
    before = matrix.copy()
    assert grown(matrix, Y) == HASH
    assert (matrix == before).all() and matrix.dtype == before.dtype


def test_booleans_are_numbers_in_arrays():
    flags = WHOLE > 50
    assert grown(flags, Y) == grown(flags.astype(float), Y)


def strided():
    wide = np.zeros((180, 8))
    wide[::2, ::2] = WHOLE
    return wide[::2, ::2]


def unaligned():
    bytes_of = np.zeros(WHOLE.size * 8 + 1, dtype=np.uint8)
    matrix = bytes_of[1:].view(np.float64).reshape(WHOLE.shape)
    matrix[:] = WHOLE
    assert not matrix.flags.aligned
    return matrix


def read_only():
    matrix = WHOLE.astype(np.float64)
    matrix.flags.writeable = False
    return matrix


@pytest.mark.parametrize("make", [
    lambda: np.asfortranarray(WHOLE.astype(np.float64)), strided, read_only, unaligned,
    lambda: WHOLE[::-1, ::-1].copy()[::-1, ::-1], lambda: WHOLE.astype(float).tolist()])
def test_orders_and_strides(make):
    assert grown(make(), Y) == HASH
    forest = wald.RandomForestRegressor(15).fit(WHOLE, Y)
    assert np.array_equal(forest.predict(make()), forest.predict(WHOLE))


def test_memory_maps(tmp_path):
    WHOLE.astype(np.float32).tofile(tmp_path / "matrix")
    mapped = np.memmap(tmp_path / "matrix", dtype=np.float32, mode="r", shape=WHOLE.shape)
    assert grown(mapped, Y) == HASH


def test_masked_cells_are_missing():
    hidden = WHOLE % 11 == 0
    expected = np.where(hidden, np.nan, WHOLE)
    for kind in (np.int64, np.float32):
        masked = np.ma.masked_array(WHOLE.astype(kind), mask=hidden)
        assert grown(masked, Y) == grown(expected, Y) != HASH
        forest = wald.RandomForestRegressor(5).fit(masked, Y)
        assert np.array_equal(forest.predict(masked), forest.predict(expected))


def test_integers_that_would_lose_digits_are_refused():
    large = WHOLE.copy()
    large[3, 2] = 2**53 + 1
    for matrix in (large, large.astype(np.uint64), np.ma.masked_array(large)):
        with pytest.raises(wald.DataError, match=r"x2.*2\^53"):
            wald.RandomForestRegressor(5).fit(matrix, Y)


LARGE = [2**60 + at for at in range(90)]
DATES = np.array(["2020-01-01"], dtype="datetime64[D]") + np.arange(90)


@pytest.mark.parametrize("table", [
    [[number] for number in LARGE], [[number, 0.5] for number in LARGE],
    np.array(LARGE, dtype=object)[:, np.newaxis],
    np.array([[Decimal("1e30")], [Decimal("NaN")]] * 45, dtype=object),
    pa.table({"x": pa.array(LARGE).cast(pa.decimal128(38, 0))})])
def test_large_integers_are_refused_in_any_table(table):
    with pytest.raises(wald.DataError, match="integers above 2.53"):
        wald.RandomForestRegressor(5).fit(table, Y)


@pytest.mark.parametrize("kind", [
    list, np.array, pa.array, pl.Series, lambda y: pd.Series(y, dtype="Int64"),
    lambda y: pd.Series(y, dtype="int64[pyarrow]"), lambda y: np.array(y, dtype=object)])
def test_targets_of_large_integers_are_refused(kind):
    with pytest.raises(wald.DataError, match="y holds integers above 2.53"):
        wald.RandomForestRegressor(5).fit(WHOLE, kind(LARGE))


@pytest.mark.parametrize("kind", [
    np.array, pa.array, pl.Series, lambda y: list(y.astype(object)),
    lambda y: pd.Series(y, dtype="timestamp[s][pyarrow]")])
def test_targets_of_dates_are_refused(kind):
    with pytest.raises(wald.DataTypeError, match="y holds dates or times"):
        wald.RandomForestRegressor(5).fit(WHOLE, kind(DATES))


def test_durations_among_objects_are_refused():
    cells = np.array([np.timedelta64(1, "D"), np.timedelta64(1, "h")] * 45, dtype=object)
    column = pd.Series(cells, dtype=object)
    with pytest.raises(wald.DataTypeError, match="column 'x' holds a timedelta64"):
        wald.RandomForestRegressor(5).fit(pd.DataFrame({"x": column}), Y)


def test_weights_of_32_bits_are_weights():
    weights = RANDOM.integers(1, 4, 90)
    narrow, wide = (wald.RandomForestRegressor(15).fit(WHOLE, Y, sample_weight=weights.astype(kind))
                    for kind in ("f4", "f8"))
    assert hash_of(narrow) == hash_of(wide)


@pytest.mark.parametrize("name", ["sample_weight", "clusters"])
def test_masked_values_of_rows_are_refused(name):
    masked = np.ma.masked_equal(np.arange(90.0), 7.0)
    with pytest.raises(wald.DataError, match=f"{name} has masked values"):
        wald.RandomForestRegressor(5).fit(WHOLE, Y, **{name: masked})


def test_a_row_without_a_cluster_is_named():
    clusters = pd.Series([1, pd.NA] + [2] * 88, dtype=object)
    with pytest.raises(wald.DataError, match="row 2 has no cluster"):
        wald.RandomForestRegressor(5).fit(WHOLE, Y, clusters=clusters)


@pytest.mark.parametrize("kind", [
    "Int8", "UInt16", "Int64", "Float32", "Float64", "Sparse[float64]", "Sparse[int64]",
    pd.ArrowDtype(pa.int32()), pd.ArrowDtype(pa.float32()), pd.ArrowDtype(pa.decimal128(22, 2))])
def test_numbers_of_pandas(kind):
    names = [f"x{at}" for at in range(4)]
    assert grown(pd.DataFrame(WHOLE, columns=names).astype(kind), Y) == HASH


@pytest.mark.parametrize("kind", [
    "Int16", "Int64", "Float64", pd.ArrowDtype(pa.int64()), pd.ArrowDtype(pa.float64())])
def test_missing_numbers_of_pandas(kind):
    frame = pd.DataFrame(WHOLE, columns=list("abcd")).astype("float64")
    missing = frame.mask(frame % 7 == 0)
    assert grown(missing.astype(kind), Y) == grown(missing, Y)


@pytest.mark.parametrize("kind", [
    "string", "string[python]", "string[pyarrow]", "str", "category", pd.ArrowDtype(pa.string()),
    pd.CategoricalDtype(["c", "b", "a", "never"], ordered=True),
    pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))])
def test_texts_of_pandas(kind):
    texts = pd.Series(np.array(["a", "b", "c", None], dtype=object)[WHOLE[:, 0] % 4], dtype=object)
    expected = grown(pd.DataFrame({"x": texts}), Y)
    assert grown(pd.DataFrame({"x": texts.astype(kind)}), Y) == expected


@pytest.mark.parametrize("kind", ["boolean", pd.ArrowDtype(pa.bool_())])
def test_booleans_of_pandas(kind):
    flags = pd.Series(np.array([True, False, None], dtype=object)[WHOLE[:, 0] % 3])
    texts = flags.map({True: "true", False: "false"})
    assert grown(pd.DataFrame({"x": flags.astype(kind)}), Y) == grown(pd.DataFrame({"x": texts}), Y)


def test_rows_that_belong_together():
    patients = np.repeat(np.arange(30), 3)
    hashes = {grown_by(kind) for kind in (
        patients, patients.tolist(), pd.Series(patients),
        np.array(["p%02d" % at for at in patients]))}
    assert len(hashes) == 1 and HASH not in hashes
    forest = wald.RandomForestRegressor(15).fit(WHOLE, Y, clusters=patients)
    for tree in range(15):
        counts = forest._forest.in_bag(tree).reshape(30, 3)
        assert ((counts > 0).all(axis=1) | (counts == 0).all(axis=1)).all()
    for clusters, words in (([None, *patients[1:]], "row 1 has no cluster"),
                            ([1.0, np.nan, *patients[2:]], "row 2 has no cluster"),
                            ([1, "a", *patients[2:]], "several types"), (patients[1:], "89")):
        with pytest.raises(ValueError if words == "89" else wald.WaldError, match=words):
            wald.RandomForestRegressor(5).fit(WHOLE, Y, clusters=clusters)


def grown_by(clusters):
    from kinds_of_tables import hash_of

    return hash_of(wald.RandomForestRegressor(15).fit(WHOLE, Y, clusters=clusters))


def test_arrays_that_begin_at_any_byte():
    """Such as those that come over a network, or lie in a file of records."""
    def moved(array):
        bytes_ = np.empty(array.nbytes + 1, np.uint8)
        there = bytes_[1:].view(array.dtype)
        there[:] = array
        assert not there.flags.aligned
        return there

    random = np.random.default_rng(0)
    x, y, weights = random.normal(size=(3, 60))
    fit = lambda change: wald.RandomForestRegressor(10).fit(
        change(x).reshape(-1, 1), change(y), change(abs(weights)))
    X = x.reshape(-1, 1)
    assert np.array_equal(fit(moved).predict(moved(x).reshape(-1, 1)), fit(np.copy).predict(X))
    # Buffers of pickles may lie anywhere, too.
    columns = ([("x", moved(x))], "y", moved(y), moved(abs(weights)),
               moved(np.arange(60, dtype=np.uint32)), None)
    assert wald._native._dataset(*columns).is_same(wald._native._dataset(
        [("x", x)], "y", y, abs(weights), np.arange(60, dtype=np.uint32), None))
