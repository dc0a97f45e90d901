"""Time and memory to read a table, wald-table against pandas' C reader.

Tables are written to a temporary folder: mostly floats (the case that matters), floats with
all their digits, text, one very wide table, Parquet and Arrow. Both readers run in processes of their
own, in turns; the best of several runs counts, because other work on the machine only ever adds
time. Both may use several threads, so seconds of wall time and of processor time are shown.
wald's time is that of the whole process, pandas' that of reading alone, without its import.
wald turns text into categories on the way, which pandas does not.

Run it by `cargo xtask bench table`, which builds the wald side and installs pandas. Promises: at
most pandas' processor time for numbers and 1.5 times it for text, and a peak of at most 2.5 times the
table's own size in memory.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

PANDAS = """
import sys, time
import pandas as pd
readers = {"parquet": pd.read_parquet, "arrow": pd.read_feather, "csv": pd.read_csv}
read = readers[sys.argv[1].rpartition(".")[2]]
start, busy = time.perf_counter(), time.process_time()
read(sys.argv[1])
print(time.perf_counter() - start, time.process_time() - busy)
"""


NAMES = ["floats.csv", "floats.parquet", "floats.arrow", "all_digits.csv", "text.csv", "wide.csv"]


def write(folder, scale):
    """Write all tables."""
    import numpy as np
    import pandas as pd

    def save(frame, name):
        frame.to_csv(os.path.join(folder, name), index=False)

    rng = np.random.default_rng(1)
    n_rows = int(500_000 * scale)
    levels = np.array([f"level {i}" for i in range(200)])

    def mixed(digits):
        columns = {}
        for i in range(28):
            values = rng.normal(size=n_rows) * 10
            columns[f"x{i}"] = values if digits is None else np.round(values, digits + i % 5)
        for i in range(2):
            columns[f"k{i}"] = rng.integers(0, 1000, n_rows)
        for i in range(2):
            columns[f"c{i}"] = levels[rng.integers(0, len(levels), n_rows)]
        return pd.DataFrame(columns)

    frame = mixed(6)
    save(frame, "floats.csv")
    frame.to_parquet(os.path.join(folder, "floats.parquet"))
    frame.to_feather(os.path.join(folder, "floats.arrow"))
    save(mixed(None), "all_digits.csv")
    texts = {f"c{i}": levels[rng.integers(0, len(levels), n_rows)] for i in range(16)}
    texts["id"] = [f"row {i}" for i in range(n_rows)]
    save(pd.DataFrame(texts), "text.csv")
    wide = np.round(rng.normal(size=(int(2000 * scale), 5000)), 4)
    save(pd.DataFrame(wide, columns=[f"x{i}" for i in range(5000)]), "wide.csv")


def run(command):
    """Wall seconds, processor seconds, peak memory in bytes and output of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed")
    seconds = time.perf_counter() - start
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the example read_table, built for release")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the rows")
    parser.add_argument("--write", metavar="FOLDER", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.write:
        return write(arguments.write, arguments.scale)
    print("                        wall seconds        processor seconds      peak memory, MB")
    print("table             MB   wald pandas ratio   wald pandas ratio   wald  x table  pandas")
    with tempfile.TemporaryDirectory() as folder:
        # In a process of its own: a child's peak counts the memory its parent had at the fork.
        scale = ["--scale", str(arguments.scale)]
        subprocess.run([sys.executable, __file__, arguments.program, "--write", folder, *scale], check=True)
        for path in (os.path.join(folder, name) for name in NAMES):
            ours, theirs = [], []
            for _ in range(arguments.runs):
                ours.append(run([arguments.program, path]))
                theirs.append(run([sys.executable, "-c", PANDAS, path]))
            wall, busy = (min(run[i] for run in ours) for i in (0, 1))
            peak = max(memory for _, _, memory, _ in ours)
            own = int(re.search(r"(\d+) bytes", ours[0][3]).group(1))
            times = [[float(word) for word in output.split()] for _, _, _, output in theirs]
            pandas_wall, pandas_busy = (min(pair[i] for pair in times) for i in (0, 1))
            pandas_peak = max(memory for _, _, memory, _ in theirs)
            print(
                f"{os.path.basename(path):15} {os.path.getsize(path) / 1e6:4.0f} "
                f"{wall:6.2f} {pandas_wall:6.2f} {wall / pandas_wall:5.2f} "
                f"{busy:6.2f} {pandas_busy:6.2f} {busy / pandas_busy:5.2f} "
                f"{peak / 1e6:6.0f} {peak / own:8.2f} {pandas_peak / 1e6:7.0f}"
            )


if __name__ == "__main__":
    main()
