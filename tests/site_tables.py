"""The tables that only the site shows: those of hundreds of rows, which a reader of one page skips.

    python -m tests.site_tables NAME

prints one as Markdown.  A page has, in its place, a block from `<!-- on the site: NAME -->` to
`<!-- end of NAME -->` that tells a reader of the repository where the rows are; `.ci/site.py` puts the table
there.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_BLOCK = re.compile(
    r"^<!-- on the site: (?P<name>\w+) -->\n.*?^<!-- end of (?P=name) -->$",
    re.MULTILINE | re.DOTALL,
)

#: The names of the tables.
NAMES = (
    "dialects",
    "growth",
    "limits",
    "peers",
    "ptc_runner",
    "refusals",
    "rules",
    "schemas",
    "shapes",
)


def table(name: str) -> str:
    """Return the table *name*; each is made when it is asked for, since some take long."""
    match name:
        case "rules":
            from tests import rules_page

            return rules_page.tables()
        case "limits" | "growth":
            from tests import limits_page

            return limits_page.tables() if name == "limits" else limits_page.growth()
        case "dialects":
            from tests import dialects_page

            return dialects_page.table()
        case "shapes":
            from tests.matrix import page as matrix

            return matrix.schemas()
        case "peers":
            return (_ROOT / "benchmarks" / "peers.md").read_text(encoding="utf-8")
        case _:
            from tests.type_table import page

            return page.table(name)


def names_in(text: str) -> list[str]:
    """Return the names of the tables that the site puts into *text*."""
    return [found["name"] for found in _BLOCK.finditer(text)]


def filled(text: str, write: Callable[[str], str] = str) -> str:
    """Return the *text* of a page with its tables, which *write* changes."""
    return _BLOCK.sub(lambda found: write(table(found["name"]).strip("\n") + "\n"), text)


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in NAMES:
        sys.stdout.write(table(sys.argv[1]) + "\n")
    else:
        sys.exit(f"usage: python -m tests.site_tables {'|'.join(NAMES)}")
