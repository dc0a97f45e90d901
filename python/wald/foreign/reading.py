"""From what a program stores to a forest of this package, with what may go wrong between."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec

import numpy as np

import wald._native as _native
from wald.errors import DataError, ForestFileError, WaldError
from wald.foreign.document import Document
from wald.foreign.forest import ForeignClassifier, ForeignForest, ForeignRegressor, Imported
from wald.foreign.told import Told

Arguments = ParamSpec("Arguments")


def read(document: Document, told: Told, X: Any, y: Any, weights: np.ndarray | None = None
         ) -> Imported:
    """The forest of a document that was written from a fitted one."""
    data = told.dataset(X, y, weights)
    try:
        forest = _native.Forest.read_arrays(document.words, document.trees, data)
    except ForestFileError as error:
        # What is wrong without the rows as well is the fault of the trees, which this raises.
        _native.Forest.read_arrays(document.words, document.trees)
        raise DataError(
            f"X and y are not the rows that the forest was grown on: {error.what}",
            help="give X, y and sample_weight as they were given to the forest, "
                 "the rows in the same order") from error
    return of_kind(forest, data, told)


def of_kind(forest: _native.Forest, data: _native.Dataset | None, told: Told) -> Imported:
    """The forest by what it predicts."""
    kind: type[Imported] = ForeignRegressor if told.target.classes is None else ForeignClassifier
    return kind(forest, data, told)


def reading(program: str
            ) -> Callable[[Callable[Arguments, Imported]], Callable[Arguments, Imported]]:
    """Makes of whatever goes wrong in an unknown model an error of this package."""
    def decorated(function: Callable[Arguments, Imported]) -> Callable[Arguments, Imported]:
        @functools.wraps(function)
        def wrapped(*arguments: Arguments.args, **settings: Arguments.kwargs) -> Imported:
            try:
                return function(*arguments, **settings)
            except (ArithmeticError, AttributeError, LookupError, ValueError, TypeError) as error:
                if isinstance(error, WaldError):
                    raise
                raise ForestFileError(
                    f"the model of {program} stands otherwise than in the versions that are known: "
                    f"{type(error).__name__}: {error}",
                    help="give X as it was given to the fit; if it is, please report it with the "
                         "version of the program") from error
        return wrapped
    return decorated


def said_by(program: str, predict: Callable[[], Any]) -> np.ndarray:
    """What a program says of rows; it may refuse them in its own ways."""
    try:
        return np.asarray(predict(), dtype=np.float64)
    except Exception as error:
        raise DataError(f"{program} itself does not predict the first rows of X: {error}",
                        help="give X as it was given to the fit, and a model that predicts"
                        ) from error


def check_predictions(forest: ForeignForest, own: np.ndarray, found: np.ndarray,
                      tolerance: float) -> None:
    """Refuses a forest that does not predict what its program predicts.

    Programs change how they store trees; a wrong number would otherwise look like a right one.
    """
    scale = max(1.0, float(np.abs(own).max(initial=0.0)))
    gap = float(np.abs(np.asarray(own, dtype=np.float64) - found).max(initial=0.0))
    if not gap <= tolerance * scale:
        raise ForestFileError(
            f"the trees of {forest.program} predict other numbers than {forest.program} does "
            f"(they differ by {gap:.3g})",
            help="this is a defect of wald, or a newer version of the program: please report it")
