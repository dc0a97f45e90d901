"""The examples of docs/foreign-forests.md run."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/foreign-forests.md"


def test_examples_run(capsys):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) == 7
    names = {}
    for block in blocks:
        exec(block, names)
    printed = capsys.readouterr().out
    assert "sobol_mda" in printed and "every tree saw all rows" in printed
