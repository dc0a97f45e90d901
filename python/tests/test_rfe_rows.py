"""Elimination of groups, of rows that belong together, and with a pause."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pytest

import wald

DATA = wald.simulate("friedman_1", rows=120, seed=1)
GROUPS = {"first": ["x2", "x1"], "noise": ["x7", "x9", "x10"]}
PATIENTS = np.repeat(np.arange(40), 3)


def selector(**settings):
    forest = wald.RandomForestRegressor(20)
    return wald.RFE(forest, **{"folds": 3, "step": 2, "measure": "mda_breiman_cutler"} | settings)


def test_groups_leave_together():
    found = selector(groups=GROUPS, n_features_to_select=3).fit(DATA.inputs, DATA.target)
    selection = found.selection_
    assert selection.feature_names == ["first", "x3", "x4", "x5", "x6", "noise", "x8"]
    assert selection.n_variables.tolist() == [7, 5, 3, 1] and found.n_features_ == 3
    kept = {selection.feature_names[at] for at in selection.kept(3)}
    names = list(DATA.inputs)
    for group, columns in {**GROUPS, "x4": ["x4"], "x6": ["x6"]}.items():
        for column in columns:
            assert found.support_[names.index(column)] == (group in kept), column
    ranks = {name: rank for name, rank in zip(names, found.ranking_)}
    assert ranks["x1"] == ranks["x2"] == 1
    assert ranks["x7"] == ranks["x9"] == ranks["x10"] > 1
    assert found.transform(DATA.inputs).shape == (120, found.support_.sum())
    assert found.estimator_.n_features_in_ == found.support_.sum()
    assert np.isfinite(found.predict(DATA.inputs)).all()


@pytest.mark.parametrize("groups, words", [
    ({"a": ["x1", "nonsense"]}, "nonsense"), ({"a": ["x1"], "b": ["x1", "x2"]}, "x1"),
    ({"a": []}, "a")])
def test_groups_that_do_not_fit_are_refused(groups, words):
    with pytest.raises(wald.WaldError, match=words):
        selector(groups=groups).fit(DATA.inputs, DATA.target)


def test_rows_that_belong_together_stay_together():
    clustered = selector().fit(DATA.inputs, DATA.target, clusters=PATIENTS)
    apart = selector().fit(DATA.inputs, DATA.target)
    assert clustered.selection_ != apart.selection_
    last = clustered.estimator_
    for tree in range(20):
        counts = last._forest.in_bag(tree).reshape(40, 3) > 0
        assert (counts.all(axis=1) | ~counts.any(axis=1)).all()


@pytest.mark.skipif("WALD" not in os.environ, reason="WALD names no command")
def test_numbers_are_those_of_the_command_line(tmp_path):
    DATA.inputs.assign(y=DATA.target, patient=PATIENTS).to_csv(tmp_path / "d.csv", index=False)
    command = [os.environ["WALD"], "select", "d.csv", "--target", "y", "--trees", "20",
               "--constant-draws", "search",
               "--folds", "3", "--step", "2", "--measure", "mda_breiman_cutler", "--cluster",
               "patient", "--group", "first=x2,x1", "--group", "noise=x7,x9,x10", "--format",
               "json", "--quiet", "--resume", "r.state"]
    printed = json.loads(subprocess.check_output(command, cwd=tmp_path))
    fitted = selector(groups=GROUPS).fit(DATA.inputs, DATA.target, clusters=PATIENTS)
    found = fitted.selection_
    assert printed["features"] == found.feature_names
    assert [point["error"] for point in printed["curve"]] == found.errors.tolist()
    assert printed["order"] == [found.feature_names[at] for at in found.order]
    # What one of them has finished the other need not do again.
    doing = []
    again = selector(groups=GROUPS, resume=tmp_path / "r.state",
                     progress=lambda *work: doing.append(work))
    again.fit(DATA.inputs, DATA.target, clusters=PATIENTS)
    assert again.selection_ == found and {total for _, total in doing} == {0}


class Paused(Exception):
    """Raised by a progress function."""


def test_work_goes_on_where_it_was_paused(tmp_path):
    path = tmp_path / "state"
    expected = selector().fit(DATA.inputs, DATA.target).selection_
    totals = []

    def pause(done, total):
        totals.append(total)
        if path.exists():
            raise Paused

    long = {"folds": 40, "resume": path}
    with pytest.raises(Paused):
        selector(progress=pause, **long).fit(DATA.inputs, DATA.target)
    finished = path.read_bytes()
    left = []
    whole = selector(progress=lambda done, total: left.append(total), **long)
    whole.fit(DATA.inputs, DATA.target)
    assert 0 < max(left) < max(totals) and path.read_bytes() != finished
    assert whole.selection_ == selector(folds=40).fit(DATA.inputs, DATA.target).selection_
    assert [file.name for file in tmp_path.iterdir()] == ["state"]
    # Of other data, settings or measure, or damaged, it is refused; nothing is overwritten.
    stored = path.read_bytes()
    for other, target, words in ((selector(**long), DATA.target[::-1], "other data"),
                                 (selector(resume=path), DATA.target, "folds"),
                                 (selector(measure="mdi", **long), DATA.target, "measure")):
        with pytest.raises(wald.ForestFileError, match=words):
            other.fit(DATA.inputs, target)
    path.write_bytes(stored[:-9])
    with pytest.raises(wald.ForestFileError, match="damaged"):
        selector(**long).fit(DATA.inputs, DATA.target)
    assert path.read_bytes() == stored[:-9]
    assert expected == selector(resume=tmp_path / "new").fit(DATA.inputs, DATA.target).selection_


def test_shared_work_goes_on_where_it_was_paused(tmp_path):
    """Rounds of two eliminations: the first stop keeps one round, and the rest is done once."""
    expected = selector().fit(DATA.inputs, DATA.target)
    path = tmp_path / "state"

    def pause(done, total):
        assert (done, total) == (2, 4)
        raise Paused

    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(Paused):
            selector(resume=path, progress=pause).fit(DATA.inputs, DATA.target, executor=pool)
        done = []
        whole = selector(resume=path, progress=lambda *work: done.append(work))
        whole.fit(DATA.inputs, DATA.target, executor=pool)
        # The last call only summarises what is there.
        assert done[0] == (4, 4) and {total for _, total in done[1:]} <= {0}
        assert whole.selection_ == expected.selection_
        assert (whole.estimator_.predict(whole.transform(DATA.inputs))
                == expected.estimator_.predict(expected.transform(DATA.inputs))).all()
        # One process alone goes on from that state, too.
        alone = selector(resume=path).fit(DATA.inputs, DATA.target)
        assert alone.selection_ == expected.selection_
        with pytest.raises(wald.ForestFileError, match="other data"):
            selector(resume=path).fit(DATA.inputs, DATA.target[::-1], executor=pool)


def test_a_state_that_cannot_be_written_stops_the_work(tmp_path):
    with pytest.raises(FileNotFoundError):
        selector(resume=tmp_path / "nowhere" / "state").fit(DATA.inputs, DATA.target)
    with pytest.raises(IsADirectoryError):
        selector(resume=tmp_path).fit(DATA.inputs, DATA.target)


def test_a_table_without_columns_to_take_is_refused():
    class Capsule:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.table(DATA.inputs).__arrow_c_stream__(requested_schema)

    with pytest.raises(wald.DataTypeError, match="Capsule"):
        selector().fit(Capsule(), DATA.target)
    arrow = selector().fit(pa.table(DATA.inputs), DATA.target)
    assert arrow.selection_ == selector().fit(DATA.inputs, DATA.target).selection_
