"""Predictions as curves over the values of one variable (ICE and partial dependence)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wald._checks import place
from wald._plots.curves import CurvesDisplay
from wald._results import text
from wald._results.checks import check_names, check_shape
from wald._results.frames import Framed
from wald._results.storing import Stored
from wald.errors import SettingError
from wald.typing import Axes, Floats


@dataclass(eq=False, repr=False, kw_only=True)
class Curves(Framed, Stored, kind="curves"):
    """Predictions as curves over the values of one variable, all else equal.

    "ice" has a curve for every row (Goldstein et al. 2015), "pdp" their mean (Friedman 2001), and
    "ale" accumulates local effects (Apley & Zhu 2020).

    Attributes
    ----------
    measure : str
        "ice", "pdp" or "ale".
    feature_names : list of str
        The variables.
    grids : list of ndarray
        For every variable the values put in: numbers, increasing, or texts. The forest's
        thresholds where the grid is exact: what holds at a number holds down to the one before.
        A missing value, where the forest knows it, comes last (NaN or None).
    values : list of ndarray of shape (n_samples, n_grid) or (n_samples, n_grid, n_classes)
        Predictions; of ``pdp`` there is one row, the mean.
    classes : list of str or None
        The classes of the last axis.
    weights : ndarray of shape (n_samples,) or None
        The case weights of the rows of "ice", where they are those of training and have any.
    notes : list of str
        Caveats about these curves.

    Examples
    --------
    >>> import wald
    >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> forest.explain([[0.0], [2.0]], "ice")
    Curves(ice, 2 rows, x0)
    """

    measure: str
    feature_names: list[str]
    grids: list[np.ndarray]
    values: list[Floats]
    classes: list[str] | None = None
    weights: Floats | None = None
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_names(self.feature_names)
        if not all(isinstance(given, list) and len(given) == len(self.feature_names)
                   for given in (self.grids, self.values)):
            raise SettingError("there are not as many grids and curves as variables",
                               help="give one of each for every variable")
        tail = () if self.classes is None else (len(self.classes),)
        for name, grid, values in zip(self.feature_names, self.grids, self.values):
            n_rows = None if self.weights is None else len(self.weights)
            check_shape(f"the curves of {name!r}", values, (n_rows, len(grid), *tail))

    @classmethod
    def _from_native(cls, measure: str, found: Mapping[str, Any]) -> Curves:
        flat, classes = found["values"], found["classes"]
        tail = () if classes is None else (found["n_outputs"],)
        grids = [_grid(grid) for grid in json.loads(found["grids"])]
        ends = np.cumsum([found["n_outputs"] * len(grid) for grid in grids])
        curves = [part.reshape(len(flat), len(grid), *tail).copy()
                  for grid, part in zip(grids, np.split(flat, ends, axis=1))]
        return cls(measure=measure, feature_names=list(found["variables"]), grids=grids,
                   values=curves, classes=classes, weights=found["weights"], notes=found["notes"])

    def of(self, variable: str) -> tuple[np.ndarray, Floats]:
        """The grid and the curves of a variable.

        Parameters
        ----------
        variable : str
            Its name.

        Returns
        -------
        tuple of ndarray
            Of shapes (n_grid,) and (n_samples, n_grid[, n_classes]).

        Raises
        ------
        SettingError
            When there are no curves of that name.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> grid, curves = forest.explain([[0.0], [2.0]], "ice").of("x0")
        >>> curves.shape == (2, len(grid))
        True
        """
        at = place("variable", variable, self.feature_names)
        return self.grids[at], self.values[at]

    def _columns(self) -> dict[str, Any]:
        tables = []
        is_numbers = all(grid.dtype != object for grid in self.grids)
        for name, grid, values in zip(self.feature_names, self.grids, self.values):
            row, at, *of_class = (places.ravel() for places in np.indices(values.shape))
            grid = grid if is_numbers else np.array(
                [value if value is None else str(value) for value in grid.tolist()], dtype=object)
            table = {"row": row, "variable": np.full(values.size, name, dtype=object),
                     "at": grid[at]}
            if self.classes is not None:
                table["class"] = np.array(self.classes, dtype=object)[of_class[0]]
            tables.append({**table, "prediction": values.ravel()})
        return {column: np.concatenate([table[column] for table in tables])
                for column in (tables[0] if tables else {})}

    def plot(
        self, variable: str | None = None, *, target: Any = None,
        ax: Axes | Iterable[Axes] | None = None, centred: bool = False, max_variables: int = 6,
    ) -> CurvesDisplay:
        """Draw the curves with their mean, a panel for each variable and class.

        Parameters
        ----------
        variable : str, optional
            The variable; all unless given, those first whose mean curve has the widest range.
        target : str, optional
            The class whose share is drawn; unless given, the second of two, and every one of more.
        ax : matplotlib axes, optional
            As many as there are panels; new ones unless given.
        centred : bool, default=False
            Whether every curve begins at zero, which shows how curves differ in shape.
        max_variables : int, default=6
            So many variables at most; the others are counted.

        Returns
        -------
        CurvesDisplay
            With ``axes_``, ``ax_`` (the first of them) and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.
        SettingError
            When there is no such variable or class, or not as many axes as panels.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> forest.explain(measure="ice").plot().ax_.get_ylabel()
        'prediction'
        """
        display = CurvesDisplay(self, variable, target=target, centred=centred)
        return display.plot(ax, max_variables=max_variables)

    def __repr__(self) -> str:
        n = len(self.values[0]) if self.values else 0
        head = f"Curves({self.measure}, {n} rows, {', '.join(self.feature_names)})"
        return "\n".join([head, *text.notes(self.notes)])


def _grid(grid: dict[str, Any]) -> np.ndarray:
    (kind, values), = grid["values"].items()
    if kind == "numbers":
        return np.array(values + [np.nan] * grid["has_missing"], dtype=np.float64)
    return np.array(values + [None] * grid["has_missing"], dtype=object)
