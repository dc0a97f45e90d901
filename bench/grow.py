"""Growing forests, wald beside other programs: time, memory, size of trees, error.

For every case, number of threads and program, wald and the other program take turns on the same
table with the same settings, each in a process of its own that has read the table before. With
`--beside wald-255-bins` it is wald on bins that takes turns with every program.
Run it by `cargo xtask bench grow`, which builds wald and installs the programs from PyPI; ranger
and randomForest take part where R has them.
"""

import argparse
import itertools
import json
import sys
import tempfile
from dataclasses import replace

from cases import CASES, Loans
from programs import BINS, PEERS, Unavailable, take_turns, versions
from report import head, machine, mean, medians, ratio, row, show


def measure(case, files, arguments):
    """Answers by program and number of threads, each with those of the program beside it in the
    same turns; the reason where there are none."""
    results = {}
    for name, threads in itertools.product(arguments.programs, arguments.threads):
        print(f"{case.about}: {name} on {threads}", file=sys.stderr)
        results[name, threads] = case.without.get(name)
        if results[name, threads] is None:
            names = list(dict.fromkeys([arguments.beside, name]))
            turns = [case.settings(threads, seed) for seed in range(arguments.repeats)]
            try:
                answers = take_turns(names, arguments.wald, files, turns, arguments.budget)
                results[name, threads] = {"beside": answers[0], "runs": answers[-1]}
            except Unavailable as error:
                results[name, threads] = str(error)
    return results


def ran(result):
    return not isinstance(result, str)


def timing(result, is_beside):
    """Seconds, and how many times as long as the program beside it in the same turns."""
    if not ran(result):
        return ["-", "-"]
    own, beside = medians(result["runs"], "seconds"), medians(result["beside"], "seconds")
    return [show(own, 3), "" if is_beside else show(ratio(own, beside))]


def summary(results):
    """What does not depend on the clock: sizes, errors, memory; and the gain from threads."""
    done = [result["runs"] for result in results if ran(result)]
    elapsed = [medians(runs, "seconds")[0] for runs in done]
    # The first answer is that of a process that has done nothing else.
    memory = [runs[0]["memory"] for runs in done]
    before, peak = ([size and size / 1e6 for size in sizes] for sizes in zip(*memory))
    return [
        f"{elapsed[0] / elapsed[-1]:.2f}" if len(done) > 1 else "-",
        " / ".join(str(len(runs)) for runs in done),
        f"{mean(done[0], 'leaves'):.0f}",
        f"{mean(done[0], 'test_error'):.4f}",
        show(before, 0),
        show(peak, 0),
    ]


def print_case(name, case, results, arguments):
    size = case.n_rows * (case.n_columns + 1) * 8 / 1e6
    print(
        f"\n### ({name}) {case.about}\n\n{case.n_rows:,} rows, {case.n_columns:,} columns "
        f"({size:.1f} MB), {case.n_trees} trees, mtry {case.mtry}\n"
    )
    below = f"/ {arguments.beside}"
    times = [(f"seconds, {n} thread{'s' * (n > 1)}", below) for n in arguments.threads]
    titles = ["speed-up", "runs", "leaves", "test error", "MB before", "peak MB"]
    head("program", *itertools.chain(*times), *titles)
    for program in arguments.programs:
        of_program = [results[program, threads] for threads in arguments.threads]
        if any(ran(result) for result in of_program):
            cells = (timing(result, program == arguments.beside) for result in of_program)
            row([program, *itertools.chain(*cells), *summary(of_program)])
    reasons = {}
    for (program, threads), result in results.items():
        if not ran(result):
            reasons.setdefault(f"{program}, {result}", []).append(str(threads))
    print()
    for reason, threads in reasons.items():
        print(f"- not run on {' and '.join(threads)}: {reason}")


def pair(text):
    program, _, case = text.partition("@")
    if program not in PEERS or case not in CASES:
        raise argparse.ArgumentTypeError(f"`{text}` is not a program@case")
    return program, case


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("wald", help="the program bench_forest")
    add("--cases", nargs="+", choices=CASES, default=list(CASES))
    add("--programs", nargs="+", choices=["wald", *PEERS], default=["wald", *PEERS])
    add("--beside", choices=["wald", BINS], default="wald", help="what takes turns with all")
    add("--trees", type=int, help="of every forest, instead of those of its case")
    add("--threads", type=int, nargs="+", default=[1, 2])
    add("--repeats", type=int, default=5, help="turns of a pair of programs")
    add("--budget", type=float, default=120, help="seconds after which a pair takes no new turn")
    add("--skip", type=pair, nargs="+", default=[], metavar="PROGRAM@CASE", help="leave out")
    add("--also", type=pair, nargs="+", default=[], metavar="PROGRAM@CASE", help="do not leave out")
    add("--loans", help="the table of the cases f1 and f2; docs/benchmarks.md describes how to get it")
    add("--scale", type=float, default=1, help="fraction of rows and trees, to try things out")
    add("--seed", type=int, default=1, help="of the data")
    add("--json", help="also write all answers to this file")
    return parser.parse_args()


def choose(arguments):
    """The cases as they are to be run."""
    for name in arguments.cases:
        case = CASES[name].scaled(arguments.scale)
        case = replace(case, n_trees=arguments.trees or case.n_trees)
        for program in PEERS:
            if (program, name) in arguments.skip:
                case.without[program] = "which was to be skipped"
            if (program, name) in arguments.also:
                case.without.pop(program, None)
        if isinstance(case, Loans):
            case.path = arguments.loans
            if case.path is None:
                print(f"\n### ({name}) {case.about}\n\nnot run: give the table by --loans")
                continue
        yield name, case


def main():
    arguments = parse()
    print(f"{machine()}; {versions(arguments.programs)}.")
    print("Medians of the runs; pairs are elapsed / processor seconds, or one per thread count.")
    everything = {}
    for name, case in choose(arguments):
        with tempfile.TemporaryDirectory() as folder:
            results = measure(case, case.write(folder, arguments.seed), arguments)
        print_case(name, case, results, arguments)
        everything[name] = {f"{program}, {n}": answer for (program, n), answer in results.items()}
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(everything, file, indent=1)


if __name__ == "__main__":
    main()
