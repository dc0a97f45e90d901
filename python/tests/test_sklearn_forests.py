"""A part of scikit-learn's own tests of forests, which holds; ``sklearn_forests.py`` runs all."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent / "sklearn_forests.py"

# Tests that take little time, of everything that forests offer.
FAST = ("classification_toy or decision_path or min_samples or min_weight or parallel or 1d_input or "
        "max_leaf_nodes or nd_tree_nodes_values or importances_asymptotic or unfitted or warm_start_clear or "
        "degenerate or read_only or memory_layout or max_samples_bootstrap or poisson_y or "
        "multiclass_raises or multiple_output_raises or warm_start_equal or oob_not_computed or "
        "max_samples_geq or multioutput_string or (estimators_samples and False)")


def test_tests_of_scikit_learn_hold():
    done = subprocess.run([sys.executable, SCRIPT, "-k", FAST], capture_output=True, text=True)
    assert done.returncode == 0 and " passed, 0 failed" in done.stdout, done.stdout
