"""Sets of variables that a forest splits on together."""

from __future__ import annotations

import wald._native as _native
from wald import _checks
from wald._estimators.fitted import FittedForest, check_fitted
from wald._executors.shared import shared
from wald._progress import progress_of
from wald._results.interactions import Interactions
from wald.typing import Groups, Progress


def interactions(
    forest: FittedForest, *, intersection_trees: int = 500, depth: int = 5, children: int = 2,
    min_size: int = 2, min_prevalence: float = 0.0, cut: float | None = None, resamples: int = 30,
    groups: Groups | None = None, seed: int = 0, progress: bool | Progress | None = None,
) -> Interactions:
    """Find sets of variables that a forest splits on together, by random intersection trees.

    Paths to leaves of a class, drawn in proportion to the rows in the leaves, are intersected at random;
    what is left of them is a set of variables that stand together on paths. Their effects may interact or
    add up: sets of variables that each have an effect of their own come first.

    Parameters
    ----------
    forest : fitted estimator of wald
        It is not changed.
    intersection_trees : int, default=500
        Number of random intersection trees for each class.
    depth : int, default=5
        Number of paths that are intersected from the root to a leaf of these trees.
    children : int, default=2
        Children of each of their nodes.
    min_size : int, default=2
        Fewest variables of a set.
    min_prevalence : float, default=0.0
        Smallest share of the rows in leaves of the class, in leaves whose path contains the set.
    cut : float, optional
        Value of a numeric target that divides leaves by their means, and rows; the median unless given.
    resamples : int, default=30
        Bootstrap samples of the rows on which forests are grown and searched anew, for the stability of
        each set; 0 for none.
    groups : dict of str to list of str, optional
        Names of groups with their columns, which count as one variable.
    seed : int, default=0
        Of the paths that are drawn, and of the bootstrap samples.
    progress : bool or callable, optional
        Whether to show progress; a callable receives the work done and all of it.

    Returns
    -------
    Interactions
        The sets, with prevalence, precision and stability.

    Raises
    ------
    SettingError
        For settings out of their range, and for resamples of a forest whose settings are not known, so
        that others cannot be grown.
    DataError
        Where the trees are summed, or a link follows their mean, so that leaves do not predict the
        target.

    Notes
    -----
    Sources: Shah & Meinshausen (2014), Basu, Kumbier, Brown & Yu (2018), Kumbier, Basu, Brown, Celniker
    & Yu (2018). Cost: that of growing ``resamples`` forests, and of sending all rows down their trees.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=300, seed=1)
    >>> both = (data.inputs["x1"] > 0.5) & (data.inputs["x2"] > 0.5)
    >>> forest = wald.RandomForestClassifier(50, random_state=1).fit(data.inputs, both)
    >>> found = wald.interactions(forest, resamples=5)
    >>> found.classes[0], found.sets[0]
    ('True', ['x1+', 'x2+'])
    """
    check_fitted(forest)
    forest._check_leaves("interactions")
    asked = {
        "intersection_trees": _checks.whole("intersection_trees", intersection_trees, 1),
        "depth": _checks.whole("depth", depth, 1),
        "children": _checks.whole("children", children, 1),
        "min_size": _checks.whole("min_size", min_size, 1),
        "min_prevalence": _checks.number("min_prevalence", min_prevalence),
        "cut": None if cut is None else _checks.number("cut", cut),
        "resamples": _checks.whole("resamples", resamples, 0),
        "seed": _checks.whole("seed", seed, 0),
    }
    found = shared(
        _native.interactions, forest._forest, forest._data_with(groups), asked,
        threads=forest._threads(), progress=progress_of(progress, "searching forests"),
        executor=None)
    return Interactions(**found)
