"""Pictures of several panels, of comparisons and of interactions."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from test_plots import assert_inside, drawn, names_of

import wald

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402


pytestmark = pytest.mark.usefixtures("closing")


@pytest.fixture(scope="module")
def diabetes(regression):
    return regression[0]


def test_all_results_but_advice_have_a_picture():
    results = [thing for thing in map(vars(wald).get, wald.__all__)
               if isinstance(thing, type) and hasattr(thing, "save") and hasattr(thing, "to_pandas")]
    assert len(results) > 12
    assert [one.__name__ for one in results if not hasattr(one, "plot")] == ["Advice"]


def assert_no_overlap(display, ax):
    """No two of the numbers below the axes lie on each other."""
    renderer = drawn(display)
    low, high = sorted(ax.get_xlim())
    boxes = [label.get_window_extent(renderer)
             for place, label in zip(ax.get_xticks(), ax.get_xticklabels()) if low <= place <= high]
    assert boxes and all(one.x1 < other.x0 for one, other in zip(boxes, boxes[1:]))


def test_every_measure_has_a_panel_with_its_own_order(diabetes):
    table = diabetes.importance(["mdi", "minimal_depth", "sobol_mda"])
    display = table.plot(max_variables=4)
    assert isinstance(display, wald.ImportanceTableDisplay)
    assert len(display.axes_) == 3 and display.ax_ is display.axes_[0]
    for (measure, found), ax in zip(table.items(), display.axes_):
        order = found.ranking()[:4]
        assert np.array_equal(display.shown_[measure], order)
        names = names_of(ax.get_yticklabels())
        assert names == [*(found.feature_names[at] for at in order), "and 6 more"]
        line, *_ = ax.containers[0].lines
        assert np.array_equal(line.get_xdata(), found.values[order])
        assert ax.get_xlabel().startswith(measure)
        assert_inside(display, [ax.xaxis.label, *ax.get_yticklabels()])


def test_first_order_indices_stand_beside_total_ones(diabetes):
    table = diabetes.importance(["sobol_first", "mdi", "sobol_mda"])
    display = table.plot()
    assert list(display.shown_) == ["mdi", "sobol_mda"] and len(display.axes_) == 2
    legend = names_of(display.axes_[1].get_legend().get_texts())
    assert legend == ["sobol_mda", "sobol_first"] and display.axes_[0].get_legend() is None
    # In other units, they are panels of their own.
    total = wald.Importance(measure="sobol_mda", values=np.ones(1), feature_names=["x"], unit="a")
    first = wald.Importance(measure="sobol_first", values=np.ones(1), feature_names=["x"], unit="b")
    assert len(wald.ImportanceTable(importances=[total, first]).plot().axes_) == 2


def test_axes_of_panels_can_be_given(diabetes):
    table = diabetes.importance(["mdi", "sobol_mda"])
    _, axes = plt.subplots(1, 2)
    display = table.plot(ax=axes)
    assert display.axes_ == list(axes) and display.figure_ is axes[0].figure
    curves = diabetes.explain(measure="pdp", variables=["bmi", "s5"])
    assert curves.plot(ax=list(axes)).axes_ == list(axes)
    assert curves.plot("s5", ax=axes[0]).axes_ == [axes[0]]
    for found in (table, curves):
        with pytest.raises(wald.SettingError, match="1 axes, and there are 2 panels"):
            found.plot(ax=axes[0])
        with pytest.raises(wald.SettingError, match="give axes of matplotlib"):
            found.plot(ax=[1, 2])
        with pytest.raises(wald.SettingError, match="max_variables"):
            found.plot(max_variables=0)
    with pytest.raises(wald.SettingError, match="is of type"):
        wald.ImportanceTableDisplay(table["mdi"])


def test_numbers_of_narrow_panels_do_not_overlap():
    values = np.array([123_456.0, 987_654.0])
    found = wald.ImportanceTable(importances=[wald.Importance(
        measure="m", values=values, feature_names=["a variable of a long name", "x"])])
    _, ax = plt.subplots(figsize=(3.4, 2.6), layout="constrained")
    assert_no_overlap(found.plot(ax=ax), ax)


def test_curves_of_several_classes_have_a_panel_each(iris):
    for measure in ("pdp", "ice", "ale"):
        found = iris.explain(measure=measure, variables=["petal length (cm)", "sepal width (cm)"])
        display = found.plot()
        names = ["petal length (cm)", "sepal width (cm)"]
        assert display.shown_ == [(name, of) for name in names for of in "012"]
        for (variable, of), ax in zip(display.shown_, display.axes_, strict=True):
            grid, values = found.of(variable)
            mean = values[..., int(of)].mean(axis=0)[~np.isnan(grid)]
            assert np.allclose(ax.lines[-1].get_ydata(), mean)
            words = ax.get_ylabel().replace("\n", " ")
            effect = "effect on the " if measure == "ale" else ""
            assert words == f"{effect}predicted share of {of}" and ax.get_xlabel() == variable
            assert_inside(display, [ax.yaxis.label, ax.xaxis.label])
        # Arguments choose one, as they do of two classes.
        chosen = found.plot("sepal width (cm)", target=2)
        assert chosen.shown_ == [("sepal width (cm)", "2")]
        assert len(found.plot(target="1").axes_) == 2


def test_of_two_classes_the_second_is_drawn():
    forest = wald.RandomForestClassifier(10).fit([[0.0], [1.0], [2.0]], ["a", "b", "b"])
    found = forest.explain(measure="pdp")
    assert found.plot().shown_ == [("x0", "b")] and found.plot(target="a").shown_ == [("x0", "a")]


def test_variables_with_the_widest_mean_curves_come_first(diabetes):
    found = diabetes.explain(measure="pdp")
    display = found.plot(max_variables=3)
    widest = sorted(found.feature_names, key=lambda name: -np.ptp(found.of(name)[1]))[:3]
    assert display.shown_ == [(name, None) for name in widest]
    assert display.axes_[-1].get_xlabel() == f"{widest[-1]}\n(and 7 more variables)"
    with pytest.raises(wald.SettingError, match="no variable 'nonsense'"):
        found.plot("nonsense")


def test_one_legend_is_above_small_panels(diabetes):
    display = diabetes.explain(measure="ice", variables=["bmi", "s5"]).plot()
    first, second = display.axes_
    renderer = drawn(display)
    legend = first.get_legend().get_window_extent(renderer)
    assert legend.y0 >= first.get_window_extent(renderer).y1 - 1 and second.get_legend() is None


def test_rows_without_curves_are_no_part_of_the_mean():
    values = np.array([[1.0, 2.0], [np.nan, np.nan], [3.0, 6.0]])
    found = wald.Curves(measure="ice", feature_names=["x"], grids=[np.array([0.0, 1.0])],
                        values=[values])
    ax = found.plot().ax_
    assert ax.lines[-1].get_ydata().tolist() == [2.0, 4.0]
    assert names_of(ax.get_legend().get_texts()) == ["mean of 2 rows"]


def test_levels_are_aslant_where_they_would_overlap():
    X = pd.DataFrame({"level": ["a rather long", "quite as long", "the last one"] * 10,
                      "short": ["a", "b", "c"] * 10})
    forest = wald.RandomForestRegressor(5).fit(X, np.arange(30.0))
    display = forest.explain(X, "pdp").plot()
    slants = {ax.get_xlabel(): ax.get_xticklabels()[0].get_rotation() for ax in display.axes_}
    assert slants == {"level": 30.0, "short": 0.0}


def comparison(**changed):
    fields = dict(
        measure="mdi", feature_names=["a", "b", "c"], unit="bits", first=np.ones(3),
        second=np.array([1.5, 0.0, np.nan]), differences=np.array([0.5, -1.0, np.nan]),
        standard_errors=np.array([0.1, 0.1, np.nan]), confidence=0.8,
        intervals=np.array([[0.4, 0.6], [-1.2, -0.8], [np.nan, np.nan]]),
        p_values=np.array([0.04, 0.01, np.nan]), adjusted_p_values=np.array([0.04, 0.03, np.nan]),
        adjustment="holm", is_paired=True)
    return wald.Comparison(**{**fields, **changed})


def test_differences_have_intervals_and_the_smallest_p_value_on_top():
    display = comparison().plot()
    ax = display.ax_
    assert isinstance(display, wald.ComparisonDisplay)
    assert names_of(ax.get_yticklabels()) == ["b", "a", "c"] and display.shown_.tolist() == [1, 0, 2]
    assert np.array_equal(ax.lines[0].get_xdata(), [-1.0, 0.5, np.nan], equal_nan=True)
    (bars,) = ax.collections
    assert [segment[:, 0].tolist() for segment in bars.get_segments()] == [[-1.2, -0.8], [0.4, 0.6]]
    assert names_of(ax.texts) == ["undefined"]
    assert ax.get_xlabel() == "mdi: second minus first (bits)\n80 % intervals"
    assert names_of(comparison().plot(max_variables=1).ax_.get_yticklabels()) == ["b", "and 2 more"]
    with pytest.raises(wald.SettingError, match="is of type"):
        wald.ComparisonDisplay(3)


def interactions(**changed):
    fields = dict(
        classes=["yes", "no"], sets=[["a+", "b-"], ["c"]], prevalence=np.array([0.8, 0.5]),
        prevalence_elsewhere=np.array([0.1, np.nan]), precision=np.ones(2),
        precision_without=np.zeros(2), stability=np.array([0.9, 0.2]), is_out_of_bag=True)
    return wald.Interactions(**{**fields, **changed})


def test_prevalence_of_interactions_is_drawn_with_that_elsewhere():
    display = interactions().plot()
    ax = display.ax_
    assert isinstance(display, wald.InteractionsDisplay)
    assert names_of(ax.get_yticklabels()) == ["a+ & b-", "c"]
    elsewhere, stable, others = ax.lines
    assert np.array_equal(elsewhere.get_xdata(), [0.1, np.nan], equal_nan=True)
    assert stable.get_xdata().tolist() == [0.8] and others.get_xdata().tolist() == [0.5]
    assert others.get_markerfacecolor() == "white" != stable.get_markerfacecolor()
    assert names_of(ax.texts) == ["yes", "no", "class"]
    assert "hollow where" in ax.get_xlabel()
    assert_inside(display, [*ax.texts, *ax.get_yticklabels(), ax.xaxis.label])
    fewer = interactions(stability=None).plot(max_sets=1)
    assert names_of(fewer.ax_.get_yticklabels()) == ["a+ & b-", "and 1 more"]
    assert "hollow" not in fewer.ax_.get_xlabel()


def test_sides_of_a_cut_have_few_digits():
    found = interactions(classes=["> 0.180712042413", "<= 0.180712042413"], cut=0.180712042413)
    assert names_of(found.plot().ax_.texts) == ["> 0.1807", "<= 0.1807", "target"]


def test_no_interactions_are_no_picture():
    none = np.zeros(0)
    found = interactions(classes=[], sets=[], prevalence=none, prevalence_elsewhere=none,
                         precision=none, precision_without=none, stability=None)
    with pytest.raises(wald.SettingError, match="no set"):
        found.plot()
    with pytest.raises(wald.SettingError, match="max_sets"):
        interactions().plot(max_sets=0)
