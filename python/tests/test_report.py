"""Reports are those of the command line."""

import html
import os
import re
import subprocess

import numpy as np
import pytest

import wald

DATA = wald.simulate("friedman_1", rows=120, seed=1)


@pytest.fixture(scope="module")
def forest():
    return wald.RandomForestRegressor(20).fit(DATA.inputs, DATA.target)


def test_a_report_holds_what_was_measured(forest, tmp_path):
    path = tmp_path / "report.html"
    found = wald.report(forest, path, source="friedman & co")
    page = path.read_text()
    # wald importance d.csv --target y --trees 20 --format json
    assert found["mdi"].values[:2].tolist() == [4.139162559489267, 5.082828357938714]
    assert found["mda_breiman_cutler"].values[0] == 6.050094500277985
    assert found["sobol_mda"].values[2] == 0.007825282235742708
    assert "friedman &amp; co" in page and "friedman & co<" not in page
    assert "What matters for y" in page and "wald.report(RandomForestRegressor(" in page
    assert ".fit(X, y))</code>" in page
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


# What the command line and the package word in their own language, in this order.
WORDED = [
    ("wald select d.csv --target y --trees 20 --constant-draws search --measure sobol_mda",
     "wald.RFE(forest, measure=&quot;sobol_mda&quot;).fit(X, y)"),
    *((f"wald surrogate d.csv --target y --trees 20 --constant-draws search --measure {measure}",
       f"wald.surrogate(X, y, measure=&quot;{measure}&quot;)")
      for measure in ("sobol_mda", "mda_breiman_cutler", "shapley_effects")),
    ("wald importance d.csv --target y --trees 20 --constant-draws search --measure "
     "mda_breiman_cutler",
     "forest.importance(&quot;mda_breiman_cutler&quot;)"),
    *((f"wald {command} d.csv --target y --trees 20 --constant-draws search{options}", call)
      for command, options, call in (
          ("conditional", "", "wald.conditional_test(forest, X, y)"),
          ("select", " --method boruta", "wald.Boruta(forest).fit(X, y)"),
          ("select", " --method ipss", "wald.IPSS(forest).fit(X, y)"),
          ("uncertainty", "", "wald.uncertainty(forest)"),
          ("compare", " --second OTHER", "wald.compare(forest, other)"),
          ("importance", " --measure distribution_retrain",
           "forest.importance(&quot;distribution_retrain&quot;)"),
          ("proximities", "", "forest.outliers()"),
          *(("explain", f" --measure {measure}",
             f"forest.explain(measure=&quot;{measure}&quot;)")
            for measure in ("pdp", "ale", "friedman_h")))),
    ("wald predict FOREST NEW --training d.csv --target y --quantiles 0.05,0.95",
     "forest.predict_quantiles(X, quantiles=[0.05, 0.95])"),
    ("<code>wald surrogate</code>", "<code>wald.surrogate</code>"),
    ("<code>wald uncertainty</code>", "<code>wald.uncertainty</code>"),
    ("<code>wald select</code>", "<code>wald.RFE</code>"),
    (" (<code>--exclude</code>)", ""),
]


def in_python(path):
    """A page of the command line, with calls in the place of commands."""
    page = path.read_text()
    for command, call in WORDED:
        page = page.replace(command, call)
    return page


@pytest.mark.skipif("WALD" not in os.environ, reason="WALD names no command")
def test_the_page_is_that_of_the_command_line(forest, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    DATA.to_csv(tmp_path / "d.csv", index=False)
    words = ["report", "d.csv", "--target", "y", "--trees", "20", "--constant-draws", "search",
             "--output", "r.html"]
    subprocess.run([os.environ["WALD"], *words], cwd=tmp_path, check=True,
                   capture_output=True)
    wald.report(forest, tmp_path / "p.html", source="d.csv", command=" ".join(["wald", *words]))
    assert (tmp_path / "p.html").read_text() == in_python(tmp_path / "r.html")


@pytest.mark.skipif("WALD" not in os.environ, reason="WALD names no command")
def test_quick_pages_are_those_of_the_command_line(forest, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    DATA.to_csv(tmp_path / "d.csv", index=False)
    words = ["report", "d.csv", "--target", "y", "--trees", "20", "--constant-draws", "search",
             "--quick", "--output", "r.html"]
    subprocess.run([os.environ["WALD"], *words], cwd=tmp_path, check=True,
                   capture_output=True)
    path = tmp_path / "p.html"
    wald.report(forest, path, source="d.csv", command=" ".join(["wald", *words]), quick=True)
    assert path.read_text() == in_python(tmp_path / "r.html")


def test_foreign_forests_have_the_parts_that_can_be_made(tmp_path):
    ensemble = pytest.importorskip("sklearn.ensemble")
    sklearn = ensemble.RandomForestRegressor(15, random_state=0).fit(DATA.inputs, DATA.target)
    path = tmp_path / "r.html"
    wald.report(wald.from_sklearn(sklearn, DATA.inputs, DATA.target), path)
    page = html.unescape(path.read_text())
    for part in ("intervals over samples of rows are", "the selection of variables is"):
        assert f"{part} left out: how the forest was grown is not known" in page


def test_the_answer_has_groups_with_their_members(tmp_path):
    generator = np.random.default_rng(0)
    a, c, noise = generator.random((3, 200))
    inputs = np.stack([a, a + 0.02 * generator.random(200), c, noise], axis=1)
    forest = wald.RandomForestRegressor(40).fit(inputs, 2.0 * a + c)
    found = wald.report(forest, tmp_path / "r.html", quick=True)
    answer = found.answer
    first = answer.entries[0]
    assert sorted(member["name"] for member in first["members"]) == ["x0", "x1"]
    joint = forest.importance("sobol_mda", groups={"both": ["x0", "x1"]})
    assert first["share"] == pytest.approx(joint.values[0])
    assert "together" not in str(answer) and "the group (" in str(answer)
    frame = answer.to_pandas()
    assert len(frame) == 5 and frame["group"].notna().sum() == 2
    alone = forest.importance("sobol_first")
    first_order = dict(zip(frame["name"], frame["first_order"]))
    assert {name: first_order[name] for name in alone.feature_names} == dict(
        zip(alone.feature_names, alone.values))
    assert "by itself" in answer._repr_html_()
    assert answer.sentences[0] in html.unescape((tmp_path / "r.html").read_text())
    answer.save(tmp_path / "answer.json")
    assert wald.load(tmp_path / "answer.json").to_dict() == answer.to_dict()
    assert "alone" in answer._repr_html_()


def test_numbers_have_commas_where_they_are_asked_for(forest, tmp_path):
    pages = []
    for mark in (".", ","):
        wald.report(forest, tmp_path / "r.html", quick=True, decimal_mark=mark, command="", force=True)
        pages.append((tmp_path / "r.html").read_text())
    assert re.search(r">\d+\.\d+</td>", pages[0]) and not re.search(r">\d+,\d+</td>", pages[0])
    assert re.search(r">\d+,\d+</td>", pages[1]) and not re.search(r">\d+\.\d+</td>", pages[1])
    with pytest.raises(wald.SettingError, match="decimal_mark is 'comma'; give one of '.', ','"):
        wald.report(forest, tmp_path / "other.html", decimal_mark="comma")


def test_measures_can_be_named(forest, tmp_path):
    found = wald.report(forest, tmp_path / "r.html", measures=["mdi_oob", "split_count"])
    assert list(found) == ["mdi_oob", "split_count"]
    assert found["split_count"].values.sum() > 100
    with pytest.raises(wald.SettingError, match="not a measure"):
        wald.report(forest, tmp_path / "other.html", measures="nonsense")
    with pytest.raises(wald.MeasureError):
        wald.report(forest, tmp_path / "other.html", measures=["mda_train_test"])
    assert not (tmp_path / "other.html").exists()


def test_only_fitted_forests_have_reports(tmp_path):
    for forest, kind in ((wald.RandomForestRegressor(), wald.NotFittedError),
                         (object(), wald.SettingError)):
        with pytest.raises(kind, match="fit"):
            wald.report(forest, tmp_path / "r.html")


def test_what_does_not_apply_is_left_out_with_a_warning(tmp_path):
    whole = wald.ExtraTreesRegressor(20).fit(DATA.inputs, DATA.target)
    with pytest.warns(UserWarning) as warnings:
        found = wald.report(whole, tmp_path / "r.html")
    assert list(found) == ["mdi"]
    messages = [str(warning.message) for warning in warnings]
    assert len(messages) == 2 and all(text.startswith("left out: ") for text in messages)
    assert "mda_breiman_cutler" in messages[0] and "sobol_mda" in messages[1]


def test_files_are_not_replaced_unasked(forest, tmp_path):
    path = tmp_path / "r.html"
    path.write_text("mine")
    with pytest.raises(FileExistsError, match="force=True"):
        wald.report(forest, path)
    with pytest.raises(FileExistsError):
        wald.report(forest, path, progress=lambda *work: pytest.fail("it was measured first"))
    assert path.read_text() == "mine"
    wald.report(forest, path, measures=["mdi"], force=True)
    assert path.read_text().startswith("<!doctype html>")


def test_a_file_that_comes_to_be_meanwhile_stays(forest, tmp_path):
    path = tmp_path / "r.html"
    with pytest.raises(FileExistsError):
        wald.report(forest, path, measures=["mdi"], progress=lambda *work: path.write_text("mine"))
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("r.html", "mine")]


def test_groups_are_measured_together(forest, tmp_path):
    found = wald.report(forest, tmp_path / "r.html", measures=["sobol_mda"],
                        groups={"both": ["x1", "x2"]})
    assert "both" in found["sobol_mda"].feature_names
    assert "both" in (tmp_path / "r.html").read_text()


def test_equal_forests_give_equal_pages(forest, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    again = wald.RandomForestRegressor(20, n_jobs=1).fit(DATA.inputs, DATA.target)
    for name, each in (("a", forest), ("b", again)):
        wald.report(each, tmp_path / name, measures=["mdi"], command="as ever")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert "1970-01-02" in (tmp_path / "a").read_text()


def test_progress_is_reported(forest, tmp_path):
    calls = []
    wald.report(forest, tmp_path / "r.html", progress=lambda *work: calls.append(work))
    assert calls[-1][0] == calls[-1][1] > 0


def odd_table():
    """What the command line notes, too."""
    random = np.random.default_rng(0)
    y = random.normal(size=90).round(3)
    return DATA.inputs[:90].assign(
        name=[f"row {at:02d}" for at in range(90)], same=1.5, twice=2 * y,
        level=random.choice(["a", "A", "b"], 90)), y


def test_what_deserves_a_second_look_is_a_warning(tmp_path):
    X, y = odd_table()
    forest = wald.RandomForestRegressor(20).fit(X.assign(few=np.arange(90) // 5 % 4), y)
    with pytest.warns(UserWarning) as warnings:
        wald.report(forest, tmp_path / "r.html", measures=["mdi"])
    messages = [str(warning.message) for warning in warnings]
    page = tmp_path.joinpath("r.html").read_text()
    for words in ('levels `A` and `a` differ only by case', '"name" has a different value in every '
                  "row, like an identifier; consider leaving it out",
                  '"same" is constant (`1.5`)', '"twice" determines the target "y" exactly',
                  "integers with few different values are treated as numbers: \"few\"; if they stand "
                  "for categories, read them as categories"):
        assert any(words in text for text in messages), (words, messages)
        shown = html.unescape(re.sub("</?code>", "`", page))
        assert words in shown, words
    assert "--exclude" not in page and "--categorical" not in page
    with pytest.warns(UserWarning, match="is `3` in all rows"):
        flat = wald.RandomForestRegressor(2).fit(DATA.inputs, np.full(120, 3.0))
        wald.report(flat, tmp_path / "flat.html", measures=["mdi"])
    with pytest.warns(UserWarning, match="1 class has a single row"):
        classes = wald.RandomForestClassifier(2).fit(DATA.inputs, ["a"] * 119 + ["b"])
        wald.report(classes, tmp_path / "classes.html", measures=["mdi"])


@pytest.mark.skipif("WALD" not in os.environ, reason="WALD names no command")
def test_notes_are_those_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    X, y = odd_table()
    X.assign(y=y).to_csv(tmp_path / "d.csv", index=False)
    words = ["report", "d.csv", "--target", "y", "--trees", "20", "--constant-draws", "search",
             "--output", "r.html"]
    subprocess.run([os.environ["WALD"], *words], cwd=tmp_path, check=True,
                   capture_output=True)
    forest = wald.RandomForestRegressor(20).fit(X, y)
    with pytest.warns(UserWarning):
        wald.report(forest, tmp_path / "p.html", source="d.csv", command=" ".join(["wald", *words]))
    assert (tmp_path / "p.html").read_text() == in_python(tmp_path / "r.html")


def test_settings_go_to_the_measures_that_offer_them(forest, tmp_path):
    found = wald.report(forest, tmp_path / "report.html", quick=True, permutations=5)
    own = forest.importance("mda_breiman_cutler", permutations=5)
    assert found["mda_breiman_cutler"] == own and found["mdi"] == forest.importance("mdi")
    several = wald.uncertainty(forest, ["mdi", "mda_breiman_cutler"], subsamples=2, permutations=5)
    assert several[1].values.tolist() == own.values.tolist()


def test_settings_that_none_of_the_measures_offers_are_refused(forest, tmp_path):
    path = tmp_path / "report.html"
    for call, what, help in [
            (lambda: wald.report(forest, path, samples=9), "samples", "such as `"),
            (lambda: wald.report(forest, path, measures=["mdi", "split_count"], permutations=5),
             "permutations", "such as `mda_breiman_cutler`"),
            (lambda: wald.uncertainty(forest, ["mdi", "split_count"], loss="log"), "loss",
             "such as `")]:
        with pytest.raises(wald.MeasureError, match=f"none of the measures .* `{what}=`") as refusal:
            call()
        assert refusal.value.setting == what and help in refusal.value.help
    with pytest.raises(wald.MeasureError, match="offers `normalise=standard_error`") as refusal:
        wald.report(forest, path, measures=["mdi", "sobol_mda"], normalise="standard_error")
    assert refusal.value.help == "give another value, or leave it out"
    with pytest.raises(wald.MeasureError, match="measure `mdi` does not offer `permutations=`"):
        wald.report(forest, path, measures=["mdi"], permutations=5)
    assert not path.exists()
