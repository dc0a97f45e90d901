"""The examples of the documentation run."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def run(page):
    """How many examples a page has."""
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    names = {}
    for block in blocks:
        exec(block, names)
    return len(blocks)


def test_foreign_forests(capsys):
    assert run("foreign-forests.md") == 7
    printed = capsys.readouterr().out
    assert "sobol_mda" in printed and "every tree saw all rows" in printed


def test_python(capsys):
    assert run("python.md") == 1
    assert "bmi" in capsys.readouterr().out
