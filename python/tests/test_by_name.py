"""Importances by name, and several measures as one table."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

import wald


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    return wald.RandomForestRegressor(30).fit(X, y), X, y


def test_an_importance_reads_like_a_dictionary(diabetes):
    found = diabetes[0].importance("mdi")
    assert list(found) == found.feature_names and len(found) == 10 and "bmi" in found
    assert found["bmi"] == found.values[2]
    assert found.to_dict() == dict(found.items()) == dict(zip(found.feature_names, found.values))
    series = found.to_series()
    assert series.name == "mdi" and series["s5"] == found["s5"] and series.index.tolist() == list(found)
    for name in ("nonsense", 2, None):
        with pytest.raises(wald.SettingError, match="'age', 'sex'"):
            found[name]


def test_results_become_dicts(diabetes):
    table = diabetes[0].importance(["mdi", "split_count"])
    found = table["mdi"]
    assert found.keys() == list(found) == list(dict(found))
    assert dict(found) == {**found} == found.to_dict()
    assert table.keys() == list(table) == ["mdi", "split_count"]
    assert dict(table) == {**table} == dict(table.items())
    assert dict(table)["split_count"] is table["split_count"]
    # Keys are a list of their own.
    found.keys().clear()
    assert len(found.keys()) == 10


def test_measures_of_a_table_are_found_by_alias(diabetes):
    table = diabetes[0].importance(["gini", "sobol_mda"])
    assert table["gini"] is table["mdi"]
    assert table.top(1, by="gini").feature_names == table["mdi"].top(1).feature_names
    with pytest.raises(wald.UnknownNameError, match="there is no measure 'split_count'"):
        table["split_count"]


def test_unknown_names_are_key_errors_that_suggest_the_nearest_one(diabetes):
    forest, X, _ = diabetes
    table = forest.importance(["mdi", "sobol_mda"])
    curves = forest.explain(X[:5], "pdp", variables=["bmi"])
    for call, meant in [(lambda: table["mdi"]["bmo"], "'bmi'"), (lambda: table["mdi"]["BMI"], "'bmi'"),
                        (lambda: table["sobol"], "'sobol_mda'"), (lambda: curves.of("bni"), "'bmi'")]:
        with pytest.raises(wald.UnknownNameError) as refusal:
            call()
        assert isinstance(refusal.value, KeyError) and isinstance(refusal.value, wald.SettingError)
        assert refusal.value.help == f"did you mean {meant}?"
        # Unlike that of other key errors, the message is no representation of itself.
        assert str(refusal.value).startswith("there is no")
    with pytest.raises(KeyError):
        table["mdi"]["nonsense"]
    assert issubclass(wald.UnknownMeasureError, wald.UnknownNameError)


def test_of_many_names_the_first_are_suggested():
    names = [f"gene{at}" for at in range(1000)]
    found = wald.Importance(measure="m", values=np.ones(1000), feature_names=names)
    with pytest.raises(KeyError, match="'gene19' or 980 others") as refusal:
        found["?"]
    assert "gene20" not in str(refusal.value)


def test_the_first_ones_keep_all_that_is_known_of_them(diabetes, iris):
    for found in (diabetes[0].importance("mdi", by_degree=True),
                  diabetes[0].importance("sobol_first", second_order=True),
                  diabetes[0].importance("air"), diabetes[0].importance("minimal_depth"),
                  iris.importance("mda_breiman_cutler", per_class=True, permutations=3)):
        top = found.top(3)
        assert type(top) is type(found) and top.settings == found.settings
        order = found.ranking()[:3]
        assert top.feature_names == [found.feature_names[at] for at in order]
        assert top.ranks.tolist() == [1, 2, 3]
        lines = found.to_pandas().set_index("variable").loc[top.feature_names]
        assert top.to_pandas().set_index("variable").equals(lines)
        for name in ("per_tree", "per_permutation"):
            single = getattr(found, name)
            assert single is None or np.array_equal(getattr(top, name), single[:, order])
        if found.second_order is not None:
            one, other = order[:2]
            assert top.second_order[0, 1] == found.second_order[one, other]
    assert len(found.top(99)) == 4
    for n in (0, 2.5, "x"):
        with pytest.raises(wald.SettingError, match="^n is"):
            found.top(n)


def test_several_measures_are_one_table_of_one_pass(diabetes):
    forest, X, y = diabetes
    names = ["sobol_mda", "mdi", "minimal_depth", "mda_train_test"]
    settings = {"normalise": "variance", "test": (X, y), "groups": {"size": ["bmi", "bp"]}}
    table = forest.importance(names, **settings)
    assert list(table) == table.measures == names and len(table) == 4
    for measure in names:
        # Only the last one offers this normalisation, and reads test rows.
        asked = settings if measure == "mda_train_test" else {"groups": settings["groups"]}
        assert table[measure] == forest.importance(measure, **asked)
    frame = table.to_pandas()
    assert frame.columns.tolist() == ["variable", *names]
    assert np.array_equal(frame[names].to_numpy(), table.values)
    assert table.to_dict()["mdi"] == table["mdi"].to_dict()
    assert np.array_equal(table.ranks[:, 2], table["minimal_depth"].ranks)
    first, *_, last = repr(table).splitlines()
    assert first.split() == ["variable", *names] and last.startswith("mda_train_test: ")
    assert "minimal_depth" in table._repr_html_()
    with pytest.raises(wald.SettingError, match="'mdi'"):
        table["nonsense"]


def test_the_first_variables_of_a_table_are_those_of_one_measure(diabetes):
    table = diabetes[0].importance(["mdi", "minimal_depth"])
    for by, order in [(None, table["mdi"].ranking()), ("minimal_depth", table["minimal_depth"].ranking())]:
        top = table.top(3, by)
        assert type(top) is wald.ImportanceTable and top.measures == table.measures
        assert top.feature_names == [table.feature_names[at] for at in order[:3]]
        assert np.array_equal(top.values, table.values[order[:3]])
    assert table.top(3)["mdi"] == table["mdi"].top(3) and len(table.top(99).feature_names) == 10
    for n in (0, 2.5, "x"):
        with pytest.raises(wald.SettingError, match="^n is"):
            table.top(n)
    with pytest.raises(wald.UnknownNameError, match="'mdi'"):
        table.top(3, by="mid")


def test_a_table_is_a_series_by_measure_and_variable(diabetes):
    table = diabetes[0].importance(["mdi", "sobol_mda"])
    series = table.to_series()
    assert series.name == "value" and series.index.names == ["measure", "variable"]
    assert len(series) == 20 and series["sobol_mda", "bmi"] == table["sobol_mda"]["bmi"]
    for measure, found in table.items():
        assert series[measure].to_dict() == found.to_series().to_dict()


def test_tables_of_no_or_of_different_importances_are_refused(diabetes):
    one = diabetes[0].importance("mdi")
    for wrong in ([], [one, one], [one, diabetes[0].importance("mdi", groups={"size": ["bmi", "bp"]})]):
        with pytest.raises(wald.SettingError, match="importances"):
            wald.ImportanceTable(importances=wrong)


def test_recommended_measures_are_those_of_the_advice(diabetes):
    forest, X, _ = diabetes
    advised = wald.advise(forest).recommended
    table = forest.importance("recommended", seed=3)
    assert table.measures == list(dict.fromkeys(advised.values()))
    assert table["sobol_mda"] == forest.importance("sobol_mda", seed=3)
