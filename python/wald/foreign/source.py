"""Everything about an imported forest besides its trees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

import wald._native as _native
from wald._tables.rows import cluster_codes
from wald.errors import DataError
from wald.foreign.rows import Rows, Target


@dataclass
class Source:
    """Everything about a forest besides its trees."""

    program: str
    rows: Rows
    target: Target
    # From the sum of the trees to what the program predicts.
    link: str = "identity"
    # Factor of sums of trees before the link.
    slope: float = 1.0
    # Why no out-of-bag rows are known; empty where they are.
    no_bags: str = ""
    # The unit of the gains that nodes hold; empty where they hold impurities of the target.
    gain: str = ""
    notes: list[str] = field(default_factory=list)

    def dataset(self, X: Any, y: Any, weights: np.ndarray | None = None, clusters: Any = None
                ) -> _native.Dataset:
        """Rows with their target; of trees that sum up to log-odds, classes as numbers 0 and 1."""
        table = self.rows.table(X)
        cells = self.target.cells(y, as_codes=self.link == "logistic")
        n_target = len(cells[1]) if isinstance(cells, tuple) else len(cells)
        if n_target != table.n_rows:
            raise DataError(f"X has {table.n_rows} rows, but y {n_target}",
                            help="give one value of the target for each row of X")
        return _native.Dataset(table, self.target.name, cells, weights=weights,
                               clusters=cluster_codes(clusters, table.n_rows))
