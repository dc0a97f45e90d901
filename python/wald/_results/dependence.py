"""How inputs depend on each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wald._results.checks import check_names, check_shape
from wald._results.frames import Framed
from wald._results.storing import Stored


@dataclass(eq=False, repr=False, kw_only=True)
class Dependence(Framed, Stored, kind="dependence"):
    """How much inputs depend on each other, and the clusters they form.

    Dependence is that of ranks: the absolute rank correlation of numbers (Spearman 1904), the
    correlation ratio of ranks where one column holds texts, Cramer's V of texts, the latter two
    corrected for chance (Bergsma 2013); on at most 2000 rows, evenly spread.

    Attributes
    ----------
    values : ndarray of shape (n_variables, n_variables)
        Between 0 and 1; symmetric, with ones on the diagonal.
    feature_names : list of str
        The variables.
    merges : list of tuple (int, int, float)
        Average linkage: a member of each of two clusters that merge, and the mean dependence
        between their members, the closest clusters first.
    """

    values: np.ndarray
    feature_names: list[str]
    merges: list[Any]

    def __post_init__(self) -> None:
        check_names("feature_names", self.feature_names)
        check_shape("values", self.values, (len(self.feature_names),) * 2)
        self.merges = [tuple(merge) for merge in self.merges]

    def order(self) -> list[int]:
        """Places of the variables such that those of a cluster are together."""
        cluster = {at: [at] for at in range(len(self.feature_names))}
        for one, other, _ in self.merges:
            first, second = cluster[one], cluster[other]
            # Dependent variables next to each other where two clusters meet.
            ends = [(self.values[a[-1], b[0]], a + b)
                    for a in (first, first[::-1]) for b in (second, second[::-1])]
            merged = max(ends, key=lambda end: end[0])[1]
            for at in merged:
                cluster[at] = merged
        # Clusters are lists that their members share.
        lists = {id(members): members for members in cluster.values()}
        return [at for members in lists.values() for at in members]

    def _columns(self) -> dict[str, Any]:
        names = np.array(self.feature_names, dtype=object)
        one, other = np.triu_indices(len(names), 1)
        return {"variable": names[one], "other": names[other],
                "dependence": self.values[one, other]}

    def plot(self, *, ax: Any = None, max_variables: int = 30) -> Any:
        """Draw the dependences as a heat map, clusters together, with their dendrogram.

        Returns
        -------
        DependenceDisplay
            With ``ax_`` and ``figure_``.
        """
        from wald._plots import DependenceDisplay

        return DependenceDisplay(self).plot(ax=ax, max_variables=max_variables)

    def __repr__(self) -> str:
        return f"Dependence({len(self.feature_names)} variables)"
