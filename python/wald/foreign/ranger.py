"""Forests in files: wald's own and wald-forest JSON, which ranger, randomForest and party give."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from wald import _native
from wald.errors import DataError, DataTypeError, ForestFileError
from wald.foreign.forest import ForeignForest
from wald.foreign.reading import of_kind
from wald.foreign.rows import Rows, Target
from wald.foreign.told import Told

NO_BAGS = "the forest file does not name the rows that its trees saw (`in_bag`)"


def read_forest(path: str | os.PathLike[str], X: Any = None, y: Any = None,
                sample_weight: Any = None) -> ForeignForest:
    """Read a forest from a file: wald's model file, or ``wald-forest`` JSON of any program.

    Parameters
    ----------
    path : str or path
        The file.
    X : array or data frame of shape (n_samples, n_features), optional
        The rows the forest was grown on. Without them, the forest only predicts.
    y : array of shape (n_samples,), optional
        Their target.
    sample_weight : array of shape (n_samples,), optional
        Their case weights, if the forest was grown with any.

    Returns
    -------
    ForeignForest

    Raises
    ------
    ForestFileError
        Where the file is damaged, or says something else of its nodes than X and y do.
    DataError
        Where X and y do not fit the forest, or the file cannot be read.
    """
    content = _content(path)
    names, classes, target, levels, has_bags = _outline(content)
    if (X is None) != (y is None):
        raise DataError("X and y belong together", help="give both or none")
    found = None if y is None or classes is None else _own_classes(y, classes)
    rows = Rows(names, codes_of_booleans=_booleans(names, levels))
    told = Told("file", rows, Target(found if classes is None or found is not None
                                     else np.array(classes, dtype=object), target or "y",
                                     named=classes),
                no_bags="" if has_bags else NO_BAGS)
    if X is None:
        return of_kind(_native.Forest.read(content), None, told)
    weights = None if sample_weight is None else np.ascontiguousarray(sample_weight, np.float64)
    data = told.dataset(X, y, weights)
    return of_kind(_native.Forest.read(content, data), data, told)


def from_ranger(path: str | os.PathLike[str], X: Any, y: Any) -> ForeignForest:
    """Import a forest of R's ranger that ``docs/from_r.R`` has written as ``wald-forest`` JSON.

    Parameters
    ----------
    path : str or path
        What ``writeLines(wald_from_ranger(fit, data), path)`` wrote; ``wald_from_randomforest`` and
        ``wald_from_party`` write such files, too.
    X : array or data frame of shape (n_samples, n_features)
        The rows the forest was grown on, with R's names of columns.
    y : array of shape (n_samples,)
        Their target.

    Returns
    -------
    ForeignForest
        With the rows that every tree saw, so that all measures apply.

    Raises
    ------
    WaldError
        As :func:`wald.read_forest`.
    """
    forest = read_forest(path, X, y)
    forest.program = forest._told.program = "ranger"
    return forest


def _content(path: Any) -> bytes:
    if not isinstance(path, (str, os.PathLike)):
        raise DataTypeError(f"a {type(path).__name__} is no path of a file",
                            help="give the path that R wrote the forest to")
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise DataError(f"{os.fspath(path)!r} cannot be read: {error.strerror}",
                        help="give the path of a file with a forest") from error


def _outline(content: bytes) -> tuple[list[str], list[str] | None, str, Any, bool]:
    """Names of variables, classes and target, levels of variables, and whether bags are known."""
    if not content.lstrip()[:1] == b"{":
        forest = _native.Forest.read(content)
        return (forest.feature_names, forest.classes, forest.target_name, None, forest.has_bags)
    try:
        document = json.loads(content)
        trees = document["trees"]
        return ([str(name) for name in document["features"]], document.get("classes"),
                document.get("target"), document.get("feature_levels"),
                all("in_bag" in tree or "inbag" in tree for tree in trees))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        _native.Forest.read(content)  # It says more about what is wrong.
        raise ForestFileError(f"the file is no forest: {error}",
                              help="write it again as docs/files.md describes") from error


def _own_classes(y: Any, classes: list[str]) -> np.ndarray:
    """The values of y that the classes of the file name, in their order."""
    values = {str(value): value for value in np.unique(np.asarray(y)).tolist()}
    values |= {str(int(value)): value for value in values.values()
               if isinstance(value, float) and value.is_integer()}
    return np.array([values.get(name, name) for name in classes], dtype=object)


def _booleans(names: list[str], levels: Any) -> dict[str, list[str]]:
    """By name, how a program spells no and yes where R's are TRUE and FALSE."""
    if not levels:
        return {}
    return {name: known for name, known in zip(names, levels)
            if known and set(known) <= {"FALSE", "TRUE"}}
