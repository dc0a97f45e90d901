"""Random forests, and which of their variables matter: every measure, with error bars."""

from wald._native import __version__
from wald.errors import (
    DataError,
    DataTypeError,
    ForestFileError,
    InternalError,
    MeasureError,
    NotFittedError,
    ResultFileError,
    SettingError,
    TooLargeError,
    WaldError,
)
from wald._conditional import ConditionalForestClassifier, ConditionalForestRegressor
from wald._estimators import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    TotallyRandomizedTreesClassifier,
    TotallyRandomizedTreesRegressor,
)
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
from wald._plots import (
    CurvesDisplay,
    DependenceDisplay,
    ImportanceDisplay,
    LocalDisplay,
    MaskingDisplay,
    RankDisplay,
    SelectionDisplay,
    plot_ranks,
)
from wald._population import population
from wald._procedures import dependence, masking
from wald._report import report
from wald._results import (
    Curves,
    Dependence,
    Importance,
    LocalImportance,
    Masking,
    Population,
    Selection,
    load,
)
from wald._rfe import RFE
from wald._simulate import designs, simulate

__all__ = [
    "ConditionalForestClassifier",
    "ConditionalForestRegressor",
    "Curves",
    "CurvesDisplay",
    "DataError",
    "DataTypeError",
    "Dependence",
    "DependenceDisplay",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "ForeignClassifier",
    "ForeignForest",
    "ForeignRegressor",
    "ForestFileError",
    "Importance",
    "ImportanceDisplay",
    "InternalError",
    "LocalDisplay",
    "LocalImportance",
    "Masking",
    "MaskingDisplay",
    "MeasureError",
    "NotFittedError",
    "Population",
    "RFE",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RankDisplay",
    "ResultFileError",
    "Selection",
    "SelectionDisplay",
    "SettingError",
    "TooLargeError",
    "TotallyRandomizedTreesClassifier",
    "TotallyRandomizedTreesRegressor",
    "WaldError",
    "__version__",
    "dependence",
    "designs",
    "from_lightgbm",
    "from_ranger",
    "from_sklearn",
    "from_xgboost",
    "from_ydf",
    "load",
    "masking",
    "measures",
    "plot_ranks",
    "population",
    "read_forest",
    "report",
    "simulate",
]
