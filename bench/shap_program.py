"""One program that explains the rows of a table by a forest, in a process of its own.

    python shap_program.py NAME FOLDER ROWS THREADS MEASURE

FOLDER holds `forest.pickle` and `forest.npz`, the same forest as scikit-learn made it and as arrays,
and `X.npy`. A line of JSON comes out: elapsed and processor seconds, and the version. Values go to
`values.npy`.
"""

import json
import pickle
import sys
import time
from importlib import metadata
from pathlib import Path

import numpy as np


def of_scikit_learn(folder):
    return pickle.loads((folder / "forest.pickle").read_bytes())


def of_shap(folder, threads):
    import shap

    explainer = shap.TreeExplainer(
        of_scikit_learn(folder), feature_perturbation="tree_path_dependent"
    )
    return explainer.shap_values, explainer.shap_interaction_values


def of_woodelf(folder, threads):
    import pandas
    from woodelf import WoodelfExplainer

    explainer = WoodelfExplainer(
        of_scikit_learn(folder), feature_perturbation="tree_path_dependent"
    )

    def table(X):
        return pandas.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])

    return (
        lambda X: explainer.shap_values(table(X), verbose=False),
        lambda X: explainer.shap_interaction_values(table(X), verbose=False),
    )


def of_fasttreeshap(folder, threads):
    # It runs with versions of numpy that read no forests of a current scikit-learn.
    import fasttreeshap

    arrays = np.load(folder / "forest.npz")
    ends = np.cumsum(arrays["sizes"])[:-1]
    parts = {name: np.split(arrays[name], ends) for name in arrays.files if name != "sizes"}
    n_trees = len(ends) + 1
    trees = [
        {
            "children_left": parts["left"][at], "children_right": parts["right"][at],
            "children_default": parts["left"][at], "features": parts["feature"][at],
            "thresholds": parts["threshold"][at],
            "values": parts["value"][at][:, None] / n_trees,
            "node_sample_weight": parts["weight"][at],
        }
        for at in range(n_trees)
    ]
    model = {"trees": trees, "input_dtype": np.float32, "tree_output": "raw_value"}
    explainer = fasttreeshap.TreeExplainer(
        model, algorithm="v2", n_jobs=threads, feature_perturbation="tree_path_dependent"
    )
    return lambda X: explainer.shap_values(X, check_additivity=False), None


PROGRAMS = {"shap": of_shap, "woodelf_explainer": of_woodelf, "fasttreeshap": of_fasttreeshap}


def main():
    name, folder, n_rows, threads, measure = sys.argv[1:]
    folder = Path(folder)
    X = np.load(folder / "X.npy")[: int(n_rows)]
    values, pairs = PROGRAMS[name](folder, int(threads))
    explain = values if measure == "tree_shap" else pairs
    elapsed, processor = time.perf_counter(), time.process_time()
    found = explain(X)
    seconds = [time.perf_counter() - elapsed, time.process_time() - processor]
    np.save(folder / "values.npy", np.asarray(found))
    print(json.dumps({"seconds": seconds, "version": metadata.version(name)}))


if __name__ == "__main__":
    main()
