"""Exact importances of a joint distribution."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wald._plots.importance import ImportanceDisplay
from wald._plots.masking import MaskingDisplay
from wald._results import html, text
from wald._results.checks import check_names, check_shapes
from wald._results.frames import Framed
from wald._results.importance import MOST_ROWS, Importance
from wald._results.masking import Masking
from wald._results.storing import Stored
from wald.errors import SettingError
from wald.typing import Axes, Floats

UNITS = {"entropy": "bits", "gini": "decrease of the Gini index",
         "variance": "squared units of the target"}


@dataclass(eq=False, repr=False, kw_only=True)
class Population(Framed, Stored, kind="population"):
    """Exact importances of a joint distribution: infinitely many trees on infinitely many rows.

    Attributes
    ----------
    feature_names : list of str
        The variables.
    target, impurity : str
        The target, and what importances reduce: "entropy" (bits), "gini" or "variance".
    root_impurity : float
        Impurity of the target when nothing is known.
    total : float
        The information of all variables together about the target, I(V; Y); the sum of
        ``values``, unless trees are not fully developed.
    values : ndarray of shape (n_variables,)
        The importances.
    standard_errors : ndarray of shape (n_variables,) or None
        Of estimates from samples; exact values have none.
    by_degree : ndarray of shape (n_variables, n_degrees)
        Their terms, by how many other variables are known.
    relevance : list of str or None
        "strong", "weak" or "irrelevant"; ``None`` for estimates from samples.
    marginal : ndarray of bool of shape (n_variables,)
        Whether a variable is informative on its own.
    mtry : list of int
        The numbers of variables to choose from; ``values`` are those of the first.
    by_mtry : ndarray of shape (n_mtry, n_variables) or None
        The importances of each, where there are several.
    depth, subspace, samples : int or None
        The settings of that name.
    points : list of list
        The categories at every point of positive probability.
    probabilities : ndarray of shape (n_points,)
        Of the points.
    local : ndarray of shape (n_points, n_variables) or None
        The importances at every point, with ``local=True``.
    local_irrelevant : ndarray of bool of shape (n_points, n_variables) or None
        Where a variable never changes the distribution of the target.

    Examples
    --------
    >>> import wald
    >>> coins = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "differ": ["no", "yes", "yes", "no"]}
    >>> wald.population(coins, target="differ")
    Population of 'differ': 4 points, 1 in all (bits)
      a  0.5000
      b  0.5000
    """

    feature_names: list[str]
    target: str
    impurity: str
    root_impurity: float
    total: float
    values: Floats
    by_degree: Floats
    relevance: list[Any]
    marginal: NDArray[np.bool_]
    mtry: list[int]
    points: list[Any]
    probabilities: Floats
    standard_errors: Floats | None = None
    by_mtry: Floats | None = None
    depth: int | None = None
    subspace: int | None = None
    samples: int | None = None
    local: Floats | None = None
    local_irrelevant: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        p, n = check_names(self.feature_names), len(self.points)
        check_shapes(self, values=(p,), by_degree=(p, None), marginal=(p,), probabilities=(n,),
                     standard_errors=(p,), by_mtry=(len(self.mtry), p), local=(n, p),
                     local_irrelevant=(n, p))

    @classmethod
    def _from_native(cls, text: str) -> Population:
        words = json.loads(text)
        local = words["local"] or {}
        words |= {"feature_names": words["features"], "mtry": words["sizes"],
                  "local": local.get("values"), "local_irrelevant": local.get("irrelevant")}
        for name in ("values", "by_degree", "marginal", "probabilities", "standard_errors",
                     "by_mtry", "local", "local_irrelevant"):
            words[name] = None if words[name] is None else np.array(words[name])
        return cls(**{field.name: words[field.name] for field in fields(cls)})

    @property
    def unit(self) -> str:
        """The unit of all importances.

        Returns
        -------
        str
            By the impurity: bits, a decrease of the Gini index, or squared units of the target.

        Examples
        --------
        >>> import wald
        >>> wald.population({"x": [0, 1], "y": ["no", "yes"]}, target="y").unit
        'bits'
        """
        return UNITS[self.impurity]

    def to_importance(self) -> Importance:
        """The same as an :class:`Importance`, to be drawn beside those of forests.

        Returns
        -------
        Importance
            With the terms by degree, and standard errors where there are any.

        Examples
        --------
        >>> import wald
        >>> found = wald.population({"x": [0, 1], "y": ["no", "yes"]}, target="y")
        >>> found.to_importance()
        population (bits)
          x  1
        """
        return Importance(
            measure="population", values=self.values, feature_names=self.feature_names,
            standard_errors=self.standard_errors, by_degree=self.by_degree, unit=self.unit,
            data="population", standard_errors_over="samples", notes=self._notes())

    def _notes(self) -> list[str]:
        """Which of several mtry the values are of."""
        if self.by_mtry is None or len(self.mtry) < 2:
            return []
        first, *others = self.mtry
        return [f"values are those of mtry {first}; by_mtry also has those of mtry "
                f"{', '.join(map(str, others))}"]

    def _columns(self) -> dict[str, Any]:
        columns = self.to_importance()._columns()
        columns["relevance"] = np.array(self.relevance, dtype=object)
        columns["marginal"] = self.marginal
        for size, values in zip(self.mtry, [] if self.by_mtry is None else self.by_mtry):
            columns[f"mtry_{size}"] = values
        return columns

    def plot(
        self, kind: Literal["degrees", "dots", "mtry"] = "degrees", *, ax: Axes | None = None,
        max_variables: int | None = None,
    ) -> ImportanceDisplay | MaskingDisplay:
        """Draw the importances.

        Parameters
        ----------
        kind : {"degrees", "dots", "mtry"}, default="degrees"
            Bars taken apart by degree of interaction, dots, or lines against the number of
            variables to choose from (which needs ``mtry="all"``).
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, optional
            The most important ones; 30, and 10 lines, unless given.

        Returns
        -------
        ImportanceDisplay or MaskingDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.
        SettingError
            When there are not the importances that ``kind`` needs.

        Examples
        --------
        >>> import wald
        >>> found = wald.population({"x": [0, 1], "y": ["no", "yes"]}, target="y")
        >>> found.plot("dots").ax_.get_xlabel()
        'population (bits)'
        """
        if kind != "mtry":
            return self.to_importance().plot(kind, ax=ax, max_variables=max_variables or 30)
        if self.by_mtry is None:
            raise SettingError("there are importances of one mtry only",
                               help='ask for mtry="all", or for a list of numbers')
        curves = Masking(measure="population", feature_names=self.feature_names,
                         mtry=np.array(self.mtry), values=self.by_mtry, unit=self.unit)
        return curves.plot(ax=ax, max_variables=max_variables or 10)

    def __repr__(self) -> str:
        first, *rest = repr(self.to_importance()).splitlines()
        head = f"Population of {self.target!r}: {len(self.points)} points, {self.total:.5g} in all"
        return "\n".join([f"{head} ({self.unit})", *rest])

    def _repr_html_(self) -> str:
        remark = (f"{len(self.points)} points; all variables together: {html.number(self.total)} "
                  f"of {html.number(self.root_impurity)} {self.unit}")
        return html.table(f"Importances for {self.target}", remark, [
            ("variable", html.name, self.feature_names),
            ("importance", html.cell, text.numbers(self.values)),
            ("relevance", html.words, [known or "unknown" for known in self.relevance]),
            ("alone", html.words, ["yes" if alone else "no" for alone in self.marginal]),
            ("", html.bar, html.shares(self.values))],
            np.argsort(-self.values, kind="stable"), most=MOST_ROWS, notes=self._notes())
