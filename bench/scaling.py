"""How the time to grow one tree rises with rows and with columns.

Friedman's first function; nodes of more than 5 draws split. First more and more rows of 10
columns, then more and more columns of 2000 rows. wald and scikit-learn take turns; a program
leaves a curve after a forest that took it longer than the limit. What they do once per table is
part of the time. Run it by `cargo xtask bench scaling`; it draws docs/images/scaling.svg.
"""

import argparse
import math
import tempfile

from cases import Case
from programs import take_turns, versions
from report import head, machine, medians, row

PROGRAMS = ["wald", "scikit-learn"]
COLOURS = {"wald": "#1b6e53", "scikit-learn": "#c4622d"}
ROWS = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
COLUMNS = [10, 30, 100, 300, 1_000, 3_000, 5_000]

# The rows, columns and mtry of the tables of each curve, and which of them grows.
CURVES = {
    "10 columns, mtry 3": (0, [(n, 10, 3) for n in ROWS]),
    "mtry √p": (1, [(2_000, p, math.isqrt(p)) for p in COLUMNS]),
    "mtry p/3": (1, [(2_000, p, p // 3) for p in COLUMNS]),
}


def work(n_rows, mtry):
    """Values looked at in one tree, up to a factor."""
    return mtry * n_rows * math.log2(n_rows)


def seconds_per_tree(case, programs, arguments):
    """Medians by program."""
    turns = [case.settings(1, seed) for seed in range(arguments.repeats)]
    with tempfile.TemporaryDirectory() as folder:
        train, _ = case.write(folder, arguments.seed)
        answers = take_turns(programs, arguments.wald, [train], turns, arguments.limit)
    elapsed = (medians(runs, "seconds")[0] for runs in answers)
    return {program: each / case.n_trees for program, each in zip(programs, elapsed)}


def measure(name, arguments):
    """Sizes and seconds per tree by program, as far as its curve goes."""
    growing, tables = CURVES[name]
    curve = {program: [] for program in PROGRAMS}
    running = PROGRAMS
    for n_rows, n_columns, mtry in tables:
        n_rows = max(200, round(arguments.scale * n_rows))
        # Enough trees for the clock, and for what is done once per table to matter little.
        n_trees = min(500, max(10, round(arguments.scale * 1e8 / work(n_rows, mtry))))
        case = Case(name, n_rows, n_columns, n_trees, mtry, min_node_size=5, n_test=1)
        seconds = seconds_per_tree(case, running, arguments)
        cells = [name, f"{n_rows:,}", f"{n_columns:,}", mtry, n_trees]
        for program in PROGRAMS:
            if program in seconds:
                curve[program].append(((n_rows, n_columns)[growing], seconds[program]))
                cells.append(f"{1e3 * seconds[program]:.3g}")
                cells.append(f"{1e9 * seconds[program] / work(n_rows, mtry):.1f}")
        row([*cells, *["-"] * (9 - len(cells))])
        running = [each for each in running if seconds[each] * n_trees <= arguments.limit]
    return curve


def draw(curves, path):
    """Two panels side by side: rows and columns."""
    # Here, because the table does without.
    import matplotlib

    matplotlib.use("svg")
    # Text stays text, and equal numbers give an equal file.
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "wald", "font.size": 11})
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    for name, curve in curves.items():
        growing, _ = CURVES[name]
        for program, points in curve.items():
            panels[growing].plot(
                *zip(*points),
                "--" if name == "mtry √p" else "-",
                marker="o",
                markersize=4,
                color=COLOURS[program],
                label=f"{program}, {name}" if growing else program,
            )
    of_rows = curves["10 columns, mtry 3"]["wald"]
    unit = of_rows[0][1] / work(of_rows[0][0], 3)
    proportional = [(n, unit * work(n, 3)) for n, _ in of_rows]
    panels[0].plot(*zip(*proportional), ":", color="#888888", label="proportional to n log n")
    panels[0].set(title="10 columns, mtry 3", xlabel="rows")
    panels[1].set(title=f"{CURVES['mtry √p'][1][0][0]:,} rows", xlabel="columns")
    for panel in panels:
        panel.set(xscale="log", yscale="log", ylabel="seconds per tree, one thread")
        panel.grid(color="#dddddd", linewidth=0.6)
        panel.spines[["top", "right"]].set_visible(False)
        panel.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("wald", help="the program bench_forest")
    add("--repeats", type=int, default=3)
    add("--limit", type=float, default=60, help="seconds of a forest; after it no larger table")
    add("--scale", type=float, default=1, help="fraction of rows and trees, to try things out")
    add("--seed", type=int, default=1, help="of the data")
    add("--svg", default="docs/images/scaling.svg", help="where the picture goes")
    arguments = parser.parse_args()
    print(f"{machine()}; {versions(PROGRAMS)}.")
    print(f"One thread, elapsed, medians of up to {arguments.repeats} runs.\n")
    per_program = [
        title
        for program in PROGRAMS
        for title in (f"{program}, ms / tree", f"{program}, ns / (mtry n log2 n)")
    ]
    head("curve", "rows", "columns", "mtry", "trees", *per_program)
    curves = {name: measure(name, arguments) for name in CURVES}
    draw(curves, arguments.svg)


if __name__ == "__main__":
    main()
