"""Random forests, and which of their variables matter: every measure, with error bars."""

from wald._native import __version__
from wald.errors import (
    DataError,
    DataTypeError,
    ForestFileError,
    InternalError,
    MeasureError,
    SettingError,
    TooLargeError,
    WaldError,
)
from wald._estimators import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from wald._results import Importance, LocalImportance
from wald._measures import measures

__all__ = [
    "DataError",
    "DataTypeError",
    "ForestFileError",
    "Importance",
    "InternalError",
    "LocalImportance",
    "MeasureError",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "SettingError",
    "TooLargeError",
    "WaldError",
    "__version__",
    "measures",
]
