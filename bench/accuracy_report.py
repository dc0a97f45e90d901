"""What `cargo xtask bench accuracy` prints: times, ratios, spread over seeds, order of columns."""

import numpy as np

from accuracy_cases import PUBLISHED
from report import head, medians, ratio, row, show

# What a line of the table shows: program, its measure, wald's measure that it stands beside, and
# which truth the order of the columns is compared with.
LINES = [
    ("wald", "mda_breiman_cutler", None, "permuted"),
    ("ranger", "ranger", "mda_breiman_cutler", "permuted"),
    ("randomForest", "randomForest", "mda_breiman_cutler", "permuted"),
    ("wald", "mda_ishwaran_kogalur", None, "permuted"),
    ("randomForestSRC", "randomForestSRC", "mda_ishwaran_kogalur", "permuted"),
    ("wald", "mda_train_test", None, "permuted"),
    ("scikit-learn", "1", "mda_train_test", "permuted"),
    ("scikit-learn", "10", "mda_train_test", "permuted"),
    ("wald", "sobol_mda", None, "total"),
    ("wald", "sobol_mda_lundberg", None, "total"),
    ("wald", "total_sobol_full", None, "total"),
    ("wald", "conditional_permutation", None, "total"),
    ("party", "party", "conditional_permutation", "total"),
]
PEERS = list(dict.fromkeys(program for program, *_ in LINES if program != "wald"))
WORDS = {
    "ranger": "importance = permutation, 1 permutation",
    "randomForest": "importance = TRUE, 1 permutation",
    "randomForestSRC": "permute, block.size = ntree",
    "1": "permutation_importance, 1 permutation",
    "10": "permutation_importance, 10 permutations",
    "party": "varimp, conditional",
}
# Trees of party, as a share of all: more take minutes.
PARTY_SHARE = 0.1


def in_order(importances, truth):
    """Somers' D: of the pairs of columns whose truths differ, the share that the importances
    order as the truth does, less the share that they order the other way."""
    wanted = np.sign(np.subtract.outer(truth, truth))
    found = np.sign(np.subtract.outer(importances, importances))
    return (wanted * found).sum() / abs(wanted).sum()


def quality(values, reference, truth):
    """Spread over seeds and distance of their mean from the reference, both as root mean squares
    over the columns in per cent of the largest importance; and the order."""
    values = np.array(values)
    largest = values.mean(axis=0).max()

    def share(numbers):
        return f"{100 * np.sqrt(numbers.mean()) / largest:.2f}"

    return [
        share(values.var(axis=0, ddof=1)) if len(values) > 1 else "-",
        "-" if reference is None else share((values.mean(axis=0) - reference) ** 2),
        f"{np.mean([in_order(each, truth) for each in values]):.3f}",
    ]


def runs_of(answers, program, name):
    return [answer[name] for answer in answers[program] if name in answer]


def print_case(case, truth, results):
    answers, reasons, long = results
    print(
        f"{case.n_rows:,} rows, {case.n_columns:,} columns, {case.n_trees} trees, "
        f"mtry {case.mtry}\n"
    )
    head(
        *("program", "measure", "growing, s", "beyond growing, s", "/ growing", "/ wald"),
        *("runs", "spread, %", "off, %", "order"),
    )
    for program, name, beside, kind in LINES:
        runs = runs_of(answers, program, name)
        if not runs:
            continue
        growing = medians(runs_of(answers, program, "grow"), "seconds")
        extra = medians(runs, "seconds")
        ours = medians(runs_of(answers, "wald", beside or name), "seconds")
        of_all = 1 / PARTY_SHARE if program == "party" else 1
        times_ours = ratio([of_all * seconds for seconds in extra], ours) if beside else []
        reference = long.get(beside or name) if program != "party" else None
        values = [run["importances"] for run in runs]
        row([
            *(program, WORDS.get(name, name), show(growing, 3), show(extra, 3)),
            *(show(ratio(extra, growing)), show(times_ours, 1), len(runs)),
            *quality(values, reference, truth[kind]),
        ])
    print()
    for program, reason in reasons.items():
        print(f"- not run: {program}, {reason}")


def counted(runs):
    """The median of processor seconds, else of elapsed ones."""
    elapsed, processor = medians(runs, "seconds")
    return elapsed if processor is None else processor


def share_of(answers, above, below):
    """How many times as long one measure took as another; `-` where a program did not run."""
    runs = [runs_of(answers, *pair) for pair in (above, below)]
    return show([counted(runs[0]) / counted(runs[1])]) if all(runs) else "-"


def published(name, answers):
    """How many times as long as wald the reference implementation took: with growing by ranger,
    whose fork it is, as the unit of time where that is known, else as it is."""
    ranger = runs_of(answers, "ranger", "grow")
    if name not in PUBLISHED or not ranger:
        return "-"
    seconds, growing = PUBLISHED[name]
    ours = counted(runs_of(answers, "wald", "sobol_mda"))
    if growing is None:
        return f"above {seconds / ours:.0f}"
    return f"{seconds / growing * counted(ranger) / ours:.0f}"


def print_ratios(everything):
    exact, projected, growing = (
        ("wald", name) for name in ("mda_breiman_cutler", "sobol_mda", "grow")
    )
    head(
        *("case", "exact BC / growing", "exact BC / ranger's permutation"),
        *("exact BC / scikit-learn's fit", "exact BC, ms per tree", "Sobol-MDA / growing"),
        "reference Sobol-MDA / wald's (published, another machine)",
    )
    for name, (case, (answers, *_)) in everything.items():
        peers = (growing, ("ranger", "ranger"), ("scikit-learn", "grow"))
        per_tree = 1_000 * counted(runs_of(answers, *exact)) / case.n_trees
        row([
            *(name, *(share_of(answers, exact, peer) for peer in peers)),
            *(show([per_tree], 3), share_of(answers, projected, growing)),
            published(name, answers),
        ])
