"""Results that order variables by their importance."""

from __future__ import annotations

import numpy as np

from wald.typing import Floats, Integers


class Ranked:
    """A result with a value for every variable."""

    values: Floats
    lower_is_more_important: bool

    def ranking(self) -> Integers:
        """Order the variables by decreasing importance, undefined ones last.

        Returns
        -------
        ndarray of shape (n_variables,)
            Places of the variables: ``feature_names[ranking()[0]]`` matters most.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> forest.importance("mdi").ranking()
        array([1, 0])
        """
        keys = self.values if self.lower_is_more_important else -self.values
        return np.argsort(np.where(np.isnan(keys), np.inf, keys), kind="stable")
