"""A fitted forest as a sequence of trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from wald._estimators.trees import TreeOfForest, trees_of, unfitted_tree
from wald._estimators.weighted import WeightedForest
from wald.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Ensemble(WeightedForest):
    """The trees of a forest, one by one."""

    @property
    def estimators_(self) -> list[TreeOfForest]:
        """Views of the trees, which tools for scikit-learn's trees read.

        Each is a ``DecisionTreeRegressor`` or ``DecisionTreeClassifier`` with ``predict``,
        ``apply``, ``decision_path`` and ``tree_``, so that :func:`sklearn.tree.export_text` and
        :func:`sklearn.tree.plot_tree` show it. Unlike scikit-learn's, trees of classifiers predict
        the classes themselves, not their positions.

        Returns
        -------
        list of RegressionTree or ClassificationTree
            New views every time; they read the trees of this forest.

        Raises
        ------
        NotFittedError
            Before ``fit``.

        Examples
        --------
        >>> import wald
        >>> from sklearn.tree import export_text
        >>> forest = wald.ExtraTreesRegressor(3).fit([[0.0], [1.0]], [0.0, 1.0])
        >>> forest.estimators_[0].predict([[1.0]])
        array([1.])
        >>> print(export_text(forest.estimators_[0], feature_names=["size"]))
        |--- size <= ...
        """
        self._check_grown()
        return trees_of(self)

    @property
    def estimator(self) -> TreeOfForest:
        """A tree with the settings of the forest, which is not fitted.

        Returns
        -------
        RegressionTree or ClassificationTree
            A new one every time; ``fit`` grows it on all rows that it is given.

        Examples
        --------
        >>> import wald
        >>> tree = wald.ExtraTreesRegressor(max_depth=1).estimator
        >>> tree.fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]).tree_.node_count
        3
        """
        return unfitted_tree(self)

    @property
    def estimators_samples_(self) -> list[NDArray[np.int32]]:
        """The rows that every tree drew.

        Returns
        -------
        list of ndarray of int32
            Positions of rows, increasing, as often as they were drawn.

        Raises
        ------
        NotFittedError
            Before ``fit``.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(3).fit([[0.0], [1.0]], [0.0, 1.0])
        >>> forest.estimators_samples_[0]
        array([0, 1], dtype=int32)
        """
        self._check_grown()
        rows = np.arange(self._data.n_rows, dtype=np.int32)
        return [np.repeat(rows, self._drawn(at)) for at in range(len(self))]

    @property
    def _n_samples_bootstrap(self) -> int:
        """How many rows every tree draws; tools that draw them again look for this name."""
        self._check_grown()
        return int(self._drawn(0).sum())

    def _drawn(self, at: int) -> NDArray[np.uint32]:
        """How often a tree drew every row."""
        drawn = self._forest.in_bag(at)
        if drawn is None:
            raise DataError("it is not known which rows the trees drew",
                            help="fit the forest again")
        return drawn

    def __len__(self) -> int:
        self._check_grown()
        return self._forest.n_trees

    def __getitem__(self, at: int) -> TreeOfForest:
        return self.estimators_[at]

    def __iter__(self) -> Iterator[TreeOfForest]:
        return iter(self.estimators_)
