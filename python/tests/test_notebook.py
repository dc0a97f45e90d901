"""The notebook shows what it shows when it is run again."""

import json

import nbformat
import notebook


def test_the_notebook_shows_the_same_when_run_again():
    saved = nbformat.read(notebook.PATH, as_version=4)
    found = notebook.executed()
    n_pictures = 0
    for before, after in zip(saved.cells, found.cells, strict=True):
        if before.cell_type == "code":
            assert before.execution_count == after.execution_count
            assert notebook.shown(before) == notebook.shown(after), before.source
            n_pictures += len(notebook.shown(before)[1])
    assert n_pictures >= 6


def test_the_notebook_is_small_and_names_no_machine():
    text = notebook.PATH.read_text()
    assert len(text) < 500_000
    assert notebook.nbformat.validate(nbformat.reads(text, as_version=4)) is None
    saved = json.loads(text)
    assert saved["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"}}
    without_pictures = [notebook.shown(cell)[0] for cell in saved_cells(saved)]
    for place in ("/tmp", "/home", "/root", "/usr"):
        assert not any(place in shown for shown in without_pictures)


def saved_cells(saved):
    return nbformat.reads(json.dumps(saved), as_version=4).cells
