"""Results as data frames of whichever package the user has."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np


def needed(package: str, what: str, install: str | None = None) -> ModuleType:
    """A package that only some users have.

    Raises
    ------
    ImportError
        It says what to install.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        root = package.partition(".")[0]
        raise ImportError(
            f"{what} needs {root}; install it with `pip install {install or root}`") from error


class Framed:
    """A result that is also a table of columns of equal length."""

    def _columns(self) -> dict[str, Any]:
        raise NotImplementedError

    def to_pandas(self, **options: Any) -> Any:
        """The result as a pandas data frame; undefined values are NaN.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        ImportError
            Without pandas.
        """
        pandas = needed("pandas", "to_pandas()")
        return pandas.DataFrame(self._columns(**options))

    def to_polars(self, **options: Any) -> Any:
        """The result as a polars data frame; undefined values are null.

        Returns
        -------
        polars.DataFrame

        Raises
        ------
        ImportError
            Without polars.
        """
        polars = needed("polars", "to_polars()")
        return polars.DataFrame(
            {name: list(cells) if isinstance(cells, np.ndarray) and cells.dtype == object
             else cells for name, cells in self._columns(**options).items()},
            nan_to_null=True)

    def to_arrow(self, **options: Any) -> Any:
        """The result as an Arrow table; undefined values are null.

        Returns
        -------
        pyarrow.Table

        Raises
        ------
        ImportError
            Without pyarrow.
        """
        arrow = needed("pyarrow", "to_arrow()")
        columns = self._columns(**options)
        return arrow.table({name: arrow.array(cells, from_pandas=True)
                            for name, cells in columns.items()})
