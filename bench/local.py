"""What local importances cost beside predicting, and what forests on a tiny table cost.

Predicting and explaining take turns in one process of one thread. Run it by
`cargo xtask bench local`.
"""

import argparse
import os
import statistics
import tempfile
from dataclasses import replace

import numpy as np

import tables
from cases import CASES
from measures import processor
from programs import Program
from report import head, machine, row

MANY_ROWS = replace(CASES["a2"], n_rows=100_000, n_test=10)
EXPLAINED = [
    replace(MANY_ROWS, about="Friedman 1, nodes of more than 5 draws split"),
    replace(MANY_ROWS, about="2 classes, fully grown", min_node_size=1, n_classes=2, mtry=4),
    replace(MANY_ROWS, about="5 classes, fully grown", min_node_size=1, n_classes=5, mtry=4),
]
LOCAL = ["local_mdi", "local_relevance", "saabas"]

# The segments of a display that are lit for the digits 0 to 9.
DIGITS = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011"
DIGIT_TREES = 10_000


def explain(case, seed):
    """Median processor seconds of predicting the training rows, and of each local measure."""
    with tempfile.TemporaryDirectory() as folder:
        files = case.write(folder, seed)
        with Program("wald", ARGUMENTS.wald, files) as wald:
            answer = wald.grow({**case.settings(1, seed), "explain": ",".join(LOCAL)})
    turns = answer["explained_seconds"]
    seconds = {name: statistics.median(map(processor, of)) for name, of in turns.items()}
    predict = seconds["(predict)"]
    cells = [f"{answer['leaves']:.0f}", f"{predict:.2f}"]
    for name in LOCAL:
        cells += [f"{seconds[name]:.2f}", f"{seconds[name] / predict:.2f}"]
    row([case.about, *cells])


def grow_digits(repeats):
    """Processor seconds of growing totally randomized multiway trees on ten rows, with mdi."""
    segments = np.array([[int(lit) for lit in digit] for digit in DIGITS.split()], float)
    settings = {
        **{"trees": DIGIT_TREES, "mtry": 1, "splitting": "multiway", "sampling": "all"},
        **{"impurity": "entropy", "keep": "nothing", "measures": "mdi", "threads": 1},
    }
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "digits.bin")
        tables.write(path, segments, np.arange(10.0), 10, [2] * 7)
        with Program("wald", ARGUMENTS.wald, [path]) as wald:
            answers = [wald.grow({**settings, "seed": seed}) for seed in range(repeats)]
    seconds = [processor(answer["measured"]["mdi"]["seconds"]) for answer in answers]
    print(
        f"\n{DIGIT_TREES} totally randomized multiway trees on the ten digits of a display, grown "
        f"and measured by mdi: {statistics.median(seconds):.3f} seconds; target: 1"
    )


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("wald", help="the program bench_forest")
    add("--repeats", type=int, default=5, help="forests of digits")
    add("--scale", type=float, default=1, help="fraction of rows and trees, to try things out")
    add("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    print(f"{machine()}.")
    print("Processor seconds of one thread, medians of 5 turns; target: 1.5 / predict\n")
    names = [title for name in LOCAL for title in (name, "/ predict")]
    head("100,000 rows, 20 columns, 100 trees", "leaves", "predict", *names)
    for case in EXPLAINED:
        explain(case.scaled(ARGUMENTS.scale), ARGUMENTS.seed)
    grow_digits(ARGUMENTS.repeats)


if __name__ == "__main__":
    ARGUMENTS = parse()
    main()
