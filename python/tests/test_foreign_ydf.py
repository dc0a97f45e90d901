"""Models of YDF predict the same here as there."""

import numpy as np
import pandas as pd
import pytest
import ydf
from kinds_of_targets import same, three, two

import wald

N_ROWS = 400
REGRESSION = ydf.Task.REGRESSION


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(N_ROWS, 3)), columns=list("abc"))
    frame["e"] = random.choice(list("uvwxyz"), N_ROWS)
    frame["f"] = random.random(N_ROWS) < 0.5
    frame["g"] = random.integers(0, 5, N_ROWS)
    y = frame["b"] ** 2 + 3 * (frame["e"] == "u") + frame["f"] + frame["a"]
    frame.loc[::7, "a"] = np.nan
    frame.loc[::9, "e"] = None
    return frame, y.to_numpy()


def counts(y):
    return np.abs(y).round()


FOREST, BOOSTED = ydf.RandomForestLearner, ydf.GradientBoostedTreesLearner
MODELS = {
    "numbers": (FOREST, same, dict(task=REGRESSION)),
    "votes": (FOREST, three, {}),
    "shares": (FOREST, two, dict(winner_take_all=False)),
    "bins": (FOREST, same, dict(task=REGRESSION, discretize_numerical_columns=True)),
    "asks_for_missing": (FOREST, same, dict(task=REGRESSION, allow_na_conditions=True)),
    "boosted": (BOOSTED, same, dict(task=REGRESSION)),
    "boosted_counts": (BOOSTED, counts, dict(task=REGRESSION, loss="POISSON")),
    "boosted_two": (BOOSTED, two, {}),
    "boosted_three": (BOOSTED, three, {}),
}


def trained(name, table):
    X, y = table
    learner, target, settings = MODELS[name]
    data = X.assign(y=target(y))
    return learner(label="y", num_trees=15, **settings).train(data, verbose=0), data


@pytest.mark.parametrize("name", MODELS)
def test_predictions_and_shap(name, table):
    model, data = trained(name, table)
    forest = wald.from_ydf(model, data)
    own = model.predict(data)
    found = forest.predict_proba(data) if hasattr(forest, "classes_") else forest.predict(data)
    found = found[:, 1] if own.ndim < found.ndim else found
    # YDF adds up in 32 bits.
    assert np.allclose(found, own, rtol=1e-5, atol=1e-5)
    if name == "boosted_counts":
        return  # Its predict_shap explains the sum of trees, too, but is not offered for counts.
    expected, start = model.predict_shap(data)
    expected = np.stack([expected[each] for each in forest.feature_names_in_], axis=1)
    local = forest.explain(data, "tree_shap")
    values = local.values
    if values.ndim > expected.ndim:
        values, local.expected_value = values[:, :, 1], local.expected_value[1]
    assert np.abs(values - expected).max() < 1e-5
    assert np.abs(local.expected_value - start).max() < 1e-5


@pytest.mark.parametrize("name", ["numbers", "votes", "boosted"])
def test_mdi_is_the_score_of_each_row(name, table):
    model, data = trained(name, table)
    forest = wald.from_ydf(model, data)
    scores = {name: score for score, name in model.variable_importances()["SUM_SCORE"]}
    own = np.array([scores.get(each, 0.0) for each in forest.feature_names_in_])
    found = forest.importance("mdi").values
    assert np.allclose(found / found.sum(), own / own.sum(), rtol=1e-3)


def test_mdi_of_numbers_far_from_zero(table):
    X, y = table
    far = [X.assign(y=y + start) for start in (0.0, 1e5)]
    settings = dict(label="y", task=REGRESSION, num_trees=15)
    found = [wald.from_ydf(FOREST(**settings).train(data, verbose=0), data).importance("mdi").values
             for data in far]
    assert np.allclose(*found, rtol=0.02, atol=0.01)


def test_labels_may_be_booleans(table):
    X, y = table
    data = X.assign(y=y > 1)
    model = FOREST(label="y", num_trees=5, winner_take_all=False).train(data, verbose=0)
    found = wald.from_ydf(model, data).predict_proba(data)[:, 1]
    assert np.abs(found - model.predict(data)).max() < 1e-5


def test_the_target_may_stand_beside(table):
    model, data = trained("numbers", table)
    forest = wald.from_ydf(model, data.drop(columns="y"), data["y"])
    assert np.allclose(forest.predict(data), model.predict(data), rtol=1e-5, atol=1e-5)
    with pytest.raises(wald.DataError, match="no column 'y', the label"):
        wald.from_ydf(model, data.drop(columns="y"))


def test_refusals(table):
    model, data = trained("numbers", table)
    with pytest.raises(wald.MeasureError, match="does not store which rows"):
        wald.from_ydf(model, data).importance("sobol_mda")
    with pytest.raises(wald.DataTypeError, match="cannot read a DataFrame"):
        wald.from_ydf(data, data)
    with pytest.raises(wald.DataError, match="no column 'a'"):
        wald.from_ydf(model, data.drop(columns="a"))
    oblique = FOREST(label="y", task=REGRESSION, num_trees=3, split_axis="SPARSE_OBLIQUE")
    with pytest.raises(wald.DataTypeError, match="several columns.*AXIS_ALIGNED"):
        wald.from_ydf(oblique.train(data, verbose=0), data)
    honest = FOREST(label="y", task=REGRESSION, num_trees=3, honest=True)
    with pytest.raises(wald.DataTypeError, match="honest=False"):
        wald.from_ydf(honest.train(data, verbose=0), data)
    model, data = trained("boosted_two", table)
    model.set_output_logits(True)
    with pytest.raises(wald.DataTypeError, match="before its link"):
        wald.from_ydf(model, data)
    model, data = trained("numbers", table)
    local = FOREST(label="y", task=REGRESSION, num_trees=3,
                   missing_value_policy="LOCAL_IMPUTATION")
    with pytest.raises(wald.DataError, match="YDF itself does not predict"):
        wald.from_ydf(local.train(data, verbose=0), data)


def test_boosted_trees_hold_gains_and_forests_impurities(table):
    for name, unit in (("boosted", "gain of the objective per row"),
                       ("boosted_two", "gain of the objective per row"),
                       ("numbers", "variance of the target")):
        forest = wald.from_ydf(*trained(name, table)[:2])
        assert forest.importance("mdi").unit == unit
