"""The exact world, against cases that another program computed; and designs."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import wald

GOLDEN = Path(__file__).parents[2] / "crates/wald/tests/fixtures/golden"


def golden(name):
    case = json.loads((GOLDEN / f"pop_{name}.json").read_text())
    rows = case["table"]
    frame = pd.DataFrame(rows["X"], columns=[f"x{at}" for at in range(case["p"])])
    return case, frame.assign(y=[f"y{value}" for value in rows["y"]], p=rows["prob"])


@pytest.mark.parametrize("name", ["led", "noisy_copy"])
def test_golden_cases(name):
    case, table = golden(name)
    found = wald.population(table, target="y", probability="p", mtry="all", local=True)
    near = {"rtol": 0, "atol": 1e-10}
    np.testing.assert_allclose(found.values, case["importance"], **near)
    np.testing.assert_allclose(found.by_degree, case["by_degree"], **near)
    np.testing.assert_allclose(found.total, case["total"], **near)
    np.testing.assert_allclose(found.root_impurity, case["impurity_root"], **near)
    unused = case["K"]["unused"]
    for size, values in zip(found.mtry, found.by_mtry):
        np.testing.assert_allclose(values, unused[str(size)]["importance"], **near)
    of_point = {tuple(point): at for at, point in enumerate(found.points)}
    for point, values in zip(case["local"]["x"], case["local"]["importance"]):
        np.testing.assert_allclose(found.local[of_point[tuple(point)]], values, **near)
    is_strong = [known["strongly"] for known in case["relevance"]]
    assert [word == "strong" for word in found.relevance] == is_strong
    assert found.marginal.tolist() == [known["marginally"] for known in case["relevance"]]
    for depth, values in case["pruned"].items():
        pruned = wald.population(table, target="y", probability="p", depth=int(depth))
        np.testing.assert_allclose(pruned.values, values, **near)
    for size, values in case["subspace"].items():
        drawn = wald.population(table, target="y", probability="p", subspace=int(size))
        np.testing.assert_allclose(drawn.values, values, **near)


def test_any_kind_of_table_gives_the_same():
    _, table = golden("noisy_copy")
    found = wald.population(table, target="y", probability="p")
    as_dict = {name: table[name].tolist() for name in table}
    for same in (as_dict, pl.from_pandas(table), table.iloc[::-1].reset_index(drop=True)):
        other = wald.population(same, target="y", probability="p")
        assert other == found
    counts = table.assign(p=table.p * 40)
    np.testing.assert_allclose(
        wald.population(counts, target="y", probability="p").values, found.values, atol=1e-14)


def test_two_numbers_are_classes_and_more_are_numbers():
    coins = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": [0, 1, 1, 0]}
    assert wald.population(coins, target="y").impurity == "entropy"
    # V[y] = 2/3 of three equally likely numbers -1, 0, 1.
    found = wald.population({"a": ["l", "m", "n"], "y": [-1, 0, 1]}, target="y")
    assert found.impurity == "variance"
    assert found.values == pytest.approx([2 / 3], abs=1e-15)
    gini = wald.population({"a": ["l", "m", "n"], "y": [-1, 0, 1]}, target="y", impurity="gini")
    assert gini.values == pytest.approx([2 / 3], abs=1e-15)
    numbers = wald.population(coins, target="y", impurity="entropy")
    assert numbers == wald.population(coins, target="y")


def test_samples_are_near_and_say_how_near():
    case, table = golden("led")
    found = wald.population(table, target="y", probability="p", samples=4000, seed=1)
    away = (found.values - case["importance"]) / found.standard_errors
    assert np.all(np.abs(away) < 4.0) and np.all(found.standard_errors < 0.02)
    assert found != wald.population(table, target="y", probability="p", samples=4000, seed=2)


def test_groups_count_as_one_variable():
    _, table = golden("led")
    found = wald.population(table.drop(columns="p"), target="y", groups={"top": ["x0", "x1"]})
    assert set(found.feature_names) == {"top", "x2", "x3", "x4", "x5", "x6"}
    assert found.values.sum() == pytest.approx(found.total, abs=1e-12)
    assert len(found.points[0]) == 6


@pytest.mark.parametrize(("changes", "kind", "words"), [
    ({"target": "z"}, wald.DataError, "no column 'z'"),
    ({"probability": "y"}, wald.DataError, "holds texts"),
    ({"mtry": 0}, wald.SettingError, "from 1 to 2"),
    ({"mtry": "some"}, wald.SettingError, "from 1 to 2"),
    ({"mtry": True}, wald.SettingError, "from 1 to 2"),
    ({"samples": 0}, wald.SettingError, "samples is 0"),
    ({"seed": -1}, wald.SettingError, "seed is -1"),
    ({"depth": 3}, wald.SettingError, "between 1 and 2"),
    ({"depth": 1, "subspace": 1}, wald.SettingError, "two kinds"),
    ({"depth": 1, "local": True}, wald.SettingError, "fully developed"),
    ({"subspace": 1, "mtry": 2}, wald.SettingError, "totally randomized"),
    ({"samples": 5, "mtry": "all"}, wald.SettingError, "one mtry at a time"),
    ({"limit": 0}, wald.SettingError, "no time"),
    ({"impurity": "variance"}, wald.SettingError, "does not fit"),
    ({"impurity": "chaos"}, wald.SettingError, "not an impurity"),
])
def test_what_does_not_fit_is_refused(changes, kind, words):
    _, table = golden("noisy_copy")
    with pytest.raises(kind, match=words):
        wald.population(table, **{"target": "y", "probability": "p", **changes})


def test_negative_probabilities_are_refused():
    with pytest.raises(wald.DataError, match="-1|negative"):
        wald.population({"a": [0, 1], "y": ["n", "m"], "p": [2, -1]}, target="y", probability="p")
    with pytest.raises(wald.DataTypeError, match="no names"):
        wald.population(np.zeros((2, 2)), target="y")


def test_designs_are_drawn_as_by_the_command_line():
    # wald simulate friedman_1 --rows 120 --seed 1
    data = wald.simulate("friedman-1", rows=120, seed=1)
    assert data.y[0] == 19.622648933772076 and data.x1[1] == 0.7494791078972675
    assert data.truth == ["x1", "x2", "x3", "x4", "x5"]
    assert list(data.inputs) == [f"x{at}" for at in range(1, 11)]
    assert type(data.inputs) is pd.DataFrame
    assert data[:50].equals(wald.simulate("friedman_1", rows=50, seed=1)[:50])
    classes = wald.simulate("li_leaf_size", rows=20)
    assert set(classes.target) == {"0", "1"} and classes.truth == ["x2"]
    assert {design["id"] for design in wald.designs()} >= {"friedman_1", "benard_example_2"}
    with pytest.raises(wald.SettingError, match="benard_example_1"):
        wald.simulate("nonsense")
    for wrong in ({"rows": 0}, {"rows": 2.5}, {"seed": -1}):
        with pytest.raises(wald.SettingError, match=next(iter(wrong))):
            wald.simulate("friedman_1", **wrong)


def test_without_pandas_there_are_columns(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "wald._simulated", None)
    data = wald.simulate("friedman_1", rows=30, seed=1)
    assert data.inputs.shape == (30, 10) and data.truth[0] == "x1"
    assert data["y"][0] == data.target[0] == 19.622648933772076


def test_masking_shows_what_hides():
    case, table = golden("led")
    rows = table.loc[np.repeat(np.arange(10), 30), [f"x{at}" for at in range(7)]].astype(float)
    y = np.repeat(np.arange(10), 30)
    found = wald.masking(wald.ExtraTreesClassifier(100, criterion="entropy"), rows, y, mtry=[7, 1])
    assert found.mtry.tolist() == [1, 7] and found.values.shape == (2, 7)
    # Table 2 of Louppe et al. (2013): forests on all rows come near the limit.
    for size, values in zip(found.mtry, found.values):
        limit = case["K"]["nonconstant"][str(size)]["importance"]
        np.testing.assert_allclose(values, limit, atol=0.12)


def test_dependence_is_that_of_ranks():
    data = pd.DataFrame({"a": [1, 2, 3, 4, 5], "b": [1, 8, 27, 64, 125], "c": [5, 1, 4, 2, 3]})
    found = wald.dependence(data)
    expected = np.abs(data.corr("spearman").to_numpy())
    np.testing.assert_allclose(found.values, expected, atol=1e-12)
    assert found.merges[0][:2] in ((0, 1), (1, 0)) and found.merges[0][2] == pytest.approx(1.0)
    order = [found.feature_names[at] for at in found.order()]
    assert sorted(order) == ["a", "b", "c"] and abs(order.index("a") - order.index("b")) == 1
    assert found.to_pandas().dependence.tolist() == pytest.approx(
        expected[np.triu_indices(3, 1)].tolist())


def test_what_is_shown_states_its_mtry():
    """Where there are values of others, which by_mtry has."""
    _, table = golden("noisy_copy")
    found = wald.population(table, target="y", probability="p", mtry="all")
    first, *others = found.mtry
    note = (f"values are those of mtry {first}; by_mtry also has those of mtry "
            f"{', '.join(map(str, others))}")
    assert np.allclose(found.values, found.by_mtry[0], rtol=1e-12)
    assert f"note: {note}" in " ".join(repr(found).split())
    assert note in found._repr_html_() and found.to_importance().notes == [note]
    assert "mtry" not in repr(wald.population(table, target="y", probability="p"))
