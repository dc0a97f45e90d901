"""Progress of long work, in a terminal or a notebook."""

from __future__ import annotations

import html
import sys
import time
from importlib import import_module
from typing import Any

from wald.errors import SettingError
from wald.typing import Progress

# Shorter work shows nothing.
PATIENCE = 1.0

# Seconds between pictures of the bar.
PAUSE = 0.1


def progress_of(wanted: bool | Progress | None, doing: str) -> Progress | None:
    """The function that receives progress; ``None`` where nobody looks."""
    if callable(wanted):
        return wanted
    if wanted is not None and not isinstance(wanted, bool):
        raise SettingError(f"progress is {wanted!r}", setting="progress",
                           help="give True, False or a function")
    if wanted is False:
        return None
    if _is_notebook():
        return Notebook(doing)
    return Terminal(doing) if wanted or sys.stderr.isatty() else None


class Terminal:
    """A bar on one line of standard error, redrawn, and removed when the work is over."""

    def __init__(self, doing: str) -> None:
        self.doing, self.start, self.last, self.is_shown = doing, time.monotonic(), 0.0, False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        elapsed = now - self.start
        if total > 0 and done >= total:
            self.close()
            return
        if elapsed < PATIENCE or now - self.last < PAUSE or not total:
            return
        self.last = now
        self.is_shown = True
        left = f"{elapsed * (total / done - 1):.0f} s left" if done > 0 else ""
        self.draw(done, total, left)

    def close(self) -> None:
        """Removes the bar, also after work that failed or was interrupted."""
        if self.is_shown:
            self.is_shown = False
            self.show("")

    def draw(self, done: int, total: int, left: str) -> None:
        bar = "#" * round(30 * done / total)
        self.show(f"{self.doing}  [{bar:<30}] {done}/{total}  {left}")

    def show(self, text: str) -> None:
        print(f"\r\x1b[2K{text}", end="", file=sys.stderr, flush=True)


class Notebook(Terminal):
    """A bar in an output of the cell that runs, which the browser draws."""

    handle: Any = None

    def draw(self, done: int, total: int, left: str) -> None:
        self.show(f'{html.escape(self.doing)} <progress value="{done}" max="{total}"></progress> '
                  f"{done}/{total} {left}")

    def show(self, text: str) -> None:
        # It has no types, and is installed with notebooks only.
        shown: Any = import_module("IPython.display")
        page = shown.HTML(text)
        if self.handle is None:
            self.handle = shown.display(page, display_id=True)
        else:
            self.handle.update(page)


def _is_notebook() -> bool:
    """Whether a kernel runs this, with a notebook as its front end."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")
