"""The notebook of the documentation: executed, and what it shows.

    python notebook.py    executes it and stores what it shows
"""

import base64
import os
import re

import nbformat
import pages
from nbclient import NotebookClient

PATH = pages.ROOT / "docs" / "wald.ipynb"


def executed():
    """The notebook, run from its beginning in its own folder."""
    notebook = nbformat.read(PATH, as_version=4)
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    client = NotebookClient(notebook, timeout=600, kernel_name="python3",
                            resources={"metadata": {"path": str(PATH.parent)}},
                            record_timing=False)
    client.execute()
    for cell in notebook.cells:
        if "outputs" in cell:
            cell.outputs = [without_place(output) for output in cell.outputs
                            if not is_cleared(output)]
    # What the kernel reports of itself differs from machine to machine.
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def is_cleared(output):
    """Whether this was a bar of progress, which is there if work takes its time."""
    return output.get("data", {}).get("text/html") == ""


def without_place(output):
    """The output with warnings that do not name the kernel's temporary file."""
    if output.output_type == "stream" and output.name == "stderr":
        output.text = re.sub(r"^\S+:\d+: (\w+: .*)\n.*\n", r"\1\n", output.text, flags=re.MULTILINE)
    return output


def shown(cell):
    """The texts that a cell shows, and which kinds of pictures."""
    texts, pictures = [], []
    for output in cell.get("outputs", []):
        texts.append(output.get("text", output.get("data", {}).get("text/plain", "")))
        pictures += [kind for kind in output.get("data", {}) if kind.startswith("image/")]
    return "".join(texts), pictures


def lightened(notebook):
    """The notebook with pictures of few colours, which take less room."""
    smaller = pages.gallery().with_few_colours
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                picture = smaller(base64.b64decode(data["image/png"]))
                data["image/png"] = base64.b64encode(picture).decode()
    return notebook


if __name__ == "__main__":
    nbformat.write(lightened(executed()), PATH)
