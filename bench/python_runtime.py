"""What it is like to use wald through Python: growing beside the engine alone, measuring a forest
of scikit-learn's beside scikit-learn, and how soon Ctrl-C is heard.

`python_runtime.py WALD` takes the program `bench_forest`; the package is the one that is installed.
"""

import argparse

import python_fit
import python_foreign
import python_interruption


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wald", help="the program bench_forest")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--scale", type=float, default=1.0, help="of tables and forests")
    parser.add_argument("--parts", nargs="+", default=["fit", "foreign", "interruption"],
                        choices=["fit", "foreign", "interruption"])
    arguments = parser.parse_args()
    scale = arguments.scale
    if "fit" in arguments.parts:
        python_fit.report(arguments.wald, arguments.repeats, scale)
    if "foreign" in arguments.parts:
        python_foreign.report(max(200, round(20_000 * scale)), 20, max(10, round(100 * scale)))
    if "interruption" in arguments.parts:
        python_interruption.report(arguments.repeats, max(1_000, round(50_000 * scale)))


if __name__ == "__main__":
    main()
