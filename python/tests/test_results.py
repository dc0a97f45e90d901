"""Results: frames, files, equality, and what other packages expect."""

import json
import os
import pickle
import subprocess
from html.parser import HTMLParser

import numpy as np
import polars as pl
import pytest
from sklearn.inspection import permutation_importance

import wald


def test_frames_have_names_values_errors_and_ranks(regression, classification):
    found = regression[0].importance("mdi", by_degree=True)
    frame = found.to_pandas()
    assert list(frame.columns[:4]) == ["variable", "value", "standard_error", "rank"]
    assert frame["variable"].tolist() == list(regression[1])
    assert frame.sort_values("rank")["value"].is_monotonic_decreasing
    degrees = frame.filter(like="degree_")
    assert np.allclose(degrees.sum(axis=1), frame["value"], rtol=1e-12)
    polars, arrow = found.to_polars(), found.to_arrow()
    assert isinstance(polars, pl.DataFrame) and polars.columns == list(frame)
    assert arrow.column_names == list(frame)
    assert polars["value"].to_list() == arrow["value"].to_pylist() == frame["value"].tolist()
    by_class = classification[0].importance("mda_breiman_cutler", per_class=True)
    assert {"value_0", "value_1", "value_2"} < set(by_class.to_pandas())
    assert by_class.to_pandas()["value_1"].tolist() == by_class.per_class["1"].tolist()


def test_undefined_values_are_missing_and_come_last():
    found = wald.Importance(measure="m", values=np.array([np.nan, -1.0, 2.0]),
                            feature_names=["a", "b", "c"], p_values=np.array([np.nan, 0.5, 0.01]))
    assert found.ranks.tolist() == [3, 2, 1]
    assert found.to_polars()["value"].to_list() == [None, -1.0, 2.0]
    assert found.to_arrow()["p_value"].to_pylist() == [None, 0.5, 0.01]
    assert found.to_pandas()["value"].isna().tolist() == [True, False, False]
    small = wald.Importance(measure="m", values=np.array([3.0, np.nan, 1.0]),
                            feature_names=["a", "b", "c"], lower_is_more_important=True)
    assert small.ranking().tolist() == [2, 0, 1]


def test_bunch_has_the_keys_of_scikit_learn(regression):
    forest, X = regression
    expected = permutation_importance(forest, X, forest.predict(X), n_repeats=2, random_state=0)
    found = forest.importance("mda_breiman_cutler", permutations=4)
    bunch = found.to_bunch()
    assert set(bunch) == set(expected)
    assert bunch.importances.shape == (10, 4)
    assert np.allclose(bunch.importances.mean(axis=1), bunch.importances_mean, rtol=1e-9)
    assert np.allclose(bunch.importances.std(axis=1), bunch.importances_std)
    assert np.array_equal(bunch.importances_mean, found.values)
    trees = forest.importance("mdi").to_bunch()
    assert trees.importances.shape == (10, 30)


def every_result(regression, classification):
    forest, X = regression
    classes, flowers = classification
    selector = wald.RFE(wald.RandomForestClassifier(5), measure="mdi", folds=2).fit(
        flowers, classes.predict(flowers))
    mixed = X[:60].assign(sex=np.where(X["sex"][:60] > 0, "f", None))
    texts = wald.RandomForestRegressor(5).fit(mixed, mixed["bmi"].to_numpy())
    yield forest.importance("mdi", by_degree=True)
    yield forest.importance("sobol_first", second_order=True)
    yield classes.importance("mda_breiman_cutler", per_class=True, permutations=2)
    yield forest.importance("air")
    yield forest.importance(["mdi", "minimal_depth", "sobol_mda"])
    yield forest.explain(X[:5])
    yield texts.explain(mixed[:5])
    yield classes.explain(flowers[:5], "tree_shap_interactions")
    yield classes.explain(None, "local_mdi")
    yield forest.explain(X[:9], "friedman_h", variables=["s5", "bmi"])
    yield forest.explain(X[:9], "ale", grid=4)
    yield texts.explain(mixed[:5], "ice", variables=["sex", "bmi"])
    yield classes.explain(flowers[:5], "pdp", grid=4)
    yield selector.selection_
    yield wald.population({"a": [0, 1, 1], "b": ["x", None, "z"], "y": [0, 1, 1]}, target="y",
                          mtry="all", local=True)
    yield wald.masking(wald.RandomForestClassifier(5), flowers, classes.predict(flowers))
    yield wald.conditional_test(wald.RandomForestRegressor(5), X, X["bmi"].to_numpy(), folds=2)
    yield wald.compare(classes, classes, "mdi", subsamples=4)
    yield wald.interactions(classes, resamples=2, intersection_trees=20)
    yield wald.interactions(forest, resamples=0, intersection_trees=20)
    yield wald.dependence(X)
    yield wald.advise(forest)
    yield wald.surrogate(X[:30], X["bmi"][:30].to_numpy(), measure="mdi", rows=100, draws=2, starts=1,
                         estimator=wald.RandomForestRegressor(5))
    yield wald.through(lambda table: table["bmi"], X, estimator=wald.RandomForestRegressor(5))
    yield from wald.uncertainty(classes, ["mdi_oob", "sobol_mda"], subsamples=5, null_forests=3)


def test_results_are_saved_loaded_pickled_and_equal(regression, classification, tmp_path):
    kinds = set()
    for number, found in enumerate(every_result(regression, classification)):
        kinds.add(type(found))
        path = tmp_path / f"{number}.json"
        found.save(path)
        again = wald.load(path)
        assert type(again) is type(found) and again == found
        assert pickle.loads(pickle.dumps(found)) == found
        assert again.to_pandas().shape == found.to_pandas().shape
        assert repr(again).splitlines()[0] == repr(found).splitlines()[0]
        json.loads(path.read_text(), parse_constant=pytest.fail)
    assert len(kinds) == 15


@pytest.mark.skipif("WALD" not in os.environ, reason="the command line is not there")
def test_importances_of_the_command_line_are_loaded(classification, tmp_path):
    forest, X = classification
    table, path = tmp_path / "table.csv", tmp_path / "found.json"
    frame = X.assign(target=forest.predict(X))
    frame.to_csv(table, index=False)
    words = ["--target", "target", "--task", "classification", "--trees", "20", "--measure", "mdi_oob,mdi,sobol_mda,sobol_first"]
    words += ["--per-class", "--by-degree", "--second-order", "--per-tree", "--format", "json"]
    run = [os.environ["WALD"], "importance", table, *words, "--output", path]
    subprocess.run(run, check=True, capture_output=True)
    measures = json.loads(path.read_text())["measures"]
    loaded = wald.load(path)
    assert [found.measure for found in loaded] == [
        "mdi_oob", "mdi", "sobol_mda", "sobol_first"]
    for found, written in zip(loaded, measures, strict=True):
        assert found.feature_names == list(X.columns) and found.values.tolist() == written["values"]
        assert found.unit == written["unit"] and found.settings == written["settings"]
        assert found.standard_errors_over == "trees" and not found.lower_is_more_important
        found.save(tmp_path / f"{found.measure}.json")
        assert wald.load(tmp_path / f"{found.measure}.json") == found
    assert loaded[0].per_tree.shape == (20, X.shape[1])
    assert set(loaded[0].per_class) == set(map(str, forest.classes_))
    assert np.allclose(loaded[1].by_degree.sum(axis=1), loaded[1].values)
    assert loaded[1].by_degree_errors.shape == loaded[1].by_degree.shape
    pairs = loaded[3].second_order
    assert np.array_equal(pairs, pairs.T, equal_nan=True) and np.isnan(np.diag(pairs)).all()
    assert (loaded[3].second_order_errors[~np.isnan(pairs)] > 0.0).all()


def test_a_number_more_or_less_is_another_result(regression):
    one, other = (regression[0].importance("mdi") for _ in range(2))
    assert one == other
    other.values[3] = np.nextafter(other.values[3], np.inf)
    assert one != other and one != "mdi"


def test_files_are_not_replaced_unasked_and_never_half_written(regression, tmp_path):
    found, path = regression[0].importance("mdi"), tmp_path / "found.json"
    path.write_text("mine")
    with pytest.raises(FileExistsError, match="force=True"):
        found.save(path)
    assert path.read_text() == "mine"
    found.save(path, force=True)
    assert wald.load(path) == found
    assert [file.name for file in tmp_path.iterdir()] == ["found.json"]
    with pytest.raises(FileNotFoundError, match="folder"):
        found.save(tmp_path / "none" / "found.json")
    with pytest.raises(IsADirectoryError):
        found.save(tmp_path, force=True)


@pytest.mark.parametrize("damage", [
    lambda text: text[:-20],
    lambda text: text.replace("wald-result", "wald-forest"),
    lambda text: text.replace('"version":2', '"version":3'),
    lambda text: text.replace('["importance"', '["curves"'),
    lambda text: text.replace("bmi", "bim"),
    lambda text: text.replace("1", "2", 40),
    lambda text: "[" * 100_000,
    lambda text: "3",
    lambda text: "",
    lambda text: '{"format": "wald-result", "version": 2}',
])
def test_damaged_files_are_refused(regression, tmp_path, damage):
    path = tmp_path / "found.json"
    regression[0].importance("mdi").save(path)
    path.write_text(damage(path.read_text()))
    with pytest.raises(wald.ResultFileError, match="found.json"):
        wald.load(path)


def test_files_of_version_1_are_read(regression, tmp_path):
    path = tmp_path / "found.json"

    def stored(found, version):
        found.save(path, force=True)
        path.write_text(path.read_text().replace('"version":2', f'"version":{version}'))

    found = wald.dependence(regression[1][["bmi", "bp", "s1"]])
    stored(found, 1)
    assert wald.load(path) == found
    for found, version in [(regression[0].importance("mdi"), 1), (found, 3)]:
        stored(found, version)
        with pytest.raises(wald.ResultFileError, match=f"was written in version {version} of"):
            wald.load(path)
    path.write_text('{"format": "wald-result", "version": 2, "measures": [{"name": "mdi"}]}')
    with pytest.raises(wald.ResultFileError, match="is not a result that wald.load reads"):
        wald.load(path)


def test_contents_that_contradict_each_other_are_refused(regression, tmp_path):
    from wald._results import storing

    found = regression[0].importance("mdi")
    for name, value in (("values", np.zeros(3)), ("feature_names", "abc"), ("nonsense", 1)):
        value = value.tolist() if isinstance(value, np.ndarray) else value
        name = {"feature_names": "names"}.get(name, name)
        result = ["importance", {**found._body(), name: value}]
        document = {"format": "wald-result", "version": 2, "result": result,
                    "checksum": storing._checksum(storing._text(result))}
        (tmp_path / "x").write_text(json.dumps(document))
        with pytest.raises(wald.ResultFileError):
            wald.load(tmp_path / "x")


def test_without_a_package_it_says_what_to_install(regression, monkeypatch):
    import sys

    found = regression[0].explain(regression[1][:2])
    for package, call in (("shap", found.to_shap), ("pandas", found.to_pandas),
                          ("polars", found.to_polars), ("pyarrow", found.to_arrow),
                          ("matplotlib.pyplot", found.plot)):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(ImportError, match=f"pip install {package.partition('.')[0]}"):
            call()


class Checker(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attributes):
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_notebooks_show_tables_in_which_names_are_only_text(regression):
    name = "<script>alert(1)</script> & \"more\""
    found = wald.Importance(measure="<b>m</b>", values=np.array([1.0, -0.5, np.nan]),
                            feature_names=[name, "b", "c"],
                            standard_errors=np.array([.1, .2, np.nan]))
    html = found._repr_html_()
    assert "<script" not in html and "<b>m" not in html
    checker = Checker()
    checker.feed(html)
    assert checker.open == [] and name in checker.text and "–" in checker.text
    many = wald.Importance(measure="m", values=np.arange(50.0),
                           feature_names=[f"x{at}" for at in range(50)])
    assert "and 20 more" in many._repr_html_() and many._repr_html_().count("<tr>") == 1 + 30 + 1
    for other in (regression[0].explain(regression[1][:9]), wald.measures()):
        checker = Checker()
        checker.feed(other._repr_html_())
        assert checker.open == []


def test_settings_that_no_measure_has_are_refused(regression):
    forest = regression[0]
    for call, name, near in [
            (lambda: forest.importance("mdi", nonsense=3), "nonsense", "wald.measures() lists"),
            (lambda: forest.explain(None, "saabas", nonsense=3), "nonsense", "wald.measures() lists"),
            (lambda: forest.importance("mda_train_test", permutation=3), "permutation",
             "did you mean permutations?"),
            (lambda: wald.uncertainty(forest, null="shadow"), "null",
             "did you mean null_distribution?")]:
        with pytest.raises(wald.SettingError, match=f"has no argument '{name}'") as refusal:
            call()
        assert refusal.value.setting == name and refusal.value.help.startswith(near)


def test_forests_are_measured_on_rows_of_their_own(regression):
    forest, X = regression[:2]
    test = X, forest.predict(X)
    for call in [lambda: wald.uncertainty(forest, test=test),
                 lambda: wald.masking(wald.RandomForestRegressor(5), *test, test=test),
                 lambda: wald.RFE(wald.RandomForestRegressor(5), settings={"background": X}).fit(*test)]:
        with pytest.raises(wald.SettingError, match="on its own rows") as refusal:
            call()
        assert refusal.value.setting in ("test", "background")


def test_measures_are_found_by_name():
    found = wald.measures()
    assert found["sobol_mda"]["kind"] == "importance"
    assert found["explain", "tree_shap"]["kind"] == "explain"
    assert found[0]["id"] == "mdi" and len(found.to_pandas()) == len(found)
    assert "sobol_mda" in repr(found)
    assert found["permutation"]["id"] == "mda_breiman_cutler"
    with pytest.raises(KeyError, match="not a measure") as refusal:
        found["nonsense"]
    assert isinstance(refusal.value, wald.errors.UnknownMeasureError)
    assert refusal.value.setting == "measure"
    found[0]["id"] = "changed"
    assert wald.measures()[0]["id"] == "mdi"
