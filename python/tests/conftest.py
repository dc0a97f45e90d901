"""Fixtures that several files of tests share. What only some of them need is imported where it is used."""

import pytest
from sklearn.datasets import load_diabetes, load_iris

import wald


@pytest.fixture(scope="module")
def regression():
    """A forest of numbers, and its inputs."""
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    return wald.RandomForestRegressor(30).fit(X, y), X


@pytest.fixture(scope="module")
def classification():
    """A forest of classes, and its inputs."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    return wald.RandomForestClassifier(30).fit(X, y), X


@pytest.fixture(scope="module")
def iris():
    """A small forest of classes."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    return wald.RandomForestClassifier(20).fit(X, y)


@pytest.fixture(scope="module")
def forests():
    """Forests of the kinds that there are, for bad input."""
    from bad_input import grown

    return grown()


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """What every command gives without an executor."""
    from shared_work import Here

    return Here(tmp_path_factory.mktemp("here"))


@pytest.fixture
def closing():
    """Closes the pictures of a test, which matplotlib would keep."""
    from matplotlib import pyplot

    yield
    pyplot.close("all")
