"""The tables of `docs/reference/limits.md`, written from the comments of `typesig.limits`.

    python -m tests.limits_page

writes them anew, between the marks `<!-- limits -->` and `<!-- end -->`; a test compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from typesig import limits

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "limits.md"

_ENTRY = re.compile(
    r"^# -- (?P<heading>.+)\n|(?P<comment>(?:^#: .*\n)+)(?P<name>[A-Z][A-Z0-9_]*) = ", re.MULTILINE
)
_MARKED = re.compile(r"(<!-- limits -->\n).*?(<!-- end -->)", re.DOTALL)


def entries() -> Iterator[tuple[str, str, int, str, str]]:
    """Yield the heading, name, value, count and consequence of each limit."""
    heading = ""
    for found in _ENTRY.finditer(Path(limits.__file__).read_text(encoding="utf-8")):
        if found["heading"]:
            heading = found["heading"]
            continue
        comment = " ".join(line[3:] for line in found["comment"].splitlines())
        counts, _, beyond = comment.partition(". ")
        yield heading, found["name"], getattr(limits, found["name"]), counts, beyond.strip(". ")


def tables() -> str:
    """Return the tables of the page."""
    out: list[str] = []
    last = ""
    for heading, name, value, counts, beyond in entries():
        if heading != last:
            out.append(
                f"\n### {heading}\n\n| name | value | counts | beyond it |\n|---|---|---|---|"
            )
            last = heading
        out.append(f"| `{name}` | {value:,} | {_lowered(counts)} | {_lowered(beyond)} |")
    return "\n".join(out).lstrip("\n") + "\n\n"


def _lowered(sentence: str) -> str:
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]


def page(text: str) -> str:
    """Return the *text* of the page with its tables written anew."""
    return _MARKED.sub(lambda found: found[1] + "\n" + tables() + found[2], text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
