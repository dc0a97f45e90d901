"""Bad arguments, files and forests are refused by an error of wald that names what is wrong and how
to fix it."""

import os
import pickle

import numpy as np
import pytest
from bad_input import DAY, FRAME, INF, NAN, X, Y, grower, refused
from sklearn.ensemble import RandomForestRegressor

import wald


ARGUMENTS = {
    "n_estimators": (0, -5, 10**18, 10**30, 2.5, "10", None, True, NAN, [1]),
    "max_features": (0, -1, 10, 1.5, 0.0, "nonsense", NAN, [1], True, 10**30, INF),
    "max_bins": (0, 1, 256, 2.5, "many", NAN, True),
    "max_depth": (0, -1, 2.5, "deep", NAN, True),
    "min_samples_split": (0, 1, -1, "few", NAN, 2.0, True, [1]),
    "min_samples_leaf": (0, -1, "few", NAN, 1.5, None, True),
    "max_samples": (0, -1, "all", NAN, float("inf"), 10**6, 10**400, True, [1]),
    "max_leaf_nodes": (0, 1, -1, 2.5, "few", True),
    "ccp_alpha": (-1, "a", NAN, None, True),
    "monotonic_cst": ([1, 0], 3, {"a": ["b"]}, [[1], 0, 0], [[1], [0], [0]]),
    "oob_score": ("yes", None, 3, lambda y, predicted: None, lambda y, predicted: "good"),
    "verbose": (-1, "loud", None, 2.5),
    "bootstrap": ("yes", None, 3),
    "criterion": ("nonsense", None, 3, ["gini"]),
    "n_jobs": (0, 10**6, 10**30, "all", 2.5, NAN),
    "random_state": (-1, "seed", 2.5, 2**64, NAN, [1], np.random.default_rng(0)),
    "warm_start": ("yes", 3),
    "first_tree": (-1, 10**18, 2.5, "0", None, True, NAN),
}


@pytest.mark.parametrize("name, value", [(name, value) for name, values in ARGUMENTS.items()
                                         for value in values], ids=repr)
def test_arguments_of_estimators(name, value):
    error = refused(lambda: grower(**{name: value}).fit(FRAME, Y), "")
    if not isinstance(error, wald.TooLargeError):
        words = {"n_jobs": "threads"}
        assert name in str(error) or words.get(name, name) in str(error)


@pytest.mark.parametrize("value", ["x", NAN, -1, 2, None, True], ids=repr)
def test_min_criterion(value):
    refused(lambda: wald.ConditionalForestRegressor(3, min_criterion=value).fit(FRAME, Y),
            "min_criterion")


def test_what_is_not_grown_yet(tmp_path):
    new, selector = grower(), wald.RFE(grower())
    for call in (lambda: new.predict(X), lambda: new.importance("mdi"), lambda: new.explain(X),
                 lambda: new.score(X, Y), lambda: new.feature_importances_,
                 lambda: wald.RandomForestClassifier().predict_proba(X),
                 lambda: selector.transform(X), lambda: selector.predict(X),
                 lambda: selector.get_support()):
        with pytest.raises(wald.NotFittedError, match="fit"):
            call()
    refused(lambda: wald.report(new, tmp_path / "report.html"), "fit")


SETTINGS = [
    ("measure", None), ("measure", 3), ("measure", []), ("measure", ["mdi", 3]),
    ("measure", "nonsense"), ("measure", ["mdi", "nonsense"]), ("measure", ["mdi", "mdi"]),
    ("loss", "nonsense"), ("loss", 3), ("permutations", "all"), ("permutations", 0),
    ("permutations", -1), ("permutations", 2.5), ("permutations", 10**30),
    ("groups", {"g": ["nonsense"]}), ("groups", {"g": []}), ("groups", {"g": "a"}),
    ("groups", ["a"]), ("groups", {"g": ["a"], "h": ["a"]}), ("groups", {1: ["a"]}),
    ("groups", 3), ("groups", {"g": None}), ("seed", -1), ("seed", "x"), ("seed", 2**64),
    ("seed", 2.5), ("test", 3), ("test", (FRAME,)), ("test", (FRAME, Y, Y)), ("test", FRAME),
    ("test", (FRAME, Y[:3])), ("test", (FRAME.iloc[:0], Y[:0])), ("progress", 3),
    ("normalise", "nonsense"), ("normalise", 3), ("impurity", "nonsense"), ("conditioning_threshold", "x"),
    ("conditioning_threshold", NAN), ("conditioning_threshold", -1), ("blocks", 0), ("blocks", "x"), ("blocks", -1),
    ("aggregate", "nonsense"), ("aggregate", 2), ("per_class", 1), ("by_degree", "x"), ("second_order", 1),
    ("exclude_self", "x"), ("background", 3), ("background", FRAME[["a"]]),
    ("background_rows", 0), ("background_rows", -1), ("background_rows", "x"),
    ("time_budget", -1), ("time_budget", "x"), ("time_budget", NAN), ("precision", -1),
    ("precision", "x"), ("samples", 0), ("samples", "x"), ("nonsense", 1),
]


@pytest.mark.parametrize("name, value", SETTINGS, ids=lambda value: str(value)[:30])
@pytest.mark.parametrize("measure", ["mda_breiman_cutler", "sage", "tree_shap_interventional"])
@pytest.mark.parametrize("kind", ["own", "foreign"])
def test_settings_of_measures(forests, kind, measure, name, value):
    refused(lambda: forests[kind].importance(**{"measure": measure, name: value}), "")


EXPLAINED = [
    ("measure", "sobol_mda"), ("measure", None), ("variables", "a"), ("variables", ["nonsense"]),
    ("variables", [0]), ("variables", 3), ("out_of_bag", "x"), ("out_of_bag", 1),
    ("background", 3), ("background", FRAME[["a"]]), ("background_rows", 0),
    ("background_rows", "x"), ("seed", "x"), ("seed", -1), ("impurity", "nonsense"),
    ("grid", "x"), ("grid", 0), ("grid", -1), ("grid", 2.5), ("grid", 10**30), ("nonsense", 1),
    ("progress", 3), ("out_of_bag", True),
]


@pytest.mark.parametrize("name, value", EXPLAINED, ids=lambda value: str(value)[:30])
@pytest.mark.parametrize("measure", ["tree_shap", "ice", "tree_shap_interventional", "local_mdi"])
def test_settings_of_local_measures(forests, measure, name, value):
    refused(lambda: forests["own"].explain(FRAME, **{"measure": measure, name: value}), "")


COINS = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": ["n", "y", "y", "n"], "p": [0.25] * 4}

POPULATIONS = {
    "table": (3, None, {}, {"y": [1]}, {"a": [1, 2], "y": [1]}, {"a": [[1], [2]], "y": [1, 2]},
              {"a": [object()], "y": [1]}, {"a": "xyz", "y": [1]}, {"a": 3, "y": 3}, X,
              {**COINS, "p": [-1, 1, 1, 1]}, {**COINS, "p": [0] * 4}, {**COINS, "p": [NAN] * 4},
              {**COINS, "p": [INF] * 4}, {**COINS, "p": list("abcd")}, {**COINS, "p": [1]},
              {**COINS, "y": [NAN, 1, 2, 3]}, {**COINS, "y": [None, "a", "b", "c"]},
              {**COINS, "a": [DAY] * 4}, {**COINS, "a": [2**60] * 4}),
    "target": ("nonsense", None, 3, ["y"], "p"),
    "probability": ("nonsense", 3, "y", ["p"]),
    "mtry": (0, -1, 3, "x", [], [0], 2.5, None, True, [1, "x"], 10**30),
    "depth": (0, -1, 3, "x", 2.5, NAN, True),
    "subspace": (0, -1, 5, "x", 2.5),
    "impurity": ("nonsense", 3, "variance"),
    "local": ("x", 1),
    "samples": (0, -1, "x", 2.5, 10**30),
    "groups": ({"g": ["x"]}, 3, {"g": []}, {"g": "ab"}, {"g": ["y"]}),
    "seed": (-1, "x", 2.5, 2**64),
    "limit": (0, -1, "x", NAN),
    "n_jobs": (0, "x", 2.5, 10**6),
    "progress": (3,),
}


@pytest.mark.parametrize("name, value", [(name, value) for name, values in POPULATIONS.items()
                                         for value in values], ids=lambda value: str(value)[:40])
def test_population(name, value):
    asked = {"table": COINS, "target": "y", "probability": "p", name: value}
    if asked["probability"] == asked["target"] == "p":
        # Probabilities may be the target of a table without any.
        asked["table"] = {**COINS, "p": list("abcd")}
    refused(lambda: wald.population(**asked), "")


def test_a_population_too_large_to_list():
    table = {**{f"x{at}": [0, 1] for at in range(40)}, "y": [0, 1]}
    with pytest.raises(wald.TooLargeError):
        wald.population(table, target="y")


@pytest.mark.parametrize("name, value", [
    ("forest", 3), ("forest", None), ("path", 3), ("path", None), ("path", "a\0b"),
    ("path", "no such folder/report.html"), ("path", "."), ("measures", 3), ("measures", [3]),
    ("measures", ["nonsense"]), ("test", 3), ("source", 3), ("command", 3), ("groups", 3),
    ("nonsense", 3), ("permutations", "x"), ("progress", 3)], ids=repr)
def test_report(forests, tmp_path, monkeypatch, name, value):
    monkeypatch.chdir(tmp_path)
    asked = {"forest": forests["own"], "path": "report.html", name: value}
    refused(lambda: wald.report(**asked), "")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no such device")
def test_devices_are_no_files(forests):
    """Replacing one by a file would break the machine, and reading one may never end."""
    refused(lambda: wald.report(forests["own"], "/dev/full", force=True), "device")
    refused(lambda: wald.load("/dev/zero"), "device")
    refused(lambda: wald.read_forest("/dev/zero"), "device")


SELECTIONS = {
    "estimator": (3, None, RandomForestRegressor(), wald.RandomForestRegressor),
    "measure": ("nonsense", 3, None, "mda_train_test"),
    "n_features_to_select": (0, 10, "x", None, 0.5, True),
    "folds": (0, 1, 41, "x", 2.5, None),
    "repeats": (0, "x", -1),
    "step": (0, -1, 1.0, 2.5, "x", None, True, NAN),
    "min_features_to_select": (0, 4, "x"),
    "loss": ("x", 3, "auc", "log"),
    "settings": (3, {"x": 1}, {1: 2}, ["a"]),
    "progress": (3,),
}


@pytest.mark.parametrize("name, value", [(name, value) for name, values in SELECTIONS.items()
                                         for value in values], ids=lambda value: str(value)[:40])
def test_selection(name, value):
    asked = {"estimator": grower(), "folds": 2, name: value}
    refused(lambda: wald.RFE(**asked).fit(FRAME, Y), "")


def test_rows_for_a_selector():
    selector = wald.RFE(grower(), folds=2, step=2).fit(FRAME, Y)
    for table in (None, FRAME[["a"]], X[:, :1], "data.csv"):
        refused(lambda: selector.transform(table), "")
        refused(lambda: selector.predict(table), "")
    refused(lambda: selector.score(FRAME, Y[:3]), "samples")
    refused(lambda: selector.selection_.kept(99), "n_variables")


@pytest.mark.parametrize("name, value", [
    ("estimator", 3), ("estimator", None), ("measure", "nonsense"), ("measure", 3), ("mtry", [0]),
    ("mtry", [4]), ("mtry", 3), ("mtry", "all"), ("mtry", []), ("mtry", ["x"]), ("mtry", [1.5]),
    ("mtry", [-1]), ("nonsense", 1), ("progress", 3)], ids=str)
def test_masking(name, value):
    asked = {"estimator": grower(), "X": FRAME, "y": Y, name: value}
    refused(lambda: wald.masking(**asked), "")


@pytest.mark.parametrize("name, value", [
    ("estimator", 3), ("estimator", None), ("method", "nonsense"), ("method", 3), ("draws", 0),
    ("draws", 1.5), ("folds", 1), ("folds", "x"), ("folds", 10_000), ("confidence", 1.0),
    ("confidence", "x"), ("multiple_testing", "nonsense"), ("groups", {"g": ["nobody"]}),
    ("progress", 3)], ids=str)
def test_conditional(name, value):
    asked = {"estimator": grower(), "X": FRAME, "y": Y, name: value}
    refused(lambda: wald.conditional_test(**asked), "")


@pytest.mark.parametrize("name, value", [
    ("forest", 3), ("forest", grower()), ("intersection_trees", 0), ("intersection_trees", 10**9),
    ("depth", 0), ("depth", 60), ("depth", "x"), ("children", 0), ("min_size", 0), ("min_size", 99),
    ("min_prevalence", -1), ("min_prevalence", NAN), ("min_prevalence", "x"), ("cut", "x"),
    ("cut", INF), ("cut", 1e9), ("resamples", -1), ("resamples", 2.5), ("groups", {"g": ["nobody"]}),
    ("seed", -1), ("progress", 3)], ids=str)
def test_interactions(name, value):
    asked = {"forest": grower().fit(FRAME, Y), "resamples": 0, name: value}
    refused(lambda: wald.interactions(**asked), "")


@pytest.mark.parametrize("name, value", [
    ("first", 3), ("second", grower()), ("measure", "nonsense"), ("measure", []),
    ("measure", "mda_train_test"), ("confidence", 1.0), ("confidence", "x"), ("subsamples", 1),
    ("subsamples", 2.5), ("subsample_fraction", 1.5), ("subsample_trees", 0),
    ("multiple_testing", "bonferroni"), ("groups", {"one": ["x"]}), ("nonsense", 1),
    ("progress", 3)], ids=str)
def test_compare(name, value):
    forest = grower().fit(FRAME, Y)
    asked = {"first": forest, "second": forest, "subsamples": 2, name: value}
    refused(lambda: wald.compare(**asked), "")


@pytest.mark.parametrize("name, value", [
    ("forest", 3), ("forest", grower()), ("forest", wald.RandomForestRegressor),
    ("measure", "nonsense"), ("measure", 3), ("measure", []), ("measure", ["mdi", 3]),
    ("measure", "mda_train_test"), ("confidence", 1.0), ("confidence", "x"),
    ("variance", "nonsense"), ("variance", 3), ("variance", "jackknife"), ("subsamples", 1), ("subsamples", 2.5),
    ("subsample_fraction", 1.5), ("subsample_fraction", 0.01), ("subsample_trees", 0),
    ("null_distribution", "nonsense"), ("null_distribution", 3), ("null_forests", 0),
    ("null_forests", 10**12), ("multiple_testing", "bonferroni"),
    ("multiple_testing", None), ("groups", {"one": ["x"]}), ("background", FRAME), ("nonsense", 1),
    ("progress", 3)], ids=str)
def test_uncertainty(name, value):
    asked = {"forest": grower().fit(FRAME, Y), "subsamples": 2, name: value}
    refused(lambda: wald.uncertainty(**asked), "")


def test_uncertainty_of_what_does_not_fit():
    forest = grower().fit(FRAME, Y)
    refused(lambda: wald.uncertainty(forest, null_distribution="mirrored", null_forests=3), "one forest")
    refused(lambda: wald.uncertainty(forest, null_distribution="shadow", null_forests=2), "null_forests is 2")
    refused(lambda: wald.uncertainty(forest, "mdi", variance="jackknife", subsamples=3), "jackknife")
    clustered = grower().fit(FRAME, Y, clusters=np.arange(len(Y)) // 2)
    refused(lambda: wald.uncertainty(clustered, subsamples=2, null_distribution="shadow"), "clusters")


@pytest.mark.parametrize("name, value", [
    ("design", "nonsense"), ("design", 3), ("rows", 0), ("rows", -1), ("rows", "x"), ("rows", 2.5),
    ("rows", 10**18), ("seed", -1), ("seed", "x"), ("seed", 2**64)], ids=str)
def test_simulation(name, value):
    refused(lambda: wald.simulate(**{"design": "friedman_1", "rows": 10, name: value}), "")


@pytest.mark.parametrize("table", [
    {"a": [1], "b": [1, 2]}, {"a": [object(), 1]}, {}, {"a": 1}, {"a": [1, INF]},
    {"a": [2**60, 2**70]}, {"a": [DAY] * 2}, np.zeros((3, 2001))],
    ids=lambda value: str(value)[:30])
def test_dependence(table):
    refused(lambda: wald.dependence(table), "")


@pytest.mark.parametrize("key", ["nonsense", ("explain", "nonsense"), (1, 2, 3)], ids=str)
def test_names_of_measures(key):
    error = refused(lambda: wald.measures()[key], "measure")
    assert isinstance(error, KeyError)


CONTENTS = [
    b"", b"hello", b"{}", b"[]", b"3", b"null", b"\0" * 100, b'{"format":NaN}', b"[" * 100_000,
    b"WALD" + b"\0" * 50, '{"a":1}'.encode("utf-16"), b"\x1f\x8b\x08abc", b"PK\x03\x04",
    b'{"format":"wald-forest","version":1}',
    b'{"format":"wald-forest","version":1,"features":[],"trees":[]}',
    b'{"format":"wald-forest","version":1,"features":3,"trees":{}}',
    b'{"format":"wald-forest","version":1,"features":["a"],"classes":5,"trees":[{}]}',
    b'{"format":"wald-forest","version":1,"features":["a"],"classes":null,"trees":[1]}',
    b'{"format":"wald-forest","version":1,"features":["a"],"feature_levels":5,"trees":[{}]}',
]


@pytest.mark.parametrize("content", CONTENTS, ids=lambda content: str(content[:50]))
def test_files(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    for call in (lambda: wald.read_forest(path), lambda: wald.read_forest(path, FRAME, Y),
                 lambda: wald.load(path), lambda: wald.from_ranger(path, FRAME, Y)):
        refused(call, "")


@pytest.mark.parametrize("path", ["no such file", ".", 3, None, "a\0b", b"bytes"], ids=repr)
def test_paths(path):
    for call in (lambda: wald.read_forest(path), lambda: wald.load(path),
                 lambda: wald.from_ranger(path, FRAME, Y)):
        refused(call, "")
    if path != "no such file":
        refused(lambda: wald.dependence(FRAME).save(path), "")


@pytest.mark.parametrize("function", [
    wald.from_sklearn, wald.from_lightgbm, wald.from_xgboost, wald.from_ydf],
    ids=lambda function: function.__name__)
@pytest.mark.parametrize("fitted", [3, None, "x", {}, X, RandomForestRegressor(), grower()],
                         ids=str)
def test_what_is_no_forest(function, fitted):
    refused(lambda: function(fitted, FRAME, Y), "")


def test_other_rows_than_those_of_the_fit(forests):
    fitted = forests["sklearn"]
    for table, target in ((FRAME, Y[::-1]), (FRAME[:20], Y[:20]), (None, None),
                          (FRAME.rename(columns={"a": "z"}), Y)):
        refused(lambda: wald.from_sklearn(fitted, table, target), "")


def test_results(forests):
    importance, local = forests["own"].importance("mdi"), forests["own"].explain(FRAME)
    classes, curves = forests["classes"].explain(FRAME), forests["own"].explain(FRAME, "ice")
    known = wald.population(COINS, target="y", probability="p")
    for call in (
            lambda: importance.plot("pie"), lambda: importance.plot("degrees"),
            lambda: importance.plot(max_variables="x"), lambda: importance.plot(max_variables=0),
            lambda: importance.plot(ax=3), lambda: importance.plot(against=3),
            lambda: local.plot("pie"), lambda: local.plot("waterfall", row=99),
            lambda: local.plot("waterfall", row="x"), lambda: local.plot("waterfall", row=-1),
            lambda: local.plot("scatter", variable="z"), lambda: local.plot("scatter"),
            lambda: classes.plot(target="z"), lambda: classes.of_class("z"),
            lambda: curves.of("z"), lambda: curves.plot("z"), lambda: known.plot("pie"),
            lambda: known.plot("mtry"), lambda: wald.plot_ranks(3, importance),
            lambda: wald.plot_ranks(importance, 3), lambda: wald.ImportanceDisplay(3),
            lambda: wald.LocalDisplay(3), lambda: wald.dependence(FRAME).plot(max_variables="x"),
            lambda: forests["own"].explain(FRAME, "tree_shap_interactions").plot(),
            lambda: wald.Importance(measure="m", values=[1], feature_names=["a"]),
            lambda: wald.LocalImportance(measure="m", values=[1], feature_names=["a"]),
            lambda: wald.Curves(measure="m", feature_names=["a"], grids=3, values=[])):
        refused(call, "")


def test_refusals_name_settings_as_python_does():
    """The command line names the same setting ``--background-rows``."""
    forest = grower().fit(FRAME, Y)
    with pytest.raises(wald.SettingError) as refusal:
        forest.importance("sage", background=FRAME, background_rows=5)
    assert "`background_rows=`" in refusal.value.help and "--" not in str(refusal.value)
    assert pickle.loads(pickle.dumps(refusal.value)).setting == refusal.value.setting


def test_help_names_arguments():
    with pytest.raises(wald.MeasureError) as refusal:
        wald.ExtraTreesRegressor(3).fit(X, Y).importance("sobol_mda")
    assert refusal.value.help == "grow the forest with `bootstrap=True`, or use mdi"
    with pytest.raises(wald.MeasureError, match="does not offer `impurity=`"):
        grower().fit(X, Y).explain(X, "ice", impurity="variance")


def test_local_measures_list_their_options():
    assert wald.measures()["explain", "ice"]["options"] == ["variables", "out_of_bag", "grid"]
    assert "test" in wald.measures()["sage"]["options"]


def test_refusals_of_values_name_the_argument(forests):
    own = forests["own"]
    for call, name in [
            (lambda: wald.uncertainty(own, subsamples="x"), "subsamples"),
            *((lambda of=of: wald.uncertainty(own, **{of: "x"}), of) for of in ("variance", "multiple_testing")),
            (lambda: own.importance("mdi", seed="x"), "seed"),
            *((lambda given=given: own.importance("mdi", groups=given), "groups") for given in (3, {"g": [3]})),
            (lambda: own.explain(FRAME, "ice", variables=[3]), "variables"),
            *((lambda name=name, value=value: wald.population(COINS, target="y", **{name: value}), name)
              for name, value in [("mtry", 99), ("depth", 99), ("limit", -1.0)]),
            (lambda: wald.simulate("x"), "design"), (lambda: wald.simulate("x", rows=0), "rows"),
            (lambda: wald.advise(own, seed="x"), "seed"),
            (lambda: wald.report(own, measures=[3]), "measures"),
            *((lambda name=name, value=value: wald.RandomForestRegressor(**{name: value}).fit(FRAME, Y), name)
              for name, value in [("n_estimators", 0), ("max_features", "x")]),
            *((lambda name=name, value=value: wald.dependence(FRAME, **{name: value}), name)
              for name, value in [("n_jobs", 0), ("progress", 3)])]:
        with pytest.raises(wald.SettingError) as refusal:
            call()
        assert refusal.value.setting == name, refusal.value
