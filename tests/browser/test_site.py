"""The site made of docs/, as WALD_SITE names it: widths, requests, search, and obstacles to readers."""

import os
import re
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import pytest

# The entry, a tutorial with wide output, and a page of wide tables.
PAGES = ["", "tutorials/loans/", "choosing/"]

DOCS = Path(__file__).parents[2] / "docs"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and writes no log."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    """Where the site is served: search needs a server."""
    folder = Path(os.environ.get("WALD_SITE", ""))
    if not (folder / "index.html").is_file():
        pytest.fail("WALD_SITE does not name the folder of the site; `cargo xtask site` builds it")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def open_page(browser, address):
    """Opens a page in a fresh context; fails if it asks another server or misses a file."""

    @contextmanager
    def open_page(name, width, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page = context.new_page()
        page.set_default_timeout(20_000)
        misdeeds = []

        def answered(response):
            if response.status >= 400:
                misdeeds.append(f"{response.status}: {response.url}")

        def asked(request):
            if not request.url.startswith((address, "data:", "blob:")):
                misdeeds.append(f"request: {request.url}")

        page.on("response", answered)
        page.on("request", asked)
        page.on("pageerror", lambda error: misdeeds.append(f"error: {error}"))
        page.goto(address + name)
        try:
            yield page
            assert not misdeeds, misdeeds
        finally:
            context.close()

    return open_page


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wider_than_the_screen(open_page, name):
    with open_page(name, 1280) as page:
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_output_fits_a_laptop(open_page):
    """A line of a hundred columns, the most that commands print, needs no scrolling."""
    with open_page("tutorials/loans/", 1280) as page:
        room, columns = page.evaluate("""() => {
          const block = document.querySelector('pre code');
          const style = getComputedStyle(block);
          const ink = document.createElement('canvas').getContext('2d');
          ink.font = `${style.fontSize} ${style.fontFamily}`;
          const inside = block.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
          return [inside, ink.measureText('m'.repeat(100)).width];
        }""")
        assert columns <= room


def test_search_finds_pages(open_page):
    with open_page("", 1280) as page:
        page.locator("input[name=query]").fill("borehole")
        page.locator(".md-search-result__link").first.wait_for()
        assert "tutorials/simulator/" in page.locator(".md-search-result__link").first.get_attribute("href")


def obstacles(page, axe, checks):
    """What the rules find. The theme's buttons that copy a block are left out: there are many, and none has a
    name of its own."""
    page.evaluate(axe)
    return page.evaluate("""async (checks) => {
      const found = [];
      for (const [include, options] of checks) {
        const rules = await axe.run({ include, exclude: ['.md-code__nav'] }, options);
        for (const rule of rules.violations) {
          found.push([rule.id, rule.nodes.map((node) => node.html).slice(0, 3)]);
        }
      }
      return found;
    }""", checks)


@pytest.mark.parametrize(("name", "scheme"), [
    *((name, "light") for name in PAGES),
    # Blocks of output, and of Python with comments.
    *((name, "dark") for name in ("tutorials/loans/", "foreign-forests/")),
])
def test_no_obstacles(open_page, axe, name, scheme):
    with open_page(name, 1280, scheme) as page:
        assert obstacles(page, axe, [["html", {}]]) == []


@pytest.mark.parametrize("name", ["python/", "measures/"])
def test_no_obstacles_on_a_phone(open_page, axe, name):
    """There tables scroll that do not on wider screens."""
    with open_page(name, 390) as page:
        assert obstacles(page, axe, [["html", {}]]) == []


def test_headings_and_headers_of_every_page(address):
    """What differs from page to page, and takes the browser a second for each: no level of headings is left
    out, and no header of a table is without text."""
    site = Path(os.environ["WALD_SITE"])
    pages = [path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")]
    assert len(pages) > 30
    for name in pages:
        html = (site / ("" if name == "README" else name) / "index.html").read_text()
        article = html[html.index("<article"):html.index("</article")]
        levels = [int(level) for level in re.findall(r"<h([1-6])\b", article)]
        assert levels[0] == 1 and all(b <= a + 1 for a, b in pairwise(levels)), (name, levels)
        assert not re.search(r"<th\b[^>]*>\s*</th>", article), name


def test_wide_tables_scroll_by_the_keyboard(open_page):
    """A table is a stop, named after its heading, while it is wider than the page."""
    with open_page("choosing/", 390) as page:
        frames = page.locator(".md-typeset__scrollwrap[tabindex]")
        frames.first.wait_for()
        assert frames.first.get_attribute("aria-label").startswith("Table: ")
        frames.first.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.activeElement.scrollLeft > 0")
        page.set_viewport_size({"width": 2000, "height": 900})
        frames.first.wait_for(state="detached")
