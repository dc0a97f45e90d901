"""Random forests, and which of their variables matter: every measure, with error bars.

Grow a forest in scikit-learn's manner, or bring one that you have, and ask it:

>>> import wald
>>> data = wald.simulate("friedman_1", rows=200, seed=1)
>>> forest = wald.RandomForestRegressor(100).fit(data.inputs, data.target)
>>> importance = forest.importance("sobol_mda")  # how much every variable matters
>>> importance.top(1).feature_names
['x4']
>>> local = forest.explain(data.inputs.head(3), "tree_shap")  # what they do to single rows
>>> local.values.shape
(3, 10)

Estimators
    RandomForestRegressor, RandomForestClassifier, ExtraTreesRegressor, ExtraTreesClassifier,
    TotallyRandomizedTreesRegressor, TotallyRandomizedTreesClassifier,
    ConditionalForestRegressor, ConditionalForestClassifier
One forest of trees that were grown in several places
    merge
Work that the workers of an executor share
    Workers, ray_executor, spark_executor
Forests of other programs, with every measure that they allow
    from_sklearn, from_lightgbm, from_xgboost, from_ydf, from_ranger, read_forest
What measures there are, and what each of them estimates
    measures
Which of them answers which question on your data, and what makes them mislead
    advise
Which variables to keep
    RFE (the few that predict best), Boruta (all relevant ones), IPSS (few false discoveries)
How variables depend on each other and mask each other
    dependence, masking, population
Uncertainty of importances
    uncertainty
Whether importances differ between two tables or two forests
    compare
Which variables a forest splits on together
    interactions
Whether each variable adds to what the others explain
    conditional_test
Few runs of an expensive model, and any black box
    surrogate, through
A page about a forest
    report
Data from the designs of papers
    simulate, designs
Results: numbers with names, ``to_pandas()``, ``plot()``, ``save()``
    Importance, ImportanceTable, LocalImportance, Curves, Selection, Masking, Dependence, Population,
    Advice, Answer, Uncertainty, Comparison, ConditionalTest, Interactions, Surrogate,
    BlackBoxImportance, load
Pictures
    AnswerDisplay, ImportanceDisplay, ImportanceTableDisplay, LocalDisplay, CurvesDisplay,
    SelectionDisplay, MaskingDisplay, ComparisonDisplay, ConditionalTestDisplay, DependenceDisplay,
    InteractionsDisplay, RankDisplay, UncertaintyDisplay, SurrogateDisplay, plot_ranks
What can go wrong, always with a hint
    WaldError and its kinds, in wald.errors
Types for type checkers
    wald.typing
"""

from wald._native import __version__
from wald._estimators.boruta import Boruta
from wald._estimators.conditional import ConditionalForestClassifier, ConditionalForestRegressor
from wald._estimators.extra_trees import (
    ExtraTreesClassifier, ExtraTreesRegressor, TotallyRandomizedTreesClassifier,
    TotallyRandomizedTreesRegressor,
)
from wald._estimators.ipss import IPSS
from wald._estimators.random_forest import RandomForestClassifier, RandomForestRegressor
from wald._estimators.rfe import RFE
from wald._executors.ray import ray_executor
from wald._executors.spark import spark_executor
from wald._executors.workers import Workers
from wald._plots.answer import AnswerDisplay
from wald._plots.comparison import ComparisonDisplay
from wald._plots.conditional import ConditionalTestDisplay
from wald._plots.curves import CurvesDisplay
from wald._plots.dependence import DependenceDisplay
from wald._plots.importance import ImportanceDisplay
from wald._plots.importance_table import ImportanceTableDisplay
from wald._plots.interactions import InteractionsDisplay
from wald._plots.local import LocalDisplay
from wald._plots.masking import MaskingDisplay
from wald._plots.ranks import RankDisplay, plot_ranks
from wald._plots.selection import SelectionDisplay
from wald._plots.surrogate import SurrogateDisplay
from wald._plots.uncertainty import UncertaintyDisplay
from wald._procedures.advise import advise
from wald._procedures.compare import compare
from wald._procedures.conditional import conditional_test
from wald._procedures.interactions import interactions
from wald._procedures.masking import dependence, masking
from wald._procedures.merge import merge
from wald._procedures.population import population
from wald._procedures.report import report
from wald._procedures.simulate import designs, simulate
from wald._procedures.surrogate import surrogate
from wald._procedures.through import through
from wald._procedures.uncertainty import uncertainty
from wald._results.advice import Advice
from wald._results.answer import Answer
from wald._results.black_box import BlackBoxImportance
from wald._results.comparison import Comparison
from wald._results.conditional import ConditionalTest
from wald._results.curves import Curves
from wald._results.dependence import Dependence
from wald._results.importance import Importance
from wald._results.importance_table import ImportanceTable
from wald._results.interactions import Interactions
from wald._results.local import LocalImportance
from wald._results.masking import Masking
from wald._results.measures import measures
from wald._results.population import Population
from wald._results.selection import Selection
from wald._results.storing import load
from wald._results.surrogate import Surrogate
from wald._results.uncertainty import Uncertainty
from wald.errors import (
    DataError, DataTypeError, FileError, ForestFileError, InputNotFoundError, InternalError,
    MaskingWarning, MeasureError, NotAFileError, NotFittedError, OutputExistsError,
    ResultFileError, SettingError, TooLargeError, UnknownMeasureError, UnknownNameError, WaldError,
    WorkerError,
)
from wald.foreign.forest import ForeignClassifier, ForeignForest, ForeignRegressor
from wald.foreign.lightgbm import from_lightgbm
from wald.foreign.ranger import from_ranger, read_forest
from wald.foreign.sklearn import from_sklearn
from wald.foreign.xgboost import from_xgboost
from wald.foreign.ydf import from_ydf

__all__ = [
    "Advice", "Answer", "AnswerDisplay", "BlackBoxImportance", "Boruta", "Comparison",
    "ComparisonDisplay", "ConditionalForestClassifier", "ConditionalForestRegressor",
    "ConditionalTest", "ConditionalTestDisplay", "Curves", "CurvesDisplay", "DataError",
    "DataTypeError", "Dependence", "DependenceDisplay", "ExtraTreesClassifier",
    "ExtraTreesRegressor", "FileError", "ForeignClassifier", "ForeignForest", "ForeignRegressor",
    "ForestFileError", "IPSS", "Importance", "ImportanceDisplay", "ImportanceTable",
    "ImportanceTableDisplay", "InputNotFoundError", "Interactions", "InteractionsDisplay",
    "InternalError", "LocalDisplay", "LocalImportance", "Masking", "MaskingDisplay",
    "MaskingWarning", "MeasureError", "NotAFileError", "NotFittedError", "OutputExistsError",
    "Population", "RFE", "RandomForestClassifier", "RandomForestRegressor", "RankDisplay",
    "ResultFileError", "Selection", "SelectionDisplay", "SettingError", "Surrogate",
    "SurrogateDisplay", "TooLargeError", "TotallyRandomizedTreesClassifier",
    "TotallyRandomizedTreesRegressor", "Uncertainty", "UncertaintyDisplay", "UnknownMeasureError",
    "UnknownNameError", "WaldError", "WorkerError", "Workers", "__version__", "advise", "compare",
    "conditional_test", "dependence", "designs", "from_lightgbm", "from_ranger", "from_sklearn",
    "from_xgboost", "from_ydf", "interactions", "load", "masking", "measures", "merge",
    "plot_ranks", "population", "ray_executor", "read_forest", "report", "simulate",
    "spark_executor", "surrogate", "through", "uncertainty",
]
