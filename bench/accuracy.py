"""Permutation importances and Sobol-MDA: what they cost beyond growing, how much they vary from
seed to seed, and how they order the columns, wald beside other programs.

All programs take turns, each in a process of its own that has read the tables before. Run it by
`cargo xtask bench accuracy`.
"""

import argparse
import contextlib
import json
import sys
import tempfile
import time
from dataclasses import replace

import numpy as np

from accuracy_cases import CASES
from accuracy_report import LINES, PARTY_SHARE, PEERS, print_case, print_ratios
from programs import Program, Unavailable, versions
from report import machine

# Columns are conditioned on where 1 - p of their association is larger. With the default of
# party and wald, 0.2, these are nearly all: in trees with leaves of a few rows every row is then
# alone in its cell, and importances are 0 by definition.
ASSOCIATION = 0.95


def measures(case, names):
    """For wald, with the loss that the others take for classes."""
    zero_one = ["mda_breiman_cutler", "mda_train_test"] if case.n_classes else []
    return ",".join(f"{name}:zero_one" if name in zero_one else name for name in names)


def settings(case, program, seed):
    common = case.settings(1, seed)
    if program == "wald":
        names = [name for owner, name, *_ in LINES if owner == "wald"]
        words = {"keep": "nothing", "association": ASSOCIATION}
        return {**common, **words, "measures": measures(case, names)}
    if program == "scikit-learn":
        # Ten permutations of one seed are enough to see what they cost.
        return {**common, "repeats": 10 if seed == 0 else 1}
    if program == "party":
        common["trees"] = max(2, round(PARTY_SHARE * case.n_trees))
        common["association"] = ASSOCIATION
    return {**common, "measure": 1}


def beyond_growing(program, answer):
    """By measure: the seconds beyond growing, and the importances."""
    found = answer["measured"]
    if program == "wald":
        for each in found.values():
            each["seconds"] = [a - b for a, b in zip(each["seconds"], answer["seconds"])]
    return {"grow": {"seconds": answer["seconds"]}, **found}


def take_turns(case, files, arguments):
    """Answers by program, and reasons where there are none."""
    answers, reasons = {name: [] for name in ["wald", *PEERS]}, {}
    spent = dict.fromkeys(answers, 0.0)
    with contextlib.ExitStack() as stack:
        programs = {}
        for name in answers:
            try:
                if name in case.without:
                    raise Unavailable(case.without[name])
                programs[name] = stack.enter_context(Program(name, arguments.wald, files))
            except Unavailable as error:
                reasons[name] = str(error)
        for seed in range(arguments.repeats):
            for name, program in list(programs.items()):
                if spent[name] > arguments.budget:
                    continue
                start = time.monotonic()
                try:
                    answer = program.grow(settings(case, name, seed))
                    answers[name].append(beyond_growing(name, answer))
                except Unavailable as error:
                    reasons[name] = str(error)
                    del programs[name]
                spent[name] += time.monotonic() - start
        long = long_run(case, programs["wald"], arguments)
    return answers, reasons, long


def long_run(case, wald, arguments):
    """Mean importances over many seeds, of wald's measures beside which others stand."""
    names = list(dict.fromkeys(beside for _, _, beside, _ in LINES if beside))
    names.remove("conditional_permutation")
    sums = dict.fromkeys(names, 0)
    for seed in range(1_000, 1_000 + arguments.long):
        words = {"keep": "nothing", "measures": measures(case, names)}
        found = wald.grow({**case.settings(1, seed), **words})["measured"]
        for name in names:
            sums[name] = sums[name] + np.array(found[name]["importances"]) / arguments.long
    return sums


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("wald", help="the program bench_forest")
    add("--cases", nargs="+", choices=CASES, default=list(CASES))
    add("--repeats", type=int, default=5, help="turns, each with a seed of its own")
    add("--long", type=int, default=20, help="forests whose mean is the reference")
    add("--budget", type=float, default=120, help="seconds after which a program is left out")
    add("--scale", type=float, default=1, help="fraction of rows and trees, to try things out")
    add("--seed", type=int, default=1, help="of the data")
    add("--json", help="also write all answers to this file")
    return parser.parse_args()


def main():
    arguments = parse()
    print(f"{machine()}; {versions(PEERS)}.")
    print("One thread. Medians of the runs; pairs are elapsed / processor seconds.")
    everything = {}
    for name in arguments.cases:
        case, truth = CASES[name]
        case = case.scaled(arguments.scale)
        # As many rows to permute as to learn from.
        case = replace(case, n_test=case.n_rows)
        print(f"\n### ({name}) {case.about}\n", flush=True)
        print(case.about, file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            results = take_turns(case, case.write(folder, arguments.seed), arguments)
        print_case(case, truth, results)
        everything[name] = (case, results)
    print("\n### Targets\n")
    print_ratios(everything)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({name: results[0] for name, (_, results) in everything.items()}, file)


if __name__ == "__main__":
    main()
