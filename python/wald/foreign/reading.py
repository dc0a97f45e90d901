"""From the model of another program to a forest of this package, with checks and errors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec

import numpy as np

import wald._native as _native
from wald.errors import DataError, DataTypeError, ForestFileError, WaldError
from wald.foreign.document import Document, Tree, written
from wald.foreign.forest import ForeignClassifier, ForeignForest, ForeignRegressor, Imported
from wald.foreign.source import Source

Arguments = ParamSpec("Arguments")


def read(document: Document, source: Source, X: Any, y: Any, weights: np.ndarray | None = None
         ) -> Imported:
    """The forest of a document that was written from a fitted one."""
    data = source.dataset(X, y, weights)
    try:
        forest = _native.Forest.read_arrays(document.words, document.trees, data)
    except ForestFileError as error:
        # What is wrong without the rows as well is the fault of the trees, which this raises.
        _native.Forest.read_arrays(document.words, document.trees)
        raise DataError(
            f"X and y are not the rows that the forest was grown on: {error.what}",
            help="give X, y and sample_weight as they were given to the forest, "
                 "the rows in the same order") from error
    return of_kind(forest, data, source)


def document_of(trees: list[Tree], source: Source, n_outputs: int, **fields: Any) -> Document:
    """The document of trees that predict classes one by one, or a number."""
    return written(
        trees, source.rows.names, classes=source.target.names if n_outputs > 1 else None,
        target=source.target.name, feature_levels=source.rows.level_names()
        if source.rows.levels else None, **fields)


def check_program(fitted: Any, program: str, *, is_model: bool, help: str) -> None:
    """Refuses what is no model of the package ``program``."""
    kind = type(fitted)
    if kind.__module__.partition(".")[0] != program or not is_model:
        raise DataTypeError(f"from_{program} cannot read a {kind.__name__}", help=help)


def check_supported(what: str, value: str, known: Iterable[str]) -> None:
    """Refuses what is not listed."""
    if value not in known:
        raise DataTypeError(f"the {what} {value!r} is not supported",
                            help=f"those that are: {', '.join(known)}")


def not_fitted(fitted: Any) -> DataError:
    return DataError(f"this {type(fitted).__name__} is not fitted", help="call its fit(X, y) first")


def of_kind(forest: _native.Forest, data: _native.Dataset | None, source: Source) -> Imported:
    """The forest by what it predicts."""
    kind: type[Imported] = ForeignRegressor if source.target.classes is None else ForeignClassifier
    return kind(forest, data, source)


def reading(program: str
            ) -> Callable[[Callable[Arguments, Imported]], Callable[Arguments, Imported]]:
    """Turns any failure on an unknown model into an error of this package."""
    def decorated(function: Callable[Arguments, Imported]) -> Callable[Arguments, Imported]:
        @functools.wraps(function)
        def wrapped(*arguments: Arguments.args, **settings: Arguments.kwargs) -> Imported:
            try:
                return function(*arguments, **settings)
            except (ArithmeticError, AttributeError, LookupError, ValueError, TypeError) as error:
                if isinstance(error, WaldError):
                    raise
                raise ForestFileError(
                    f"the model of {program} is stored in another way than in the known versions: "
                    f"{type(error).__name__}: {error}",
                    help="give X as it was given to the fit; if it is, please report it with the "
                         "version of the program") from error
        return wrapped
    return decorated


def predicted_by(program: str, predict: Callable[[], Any]) -> np.ndarray:
    """What a program predicts for rows; it may refuse them in its own ways."""
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
