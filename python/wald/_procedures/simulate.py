"""Simulated data of the designs of papers, with the truth about their variables."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import wald._native as _native
from wald._checks import text, whole
from wald._tables.named import readable
from wald.typing import Design


class SimulatedColumns(dict[str, np.ndarray]):
    """Columns by name, where pandas is not installed.

    Attributes
    ----------
    truth : list of str
        The inputs that the target depends on.
    """

    truth: list[str]

    @property
    def inputs(self) -> np.ndarray:
        """All columns but the target; ndarray of shape (rows, n_inputs)."""
        return np.column_stack([cells for name, cells in self.items() if name != "y"])

    @property
    def target(self) -> np.ndarray:
        """The column ``y``; ndarray of shape (rows,)."""
        return self["y"]


def simulate(design: Design, rows: int = 1000, seed: int = 0) -> Any:
    """Draw rows of a simulation design.

    Rows are drawn one after the other, so that a smaller sample is the beginning of a larger one
    with the same seed; the numbers are those of ``wald simulate``.

    Parameters
    ----------
    design : str
        Its name; :func:`designs` lists them.
    rows : int, default=1000
        How many.
    seed : int, default=0
        What the numbers follow from; another one gives rows of their own.

    Returns
    -------
    pandas.DataFrame, or dict of ndarray where pandas is not installed
        Inputs ``x1``, ``x2``, ... and the target ``y``, with ``inputs`` and ``target`` apart, and
        ``truth``: the names of the inputs that the target depends on.

    Raises
    ------
    SettingError
        When there is no such design, or a number is out of range.

    Notes
    -----
    Sources: the ``source`` of :func:`designs`. Cost: rows times columns.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=3)
    >>> data.shape, data.truth
    ((100, 11), ['x1', 'x2', 'x3', 'x4', 'x5'])
    """
    columns, relevant = _native.simulate(
        text("design", design), whole("rows", rows, 1), whole("seed", seed, 0))
    cells = {name: readable(of) for name, of in columns}
    truth = [columns[at][0] for at in relevant]
    try:
        from wald._procedures.simulated import SimulatedFrame
    except ImportError:
        found: Any = SimulatedColumns(cells)
        found.truth = truth
        return found
    return SimulatedFrame.of(cells, truth)


def designs() -> list[dict[str, Any]]:
    """The simulation designs: name, inputs, target, what matters, source.

    Returns
    -------
    list of dict
        ``id``, ``name``, ``n_columns``, ``inputs``, ``target``, ``relevant`` and ``source`` (paper
        and section) of each.

    Examples
    --------
    >>> import wald
    >>> [design["id"] for design in wald.designs()][:2]
    ['benard_example_1', 'benard_example_2']
    """
    return list(json.loads(_native.designs()))
