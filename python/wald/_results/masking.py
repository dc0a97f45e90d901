"""Importances against the number of variables that compete for a split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wald._plots.display import measure_and_unit
from wald._plots.masking import MaskingDisplay
from wald._results import text
from wald._results.checks import check_names, check_shapes
from wald._results.frames import Framed
from wald._results.storing import Stored
from wald.typing import Axes, Floats, Integers

# Number of variables shown, the most important ones first.
MOST_VARIABLES = 10


@dataclass(eq=False, repr=False, kw_only=True)
class Masking(Framed, Stored, kind="masking"):
    """How importances change with the number of variables tried at each node.

    The more variables compete for a split, the more do strong ones hide others (Louppe et al. 2013,
    section 4; Sutera et al. 2021, section 3.2).

    Attributes
    ----------
    measure, unit : str
        The measure, and the unit of its values.
    feature_names : list of str
        The variables.
    mtry : ndarray of shape (n_sizes,)
        The numbers of variables tried, increasing.
    values : ndarray of shape (n_sizes, n_variables)
        The importances of the forest of each.
    standard_errors : ndarray of shape (n_sizes, n_variables) or None
        Over trees.

    Examples
    --------
    >>> import wald
    >>> X, y = [[0, 3], [1, 2], [2, 7], [3, 1]], [0, 1, 2, 3]
    >>> wald.masking(wald.ExtraTreesRegressor(20), X, y)
    Masking by mdi (variance of the target)
      mtry      1      2
      x0    0.585  1.000
      x1    0.665  0.250
    """

    measure: str
    feature_names: list[str]
    mtry: Integers
    values: Floats
    standard_errors: Floats | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        shape = (len(self.mtry), check_names(self.feature_names))
        check_shapes(self, values=shape, standard_errors=shape)

    def _columns(self) -> dict[str, Any]:
        n_sizes, n = self.values.shape
        columns = {
            "mtry": np.repeat(self.mtry, n),
            "variable": np.tile(np.array(self.feature_names, dtype=object), n_sizes),
            "value": self.values.ravel(),
        }
        if self.standard_errors is not None:
            columns["standard_error"] = self.standard_errors.ravel()
        return columns

    def plot(self, *, ax: Axes | None = None, max_variables: int = 10) -> MaskingDisplay:
        """Draw the importances against mtry.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=10
            Those that are most important at any number; the others are counted.

        Returns
        -------
        MaskingDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=100, seed=1)
        >>> found = wald.masking(wald.ExtraTreesRegressor(20), data.inputs, data.target)
        >>> found.plot().ax_.get_ylabel()
        'mdi (variance of the target)'
        """
        return MaskingDisplay(self).plot(ax=ax, max_variables=max_variables)

    def __repr__(self) -> str:
        largest = np.max(np.nan_to_num(self.values), axis=0, initial=0.0)
        shown = np.argsort(-largest, kind="stable")[:MOST_VARIABLES]
        rows = [["mtry", *(str(size) for size in self.mtry)]]
        rows += [[self.feature_names[at], *text.numbers(self.values[:, at], self.values)]
                 for at in shown]
        return "\n".join([f"Masking by {measure_and_unit(self)}", *text.aligned(rows),
                          *text.and_more(len(self.feature_names) - len(shown))])
