"""Values of rows as data frames: a line for every row, or for every value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wald._results.frames import arrow_of, pandas_of, polars_of

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class LongFramed:
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
