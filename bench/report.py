"""What the benchmarks print: medians, ratios, tables, and what they were measured on."""

import os
import platform
import statistics
import time


def medians(runs, key):
    """Elapsed and processor seconds; the latter are unknown outside Linux."""
    pairs = zip(*(run[key] for run in runs))
    return [None if None in values else statistics.median(values) for values in pairs]


def mean(runs, key):
    return statistics.mean(run[key] for run in runs)


def ratio(above, below):
    """Of elapsed and of processor seconds, if the clock has both."""
    pairs = zip(above, below)
    return [None if None in pair or min(pair) <= 0 else pair[0] / pair[1] for pair in pairs]


def show(numbers, digits=2):
    return " / ".join("-" if number is None else f"{number:.{digits}f}" for number in numbers)


def row(cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def head(*names):
    row(names)
    print("|" + "---|" * len(names))


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if "model name" in line]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown"


def machine():
    today = time.strftime("%Y-%m-%d")
    return f"{today}, {platform.machine()}, {processor()}, {os.cpu_count()} cores"
