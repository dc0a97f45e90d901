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
    ConditionalForestClassifier,
    ConditionalForestRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    TotallyRandomizedTreesClassifier,
    TotallyRandomizedTreesRegressor,
)
from wald._results import Importance, LocalImportance
from wald.foreign import (
    ForeignClassifier,
    ForeignForest,
    ForeignRegressor,
    from_lightgbm,
    from_ranger,
    from_sklearn,
    from_xgboost,
    from_ydf,
    read_forest,
)
from wald._measures import measures

__all__ = [
    "ConditionalForestClassifier",
    "ConditionalForestRegressor",
    "DataError",
    "DataTypeError",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "ForeignClassifier",
    "ForeignForest",
    "ForeignRegressor",
    "ForestFileError",
    "Importance",
    "InternalError",
    "LocalImportance",
    "MeasureError",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "SettingError",
    "TooLargeError",
    "TotallyRandomizedTreesClassifier",
    "TotallyRandomizedTreesRegressor",
    "WaldError",
    "__version__",
    "from_lightgbm",
    "from_ranger",
    "from_sklearn",
    "from_xgboost",
    "from_ydf",
    "measures",
    "read_forest",
]
