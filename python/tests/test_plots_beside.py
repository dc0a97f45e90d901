"""Pictures of two importances of the same unit, and of tests."""

import numpy as np
import pytest
from test_plots import importance, names_of

import wald


def test_first_order_and_total_indices_stand_side_by_side():
    data = wald.simulate("friedman_1", rows=200, seed=1)
    forest = wald.RandomForestRegressor(20).fit(data.inputs, data.target)
    first, total = (forest.importance(name) for name in ("sobol_first", "sobol_mda"))
    ax = first.plot(beside=total, max_variables=4).ax_
    texts = names_of(ax.get_yticklabels())
    assert names_of(ax.get_legend().get_texts()) == ["sobol_first", "sobol_mda"]
    for found, container in zip((first, total), ax.containers, strict=True):
        line, _, bars = container.lines
        values = dict(zip(found.feature_names, zip(found.values, found.standard_errors)))
        for name, value, bar in zip(texts, line.get_xdata(), bars[0].get_segments()):
            assert value == values[name][0]
            assert np.isclose(bar[1, 0] - bar[0, 0], 2 * 1.96 * values[name][1])
    with pytest.raises(wald.SettingError, match="different units"):
        first.plot(beside=forest.importance("mdi"))
    with pytest.raises(wald.SettingError, match="different variables"):
        first.plot(beside=importance([1.0]))
    with pytest.raises(wald.SettingError, match="dots only"):
        first.plot("box", beside=total)
    with pytest.raises(wald.SettingError, match="both"):
        first.plot(beside=total, against=total)


def test_dots_of_small_p_values_are_full():
    intervals = np.array([[0.1, 0.5], [-0.2, 0.1], [0.0, 0.4]])
    found = wald.ConditionalTest(
        measure="loco", feature_names=["a", "b", "c"], values=intervals.mean(axis=1),
        standard_errors=np.ones(3), confidence=0.9, intervals=intervals,
        p_values=np.array([0.001, 0.7, 0.04]), adjusted_p_values=np.array([0.003, 0.7, 0.08]),
        adjustment="holm", explained_variance=0.5)
    display = found.plot()
    assert display.shown_.tolist() == [0, 2, 1]
    full, hollow = display.ax_.lines[:2]
    assert np.allclose(full.get_xdata(), [0.3])
    assert np.allclose(hollow.get_xdata(), [0.2, -0.05])
    assert full.get_markerfacecolor() != hollow.get_markerfacecolor() == "white"
    (bars,) = display.ax_.collections
    ends = [segment[:, 0] for segment in bars.get_segments()]
    assert np.allclose(ends, intervals[[0, 2, 1]])
    assert "90 % intervals over rows" in display.ax_.get_xlabel()
    with pytest.raises(wald.SettingError, match="is of type"):
        wald.ConditionalTestDisplay(3)
