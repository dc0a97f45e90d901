"""Forests in files: those that R has written, and wald's own."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import wald

R = Path(__file__).parents[2] / "crates/wald/tests/fixtures/r"


def of_r(name, folder):
    case = json.loads((R / name).read_text())
    path = folder / "forest.json"
    path.write_text(json.dumps(case["forest"]))
    columns = {name: pd.Categorical(values) if isinstance(values[0], str) else values
               for name, values in zip(case["names"], case["columns"])}
    return path, pd.DataFrame(columns), np.array(case["y"]), case


def test_a_forest_of_ranger(tmp_path):
    path, X, y, case = of_r("ranger_classification.json", tmp_path)
    forest = wald.from_ranger(path, X, y)
    assert forest.program == "ranger"
    assert list(forest.feature_names_in_) == case["names"]
    expected = case["expected"]["impurity"]
    found = forest.importance("mdi").values
    assert np.allclose(found / found.sum(), np.array(expected) / np.sum(expected), rtol=1e-6)
    assert np.isfinite(forest.importance("mda_breiman_cutler").values).all()
    assert set(forest.predict(X)) <= set(y)


def test_a_forest_of_randomforest(tmp_path):
    path, X, y, case = of_r("random_forest_regression.json", tmp_path)
    forest = wald.read_forest(path, X, y)
    assert np.allclose(forest.predict(X), case["expected"]["all"], rtol=1e-9)
    # R's TRUE is Python's True.
    assert (wald.read_forest(path, X.assign(Windy=X["Windy"] == "TRUE"), y).predict(X)
            == forest.predict(X)).all()
    with pytest.raises(wald.ForestFileError, match="in-bag rows"):
        wald.read_forest(path, X, y[::-1])


def test_a_forest_that_wald_has_written(tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    own = wald.RandomForestClassifier(10, random_state=3).fit(X, y)
    for name, content in (("a.json", own._forest.to_json()), ("a.wald", own._forest.to_bytes())):
        path = tmp_path / name
        path.write_bytes(content)
        forest = wald.read_forest(path, X, y)
        assert (forest.predict_proba(X) == own.predict_proba(X)).all()
        assert (forest.predict(X) == y).mean() > 0.9
        assert (forest.importance("sobol_mda").values == own.importance("sobol_mda").values).all()
        assert (forest.importance("mdi", test=None).values == own.importance("mdi").values).all()


def test_clusters_are_given_again(tmp_path):
    X, y = load_iris(return_X_y=True)
    clusters = np.arange(len(y)) // 3
    own = wald.RandomForestClassifier(50, random_state=0).fit(X, y, clusters=clusters)
    path = tmp_path / "a.wald"
    path.write_bytes(own._forest.to_bytes())
    expected = own.importance("sobol_mda")
    found = wald.read_forest(path, X, y, clusters=clusters).importance("sobol_mda")
    assert found.notes == expected.notes and not any("cluster" in note for note in found.notes)
    assert (found.values == expected.values).all()
    assert any("cluster" in note for note in wald.read_forest(path, X, y).importance("sobol_mda").notes)


def test_without_rows_a_forest_only_predicts(tmp_path):
    X, y = load_iris(return_X_y=True)
    own = wald.RandomForestClassifier(5).fit(X, y)
    path = tmp_path / "a.wald"
    path.write_bytes(own._forest.to_bytes())
    forest = wald.read_forest(str(path))
    assert (forest.predict_proba(X) == own.predict_proba(X)).all()
    with pytest.raises(wald.DataError, match=r"read_forest\(path, X, y\)"):
        forest.importance("mdi")
    with pytest.raises(wald.DataError, match="belong together"):
        wald.read_forest(path, X)


def test_a_file_without_bags(tmp_path):
    document = {"format": "wald-forest", "version": 1, "task": "regression", "features": ["a", "b"],
                "trees": [{"feature": [0, -1, -1], "threshold": [0.5, 0, 0], "left": [1, -1, -1],
                           "right": [2, -1, -1], "value": [1.2, 0.7, 1.9]}]}
    path = tmp_path / "forest.json"
    path.write_text(json.dumps(document))
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0.7, 1.9])
    forest = wald.read_forest(path, X, y)
    assert (forest.predict(X) == y).all()
    assert list(forest.importance("split_count").values) == [1, 0]
    with pytest.raises(wald.MeasureError, match="does not name the rows"):
        forest.importance("sobol_mda")


@pytest.mark.parametrize(("content", "pattern"), [
    (b"", "neither|not|empty"), (b"wald?", "."), (b"{", "JSON"), (b'{"a": 1}', "forest"),
    (b'{"format": "wald-forest", "version": 1, "trees": 3, "features": 2}', ".")])
def test_files_that_hold_no_forest(tmp_path, content, pattern):
    path = tmp_path / "forest"
    path.write_bytes(content)
    with pytest.raises(wald.ForestFileError, match=pattern):
        wald.read_forest(path, [[1.0]], [1.0])


def test_paths_that_lead_nowhere(tmp_path):
    with pytest.raises(wald.FileError, match="there is no file"):
        wald.read_forest(tmp_path / "none.json")
    with pytest.raises(wald.DataTypeError, match="not a path"):
        wald.read_forest(3)
