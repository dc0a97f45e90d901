"""Forests are pickled through the checked model format."""

import copy
import pickle

import joblib
import lightgbm
import numpy as np
import pytest
from kinds_of_tables import hash_of, mixed

import wald

FRAME, Y = mixed()
CLASSES = np.where(Y > np.median(Y), "high", "low")


def forests():
    """Fitted and imported forests; one with weights and clusters."""
    matrix = FRAME[["number", "whole"]].to_numpy()
    model = lightgbm.LGBMRegressor(n_estimators=5, verbose=-1).fit(matrix, Y)
    patients = np.repeat(np.arange(80), 3)
    return [
        wald.RandomForestRegressor(8).fit(FRAME, Y),
        wald.RandomForestClassifier(8).fit(FRAME, CLASSES, np.arange(240.0) + 1, patients),
        wald.ConditionalForestRegressor(8).fit(FRAME, Y),
        wald.from_lightgbm(model, matrix, Y),
    ]


FORESTS = forests()
PROTOCOLS = [lambda forest, protocol=protocol: pickle.loads(pickle.dumps(forest, protocol))
             for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]


def through_file(forest, tmp_path, **settings):
    joblib.dump(forest, tmp_path / "forest.joblib", **settings)
    return joblib.load(tmp_path / "forest.joblib")


def rows(forest):
    return FRAME if forest.n_features_in_ == 5 else FRAME[["number", "whole"]].to_numpy()


def check(again, forest):
    assert type(again) is type(forest) and repr(again) == repr(forest)
    assert hash_of(again) == hash_of(forest)
    assert np.array_equal(again.predict(rows(forest)), forest.predict(rows(forest)))
    assert np.array_equal(again.importance("mdi").values, forest.importance("mdi").values)
    assert np.array_equal(again.explain(measure="saabas").values,
                          forest.explain(measure="saabas").values)


@pytest.mark.parametrize("forest", FORESTS)
def test_copies_are_equal(forest, tmp_path):
    for copied in [*PROTOCOLS, copy.copy, copy.deepcopy]:
        check(copied(forest), forest)
    check(through_file(forest, tmp_path), forest)
    check(through_file(forest, tmp_path, compress=3), forest)


def test_a_copy_goes_its_own_way():
    forest = wald.RandomForestRegressor(8).fit(FRAME, Y)
    again = copy.deepcopy(forest).set_params(n_estimators=3).fit(FRAME[::2], Y[::2])
    assert hash_of(again) != hash_of(forest) == hash_of(FORESTS[0])


def test_forests_that_are_not_grown():
    forest = wald.ExtraTreesClassifier(7, class_weight="balanced")
    again = pickle.loads(pickle.dumps(forest))
    assert again.get_params() == forest.get_params() and not hasattr(again, "_forest")


@pytest.mark.parametrize("at", range(2))
def test_damage_is_noticed(at):
    """Every bit of what the forest holds is under its checksum: flips of it are errors of wald.
    Around it are the names of classes and the like, where pickle itself may complain."""
    forest = FORESTS[at]
    whole = pickle.dumps(forest, 3)
    state = forest.__getstate__()["state"]
    start = whole.index(state)
    random = np.random.default_rng(0)
    places = random.choice(len(state), 300, replace=False)
    for place in places:
        damaged = bytearray(whole)
        damaged[start + place] ^= 1 << random.integers(8)
        with pytest.raises(wald.ForestFileError, match="checksum") as caught:
            pickle.loads(bytes(damaged))
        assert isinstance(caught.value, wald.WaldError)
    # The five bytes before are the length, where a flip asks for any amount of memory.
    around = [*range(start - 5), *range(start + len(state), len(whole))]
    for place in around:
        damaged = bytearray(whole)
        damaged[place] ^= 1
        try:
            again = pickle.loads(bytes(damaged))
        except Exception:  # noqa: BLE001
            continue  # Of pickle, which reads names and lengths there.
        if isinstance(again, type(forest)) and hasattr(again, "_forest"):
            check(again, forest)


def test_cut_pickles_are_refused():
    whole = pickle.dumps(FORESTS[0])
    for length in np.linspace(0, len(whole) - 1, 200).astype(int):
        with pytest.raises((wald.WaldError, pickle.UnpicklingError, EOFError)):
            pickle.loads(whole[:length])


def test_states_of_another_make_are_refused():
    for state in ({}, {"state": b"x", "sha256": "0"}, {"n_estimators": 5}):
        with pytest.raises(wald.ForestFileError, match="damaged"):
            wald.RandomForestRegressor().__setstate__(state)
