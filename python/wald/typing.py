"""Types for type checkers: names of measures, settings, tables.

Nothing of this is needed to use wald; it is for type checkers, and for completion while typing.
Names of measures are literals, so that a name misspelt is found before anything runs. Where a name
is known only when the program runs, use ``typing.cast(wald.typing.GlobalMeasure, name)``.

Examples
--------
>>> from typing import get_args
>>> from wald.typing import GlobalMeasure
>>> get_args(GlobalMeasure)[:2]
('mdi', 'mda_breiman_cutler')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Aggregate", "CurveMeasure", "Design", "ExplanationSettings", "Floats", "GlobalMeasure",
    "Groups", "Impurity", "Integers", "Loss", "MaxFeatures", "MeasureSettings", "Normalise",
    "NullDistribution", "OutOfBagScore", "Progress", "RandomState", "ValueMeasure", "Variance",
]

# An array of numbers.
Floats = NDArray[np.float64]

# An array of places or counts.
Integers = NDArray[np.int64]

# A function of the work done and of all of it.
Progress = Callable[[int, int], None]

# Names of groups, with the names of their columns.
Groups = Mapping[str, Sequence[str]]

# The seed of a forest; ``None`` draws another one for every fit.
RandomState = Union[int, np.random.RandomState, None]

# How many variables are tried at each node.
MaxFeatures = Union[Literal["sqrt", "log2"], int, float, None]

# A score of a target and its out-of-bag predictions; classes are their places in ``classes_``.
OutOfBagScore = Callable[[np.ndarray, np.ndarray], float]

# Losses of predictions.
Loss = Literal["squared", "absolute", "zero_one", "zero_one_vote", "log", "auc"]

# Impurities, which splits reduce.
Impurity = Literal["variance", "gini", "entropy"]

# Divisors of importances.
Normalise = Literal["none", "variance", "standard_error", "sum"]

# Methods of estimating sampling errors.
Variance = Literal["subsampling", "jackknife"]

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
    "air", "mda_breiman_cutler", "mda_ishwaran_kogalur", "mda_random_split", "mda_train_test",
    "conditional_permutation", "total_sobol_full", "sobol_mda", "sobol_mda_lundberg",
    "total_sobol_regrow", "total_sobol_retrain", "shapley_effects", "tree_shap",
    "tree_shap_interventional", "tree_shap_loss", "tree_shap_oob", "tree_shap_oob_covariance",
    "sage", "split_count", "minimal_depth",
]

# The measures of ``forest.explain`` that have a value for every variable and row.
ValueMeasure = Literal[
    "local_mdi", "local_relevance", "mdi_oob", "saabas", "tree_shap", "tree_shap_interactions",
    "tree_shap_interventional", "tree_shap_loss",
]

# The measures of ``forest.explain`` that are curves.
CurveMeasure = Literal[
    "ice", "pdp",
]


class MeasureSettings(TypedDict, total=False):
    """Further settings of single measures; ``wald.measures()`` lists which measure offers which.

    Attributes
    ----------
    normalise : str
        What values are divided by; ``normalisations`` of a measure lists what it offers.
    impurity : str
        The impurity of impurity measures; the forest's own unless given.
    association : float
        Variables whose test of association has 1 - p above this are conditioned on; 0.2 unless
        given.
    blocks : int
        Blocks of consecutive trees whose predictions are averaged; 1 for the whole forest.
    summary : str
        How values of rows are summed up.
    per_class, by_degree : bool
        Whether there are values for every class, or by degree of interaction, too.
    exclude_self : bool
        Whether permuted rows never receive their own value.
    background : array or data frame of shape (n_background, n_features)
        Rows over which variables that are not known are averaged.
    background_rows : int
        How many training rows are drawn for that.
    precision : float
        The largest standard error that ends sampling, as a share of the range of the values.
    samples : int
        Samples to draw at least.
    time_budget : float
        Seconds after which no further samples are drawn.
    """

    normalise: Normalise
    impurity: Impurity
    association: float
    blocks: int
    summary: Summary
    per_class: bool
    by_degree: bool
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
    variables : sequence of str
        The variables looked at; all unless given.
    out_of_bag : bool
        Whether training rows are explained by the trees that did not see them.
    loss : str
        The loss of measures of losses; "squared" unless given.
    grid : "exact" or int
        Where curves are evaluated: between any two thresholds of the forest, or at most so many
        values.
    impurity : str
        The impurity of impurity measures; the forest's own unless given.
    background : array or data frame of shape (n_background, n_features)
        Rows over which variables that are not known are averaged.
    background_rows : int
        How many training rows are drawn for that; 100 unless given.
    seed : int
        Of the rows drawn; 0 unless given.
    """

    variables: Sequence[str]
    out_of_bag: bool
    loss: Loss
    grid: Union[Literal["exact"], int]
    impurity: Impurity
    background: Any
    background_rows: int
    seed: int
