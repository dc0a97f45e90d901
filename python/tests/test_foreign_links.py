"""What is refused, and what is called otherwise, where trees sum up to log-odds, scores or logarithms."""

import re
import warnings

import lightgbm
import numpy as np
import pytest
import scipy.sparse
import xgboost

import wald

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(260, 4))
SUM = X[:, 0] + X[:, 1] * X[:, 2] + RANDOM.normal(size=260) / 3
TWO, THREE, COUNTS = (SUM > 0).astype(int), np.digitize(SUM, [-0.5, 0.5]), np.round(np.exp(SUM / 2))
TRAINED, TEST = slice(200), slice(200, None)
FEW = dict(n_estimators=10, num_leaves=8, verbose=-1, min_child_samples=5)
BAGS = dict(boosting="rf", bagging_freq=1, bagging_fraction=0.6)

# By name, the model, its target and what its trees sum up to.
MODELS = {
    "two": (lightgbm.LGBMClassifier(**FEW), TWO, "log-odds"),
    "three": (lightgbm.LGBMClassifier(**FEW), THREE, "scores of classes"),
    "three_mean": (lightgbm.LGBMClassifier(**FEW, **BAGS), THREE, "scores of classes"),
    "counts_mean": (lightgbm.LGBMRegressor(**FEW, **BAGS, objective="poisson"), COUNTS,
                    "the logarithm of what is predicted"),
}


@pytest.fixture(scope="module", params=MODELS)
def linked(request):
    model, y, sums = MODELS[request.param]
    return wald.from_lightgbm(model.fit(X[TRAINED], y[TRAINED]), X[TRAINED], y[TRAINED]), y, sums


def test_a_report_leaves_out_what_compares_sums_with_the_target(linked, tmp_path):
    forest, y, sums = linked
    test = X[TEST], y[TEST]
    with pytest.warns(UserWarning, match=f"`mda_train_test` compares .* sum up to {sums}"):
        found = wald.report(forest, tmp_path / "a.html", quick=True, test=test)
    assert list(found) == ["mdi"]
    for measure in ("sage", "mda_train_test", "tree_shap_loss"):
        with pytest.raises(wald.MeasureError, match=f"`{measure}` compares predictions"):
            wald.report(forest, tmp_path / "b.html", measures=["mdi", measure], test=test)
    assert not (tmp_path / "b.html").exists()


def test_the_advice_of_a_report_is_that_of_advise(tmp_path):
    model, y, _ = MODELS["two"]
    forest = wald.from_lightgbm(model.fit(X, y), X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wald.report(forest, tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text()
    assert "forest.importance(&quot;tree_shap&quot;)" in page
    assert not re.search(r"\b(sage|SAGE|tree_shap_loss|mda_train_test)\b", page)


def test_a_report_states_what_is_predicted(linked, tmp_path):
    forest, _, _ = linked
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wald.report(forest, tmp_path / "a.html", quick=True)
    page = (tmp_path / "a.html").read_text()
    words = {"logistic": "predicted log-odds of y", "softmax": "score of 0",
             "exponential": "predicted logarithm of y"}
    assert words[forest.link] in page
    if forest.link == "logistic":
        assert '<p class="lead">Regression of log-odds of <' in page
    if forest.link == "softmax":
        assert re.search("<caption><span>Row [0-9]+, score of <", page)
    assert "probability of" not in page and not re.search(r"\bpredicted y\b", page)
    assert "gain of the objective per row" in page and "variance of the target" not in page


def test_explanations_that_compare_sums_with_the_target(linked):
    forest, y, sums = linked
    with pytest.raises(wald.MeasureError, match=f"compares .* sum up to {sums}.*tree_shap"):
        forest.explain(X[TEST], "tree_shap_loss", y=y[TEST])


def test_gains_of_nodes_have_no_other_impurity(linked):
    forest, _, _ = linked
    for impurity in ("entropy", "gini", "variance"):
        with pytest.raises(wald.MeasureError, match="gains of its objective"):
            forest.importance("mdi", impurity=impurity)
        with pytest.raises(wald.MeasureError, match="gains of its objective"):
            forest.explain(X[TEST], "local_mdi", impurity=impurity)
    assert (forest.importance("mdi").values > 0).any()


def test_the_engine_takes_no_class_impurity_of_sums():
    model, y, _ = MODELS["three"]
    forest = wald.from_lightgbm(model.fit(X, y), X, y)
    with pytest.raises(wald.MeasureError, match="the nodes of this forest hold `gini`"):
        forest._forest.measure(
            forest._data, (["mdi"], {"impurity": "entropy"}), work=(1, None))


def test_interactions_need_leaves_that_predict_the_target(linked):
    forest, _, sums = linked
    with pytest.raises(wald.DataError, match=f"interactions need leaves .* sum up to {sums}"):
        wald.interactions(forest, resamples=0)


def test_units(linked):
    forest, _, sums = linked
    assert forest.importance("mdi").unit == "gain of the objective per row"
    assert forest.importance("mdi", normalise="sum").unit == "share of the sum over all variables"
    for aggregate, unit in (("mean_abs", f"mean absolute value, in {sums}"),
                            ("mean", f"mean, in {sums}"),
                            ("covariance", f"covariance with the response, in {sums} times")):
        assert forest.importance("tree_shap", aggregate=aggregate).unit.startswith(unit)
    assert forest.explain(X[TEST], "tree_shap").unit == sums


def test_units_of_xgboost_and_of_numbers():
    model = xgboost.XGBRegressor(n_estimators=5, max_depth=3).fit(X, SUM)
    forest = wald.from_xgboost(model, X, SUM)
    assert forest.importance("mdi").unit == "gain of the objective per unit of weight"
    assert forest.importance("tree_shap").unit == "mean absolute value, in units of the prediction"


def test_rows_that_trees_saw_are_not_stored(linked):
    forest, _, _ = linked
    for ask in (forest.weights, forest.outliers, forest.prototypes, forest.predict_quantiles):
        with pytest.raises(wald.DataError, match="LightGBM does not store which rows its trees"):
            ask()
    with pytest.raises(wald.MeasureError, match="LightGBM does not store which rows its trees"):
        forest.explain(None, "mdi_oob")


def test_absent_cells_are_missing_in_explanations():
    cells = scipy.sparse.csr_matrix(np.where(X > 0.3, X, 0.0))
    model = xgboost.XGBRegressor(n_estimators=10, max_depth=4).fit(cells, SUM)
    forest = wald.from_xgboost(model, cells, SUM)
    found = forest.explain(cells, "tree_shap")
    predicted = forest.predict(cells)
    assert np.abs(found.values.sum(axis=1) + found.expected_value - predicted).max() < 1e-9
    assert np.isnan(found.data.to_numpy() if hasattr(found.data, "to_numpy") else found.data).any()
    mean = forest.explain(cells, "tree_shap_interventional", background=cells)
    assert np.abs(mean.values.sum(axis=1) + mean.expected_value - predicted).max() < 1e-9
    assert abs(mean.expected_value - predicted.mean()) < 1e-9
    loss = forest.explain(cells, "tree_shap_loss", y=SUM, background=cells)
    gaps = np.where(X > 0.3, X, np.nan)
    of_gaps = forest.explain(gaps, "tree_shap_loss", y=SUM, background=gaps)
    assert np.array_equal(loss.values, of_gaps.values)


def test_an_objective_that_is_a_function():
    def squared(y, predicted):
        return predicted - y, np.ones_like(y)

    model = xgboost.XGBRegressor(n_estimators=3, objective=squared).fit(X, SUM)
    with pytest.raises(wald.DataTypeError, match="the objective is a function"):
        wald.from_xgboost(model, X, SUM)
