"""Two importances of the same unit in one picture."""

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
