"""What it costs that a forest is grown through Python instead of by the engine itself."""

import statistics
import tempfile
import time

from cases import Case
from programs import Program
from report import head, machine, medians, ratio, row, show
from tables import Table

CASES = [
    Case("Friedman 1, leaves of 5", 20_000, 20, 100, 6, min_node_size=5),
    Case("2 classes, fully grown", 50_000, 30, 50, 5, n_classes=2),
    Case("a long table, few trees", 300_000, 10, 8, 3, min_node_size=50),
    Case("a short table", 1_000, 50, 300, 7),
]
# The share of the processor's time that Python may add.
MOST = 0.05


def estimator(case, seed):
    """An estimator with the settings of the case."""
    import wald

    kind = wald.RandomForestClassifier if case.n_classes else wald.RandomForestRegressor
    return kind(case.n_trees, max_features=case.mtry, min_samples_split=case.min_node_size + 1,
                min_samples_leaf=case.min_leaf_size, n_jobs=1, random_state=seed)


def fit(case, x, y, seed):
    """Seconds of fitting, elapsed and of the processor, and the mean number of leaves."""
    forest = estimator(case, seed)
    start = time.perf_counter(), time.process_time()
    forest.fit(x, y)
    end = time.perf_counter(), time.process_time()
    seconds = [after - before for before, after in zip(start, end)]
    return {"seconds": seconds, "leaves": forest._grown["mean_leaves"]}


def compare(case, program, repeats):
    """Rows of the table: the engine and Python in turns, on one thread and the same numbers."""
    with tempfile.TemporaryDirectory() as folder:
        files = case.write(folder, 0)
        train = Table(files[0])
        x, y = train.matrix("float64", "C"), train.target()
        engine, python = [], []
        with Program("wald", program, files[:1]) as wald:
            for turn in range(repeats + 1):
                found = (wald.grow(case.settings(1, turn)), fit(case, x, y, turn))
                assert found[0]["leaves"] == found[1]["leaves"], "these are other forests"
                if turn:  # The first is a rehearsal.
                    engine.append(found[0])
                    python.append(found[1])
    return medians(engine, "seconds"), medians(python, "seconds")


def report(program, repeats, scale=1.0):
    """Prints the table."""
    print("## Growing through Python\n")
    print(f"{machine()}. One thread; medians of {repeats} runs in turns, elapsed / processor "
          f"seconds; target: at most {1 + MOST:.2f}\n")
    head("case", "rows", "columns", "trees", "engine", "wald.fit", "fit / engine")
    shares = []
    for case in (case.scaled(scale) for case in CASES):
        engine, python = compare(case, program, repeats)
        share = ratio(python, engine)
        shares.append(share[1])
        row([case.about, f"{case.n_rows:,}", case.n_columns, case.n_trees, show(engine, 3),
             show(python, 3), show(share, 3)])
    known = [share for share in shares if share is not None]
    if known:
        print(f"\nmedian of the ratios of processor seconds: {statistics.median(known):.3f}, "
              f"largest: {max(known):.3f}\n")
