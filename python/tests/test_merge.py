"""Forests of several ranges of trees are the one that is fitted at once."""

import numpy as np
import pytest
from sklearn.base import clone

import wald

DATA = wald.simulate("friedman_1", rows=120, seed=3)
X, Y = DATA.inputs, np.asarray(DATA.target)
CLASSES = np.where(Y > np.median(Y), "yes", "no")
WEIGHTS = np.linspace(0.5, 2.0, len(Y))


@pytest.mark.parametrize("kind", [
    wald.RandomForestRegressor, wald.RandomForestClassifier, wald.ExtraTreesClassifier,
    wald.ConditionalForestRegressor, wald.TotallyRandomizedTreesRegressor,
], ids=lambda kind: kind.__name__)
def test_merged_forests_are_fitted_at_once(kind):
    y = CLASSES if hasattr(kind, "predict_proba") else Y
    fit = lambda **ours: kind(random_state=4, oob_score="Trees" not in kind.__name__, **ours).fit(
        X, y, sample_weight=WEIGHTS)
    parts = [fit(n_estimators=20, first_tree=30), fit(n_estimators=30)]
    merged, whole = wald.merge(part for part in parts), fit(n_estimators=50)
    assert merged.get_params() == whole.get_params()
    assert merged._forest.to_bytes() == whole._forest.to_bytes()
    assert np.array_equal(merged.predict(X), whole.predict(X))
    out_of_bag = "oob_decision_function_" if y is CLASSES else "oob_prediction_"
    assert np.array_equal(getattr(merged, out_of_bag), getattr(whole, out_of_bag), equal_nan=True)
    assert getattr(merged, "oob_score_", None) == getattr(whole, "oob_score_", None)
    assert np.array_equal(merged.feature_importances_, whole.feature_importances_)
    assert np.array_equal(parts[1].predict(X), fit(n_estimators=30).predict(X)), "unchanged"
    more = merged.set_params(n_estimators=60, warm_start=True).fit(X, y, sample_weight=WEIGHTS)
    assert np.array_equal(more.predict(X), fit(n_estimators=60).predict(X))


def test_what_cannot_be_merged():
    forest = wald.RandomForestRegressor(5).fit(X, Y)

    def refused(kind, words, *others):
        with pytest.raises(kind, match=words):
            wald.merge([forest, *others])

    after = lambda **ours: wald.RandomForestRegressor(5, **{"first_tree": 5} | ours)
    refused(wald.SettingError, "is not an estimator of wald", "a.forest")
    refused(wald.SettingError, "is not an estimator of wald", wald.RandomForestRegressor)
    refused(wald.NotFittedError, "not fitted yet", after())
    refused(wald.SettingError, "different forests", wald.ExtraTreesRegressor(5).fit(X, Y))
    refused(wald.DataError, "different tables", after().fit(X, Y + 1))
    refused(wald.ForestFileError, "different settings", after(random_state=7).fit(X, Y))
    refused(wald.ForestFileError, "2 trees missing", after(first_tree=7).fit(X, Y))
    refused(wald.ForestFileError, "trees in common", clone(forest).fit(X, Y))
    with pytest.raises(wald.ForestFileError, match="no forests"):
        wald.merge([])


@pytest.mark.parametrize("given", [None, 3, "forests", wald.RandomForestRegressor()], ids=repr)
def test_what_is_no_list_of_forests(given):
    with pytest.raises(wald.SettingError, match="forests|not an estimator of wald"):
        wald.merge(given)
