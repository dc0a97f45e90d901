"""Examples in docstrings run."""

import doctest
import importlib
import pkgutil

import pytest

import wald

MODULES = [info.name for info in pkgutil.walk_packages(wald.__path__, "wald.")
           if not info.name.endswith("_native")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module)
    assert failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    found = [test.name for name in MODULES for test in finder.find(importlib.import_module(name))
             if test.examples]
    assert len(set(found)) >= 10
