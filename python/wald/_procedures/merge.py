"""Forests of one seed whose trees were grown in several places."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TypeVar

import wald._native as _native
from wald._estimators.base import Forest
from wald._progress import progress_of
from wald.errors import DataError, SettingError

Grown = TypeVar("Grown", bound=Forest)


def merge(forests: Iterable[Grown]) -> Grown:
    """Make one forest of forests that were grown with different ranges of trees.

    Parameters
    ----------
    forests : iterable of estimators
        Fitted to one table with equal arguments, but for ``n_estimators`` and ``first_tree``: each
        begins where another one ends. In any order.

    Returns
    -------
    estimator
        What fitting all of these trees at once gives, to the last bit: out-of-bag predictions and
        importances, too.

    Raises
    ------
    SettingError
        For what is no fitted forest of wald, and forests of different kinds.
    DataError
        Where the forests were fitted to different tables, targets, weights or clusters.
    ForestFileError
        Where other arguments differ, and where trees are missing or there twice.

    Notes
    -----
    Cost: that of copying the trees and of predicting the out-of-bag rows.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> first = wald.RandomForestRegressor(30).fit(data.inputs, data.target)
    >>> rest = wald.RandomForestRegressor(20, first_tree=30).fit(data.inputs, data.target)
    >>> merged = wald.merge([first, rest])
    >>> merged
    RandomForestRegressor(n_estimators=50)
    >>> at_once = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
    >>> bool((merged.oob_prediction_ == at_once.oob_prediction_).all())
    True
    """
    if isinstance(forests, Forest) or not isinstance(forests, Iterable):
        raise SettingError(f"forests is of type {type(forests).__name__}", setting="forests",
                           help="give a list of fitted forests of wald")
    parts = list(forests)
    for part in parts:
        if not isinstance(part, Forest) or isinstance(part, type):
            raise SettingError(
                f"{getattr(part, '__name__', type(part).__name__)} is not an estimator of wald",
                help="give fitted forests of wald")
        part._check_grown()
        if type(part) is not type(parts[0]):
            raise SettingError(
                f"{type(part).__name__} and {type(parts[0]).__name__} are different forests",
                help="give forests of one kind")
        if not part._data.is_same(parts[0]._data):
            raise DataError("the forests were fitted to different tables",
                            help="fit all of them to the same X, y, weights and clusters")
    joined = _native.Forest.merged([part._forest for part in parts])
    first = min(parts, key=lambda part: part._grown_with["first_tree"])
    return _whole(first, joined)


def _whole(first: Grown, joined: _native.Forest) -> Grown:
    """A forest like one of its parts, with all trees."""
    whole = object.__new__(type(first))
    whole.__dict__.update(vars(first))
    whole.n_estimators = joined.n_trees
    whole._grown_with = {**first._grown_with, "n_trees": joined.n_trees}
    # No tree is missing: this predicts the out-of-bag rows.
    whole._forest, whole._grown = joined.grow_more(
        first._data, json.dumps(whole._grown_with),
        work=(first._threads(), progress_of(None, "predicting rows")))
    whole._importances = None
    whole._set_oob_score_and_attributes(whole._training_target())
    return whole
