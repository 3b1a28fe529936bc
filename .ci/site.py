"""What mkdocs does with a page before it reads it.

Sessions of Python are marked as such: tests run the pages as doctests, which write an empty line of
output as `<BLANKLINE>`.  The tables of the API become its entries, long tables of rows are filled
in, and a public name in code font links to its entry.

A page is read as plain Markdown, too, where the indented blocks of a tab would be code.  So a tab
is written as a part with a heading of level 3, between `<!-- tabs -->` and `<!-- end tabs -->`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

_BLOCK = re.compile(r"^```py(?:thon)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TABS = re.compile(r"^<!-- tabs -->\n(.*?)^<!-- end tabs -->$", re.MULTILINE | re.DOTALL)
_TAB = re.compile(r"^### (.+)\n", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Return *config*, in which a link to the heading of a tab leads to the tab."""
    from pymdownx.slugs import slugify

    config["mdx_configs"]["pymdownx.tabbed"]["slugify"] = slugify(case="lower")
    return config


def on_startup(**_: Any) -> None:
    """Tell where modules of the checkout are: `mkdocs` is a command, and looks elsewhere."""
    sys.path[:0] = [str(HERE.parent), str(HERE)]


def on_page_markdown(markdown: str, page: Any = None, **_: Any) -> str:
    """Return *markdown* as the site shows it."""
    if page is not None:
        markdown = _filled(markdown, page.file.src_uri)
    return _TABS.sub(_tabbed, _BLOCK.sub(_shown, markdown))


def _filled(markdown: str, uri: str) -> str:
    import reference

    from tests import site_tables

    markdown = site_tables.filled(markdown)
    if uri == "reference/api.md":
        markdown = reference.with_entries(markdown)
    return str(reference.linked(markdown, uri))


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
