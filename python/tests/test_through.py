"""Importances of black boxes of every kind."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from bad_input import INF, NAN, refused
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import wald

X = np.random.default_rng(3).uniform(-1, 1, (1500, 3))
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])
FEW = wald.RandomForestRegressor(30)


def polynomial(x):
    return x[:, 0] + x[:, 1] ** 2 + x[:, 0] * x[:, 1]


def through(predict=polynomial, inputs=X, **settings):
    return wald.through(predict, inputs, **{"estimator": FEW, **settings})


class Metamodel:
    """A function as OpenTURNS has them: of samples, with numbers of inputs and outputs."""

    def __init__(self, f=polynomial):
        self.f = f

    def getInputDimension(self):
        return 3

    def __call__(self, sample):
        assert type(sample) is np.ndarray and sample.dtype == np.float64
        return self.f(sample)[:, np.newaxis].tolist()


class Result:
    """A result of OpenTURNS, which holds its metamodel."""

    def getMetaModel(self):
        return Metamodel()


def test_values_are_those_of_the_closed_form():
    # Trees grown to their ends overestimate indices of inputs that interact.
    found = through(estimator=wald.RandomForestRegressor(30, min_samples_split=20))
    parts = np.array([1 / 3 + 1 / 9, 4 / 45 + 1 / 9, 0]) / (1 / 3 + 4 / 45 + 1 / 9)
    assert np.abs(found.values - parts).max() < 0.06
    assert found.explained > 0.95 and found.n_evaluations == 1500
    assert found.standard_errors.shape == (3,)


def test_it_is_the_forest_of_the_outputs():
    forest = wald.RandomForestRegressor(30, max_features=None, oob_score=True).fit(X, polynomial(X))
    expected = forest.importance("sobol_mda")
    found = through()
    assert (found.values == expected.values).all()
    assert (found.standard_errors == expected.standard_errors).all()
    np.testing.assert_allclose(found.explained, forest.oob_score_, rtol=1e-12)
    assert through(n_jobs=1) == through(n_jobs=2) == found != through(seed=1)
    two = wald.RandomForestRegressor(30, max_features=2)
    expected = two.fit(X, polynomial(X)).importance("mdi").values
    assert (through(estimator=two, measure="mdi").values == expected).all()


def test_black_boxes_of_every_kind():
    expected = through()
    linear = make_pipeline(StandardScaler(), LinearRegression()).fit(X, X[:, 0] - 2 * X[:, 2])
    of_linear = through(linear)
    assert of_linear.ranking().tolist()[0] == 2
    assert through(linear.predict) == of_linear
    for box in (Metamodel(), Result(), lambda x: polynomial(x).tolist(),
                lambda x: polynomial(x)[:, np.newaxis], lambda x: pd.Series(polynomial(x)[::1]),
                lambda x: pl.Series(polynomial(x)), lambda x: pa.array(polynomial(x)),
                lambda x: np.ma.masked_array(polynomial(x))):
        assert through(box) == expected
    boosted = GradientBoostingRegressor(n_estimators=20).fit(FRAME, polynomial(X))
    with warnings.catch_warnings():
        # A model that was fitted on names warns where it receives none.
        warnings.simplefilter("error", UserWarning)
        assert through(boosted, FRAME).feature_names == ["a", "b", "c"]


def test_boosters_of_xgboost():
    xgboost = pytest.importorskip("xgboost")
    model = xgboost.XGBRegressor(n_estimators=20, n_jobs=1).fit(X, polynomial(X))
    assert (through(model).values == through(model.get_booster()).values).all()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.from_pandas, pa.table, np.asarray])
def test_tables_keep_their_kind(kind):
    inputs = kind(FRAME)
    seen = []

    def box(table):
        seen.append(table)
        first = table[:, 0] if isinstance(table, np.ndarray) else table["a"]
        return np.asarray(first) ** 3

    found = through(box, inputs, rows=300)
    assert type(seen[0]) is type(inputs) and len(seen) == 1 and len(seen[0]) == 300
    assert found.n_evaluations == 300
    assert (found.values == through(lambda x: x[:, 0] ** 3, X, rows=300).values).all()
    assert len(np.unique(np.asarray(seen[0])[:, 0])) == 300


def test_levels_groups_and_measures():
    mixed = FRAME.assign(kind=np.array(["p", "q"])[np.arange(1500) % 2])
    found = through(lambda table: table["a"] + 3 * (table["kind"] == "q"), mixed)
    assert found.feature_names[found.ranking()[0]] == "kind"
    refused(lambda: through(Metamodel(), mixed), "column 'kind' holds texts")
    both = through(measure=["mdi", "sobol_mda"], groups={"u": ["x0", "x1"]})
    assert [one.feature_names for one in both] == [["u", "x2"]] * 2
    assert both[1] == through(groups={"u": ["x0", "x1"]})


def test_a_forest_that_explains_little_is_warned_of():
    with pytest.warns(UserWarning, match="describe the forest more than the black box"):
        found = through(lambda x: np.sin(40 * x[:, 0]) + np.sin(40 * x[:, 1]), rows=200)
    assert found.explained < 0.9
    for shown in (repr(found), found._repr_html_()):
        assert "% of the variance of 200 outputs of the black box" in shown
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        all_rows = through(estimator=wald.ExtraTreesRegressor(5), measure="mdi")
    assert all_rows.explained is None and "an unknown share" in repr(all_rows)


def test_results_are_saved(tmp_path):
    found = through()
    found.save(tmp_path / "found.json")
    again = wald.load(tmp_path / "found.json")
    assert type(again) is wald.BlackBoxImportance and again == found
    assert repr(again) == repr(found) and again.explained == found.explained
    assert isinstance(found.plot(), wald.ImportanceDisplay)


def at(row, value):
    def box(x):
        y = polynomial(x)
        y[row:row + 3] = value
        return y
    return box


@pytest.mark.parametrize("box, part", [
    (None, "predict"), (3, "predict, a int, is 3"), ("sin", "predict"), (X, "predict"),
    (LinearRegression, "the class LinearRegression"),
    (lambda x: None, "returned None"), (lambda x: 2.5, "shape ()"), (lambda x: x, "(1500, 3)"),
    (lambda x: x[:9, 0], "(9,)"), (lambda x: "text", "no array of numbers"),
    (lambda x: ["a"] * 1500, "no array of numbers"), (lambda x: x[:, 0] + 1j, "complex"),
    (lambda x: [[1.0], [2.0, 3.0]], "no array of numbers"),
    (lambda x: np.full(1500, 2.5), "2.5 for all 1500 rows"),
    (at(16, NAN), "nan for row 17, and no finite number for 3 of 1500 rows"),
    (at(0, -INF), "-inf for row 1, and no finite number for 3"),
], ids=str)
def test_bad_black_boxes(box, part):
    refused(lambda: through(box), part)


def test_classifiers_are_refused():
    model = RandomForestClassifier(3).fit(X[:90], X[:90, 0] > 0)
    error = refused(lambda: through(model), "classifier")
    assert "predict_proba" in error.help and error.setting == "predict"


@pytest.mark.parametrize("settings, part", [
    ({"inputs": None}, ""), ({"inputs": 3}, ""), ({"inputs": X[:, 0]}, ""), ({"inputs": []}, ""),
    ({"inputs": [[1.0], [2.0, 3.0]]}, ""), ({"inputs": {"a": [1.0]}}, ""),
    ({"inputs": np.full((9, 2), INF)}, ""), ({"inputs": iter(X)}, ""),
    ({"rows": 0}, "rows is 0"), ({"rows": 2.5}, "rows is 2.5"), ({"seed": -1}, "seed is -1"),
    ({"n_jobs": 0}, "n_jobs is 0"), ({"measure": "sobol"}, "sobol"), ({"measure": []}, "empty"),
    ({"nonsense": 1}, "through() has no argument 'nonsense'"), ({"loss": "cubic"}, "loss"),
    ({"test": (X, X[:, 0])}, "test is given"), ({"groups": {"a": ["z"]}}, "z"),
    ({"estimator": wald.RandomForestClassifier()}, "RandomForestClassifier is not a regressor"),
    ({"estimator": wald.ExtraTreesRegressor(5)}, ""),
    ({"estimator": wald.RandomForestRegressor(0)}, "n_estimators is 0"),
], ids=str)
def test_bad_settings_are_found_before_the_black_box_runs(settings, part):
    def box(x):
        pytest.fail("it was evaluated")

    refused(lambda: through(box, **settings), part)


def test_what_the_black_box_raises_is_passed_on():
    def box(x):
        raise ZeroDivisionError("of the box")

    with pytest.raises(ZeroDivisionError, match="of the box"):
        through(box)
