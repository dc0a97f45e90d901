"""Black boxes of any kind: how they are called, and what they may return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import wald._native as _native
from wald._checks import refused
from wald.errors import DataError, DataTypeError, SettingError
from wald.typing import Floats


@dataclass(frozen=True)
class Box:
    """A function of a table of inputs.

    Attributes
    ----------
    call : callable
        It receives the table.
    takes_numbers : bool
        Whether it receives an array of numbers whatever the kind of the table.
    """

    call: Callable[[Any], Any]
    takes_numbers: bool = False

    @classmethod
    def of(cls, predict: Any) -> Box:
        """How to call a function or a model of whatever library."""
        if isinstance(predict, type):
            raise SettingError(f"predict is the class {predict.__name__}", setting="predict",
                               help="give an object of it that was fitted")
        # Results of OpenTURNS have the metamodel as a function.
        metamodel = getattr(predict, "getMetaModel", None)
        predict = metamodel() if callable(metamodel) else predict
        if hasattr(predict, "getInputDimension") and callable(predict):
            return cls(predict, takes_numbers=True)
        if hasattr(predict, "predict_proba"):
            raise SettingError(
                f"predict is a classifier, {type(predict).__name__}, whose outputs are classes",
                setting="predict", help="give the probability of a class: "
                                        "lambda X: model.predict_proba(X)[:, 1]")
        # That of a Booster of XGBoost accepts tables; its predict does not.
        for name in ("inplace_predict", "predict"):
            method = getattr(predict, name, None)
            if callable(method):
                return cls(method)
        if callable(predict):
            return cls(predict)
        raise refused("predict", predict, "give a function of a table of inputs that returns one "
                                          "number per row, or a model with a method predict",
                      what=f"predict, a {type(predict).__name__},")

    def outputs(self, X: Any, table: _native.Table) -> Floats:
        """The outputs at rows of inputs: one finite number per row, and not all of them equal."""
        found = _numbers(self.call(_matrix(table) if self.takes_numbers else X))
        n = table.n_rows
        if found.ndim == 2 and found.shape[1] == 1:
            found = found[:, 0]
        if found.shape != (n,):
            raise DataError(f"predict returned an array of shape {found.shape} for {n} rows",
                            help=f"return one number per row: an array of shape ({n},) or ({n}, 1)")
        wrong = ~np.isfinite(found)
        if wrong.any():
            first = int(np.argmax(wrong))
            raise DataError(
                f"predict returned {found[first]} for row {first + 1}, and no finite number for "
                f"{int(wrong.sum())} of {n} rows",
                help="return finite numbers, or leave out rows at which there are none")
        if (found == found[0]).all():
            raise DataError(f"predict returned {found[0]:g} for all {n} rows",
                            help="give inputs on which the output depends")
        return found


def _matrix(table: _native.Table) -> Floats:
    """The columns of a table as an array."""
    columns = []
    for name, cells in table.columns():
        if isinstance(cells, tuple):
            raise DataTypeError(
                f"column {name!r} holds texts, but a function of OpenTURNS is one of numbers",
                help="give numbers, or a function that translates them", column=name)
        columns.append(cells)
    return np.column_stack(columns)


def _numbers(returned: Any) -> Floats:
    """What a black box returned as an array of numbers."""
    help = "return one number per row"
    if returned is None:
        raise DataTypeError("predict returned None", help=help)
    try:
        if isinstance(returned, np.ma.MaskedArray):
            returned = np.ma.filled(returned.astype(np.float64), np.nan)
        found = np.asarray(returned)
        if found.dtype.kind not in "fiubO":
            raise TypeError(f"its type is {found.dtype}")
        return np.array(found, dtype=np.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        raise DataTypeError(
            f"predict returned a {type(returned).__name__} that is no array of numbers: {error}",
            help=help) from error
