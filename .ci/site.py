"""What mkdocs does with a page before it reads it: it marks sessions of Python, and makes tabs.

Tests run the pages as doctests, which write an empty line of output as `<BLANKLINE>`.

A page is read as plain Markdown, too, where the indented blocks of a tab would be code.  So a tab
is written as a part with a heading of level 3, between `<!-- tabs -->` and `<!-- end tabs -->`.
"""

from __future__ import annotations

import re
from typing import Any

_BLOCK = re.compile(r"^```py(?:thon)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TABS = re.compile(r"^<!-- tabs -->\n(.*?)^<!-- end tabs -->$", re.MULTILINE | re.DOTALL)
_TAB = re.compile(r"^### (.+)\n", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Return *config*, in which a link to the heading of a tab leads to the tab."""
    from pymdownx.slugs import slugify

    config["mdx_configs"]["pymdownx.tabbed"]["slugify"] = slugify(case="lower")
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return *markdown* with its sessions marked as such, their empty lines empty, and its tabs."""
    return _TABS.sub(_tabbed, _BLOCK.sub(_shown, markdown))


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
