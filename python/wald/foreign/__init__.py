"""Forests of other programs."""

from wald.foreign.forest import ForeignClassifier, ForeignForest, ForeignRegressor
from wald.foreign.lightgbm import from_lightgbm
from wald.foreign.ranger import from_ranger, read_forest
from wald.foreign.sklearn import from_sklearn
from wald.foreign.xgboost import from_xgboost
from wald.foreign.ydf import from_ydf

__all__ = ["ForeignClassifier", "ForeignForest", "ForeignRegressor", "from_lightgbm", "from_ranger",
           "from_sklearn", "from_xgboost", "from_ydf", "read_forest"]
