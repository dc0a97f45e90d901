"""The programs under test, as processes that grow a forest on request.

All speak one language: a line of `key=value` settings goes in, a line of JSON comes out. It holds
`seconds` (elapsed, and of the processor) of growing alone, `leaves` (mean number of a tree),
`test_error` and `memory` (the most the process has held before and after growing, in bytes).
Tables are read once, before the first line.
"""

import contextlib
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from importlib import metadata

HERE = os.path.dirname(os.path.abspath(__file__))
# Programs and their packages.
PYTHON = {
    "scikit-learn": "scikit-learn",
    "oneDAL": "scikit-learn-intelex",
    "ydf": "ydf",
    "LightGBM": "lightgbm",
}
R = ["ranger", "randomForest"]
# Programs from R that grow forests of another kind, or that are rarely there.
MORE_R = ["randomForestSRC", "party"]
# wald itself, on bins of values.
BINS = "wald-255-bins"
PEERS = [BINS, *PYTHON, *R]


class Unavailable(Exception):
    """A program does not run here, or cannot do what it was asked to do."""


def versions(names):
    """Of the programs and of what they run on, in words."""
    found = [f"Python {platform.python_version()}"]
    # Programs that grow no forests have the names of their packages.
    for package in ["numpy", *(PYTHON.get(name, name) for name in names)]:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found.append(f"{package} {metadata.version(package)}")
    from_r = [name for name in names if name in R + MORE_R]
    if from_r and shutil.which("Rscript"):
        # The package `base` has the version of R itself.
        asked = ", ".join(f'"{package}"' for package in ["base", *from_r])
        script = f"for (p in c({asked})) try(cat(p, format(packageVersion(p)), fill = TRUE))"
        result = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True)
        found += result.stdout.replace("base ", "R ").splitlines()
    return ", ".join(found)


def command(name, wald):
    if name in ("wald", BINS):
        return [wald]
    if name in PYTHON:
        return [sys.executable, os.path.join(HERE, "peers.py"), name]
    return ["Rscript", "--vanilla", os.path.join(HERE, "peers.R"), name]


class Program:
    """A running program; use it in a `with` statement."""

    def __init__(self, name, wald, files):
        words = command(name, wald)
        if shutil.which(words[0]) is None:
            raise Unavailable(f"which needs {words[0]}")
        self.more = {"max-bins": 255} if name == BINS else {}
        self.messages = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [*words, *files],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.messages,
            text=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        self.messages.close()

    def grow(self, settings):
        try:
            words = " ".join(f"{key}={value}" for key, value in {**settings, **self.more}.items())
            print(words, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass
        answer = self.process.stdout.readline()
        if not answer:
            self.messages.seek(0)
            messages = self.messages.read().strip().splitlines()
            raise Unavailable(messages[-1] if messages else "which ended without a message")
        return json.loads(answer)


def take_turns(names, wald, files, turns, budget=math.inf):
    """Every program grows a forest with the settings of every turn; one list of answers per
    program. Turns after the first are left out once the seconds of the budget are over."""
    with contextlib.ExitStack() as stack:
        programs = [stack.enter_context(Program(name, wald, files)) for name in names]
        start, rounds = time.monotonic(), []
        for settings in turns:
            if rounds and time.monotonic() - start > budget:
                break
            rounds.append([program.grow(settings) for program in programs])
    return list(zip(*rounds))
