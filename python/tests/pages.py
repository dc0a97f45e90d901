"""Examples of pages: commands and Python code are run, and what they print is put beside what the
page shows.

A block of ``console`` holds commands after ``$ ``, each followed by what it prints. What a block of
``python`` prints stands in the block of ``text`` right after it; without one, it is not compared.
"""

import contextlib
import importlib.util
import io
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def gallery():
    """The script that draws the pictures of the pages."""
    spec = importlib.util.spec_from_file_location("gallery", ROOT / "docs" / "gallery.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def command():
    """The program `wald`: the one in ``WALD``, else one that was built in the usual place."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    places = [Path(os.environ["WALD"])] if "WALD" in os.environ else [
        target / profile / "wald" for profile in ("release", "debug")]
    found = next((place for place in places if place.is_file()), None)
    assert found, f"no program at {places}: run `cargo build -p wald-cli`, or set WALD to it"
    return found


def written(text, folder):
    """The page as it would be if all examples printed what it shows.

    Examples run in ``folder``, which gets the tables of the repository and the program.
    """
    (folder / "data").symlink_to(ROOT / "data")
    blocks = list(BLOCK.finditer(text))
    names, pieces, done = {}, [], 0
    with contextlib.chdir(folder):
        for at, block in enumerate(blocks):
            if block["kind"] == "console":
                body = console(block["body"])
            elif block["kind"] == "python":
                printed = python(block["body"], names)
                after = blocks[at + 1] if at + 1 < len(blocks) else None
                is_shown = after and after["kind"] == "text" and (
                    not text[block.end():after.start()].strip())
                if not is_shown:
                    continue
                block, body = after, printed
            else:
                continue
            pieces += [text[done:block.start("body")], body]
            done = block.end("body")
    return "".join(pieces) + text[done:]


def console(body):
    """Commands, each with what it prints on both streams."""
    program = command()
    bin_folder = Path("bin")
    bin_folder.mkdir(exist_ok=True)
    if not (bin_folder / "wald").exists():
        (bin_folder / "wald").symlink_to(program.resolve())
    found = []
    for line in body.splitlines():
        if not line.startswith("$ "):
            continue
        environment = {**os.environ, "PATH": f"{bin_folder.resolve()}:{os.environ['PATH']}"}
        ran = subprocess.run(line[2:], shell=True, check=False, text=True, env=environment,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert ran.returncode == 0, f"{line}\n{ran.stdout}"
        found.append(f"{line}\n{trimmed(ran.stdout)}")
    return "\n".join(found)


def python(body, names):
    """What the code prints."""
    import matplotlib

    matplotlib.use("Agg")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(body, names)
    return trimmed(printed.getvalue())


def trimmed(text):
    """Without blanks at the ends of lines."""
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())
