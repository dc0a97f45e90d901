"""Models of LightGBM and XGBoost predict the same here as there."""

import lightgbm
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import xgboost
from kinds_of_targets import same, three, two

import wald

N_ROWS = 500


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(N_ROWS, 4)), columns=["a b", "b", "c", "d"])
    frame["e"] = pd.Categorical(random.choice(list("uvwxyz"), N_ROWS))
    y = frame["b"] ** 2 + 3 * (frame["e"] == "u") + frame["a b"] + random.normal(size=N_ROWS) / 4
    frame.loc[::7, "a b"] = np.nan
    frame.loc[::11, "e"] = np.nan
    return frame, y.to_numpy()


def codes(classes):
    return np.unique(classes, return_inverse=True)[1]


FEW = dict(n_estimators=15, num_leaves=12, verbose=-1, min_child_samples=5)
BAGS = dict(boosting="rf", bagging_freq=1, bagging_fraction=0.6)
LIGHTGBM = {
    "numbers": (lightgbm.LGBMRegressor(**FEW), same),
    "rates": (lightgbm.LGBMRegressor(objective="poisson", **FEW), np.abs),
    "medians": (lightgbm.LGBMRegressor(objective="regression_l1", **FEW), same),
    "dart": (lightgbm.LGBMRegressor(boosting="dart", **FEW), same),
    "forest": (lightgbm.LGBMRegressor(**BAGS, **FEW), same),
    "two_classes": (lightgbm.LGBMClassifier(sigmoid=0.7, **FEW), two),
    "three_classes": (lightgbm.LGBMClassifier(**FEW), three),
    "forest_of_classes": (lightgbm.LGBMClassifier(**BAGS, **FEW), three),
    "no_missing": (lightgbm.LGBMRegressor(use_missing=False, **FEW), same),
    "constant": (lightgbm.LGBMRegressor(n_estimators=3, verbose=-1, min_child_samples=400), same),
}

SMALL = dict(n_estimators=15, max_depth=4, enable_categorical=True)
XGBOOST = {
    "numbers": (xgboost.XGBRegressor(**SMALL), same),
    "one_hot": (xgboost.XGBRegressor(max_cat_to_onehot=100, **SMALL), same),
    "partitions": (xgboost.XGBRegressor(max_cat_to_onehot=1, **SMALL), same),
    "pruned": (xgboost.XGBRegressor(gamma=20, **SMALL), same),
    "dart": (xgboost.XGBRegressor(booster="dart", rate_drop=0.3, **SMALL), same),
    "rates": (xgboost.XGBRegressor(objective="count:poisson", **SMALL), np.abs),
    "forest": (xgboost.XGBRFRegressor(**SMALL), same),
    "boosted_forests": (xgboost.XGBRegressor(num_parallel_tree=3, subsample=0.7, **SMALL), same),
    "two_classes": (xgboost.XGBClassifier(**SMALL), lambda y: codes(two(y))),
    "forest_of_classes": (xgboost.XGBRFClassifier(**SMALL), lambda y: codes(two(y))),
    "three_classes": (xgboost.XGBClassifier(**SMALL), lambda y: codes(three(y))),
}


def predictions(model, X):
    return model.predict_proba(X) if hasattr(model, "classes_") else model.predict(X)


def contributions(found, n_features):
    """By row, variable and class, and what they are counted from."""
    by_class = found.reshape(len(found), -1, n_features + 1).transpose(0, 2, 1)
    by_class = by_class[:, :, 0] if by_class.shape[2] == 1 else by_class
    return by_class[:, :-1], by_class[0, -1]


@pytest.mark.parametrize("name", LIGHTGBM)
def test_lightgbm(name, table):
    X, y = table
    model, target = LIGHTGBM[name]
    y = target(y)
    model.fit(X, y)
    forest = wald.from_lightgbm(model, X, y)
    assert np.allclose(predictions(forest, X), predictions(model, X), rtol=1e-12, atol=1e-14)
    if hasattr(model, "classes_"):
        assert (forest.classes_ == model.classes_).all()
        assert (forest.predict(X) == model.predict(X)).all()
    own = model.booster_.predict(X, pred_contrib=True)
    if "boosting" in model.get_params() and model.get_params()["boosting"] == "rf":
        own = own / model.n_estimators
    expected, start = contributions(own, X.shape[1])
    found = forest.explain(X, "tree_shap")
    assert np.abs(found.values - expected).max() < 1e-10
    assert np.abs(found.expected_value - start).max() < 1e-10


@pytest.mark.parametrize("name", XGBOOST)
def test_xgboost(name, table):
    X, y = table
    model, target = XGBOOST[name]
    y = target(y)
    model.fit(X, y)
    forest = wald.from_xgboost(model, X, y)
    # XGBoost adds up in 32 bits.
    assert np.allclose(predictions(forest, X), predictions(model, X), rtol=1e-5, atol=1e-5)
    rows = xgboost.DMatrix(X, enable_categorical=True)
    own = model.get_booster().predict(rows, pred_contribs=True)
    expected, start = contributions(own, X.shape[1])
    found = forest.explain(X, "tree_shap")
    assert np.abs(found.values - expected).max() < 1e-5
    assert np.abs(found.expected_value - start).max() < 1e-5


def test_mdi_is_the_gain_of_each_row(table):
    X, y = table
    model = lightgbm.LGBMRegressor(**FEW).fit(X, y)
    found = wald.from_lightgbm(model, X, y).importance("mdi")
    gain = model.booster_.feature_importance("gain")
    assert np.allclose(found.values * len(y) * 15, gain, rtol=1e-4)
    model = xgboost.XGBRegressor(**SMALL).fit(X, y)
    found = wald.from_xgboost(model, X, y).importance("mdi")
    gain = model.get_booster().get_score(importance_type="total_gain")
    assert np.allclose(found.values * len(y) * 15, [gain.get(each, 0) for each in X], rtol=1e-4)


def test_split_count_counts_splits(table):
    X, y = table
    model = lightgbm.LGBMRegressor(**FEW).fit(X, y)
    found = wald.from_lightgbm(model, X, y).importance("split_count")
    own = model.booster_.feature_importance("split")
    assert np.allclose(found.values / found.values.sum(), own / own.sum())


def test_new_rows_with_new_categories(table):
    X, y = table
    new = X.head(60).assign(e=pd.Categorical(np.resize(["u", "new", None], 60)))
    model = lightgbm.LGBMRegressor(**FEW).fit(X, y)
    forest = wald.from_lightgbm(model, X, y)
    assert np.allclose(forest.predict(new), model.predict(new), rtol=1e-12)


def test_boosters_and_arrays(table):
    X, y = table
    numbers = X.drop(columns="e").to_numpy()
    model = lightgbm.train({"verbose": -1}, lightgbm.Dataset(numbers, y), 10)
    assert np.allclose(wald.from_lightgbm(model, numbers, y).predict(numbers),
                       model.predict(numbers), rtol=1e-12)
    model = xgboost.train({}, xgboost.DMatrix(numbers, y), 10)
    assert np.allclose(wald.from_xgboost(model, numbers, y).predict(numbers),
                       model.predict(xgboost.DMatrix(numbers)), rtol=1e-5, atol=1e-5)
    coded = np.column_stack([numbers, X["e"].cat.codes])
    data = lightgbm.Dataset(coded, y, categorical_feature=[4])
    model = lightgbm.train({"verbose": -1}, data, 10)
    assert np.allclose(wald.from_lightgbm(model, coded, y).predict(coded), model.predict(coded),
                       rtol=1e-12)


def test_lightgbm_reads_codes_of_categories_without_their_fractions(table):
    _, y = table
    random = np.random.default_rng(3)
    codes = random.integers(0, 6, len(y))
    X = np.column_stack([codes + random.choice([0.0, 0.5], len(y)), random.normal(size=len(y))])
    own = {**FEW, "min_data_per_group": 5, "cat_smooth": 1}
    model = lightgbm.LGBMRegressor(**own).fit(X, y + codes % 2, categorical_feature=[0])
    forest = wald.from_lightgbm(model, X, y + codes % 2)
    new = np.column_stack([[0.9, 2.5, 5.5, -0.5, -1.0, 6.0, 1e12, np.nan], np.zeros(8)])
    for rows in (X, new):
        assert np.allclose(predictions(forest, rows), predictions(model, rows), rtol=1e-12)
    assert len(set(predictions(forest, new))) > 2


@pytest.mark.parametrize("missing", [-999.0, 0.0])
@pytest.mark.parametrize("name", ["numbers", "two_classes"])
def test_another_value_stands_for_missing_ones(name, missing, table):
    X, y = table
    X = X.drop(columns="e").fillna(missing).assign(flag=X["b"] > 0)
    kind, target = XGBOOST[name]
    model = type(kind)(n_estimators=15, max_depth=4, missing=missing).fit(X, target(y))
    forest = wald.from_xgboost(model, X, target(y))
    found = forest.predict_proba(X) if name == "two_classes" else forest.predict(X)
    assert np.abs(found - predictions(model, X)).max() < 1e-5
    rows = xgboost.DMatrix(X, missing=missing)
    own = model.get_booster().predict(rows, pred_contribs=True)[:, :-1]
    assert np.abs(forest.explain(X, "tree_shap").values - own).max() < 1e-5


def test_absent_cells_are_missing(table):
    X, y = table
    cells = scipy.sparse.csr_matrix(np.where(X[["b", "c", "d"]] > 0.5, X[["b", "c", "d"]], 0.0))
    model = xgboost.XGBRegressor(n_estimators=15, max_depth=4).fit(cells, y)
    forest = wald.from_xgboost(model, cells, y)
    assert np.abs(forest.predict(cells) - model.predict(cells)).max() < 1e-5


def test_codes_that_no_split_lists_go_left():
    random = np.random.default_rng(2)
    codes = random.integers(0, 12, N_ROWS).astype(float)
    codes[:100] %= 6  # the others occur below
    y = codes % 3 + random.normal(size=N_ROWS)
    codes[random.random(N_ROWS) < 0.2] = np.nan
    X = np.column_stack([codes, y + random.random(N_ROWS)])
    model = xgboost.XGBRegressor(n_estimators=4, max_depth=3, max_cat_to_onehot=1,
                                 enable_categorical=True, feature_types=["c", "q"]).fit(X, y)
    forest = wald.from_xgboost(model, X, y)
    new = np.column_stack([np.resize([11.0, 12.0, 40.0, np.nan, 3.0], 60), X[:60, 1]])
    for rows in (X, new):
        assert np.abs(forest.predict(rows) - model.predict(rows)).max() < 1e-5


def test_categories_may_come_in_another_order(table):
    X, y = table
    model = xgboost.XGBRegressor(**SMALL).fit(X, y)
    other = X.assign(e=X["e"].cat.reorder_categories(list("zyxwvu")))
    forest = wald.from_xgboost(model, other, y)
    for rows in (X, other):
        assert np.abs(forest.predict(rows) - model.predict(X)).max() < 1e-5


def test_a_number_for_missing_values_beside_categories_is_refused(table):
    X, y = table
    model = xgboost.XGBRegressor(missing=-1.0, **SMALL).fit(X, y)
    with pytest.raises(wald.DataTypeError, match="takes -1 for a missing value"):
        wald.from_xgboost(model, X, y)


def test_early_stopping_gives_the_best_iteration(table):
    X, y = table
    noise = np.random.default_rng(1).normal(size=len(y))
    model = lightgbm.LGBMRegressor(n_estimators=60, verbose=-1, early_stopping_round=2)
    model.fit(X[:250], noise[:250], eval_set=[(X[250:], noise[250:])])
    forest = wald.from_lightgbm(model, X, noise)
    assert forest.n_trees == model.best_iteration_ < 60
    model = xgboost.XGBRegressor(n_estimators=60, early_stopping_rounds=2, enable_categorical=True)
    model.fit(X[:250], noise[:250], eval_set=[(X[250:], noise[250:])], verbose=False)
    forest = wald.from_xgboost(model, X, noise)
    assert forest.n_trees == model.best_iteration + 1 < 60


def test_zeros_that_count_as_missing(table):
    X, y = table
    zeros = X[["b", "c"]].where(X[["b", "c"]].abs() > 0.3, 0.0)
    model = lightgbm.LGBMRegressor(zero_as_missing=True, **FEW).fit(zeros, y)
    # Either every split has zeros on their own side of the threshold, or the model is refused.
    try:
        forest = wald.from_lightgbm(model, zeros, y)
    except wald.DataTypeError as error:
        assert "zero_as_missing=False" in error.help
    else:
        assert np.allclose(forest.predict(zeros), model.predict(zeros), rtol=1e-12)


def test_what_boosted_trees_cannot_tell(table):
    X, y = table
    forest = wald.from_lightgbm(LIGHTGBM["numbers"][0].fit(X, y), X, y)
    with pytest.raises(wald.MeasureError, match="does not store which rows.*mda_train_test"):
        forest.importance("mda_breiman_cutler")
    assert np.isfinite(forest.importance("mda_train_test", test=(X, y)).values).all()
    classes = two(y)
    forest = wald.from_lightgbm(LIGHTGBM["two_classes"][0].fit(X, classes), X, classes)
    with pytest.raises(wald.MeasureError, match="sum up to log-odds.*tree_shap"):
        forest.importance("mda_train_test", test=(X, classes))
    assert np.isfinite(forest.importance("tree_shap").values).all()


@pytest.mark.parametrize(("give", "pattern"), [
    (lambda X, y: wald.from_lightgbm(lightgbm.LGBMRegressor(), X, y), "not fitted"),
    (lambda X, y: wald.from_xgboost(xgboost.XGBRegressor(), X, y), "not fitted"),
    (lambda X, y: wald.from_lightgbm(xgboost.XGBRegressor(), X, y), "cannot read a XGBRegressor"),
    (lambda X, y: wald.from_xgboost(3, X, y), "cannot read a int"),
    (lambda X, y: wald.from_lightgbm(lightgbm.LGBMRegressor(
        linear_tree=True, n_estimators=2, verbose=-1).fit(X, y), X, y), "linear"),
    (lambda X, y: wald.from_lightgbm(lightgbm.LGBMRegressor(
        reg_sqrt=True, n_estimators=2, verbose=-1).fit(X, y), X, y), "sqrt"),
    (lambda X, y: wald.from_xgboost(xgboost.XGBRegressor(
        booster="gblinear", n_estimators=2).fit(X, y), X, y), "no trees"),
    (lambda X, y: wald.from_xgboost(xgboost.XGBRegressor(n_estimators=2).fit(
        X, np.column_stack([y, y])), X, y), "several targets"),
    (lambda X, y: wald.from_xgboost(xgboost.XGBRegressor(n_estimators=2).fit(X, y), X[["b"]], y),
     "has no column"),
])
def test_refusals(give, pattern, table):
    X, y = table
    with pytest.raises(wald.WaldError, match=pattern):
        give(X[["b", "c", "d"]], y)
