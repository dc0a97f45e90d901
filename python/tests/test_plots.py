"""What pictures show: marks, names, labels, limits."""

import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_iris

import wald

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402


pytestmark = pytest.mark.usefixtures("closing")


def names_of(axis_labels):
    return [label.get_text() for label in axis_labels]


def drawn(display):
    """Lays the picture out, so that overlaps and warnings show."""
    display.figure_.canvas.draw()
    return display.figure_.canvas.get_renderer()


def assert_inside(display, texts):
    """No text leaves the picture."""
    renderer, figure = drawn(display), display.figure_.bbox
    for text in texts:
        box = text.get_window_extent(renderer)
        assert box.x0 >= figure.x0 - 1 and box.x1 <= figure.x1 + 1, text.get_text()
        assert box.y0 >= figure.y0 - 1 and box.y1 <= figure.y1 + 1, text.get_text()


def importance(values, names=None, **more):
    values = np.asarray(values, dtype=float)
    names = [f"x{at}" for at in range(len(values))] if names is None else names
    return wald.Importance(measure="m", values=values, feature_names=names, **more)


def test_dots_show_values_and_intervals(regression):
    found = regression[0].importance("sobol_mda")
    display = found.plot()
    assert isinstance(display, wald.ImportanceDisplay) and display.figure_ is display.ax_.figure
    line, _, (bars,) = display.ax_.containers[0]
    order = found.ranking()
    assert np.array_equal(line.get_xdata(), found.values[order])
    ends = np.array([segment[:, 0] for segment in bars.get_segments()])
    half = 1.96 * found.standard_errors[order]
    assert np.allclose(ends, np.column_stack([found.values[order] - half,
                                              found.values[order] + half]))
    assert names_of(display.ax_.get_yticklabels()) == [found.feature_names[at] for at in order]
    assert "Monte-Carlo" in display.ax_.get_xlabel() and "over trees" in display.ax_.get_xlabel()
    low, high = display.ax_.get_xlim()
    assert low <= ends.min() and high >= ends.max()
    assert_inside(display, [*display.ax_.get_yticklabels(), display.ax_.xaxis.label])


def test_of_many_variables_the_first_are_shown_and_the_others_counted():
    display = importance(np.arange(50.0)).plot()
    names = names_of(display.ax_.get_yticklabels())
    assert names[:2] == ["x49", "x48"] and len(names) == 31 and names[-1] == "and 20 more"
    assert len(importance(np.arange(50.0)).plot(max_variables=4).shown_) == 4


def test_undefined_values_are_labelled():
    display = importance([0.5, np.nan, -0.25]).plot()
    assert [text.get_text() for text in display.ax_.texts] == ["undefined"]
    line = display.ax_.containers[0][0]
    assert np.array_equal(line.get_xdata(), [0.5, -0.25, np.nan], equal_nan=True)
    # Where values are negative, zero is marked.
    assert any(np.array_equal(line.get_xdata(), [0.0, 0.0]) for line in display.ax_.lines)
    assert importance([0.5, 1.0]).plot().ax_.get_xlim()[0] == 0.0
    drawn(importance([np.nan, np.nan]).plot())


def test_names_are_no_formulas_and_differ_where_they_are_cut():
    names = ["$\\frac{a$", "line\nbreak", *(f"{'a long name ' * 5}{at}" for at in range(3))]
    display = importance([5, 4, 3, 2, 1], names).plot()
    shown = names_of(display.ax_.get_yticklabels())
    assert len(set(shown)) == 5 and all(len(name) <= 32 for name in shown)
    assert shown[1] == "line break"
    assert_inside(display, display.ax_.get_yticklabels())


def test_boxes_are_those_of_trees(regression):
    found = regression[0].importance("mda_breiman_cutler")
    display = found.plot("box")
    boxes = display.ax_.patches
    assert len(boxes) == 10
    first = found.ranking()[0]
    extent = boxes[0].get_path().vertices[:, 0]
    assert np.allclose([extent.min(), extent.max()],
                       np.percentile(found.per_tree[:, first], [25, 75]))
    with pytest.raises(wald.SettingError, match="not a mean over trees"):
        importance([1.0]).plot("box")


def test_bars_by_degree_add_up(regression):
    found = regression[0].importance("mdi", by_degree=True)
    display = found.plot("degrees")
    ends = {}
    for bar in display.ax_.patches:
        ends[bar.get_y()] = max(ends.get(bar.get_y(), 0.0), bar.get_x() + bar.get_width())
    assert np.allclose(sorted(ends.values()), np.sort(found.values))
    labels = names_of(display.ax_.get_legend().get_texts())
    assert labels == ["0", "1", "2", "3", "4", "5", "6 and more"]
    with pytest.raises(wald.SettingError, match="by_degree=True"):
        importance([1.0]).plot("degrees")


def test_ranks_against_ranks(regression):
    one, other = (regression[0].importance(name) for name in ("mdi", "sobol_mda"))
    display = wald.plot_ranks(one, other)
    assert len(display.ax_.lines) == 10
    texts = [text.get_text() for text in display.ax_.texts]
    for found, form in ((one, "{0}  {1}"), (other, "{1}  {0}")):
        for name, rank in zip(found.feature_names, found.ranks):
            assert form.format(name, rank) in texts
    assert isinstance(one.plot(against=other), wald.RankDisplay)
    # The order of the variables does not matter, their names do.
    turned = importance(other.values[::-1], other.feature_names[::-1])
    texts_turned = [text.get_text() for text in wald.plot_ranks(one, turned).ax_.texts]
    assert texts_turned == texts
    with pytest.raises(wald.SettingError, match="different variables"):
        wald.plot_ranks(one, importance([1.0]))
    long = "very long name of a column " * 3
    wide = importance(np.arange(9.0), [f"{long}{at}" for at in range(9)])
    display = wald.plot_ranks(wide, wide)
    assert_inside(display, display.ax_.texts)


def test_beeswarm_shows_every_row(regression):
    forest, X = regression
    found = forest.explain(X)
    display = found.plot()
    swarms = display.ax_.collections
    assert len(swarms) == 20  # Of every variable those with and those without a value.
    points = sum(len(swarm.get_offsets()) for swarm in swarms)
    assert points == X.size
    first = swarms[1].get_offsets()
    at = display.shown_[0]
    assert np.array_equal(first[:, 0], found.values[:, at]) and X.columns[at] in ("bmi", "s5")
    assert np.abs(first[:, 1]).max() <= 0.38 + 1e-12
    colours = np.asarray(swarms[1].get_array())
    assert np.corrcoef(colours, X.iloc[:, at])[0, 1] > 0.9
    assert len(display.figure_.axes) == 2  # With a bar of colours.


def test_waterfall_goes_from_the_expected_value_to_the_prediction(regression):
    forest, X = regression
    found = forest.explain(X)
    display = found.plot("waterfall", row=3, max_variables=6)
    bars = display.ax_.patches
    assert len(bars) == 6 and names_of(display.ax_.get_yticklabels())[-1] == "5 others"
    ends = [bar.get_x() + bar.get_width() for bar in bars]
    assert ends[0] == pytest.approx(forest.predict(X)[3])
    assert bars[-1].get_x() == pytest.approx(found.expected_value)
    for upper, lower in zip(bars, bars[1:]):
        assert upper.get_x() == pytest.approx(lower.get_x() + lower.get_width())
    name, value = names_of(display.ax_.get_yticklabels())[0].split(" = ")
    assert float(value.replace("−", "-")) == pytest.approx(X[name][3], rel=1e-3)
    assert_inside(display, [*display.ax_.get_yticklabels(), display.ax_.xaxis.label])
    with pytest.raises(wald.SettingError, match="row is 442"):
        found.plot("waterfall", row=442)


def test_pictures_of_rows_name_class_row_and_unit(regression):
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True, as_frame=True)
    forest = wald.RandomForestClassifier(10).fit(X, np.array(["setosa", "vers", "virg"])[y])
    local = forest.explain(X.head(9))

    def title(display):
        return display.ax_.get_title(loc="left")

    assert title(local.plot(target="vers")) == "class vers (in share of the class)"
    assert title(local.plot("waterfall", target="virg", row=7)) == (
        "class virg, row 7 (in share of the class)")
    scatter = local.plot("scatter", target="setosa", variable=X.columns[2])
    assert title(scatter) == "class setosa (in share of the class)"
    forest, X = regression
    assert title(forest.explain(X).plot("waterfall", row=3)) == "row 3 (in units of target)"
    assert title(forest.explain(X, "local_mdi").plot()) == ""


def test_numbers_of_a_waterfall_do_not_lie_on_names(regression):
    forest, X = regression
    long = X.rename(columns={name: f"{name}, a long name" for name in X.columns})
    found = wald.RandomForestRegressor(10).fit(long, forest.predict(X) / 1e5).explain(long)
    for row in range(6):
        display = found.plot("waterfall", row=row)
        renderer, inner = drawn(display), display.ax_.get_window_extent()
        boxes = [text.get_window_extent(renderer) for text in display.ax_.texts]
        assert len(boxes) == 10
        assert all(box.x0 >= inner.x0 and box.x1 <= inner.x1 for box in boxes)


def test_scatter_of_values_against_the_variable(regression):
    forest, X = regression
    found = forest.explain(X)
    display = found.plot("scatter", variable="bmi", colour_by="s5")
    points = display.ax_.collections[0].get_offsets()
    assert np.array_equal(points, np.column_stack([X["bmi"], found.values[:, 2]]))
    assert display.ax_.get_xlabel() == "bmi"
    with pytest.raises(wald.SettingError, match="'nonsense'"):
        found.plot("scatter", variable="nonsense")
    with pytest.raises(wald.SettingError, match="needs a variable"):
        found.plot("scatter")


def test_texts_and_missing_values_are_drawn(regression):
    _, X = regression
    mixed = X[:80].assign(sex=np.where(X["sex"][:80] > 0, "f", None))
    mixed.loc[:10, "bmi"] = np.nan
    forest = wald.RandomForestRegressor(10).fit(mixed, X["s5"][:80].to_numpy())
    found = forest.explain(mixed)
    drawn(found.plot())
    labels = names_of(found.plot("waterfall").ax_.get_yticklabels())
    assert "bmi = missing" in labels and "sex = f" in labels
    display = found.plot("scatter", variable="sex")
    assert names_of(display.ax_.get_xticklabels()) == ["f"]
    assert "missing" in display.ax_.get_xlabel()
    curves = forest.explain(mixed, "ice", variables=["sex", "bmi"])
    assert names_of(curves.plot("sex").ax_.get_xticklabels()) == ["f", "missing"]
    assert [text.get_text() for text in curves.plot("bmi").ax_.texts] == ["missing"]


def test_rows_of_several_classes_are_drawn_for_one_class():
    X, y = load_iris(return_X_y=True, as_frame=True)
    forest = wald.RandomForestClassifier(10).fit(X, y)
    found = forest.explain(X)
    with pytest.raises(wald.SettingError, match="'0', '1', '2'"):
        found.plot("beeswarm")
    drawn(found.plot(target=2))
    curves = forest.explain(X, "pdp")
    assert "share of 1" in curves.plot(target=1).ax_.get_ylabel()
    with pytest.raises(wald.SettingError, match="no class"):
        curves.plot(target="rose")
    with pytest.raises(wald.SettingError, match="mean_absolute"):
        forest.explain(X[:3], "tree_shap_interactions").plot(target=1)


def test_curves_are_steps_with_their_mean(regression):
    forest, X = regression
    found = forest.explain(X[:30], "ice", variables=["s5"])
    display = found.plot()
    lines = display.ax_.lines
    assert len(lines) == 31 and {line.get_drawstyle() for line in lines} == {"steps-pre"}
    assert np.allclose(lines[-1].get_ydata(), found.values[0].mean(axis=0))
    assert np.array_equal(lines[3].get_ydata(), found.values[0][3])
    centred = found.plot(centred=True).ax_.lines
    assert all(line.get_ydata()[0] == 0.0 for line in centred)


def test_selection_marks_what_is_chosen(regression):
    _, X = regression
    data = wald.simulate("friedman_1", rows=100, seed=2)
    selector = wald.RFE(wald.RandomForestRegressor(15), folds=3, repeats=2, step=2)
    found = selector.fit(data.inputs, data.target).selection_
    display = found.plot()
    marks = {line.get_label(): line for line in display.ax_.lines}
    best = next(line for label, line in marks.items() if label.startswith("smallest"))
    assert best.get_xdata()[0] == found.best_size
    assert best.get_ydata()[0] == found.errors.min()
    assert display.ax_.get_xlabel() == "number of variables"
    assert "over repeats" in names_of(display.ax_.get_legend().get_texts())[0]


def test_heat_map_of_dependence(regression):
    found = wald.dependence(regression[1])
    display = found.plot()
    picture = display.ax_.images[0].get_array()
    order = display.shown_
    assert np.array_equal(picture, found.values[np.ix_(order, order)])
    assert names_of(display.ax_.get_xticklabels()) == [found.feature_names[at] for at in order]
    assert abs(order.index(4) - order.index(5)) == 1  # s1 and s2 depend most.
    assert len(display.ax_.texts) == 90
    assert len(display.tree_.lines) == 9
    heights = [max(line.get_ydata()) for line in display.tree_.lines]
    assert np.allclose(heights, [1.0 - merge[2] for merge in found.merges])
    few = found.plot(max_variables=4)
    assert len(few.shown_) == 4 and len(few.tree_.lines) == 3
    assert "6 more" in few.ax_.get_xlabel()


def an_entry(name, share, *, error=0.01, members=()):
    return {"name": name, "members": list(members), "share": share, "standard_error": error,
            "low": None if share is None else share - 2 * error,
            "high": None if share is None else share + 2 * error, "finding": "something"}


def test_answers_show_groups_with_their_members_below():
    members = [an_entry("carat", 0.002), an_entry("x", -0.001)]
    entries = [an_entry("carat, x", 0.9, members=members), an_entry("clarity", 0.06),
               an_entry("none", None)]
    answer = wald.Answer(sentences=["Size matters."], measure="sobol_mda", interval="both",
                         unit="share of the variance of the target", entries=entries,
                         sample="all 53,940 rows, 30 of 500 trees")
    display = answer.plot()
    assert isinstance(display, wald.AnswerDisplay)
    assert display.shown_ == ["carat, x", "carat", "x", "clarity", "none"]
    names = names_of(display.ax_.get_yticklabels())
    assert names == ["carat, x", "carat alone", "x alone", "clarity", "none"]
    # Bars are groups and variables, dots the members; intervals are where they are known.
    widths = [bar.get_width() for bar in display.ax_.patches]
    assert widths[:2] == [0.9, 0.06] and np.isnan(widths[2])
    ends = [line.get_segments()[0][:, 0] for line in display.ax_.collections]
    known = [entries[0], *members, entries[1]]
    assert np.allclose(ends, [[entry["low"], entry["high"]] for entry in known])
    assert "30 of 500 trees" in display.ax_.get_xlabel()
    assert_inside(display, display.ax_.get_yticklabels())
    few = answer.plot(max_variables=2)
    assert names_of(few.ax_.get_yticklabels()) == ["carat, x", "carat alone", "and 3 more"]
    with pytest.raises(wald.SettingError, match="no shares"):
        wald.Answer(sentences=["No."], measure="mdi", interval=None, unit="", entries=[],
                    sample=None).plot()


def test_masking_names_its_lines():
    led = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": ["n", "y", "y", "y"]}
    found = wald.population(led, target="y", mtry="all")
    display = found.plot("mtry")
    assert isinstance(display, wald.MaskingDisplay)
    lines = display.ax_.lines
    assert np.array_equal(lines[0].get_ydata(), found.by_mtry[:, display.shown_[0]])
    assert sorted(text.get_text() for text in display.ax_.texts) == ["a", "b"]
    heights = [text.xyann[1] for text in display.ax_.texts]
    assert abs(heights[0] - heights[1]) > 0.0
    with pytest.raises(wald.SettingError, match='mtry="all"'):
        wald.population(led, target="y").plot("mtry")


def test_long_labels_and_names_stay_in_the_picture(regression):
    found = regression[0].importance("minimal_depth")
    display = found.plot()
    assert display.ax_.get_xlabel().count("small") == 1
    assert_inside(display, [display.ax_.xaxis.label])
    X = regression[1].rename(columns=lambda name: f"a name that is much too long: {name}")
    data = wald.simulate("friedman_1", rows=len(X))
    display = wald.masking(wald.RandomForestRegressor(5), X, data.target, mtry=[1, 10]).plot()
    assert len({text.get_text() for text in display.ax_.texts}) == 10
    assert_inside(display, display.ax_.texts)


def test_places_are_pushed_apart_no_further_than_needed():
    from wald._plots.masking import apart

    assert apart(np.array([0.0, 5.0, 1.0]), 0.5).tolist() == [0.0, 5.0, 1.0]
    assert np.allclose(apart(np.array([1.0, 1.0, 1.0]), 0.5), [0.5, 1.0, 1.5])


def test_long_numbers_are_set_apart_and_short_ones_are_not():
    def ticks(largest):
        display = importance([-largest / 2, largest]).plot()
        drawn(display)
        return names_of(display.ax_.get_xticklabels()), display.ax_

    long, _ = ticks(1.7e6)
    assert "1,000,000" in long and "\N{MINUS SIGN}500,000" in long
    short, _ = ticks(0.17)
    assert "0.15" in short and len(short) <= 8
    tiny, axes = ticks(1.7e-7)
    assert "1.5" in tiny and "1e−7" in axes.xaxis.get_offset_text().get_text()


def test_axes_can_be_given_and_kinds_are_checked(regression):
    figure, axes = plt.subplots(1, 2)
    found = importance([1.0, 2.0])
    display = wald.ImportanceDisplay(found).plot(ax=axes[1])
    assert display.ax_ is axes[1] and display.figure_ is figure
    for call in (found.plot, regression[0].explain(regression[1][:3]).plot):
        with pytest.raises(wald.SettingError, match="'pie'"):
            call("pie")


def test_uncertainty_draws_both_intervals():
    data = wald.simulate("friedman_1", rows=100, seed=1)
    forest = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
    found = wald.uncertainty(forest, "mdi", subsamples=5)
    display = found.plot(max_variables=4)
    assert [found.feature_names[at] for at in display.shown_] == [
        label.get_text() for label in display.ax_.get_yticklabels()[:4]]
    wide, narrow = (lines.get_segments() for lines in display.ax_.collections)
    for place, at in enumerate(display.shown_):
        assert narrow[place][:, 0].tolist() == found.intervals[at].tolist()
        assert wide[place][:, 0].tolist() == found.simultaneous_intervals[at].tolist()
    assert "and 6 more" in display.ax_.get_yticklabels()[4].get_text()
