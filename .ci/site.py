"""What mkdocs does with a page before it reads it: it marks sessions of Python as such.

Tests run the pages as doctests, which write an empty line of output as `<BLANKLINE>`.
"""

from __future__ import annotations

import re
from typing import Any

_BLOCK = re.compile(r"^```py(?:thon)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return *markdown* with its sessions marked as such, and their empty lines empty."""
    return _BLOCK.sub(_shown, markdown)


def _shown(block: re.Match[str]) -> str:
    if not block[1].startswith(">>>"):
        return block[0]
    lines = block[1].replace("<BLANKLINE>\n", "\n")
    return f"```pycon\n{lines}```"
