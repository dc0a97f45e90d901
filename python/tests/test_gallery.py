"""The pictures of the documentation can be drawn, and nothing in them is cut."""

import io

import matplotlib
import pages
import pytest
from PIL import Image

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

DOCS = pages.ROOT / "docs"


GALLERY = pages.gallery()


@pytest.mark.parametrize("name", GALLERY.PICTURES)
def test_pictures_are_drawn(name):
    figure = GALLERY.PICTURES[name](trees=8)
    figure.canvas.draw()
    drawn = figure.get_tightbbox(figure.canvas.get_renderer())
    width, height = figure.get_size_inches()
    assert drawn.x0 >= 0.0 and drawn.y0 >= 0.0 and drawn.x1 <= width and drawn.y1 <= height
    with Image.open(io.BytesIO(GALLERY.small(figure))) as picture:
        assert picture.format == "PNG" and picture.width > 300
    plt.close("all")


def test_pictures_are_there_small_and_shown():
    there = {path.stem: path for path in GALLERY.FOLDER.iterdir()}
    assert there.keys() == GALLERY.PICTURES.keys()
    shown = "".join(path.read_text() for path in DOCS.rglob("*.md"))
    for name, path in there.items():
        assert path.stat().st_size < 60_000, name
        assert f"images/gallery/{name}.png" in shown, name
