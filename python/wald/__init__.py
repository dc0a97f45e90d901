"""Random forests, and which of their variables matter: every measure, with error bars.

Grow a forest in scikit-learn's manner, or bring one that you have, and ask it:

>>> import wald
>>> data = wald.simulate("friedman_1", rows=200, seed=1)
>>> forest = wald.RandomForestRegressor(100).fit(data.inputs, data.target)
>>> importance = forest.importance("sobol_mda")  # how much every variable matters
>>> importance.feature_names[importance.ranking()[0]]
'x4'
>>> local = forest.explain(data.inputs.head(3), "tree_shap")  # what they do to single rows
>>> local.values.shape
(3, 10)

Estimators
    RandomForestRegressor, RandomForestClassifier, ExtraTreesRegressor, ExtraTreesClassifier,
    TotallyRandomizedTreesRegressor, TotallyRandomizedTreesClassifier,
    ConditionalForestRegressor, ConditionalForestClassifier
Forests of other programs, with every measure that they allow
    from_sklearn, from_lightgbm, from_xgboost, from_ydf, from_ranger, read_forest
What measures there are, and what each of them tells
    measures
Which of them answers which question on your data, and what makes them mislead
    advise
Which variables to keep
    RFE
How variables hang together, without a forest or with several
    dependence, masking, population
How sure importances are
    uncertainty
A page about a forest
    report
Data from the designs of papers
    simulate, designs
Results: numbers with names, ``to_pandas()``, ``plot()``, ``save()``
    Importance, LocalImportance, Curves, Selection, Masking, Dependence, Population, Advice, Answer,
    Uncertainty, load
Pictures
    AnswerDisplay, ImportanceDisplay, LocalDisplay, CurvesDisplay, SelectionDisplay, MaskingDisplay,
    DependenceDisplay, RankDisplay, UncertaintyDisplay, plot_ranks
What can go wrong, always with the help to mend it
    WaldError and its kinds, in wald.errors
Types, for those who check theirs
    wald.typing
"""

from wald._native import __version__
from wald.errors import (
    DataError,
    DataTypeError,
    FileError,
    FileMissingError,
    FileThereError,
    FolderError,
    ForestFileError,
    InternalError,
    MaskingWarning,
    MeasureError,
    MeasureNameError,
    NotFittedError,
    ResultFileError,
    SettingError,
    TooLargeError,
    WaldError,
)
from wald._advise import advise
from wald._conditional import ConditionalForestClassifier, ConditionalForestRegressor
from wald._estimators import RandomForestClassifier, RandomForestRegressor
from wald._extra_trees import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
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
    AnswerDisplay,
    CurvesDisplay,
    DependenceDisplay,
    ImportanceDisplay,
    LocalDisplay,
    MaskingDisplay,
    RankDisplay,
    SelectionDisplay,
    UncertaintyDisplay,
    plot_ranks,
)
from wald._population import population
from wald._procedures import dependence, masking
from wald._report import report
from wald._results import (
    Advice,
    Answer,
    Curves,
    Dependence,
    Importance,
    LocalImportance,
    Masking,
    Population,
    Selection,
    Uncertainty,
    load,
)
from wald._rfe import RFE
from wald._simulate import designs, simulate
from wald._uncertainty import uncertainty

__all__ = [
    "Advice",
    "Answer",
    "AnswerDisplay",
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
    "FileError",
    "FileMissingError",
    "FileThereError",
    "FolderError",
    "ForestFileError",
    "Importance",
    "ImportanceDisplay",
    "InternalError",
    "LocalDisplay",
    "LocalImportance",
    "Masking",
    "MaskingDisplay",
    "MaskingWarning",
    "MeasureError",
    "MeasureNameError",
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
    "Uncertainty",
    "UncertaintyDisplay",
    "WaldError",
    "__version__",
    "advise",
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
    "uncertainty",
]
