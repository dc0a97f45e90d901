"""Several targets at once: as outputs of the engine, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse

from wald._tables.columns import class_name
from wald.errors import DataError
from wald.typing import Floats

# Names of outputs, their values row after row, and the number of targets.
Outputs = tuple[list[str], Floats, int]


def n_columns(y: Any) -> int:
    """The number of columns of a target: 1 unless it is a table."""
    if issparse(y):
        # The words of scikit-learn, which programs look for.
        raise DataError("sparse multilabel-indicator for y is not supported",
                        help="give its columns as an array: y.toarray()")
    try:
        shape: tuple[int, ...] = np.shape(y) if isinstance(y, (list, tuple)) else getattr(y, "shape", ())
    except ValueError:
        return 1  # Rows of different lengths, which scikit-learn refuses.
    return int(shape[1]) if len(shape) == 2 else 1


def check_one_column(y: Any) -> None:
    """Refuses several targets, where something is computed of one."""
    if n_columns(y) > 1:
        raise DataError(f"y has {n_columns(y)} columns, but this is computed of one target",
                        help="give one of its columns; forests of several targets are fitted by fit")


def numbers(y: np.ndarray, names: list[str]) -> Outputs:
    """Numbers as they are: an output for each."""
    return names, np.ascontiguousarray(y, dtype=np.float64).ravel(), y.shape[1]


def indicators(codes: np.ndarray, classes: list[np.ndarray], names: list[str]) -> Outputs:
    """Classes as columns of zeros and ones, whose variances add up to the Gini impurity."""
    columns = [codes[:, at, np.newaxis] == np.arange(len(found))
               for at, found in enumerate(classes)]
    named = [f"{name}: {class_name(of)}" for name, found in zip(names, classes) for of in found]
    return named, np.hstack(columns).astype(np.float64).ravel(), len(classes)


def by_target(values: Floats, classes: list[np.ndarray]) -> list[Floats]:
    """The shares of the classes of each target, of rows of all of them."""
    ends = np.cumsum([len(found) for found in classes])[:-1]
    return [np.ascontiguousarray(part) for part in np.split(values, ends, axis=1)]


def likeliest(shares: list[Floats]) -> np.ndarray:
    """The place of the largest share, by row and target; of equal ones the first."""
    return np.column_stack([np.argmax(of_target, axis=1) for of_target in shares])


def named(places: np.ndarray, classes: list[np.ndarray]) -> np.ndarray:
    """The classes at these places, by row and target."""
    return np.column_stack([found[places[:, at]] for at, found in enumerate(classes)])
