"""Forests in files: wald's own and wald-forest JSON, which ranger, randomForest and party give."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

import wald._native as _native
from wald._tables.targets import unused_name
from wald.errors import DataError, ForestFileError
from wald.foreign.forest import Imported
from wald.foreign.reading import of_kind
from wald.foreign.rows import Rows, Target
from wald.foreign.source import Source

NO_BAGS = "the forest file does not name the rows that its trees saw (`in_bag`)"


def read_forest(path: str | os.PathLike[str], X: Any = None, y: Any = None,
                sample_weight: Any = None, clusters: Any = None) -> Imported:
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
    clusters : array of shape (n_samples,), optional
        Which rows belong together, if trees drew them so: files do not hold it.

    Returns
    -------
    ForeignRegressor or ForeignClassifier
        By what it predicts.

    Raises
    ------
    ForestFileError
        Where the file is damaged, or contradicts X and y.
    FileError
        Where the file is not there or cannot be read.
    DataError
        Where X and y do not fit the forest.

    Notes
    -----
    Cost: that of reading the file, and O(rows * depth) for each tree.

    Examples
    --------
    A stump of two leaves.

    >>> import json, pathlib, tempfile, wald
    >>> tree = {"feature": [0, -1, -1], "threshold": [0.5, 0, 0], "left": [1, -1, -1],
    ...         "right": [2, -1, -1], "value": [[2.0], [0.0], [4.0]]}
    >>> document = {"format": "wald-forest", "version": 1, "task": "regression",
    ...             "features": ["height"], "classes": None, "trees": [tree]}
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "forest.json"
    >>> _ = path.write_text(json.dumps(document))
    >>> wald.read_forest(path, [[0.0], [1.0]], [0.0, 4.0]).predict([[2.0]])
    array([4.])
    """
    content = _native.read_file(path)
    names, classes, target, levels, has_bags = _outline(content)
    if (X is None) != (y is None):
        raise DataError("X and y belong together", help="give both or none")
    found = None if y is None or classes is None else _own_classes(y, classes)
    rows = Rows(names, codes_of_booleans=_booleans(names, levels))
    source = Source("file", rows, Target(found if classes is None or found is not None
                                     else np.array(classes, dtype=object), target or unused_name(names),
                                     named=classes),
                no_bags="" if has_bags else NO_BAGS)
    if X is None:
        return of_kind(_native.Forest.read(content), None, source)
    weights = None if sample_weight is None else np.ascontiguousarray(sample_weight, np.float64)
    data = source.dataset(X, y, weights, clusters)
    return of_kind(_native.Forest.read(content, data), data, source)


def from_ranger(path: str | os.PathLike[str], X: Any, y: Any) -> Imported:
    """Import a forest of R's ranger that ``R/R/from_ranger.R`` has written as ``wald-forest`` JSON.

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
    ForeignRegressor or ForeignClassifier
        With the rows that every tree saw, so that all measures apply.

    Raises
    ------
    WaldError
        As :func:`wald.read_forest`.

    Notes
    -----
    Cost: that of reading the file, and O(rows * depth) for each tree.

    Examples
    --------
    >>> import json, pathlib, tempfile, wald
    >>> tree = {"feature": [0, -1, -1], "threshold": [0.5, 0, 0], "left": [1, -1, -1],
    ...         "right": [2, -1, -1], "in_bag": [1, 1]}
    >>> document = {"format": "wald-forest", "version": 1, "task": "regression",
    ...             "features": ["height"], "classes": None, "trees": [tree]}
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "forest.json"
    >>> _ = path.write_text(json.dumps(document))
    >>> wald.from_ranger(path, [[0.0], [1.0]], [0.0, 4.0])
    ForeignRegressor(program='ranger', n_trees=1, n_features=1)
    """
    forest = read_forest(path, X, y)
    forest.program = forest._source.program = "ranger"
    return forest


def _outline(content: bytes) -> tuple[list[str], list[str] | None, str, Any, bool]:
    """Names of variables, classes and target, levels of variables, and whether bags are known."""
    if not content.lstrip()[:1] == b"{":
        forest = _native.Forest.read(content)
        return (forest.feature_names, forest.classes, forest.target_name, None, forest.has_bags)
    try:
        document = json.loads(content)
        trees = document["trees"]
        lists = [document["features"], document.get("classes"), document.get("feature_levels")]
        if not all(each is None or isinstance(each, list) for each in lists):
            raise ValueError("features, classes or feature_levels are not lists")
        return ([str(name) for name in document["features"]], document.get("classes"),
                document.get("target"), document.get("feature_levels"),
                all("in_bag" in tree or "inbag" in tree for tree in trees))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        _native.Forest.read(content)  # Its message is more precise.
        raise ForestFileError(f"the file is not a forest: {error}",
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
