"""Bars show where somebody looks: in a terminal or a notebook."""

import io
import sys
import types

import pytest

import wald
from wald import _progress
from wald._progress import progress_of

DATA = wald.simulate("friedman_1", rows=100, seed=1)


class Stream(io.StringIO):
    """Standard error, as a terminal or not."""

    def __init__(self, is_terminal):
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal


def attach(monkeypatch, stream):
    """Lets the bar see this as standard error; pytest would put its own back."""
    monkeypatch.setattr(_progress, "sys", types.SimpleNamespace(
        stderr=stream, modules=sys.modules))
    return stream


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    monkeypatch.setattr(_progress, "PAUSE", 0.0)


@pytest.fixture
def terminal(monkeypatch, impatient):
    return attach(monkeypatch, Stream(True))


class Shown:
    """What a notebook shows at one place: an IPython that records what it displays."""

    def __init__(self):
        self.words = []

    def update(self, html):
        self.words.append(html.data)


@pytest.fixture
def notebook(monkeypatch, impatient):
    """A fake IPython with a kernel; lists of what was shown, one for each display."""
    shown = []

    class HTML:
        def __init__(self, data):
            self.data = data

    def display(html, *, display_id):
        assert display_id is True
        shown.append(Shown())
        shown[-1].update(html)
        return shown[-1]

    package = types.ModuleType("IPython")
    package.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    package.display = types.ModuleType("IPython.display")
    package.display.HTML, package.display.display = HTML, display
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", package.display)
    attach(monkeypatch, Stream(False))
    return shown


def test_a_terminal_shows_one_line_and_clears_it(terminal):
    bar = progress_of(None, "growing trees")
    bar(0, 0)
    bar(0, 40)
    bar(10, 40)
    assert terminal.getvalue().count("\n") == 0
    last = terminal.getvalue().split("\r\x1b[2K")[-1]
    assert last.startswith("growing trees  [########                      ] 10/40  ")
    assert last.endswith("s left")
    bar(40, 40)
    assert terminal.getvalue().endswith("\r\x1b[2K")
    bar(40, 40)
    assert terminal.getvalue().count("\r\x1b[2K") == 3


def test_nobody_looks_nothing_shows(monkeypatch):
    attach(monkeypatch, Stream(False))
    assert progress_of(None, "growing") is None
    assert progress_of(False, "growing") is None
    assert progress_of(True, "growing") is not None
    assert progress_of(print, "growing") is print


def test_short_work_shows_nothing(monkeypatch):
    stream = attach(monkeypatch, Stream(True))
    wald.RandomForestRegressor(5).fit(DATA.inputs, DATA.target)
    assert stream.getvalue() == ""


def test_a_notebook_shows_a_bar_and_clears_it(notebook):
    bar = progress_of(None, "growing <trees>")
    for done in (10, 20, 40):
        bar(done, 40)
    (shown,) = notebook
    assert shown.words[0].startswith('growing &lt;trees&gt; <progress value="10" max="40">')
    assert "20/40" in shown.words[1] and shown.words[2:] == [""]


def test_work_in_a_notebook(notebook):
    forest = wald.RandomForestRegressor(50, n_jobs=1).fit(DATA.inputs, DATA.target)
    forest.importance("mda_breiman_cutler", permutations=100)
    assert notebook and all(shown.words[-1] == "" for shown in notebook)
    assert any(words.startswith("measuring mda_breiman_cutler <progress ")
               for shown in notebook for words in shown.words)
    before = len(notebook)
    forest.importance("mda_breiman_cutler", permutations=100, progress=False)
    assert len(notebook) == before


def test_work_that_stops_leaves_no_bar(terminal, monkeypatch):
    forest = wald.RandomForestRegressor(20).fit(DATA.inputs, DATA.target)
    draw = _progress.Terminal.draw

    def stop(self, *what):
        draw(self, *what)
        raise KeyboardInterrupt

    monkeypatch.setattr(_progress.Terminal, "draw", stop)
    with pytest.raises(KeyboardInterrupt):
        forest.importance("mda_breiman_cutler", permutations=100_000)
    assert "measuring mda_breiman_cutler" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[2K")


def test_a_shell_without_a_kernel_is_a_terminal(monkeypatch, notebook):
    sys.modules["IPython"].get_ipython = lambda: types.SimpleNamespace()
    assert progress_of(None, "growing") is None
    sys.modules["IPython"].get_ipython = lambda: None
    assert progress_of(None, "growing") is None
