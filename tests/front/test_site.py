"""The hooks of the site: what differs from the pages as the repository shows them."""

import importlib.util
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
REPOSITORY = "https://example.org/forest"


def load():
    """The module of hooks."""
    spec = importlib.util.spec_from_file_location("hooks", ROOT / "site" / "hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("link", "expected"), [
    ("choosing.md#4-one-row", "choosing.md#4-one-row"),
    ("#masking", "#masking"),
    ("https://doi.org/10.24432/C5DW2B", "https://doi.org/10.24432/C5DW2B"),
    ("../ARCHITECTURE.md#map", f"{REPOSITORY}/blob/main/ARCHITECTURE.md#map"),
    ("../bench", f"{REPOSITORY}/tree/main/bench"),
    ("wald.ipynb", f"{REPOSITORY}/blob/main/docs/wald.ipynb"),
    ("../no-such-file", "../no-such-file"),
])
def test_links(link, expected):
    assert load().in_repository(link, "docs", REPOSITORY) == expected


def test_one_title_and_code_as_it_is():
    page = "# One\n\n## Part\n\n```sh\n# a comment\n```\n\n# Two\n\n## Part\n"
    expected = "# One\n\n## Part\n\n```sh\n# a comment\n```\n\n## Two\n\n### Part\n"
    assert load().with_one_title(page) == expected
    assert load().with_one_title("# One\n\n```sh\n# a comment\n```\n") == "# One\n\n```sh\n# a comment\n```\n"


def test_headers_say_something():
    hooks = load()

    def adapted(html):
        return hooks.on_page_content(html, None, None, None)

    rows = "<tbody>\n<tr>\n<td></td>\n</tr>\n</tbody>"
    head = "<thead>\n<tr>\n{}\n<th>of</th>\n</tr>\n</thead>\n"
    assert adapted(head.format('<th style="text-align: right;"></th>') + rows) == (
        head.format('<td style="text-align: right;"></td>') + rows)
    assert adapted("<thead>\n<tr>\n<th></th>\n<th></th>\n</tr>\n</thead>\n" + rows) == rows


def test_the_menu_has_every_page():
    lines = (ROOT / "site" / "mkdocs.yml").read_text().split("\nnav:\n")[1]
    menu = {page for section in yaml.safe_load(lines) for entry in section.values()
            for page in ([entry] if isinstance(entry, str) else [one for item in entry for one in item.values()])}
    docs = ROOT / "docs"
    assert menu == {str(path.relative_to(docs)) for path in docs.rglob("*.md")}
