"""What mkdocs does with a page before it reads it.

Sessions of Python are marked as such: tests run the pages as doctests, which write an empty line of
output as `<BLANKLINE>`.  The tables of the API become its entries, long tables of rows are filled
in, and a public name in code font links to its entry.

The button beside a session copies its code, without prompts and output.  A search also finds a page
by the words that mkdocs.yml gives it.

A picture `NAME-light.svg` is followed by its twin for dark pages.  Long tables are closed.

A page is read as plain Markdown, too, where the indented blocks of a tab would be code.  So a tab
is written as a part with a heading of level 3, between `<!-- tabs -->` and `<!-- end tabs -->`.
"""

from __future__ import annotations

import html
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

#: Tables with as many rows are closed.
LONG = 25

_BLOCK = re.compile(r"^```py(?:thon)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TABS = re.compile(r"^<!-- tabs -->\n(.*?)^<!-- end tabs -->$", re.MULTILINE | re.DOTALL)
_SESSION = re.compile(r'<div class="language-pycon highlight">(?P<shown>.*?)</div>', re.DOTALL)
_TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
_PICTURE = re.compile(r"^!\[([^]]*)\]\(([\w./-]+)-light\.svg\)$", re.MULTILINE)
_MARKUP = re.compile(r"<[^>]*>")
_TAB = re.compile(r"^### (.+)\n", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Return *config*, in which a link to the heading of a tab leads to the tab.

    A link to the repository is at the top of each page if one is configured: by the environment,
    as a workflow has it, since a copy of the project has another.
    """
    from pymdownx.slugs import slugify

    config["mdx_configs"]["pymdownx.tabbed"]["slugify"] = slugify(case="lower")
    repository = repository_url(os.environ)
    if repository:
        config["repo_url"] = repository
        config["repo_name"] = repository.rpartition("/")[2]
    return config


def repository_url(environment: Mapping[str, str]) -> str:
    """Address of the repository: TYPESIG_REPOSITORY, or that of the workflow, or empty."""
    if "TYPESIG_REPOSITORY" in environment:
        return environment["TYPESIG_REPOSITORY"]
    server, name = environment.get("GITHUB_SERVER_URL"), environment.get("GITHUB_REPOSITORY")
    return f"{server}/{name}" if server and name else ""


def on_startup(**_: Any) -> None:
    """Tell where modules of the checkout are: `mkdocs` is a command, and looks elsewhere."""
    sys.path[:0] = [str(HERE.parent), str(HERE)]


def on_page_markdown(markdown: str, page: Any = None, config: Any = None, **_: Any) -> str:
    """Return *markdown* as the site shows it."""
    if page is not None:
        words = config["extra"]["keywords"].get(page.file.src_uri) if config else None
        if words:
            page.meta["tags"] = words  # the search reads them; no page shows them
        markdown = _filled(markdown, page.file.src_uri)
    markdown = _PICTURE.sub(
        r"![\1](\2-light.svg#only-light)\n![\1](\2-dark.svg#only-dark)", markdown
    )
    return _TABS.sub(_tabbed, _BLOCK.sub(_shown, markdown))


def on_page_content(html: str, **_: Any) -> str:
    """Return the *html* of a page, whose sessions have the code that a button copies."""
    return _SESSION.sub(_copied, html)


def _copied(found: re.Match[str]) -> str:
    text = html.unescape(_MARKUP.sub("", found["shown"]))
    code = html.escape(code_of_session(text)).replace("\n", "&#10;")
    return f'<div class="language-pycon highlight" data-copy="{code}">{found["shown"]}</div>'


def code_of_session(text: str) -> str:
    """The code of a session of Python, without prompts and output.

    >>> code_of_session(">>> f(\\n...     1)\\n2\\n>>> x = 3")
    'f(\\n    1)\\nx = 3'
    """
    lines = [line[4:] for line in text.splitlines() if re.match(r"(?:>>>|\.\.\.)(?: |$)", line)]
    return "\n".join(lines)


def _filled(markdown: str, uri: str) -> str:
    import reference

    from tests import site_tables

    markdown = site_tables.filled(markdown, folded)
    if uri == "reference/api.md":
        markdown = reference.with_entries(markdown)
    return str(reference.linked(markdown, uri))


def folded(markdown: str) -> str:
    """Return *markdown*, in which long tables are closed behind the number of their rows."""
    return _TABLE.sub(_folded, markdown)


def _folded(table: re.Match[str]) -> str:
    rows = table[0].count("\n") - 2
    if rows < LONG:
        return table[0]
    head = f'<details class="long-table" markdown="1"><summary>Show {rows:,} rows</summary>'
    return f"{head}\n\n{table[0]}\n</details>\n"


def _shown(block: re.Match[str]) -> str:
    if not block[1].startswith(">>>"):
        return block[0]
    lines = block[1].replace("<BLANKLINE>\n", "\n")
    return f"```pycon\n{lines}```"


def _tabbed(found: re.Match[str]) -> str:
    _, *parts = _TAB.split(found[1])
    tabs = zip(parts[::2], parts[1::2], strict=True)
    return "\n\n".join(f'=== "{title}"\n\n{_indented(text.strip())}' for title, text in tabs)


def _indented(text: str) -> str:
    return re.sub(r"^(?=.)", "    ", text, flags=re.MULTILINE)
