"""Results: numbers with their names, errors, frames and pictures."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from wald.errors import in_python


class Importance:
    """How much every variable matters, by one measure.

    Attributes
    ----------
    measure : str
        Name of the measure.
    values : ndarray of shape (n_variables,)
        NaN where undefined; in ``unit``.
    feature_names : list of str
        Names of the variables, or of the groups of them.
    standard_errors : ndarray of shape (n_variables,) or None
        Monte-Carlo standard errors.
    p_values : ndarray of shape (n_variables,) or None
        Where the measure has them.
    per_tree : ndarray of shape (n_trees, n_variables) or None
        What single trees say, where the measure is a mean over trees.
    repeats : ndarray of shape (n_permutations, n_variables) or None
        What single random permutations say.
    per_class : dict of str to ndarray, or None
        Values for every class, where they were asked for.
    by_degree : ndarray of shape (n_variables, n_degrees) or None
        Values by degree of interaction, where they were asked for.
    unit, data, loss : str
        Unit of the values, rows that were looked at, and the loss where there is one.
    settings : dict of str to str
        What shaped the values.
    notes : list of str
        What the reader must know about these values.
    """

    def __init__(self, words: dict[str, Any], names: list[str], arrays: dict[str, Any]) -> None:
        self.measure: str = words["id"]
        self.data: str = words["data"]
        self.loss: str | None = words["loss"]
        self.unit: str = words["unit"]
        self.settings: dict[str, str] = words["settings"]
        self.notes: list[str] = [in_python(note) for note in words["notes"]]
        self.feature_names = names
        self.values: np.ndarray = arrays["values"]
        self.standard_errors: np.ndarray | None = arrays["standard_errors"]
        self.p_values: np.ndarray | None = arrays["p_values"]
        self.per_tree: np.ndarray | None = arrays["per_tree"]
        self.repeats: np.ndarray | None = arrays["repeats"]
        classes = words.get("per_class")
        self.per_class = None if classes is None else {
            name: np.array(values, dtype=np.float64) for name, values in classes}
        degrees = words.get("by_degree")
        self.by_degree = None if degrees is None else np.array(degrees["values"])

    @classmethod
    def _from_native(cls, found: dict[str, Any], names: list[str]) -> Importance:
        return cls(json.loads(found["json"]), list(names), found)

    def ranking(self) -> np.ndarray:
        """Places of the variables by decreasing importance, undefined ones last.

        Returns
        -------
        ndarray of shape (n_variables,)
        """
        small = next(info["small_is_important"] for info in _infos() if info["id"] == self.measure)
        keys = np.where(np.isnan(self.values), np.inf, self.values if small else -self.values)
        return np.argsort(keys, kind="stable")

    def __repr__(self) -> str:
        order = self.ranking()[:10]
        width = max((len(self.feature_names[at]) for at in order), default=0)
        lines = [f"{self.measure} ({self.unit})"]
        for at in order:
            error = "" if self.standard_errors is None else f" ± {self.standard_errors[at]:.2g}"
            lines.append(f"  {self.feature_names[at]:<{width}}  {self.values[at]:.5g}{error}")
        more = len(self.values) - len(order)
        return "\n".join(lines + ([f"  and {more} more"] if more else []))


def _infos() -> list[dict[str, Any]]:
    from wald._measures import measures

    return [info for info in measures() if info["kind"] == "importance"]


class LocalImportance:
    """What variables do to the predictions of single rows.

    Attributes
    ----------
    measure : str
        Name of the local measure.
    values : ndarray
        (n_samples, n_variables) for numbers; with a last axis of classes for classes; with one
        more axis of variables for interactions.
    expected_value : float, ndarray of shape (n_classes,) or None
        What values are counted from, where they add up to predictions.
    feature_names : list of str
        The variables.
    classes : list of str or None
        The classes.
    data : array or data frame or None
        The rows that were explained; ``None`` for those of training.
    """

    def __init__(self, measure: str, values: np.ndarray, expected_value: Any,
                 feature_names: list[str], classes: list[str] | None, data: Any) -> None:
        self.measure = measure
        self.values = values
        self.expected_value = expected_value
        self.feature_names = feature_names
        self.classes = classes
        self.data = data

    @classmethod
    def _from_native(cls, measure: str, found: dict[str, Any], data: Any) -> LocalImportance:
        names, classes = found["variables"], found["classes"]
        values = found["values"]
        shape = [len(values), len(names)]
        if found["shape"] == "pairs":
            shape.append(len(names))
        if classes is not None:
            shape.append(found["n_outputs"])
        if found["shape"] != "curves":
            values = values.reshape(shape)
        expected = found["expected_value"]
        if expected is not None:
            expected = np.array(expected) if classes is not None else expected[0]
        return cls(measure, values, expected, list(names), classes, data)
