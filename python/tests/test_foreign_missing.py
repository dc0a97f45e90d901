"""Boosted trees of tables with missing values, whose splits part missing from all others."""

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost

import wald

N_ROWS = 600


def table(share, seed=0):
    """Missing values determine the target, so that trees part them from all numbers."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.normal(size=(N_ROWS, 3)), columns=["a", "b", "c"])
    frame["few"] = random.integers(0, 3, N_ROWS).astype(float)
    frame["kind"] = pd.Categorical(random.choice(list("uvwxyz"), N_ROWS))
    gone = pd.DataFrame(random.random((N_ROWS, 5)) < share, columns=frame.columns)
    y = frame["a"] + 2 * (frame["kind"] == "u") + random.normal(size=N_ROWS) / 4
    y += 3 * gone["b"] - 2 * gone["few"] + gone["kind"]
    return frame.mask(gone), y.to_numpy()


def new_rows(frame):
    """Rows of no table: values beyond those of training, other categories, and nothing at all."""
    rows = frame.head(40).copy()
    rows.loc[::2, "b"] = np.nan
    rows.loc[1::4, "b"] = 1e9
    rows.loc[2::4, "a"] = -1e300
    rows["few"] = np.resize([0.0, np.nan, 7.0, -1.0, 1.5], 40)
    rows["kind"] = pd.Categorical(np.resize(["u", "new", None, "z"], 40))
    rows.loc[5] = [np.nan, np.nan, np.nan, np.nan, None]
    return rows


def classes_of(y, n):
    return np.array(["low", "mid", "high"])[np.digitize(y, [1.0] if n == 2 else [0.0, 2.0])]


MODELS = {
    "numbers": (lightgbm.LGBMRegressor, lambda y: y),
    "two_classes": (lightgbm.LGBMClassifier, lambda y: classes_of(y, 2)),
    "three_classes": (lightgbm.LGBMClassifier, lambda y: classes_of(y, 3)),
}


@pytest.mark.parametrize("share", [0.0, 0.3])
@pytest.mark.parametrize("boosting", [{}, dict(boosting="rf", bagging_freq=1, subsample=0.6)])
@pytest.mark.parametrize("name", MODELS)
def test_lightgbm_of_missing_values_and_categories(name, boosting, share):
    X, y = table(share)
    kind, target = MODELS[name]
    y = target(y)
    model = kind(n_estimators=20, verbose=-1, min_child_samples=5, **boosting).fit(X, y)
    lines = model.booster_.model_to_string().splitlines()
    has_infinite = any(line.startswith("threshold=") and "inf" in line for line in lines)
    assert has_infinite == (share > 0.0), "missing values part from all numbers"
    forest = wald.from_lightgbm(model, X, y)
    for rows in (X, new_rows(X)):
        own = model.predict(rows) if name == "numbers" else model.predict_proba(rows)
        found = forest.predict(rows) if name == "numbers" else forest.predict_proba(rows)
        assert np.allclose(found, own, rtol=1e-12, atol=1e-14)
    assert np.isfinite(forest.importance("tree_shap").values).all()


def test_lightgbm_of_an_array_with_missing_values():
    X, y = table(0.3)
    numbers = X.drop(columns="kind").to_numpy()
    model = lightgbm.LGBMRegressor(n_estimators=20, verbose=-1).fit(numbers, y)
    forest = wald.from_lightgbm(model, numbers, y)
    rows = new_rows(X).drop(columns="kind").to_numpy()
    assert np.allclose(forest.predict(rows), model.predict(rows), rtol=1e-12)


def test_xgboost_of_missing_values_and_categories():
    X, y = table(0.3)
    model = xgboost.XGBClassifier(n_estimators=20, max_depth=5, enable_categorical=True)
    codes = (y > 1.0).astype(int)
    forest = wald.from_xgboost(model.fit(X, codes), X, codes)
    rows = new_rows(X).assign(kind=X["kind"].head(40))
    for rows in (X, rows):
        assert np.allclose(forest.predict_proba(rows), model.predict_proba(rows), atol=1e-5)


def test_what_is_wrong_with_the_trees_is_not_laid_on_the_rows():
    X, y = table(0.0)
    numbers = X[["a", "b"]].to_numpy()
    booster = lightgbm.train({"verbose": -1, "num_leaves": 2}, lightgbm.Dataset(numbers, y), 1)
    text = booster.model_to_string()
    threshold = text.partition("\nthreshold=")[2].partition("\n")[0]
    broken = lightgbm.Booster(model_str=text.replace(f"={threshold}\n", "=-inf\n"))
    with pytest.raises(wald.ForestFileError, match="no finite threshold") as refusal:
        wald.from_lightgbm(broken, numbers, y)
    assert "not the rows" not in str(refusal.value)
