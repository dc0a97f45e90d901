"""Hooks of mkdocs: what differs between the site and the pages as the repository shows them.

Links that leave docs/ (to sources, data, the architecture) and notebooks, which a browser does not show,
lead to the repository. A link to a file that does not exist stays as it is, so that the strict build
reports it. Pages of several titles get one, because the table of contents lists what is below the first.
Cells of a table's header without text are no headers, which screen readers would announce without a name.
"""

import posixpath
import re
from pathlib import Path

LINK = re.compile(r"(\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ ", re.MULTILINE)
TITLE = re.compile(r"^# ", re.MULTILINE)
EMPTY_HEADER = re.compile(r"<th( [^>]*)?></th>")
EMPTY_HEAD = re.compile(r"<thead>\s*<tr>\s*(?:<th(?: [^>]*)?></th>\s*)+</tr>\s*</thead>\s*")
ROOT = Path(__file__).parents[1]


def on_page_markdown(markdown, page, config, files):
    """The page as the site shows it."""
    folder = posixpath.dirname("docs/" + page.file.src_uri)

    def adapted(prose):
        return LINK.sub(lambda link: (
            link[1] + in_repository(link[2], folder, config.repo_url) + link[3]), prose)

    return with_one_title(outside_of_blocks(markdown, adapted))


def on_page_content(html, page, config, files):
    """The page without headers that have no text."""
    return EMPTY_HEADER.sub(r"<td\1></td>", EMPTY_HEAD.sub("", html))


def on_post_page(output, page, config):
    """The page with a name for the search, which the theme leaves without one."""
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">')


def outside_of_blocks(markdown, change):
    """The page with its prose changed, and blocks of code as they are."""
    pieces, done = [], 0
    for block in FENCE.finditer(markdown):
        pieces += [change(markdown[done:block.start()]), block[0]]
        done = block.end()
    return "".join(pieces) + change(markdown[done:])


def in_repository(link, folder, repository):
    """The address of what the site does not show; any other link unchanged."""
    name, hash_mark, heading = link.partition("#")
    if not name or re.match(r"[a-z]+:", name):
        return link
    path = posixpath.normpath(posixpath.join(folder, name))
    is_shown = path.startswith("docs/") and not path.endswith(".ipynb")
    if is_shown or not (ROOT / path).exists():
        return link
    kind = "tree" if (ROOT / path).is_dir() else "blob"
    return f"{repository}/{kind}/main/{path}{hash_mark}{heading}"


def with_one_title(markdown):
    """The page with its titles but the first, and the headings below them, one level lower. What is below
    the first title stays as it is, so that no level is left out."""
    first, depth = True, 0

    def lowered(heading):
        nonlocal first, depth
        if TITLE.match(heading[0]):
            depth, first = (0 if first else 1), False
        return "#" * depth + heading[0]

    return outside_of_blocks(markdown, lambda prose: HEADING.sub(lowered, prose))
