"""The table of `docs/reference/dialects.md`.

    python -m tests.dialects_page

writes it anew from the rows of dialects, between `<!-- dialects -->` and `<!-- end -->`.  A test
compares.  The site shows the calls that each writes, and the results that it is told, and where that
is known from; see `tests.site_tables`.
"""

from __future__ import annotations

import re
from pathlib import Path

from typesig.providers.dialects.call_writer import write_calls, write_results
from typesig.providers.dialects.dialect import Dialect, Results, ToolListing
from typesig.providers.dialects.registry import DIALECTS, UNSUPPORTED

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "dialects.md"

_MARKED = re.compile(r"(<!-- dialects -->\n).*?(<!-- end -->)", re.DOTALL)
_CALLS = [("book", {"city": "Bern", "days": 2}), ("now", {})]
_REPLIES = [
    {"role": "tool", "name": "book", "content": "booked"},
    {"role": "tool", "name": "now", "content": "12:00"},
]


def families() -> str:
    """Return the tables of the page."""
    rows = [f"| `{row.name}` | {row.title} |" for row in DIALECTS.values()]
    others = [f"| {family} | {why} |" for family, why in UNSUPPORTED.items()]
    lines = ["| name | families |", "|---|---|", *rows, ""]
    lines += ["typesig does not read the calls of these families:", ""]
    lines += ["| family | why |", "|---|---|", *others]
    return "\n".join(lines) + "\n\n"


def table() -> str:
    """Return the table of the site, and examples of each dialect."""
    out = [
        "| name | families | reasoning | calls known from | tools from | results from |",
        "|---|---|---|---|---|---|",
    ]
    for row in DIALECTS.values():
        thoughts = ", ".join(_code("…".join(pair)) for pair in row.reasoning) or "none"
        cells = [row.source, _known(row.listing), _known(row.results)]
        cells = [each if each in _WORDS else _link(each) for each in cells]
        out.append(f"| `{row.name}` | {row.title} | {thoughts} | {' | '.join(cells)} |")
    out += ["", *[f"[{number}]: https://{_url(each)}" for number, each in enumerate(_sources(), 1)]]
    out += [_section(row) for row in DIALECTS.values()]
    return "\n".join(out) + "\n\n"


_WORDS = ("not known", "not confirmed")


def _known(part: ToolListing | Results | None) -> str:
    """Return where *part* is known from, or that it is not."""
    return "not known" if part is None else part.source or "not confirmed"


def _sources() -> list[str]:
    """Return the sources of all rows, each once."""
    rows = DIALECTS.values()
    found = [
        text for row in rows for text in (row.source, _known(row.listing), _known(row.results))
    ]
    return [each for each in dict.fromkeys(found) if each not in _WORDS]


def _link(source: str) -> str:
    return f"[{source.rpartition('/')[2]}][{_sources().index(source) + 1}]"


def _url(source: str) -> str:
    place, path = source.split(", ")
    return f"{place}/blob/HEAD/{path}"


def _section(row: Dialect) -> str:
    """Return an example of calls, and one of results."""
    text = f"\n### {row.name}\n\n````text\n{write_calls(_CALLS, row)}\n````"
    if row.results is None:
        return text
    replies = [
        {**each, "tool_call_id": row.ids.format(name=each["name"], index=index)}
        for index, each in enumerate(_REPLIES)
    ]
    return f"{text}\n\n````text\n{write_results(replies, row)}\n````"


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|").replace("\n", "")


def page(text: str) -> str:
    """Return the *text* of the page with its table written anew."""
    return _MARKED.sub(lambda found: f"{found[1]}\n{families()}{found[2]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
