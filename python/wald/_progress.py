"""Progress of long work, in a terminal or a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

Progress = Callable[[int, int], None]

# Shorter work shows nothing.
PATIENCE = 1.0


def progress_of(wanted: bool | Progress | None, doing: str) -> Progress | None:
    """A function that is told of progress; ``None`` where nobody looks."""
    if callable(wanted):
        return wanted
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        return None
    return _Line(doing)


class _Line:
    """One line of the terminal that is written again and again."""

    def __init__(self, doing: str) -> None:
        self.doing = doing
        self.start = time.monotonic()
        self.last = 0.0
        self.is_shown = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        elapsed = now - self.start
        is_over = total > 0 and done >= total
        if is_over and self.is_shown:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)
            self.is_shown = False
            return
        if elapsed < PATIENCE or now - self.last < 0.1 or is_over or not total:
            return
        self.last = now
        self.is_shown = True
        share = done / total
        bar = "#" * round(30 * share)
        left = f"{elapsed / share - elapsed:.0f} s left" if share > 0 else ""
        print(f"\r\x1b[2K{self.doing}  [{bar:<30}] {done}/{total}  {left}",
              end="", file=sys.stderr, flush=True)
