"""Numbers are shown with the digits of the command line."""

import os
import subprocess

import numpy as np
import pytest

import wald
from wald._results import text

DATA = wald.simulate("friedman_1", rows=120, seed=1)


@pytest.mark.skipif("WALD" not in os.environ, reason="WALD names no command")
@pytest.mark.parametrize("measure", ["mdi", "mda_breiman_cutler", "sobol_mda", "minimal_depth"])
def test_importances_look_as_on_the_command_line(measure, tmp_path):
    DATA.to_csv(tmp_path / "d.csv", index=False)
    words = ["importance", "d.csv", "--target", "y", "--trees", "20", "--constant-draws", "search",
             "--measure", measure, "--format", "md", "--quiet"]
    done = subprocess.run([os.environ["WALD"], *words], cwd=tmp_path, check=True,
                          capture_output=True, text=True)
    rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines()
            if line.startswith("| ") and line[2].isdigit()]
    theirs = {name: shown for _, name, shown in rows}
    found = wald.RandomForestRegressor(20).fit(DATA.inputs, DATA.target).importance(measure)
    ours = dict(line.split(maxsplit=1) for line in repr(found).splitlines()[1:])
    assert len(ours) == 10 and ours == theirs
    page = found._repr_html_()
    assert all(f"<td>{part.strip('±')}</td>" in page for shown in theirs.values()
               for part in shown.split())


def test_what_is_undefined_is_a_dash():
    assert text.numbers(np.array([0.5, np.nan])) == ["0.5000", "–"]
    assert text.numbers(np.array([0.001]), np.array([np.nan, 123.4])) == ["0.0"]
    assert text.numbers(np.array([])) == []
    assert text.p_values(np.array([np.nan, 1e-9, 0.04])) == ["–", "<0.0001", "0.0400"]
    assert text.intervals(np.array([[1, 4], [2, 2]]), np.ones(1)) == ["1 to 4", "2"]
