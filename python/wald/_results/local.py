"""The result of a local measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from wald._checks import listed, needed, place
from wald._plots.local import LocalDisplay
from wald._results import html, text
from wald._results.checks import check_names, check_shapes
from wald._results.frames import LongFramed
from wald._results.importance import MOST_ROWS as MOST_LINES
from wald._results.importance import Importance
from wald._results.local_means import are_shares, lines, mean_absolute
from wald._results.storing import Stored
from wald._tables.columns import class_name
from wald._tables.named import Columns, codes, columns_by_name
from wald._tables.rows import mean_of_rows
from wald.errors import SettingError
from wald.typing import Axes, Floats

if TYPE_CHECKING:
    import shap

# Measures whose values are parts of predictions.
OF_PREDICTIONS = ("saabas", "tree_shap", "tree_shap_interactions", "tree_shap_interventional")

# Rows shown in a notebook, and variables shown in a terminal; of classes, variables by class.
MOST_ROWS = 5
MOST_VARIABLES = 5
MOST_OF_CLASSES = 10


@dataclass(eq=False, repr=False, kw_only=True)
class LocalImportance(LongFramed, Stored, kind="local importance"):
    """Contributions of variables to the predictions of single rows.

    Attributes
    ----------
    measure : str
        Name of the local measure.
    values : ndarray
        (n_samples, n_variables); with a last axis of classes for values by class; with
        one more axis of variables for interactions, which are symmetric and have main effects on
        the diagonal. In units of the prediction, or of the impurity (local_mdi).
    feature_names : list of str
        The variables.
    expected_value : float, ndarray of shape (n_classes,) or None
        The expected value, where values and it add up to predictions.
    classes : list of str or None
        The classes of the last axis.
    data : array, data frame, dict of columns, or None
        The rows that were explained.
    of : str or None
        The class that the values are of, where they were taken by ``of_class``.
    unit : str
        What values of predictions are in; empty for other values.
    weights : ndarray of shape (n_samples,) or None
        The case weights of the rows, where they are those of training and have any.
    shares_of_variance : ndarray or None
        Of "friedman_h", as ``values``: the variance of interactions as a share of that of
        predictions (of all classes, so that shares of classes add up). Where it is nearly 0, the
        value may be large by noise alone: compare pairs by it.
    notes : list of str
        Caveats about these values.

    Examples
    --------
    >>> import wald
    >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> forest.explain(measure="saabas")
    LocalImportance(saabas, 3 x 1, expected value 1.0)
    mean absolute values
      x0  0.6667
    """

    measure: str
    values: Floats
    feature_names: list[str]
    expected_value: Any = None
    classes: list[str] | None = None
    data: Any = None
    of: str | None = None
    unit: str = ""
    weights: Floats | None = None
    shares_of_variance: Floats | None = None
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        p = check_names(self.feature_names)
        tail = () if self.classes is None else (len(self.classes),)
        pairs = (p,) if np.ndim(self.values) == 3 + len(tail) else ()
        check_shapes(self, values=(None, p, *pairs, *tail))
        check_shapes(self, shares_of_variance=self.values.shape)
        if self.weights is not None:
            check_shapes(self, weights=(len(self.values),))

    @classmethod
    def _from_native(cls, measure: str, found: Mapping[str, Any], data: Any, unit: str
                     ) -> LocalImportance:
        names, classes, values = list(found["variables"]), found["classes"], found["values"]
        shape = [len(values), len(names)]
        if found["shape"] == "pairs":
            shape.append(len(names))
        if classes is not None:
            shape.append(found["n_outputs"])
        expected = found["expected_value"]
        if expected is not None:
            expected = np.array(expected) if classes is not None else expected[0]
        shares = found["shares_of_variance"]
        return cls(measure=measure, values=values.reshape(shape), feature_names=names,
                   expected_value=expected, classes=classes, data=data,
                   unit=unit if measure in OF_PREDICTIONS else "", weights=found["weights"],
                   shares_of_variance=None if shares is None else shares.reshape(shape),
                   notes=found["notes"])

    def _parts(self) -> dict[str, Any]:
        return {**self._fields(), "data": self.columns}

    @property
    def columns(self) -> Columns | None:
        """The values of the explained rows by variable: arrays of numbers or texts.

        Returns
        -------
        dict of str to ndarray of shape (n_samples,), or None
            Of the variables that the rows have; NaN and ``None`` are missing.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0]], [0.0, 1.0])
        >>> forest.explain([[0.5]], "saabas").columns
        {'x0': array([0.5])}
        """
        return columns_by_name(self.data, self.feature_names)

    @property
    def is_interactions(self) -> bool:
        """Whether values are those of pairs of variables.

        Returns
        -------
        bool
            True of "tree_shap_interactions" and "friedman_h".

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0]], [0.0, 1.0])
        >>> forest.explain(measure="tree_shap_interactions").is_interactions
        True
        """
        return self.values.ndim == (3 if self.classes is None else 4)

    def of_class(self, name: Any = None) -> LocalImportance:
        """The values of one class.

        Parameters
        ----------
        name : str, optional
            A class; where there are two, the second unless given.

        Returns
        -------
        LocalImportance
            Without an axis of classes; the same where there was none.

        Raises
        ------
        SettingError
            When there is no such class, or several and none was named.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesClassifier(20).fit([[0.0], [1.0]], ["no", "yes"])
        >>> forest.explain(measure="saabas").of_class("yes").values.tolist()
        [[-0.5], [0.5]]
        """
        if self.classes is None:
            return self
        if name is None and len(self.classes) != 2:
            raise SettingError("there are several classes",
                               help=f"give target= one of {listed(self.classes)}")
        at = 1 if name is None else place("class", class_name(name), self.classes)
        expected = None if self.expected_value is None else float(self.expected_value[at])
        shares = self.shares_of_variance
        return replace(self, values=self.values[..., at], expected_value=expected, classes=None,
                       of=self.classes[at],
                       shares_of_variance=None if shares is None else shares[..., at])

    def mean_absolute(self) -> Importance:
        """Take the mean of absolute values over rows, by their weights: a global importance.

        Rows without values, which no tree explains, are left out.

        Returns
        -------
        Importance
            With the sum over classes as ``values`` and classes apart in ``per_class``. Of
            interactions, those of pairs ("a × b", both orders together) and main effects ("a");
            of "friedman_h", whose values are shares, a pair has its value, "a" what interacts with
            any other variable, and ``values`` are means over classes.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> forest.explain(measure="saabas").mean_absolute().values.round(3)
        array([0.667])
        """
        names, means = mean_absolute(self, self.values)
        by_class = None
        if self.classes is not None:
            by_class = {name: means[:, at].copy() for at, name in enumerate(self.classes)}
            means = means.mean(axis=1) if are_shares(self) else means.sum(axis=1)
        return Importance(measure=f"mean absolute {self.measure}", values=means,
                          feature_names=names, per_class=by_class, data="explained")

    def to_shap(self) -> shap.Explanation:
        """The values for the pictures of the package shap.

        Returns
        -------
        shap.Explanation
            ``display_data`` has the texts, ``data`` has numbers for them.

        Raises
        ------
        ImportError
            Without shap.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> forest.explain(measure="saabas").to_shap().shape
        (3, 1)
        """
        package = needed("shap", "to_shap()")
        n, base = len(self.values), None
        if self.expected_value is not None:
            base = np.tile(self.expected_value, (n, 1)) if self.classes is not None else (
                np.full(n, self.expected_value))
        columns, data, shown = self.columns, None, None
        if columns is not None and len(columns) == len(self.feature_names):
            data = np.column_stack([codes(columns[name]) for name in self.feature_names])
            shown = np.column_stack([columns[name].astype(object) for name in self.feature_names])
        return package.Explanation(
            values=self.values, base_values=base, data=data, display_data=shown,
            feature_names=list(self.feature_names), output_names=self.classes)

    def _columns(self, *, long: bool = False) -> dict[str, Any]:
        axes, heads = {"variable": self.feature_names}, self.feature_names
        if self.is_interactions:
            axes["other"] = self.feature_names
            heads = [f"{one} × {other}" for one in heads for other in heads]
        if self.classes is not None:
            axes["class"] = self.classes
            heads = [f"{head} [{name}]" for head in heads for name in self.classes]
        if not long:
            return dict(zip(heads, self.values.reshape(len(self.values), len(heads)).T))
        rows, *places = np.indices(self.values.shape)
        labels = {name: np.array(axis, dtype=object)[at.ravel()]
                  for (name, axis), at in zip(axes.items(), places)}
        shares = self.shares_of_variance
        further = {} if shares is None else {"share_of_variance": shares.ravel()}
        return {"row": rows.ravel(), **labels, "value": self.values.ravel(), **further}

    def plot(
        self, kind: Literal["beeswarm", "bar", "waterfall", "scatter"] | None = None, *,
        target: Any = None, row: int = 0, variable: str | None = None, colour_by: str | None = None,
        ax: Axes | None = None, max_variables: int | None = None,
    ) -> LocalDisplay:
        """Draw the values.

        Parameters
        ----------
        kind : {"beeswarm", "bar", "waterfall", "scatter"}, optional
            All rows of all variables; their mean absolute values; one row, from the expected value
            to the prediction; or the values of one variable against its own values. Unless given,
            bars of three or more classes where ``target`` is not one of them, else all rows.
        target : str, optional
            A class, where there are values by class; the second of two unless given, and of bars
            all of three or more.
        row : int, default=0
            The row of a waterfall.
        variable : str, optional
            The variable of a scatter.
        colour_by : str, optional
            Another variable, whose values colour a scatter.
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, optional
            Those of the largest values; 20, and 12 of a waterfall, unless given.

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

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> forest.explain(measure="saabas").plot("waterfall", row=2).ax_.get_xlabel()
        'saabas of row 2: from the expected 1 to 2'
        """
        has_classes = self.classes is not None and len(self.classes) > 2 and target is None
        if kind is None:
            kind = "bar" if has_classes and not self.is_interactions else "beeswarm"
        local = self if has_classes and kind == "bar" else self.of_class(target)
        return LocalDisplay(local, kind=kind, row=row, variable=variable,
                            colour_by=colour_by).plot(ax, max_variables=max_variables)

    def __repr__(self) -> str:
        shape = " x ".join(str(length) for length in self.values.shape)
        classes = "" if self.classes is None else f", classes {', '.join(self.classes)}"
        counted = "" if self.expected_value is None else f", expected value {self.expected_value}"
        head = f"LocalImportance({self.measure}, {shape}{classes}{counted})"
        if not len(self.values):
            return head
        names, columns = lines(self)
        most = MOST_VARIABLES if self.classes is None else MOST_OF_CLASSES
        cells = [text.numbers(values[:most]) for _, values in columns]
        return "\n".join([head, ", ".join(name for name, _ in columns),
                          *text.aligned(list(zip(names[:most], *cells))),
                          *text.and_more(len(names) - most),
                          *text.notes(self.notes)])

    def _repr_html_(self) -> str:
        names, values = self.feature_names, self.values
        if values.ndim > 2:
            names, columns = lines(self)
            by = "the largest ones first" if len(columns) == 1 else (
                "the largest shares of the variance first")
            return html.table(self.measure, by, [
                ("variable", html.name, names),
                *((name, html.cell, text.numbers(column)) for name, column in columns)],
                most=MOST_LINES, notes=self.notes)
        order = np.argsort(-mean_of_rows(np.abs(values), self.weights), kind="stable")[:8]
        remark = f"{len(values)} rows, {len(names)} variables; the largest ones first"
        if self.expected_value is not None:
            remark += f"; expected value {html.number(self.expected_value)}"
        return html.table(self.measure, remark, [
            ("row", html.cell, [str(row) for row in range(len(values))]),
            *((names[at], html.cell, text.numbers(values[:MOST_ROWS, at])) for at in order)],
            most=MOST_ROWS, notes=self.notes)
