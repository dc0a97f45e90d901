"""Caveats of a result are printed below it, in terminals and in notebooks."""

from html import unescape

import numpy as np
import pandas as pd
import pytest

import wald

NOTES = ["a first caveat, which is long enough that a line of eighty-eight letters does not hold all of it",
         "a second caveat"]
NAMES = ["a", "b"]
ONES, PAIRS = np.ones(2), np.ones((2, 2))
TESTED = {"feature_names": NAMES, "standard_errors": ONES, "confidence": 0.9, "intervals": PAIRS,
          "p_values": ONES, "adjusted_p_values": ONES, "adjustment": "holm", "notes": NOTES}


def importance(measure, notes):
    return wald.Importance(measure=measure, values=ONES, feature_names=NAMES, notes=notes)


RESULTS = [
    importance("m", NOTES),
    wald.ImportanceTable(importances=[importance("m", NOTES)]),
    wald.LocalImportance(measure="m", values=PAIRS, feature_names=NAMES, notes=NOTES),
    wald.LocalImportance(measure="m", values=np.ones((2, 2, 2)), feature_names=NAMES, notes=NOTES),
    wald.Comparison(measure="m", unit="", first=ONES, second=ONES, differences=ONES, is_paired=True,
                    **TESTED),
    wald.ConditionalTest(measure="loco", values=ONES, explained_variance=0.5, **TESTED),
    wald.Uncertainty(measure="m", feature_names=NAMES, values=ONES, sampling_errors=ONES,
                     standard_errors=ONES, confidence=0.9, intervals=PAIRS,
                     simultaneous_intervals=PAIRS, notes=NOTES),
]


@pytest.mark.parametrize("found", RESULTS, ids=lambda found: type(found).__name__)
def test_notes_are_printed_a_line_for_each(found):
    lines = repr(found).splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("note: "))
    assert max(map(len, lines)) <= 88
    assert " ".join(line.strip() for line in lines[first:]) == " ".join(
        f"note: {note}" for note in NOTES)
    assert lines[-1] == f"note: {NOTES[1]}"
    shown = unescape(found._repr_html_())
    assert all(shown.count(f">note: {note}<") == 1 for note in NOTES)


def test_equal_notes_of_a_table_are_printed_once():
    """With the measures they are on, unless these are all."""
    table = wald.ImportanceTable(importances=[
        importance("one", ["of all", "of two"]), importance("two", ["of two", "of all"]),
        importance("three", ["of all", "of one"])])
    expected = ["note: of all", "note: one, two: of two", "note: three: of one"]
    assert repr(table).splitlines()[-3:] == expected
    shown = unescape(table._repr_html_())
    assert all(shown.count(f">{note}<") == 1 for note in expected)


def test_results_without_notes_have_no_such_line():
    assert "note" not in repr(importance("m", []))
    assert "note:" not in importance("m", [])._repr_html_()


def test_levels_that_training_rows_do_not_have_are_noted():
    """Also where the type of the column lists them, but no row of training has them."""
    dtype = pd.CategoricalDtype(["k", "l", "m", "n", "o"])
    X = pd.DataFrame({"x": np.arange(40.0), "g": pd.Series(["k", "l"] * 20, dtype=dtype)})
    forest = wald.RandomForestRegressor(5, n_jobs=1).fit(X, X["x"].to_numpy())
    new = X.iloc[:5].assign(g=pd.Series(["k", "n", None, "n", "m"], dtype=dtype))
    expected = ['column "g" has levels in 3 rows that the training data do not have: "m", "n"; they '
                "go where most training rows of a split went"]
    assert forest.explain(new).notes == expected
    assert forest.explain(new.astype({"g": object})).notes == expected
    assert forest.explain(X).notes == forest.explain().notes == []


def test_explanations_note_case_weights_that_depend_on_the_target():
    random = np.random.default_rng(2)
    X = random.normal(size=(300, 3))
    y = X[:, 0] + random.normal(size=300)
    forest = wald.RandomForestRegressor(20, n_jobs=1).fit(X, y, sample_weight=np.exp(y))
    for measure in ("tree_shap", "ice", "pdp", "ale"):
        (note,) = forest.explain(X[:5], measure).notes
        assert note.startswith("case weights depend on the target")
    forest.fit(X, y)
    assert forest.explain(X[:5]).notes == forest.explain(X[:5], "ice").notes == []


def test_curves_print_their_notes_and_keep_them(tmp_path):
    curves = wald.Curves(measure="ice", feature_names=["x"], grids=[np.array([0.0])],
                         values=[np.ones((1, 1))], notes=NOTES)
    head, *lines = repr(curves).splitlines()
    assert head == "Curves(ice, 1 rows, x)"
    assert " ".join(line.strip() for line in lines) == " ".join(f"note: {note}" for note in NOTES)
    curves.save(tmp_path / "curves.json")
    assert wald.load(tmp_path / "curves.json") == curves


def test_fewer_background_rows_than_were_wanted_are_noted():
    X = np.random.default_rng(3).normal(size=(40, 3))
    forest = wald.RandomForestRegressor(5, n_jobs=1).fit(X, X[:, 0])
    note = ("the table has 40 rows, fewer than the 100 background rows that were wanted: only so "
            "many are taken")
    for number, notes in ((100, [note]), (40, [])):
        found = forest.explain(X[:2], "tree_shap_interventional", background_rows=number)
        assert found.notes == notes
        of_all = forest.importance("tree_shap_interventional", background_rows=number)
        assert of_all.notes == notes


def test_targets_of_other_scales_and_rare_levels_are_noted():
    random = np.random.default_rng(4)
    X = random.normal(size=(60, 2))
    forest = wald.RandomForestRegressor(5, n_jobs=1).fit(X, X * [20, 1])
    (note,) = forest.importance("mdi").notes
    assert note.startswith("the standard deviation of the target \"y0\" is ")
    assert forest.fit(X, X).importance("mdi").notes == []
    frame = pd.DataFrame({"x": X[:, 0], "name": [f"n{row}" for row in range(60)]})
    forest = wald.RandomForestRegressor(5, n_jobs=1).fit(frame, X[:, 0])
    for found in (forest.importance("mdi"), forest.explain(frame[:2])):
        (note,) = found.notes
        assert note.startswith('levels of fewer than 3 rows of "name" (100 % of the rows) are kept')
