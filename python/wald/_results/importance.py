"""The result of a global measure."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, overload

import numpy as np

from wald._checks import whole
from wald._plots.display import measure_and_unit
from wald._plots.importance import ImportanceDisplay
from wald._plots.ranks import RankDisplay
from wald._results import html, text
from wald._results.by_name import ByName
from wald._results.checks import check_names, check_shape, check_shapes
from wald._results.frames import Framed
from wald._results.measures import measures
from wald._results.ranked import Ranked
from wald._results.storing import Stored
from wald.errors import SettingError
from wald.typing import Axes, Floats, Integers, Self

# Rows shown in a notebook; further ones are counted.
MOST_ROWS = 30

# Attributes by what they are called in documents of the engine, where that is another word.
_IN_DOCUMENTS = {"small_is_important": "lower_is_more_important",
                 "errors_over": "standard_errors_over", "repeats": "per_permutation"}


@dataclass(eq=False, repr=False, kw_only=True)
class Importance(ByName, Ranked, Framed, Stored, kind="importance"):
    """How much every variable matters, by one measure.

    ``importance[name]`` is the value of a variable; names are what is iterated over.

    Attributes
    ----------
    measure : str
        Name of the measure.
    values : ndarray of shape (n_variables,)
        NaN where undefined; in ``unit``.
    feature_names : list of str
        Names of the variables, or of the groups of them.
    standard_errors : ndarray of shape (n_variables,) or None
        Monte-Carlo standard errors, over ``standard_errors_over``; they do not include how other
        data would have differed.
    p_values : ndarray of shape (n_variables,) or None
        Where the measure has them.
    per_tree : ndarray of shape (n_trees, n_variables) or None
        Values of single trees, where the measure is a mean over trees.
    per_permutation : ndarray of shape (n_permutations, n_variables) or None
        Values of single random permutations.
    per_class : dict of str to ndarray of shape (n_variables,), or None
        Values for every class, with ``per_class=True``.
    by_degree : ndarray of shape (n_variables, n_degrees) or None
        Values by degree of interaction, with ``by_degree=True``; they add up to ``values``.
    by_degree_errors : ndarray of shape (n_variables, n_degrees) or None
        Their standard errors.
    second_order : ndarray of shape (n_variables, n_variables) or None
        Second-order Sobol indices of pairs of variables, with ``second_order=True``; the same in
        both orders, NaN of a variable with itself.
    second_order_errors : ndarray of shape (n_variables, n_variables) or None
        Their standard errors.
    unit, data, loss : str
        Unit of the values, rows that were looked at, and the loss where there is one.
    lower_is_more_important : bool
        True where a small value means that a variable matters.
    standard_errors_over : str
        What standard errors are taken over: trees, random permutations, or samples.
    settings : dict of str to str
        The settings that the values depend on.
    notes : list of str
        Caveats about these values.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=200, seed=1)
    >>> forest = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
    >>> importance = forest.importance("sobol_mda")
    >>> importance.top(4).feature_names
    ['x4', 'x1', 'x2', 'x5']
    >>> importance["x4"] > importance["x7"]
    True
    """

    measure: str
    values: Floats
    feature_names: list[str]
    standard_errors: Floats | None = None
    p_values: Floats | None = None
    per_tree: Floats | None = None
    per_permutation: Floats | None = None
    per_class: dict[str, Floats] | None = None
    by_degree: Floats | None = None
    by_degree_errors: Floats | None = None
    second_order: Floats | None = None
    second_order_errors: Floats | None = None
    unit: str = ""
    data: str = ""
    loss: str | None = None
    lower_is_more_important: bool = False
    standard_errors_over: str = "trees"
    settings: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        n = check_names(self.feature_names)
        check_shapes(self, values=(n,), standard_errors=(n,), p_values=(n,), per_tree=(None, n),
                     per_permutation=(None, n), by_degree=(n, None), by_degree_errors=(n, None),
                     second_order=(n, n), second_order_errors=(n, n))
        for name, values in (self.per_class or {}).items():
            check_shape(f"per_class[{name!r}]", values, (n,))

    @classmethod
    def _from_native(cls, found: Mapping[str, Any], **further: Any) -> Self:
        arrays = {name: found[name] for name in
                  ("values", "standard_errors", "p_values", "per_tree", "repeats")}
        return cls._of_body({**json.loads(found["json"]), **arrays, **further})

    @classmethod
    def _of_body(cls, body: Mapping[str, Any]) -> Self:
        """From what the engine, the command line and ``save`` write."""
        words = {_IN_DOCUMENTS.get(name, name): value for name, value in body.items()}
        names, classes = words.pop("names"), words.pop("per_class")
        degrees = words.pop("by_degree", None) or {}
        pairs = words.pop("second_order", None) or {}
        n = len(names)
        for name, shape in (("values", (n,)), ("standard_errors", (n,)), ("p_values", (n,)),
                            ("per_tree", (-1, n)), ("per_permutation", (-1, n))):
            words[name] = _array(words.get(name), shape)
        return cls(
            feature_names=names, **words,
            per_class=None if classes is None else {
                name: _array(values, (n,)) for name, values in classes.items()},
            by_degree=_array(degrees.get("values"), (n, -1)),
            by_degree_errors=_array(degrees.get("standard_errors"), (n, -1)),
            second_order=_array(pairs.get("values"), (n, n)),
            second_order_errors=_array(pairs.get("standard_errors"), (n, n)))

    def _body(self) -> dict[str, Any]:
        body = {name: _plain(value) for name, value in self._fields().items()
                if name not in ("feature_names", "by_degree", "by_degree_errors", "second_order",
                                "second_order_errors")}
        for name in ("by_degree", "second_order"):
            if getattr(self, name) is not None:
                body[name] = {"values": _plain(getattr(self, name)),
                              "standard_errors": _plain(getattr(self, f"{name}_errors"))}
        for name, attribute in _IN_DOCUMENTS.items():
            body[name] = body.pop(attribute)
        return {"names": self.feature_names, **body}

    @property
    def ranks(self) -> Integers:
        """Ranks of the variables, 1 for the most important one.

        Returns
        -------
        ndarray of shape (n_variables,)
            The inverse of ``ranking()``; equal values have the order of the table.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> forest.importance("mdi").ranks
        array([2, 1])
        """
        ranks = np.empty(len(self.values), dtype=np.int64)
        ranks[self.ranking()] = np.arange(1, len(self.values) + 1)
        return ranks

    def top(self, n: int) -> Self:
        """The most important variables, the first one first.

        Parameters
        ----------
        n : int
            How many; all where there are fewer.

        Returns
        -------
        Importance
            Of these variables only, with all that is known of them.

        Raises
        ------
        SettingError
            When ``n`` is no whole number of at least 1.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> forest.importance("mdi").top(1).feature_names
        ['x1']
        """
        return self._of(self.ranking()[:whole("n", n, 1)])

    def _of(self, first: Integers) -> Self:
        """The importance of the variables in these places."""
        parts: dict[str, Any] = {"feature_names": [self.feature_names[at] for at in first]}
        for name in ("values", "standard_errors", "p_values", "by_degree", "by_degree_errors"):
            parts[name] = _picked(getattr(self, name), (first,))
        for name in ("per_tree", "per_permutation"):
            parts[name] = _picked(getattr(self, name), (slice(None), first))
        for name in ("second_order", "second_order_errors"):
            parts[name] = _picked(getattr(self, name), np.ix_(first, first))
        if self.per_class is not None:
            parts["per_class"] = {name: values[first] for name, values in self.per_class.items()}
        return replace(self, **parts)

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"variable": self.feature_names, "value": self.values}
        for column, values in (("standard_error", self.standard_errors),
                               ("p_value", self.p_values)):
            if values is not None:
                columns[column] = values
        columns["rank"] = self.ranks
        for name, values in (self.per_class or {}).items():
            columns[f"value_{name}"] = values
        if self.by_degree is not None:
            for degree, values in enumerate(self.by_degree.T):
                columns[f"degree_{degree}"] = values
        return columns

    def to_bunch(self) -> Any:
        """The result with the keys of :func:`sklearn.inspection.permutation_importance`.

        Returns
        -------
        sklearn.utils.Bunch
            ``importances`` of shape (n_variables, n): of single permutations where they were
            random, else of single trees, else the values; ``importances_mean`` are the values, and
            ``importances_std`` the standard deviations of ``importances``.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> forest.importance("mdi").to_bunch().importances.shape
        (2, 20)
        """
        from sklearn.utils import Bunch

        single = self.per_permutation if self.per_permutation is not None else self.per_tree
        single = self.values[np.newaxis] if single is None else single
        return Bunch(importances_mean=self.values.copy(), importances_std=np.std(single, axis=0),
                     importances=single.T.copy())

    @overload
    def plot(
        self, kind: Literal["dots", "bar", "box", "degrees"] = "dots", *, against: None = None,
        beside: Importance | None = None, ax: Axes | None = None, max_variables: int = 30,
    ) -> ImportanceDisplay: ...

    @overload
    def plot(
        self, kind: Literal["dots", "bar", "box", "degrees"] = "dots", *, against: Importance,
        ax: Axes | None = None, max_variables: int = 30,
    ) -> RankDisplay: ...

    def plot(
        self, kind: Literal["dots", "bar", "box", "degrees"] = "dots", *,
        against: Importance | None = None, beside: Importance | None = None,
        ax: Axes | None = None, max_variables: int = 30,
    ) -> ImportanceDisplay | RankDisplay:
        """Draw the importances.

        Parameters
        ----------
        kind : {"dots", "bar", "box", "degrees"}, default="dots"
            Dots or bars with Monte-Carlo intervals (value ± 1.96 standard errors), a box over single
            trees for every variable, or bars taken apart by degree of interaction.
        against : Importance, optional
            Another importance of the same variables: ranks are drawn against its ranks.
        beside : Importance, optional
            Another importance of the same variables in the same unit, which is drawn as dots below those
            of this one: ``sobol_mda`` beside ``sobol_first`` shows what a variable explains alone and
            what is lost without it.
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            The most important ones; the others are counted.

        Returns
        -------
        ImportanceDisplay or RankDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.
        SettingError
            When the importance has not what ``kind`` needs.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0, 1], [1, 1], [2, 1]], [0, 1, 2])
        >>> forest.importance("mdi").plot().ax_.get_xlabel()
        'mdi (variance of the target)...'
        """
        if against is not None:
            if beside is not None:
                raise SettingError("against and beside were both given", help="give one of them")
            return RankDisplay(self, against).plot(ax, max_variables=max_variables)
        return ImportanceDisplay(self, kind=kind, beside=beside).plot(ax, max_variables=max_variables)

    def __repr__(self) -> str:
        order = self.ranking()[:10]
        values = text.numbers(self.values[order], self.values)
        if self.standard_errors is not None:
            errors = text.numbers(self.standard_errors[order], self.values)
            values = [f"{value} ±{error}" for value, error in zip(values, errors)]
        return "\n".join([measure_and_unit(self),
                          *text.aligned([[self.feature_names[at], value]
                                         for at, value in zip(order, values)]),
                          *text.and_more(len(self.values) - len(order)), *text.notes(self.notes)])

    def _direction(self) -> str:
        return "small values mean important" if self.lower_is_more_important else ""

    def _remarks(self) -> list[str]:
        errors = "" if self.standard_errors is None else f"errors over {self.standard_errors_over}"
        words = [self.unit, self.data.replace("_", " ") + " rows", errors, self._direction()]
        return [word for word in words if word]

    def _repr_html_(self) -> str:
        return html.table(self.measure, "; ".join(self._remarks()), [
            ("variable", html.name, self.feature_names),
            ("value", html.cell, text.numbers(self.values)),
            ("standard error", html.cell, None if self.standard_errors is None
             else text.numbers(self.standard_errors, self.values)),
            ("p-value", html.cell,
             None if self.p_values is None else text.p_values(self.p_values)),
            ("", html.bar, html.shares(self.values))],
            self.ranking(), most=MOST_ROWS, notes=self.notes)


def _picked(values: Any, places: tuple[Any, ...]) -> Any:
    """Some of the values of an array; ``None`` where there are none."""
    return None if values is None else values[places]


def _array(values: Any, shape: tuple[int, ...]) -> Any:
    """Numbers that were written, or an array; ``None`` where there are none."""
    if values is None or isinstance(values, np.ndarray):
        return values
    # JSON has finite numbers only: infinite ones are texts.
    numbers = [math.nan if cell is None else float(cell)
               for cell in np.array(values, dtype=object).ravel()]
    return np.array(numbers, dtype=np.float64).reshape(shape)


def _plain(value: Any) -> Any:
    """A field as JSON writes it."""
    if isinstance(value, dict):
        return {key: _plain(of) for key, of in value.items()}
    if not isinstance(value, np.ndarray) or np.isfinite(value).all():
        return value.tolist() if isinstance(value, np.ndarray) else value
    cells = [cell if math.isfinite(cell) else None if math.isnan(cell) else str(cell)
             for cell in value.ravel().tolist()]
    return np.array(cells, dtype=object).reshape(value.shape).tolist()
