"""scikit-learn's own tests of forests, and of their monotonic constraints, run on those of wald.

    python sklearn_forests.py [arguments of pytest]

Prints how many pass and, by class, how many fail; docs/python.md lists the classes. A failure of no
known class ends the run with an error. ``run`` is also what the test of this folder calls.
"""

import re
import sys
from collections import Counter

import pytest
import sklearn.ensemble

import wald

TESTS = ("sklearn.ensemble.tests.test_forest", "sklearn.tree.tests.test_monotonic_tree")
FORESTS = ("RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier",
           "ExtraTreesRegressor")

# Classes of failures, by names of tests with their parameters.
CLASSES = {
    "balanced draws of several targets": r"balanced_and_bootstrap_multi_output",
    "other random numbers": r"classifier_oob\[True-X3-y3",
    "internals of scikit-learn": r"validate_y_class_weight|"
                                 r"backend_respected|mse_criterion_object|"
                                 r"test_distribution|estimators_samples.*True|"
                                 r"integral_regression_target|test_class_weights_forest",
}


class Tally:
    """What passed, and what failed in which class."""

    def __init__(self):
        self.passed, self.failed, self.unknown = 0, Counter(), []

    def pytest_collection_modifyitems(self, items):
        """Leaves out the tests of single trees."""
        items[:] = [item for item in items if item.module.__name__.endswith("test_forest")
                    or any(name in item.name for name in FORESTS)]

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.passed:
            self.passed += 1
        elif report.failed:
            name = report.nodeid.rpartition("::")[2]
            found = next((of for of, names in CLASSES.items() if re.search(names, name)), None)
            self.failed[found] += 1
            if found is None:
                self.unknown.append(name)


def run(*arguments):
    """Runs the tests and returns what was found."""
    known = {name: getattr(sklearn.ensemble, name) for name in FORESTS}
    tally = Tally()
    try:
        for name in FORESTS:
            setattr(sklearn.ensemble, name, getattr(wald, name))
        pytest.main(["--pyargs", *TESTS, "-q", "-p", "no:cacheprovider", "--tb=line", *arguments],
                    plugins=[tally])
    finally:
        for name, forest in known.items():
            setattr(sklearn.ensemble, name, forest)
        for module in TESTS:
            sys.modules.pop(module, None)
    return tally


if __name__ == "__main__":
    found = run(*sys.argv[1:])
    print(f"\n{found.passed} passed, {sum(found.failed.values())} failed")
    for of, number in found.failed.most_common():
        print(f"{number:>5}  {of}")
    for name in found.unknown:
        print(f"       {name}")
    sys.exit(bool(found.unknown))
