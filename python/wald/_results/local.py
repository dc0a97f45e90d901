"""The result of a local measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wald._results import html
from wald._results.checks import check_names, check_shape
from wald._results.curves import Curves
from wald._results.frames import Framed, needed
from wald._results.importance import Importance
from wald._results.storing import Stored
from wald._tables import Columns, columns_by_name
from wald.errors import SettingError

# Rows that a notebook shows.
MOST_ROWS = 5


@dataclass(eq=False, repr=False, kw_only=True)
class LocalImportance(Framed, Stored, kind="local importance"):
    """What variables do to the predictions of single rows.

    Attributes
    ----------
    measure : str
        Name of the local measure.
    values : ndarray
        (n_samples, n_variables); with a last axis of classes where values are told by class; with
        one more axis of variables for interactions, which are symmetric and have main effects on
        the diagonal. In units of the prediction, or of the impurity (local_mdi).
    feature_names : list of str
        The variables.
    expected_value : float, ndarray of shape (n_classes,) or None
        What values are counted from, where they add up to predictions.
    classes : list of str or None
        The classes of the last axis.
    data : array, data frame, dict of columns, or None
        The rows that were explained.
    """

    measure: str
    values: np.ndarray
    feature_names: list[str]
    expected_value: Any = None
    classes: list[str] | None = None
    data: Any = None

    def __post_init__(self) -> None:
        check_names("feature_names", self.feature_names)
        p, tail = len(self.feature_names), () if self.classes is None else (len(self.classes),)
        pairs = (p,) if self.values.ndim == 3 + len(tail) else ()
        check_shape("values", self.values, (None, p, *pairs, *tail))

    @classmethod
    def _from_native(cls, measure: str, found: dict[str, Any], data: Any) -> Any:
        if found["shape"] == "curves":
            return Curves._from_native(measure, found)
        names, classes, values = list(found["variables"]), found["classes"], found["values"]
        shape = [len(values), len(names)]
        if found["shape"] == "pairs":
            shape.append(len(names))
        if classes is not None:
            shape.append(found["n_outputs"])
        expected = found["expected_value"]
        if expected is not None:
            expected = np.array(expected) if classes is not None else expected[0]
        return cls(measure=measure, values=values.reshape(shape), feature_names=names,
                   expected_value=expected, classes=classes, data=data)

    def _parts(self) -> dict[str, Any]:
        return {**self._fields(), "data": self.columns}

    @property
    def columns(self) -> Columns | None:
        """The values of the explained rows by variable: arrays of numbers or texts."""
        return columns_by_name(self.data, self.feature_names)

    @property
    def is_interactions(self) -> bool:
        """Whether values are those of pairs of variables."""
        return self.values.ndim == (3 if self.classes is None else 4)

    def of_class(self, name: Any = None) -> LocalImportance:
        """The values of one class.

        Parameters
        ----------
        name : optional
            A class; where there are two, the second unless given.

        Returns
        -------
        LocalImportance
            Without an axis of classes; the same where there was none.
        """
        if self.classes is None:
            return self
        at = self._class_at(name)
        expected = None if self.expected_value is None else float(self.expected_value[at])
        return LocalImportance(measure=self.measure, values=self.values[..., at],
                               feature_names=self.feature_names, expected_value=expected,
                               data=self.data)

    def _class_at(self, name: Any) -> int:
        classes = self.classes or []
        if name is None and len(classes) == 2:
            return 1
        if str(name) not in classes:
            what = "several classes" if name is None else f"no class {str(name)!r}"
            raise SettingError(f"there are {what}",
                               help=f"give target= one of {', '.join(map(repr, classes))}")
        return classes.index(str(name))

    def mean_absolute(self) -> Importance:
        """Means of absolute values over rows: how much variables do on the whole.

        Returns
        -------
        Importance
            With the sum over classes as ``values`` and classes apart in ``per_class``. Of
            interactions, those of pairs ("a × b", both orders together) and main effects ("a").
        """
        values, names = self.values, list(self.feature_names)
        if self.is_interactions:
            one, other = np.triu_indices(len(names))
            both = np.where(one == other, 1.0, 2.0)
            values = values[:, one, other] * (both if self.classes is None else both[:, None])
            names = [names[a] if a == b else f"{names[a]} × {names[b]}"
                     for a, b in zip(one, other)]
        means = np.mean(np.abs(values), axis=0)
        by_class = None
        if self.classes is not None:
            by_class = {name: means[:, at].copy() for at, name in enumerate(self.classes)}
            means = means.sum(axis=1)
        return Importance(measure=f"mean absolute {self.measure}", values=means,
                          feature_names=names, per_class=by_class, data="explained")

    def to_shap(self) -> Any:
        """The values for the pictures of the package shap.

        Returns
        -------
        shap.Explanation
            Texts stand in ``display_data``, with numbers for them in ``data``.

        Raises
        ------
        ImportError
            Without shap.
        """
        shap = needed("shap", "to_shap()")
        n, base = len(self.values), None
        if self.expected_value is not None:
            base = np.tile(self.expected_value, (n, 1)) if self.classes is not None else (
                np.full(n, self.expected_value))
        columns, data, shown = self.columns, None, None
        if columns is not None and len(columns) == len(self.feature_names):
            data = np.column_stack([codes(columns[name]) for name in self.feature_names])
            shown = np.column_stack([columns[name].astype(object) for name in self.feature_names])
        return shap.Explanation(
            values=self.values, base_values=base, data=data, display_data=shown,
            feature_names=list(self.feature_names), output_names=self.classes)

    def _columns(self, *, long: bool = False) -> dict[str, Any]:
        axes = [self.feature_names] + ([self.feature_names] if self.is_interactions else [])
        axes += [self.classes] if self.classes is not None else []
        names = ["variable"] + (["other"] if self.is_interactions else [])
        names += ["class"] if self.classes is not None else []
        places = np.indices(self.values.shape)
        if long:
            columns: dict[str, Any] = {"row": places[0].ravel()}
            for name, axis, of_axis in zip(names, axes, places[1:]):
                columns[name] = np.array(axis, dtype=object)[of_axis.ravel()]
            return {**columns, "value": self.values.ravel()}
        flat = self.values.reshape(len(self.values), -1)
        if not len(names) - 1:
            return {name: flat[:, at] for at, name in enumerate(self.feature_names)}
        heads = [" × ".join(axes[a][at] for a, at in enumerate(place[:len(axes) - (
            self.classes is not None)])) + (
            f" [{self.classes[place[-1]]}]" if self.classes is not None else "")
            for place in np.ndindex(self.values.shape[1:])]
        return {head: flat[:, at] for at, head in enumerate(heads)}

    def to_pandas(self, *, long: bool = False) -> Any:
        """The values as a pandas data frame.

        Parameters
        ----------
        long : bool, default=False
            A line for every value (row, variable, class, value) instead of a line per row.

        Returns
        -------
        pandas.DataFrame
            A line per row has the index of the data frame that was explained, if it was one.
        """
        frame = super().to_pandas(long=long)
        index = getattr(self.data, "index", None)
        if not long and index is not None and not callable(index):
            frame.index = index
        return frame

    def plot(self, kind: str = "beeswarm", **options: Any) -> Any:
        """Draw the values.

        Parameters
        ----------
        kind : {"beeswarm", "waterfall", "scatter"}, default="beeswarm"
            All rows of all variables; one row (``row=``), from the expected value to the
            prediction; or the values of one variable (``variable=``) against its own values,
            coloured by those of another (``colour_by=``).
        **options
            ``target`` (a class, where values are told by class), ``ax``, ``max_variables``.

        Returns
        -------
        LocalDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.
        SettingError
            When the values are not what ``kind`` needs.
        """
        from wald._plots import LocalDisplay

        target = options.pop("target", None)
        drawn = {name: options.pop(name) for name in ("ax", "max_variables") if name in options}
        return LocalDisplay(self.of_class(target), kind=kind, **options).plot(**drawn)

    def __repr__(self) -> str:
        shape = " x ".join(str(length) for length in self.values.shape)
        classes = "" if self.classes is None else f", classes {', '.join(self.classes)}"
        counted = "" if self.expected_value is None else f", counted from {self.expected_value}"
        return f"LocalImportance({self.measure}, {shape}{classes}{counted})"

    def _repr_html_(self) -> str:
        names, values = self.feature_names, self.values
        if values.ndim > 2:
            return self.mean_absolute()._repr_html_()
        order = np.argsort(-np.mean(np.abs(values), axis=0), kind="stable")[:8]
        rows = ["".join([html.cell(str(row)),
                         *(html.cell(html.number(values[row, at])) for at in order)])
                for row in range(min(MOST_ROWS, len(values)))]
        remark = f"{len(values)} rows, {len(names)} variables; the largest ones first"
        if self.expected_value is not None:
            remark += f"; counted from {html.number(self.expected_value)}"
        return html.table(self.measure, remark, ["row", *(names[at] for at in order)], rows,
                          max(len(values) - MOST_ROWS, 0), texts=())


def codes(column: np.ndarray) -> np.ndarray:
    """Numbers for texts, by their order; NaN where missing."""
    if column.dtype != object:
        return column.astype(np.float64)
    present = np.array([value is not None for value in column], dtype=bool)
    found = np.full(len(column), np.nan)
    if present.any():
        found[present] = np.unique(column[present].astype(str), return_inverse=True)[1]
    return found
