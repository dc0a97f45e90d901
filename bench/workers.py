"""Elapsed time of growing a forest against the number of workers: a model of what it consists of,
checked with one and two local processes, and drawn out to a thousand workers.

`workers.py WALD` takes any program, which it does not run; the package is the one that is installed.
Pieces are measured by the processor time of one thread: other processes do not change them.
"""

import argparse
import json
import math
import pickle
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

import wald
from wald import _native
from wald._executors import part, parcels


def spent(do):
    """Processor seconds, and what was found."""
    start = time.process_time()
    found = do()
    return time.process_time() - start, found


class Pieces:
    """What a forest on a table costs, by piece."""

    def __init__(self, rows, columns, trees):
        random = np.random.default_rng(0)
        self.X = random.normal(size=(rows, columns))
        self.y = self.X[:, 0] * self.X[:, 1] + random.normal(size=rows)
        forest = wald.RandomForestRegressor(trees, n_jobs=1)
        data, _, settings = forest._data_and_settings(self.X, self.y, None, None)
        grow = _native.Forest.grow

        def of(n_trees, number=1, parts=1):
            settings_of = json.dumps({**settings, "n_trees": n_trees})
            call = (grow, (data, settings_of))
            return part.run(part.Task(wald.__version__, call, parts, 1, None, None), number)

        few, many = 2, 12
        of(few)
        (first, _), (more, found) = spent(lambda: of(few)), spent(lambda: of(many))
        self.tree = (more - first) / (many - few)
        self.ranking = max(0.0, first - few * self.tree)
        self.bytes_of_tree = len(found) / many
        self.packing, parcel = spent(lambda: parcels.Parcel.of(data))
        self.table = len(parcel.content)
        self.unpacking, _ = spent(lambda: pickle.loads(parcel.content))
        settings_of = json.dumps({**settings, "n_trees": many})
        merging, _ = spent(lambda: grow(data, settings_of, work=(1, None, _native.Parts([found]))))
        self.merging = max(0.0, merging - self.ranking) / many
        self.trees = trees

    def elapsed(self, workers, bandwidth):
        """Seconds with so many workers of one thread, and bytes per second that a wire carries."""
        broadcast = self.table / bandwidth * math.ceil(math.log2(workers + 1))
        largest = math.ceil(self.trees / workers)
        results = self.trees * self.bytes_of_tree / bandwidth
        return {
            "broadcast": self.packing + broadcast + self.unpacking,
            "ranking": self.ranking,
            "growing": largest * self.tree,
            # Whoever merges ranks the table, too, while others grow; results come one by one.
            "merging": results + self.trees * self.merging,
        }


def observed(pieces, workers):
    """Elapsed seconds of a pool whose processes were started before."""
    with ProcessPoolExecutor(workers, mp_context=get_context("forkserver")) as pool:
        shared = wald.Workers(pool, n_jobs=1)
        grow = lambda trees: wald.RandomForestRegressor(trees, n_jobs=1).fit(
            pieces.X, pieces.y, executor=shared)
        grow(workers)
        return elapsed(lambda: grow(pieces.trees))


def procedures():
    """Elapsed seconds of procedures that grow many forests: one process, and two that share the work."""
    few = wald.simulate("friedman_1", rows=2_000, seed=1)
    some = wald.simulate("friedman_1", rows=10_000, seed=1)

    def eliminated(executor):
        return wald.RFE(wald.RandomForestRegressor(100, n_jobs=1), folds=10, repeats=4).fit(
            few.inputs, few.target, executor=executor)

    forest = wald.RandomForestRegressor(500, n_jobs=1).fit(some.inputs, some.target)
    tasks = {
        "`select`, 2,000 x 10, 100 trees, 10 folds, 4 repetitions": eliminated,
        "`uncertainty`, 10,000 x 10, 500 trees": lambda executor: wald.uncertainty(
            forest, executor=executor),
    }
    print("\n| procedure | one process | two | gain |")
    print("|---|---|---|---|")
    for name, do in tasks.items():
        alone = elapsed(lambda: do(None))
        with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
            shared = wald.Workers(pool, n_jobs=1)
            wald.RandomForestRegressor(2).fit(few.inputs, few.target, executor=shared)
            two = elapsed(lambda: do(shared))
        print(f"| {name} | {alone:.1f} | {two:.1f} | {alone / two:.2f} |")


def elapsed(do):
    """Seconds of the clock on the wall."""
    start = time.perf_counter()
    do()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wald", help="not used")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--trees", type=int, default=500)
    parser.add_argument("--megabytes", type=float, default=1000, help="that a wire carries a second")
    parser.add_argument("--no-check", action="store_true", help="the model alone")
    parser.add_argument("--procedures", action="store_true",
                        help="time selection and uncertainty with one and two processes instead")
    arguments = parser.parse_args()
    if arguments.procedures:
        procedures()
        return
    pieces = Pieces(arguments.rows, arguments.columns, arguments.trees)
    print(f"{arguments.rows} x {arguments.columns}, {arguments.trees} trees: ranking "
          f"{pieces.ranking:.3f} s, a tree {pieces.tree:.4f} s, merging it {pieces.merging:.5f} s, "
          f"its bytes {pieces.bytes_of_tree:.0f}; the table {pieces.table / 1e6:.0f} MB, packed in "
          f"{pieces.packing:.3f} s, unpacked in {pieces.unpacking:.3f} s\n")
    print("| workers | broadcast | ranking | growing | merging | all | gain | observed |")
    print("|---|---|---|---|---|---|---|---|")
    alone = pieces.ranking + pieces.trees * pieces.tree
    for workers in (1, 2, 10, 30, 100, 300, 1000):
        is_checked = workers <= 2 and not arguments.no_check
        # The processes of one machine need no wire.
        bandwidth = 2e9 if is_checked else arguments.megabytes * 1e6
        found = pieces.elapsed(workers, bandwidth)
        whole = sum(found.values())
        cells = " | ".join(f"{seconds:.2f}" for seconds in found.values())
        seen = f"{observed(pieces, workers):.1f}" if is_checked else ""
        print(f"| {workers} | {cells} | {whole:.2f} | {alone / whole:.1f} | {seen} |")
    of = lambda workers: sum(pieces.elapsed(workers, arguments.megabytes * 1e6).values())
    stop = next((workers for workers in range(1, 10**5) if of(2 * workers) > of(workers) / 1.1), 0)
    print(f"\nFrom {stop} workers on, twice as many gain less than a tenth.")


if __name__ == "__main__":
    main()
