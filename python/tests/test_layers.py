"""The package is built in layers: modules import from their own layer or from lower ones."""

import ast
from pathlib import Path

import pytest

import wald

PACKAGE = Path(wald.__file__).parent

# From the ground up; ARCHITECTURE.md describes them.
LAYERS = [("_native", "errors", "typing"), ("_checks", "_progress"), ("_executors",), ("_tables",), ("_plots",),
          ("_results",), ("_estimators",), ("_procedures", "foreign"), ("__init__",)]
FLOOR = {name: floor for floor, names in enumerate(LAYERS) for name in names}


def imported(source):
    """Names of the modules of the package that a source imports, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("wald"))
        elif isinstance(node, ast.ImportFrom) and node.module == "wald":
            yield from (f"wald.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("wald."):
            yield node.module


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.name)
def test_modules_import_from_below(path):
    layer = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    for name in imported(path.read_text()):
        other = name.split(".")[1]
        is_below = FLOOR[other] < FLOOR[layer]
        assert is_below or other == layer and layer != "errors", f"{path} imports {name}"
    # Layers are listed here as soon as they exist.
    assert layer in FLOOR


def test_a_layer_holds_no_circle():
    imports = {}
    for path in PACKAGE.rglob("*.py"):
        name = ".".join(["wald", *path.relative_to(PACKAGE).with_suffix("").parts])
        imports[name.removesuffix(".__init__")] = set(imported(path.read_text()))
    while free := {name for name, others in imports.items() if not others & set(imports)}:
        imports = {name: others - free for name, others in imports.items() if name not in free}
    assert not imports
