"""The tables of `docs/reference/limits.md`.

    python -m tests.limits_page

writes them anew, each between its mark and `<!-- end -->`: the limits from `typesig.limits` and the
modules beside it, the growth from the rows of `tests.growth_entries`.  A test compares.  The site also
shows what the comments of these modules say, see `tests.site_tables`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from tests.growth_entries import ENTRIES, PRODUCTS
from typesig import limits
from typesig.limits import calls, contracts, engines, network, programs

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "limits.md"

#: The modules of limits, in the order of the page.
MODULES: tuple[ModuleType, ...] = (
    limits,
    network,
    calls,
    contracts,
    engines,
    programs,
)

_ENTRY = re.compile(
    r"^# -- (?P<heading>.+)\n|(?P<comment>(?:^#: .*\n)+)(?P<name>[A-Z][A-Z0-9_]*) = ", re.MULTILINE
)
_MARKED = re.compile(r"(<!-- (limits|growth) -->\n).*?(<!-- end -->)", re.DOTALL)


def entries() -> Iterator[tuple[str, str, int, str, str]]:
    """Yield the heading, name, value, count and consequence of each limit."""
    for module in MODULES:
        yield from _entries_of(module)


def _entries_of(module: ModuleType) -> Iterator[tuple[str, str, int, str, str]]:
    heading = ""
    for found in _ENTRY.finditer(Path(str(module.__file__)).read_text(encoding="utf-8")):
        if found["heading"]:
            heading = found["heading"]
            continue
        comment = " ".join(line[3:] for line in found["comment"].splitlines())
        counts, _, beyond = comment.partition(". ")
        yield heading, found["name"], getattr(module, found["name"]), counts, beyond.strip(". ")


def tables() -> str:
    """Return the tables of the site, which tell what each limit counts."""
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


def values() -> str:
    """Return the table of the page: the names and values of each group."""
    together: dict[str, list[str]] = {}
    for heading, name, value, _, _ in entries():
        together.setdefault(heading, []).append(f"`{name}` {value:,}")
    rows = "".join(
        f'| <a id="{_slug(heading)}"></a>{heading} | {", ".join(each)} |\n'
        for heading, each in together.items()
    )
    return f"| about | limits |\n|---|---|\n{rows}\n"


def _slug(heading: str) -> str:
    """Return what a link to the heading of the site names."""
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")


def products() -> str:
    """Return the table of what grows with more than what is given."""
    rows = "".join(f"| {what} | {of_what} |\n" for what, of_what in PRODUCTS.items())
    return f"| work | grows with |\n|---|---|\n{rows}\n"


def growth() -> str:
    """Return the table of the site: what the work of each public entry is linear in."""
    together: dict[str, list[str]] = {}
    for name, entry in ENTRIES.items():
        together.setdefault(entry.linear_in, []).append(f"`{name}`")
    rows = "".join(f"| {what} | {', '.join(names)} |\n" for what, names in together.items())
    return f"| work grows with | of |\n|---|---|\n{rows}\n"


def page(text: str) -> str:
    """Return the *text* of the page with its tables written anew."""
    made = {"limits": values, "growth": products}
    return _MARKED.sub(lambda found: f"{found[1]}\n{made[found[2]]()}{found[3]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
