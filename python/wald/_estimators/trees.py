"""Single trees of a fitted forest, as tools that read scikit-learn's trees expect them."""

from __future__ import annotations

from abc import ABCMeta
from typing import Any, Union, cast

import numpy as np
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import NODE_DTYPE, Tree

from wald._estimators.paths import paths
from wald._estimators.several import by_target, likeliest, named
from wald.errors import DataError, NotFittedError, SettingError
from wald.typing import Floats, Integers, Self


class _TreeOfForest:
    """What views of a tree share: rows go down the tree of the forest, in 64 bits."""

    # The fitted estimator, whose module is built on this one.
    _of: Any
    _at: int
    # What makes a forest of such a tree alone: its kind, and the settings that trees do not have.
    _alone: tuple[Any, dict[str, Any]]

    def __sklearn_clone__(self) -> Any:
        copy = super().__sklearn_clone__()  # type: ignore[misc]
        copy._alone = self._alone
        return copy

    def _show(self, of: Any, at: int) -> None:
        self._of, self._at = of, at
        self.__dict__.pop("_tree", None)
        self.n_features_in_ = of.n_features_in_
        self.n_outputs_ = of.n_outputs_
        if hasattr(of, "feature_names_in_"):
            self.feature_names_in_ = of.feature_names_in_

    def _check_shown(self) -> None:
        if not hasattr(self, "_of"):
            raise NotFittedError(
                f"this {type(self).__name__} is a copy without its forest",
                help="fit it, or take one from estimators_ of a fitted forest")

    @property
    def _arrays(self) -> dict[str, np.ndarray]:
        self._check_shown()
        arrays: dict[str, np.ndarray] = self._of._forest.tree(self._at)
        return arrays

    @property
    def tree_(self) -> Tree:
        """The nodes of the tree as arrays, in scikit-learn's own type.

        ``n_node_samples`` counts draws; nodes are numbered as by ``apply`` of the forest.

        Raises
        ------
        DataError
            Where the tree splits on levels of a category, which scikit-learn's trees do not have.
        """
        if not hasattr(self, "_tree"):
            self._tree = self._made()
        return self._tree

    def _made(self) -> Tree:
        arrays = self._arrays
        on_levels = np.isnan(arrays["threshold"])
        if on_levels.any():
            column = self._of._names()[int(arrays["feature"][on_levels][0])]
            raise DataError(
                f"the tree splits on levels of {column!r}, which trees of scikit-learn do not have",
                column=column, help="encode the column as numbers before the fit; apply, predict "
                                    "and decision_path work all the same")
        values = arrays.pop("value")
        nodes = np.zeros(len(values), dtype=NODE_DTYPE)
        for name, cells in arrays.items():
            nodes[name] = cells
        parents = self._of._forest.parents(self._at).astype(np.int64)
        nodes["n_node_samples"] = self._draws(parents)
        depths = np.zeros(len(parents), dtype=np.int64)
        for node in range(1, len(parents)):
            depths[node] = depths[parents[node]] + 1
        by_output = self._by_output(values)
        n_classes = np.array([of_output.shape[1] for of_output in by_output], dtype=np.intp)
        made = Tree(self.n_features_in_, n_classes, len(by_output))
        # As many places for all outputs as the one with most classes needs.
        filled = np.zeros((len(nodes), len(by_output), n_classes.max()))
        for at, of_output in enumerate(by_output):
            filled[:, at, :of_output.shape[1]] = of_output
        made.__setstate__({"max_depth": int(depths.max()), "node_count": len(nodes),
                           "nodes": nodes, "values": filled})
        return made

    def _draws(self, parents: Integers) -> Integers:
        """How many draws reach every node."""
        of = self._of
        leaves = of._forest.leaves_of_tree(self._at, of._data.table, threads=of._threads())
        drawn = of._drawn(self._at)
        counts = np.bincount(leaves, weights=drawn, minlength=len(parents)).astype(np.int64)
        # Children come after their parents.
        for node in range(len(parents) - 1, 0, -1):
            counts[parents[node]] += counts[node]
        return counts

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Grow a tree with these settings on all of these rows; the forest that it is from stays as
        it is.

        Of a forest without bags, on its table, this is the tree that was there. On the rows of a bag
        it is another one: which variables are drawn depends on the table.

        Raises
        ------
        SettingError
            When it was not taken from a forest.
        DataError
            As for ``fit`` of the forest.
        """
        if not hasattr(self, "_alone"):
            raise SettingError(f"it is not known of which forest this {type(self).__name__} is",
                               help="take estimator, or one of estimators_, of a forest")
        kind, settings = self._alone
        tree: Any = self
        own = {name: value for name, value in tree.get_params(deep=False).items()
               if name in kind._get_param_names()}
        self._show(kind(**settings, **own).fit(X, y, sample_weight), 0)
        return self

    def apply(self, X: Any, check_input: bool = True) -> Integers:
        """The leaf that every row reaches, as in the column of ``apply`` of the forest."""
        self._check_shown()
        of = self._of
        leaves = of._forest.leaves_of_tree(self._at, of._table(X), threads=of._threads())
        return np.asarray(leaves, dtype=np.int64)

    def decision_path(self, X: Any, check_input: bool = True) -> sparse.csr_array:
        """The nodes that every row meets, as columns of a sparse array."""
        leaves = self.apply(X)
        return paths(leaves[:, np.newaxis], [self._of._forest.parents(self._at)])[0]

    def _by_output(self, values: Floats) -> list[Floats]:
        """The values of nodes by target: numbers, or the shares of classes."""
        raise NotImplementedError

    def _values_of(self, X: Any) -> Floats:
        return np.asarray(self._arrays["value"][self.apply(X)])


class RegressionTree(_TreeOfForest, DecisionTreeRegressor, metaclass=ABCMeta):
    """A tree of a forest that predicts numbers."""

    def predict(self, X: Any, check_input: bool = True) -> Floats:
        """The means of the leaves that rows reach."""
        found = self._values_of(X)
        return found[:, 0] if self.n_outputs_ == 1 else found

    def _by_output(self, values: Floats) -> list[Floats]:
        return np.split(values, values.shape[1], axis=1)


class ClassificationTree(_TreeOfForest, DecisionTreeClassifier, metaclass=ABCMeta):
    """A tree of a forest that predicts classes."""

    def _show(self, of: Any, at: int) -> None:
        super()._show(of, at)
        self.classes_, self.n_classes_ = of.classes_, of.n_classes_

    def predict_proba(self, X: Any, check_input: bool = True) -> Floats:
        """The shares of the classes in the leaves that rows reach; of several targets, a list."""
        found: Any = self._by_output(self._values_of(X))
        return cast("Floats", found[0] if self.n_outputs_ == 1 else found)

    def predict(self, X: Any, check_input: bool = True) -> np.ndarray:
        """The classes of the largest shares; of equal ones the first."""
        shares: Any = self.predict_proba(X)
        if self.n_outputs_ > 1:
            return named(likeliest(shares), self.classes_)
        return np.asarray(self.classes_[np.argmax(shares, axis=1)])

    def _by_output(self, values: Floats) -> list[Floats]:
        return [values] if self.n_outputs_ == 1 else by_target(values, self.classes_)


# A tree of a forest, by what it predicts.
TreeOfForest = Union[RegressionTree, ClassificationTree]


def trees_of(forest: Any) -> list[TreeOfForest]:
    """A view of every tree of a fitted forest, with the settings of the forest."""
    views = [unfitted_tree(forest, at) for at in range(forest._forest.n_trees)]
    for at, view in enumerate(views):
        view._show(forest, at)
    return views


def unfitted_tree(forest: Any, at: int = 0) -> TreeOfForest:
    """A tree with the settings of a forest, which grows by the random numbers of the tree there."""
    settings = forest.get_params(deep=False)
    if settings["min_samples_split"] is None:
        settings["min_samples_split"] = forest._usual_split()
    settings["random_state"] = getattr(forest, "_grown_with", {}).get("seed", forest.random_state)
    # Conditional forests take a share of the rows unless they are asked for all.
    settings["max_samples"] = 1.0 if forest._splitting == "conditional" else None
    settings |= {"n_estimators": 1, "first_tree": forest.first_tree + at, "bootstrap": False,
                 "oob_score": False, "warm_start": False}
    # Weights of classes are those of the table of the forest, as in scikit-learn.
    settings.pop("class_weight", None)
    kind = ClassificationTree if is_classifier(forest) else RegressionTree
    own = {name: settings.pop(name) for name in kind._get_param_names() if name in settings}
    view = kind(splitter="best" if forest._splitting == "best" else "random", **own)
    view._alone = type(forest), settings
    return view
