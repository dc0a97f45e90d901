"""What wald's measures add to growing, with scikit-learn's time to grow as a yardstick.

wald and scikit-learn take turns, each in a process of its own. Run it by
`cargo xtask bench measures`.
"""

import argparse
import statistics
import tempfile
from dataclasses import replace

from cases import CASES
from programs import Program, versions
from report import head, machine, medians, ratio, row, show

FRIEDMAN = CASES["a1"]
MEASURED = [
    FRIEDMAN,
    replace(FRIEDMAN, about="Friedman 1, fully grown", min_leaf_size=1),
    replace(FRIEDMAN, about="2 classes, fully grown", min_leaf_size=1, n_classes=2, mtry=4),
    replace(FRIEDMAN, about="5 classes, fully grown", min_leaf_size=1, n_classes=5, mtry=4),
]

# Impurity by out-of-bag rows, all in one pass, and what needs a forest of shadows.
OUT_OF_BAG = "+".join(
    ["mdi_oob", "mdi_oob_uncentred", "ufi", "mdi_oob_naive", "mdi_oob_naive_in_bag_added"]
)
SHADOWS = "air"


def processor(pair):
    """Seconds of the processor; elapsed ones if it has no such clock."""
    elapsed, busy = pair
    return elapsed if busy is None else busy


def beyond_growing(case, repeats, wald):
    """Processor seconds of growing, and what impurity measures take more, on one thread."""
    runs = []
    for seed in range(repeats):
        settings = {"keep": "nothing", "measures": f"{OUT_OF_BAG},{SHADOWS}"}
        runs.append(wald.grow({**case.settings(1, seed), **settings}))
    grow = statistics.median(processor(run["seconds"]) for run in runs)
    cells = [f"{grow:.3f}"]
    for name in (OUT_OF_BAG, SHADOWS):
        pairs = ((run["measured"][name]["seconds"], run["seconds"]) for run in runs)
        more = statistics.median(processor(both) - processor(alone) for both, alone in pairs)
        cells += [f"{more:.3f}", f"{more / grow:.2f}"]
    return [case.about, *cells]


def compare(case, threads, repeats, wald, peer):
    """One row of the table."""
    ours, theirs = [], []
    for seed in range(repeats):
        settings = case.settings(threads, seed)
        ours.append(wald.grow({**settings, "measures": "all"}))
        theirs.append(peer.grow(settings))
    grow, both, stored = (
        medians(ours, f"{key}seconds") for key in ("", "grow_and_measure_", "measure_stored_")
    )
    fit = medians(theirs, "seconds")
    row([case.about, threads, *map(show, [grow, fit, both, ratio(both, fit), stored])])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("wald", help="the program bench_forest")
    add("--threads", type=int, nargs="+", default=[1, 2])
    add("--repeats", type=int, default=5)
    add("--scale", type=float, default=1, help="fraction of rows and trees, to try things out")
    add("--seed", type=int, default=1, help="of the data")
    arguments = parser.parse_args()
    print(f"{machine()}; {versions(['scikit-learn'])}.")
    print(f"Medians of {arguments.repeats} runs in turn, elapsed / processor seconds\n")
    head(
        *("case", "threads", "wald grow", "scikit-learn fit", "wald grow + measures"),
        *("(grow + measures) / fit", "wald measures of a stored forest"),
    )
    alone, impurity = [], []
    for case in (case.scaled(arguments.scale) for case in MEASURED):
        with tempfile.TemporaryDirectory() as folder:
            files = case.write(folder, arguments.seed)
            with (
                Program("wald", arguments.wald, files) as wald,
                Program("scikit-learn", arguments.wald, files) as peer,
            ):
                for threads in arguments.threads:
                    compare(case, threads, arguments.repeats, wald, peer)
                answer = wald.grow({**case.settings(1, 0), "measures": "each"})
                alone.append((case.about, answer["each_seconds"]))
                impurity.append(beyond_growing(case, arguments.repeats, wald))
    print("\nElapsed seconds of one measure alone on the stored forest, one thread\n")
    head("case", *alone[0][1])
    for about, seconds in alone:
        row([about, *(show(pair[:1]) for pair in seconds.values())])
    print("\nImpurity measures beyond growing, processor seconds of one thread; target: 0.3\n")
    head("case", "growing", "five of out-of-bag rows", "/ growing", SHADOWS, "/ growing")
    for cells in impurity:
        row(cells)


if __name__ == "__main__":
    main()
