"""From the model of another program to a forest of this package, with checks and errors."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

import wald._native as _native
from wald.errors import DataError, DataTypeError, ForestFileError, WaldError
from wald.foreign.document import Tree
from wald.foreign.forest import ForeignClassifier, ForeignRegressor, Imported
from wald.foreign.rows import own_frame
from wald.foreign.source import Source
from wald.typing import Floats

P = ParamSpec("P")
R = TypeVar("R")


def imported(trees: list[Tree], source: Source, X: Any, y: Any, *, is_classes: bool,
             weights: np.ndarray | None = None, **fields: Any) -> Imported:
    """The forest of the trees of a fitted one, whose nodes hold shares of classes or numbers;
    ``fields`` are further ones of the format."""
    rows, target = source.rows, source.target
    document = json.dumps({
        "format": "wald-forest",
        "version": 1,
        "task": "classification" if is_classes else "regression",
        "features": rows.names,
        "feature_levels": rows.level_names() if rows.levels else None,
        "classes": target.names if is_classes else None,
        "target": target.name,
        **fields,
        "trees": [tree.words() for tree in trees],
    }, allow_nan=False).encode()
    # The numbers of trees would be slow as text.
    arrays = [tree.arrays() for tree in trees]
    data = source.dataset(X, y, weights)
    try:
        forest = _native.Forest.read_arrays(document, arrays, data)
    except ForestFileError as error:
        # What is wrong without the rows as well is the fault of the trees, which this raises.
        _native.Forest.read_arrays(document, arrays)
        raise DataError(
            f"X and y are not the rows that the forest was grown on: {error.what}",
            help="give X, y and sample_weight as they were given to the forest, "
                 "the rows in the same order") from error
    return of_kind(forest, data, source)


def check_program(fitted: Any, program: str, *, is_model: bool, help: str) -> None:
    """Refuses what is not a model of the package ``program``."""
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


def reading(program: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Turns any failure of a function on an unknown model into an error of this package."""
    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def read(*arguments: P.args, **named: P.kwargs) -> R:
            if (kind := kind_of_wald(arguments[0] if arguments else None)) is not None:
                raise DataTypeError(f"{function.__name__} was given a {kind} of wald itself",
                                    help="forests of wald need no import: call importance() and "
                                         "explain() of the forest")
            # An argument that lacks is no failure on a model.
            inspect.signature(function).bind(*arguments, **named)
            with _failures(program):
                return function(*arguments, **named)
        return read
    return decorated


def kind_of_wald(fitted: Any) -> str | None:
    """The name of the type of a forest or tree of this package."""
    kind = type(fitted)
    return kind.__name__ if kind.__module__.partition(".")[0] == "wald" else None


@contextmanager
def _failures(program: str) -> Iterator[None]:
    try:
        yield
    except WaldError:
        raise
    except (ArithmeticError, AttributeError, LookupError, ValueError, TypeError) as error:
        raise ForestFileError(
            f"the model of {program} is stored in another way than in the known versions: "
            f"{type(error).__name__}: {error}",
            help="give X as it was given to the fit; if it is, please report it with the version "
                 "of the program") from error


# Rows that a program and its imported forest predict.
CHECKED = 1000


def check_predictions(forest: Imported, X: Any, own: Callable[[Any], Any], tolerance: float, *,
                      found: Callable[[Any], Floats] | None = None) -> None:
    """Refuses a forest that does not predict what its program predicts.

    Of the first rows, ``own`` gives what the program predicts, which may refuse them in its own
    ways, and ``found`` what the forest does, the sums of its trees unless given.
    """
    some, program = own_frame(X, CHECKED), forest.program
    try:
        wanted = np.asarray(own(some), dtype=np.float64)
    except Exception as error:
        raise DataError(f"{program} itself does not predict the first rows of X: {error}",
                        help="give X as it was given to the fit, and a model that predicts"
                        ) from error
    predicted = (found or forest._predicted)(some)
    scale = max(1.0, float(np.abs(wanted).max(initial=0.0)))
    gap = float(np.abs(wanted.reshape(predicted.shape) - predicted).max(initial=0.0))
    if not gap <= tolerance * scale:
        raise ForestFileError(
            f"the trees of {program} predict other numbers than {program} does "
            f"(they differ by {gap:.3g})",
            help="this is a defect of wald, or a newer version of the program: please report it")
