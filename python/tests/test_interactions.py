"""Sets of variables that a forest splits on together."""

import json
import os
import subprocess

import numpy as np
import pandas as pd
import pytest

import wald

RNG = np.random.default_rng(4)
X = pd.DataFrame(RNG.uniform(size=(200, 5)), columns=list("abcde"))
X["kind"] = pd.Categorical(RNG.choice(["u", "v", "w"], size=200))
BOTH = (X["a"] > 0.5) & (X["b"] < 0.5)


def classifier(**settings):
    return wald.RandomForestClassifier(60, random_state=2, **settings).fit(X, BOTH)


def test_the_interaction_of_two_variables_is_found_with_its_signs():
    found = wald.interactions(classifier(), resamples=8, seed=3)
    at = found.classes.index("True")
    assert found.sets[at] == ["a+", "b-"]
    assert found.stability[at] >= 0.8 and found.precision[at] > 0.8 > found.precision_without[at]
    assert found.cut is None and found.is_out_of_bag
    difference = found.prevalence - found.prevalence_elsewhere
    assert (np.diff(difference) <= 0).all() and difference[at] > 0.5
    # Levels have no sign.
    alone = wald.interactions(classifier(), resamples=0, min_size=1, depth=2).sets
    assert ["kind"] in alone and ["a+"] in alone
    assert found.to_pandas()["interaction"][at] == "a+ & b-"
    assert found.notes == [
        "sets of variables that each have an effect of their own come first, also where effects add up; "
        "whether effects interact is shown by `explain(measure=\"friedman_h\")` and by `wald.advise`, which "
        "tests additivity"]
    assert "\nnote: sets of variables" in repr(found) and "note: sets" in found._repr_html_()
    assert wald.interactions(classifier(), resamples=0, min_prevalence=1.0, depth=20).notes == []


def test_settings_select_and_join_sets():
    forest = classifier()
    usual = wald.interactions(forest, resamples=0)
    assert usual.stability is None and min(map(len, usual.sets)) == 2
    frequent = wald.interactions(forest, resamples=0, min_prevalence=0.4)
    assert 0 < len(frequent.sets) < len(usual.sets) and (frequent.prevalence >= 0.4).all()
    large = wald.interactions(forest, resamples=0, min_size=3, depth=3)
    assert min(map(len, large.sets)) == 3
    joined = wald.interactions(forest, resamples=0, groups={"ab": ["a", "b"]}, min_size=1)
    names = {name for one in joined.sets for name in one}
    assert "ab" in names and not names & {"a+", "a-", "b+", "b-"}
    # Other random paths find other rare sets; the same seed the same.
    rare = [wald.interactions(forest, intersection_trees=20, depth=3, resamples=0, seed=seed)
            for seed in (1, 1, 2)]
    assert rare[0] == rare[1] != rare[2]


def test_a_numeric_target_is_divided_by_the_cut():
    forest = wald.RandomForestRegressor(30, random_state=1).fit(X, X["a"] + X["b"])
    found = wald.interactions(forest, cut=1.25, resamples=0)
    assert found.cut == 1.25 and set(found.classes) == {"<= 1.25", "> 1.25"}
    assert found.sets[found.classes.index("> 1.25")] == ["a+", "b+"]
    usual = wald.interactions(forest, resamples=0)
    assert usual.cut == pytest.approx(np.median(X["a"] + X["b"]))


@pytest.mark.skipif("WALD" not in os.environ, reason="the command line is not there")
@pytest.mark.parametrize("options", [{}, {"cut": 1.25, "groups": {"ab": ["a", "b"]}}], ids=str)
def test_numbers_are_those_of_the_command_line(options, tmp_path):
    y = X["a"] + X["b"] if options else BOTH.map({True: "yes", False: "no"})
    grower = wald.RandomForestRegressor if options else wald.RandomForestClassifier
    forest = grower(30, max_features=2, random_state=7).fit(X, y)
    found = wald.interactions(
        forest, intersection_trees=60, depth=4, children=3, min_prevalence=0.05, resamples=4, seed=7,
        **options)
    table, out = tmp_path / "table.csv", tmp_path / "found.json"
    X.assign(y=y).to_csv(table, index=False)
    words = ["--trees", "30", "--mtry", "2", "--intersection-trees", "60", "--depth", "4", "--children", "3",
             "--min-prevalence", "0.05", "--resamples", "4", "--seed", "7"]
    words += ["--cut", "1.25", "--group", "ab=a,b"] if options else []
    run = [os.environ["WALD"], "interactions", table, "--target", "y", *words,
           "--format", "json", "--output", out]
    subprocess.run(run, check=True, capture_output=True)
    document = json.loads(out.read_text())
    sets = document["interactions"]
    assert len(sets) > 3 and document["cut"] == found.cut
    assert [one["class"] for one in sets] == found.classes
    signed = [[one["variable"] + one["sign"] for one in names["variables"]] for names in sets]
    assert signed == found.sets
    for name in ("prevalence", "prevalence_elsewhere", "precision", "precision_without", "stability"):
        theirs = [np.nan if one[name] is None else one[name] for one in sets]
        assert np.array_equal(getattr(found, name), theirs, equal_nan=True), name


def test_forests_of_unknown_settings_are_searched_once():
    sklearn = pytest.importorskip("sklearn.ensemble")
    numbers = X.drop(columns="kind")
    # The settings of forests of other programs are not known.
    grown = sklearn.RandomForestClassifier(40, max_leaf_nodes=30, random_state=0).fit(numbers, BOTH)
    forest = wald.from_sklearn(grown, numbers, BOTH)
    found = wald.interactions(forest, resamples=0, min_prevalence=0.3)
    assert ["a+", "b-"] in found.sets
    with pytest.raises(wald.SettingError, match="cannot be grown"):
        wald.interactions(forest)
