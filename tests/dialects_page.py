"""The table of `docs/reference/dialects.md`.

    python -m tests.dialects_page

writes it anew from the rows of dialects, between `<!-- dialects -->` and `<!-- end -->`, each with
the calls that it writes.  A test compares.
"""

from __future__ import annotations

import re
from pathlib import Path

from typesig.providers.dialects.rows import DIALECTS
from typesig.providers.dialects.writing import calls_text

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "dialects.md"

_MARKED = re.compile(r"(<!-- dialects -->\n).*?(<!-- end -->)", re.DOTALL)
_CALLS = [("book", {"city": "Bern", "days": 2}), ("now", {})]


def table() -> str:
    """Return the table, and an example of each dialect."""
    out = ["| name | families | reasoning | known from |", "|---|---|---|---|"]
    for row in DIALECTS.values():
        thoughts = ", ".join(_code("…".join(pair)) for pair in row.reasoning) or "none"
        out.append(f"| `{row.name}` | {row.title} | {thoughts} | {row.source} |")
    out += [
        f"\n### {row.name}\n\n````text\n{calls_text(_CALLS, row)}\n````"
        for row in DIALECTS.values()
    ]
    return "\n".join(out) + "\n\n"


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|").replace("\n", "")


def page(text: str) -> str:
    """Return the *text* of the page with its table written anew."""
    return _MARKED.sub(lambda found: f"{found[1]}\n{table()}{found[2]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
