"""Values and curves of single rows: frames, means, and what other packages take."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

import wald


def test_local_values_as_frames(regression, classification):
    forest, X = regression
    found = forest.explain(X[10:14])
    wide = found.to_pandas()
    assert wide.index.equals(X.index[10:14]) and list(wide) == list(X)
    long = found.to_pandas(long=True)
    assert list(long) == ["row", "variable", "value"]
    assert np.array_equal(long["value"].to_numpy().reshape(4, 10), found.values)
    assert np.allclose(wide.sum(axis=1) + found.expected_value, forest.predict(X[10:14]))
    classes, flowers = classification
    found = classes.explain(flowers[:3])
    assert found.to_polars().shape == (3, 12)
    long = found.to_pandas(long=True)
    is_line = (long["row"] == 2) & (long["class"] == "1")
    line = long[is_line & (long["variable"] == flowers.columns[3])]
    assert line["value"].tolist() == [found.values[2, 3, 1]]
    pairs = classes.explain(flowers[:3], "tree_shap_interactions")
    assert pairs.values.shape == (3, 4, 4, 3)
    assert np.allclose(pairs.values.sum(axis=2), found.values)
    assert pairs.to_pandas(long=True).shape == (3 * 4 * 4 * 3, 5)
    assert pairs.of_class("2").values.shape == (3, 4, 4)


def test_interactions_are_sorted_by_their_share_of_the_variance(regression, classification):
    forest, X = regression
    found = forest.explain(X, "friedman_h", variables=["bmi", "s5", "sex", "s1"], seed=3)
    values, shares = found.values[0], found.shares_of_variance[0]
    assert shares.shape == (4, 4) and np.array_equal(shares, shares.T)
    assert np.array_equal(np.diag(values), np.diag(shares))
    pairs = found.mean_absolute()
    names = [name for name in pairs.feature_names if "×" in name]
    bmi, s5 = (found.feature_names.index(name) for name in ("bmi", "s5"))
    place = pairs.feature_names.index("bmi × s5")
    assert len(names) == 6 and pairs.values[place] == values[bmi, s5]
    largest = max(((shares[a, b], a, b) for a in range(4) for b in range(a, 4)))
    one, other = (found.feature_names[at] for at in largest[1:])
    first = one if one == other else f"{one} × {other}"
    lines = repr(found).splitlines()
    assert lines[1] == "values, shares of variance" and lines[2].startswith(f"  {first} ")
    assert first in found._repr_html_()
    assert list(found.to_pandas(long=True)) == ["row", "variable", "other", "value",
                                                "share_of_variance"]
    classes, flowers = classification
    found = classes.explain(flowers, "friedman_h")
    of_one = found.of_class("1")
    assert np.array_equal(of_one.shares_of_variance, found.shares_of_variance[..., 1])


def test_shares_of_classes_are_averaged():
    """H squared is at most 1, also of classes: the mean over them, as on the command line."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(300, 2))
    signs = np.where(X[:, 0] * X[:, 1] > 0, "p", np.where(X[:, 0] > 0, "q", "r"))
    found = wald.RandomForestClassifier(15, n_jobs=1).fit(X, signs).explain(X, "friedman_h")
    means = found.mean_absolute()
    assert means.feature_names == ["x0", "x0 × x1", "x1"]
    expected = found.values[0].mean(axis=2)[[0, 0, 1], [0, 1, 1]]
    assert np.allclose(means.values, expected, rtol=1e-12) and means.values.max() <= 1
    share = found.shares_of_variance[0, 0, 1].sum()
    [line] = [line.split() for line in repr(found).splitlines() if line.startswith("  x0 × x1")]
    assert [float(cell) for cell in line[-2:]] == pytest.approx([means.values[1], share], rel=1e-3)
    assert "means over classes" in repr(found) and "means over classes" in found._repr_html_()


@pytest.mark.parametrize("measure", ["tree_shap", "mdi_plus", "tree_shap_interactions"])
def test_parts_of_predictions_are_printed_by_class(classification, measure):
    """Those of all classes add up to 0 in every row, and the command line has a line for each."""
    forest, X = classification
    found = forest.explain(X, measure)
    cells = [line.split() for line in repr(found).splitlines()[2:] if "[" in line]
    printed = {" ".join(words): float(number) for *words, number in cells}
    per_class = found.mean_absolute().per_class
    names = found.mean_absolute().feature_names
    expected = {f"{name} [{of}]": value for of, values in per_class.items()
                for name, value in zip(names, values)}
    largest = sorted(expected, key=expected.get, reverse=True)[:10]
    assert list(printed) == largest
    assert list(printed.values()) == pytest.approx([expected[line] for line in largest], abs=1e-4)
    assert largest[0] in found._repr_html_()


def test_one_of_two_classes_determines_the_other():
    X, is_large = [[0.0], [1.0], [2.0]], ["no", "no", "yes"]
    found = wald.ExtraTreesClassifier(20).fit(X, is_large).explain(measure="saabas")
    assert "x0 [yes]" in repr(found) and "x0 [no]" not in repr(found)


def test_losses_of_training_rows_are_noted(regression):
    forest, X = regression
    y = X["bmi"].to_numpy()
    few = {"background_rows": 2, "variables": ["bmi"]}
    [note] = forest.explain(measure="tree_shap_loss", **few).notes
    assert note.startswith("the loss explained is that of the rows that the forest was grown on")
    printed = " ".join(repr(forest.explain(measure="tree_shap_loss", **few)).split())
    assert f"note: {note}" in printed
    assert forest.explain(X[:5], "tree_shap_loss", y=y[:5], **few).notes == []


def test_means_of_rows_are_weighted_and_leave_out_those_without_values():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    weights = np.where(X["bmi"] > 0, 10.0, 0.0)
    forest = wald.RandomForestRegressor(3, random_state=1).fit(X, y, sample_weight=weights)
    found = forest.explain(measure="tree_shap")
    means = found.mean_absolute().values
    assert np.allclose(means, forest.importance("tree_shap").values, rtol=1e-12)
    assert (found.weights == weights).all() and forest.explain(X).weights is None

    of_bag = forest.explain(measure="tree_shap", out_of_bag=True)
    seen = ~np.isnan(of_bag.values).any(axis=1)
    assert 0 < seen.sum() < len(y)
    expected = np.average(np.abs(of_bag.values[seen]), axis=0, weights=weights[seen])
    assert np.allclose(of_bag.mean_absolute().values, expected, rtol=1e-12)

    ice = forest.explain(measure="ice", variables=["bmi"], grid=5)
    pdp = forest.explain(measure="pdp", variables=["bmi"], grid=5)
    line = ice.plot().ax_.lines[-1].get_ydata()
    assert np.allclose(line, pdp.values[0][0], rtol=1e-12)


def test_mean_absolute_values(regression, classification):
    found = regression[0].explain(None, "tree_shap")
    assert np.array_equal(found.mean_absolute().values, np.abs(found.values).mean(axis=0))
    # The global measure takes the same mean.
    assert np.allclose(found.mean_absolute().values,
                       regression[0].importance("tree_shap").values, rtol=1e-9)
    classes, flowers = classification
    means = classes.explain(flowers, "tree_shap").mean_absolute()
    assert np.allclose(means.values, sum(means.per_class.values()))
    pairs = regression[0].explain(regression[1][:20], "tree_shap_interactions")
    means = pairs.mean_absolute()
    assert len(means.values) == 55 and means.feature_names[1] == "age × sex"
    assert means.values[1] == pytest.approx(2 * np.abs(pairs.values[:, 0, 1]).mean())


def test_shap_takes_the_values(regression, classification):
    shap = pytest.importorskip("shap")
    forest, X = regression
    explanation = forest.explain(X[:7]).to_shap()
    assert isinstance(explanation, shap.Explanation)
    total = explanation.base_values + explanation.values.sum(axis=1)
    assert np.allclose(total, forest.predict(X[:7]))
    assert np.array_equal(explanation.data, X[:7].to_numpy())
    assert explanation.feature_names == list(X)
    explanation = classification[0].explain(classification[1][:7]).to_shap()
    assert explanation.shape == (7, 4, 3)
    mixed = X[:60].assign(sex=np.where(X["sex"][:60] > 0, "f", "m"))
    texts = wald.RandomForestRegressor(5).fit(mixed, mixed["bmi"].to_numpy())
    texts = texts.explain(mixed[:9]).to_shap()
    assert texts.display_data[0, 1] in ("f", "m") and texts.data[:, 1].max() <= 1


def test_curves_are_predictions(regression):
    forest, X = regression
    found = forest.explain(X[:6], "ice", variables=["bmi", "s5"], grid=5)
    grid, values = found.of("s5")
    assert isinstance(found, wald.Curves) and values.shape == (6, len(grid))
    for at, value in enumerate(grid):
        assert np.allclose(forest.predict(X[:6].assign(s5=value)), values[:, at])
    mean = forest.explain(X[:6], "pdp", variables=["s5"], grid=5)
    assert np.allclose(mean.values[0], values.mean(axis=0))
    frame = found.to_pandas()
    assert list(frame) == ["row", "variable", "at", "prediction"] and len(frame) == 6 * 10
    with pytest.raises(wald.SettingError, match="'bmi', 's5'"):
        found.of("age")


def test_classes_are_found_as_the_forest_has_them():
    """Also where they are floats, whose names are "0" and "1"."""
    forest = wald.ExtraTreesClassifier(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    found = forest.explain(measure="saabas")
    for at, name in enumerate(forest.classes_):
        assert np.array_equal(found.of_class(name).values, found.values[..., at])
    assert found.of_class("1").of == found.of_class(1).of == "1"
    curves = forest.explain(measure="ice")
    assert wald.CurvesDisplay(curves, target=forest.classes_[1])._places == [1]
    with pytest.raises(wald.UnknownNameError, match="there is no class '3'"):
        found.of_class(3.0)
