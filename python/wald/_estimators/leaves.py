"""Where rows fall in the trees of a forest."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from wald._estimators.paths import paths
from wald._estimators.weighted import WeightedForest
from wald.typing import Integers


class Leaves(WeightedForest):
    """The leaves that rows reach, and the nodes on their way."""

    def apply(self, X: Any) -> Integers:
        """The leaves that rows reach.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples, n_estimators)
            Nodes of each tree, counted from its root, which is 0.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        DataError
            When X has other columns than the table of the fit, or holds what cannot be used.

        Notes
        -----
        Cost: about rows times trees times depth.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(3).fit([[0.0], [1.0]], [0.0, 1.0])
        >>> forest.apply([[0.0], [1.0]]).tolist()
        [[1, 1, 1], [2, 2, 2]]
        """
        table = self._table(X)
        return self._forest.leaves(table, threads=self._threads()).astype(np.int64)

    def decision_path(self, X: Any) -> tuple[sparse.csr_array, Integers]:
        """The nodes that rows meet on their way down the trees.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            Rows with the columns of the fit.

        Returns
        -------
        indicator : sparse array of shape (n_samples, n_nodes)
            1 where a row meets a node; the nodes of all trees one after the other.
        n_nodes_ptr : ndarray of shape (n_estimators + 1,)
            The nodes of tree t are the columns from ``n_nodes_ptr[t]`` to ``n_nodes_ptr[t + 1]``.

        Raises
        ------
        NotFittedError, DataError
            As for ``apply``.

        Notes
        -----
        Cost: about rows times trees times depth.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(2).fit([[0.0], [1.0]], [0.0, 1.0])
        >>> indicator, starts = forest.decision_path([[1.0]])
        >>> indicator.toarray(), starts.tolist()
        (array([[1, 0, 1, 1, 0, 1]]), [0, 3, 6])
        """
        return paths(self.apply(X), [self._forest.parents(at) for at in
                                     range(self._forest.n_trees)])
