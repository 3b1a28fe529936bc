"""What mkdocs does with a page before it reads it.

Sessions of Python are marked as such: tests run the pages as doctests, which write an empty line of
output as `<BLANKLINE>`.  The tables of the API become its entries, long tables of rows are filled
in, and a public name in code font links to its entry.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

_BLOCK = re.compile(r"^```py(?:thon)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def on_startup(**_: Any) -> None:
    """Tell where modules of the checkout are: `mkdocs` is a command, and looks elsewhere."""
    sys.path[:0] = [str(HERE.parent), str(HERE)]


def on_page_markdown(markdown: str, page: Any = None, **_: Any) -> str:
    """Return *markdown* as the site shows it."""
    if page is not None:
        markdown = _filled(markdown, page.file.src_uri)
    return _BLOCK.sub(_shown, markdown)


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
