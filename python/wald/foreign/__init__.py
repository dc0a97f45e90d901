"""Forests of other programs."""

from wald.foreign.forest import ForeignClassifier, ForeignForest, ForeignRegressor
from wald.foreign.lightgbm import from_lightgbm
from wald.foreign.sklearn import from_sklearn
from wald.foreign.xgboost import from_xgboost

__all__ = ["ForeignClassifier", "ForeignForest", "ForeignRegressor", "from_lightgbm",
           "from_sklearn", "from_xgboost"]
