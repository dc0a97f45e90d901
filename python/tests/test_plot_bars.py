"""Bars of importances and of rows, and of several classes."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from test_plots import assert_inside, names_of

import wald

pytestmark = pytest.mark.usefixtures("closing")


def test_bars_show_values_and_intervals(regression):
    found = regression[0].importance("sobol_mda")
    display = found.plot("bar", max_variables=5)
    order = found.ranking()[:5]
    assert [bar.get_width() for bar in display.ax_.patches] == found.values[order].tolist()
    (lines,) = display.ax_.collections
    half = 1.96 * found.standard_errors[order]
    ends = np.array([segment[:, 0] for segment in lines.get_segments()])
    assert np.allclose(ends, found.values[order][:, None] + half[:, None] * [-1, 1])
    assert "over trees" in display.ax_.get_xlabel()
    assert_inside(display, [*display.ax_.get_yticklabels(), display.ax_.xaxis.label])


def test_bars_of_rows_are_mean_absolute_values(regression):
    found = regression[0].explain(regression[1][:40])
    display = found.plot("bar")
    means = found.mean_absolute()
    widths = [bar.get_width() for bar in display.ax_.patches]
    assert widths == means.values[means.ranking()].tolist()
    assert display.ax_.get_xlabel() == "mean absolute tree_shap of 40 rows"
    assert display.ax_.get_title(loc="left") == "in units of target"


def test_bars_of_several_classes_are_stacked():
    X, y = load_iris(return_X_y=True, as_frame=True)
    found = wald.RandomForestClassifier(10).fit(X, y).explain(X)
    display = found.plot()
    assert display.kind == "bar"
    widths = np.reshape([bar.get_width() for bar in display.ax_.patches], (3, 4))
    expected = np.abs(found.values).mean(axis=0)[display.shown_]
    assert np.allclose(widths.T, expected)
    starts = np.reshape([bar.get_x() for bar in display.ax_.patches], (3, 4))
    assert np.allclose(starts[2], expected[:, :2].sum(axis=1))
    assert names_of(display.ax_.get_legend().get_texts()) == ["0", "1", "2"]
    one = found.plot("bar", target=1)
    assert len(one.ax_.patches) == 4 and "class 1" in one.ax_.get_title(loc="left")
    # Of two classes, one has the values of the other with another sign.
    two = wald.RandomForestClassifier(10).fit(X, y > 1).explain(X)
    assert two.plot().kind == "beeswarm" and len(two.plot("bar").ax_.patches) == 4
