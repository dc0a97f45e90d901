"""What the settings and attributes of forests mean, said once for all of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from wald._tasks import Classifier

Forest = TypeVar("Forest", bound=type)


class Described(NamedTuple):
    """A setting or an attribute."""

    kind: str
    """Its type, in the words of numpydoc, without the default."""

    means: str
    """What it is, in lines as they are to be shown."""

_SETTINGS = {
    "n_estimators": Described("int", "Trees."),
    "max_depth": Described("int", "Deepest level of a leaf, the root being 0."),
    "min_samples_split": Described(
        "int or float",
        "A node splits only if it holds as many draws (a float: as this share of the rows).",
    ),
    "min_samples_leaf": Described("int or float", "A child holds at least as many draws."),
    "min_weight_fraction_leaf": Described(
        "float", "A child holds at least this share of the weight of the tree's draws."
    ),
    "min_impurity_decrease": Described(
        "float",
        "A node splits only if that decreases its impurity, times its share of the tree's weight,\n"
        "by at least so much.",
    ),
    "max_features": Described(
        '{"sqrt", "log2", None}, int or float',
        "Variables tried at each node; more where all of these are constant.",
    ),
    "max_samples": Described(
        "int or float", "Draws of a tree; as many as rows unless given."
    ),
    "bootstrap": Described(
        "bool", "Whether trees draw rows with replacement, or have all rows."
    ),
    "min_criterion": Described(
        "float", "A node splits only if 1 - p of its variable is above this."
    ),
    "class_weight": Described(
        'dict or "balanced"', "Weights of classes, which multiply those of rows."
    ),
    "oob_score": Described(
        "bool or callable",
        "Another score of out-of-bag predictions, ``oob_score(y, predictions)``, with classes as\n"
        "places in ``classes_``. Without one, ``oob_score_`` exists where trees leave rows out;\n"
        "True refuses forests whose trees do not.",
    ),
    "max_leaf_nodes": Described("None", "As in scikit-learn; leaves are not limited in number."),
    "ccp_alpha": Described("float", "As in scikit-learn; only 0, as trees are not pruned."),
    "monotonic_cst": Described("None", "As in scikit-learn; there are no such constraints."),
    "verbose": Described("int", "Above 0, growing shows its progress outside of terminals, too."),
    "warm_start": Described(
        "bool",
        "Whether a further fit adds trees to those of before. It grows the new ones only if table,\n"
        "target and other settings are as they were, and all of them otherwise.",
    ),
    "n_jobs": Described("int", "Threads; -1 for all processors. Results do not depend on it."),
    "random_state": Described(
        "int, RandomState or None", "The seed; ``None`` draws another one for every fit."
    ),
}

_OF_ALL = {
    "n_features_in_": Described("int", "Number of variables seen by ``fit``."),
    "feature_names_in_": Described(
        "ndarray of str of shape (n_features,)", "Their names, where the table has names."
    ),
    "feature_importances_": Described(
        "ndarray of shape (n_features,)", "Shares of the mean decrease in impurity."
    ),
}

_OF_NUMBERS = _OF_ALL | {
    "oob_score_": Described(
        "float",
        "R squared of the out-of-bag predictions, or the score asked for; NaN where there are none."
    ),
    "oob_prediction_": Described(
        "ndarray of shape (n_samples,)",
        "Out-of-bag predictions of training rows, in units of the target; NaN where all trees saw\n"
        "a row.",
    ),
}

_OF_CLASSES = {
    "classes_": Described("ndarray of shape (n_classes,)", "The classes, sorted."),
    "n_classes_": Described("int", "Their number."),
} | _OF_ALL | {
    "oob_score_": Described(
        "float",
        "Share of right out-of-bag predictions, or the score asked for; NaN where there are none."
    ),
    "oob_decision_function_": Described(
        "ndarray of shape (n_samples, n_classes)",
        "Out-of-bag shares of the classes; NaN where all trees saw a row.",
    ),
}

_CRITERIA = '{"gini", "entropy", "log_loss"}'


def described(**means: str) -> Callable[[Forest], Forest]:
    """Puts "Parameters" and "Attributes" before the "Notes" of a forest's docstring.

    Parameters
    ----------
    **means : str
        What settings mean where that differs from other forests.
    """

    def describe(forest: Forest) -> Forest:
        if forest.__doc__ is None:
            # Without docstrings (python -OO) there is nothing to fill in.
            return forest
        of_classes = issubclass(forest, Classifier)
        criteria = _CRITERIA if of_classes else '{"squared_error"}'
        known = {"criterion": Described(criteria, "What splits reduce.")} | _SETTINGS
        attributes = _OF_CLASSES if of_classes else _OF_NUMBERS
        lines = ["Parameters", "----------"]
        for setting in inspect.signature(forest).parameters.values():
            kind, usual = known[setting.name]
            kind += ", optional" if setting.default is None else f", default={_shown(setting)}"
            lines += _entry(setting.name, kind, means.get(setting.name, usual))
        lines += ["", "Attributes", "----------"]
        for name, (kind, meaning) in attributes.items():
            lines += _entry(name, kind, meaning)
        before, after = inspect.cleandoc(forest.__doc__).split("\nNotes\n", 1)
        forest.__doc__ = "\n".join([before, *lines, "", "Notes", after, ""])
        return forest

    return describe


def _shown(setting: inspect.Parameter) -> str:
    value = setting.default
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _entry(name: str, kind: str, meaning: str) -> list[str]:
    return [f"{name} : {kind}", *(f"    {line}" for line in meaning.splitlines())]
