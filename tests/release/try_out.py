"""Tries what is released where nothing else is installed.

    python tests/release/try_out.py PROGRAM VERSION

The example of the package's own page runs; the program tells its version and measures a table;
the package, given the same numbers, finds the same to the last bit.
"""

import csv
import hashlib
import importlib.metadata
import json
import re
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "data" / "breast_cancer.csv"
TARGET = "benign"
MEASURES = ["mdi", "mda_breiman_cutler", "sobol_mda"]


def run(program, *words):
    """What the program writes."""
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def hash_of(values):
    """A hash of numbers, bit for bit."""
    return hashlib.sha256(struct.pack(f"<{len(values)}d", *values)).hexdigest()


def by_program(program):
    """Hashes of importances as the command line finds them."""
    found = json.loads(run(program, "importance", str(TABLE), "--target", TARGET, "--measure",
                          ",".join(MEASURES), "--trees", "100", "--constant-draws", "search", "--format", "json",
                          "--quiet"))
    return {one["measure"]: hash_of(one["values"]) for one in found["measures"]}


def by_package(wald):
    """The same as the package finds them, which knows no names of columns here."""
    with TABLE.open() as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name != TARGET]
    X = [[float(row[name]) for name in names] for row in rows]
    forest = wald.RandomForestClassifier(100).fit(X, [row[TARGET] for row in rows])
    return {name: hash_of(forest.importance(name).values.tolist()) for name in MEASURES}


def main():
    program, version = sys.argv[1:]
    found = {each.metadata["Name"].lower() for each in importlib.metadata.distributions()}
    assert not found & {"pandas", "polars", "pyarrow", "matplotlib"}, f"not clean: {found}"
    import wald

    assert Path(wald.__file__).is_relative_to(sys.prefix), wald.__file__
    assert wald.__version__ == importlib.metadata.version("wald") == version
    assert run(program, "--version").split() == ["wald", version]
    page = importlib.metadata.metadata("wald").get_payload()
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert examples, "the page of the package has no example"
    for example in examples:
        exec(example, {})
    hashes = by_program(program)
    assert hashes == by_package(wald)
    for name, hash_of_values in hashes.items():
        print(f"{name:<20} {hash_of_values}  program and package")


if __name__ == "__main__":
    main()
