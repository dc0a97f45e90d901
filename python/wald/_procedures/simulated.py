"""Simulated rows as a pandas data frame."""

from __future__ import annotations

from typing import Any

import pandas as pd


class SimulatedFrame(pd.DataFrame):
    """A data frame that knows which of its inputs matter; what is made from it is a plain one.

    Attributes
    ----------
    truth : list of str
        The inputs that the target depends on.
    """

    _metadata = ["truth"]

    @classmethod
    def of(cls, cells: dict[str, Any], truth: list[str]) -> SimulatedFrame:
        frame = cls(cells)
        object.__setattr__(frame, "truth", truth)
        return frame

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        plain: type[pd.DataFrame] = pd.DataFrame
        return plain

    @property
    def inputs(self) -> pd.DataFrame:
        """All columns but the target."""
        return self.drop(columns="y")

    @property
    def target(self) -> pd.Series:
        """The column ``y``."""
        return self["y"]
