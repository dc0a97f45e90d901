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

# An ordinary screen, and how much of the table of the answer is shown.
WINDOW = {"width": 1280, "height": 900}
HEIGHT = 545


def main(page: Path, picture: Path) -> None:
    """Opens the page and writes where the table of the answer begins."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        window = chromium.new_page(viewport=WINDOW, color_scheme="light")
        window.goto(page.resolve().as_uri())
        table = window.locator("#shares").bounding_box()
        assert table is not None, "there is no such table"
        beside = 24
        clip = {"x": table["x"] - beside, "y": table["y"] - 12, "height": HEIGHT,
                "width": table["width"] + 2 * beside}
        window.screenshot(path=picture, clip=clip, full_page=True)
        chromium.close()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
