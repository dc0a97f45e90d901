"""Types for type checkers: names of measures, settings, tables.

Nothing of this is needed to use wald; it is for type checkers, and for completion while typing.
Names of measures are literals, so that a name misspelt is found before anything runs. Where a name
is known only when the program runs, use ``typing.cast(wald.typing.GlobalMeasure, name)``.

Examples
--------
>>> from typing import get_args
>>> from wald.typing import GlobalMeasure
>>> get_args(GlobalMeasure)[:2]
('mdi', 'mdi_oob')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure
    from typing_extensions import Self as Self, Unpack as Unpack
else:
    # Packages that are there for type checkers only, or for those who draw.
    Axes = Figure = Self = Unpack = Any

# An array of numbers.
Floats = NDArray[np.float64]

# An array of places or counts.
Integers = NDArray[np.int64]

# A function of the work done and of all of it.
Progress = Callable[[int, int], None]

# Names of groups, with the names of their columns.
Groups = Mapping[str, Sequence[str]]

# Rows that the forest never saw, with their target, and with their case weights if they have any.
TestRows = Union[tuple[Any, Any], tuple[Any, Any, Any]]

# The seed of a forest; ``None`` draws another one for every fit.
RandomState = Union[int, np.random.RandomState, None]

# How many variables are tried at each node.
MaxFeatures = Union[Literal["sqrt", "log2"], int, float, None]

# In which direction predictions may change with columns: -1, 0 or 1 for each, or for some by name.
MonotonicCst = Union[Sequence[int], NDArray[Any], Mapping[str, int], None]

# A score of a target and its out-of-bag predictions; classes are their places in ``classes_``.
OutOfBagScore = Callable[[np.ndarray, np.ndarray], float]

# Losses of predictions.
Loss = Literal["squared", "absolute", "zero_one", "zero_one_vote", "log", "auc"]

# Impurities, which splits reduce.
Impurity = Literal["variance", "gini", "entropy", "poisson", "absolute_error"]

# Divisors of importances.
Normalise = Literal["none", "variance", "standard_error", "sum"]

# Methods of estimating sampling errors.
Variance = Literal["subsampling", "jackknife"]

# Estimators of what a variable adds to the others.
ConditionalMethod = Literal["sobol_cpi", "loco"]

# Families of correlations of Gaussian processes.
Kernel = Literal["matern_52", "matern_32", "squared_exponential"]

# Null distributions of p-values.
NullDistribution = Literal["permuted", "shadow", "mirrored"]

# Aggregations of the values of rows.
Aggregate = Literal["mean_abs", "mean", "covariance"]

# The designs of simulations.
Design = Literal[
    "benard_example_1", "benard_example_2", "friedman_1", "li_leaf_size", "li_classification",
    "li_regression",
]

# The measures of ``forest.importance``.
GlobalMeasure = Literal[
    "mdi", "mdi_oob", "mdi_oob_uncentred", "mdi_oob_naive", "mdi_oob_naive_in_bag_added", "ufi",
    "air", "mdi_plus", "mda_breiman_cutler", "mda_ishwaran_kogalur", "mda_random_split",
    "mda_train_test", "conditional_permutation", "total_sobol_full", "sobol_mda", "sobol_first",
    "sobol_mda_lundberg", "total_sobol_regrow", "total_sobol_retrain", "distribution_retrain",
    "shapley_effects", "tree_shap", "tree_shap_interventional", "tree_shap_loss",
    "tree_shap_oob", "tree_shap_oob_covariance", "sage", "split_count", "minimal_depth",
    "depth_weighted_splits",
]

# The measures of ``forest.explain`` that have a value for every variable and row.
ValueMeasure = Literal[
    "friedman_h", "local_mdi", "local_relevance", "mdi_oob", "mdi_plus", "saabas", "tree_shap",
    "tree_shap_interactions", "tree_shap_interventional", "tree_shap_loss",
]

# The measures of ``forest.explain`` that are curves.
CurveMeasure = Literal[
    "ice", "pdp", "ale",
]


class Prototype(TypedDict):
    """The prototype of a class, as :meth:`wald.RandomForestClassifier.prototypes` returns it."""

    #: The training row with most neighbours of the class.
    row: int
    #: Its neighbours of the class, nearest first.
    neighbours: Integers
    #: By variable: the median of the neighbours, or their most frequent level.
    centre: dict[str, Union[float, str, None]]
    #: By variable of numbers: the lower and the upper quartile of the neighbours.
    quartiles: dict[str, tuple[float, float]]


class MeasureSettings(TypedDict, total=False):
    """Further settings of single measures; ``wald.measures()`` lists which measure offers which.

    Attributes
    ----------
    conditioning_threshold : float
        Conditional permutation conditions on variables whose test of association has 1 - p
        above this. Default: 0.2.
    normalise : Normalise
        What values are divided by. Default: none.
    impurity : Impurity
        Impurity of impurity measures. Default: that of the forest.
    blocks : int
        Number of blocks of consecutive trees; errors are computed per block of averaged trees:
        1 block is the whole forest, as many blocks as trees are single trees. Default: 1.
    aggregate : Aggregate
        How Shapley values of rows are aggregated: by the mean of their absolute values, by
        their mean, or by their covariance with the response. Default: mean_abs.
    per_class : bool
        Also report the values of every class.
    by_degree : bool
        Also decompose values by degree of interaction: the number of other variables used above
        a split.
    second_order : bool
        Also report second-order Sobol indices: what the interaction of two variables explains,
        for every pair of variables.
    quantile : float
        The level of a quantile whose loss is scored. Default: the whole distribution.
    exclude_self : bool
        A row never receives its own value in a permutation.
    background : Any
        Background rows over which SAGE and interventional Shapley values average unknown
        variables, all of them, each as often as any other: case weights in the table do not
        count. They need no target. Default: training rows drawn at random.
    background_rows : int
        Number of training rows drawn as background rows. Default: 512 for SAGE, 100 for Shapley
        values.
    precision : float
        SAGE and Shapley effects sample until the largest standard error is at most this share
        of the range of values. Default: 0.025 for SAGE, 0.05 for Shapley effects.
    samples : int
        Number of samples of SAGE and of Shapley effects, whatever the precision; number of rows
        over which Shapley values are averaged. Default: as many as the precision requires; 2000
        rows.
    time_budget : float
        Seconds after which SAGE stops sampling, whatever its precision; values then depend on
        the clock. Default: no limit.
    """

    conditioning_threshold: float
    normalise: Normalise
    impurity: Impurity
    blocks: int
    aggregate: Aggregate
    per_class: bool
    by_degree: bool
    second_order: bool
    quantile: float
    exclude_self: bool
    background: Any
    background_rows: int
    precision: float
    samples: int
    time_budget: float


class ExplanationSettings(TypedDict, total=False):
    """Further settings of local measures.

    Attributes
    ----------
    variables : Sequence[str]
        Variables to explain. Default: all.
    out_of_bag : bool
        Explain every training row by the trees that did not see it.
    loss : Loss
        Loss of a prediction, for measures of losses. Default: squared.
    grid : Union[Literal["exact"], int]
        Values of a numeric variable at which curves are evaluated: at most so many of the
        training data (distinct values or quantiles), or between all neighbouring thresholds of
        the forest (exact). Default: exact.
    impurity : Impurity
        Impurity of local impurity measures. Default: that of the forest.
    background : Any
        Background rows over which interventional Shapley values average unknown variables, all
        of them, each as often as any other: case weights in the table do not count. They need
        no target. Default: training rows drawn at random.
    background_rows : int
        Number of training rows drawn as background rows. Default: 100.
    seed : int
        Seed of the rows drawn: background rows, or those that Friedman's H looks at. Default:
        0.
    """

    variables: Sequence[str]
    out_of_bag: bool
    loss: Loss
    grid: Union[Literal["exact"], int]
    impurity: Impurity
    background: Any
    background_rows: int
    seed: int
