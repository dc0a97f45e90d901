"""Uncertainty of importances, against the command line and against other results."""

import json
import subprocess

import numpy as np
import pandas as pd
import pytest
from pages import ROOT, command

import wald

DATA = wald.simulate("friedman_1", rows=120, seed=2)
FOREST = wald.RandomForestRegressor(60, random_state=3).fit(DATA.inputs, DATA.target)


def test_both_errors_and_what_follows():
    found = wald.uncertainty(FOREST, "mdi_oob", subsamples=8, null_forests=5)
    importance = FOREST.importance("mdi_oob")
    assert (found.values == importance.values).all()
    assert (found.monte_carlo_errors == importance.standard_errors).all()
    both = np.hypot(found.monte_carlo_errors, found.sampling_errors)
    np.testing.assert_allclose(found.standard_errors, both, rtol=1e-12)
    low, high = found.intervals.T
    reach = 1.6448536269514722 * both
    np.testing.assert_allclose(found.values - low, reach, rtol=1e-9)
    # Further up, for errors grow with the importance.
    positive = np.maximum(found.values, 1e-12)
    more = np.where(found.values > 0, np.minimum(reach**2 / (2 * positive), 2 * positive), 0)
    np.testing.assert_allclose(high - found.values, reach + more, rtol=1e-9)
    assert (found.simultaneous_intervals[:, 0] <= low).all()
    assert (found.rank_intervals[:, 0] <= found.rank_intervals[:, 1]).all()
    assert (found.adjusted_p_values >= found.p_values).all() and found.null == "permuted"
    frame = found.to_pandas()
    assert frame["low"].tolist() == low.tolist() and len(found.to_polars()) == 10
    assert found.feature_names[found.ranking()[0]] in repr(found).splitlines()[2]
    assert "90 % interval" in found._repr_html_() and "p-values: permuted" in found._repr_html_()
    assert all(trees is None or trees > 0 for _, _, trees in found.trees_to_separate)


def test_several_measures_share_forests():
    both = wald.uncertainty(FOREST, ["mdi", "sobol_mda"], subsamples=6, null_distribution="shadow", null_forests=6)
    alone = wald.uncertainty(FOREST, "sobol_mda", subsamples=6, null_distribution="shadow", null_forests=6)
    assert [one.measure for one in both] == ["mdi", "sobol_mda"] and both[1] == alone


def test_the_jackknife_grows_nothing():
    found = wald.uncertainty(FOREST, "mdi", variance="jackknife")
    assert np.nanmax(found.sampling_errors) > 0.0 and found.errors == "jackknife"


def test_progress_never_goes_back():
    calls = []
    wald.uncertainty(FOREST, "mdi", subsamples=40, null_distribution="shadow", null_forests=10,
                     progress=lambda done, of: calls.append((done, of)))
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1][0] == calls[-1][1] and calls[-1][1] == 60 + 50 * 40 // 2 + 2 * 10 * 60


def test_the_command_line_finds_the_same(tmp_path):
    table = pd.DataFrame(DATA.inputs).assign(y=DATA.target)
    table.to_csv(tmp_path / "data.csv", index=False)
    words = ["--target", "y", "--trees", "60", "--seed", "3", "--subsamples", "7", "--measure",
             "mdi,sobol_mda", "--null-distribution", "mirrored", "--format", "json", "--quiet",
             "--constant-draws", "search"]
    text = subprocess.run([command(), "uncertainty", tmp_path / "data.csv", *words], check=True,
                          capture_output=True, text=True, cwd=ROOT).stdout
    printed = json.loads(text)["measures"]
    found = wald.uncertainty(FOREST, ["mdi", "sobol_mda"], subsamples=7, null_distribution="mirrored")
    for one, other in zip(found, printed):
        ends = [[interval["low"], interval["high"]] for interval in other["intervals"]]
        p_values = [np.nan if p is None else p for p in other["p_values"]]
        assert one.values.tolist() == other["values"]
        assert one.intervals.tolist() == ends
        np.testing.assert_array_equal(one.p_values, p_values)


@pytest.mark.parametrize("errors", ["subsampling", "jackknife"])
def test_forests_of_other_programs_cannot_be_grown(errors):
    from sklearn.ensemble import RandomForestRegressor

    fitted = RandomForestRegressor(5).fit(DATA.inputs, DATA.target)
    forest = wald.from_sklearn(fitted, DATA.inputs, DATA.target)
    with pytest.raises(wald.WaldError) as refused:
        wald.uncertainty(forest, "mdi", variance=errors)
    assert refused.value.help


def test_ranks_that_tell_nothing_are_explained():
    random = np.random.default_rng(0)
    noise = wald.RandomForestRegressor(20).fit(random.normal(size=(40, 5)), random.normal(size=40))
    found = wald.uncertainty(noise, "mdi", subsamples=10)
    assert (found.rank_intervals == [1, 5]).all()
    for shown in (" ".join(repr(found).split()), found._repr_html_()):
        assert "every rank is 1 to 5: with 40 rows no two of the variables differ" in shown
        assert "probability of 90 %; more rows, fewer variables" in shown
    assert max(map(len, repr(found).splitlines())) <= 88
    settled = wald.uncertainty(FOREST, "mdi", subsamples=10)
    assert (settled.rank_intervals != [1, 10]).any() and "every rank" not in repr(settled)
