"""Results with a value for every variable, by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from wald._checks import needed, place
from wald.typing import Floats

if TYPE_CHECKING:
    import pandas


class ByName:
    """A result that also reads like a dictionary: from names of variables to values."""

    measure: str
    values: Floats
    feature_names: list[str]

    def __getitem__(self, name: str) -> float:
        return float(self.values[place("variable", name, self.feature_names)])

    def __iter__(self) -> Iterator[str]:
        return iter(self.feature_names)

    def __len__(self) -> int:
        return len(self.feature_names)

    def keys(self) -> list[str]:
        """The names of the variables, so that ``dict(importance)`` has a value for each.

        Returns
        -------
        list of str
            In the order of the table.

        Examples
        --------
        >>> import wald
        >>> found = wald.population({"x": [0, 1], "y": ["no", "yes"]}, target="y")
        >>> dict(found.to_importance())
        {'x': 1.0}
        """
        return list(self.feature_names)

    def items(self) -> Iterator[tuple[str, float]]:
        """Pair the names of the variables with their values, in the order of the table.

        Returns
        -------
        iterator of tuple (str, float)
            NaN where undefined.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[1, 0], [1, 1], [1, 2]], [0, 1, 2])
        >>> [name for name, value in forest.importance("mdi").items() if value > 0]
        ['x1']
        """
        return zip(self.feature_names, np.asarray(self.values).tolist())

    def to_dict(self) -> dict[str, float]:
        """The values by name, in the order of the table.

        Returns
        -------
        dict of str to float
            NaN where undefined.

        Examples
        --------
        >>> import wald
        >>> found = wald.population({"x": [0, 1], "y": ["no", "yes"]}, target="y")
        >>> found.to_importance().to_dict()
        {'x': 1.0}
        """
        return dict(self.items())

    def to_series(self) -> pandas.Series:
        """The values as a pandas series with the names of variables as index.

        Returns
        -------
        pandas.Series
            In the order of the table, named by the measure.

        Raises
        ------
        ImportError
            Without pandas.

        Examples
        --------
        >>> import wald
        >>> found = wald.population({"x": [0, 1], "y": ["no", "yes"]}, target="y")
        >>> found.to_importance().to_series()
        x    1.0
        Name: population, dtype: float64
        """
        package = needed("pandas", "to_series()")
        return package.Series(self.values, index=list(self.feature_names), name=self.measure)
