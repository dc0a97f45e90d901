"""Shapley values of the loss: of other rows, which bring their target."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

import wald


@pytest.fixture(scope="module")
def forest():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    return wald.RandomForestRegressor(20).fit(X, y), X, y


def test_training_rows_given_again_have_the_same_values(forest):
    forest, X, y = forest
    of_training = forest.explain(None, "tree_shap_loss", background_rows=20)
    given = forest.explain(X, "tree_shap_loss", y=y, background_rows=20)
    assert np.array_equal(of_training.values, given.values)
    absolute = forest.explain(X, "tree_shap_loss", y=y, loss="absolute", background_rows=20)
    assert not np.allclose(absolute.values, given.values)


@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_values_are_what_knowing_the_row_takes_off_its_loss(forest, loss):
    forest, X, y = forest
    background = X.iloc[100:130]
    rows, target = X.iloc[:7], y.iloc[:7].to_numpy() + 10.0
    found = forest.explain(rows, "tree_shap_loss", y=target, loss=loss, background=background)
    of = {"squared": np.square, "absolute": np.abs}[loss]
    unknown = of(target[:, None] - forest.predict(background)[None, :]).mean(axis=1)
    known = of(target - forest.predict(rows))
    taken_off = found.values.sum(axis=1)
    assert np.allclose(np.abs(taken_off), np.abs(unknown - known), rtol=1e-9)
    assert np.allclose(taken_off, taken_off[0] / (known - unknown)[0] * (known - unknown))


def test_classes_have_losses(forest):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    kept = ["worst area", "worst texture", "mean concave points", "worst smoothness"]
    classes = wald.RandomForestClassifier(20).fit(X[kept], y)
    found = classes.explain(X[kept].head(5), "tree_shap_loss", y=y.head(5), loss="log",
                            background_rows=10)
    assert found.values.shape == (5, 4)
    assert np.isfinite(found.values).all() and (found.values != 0.0).any()


def test_what_is_missing_is_named(forest):
    forest, X, y = forest
    with pytest.raises(wald.WaldError, match="target|tree_shap_loss"):
        forest.explain(X.head(3), "tree_shap_loss")
    with pytest.raises(wald.WaldError, match="without the rows X"):
        forest.explain(None, "tree_shap_loss", y=y)
    with pytest.raises(wald.WaldError, match="has no setting 'y'"):
        forest.explain(X.head(3), "tree_shap", y=y.head(3))
    with pytest.raises(wald.WaldError, match="does not offer the loss `log`"):
        forest.explain(X.head(3), "tree_shap", loss="log")
    with pytest.raises(wald.WaldError):
        forest.explain(X.head(3), "tree_shap_loss", y=y.head(2))
    with pytest.raises(wald.WaldError, match="auc|log|squared"):
        forest.explain(X.head(3), "tree_shap_loss", y=y.head(3), loss="auc")
