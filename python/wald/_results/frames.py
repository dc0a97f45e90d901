"""Results as data frames of pandas, polars or Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wald._checks import needed

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Framed:
    """A result that is also a table of columns of equal length."""

    def _columns(self) -> dict[str, Any]:
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """The result as a pandas data frame; undefined values are NaN.

        Returns
        -------
        pandas.DataFrame
            A line for every variable, or for every size, point or pair.

        Raises
        ------
        ImportError
            Without pandas.

        Examples
        --------
        >>> import wald
        >>> wald.dependence({"a": [1, 2, 3], "b": [1, 4, 9]}).to_pandas()
          variable other  dependence
        0        a     b         1.0
        """
        return pandas_of(self._columns())

    def to_polars(self) -> polars.DataFrame:
        """The result as a polars data frame; undefined values are null.

        Returns
        -------
        polars.DataFrame
            A line for every variable, or for every size, point or pair.

        Raises
        ------
        ImportError
            Without polars.

        Examples
        --------
        >>> import wald
        >>> wald.dependence({"a": [1, 2, 3], "b": [1, 4, 9]}).to_polars().columns
        ['variable', 'other', 'dependence']
        """
        return polars_of(self._columns())

    def to_arrow(self) -> pyarrow.Table:
        """The result as an Arrow table; undefined values are null.

        Returns
        -------
        pyarrow.Table
            A line for every variable, or for every size, point or pair.

        Raises
        ------
        ImportError
            Without pyarrow.

        Examples
        --------
        >>> import wald
        >>> wald.dependence({"a": [1, 2, 3], "b": [1, 4, 9]}).to_arrow().column_names
        ['variable', 'other', 'dependence']
        """
        return arrow_of(self._columns())


class LongFramed(Framed):
    """A result with values for rows that is also a table of either form."""

    data: Any

    def _columns(self, *, long: bool = False) -> dict[str, Any]:
        raise NotImplementedError

    def to_pandas(self, *, long: bool = False) -> pandas.DataFrame:
        """The values as a pandas data frame.

        Parameters
        ----------
        long : bool, default=False
            A line for every value (row, variable, class, value) instead of a line per row.

        Returns
        -------
        pandas.DataFrame
            A line per row has the index of the data frame that was explained, if it was one.

        Raises
        ------
        ImportError
            Without pandas.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> forest.explain(measure="saabas").to_pandas()
            x0
        0 -1.0
        1  0.0
        2  1.0
        """
        frame = pandas_of(self._columns(long=long))
        index = getattr(self.data, "index", None)
        if not long and index is not None and not callable(index):
            frame.index = index
        return frame

    def to_polars(self, *, long: bool = False) -> polars.DataFrame:
        """The values as a polars data frame.

        Parameters
        ----------
        long : bool, default=False
            A line for every value (row, variable, class, value) instead of a line per row.

        Returns
        -------
        polars.DataFrame
            Undefined values are null.

        Raises
        ------
        ImportError
            Without polars.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> forest.explain(measure="saabas").to_polars(long=True).columns
        ['row', 'variable', 'value']
        """
        return polars_of(self._columns(long=long))

    def to_arrow(self, *, long: bool = False) -> pyarrow.Table:
        """The values as an Arrow table.

        Parameters
        ----------
        long : bool, default=False
            A line for every value (row, variable, class, value) instead of a line per row.

        Returns
        -------
        pyarrow.Table
            Undefined values are null.

        Raises
        ------
        ImportError
            Without pyarrow.

        Examples
        --------
        >>> import wald
        >>> forest = wald.ExtraTreesRegressor(20).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> forest.explain(measure="saabas").to_arrow().column_names
        ['x0']
        """
        return arrow_of(self._columns(long=long))


def pandas_of(columns: dict[str, Any]) -> pandas.DataFrame:
    """Columns as a pandas data frame."""
    return needed("pandas", "to_pandas()").DataFrame(columns)


def polars_of(columns: dict[str, Any]) -> polars.DataFrame:
    """Columns as a polars data frame."""
    package = needed("polars", "to_polars()")
    found: polars.DataFrame = package.DataFrame(
        {name: list(cells) if isinstance(cells, np.ndarray) and cells.dtype == object else cells
         for name, cells in columns.items()},
        nan_to_null=True)
    return found


def arrow_of(columns: dict[str, Any]) -> pyarrow.Table:
    """Columns as an Arrow table."""
    arrow = needed("pyarrow", "to_arrow()")
    return arrow.table({name: arrow.array(cells, from_pandas=True)
                        for name, cells in columns.items()})
