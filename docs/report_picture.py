"""Takes the picture of a report page that README.md shows.

    wald report data/breast_cancer.csv --target benign --output docs/example-report.html
    python docs/report_picture.py docs/example-report.html docs/images/report.png

Needs Debian's `chromium` (or the path of another one in CHROMIUM) and the packages of
`tests/browser/requirements.txt`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

# What a reader sees first, in the pixels of an ordinary screen, and a little below.
WINDOW = {"width": 1280, "height": 1480}


def main(page: Path, picture: Path) -> None:
    """Opens the page and writes what is in the window."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        window = chromium.new_page(viewport=WINDOW, color_scheme="light")
        window.goto(page.resolve().as_uri())
        window.screenshot(path=picture)
        chromium.close()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
