"""Types: of the package, of typical uses, and of the native part against what is there."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import get_args

import pytest

import wald
import wald._native as _native
from wald import typing

HERE = Path(__file__).parent
SETTINGS = HERE.parent / "pyproject.toml"
PACKAGE = Path(wald.__file__).parent


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """The cache of mypy, which one run leaves for the next."""
    return tmp_path_factory.mktemp("mypy")


def check(cache, module, *arguments):
    """Runs a module of mypy; returns its exit code and what it printed."""
    environment = {**os.environ, "MYPY_CACHE_DIR": str(cache), "PYTHONPATH": str(PACKAGE.parent)}
    if PACKAGE.parent.name != "site-packages":
        environment["MYPYPATH"] = str(PACKAGE.parent)
    done = subprocess.run([sys.executable, "-m", module, *arguments], env=environment, cwd=HERE,
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_package_is_strictly_typed(cache):
    code, output = check(cache, "mypy", "--config-file", str(SETTINGS), "-p", "wald")
    assert code == 0, output


def test_typical_uses_have_the_types_they_should(cache):
    code, output = check(cache, "mypy", "--config-file", str(SETTINGS), "typed/typing_uses.py")
    assert code == 0, output


def test_wrong_uses_are_noticed(cache, tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import wald\nwald.RandomForestRegressor().importance('nonsense')\n"
                     "wald.RandomForestRegressor(criterion='nonsense')\n"
                     "wald.measures().nonsense\n")
    code, output = check(cache, "mypy", "--config-file", str(SETTINGS), str(wrong))
    assert code == 1
    assert [f"wrong.py:{line}: error" in output for line in (2, 3, 4)] == [True] * 3, output


def test_stubs_say_what_is_there(cache):
    code, output = check(cache, "mypy.stubtest", "wald", "--mypy-config-file", str(SETTINGS),
                       "--allowlist", str(HERE.parent / "stubtest.txt"))
    assert code == 0, output


def names_that_there_are():
    """What ``wald/typing.py`` must list for type checkers."""
    infos = list(wald.measures())
    of_explain = [info for info in infos if info["kind"] == "explain"]
    return {
        "GlobalMeasure": [info["id"] for info in infos if info["kind"] == "importance"],
        "ValueMeasure": [info["id"] for info in of_explain if "grid" not in info["options"]],
        "CurveMeasure": [info["id"] for info in of_explain if "grid" in info["options"]],
        "Design": [design["id"] for design in wald.designs()],
    }


def with_names(text, name, words):
    """The file with one of its lists written anew."""
    lines = textwrap.fill(", ".join(f'"{word}"' for word in words) + ",", 96,
                          initial_indent="    ", subsequent_indent="    ")
    new, count = re.subn(rf"^{name} = Literal\[\n.*?^\]\n", f"{name} = Literal[\n{lines}\n]\n",
                         text, flags=re.MULTILINE | re.DOTALL)
    assert count == 1
    return new


# Types of options by their values; words have a type of their own name.
OF_VALUES = {"flag": "bool", "whole": "int", "number": "float", "seconds": "float", "table": "Any",
             "names": "Sequence[str]", "whole_or": 'Union[Literal["exact"], int]'}
# Arguments of ``importance`` and ``explain`` by name.
ARGUMENTS = {"importance": {"loss", "permutations", "test"}, "explain": set()}


def with_options(text, name, which):
    """The file with the options of global or local measures written anew."""
    given = [option for option in json.loads(_native.options())[which]
             if option["id"] not in ARGUMENTS[which]]
    types = {option["id"]: option["id"].capitalize() if option["values"] == "word"
             else OF_VALUES[option["values"]] for option in given}
    described, declared = [], []
    for option in given:
        default = f" Default: {option['default']}." if option["default"] else ""
        described.append(f"    {option['id']} : {types[option['id']]}")
        described.append(textwrap.fill(option["help"] + default, 96, initial_indent=" " * 8,
                                       subsequent_indent=" " * 8))
        declared.append(f"    {option['id']}: {types[option['id']]}")
    body = "\n".join(["    Attributes", "    ----------", *described, '    """', "", *declared])
    new, count = re.subn(rf"(^class {name}\(.*?)^    Attributes\n.*?(?=\n\n\n|\Z)",
                         lambda found: found[1] + body, text, flags=re.MULTILINE | re.DOTALL)
    assert count == 1
    return new.rstrip("\n") + "\n"


def test_names_of_measures_are_those_that_there_are():
    """``WALD_WRITE_DOCS=1`` writes them into the source."""
    source = HERE.parent / "wald" / "typing.py"
    text = source.read_text()
    right = text
    for name, words in names_that_there_are().items():
        right = with_names(right, name, words)
    right = with_options(right, "MeasureSettings", "importance")
    right = with_options(right, "ExplanationSettings", "explain")
    if os.environ.get("WALD_WRITE_DOCS") == "1":
        source.write_text(right)
    else:
        assert text == right
        for name, words in names_that_there_are().items():
            assert list(get_args(getattr(typing, name))) == words


@pytest.mark.parametrize("names, call", [
    (typing.Loss, lambda forest, name: forest.importance("mdi", loss=name)),
    (typing.Normalise, lambda forest, name: forest.importance("mdi", normalise=name)),
    (typing.Impurity, lambda forest, name: forest.importance("mdi", impurity=name)),
    (typing.Aggregate, lambda forest, name: forest.importance("mdi", aggregate=name)),
])
def test_words_are_those_that_there_are(names, call):
    """The engine lists the words it knows when it is asked for another one."""
    forest = wald.ExtraTreesRegressor(2).fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(wald.SettingError) as refusal:
        call(forest, "nonsense")
    assert refusal.value.help == "give one of " + ", ".join(f'"{name}"' for name in get_args(names))


@pytest.mark.parametrize("settings, call", [
    (typing.MeasureSettings, lambda forest, asked: forest.importance("mdi", **asked)),
    (typing.ExplanationSettings, lambda forest, asked: forest.explain(measure="saabas", **asked)),
])
def test_settings_are_those_that_there_are(settings, call):
    values = {"normalise": "none", "impurity": "variance", "aggregate": "mean_abs", "grid": 5,
              "background": [[0.0]], "variables": ["x0"], "out_of_bag": False}
    flags = {"per_class", "by_degree", "second_order", "exclude_self"}
    forest = wald.ExtraTreesRegressor(2).fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(wald.SettingError, match="has no argument"):
        call(forest, {"nonsense": 1})
    for name in settings.__annotations__:
        value = values.get(name, False if name in flags else 1)
        try:
            call(forest, {name: value})
        except wald.WaldError as refusal:
            # Some are of other measures, but all are known.
            assert "has no argument" not in str(refusal), name
