"""Docstrings: examples run, and everything public is described in numpydoc's form."""

import dataclasses
import doctest
import importlib
import inspect
import pkgutil

import pytest
from numpydoc.validate import validate

import wald

MODULES = [info.name for info in pkgutil.walk_packages(wald.__path__, "wald.")
           if not info.name.endswith("_native")]

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

# What is not asked for: an extended summary and links to others (ES01, SA01), and the first line
# below the quotes (GL01).
LEFT_OUT = {"ES01", "SA01", "GL01"}


@pytest.mark.parametrize("name", ["wald", *MODULES])
def test_examples(name):
    pytest.importorskip("matplotlib").use("agg")
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert failed == 0


def is_own(member):
    """Whether it is a function or property that this package wrote."""
    function = inspect.unwrap(member.fget if isinstance(member, property) else
                              getattr(member, "__func__", getattr(member, "fn", member)))
    return (getattr(function, "__module__", None) or "").startswith("wald.")


def public():
    """Names of everything public, with what it is: (name, object)."""
    for name in wald.__all__:
        thing = getattr(wald, name)
        if not callable(thing):
            continue
        yield f"wald.{name}", thing
        for at in dir(thing) if inspect.isclass(thing) else []:
            member = inspect.getattr_static(thing, at)
            is_code = isinstance(member, (property, classmethod, staticmethod)) or hasattr(
                member, "fn") or inspect.isfunction(member)
            if not at.startswith("_") and is_code and is_own(member):
                yield f"wald.{name}.{at}", getattr(thing, at)


def is_made_for_users(thing):
    """Whether users receive it and do not make it, so that its attributes are documented instead of
    the arguments that make it."""
    return inspect.isclass(thing) and (
        dataclasses.is_dataclass(thing) or issubclass(
            thing, (wald.WaldError, wald.MaskingWarning, wald.ForeignForest)))


PUBLIC = dict(public())


def test_public_things_are_found():
    assert len(PUBLIC) > 150
    for name in ("wald.RFE.predict", "wald.RandomForestRegressor.explain", "wald.Importance.ranks",
                 "wald.from_sklearn", "wald.Curves.to_polars", "wald.DataError"):
        assert name in PUBLIC
    assert not any("set_fit_request" in name for name in PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_docstrings(name):
    left_out = LEFT_OUT | ({"PR01"} if is_made_for_users(PUBLIC[name]) else set())
    wrong = [error for error in validate(name)["errors"] if error[0] not in left_out]
    assert not wrong


@pytest.mark.parametrize("name", [
    name for name, thing in PUBLIC.items() if inspect.isfunction(thing) and "." not in name[5:]])
def test_functions_document_their_errors_and_cost(name):
    """Errors and cost are documented of what reads data; what only lists or draws costs little."""
    doc = PUBLIC[name].__doc__
    if inspect.signature(PUBLIC[name]).parameters:
        assert "Raises" in doc
    if name.startswith("wald.from_") or name in {
            "wald.advise", "wald.compare", "wald.conditional_test", "wald.dependence",
            "wald.interactions", "wald.masking", "wald.population", "wald.report", "wald.simulate",
            "wald.surrogate", "wald.through", "wald.uncertainty"}:
        assert "Cost" in doc or "microseconds" in doc


def test_help_gives_an_overview():
    for name in wald.__all__:
        thing = getattr(wald, name)
        if name in ("ForeignClassifier", "ForeignForest", "ForeignRegressor"):
            continue  # Made by the functions that the overview names.
        if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, Exception)):
            assert name in wald.__doc__, name
