"""The arguments of forests, and the settings of the engine that follow from them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from numbers import Integral
from typing import Any, ClassVar, Literal, Union

import numpy as np

from wald._checks import flag, number, one_of, whole
from wald._estimators.arguments import count, n_tried, share, trends
from wald._tables.refusals import random_state_of
from wald.errors import SettingError
from wald.typing import MaxFeatures, MonotonicCst, OutOfBagScore, RandomState

# scikit-learn's words for what splits reduce.
CRITERIA = {"squared_error": "variance", "friedman_mse": "variance", "poisson": "poisson",
            "absolute_error": "absolute_error", "gini": "gini", "entropy": "entropy",
            "log_loss": "entropy"}

# What splits on several targets reduce, on average over these.
OF_SEVERAL = ("variance", "gini")

# What classes weigh: these weights, or such that all classes weigh the same, in the table or in the
# draws of every tree.
ClassWeight = Union[Mapping[Any, float], Literal["balanced", "balanced_subsample"], None]


@dataclass(eq=False, repr=False)
class Settings:
    """The arguments of forests.

    Parameters
    ----------
    n_estimators : int
        Trees.
    max_depth : int
        Deepest level of a leaf, the root being 0.
    min_samples_split : int or float
        A node splits only if it holds as many draws (a float: as this share of the rows).
    min_samples_leaf : int or float
        A child holds at least as many draws.
    min_weight_fraction_leaf : float
        A child holds at least this share of the weight of the tree's draws.
    min_impurity_decrease : float
        A node splits only if that decreases its impurity, times its share of the tree's weight,
        by at least so much.
    max_features : {"sqrt", "log2", None}, int or float
        Variables tried at each node; more where all of these are constant.
    max_bins : int
        Approximate splits for tables of millions of rows: the values of a numeric variable in at
        most so many bins, 2 to 255, of about as many rows each, finer at both ends. Every value is
        on its own unless given.
    max_samples : int or float
        Draws of a tree; as many as rows unless given.
    bootstrap : bool
        Whether trees draw rows with replacement, or have all rows.
    min_criterion : float
        A node splits only if 1 - p of its variable is above this.
    oob_score : bool or callable
        Whether ``oob_score_`` is computed, for which trees have to leave rows out; a function is
        another score of out-of-bag predictions, ``oob_score(y, predictions)``, with classes as
        places in ``classes_``.
    max_leaf_nodes : int, optional
        Most leaves of a tree: of all leaves that can be split, the one whose split decreases the
        impurity most is split first. Trees are grown to the end before, so that this saves no time.
    ccp_alpha : float
        Minimal cost-complexity pruning: a branch stays only if it decreases the impurity, weighted
        by each node's share of the tree's weight, by more than this for each leaf that it adds.
    monotonic_cst : array of -1, 0 or 1, or dict, optional
        For every column, whether predictions must not decrease with it (1), must not increase (-1),
        or may do either (0); a dict has the signs of some columns by name. Of two classes, the
        prediction is the probability of the second one. Splits that would break this are not made,
        so that nodes hold the means of their rows and every measure applies.
    verbose : int
        Above 0, growing shows its progress outside of terminals, too.
    warm_start : bool
        Whether a further fit adds trees to those of before. It grows the new ones only if table,
        target and other settings are as they were, and all of them otherwise; ``random_state`` is
        that of the first fit as long as trees are added. Without further trees the forest stays as
        it is, whatever else was changed, with a warning.
    n_jobs : int
        Threads; -1 for all processors. Results do not depend on it.
    random_state : int, RandomState or None
        The seed; ``None`` draws another one for every fit.
    first_tree : int
        Trees of this seed that are left out before the first one, because they are grown elsewhere;
        :func:`wald.merge` makes one forest of all.
    """

    n_estimators: int = 500
    _: KW_ONLY
    criterion: str
    max_depth: int | None = None
    min_samples_split: float | None = 2
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_features: MaxFeatures = "sqrt"
    max_samples: float | None = None
    bootstrap: bool = False
    # Of forests that have them; the others need not be given them.
    min_criterion: float = field(init=False, default=0.0)
    max_bins: int | None = field(init=False, default=None)
    class_weight: ClassWeight = field(init=False, default=None)
    oob_score: bool | OutOfBagScore = False
    max_leaf_nodes: int | None = None
    ccp_alpha: float = 0.0
    monotonic_cst: MonotonicCst = None
    verbose: int = 0
    warm_start: bool = False
    n_jobs: int | None = -1
    random_state: RandomState = 0
    first_tree: int = 0

    _splitting: ClassVar[str] = "best"
    _criteria: ClassVar[tuple[str, ...]] = ()

    def _settings(self, n_rows: int, names: list[str]) -> dict[str, Any]:
        """The settings of the engine; those that are left out are its own."""
        self._check_inert()
        one_of("criterion", self.criterion, self._criteria)
        settings = {
            "n_trees": whole("n_estimators", self.n_estimators, 1),
            "splitting": self._splitting,
            # As scikit-learn does.
            "constant_draws": "search" if self._splitting == "best" else None,
            "impurity": self._impurity(),
            "mtry": self._mtry(len(names)),
            "max_depth": None if self.max_depth is None else whole("max_depth", self.max_depth, 1),
            "max_bins": None if self.max_bins is None else whole("max_bins", self.max_bins, 2, 255),
            "max_leaf_nodes": None if self.max_leaf_nodes is None else whole(
                "max_leaf_nodes", self.max_leaf_nodes, 2),
            "ccp_alpha": number("ccp_alpha", self.ccp_alpha, finite=True),
            "class_weight": "balanced_subsample" if self._weighs_anew() else None,
            "monotonic": self._monotonic(names),
            "min_node_size": self._min_node_size(n_rows),
            "min_leaf_size": count("min_samples_leaf", self.min_samples_leaf, n_rows, 1),
            "min_weight_fraction_leaf": number(
                "min_weight_fraction_leaf", self.min_weight_fraction_leaf, finite=True),
            **self._settings_of_kind(n_rows),
            "seed": self._seed(),
            "first_tree": whole("first_tree", self.first_tree, 0),
        }
        self._check_oob_score(settings["sampling"] != "all")
        return {name: value for name, value in settings.items() if value is not None}

    def _check_oob_score(self, has_bags: bool) -> None:
        """Refuses what is no score, and scores of forests whose trees have all rows."""
        wanted = callable(self.oob_score) or flag("oob_score", self.oob_score)
        if wanted and not has_bags:
            raise SettingError("Out of bag estimation only available if bootstrap=True",
                               help="let bootstrap be True, or leave oob_score out")

    def _impurity(self) -> str:
        """What splits reduce; of several targets, the variances of numbers or of indicators of
        classes."""
        impurity = CRITERIA[self.criterion]
        if getattr(self, "n_outputs_", 1) == 1:
            return impurity
        if impurity not in OF_SEVERAL:
            raise SettingError(
                f"criterion is {self.criterion!r}, but splits on several targets reduce the mean of "
                "their variances or Gini impurities",
                help=f"let criterion be {self._criteria[0]!r}, or fit a forest for each target")
        return "variance"

    def _takes_several_targets(self) -> bool:
        """Whether ``fit`` takes a ``y`` of several columns."""
        criterion = self.criterion if isinstance(self.criterion, str) else ""
        return CRITERIA.get(criterion) in OF_SEVERAL and self.monotonic_cst is None

    def _monotonic(self, names: list[str]) -> Any:
        """The signs of columns; ``None`` without any."""
        if self.monotonic_cst is not None and getattr(self, "n_outputs_", 1) > 1:
            # The words of scikit-learn, which programs look for.
            raise SettingError(
                "Monotonicity constraints are not supported with multiple outputs: several targets "
                "have no common direction", setting="monotonic_cst",
                help="leave monotonic_cst out, or fit a forest for each target")
        return trends(self.monotonic_cst, names) or None

    def _mtry(self, n_features: int) -> int | None:
        if isinstance(self.max_features, str) and self.max_features == "sqrt":
            # The engine's own default, which follows the number of columns where some are left out.
            return None
        return n_features if self.max_features is None else n_tried(self.max_features, n_features)

    def _min_node_size(self, n_rows: int) -> int | None:
        if self.min_samples_split is not None:
            return count("min_samples_split", self.min_samples_split, n_rows, 2) - 1
        # Trees of all rows are grown fully, so that weights do what repeated rows would.
        return None if self.bootstrap else 1

    def _usual_split(self) -> int:
        """What ``min_samples_split`` is where it is not given."""
        return 6 if self.bootstrap and self.criterion != "absolute_error" else 2

    def _settings_of_kind(self, n_rows: int) -> dict[str, Any]:
        """Settings that conditional inference forests do not have, or have in another way."""
        bootstrap = flag("bootstrap", self.bootstrap)
        if self.max_samples is not None and not bootstrap:
            # The words of scikit-learn, which programs look for.
            raise SettingError("`max_sample` cannot be set if `bootstrap=False`. Either switch to "
                               "`bootstrap=True` or set `max_sample=None`", setting="max_samples",
                               help="without bootstrap, every tree has all rows")
        return {
            "min_impurity_decrease": number(
                "min_impurity_decrease", self.min_impurity_decrease, finite=True),
            "sampling": "bootstrap" if bootstrap else "all",
            "sample_fraction": None if self.max_samples is None else share(
                "max_samples", self.max_samples, n_rows, again=True),
        }

    def _weighs_anew(self) -> bool:
        """Whether every tree weighs the classes of its own draws."""
        return isinstance(self.class_weight, str) and self.class_weight == "balanced_subsample"

    def _check_inert(self) -> None:
        """Refuses what scikit-learn's forests have and these have not."""
        if not isinstance(self.verbose, bool):
            whole("verbose", self.verbose, 0)

    def _seed(self) -> int:
        if isinstance(self.random_state, Integral):
            return whole("random_state", self.random_state, 0)
        return int(random_state_of(self.random_state).randint(np.iinfo(np.int32).max))


@dataclass(eq=False, repr=False, kw_only=True)
class RegressorSettings(Settings):
    """The arguments of regressors."""

    criterion: Literal["squared_error", "friedman_mse", "absolute_error", "poisson"] = "squared_error"

    def __post_init__(self) -> None:
        if isinstance(self.criterion, str) and self.criterion == "friedman_mse":
            # As scikit-learn 1.9 does, where it is the same as well.
            warnings.warn('criterion "friedman_mse" is deprecated: it splits as "squared_error"',
                          FutureWarning, stacklevel=3)


@dataclass(eq=False, repr=False, kw_only=True)
class ClassifierSettings(Settings):
    """The arguments of classifiers."""

    criterion: Literal["gini", "entropy", "log_loss"] = "gini"
    min_samples_split: float = 2
    class_weight: ClassWeight = None
