"""Importances against the number of variables that compete for a split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wald._results.checks import check_names, check_shape
from wald._results.frames import Framed
from wald._results.storing import Stored


@dataclass(eq=False, repr=False, kw_only=True)
class Masking(Framed, Stored, kind="masking"):
    """How importances change with the number of variables tried at each node, which lets strong
    variables hide others (Louppe et al. 2013, section 4; Sutera et al. 2021, section 3.2).

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
    """

    measure: str
    feature_names: list[str]
    mtry: np.ndarray
    values: np.ndarray
    standard_errors: np.ndarray | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        check_names("feature_names", self.feature_names)
        shape = (len(self.mtry), len(self.feature_names))
        check_shape("values", self.values, shape)
        check_shape("standard_errors", self.standard_errors, shape, optional=True)

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

    def plot(self, *, ax: Any = None, max_variables: int = 10) -> Any:
        """Draw the importances against mtry.

        Returns
        -------
        MaskingDisplay
            With ``ax_`` and ``figure_``.
        """
        from wald._plots import MaskingDisplay

        return MaskingDisplay(self).plot(ax=ax, max_variables=max_variables)

    def __repr__(self) -> str:
        sizes = ", ".join(str(size) for size in self.mtry)
        return f"Masking({self.measure}, {len(self.feature_names)} variables, mtry {sizes})"
