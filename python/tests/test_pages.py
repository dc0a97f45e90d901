"""What pages show is what their examples print, and their links lead somewhere."""

import os
import re

import pages
import pytest

DOCS = pages.ROOT / "docs"
WITH_EXAMPLES = sorted(
    str(path.relative_to(pages.ROOT)) for path in [pages.ROOT / "README.md", *DOCS.rglob("*.md")]
    if re.search(r"^```(console|python)$", path.read_text(), re.MULTILINE))


TUTORIALS = ["genes", "lightgbm", "loans", "papers", "simulator"]


def test_pages_have_examples():
    assert {"README.md", "docs/choosing.md", "docs/foreign-forests.md", "docs/getting-started.md",
            "docs/python.md", "docs/measures/projection.md",
            *(f"docs/tutorials/{name}.md" for name in TUTORIALS)} <= set(WITH_EXAMPLES)


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_examples(page, tmp_path):
    """With ``WALD_WRITE_DOCS=1`` the page is written anew."""
    path = pages.ROOT / page
    shown = path.read_text()
    found = pages.written(shown, tmp_path)
    if os.environ.get("WALD_WRITE_DOCS") == "1":
        path.write_text(found)
    else:
        assert shown == found


PAGES = sorted(path for path in pages.ROOT.rglob("*.md")
               if not {"target", ".pytest_cache"} & set(path.relative_to(pages.ROOT).parts))


def anchors(page):
    """Names of the headings of a page, as links know them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).strip().replace(" ", "-") for heading in plain}


def test_links_lead_somewhere():
    lost, n_links = [], 0
    for page in PAGES:
        prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)\s]+)\)", prose):
            if re.match(r"[a-z]+:", link):
                continue
            n_links += 1
            name, _, heading = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.exists() or (heading and heading not in anchors(target)):
                lost.append(f"{page.relative_to(pages.ROOT)}: {link}")
    assert n_links > 50
    assert lost == []


def test_pages_open_with_what_they_are_for():
    openings = {str(path.relative_to(DOCS)): path.read_text().split("\n\n")[1]
                for path in DOCS.rglob("*.md")}
    lost = [name for name, opening in openings.items()
            if not re.match(r"This (page|tutorial) ", opening)]
    assert lost == []


def test_the_entry_names_every_page():
    entry = (DOCS / "README.md").read_text()
    for path in [*DOCS.rglob("*.md"), *DOCS.glob("*.ipynb")]:
        name = str(path.relative_to(DOCS))
        assert name == "README.md" or f"]({name})" in entry, name
