"""How inputs depend on each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wald._plots.dependence import DependenceDisplay
from wald._results import text
from wald._results.checks import check_names, check_shapes
from wald._results.frames import Framed
from wald._results.storing import Stored
from wald.typing import Axes, Floats

# Number of pairs shown, the most dependent first.
MOST_PAIRS = 5


@dataclass(eq=False, repr=False, kw_only=True)
class Dependence(Framed, Stored, kind="dependence"):
    """How much inputs depend on each other, and the clusters they form.

    Dependence is that of ranks: the absolute rank correlation of numbers (Spearman 1904), the
    correlation ratio of ranks where one column holds texts, Cramer's V of texts, the latter two
    corrected for chance (Bergsma 2013); on at most 2000 rows of
    positive weight, scattered over the table.

    Attributes
    ----------
    values : ndarray of shape (n_variables, n_variables)
        Between 0 and 1; symmetric, with ones on the diagonal.
    feature_names : list of str
        The variables.
    merges : list of tuple (int, int, float)
        Average linkage: a member of each of two clusters that merge, and the mean dependence
        between their members, the closest clusters first.

    Examples
    --------
    >>> import wald
    >>> wald.dependence({"a": [1, 2, 3], "b": [1, 4, 9]})
    Dependence(2 variables)
      a and b  1.0000
    """

    values: Floats
    feature_names: list[str]
    merges: list[Any]

    def __post_init__(self) -> None:
        check_shapes(self, values=(check_names(self.feature_names),) * 2)
        self.merges = [tuple(merge) for merge in self.merges]

    def order(self) -> list[int]:
        """Put the variables of a cluster together.

        Returns
        -------
        list of int
            Places of the variables in ``feature_names``.

        Examples
        --------
        >>> import wald
        >>> found = wald.dependence({"a": [1, 2, 3, 4], "b": [2, 1, 1, 2], "c": [1, 4, 9, 16]})
        >>> found.order()
        [1, 2, 0]
        """
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

    def plot(self, *, ax: Axes | None = None, max_variables: int = 30) -> DependenceDisplay:
        """Draw the dependences as a heat map, clusters together, with their dendrogram.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.
        max_variables : int, default=30
            Those that depend most on any other; the others are counted.

        Returns
        -------
        DependenceDisplay
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.

        Examples
        --------
        >>> import wald
        >>> wald.dependence({"a": [1, 2, 3], "b": [1, 4, 9]}).plot().shown_
        [1, 0]
        """
        return DependenceDisplay(self).plot(ax=ax, max_variables=max_variables)

    def __repr__(self) -> str:
        names = self.feature_names
        one, other = np.triu_indices(len(names), 1)
        between = self.values[one, other]
        lines = [f"Dependence({len(names)} variables)"]
        order = np.argsort(-between, kind="stable")[:MOST_PAIRS]
        lines += [f"  {names[one[at]]} and {names[other[at]]}  {shown}"
                  for at, shown in zip(order, text.numbers(between[order]))]
        return "\n".join(lines + text.and_more(len(between) - MOST_PAIRS, "more pairs"))
