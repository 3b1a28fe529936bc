"""The tables of `docs/reference/engines.md`.

    python -m tests.engines_page

writes them anew from the rows of engines, between `<!-- engines -->` or `<!-- enforced -->` and
`<!-- end -->`.  A test compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from typesig.notations.json_schema.keywords import BY_NAME
from typesig.providers.engines.engine import Engine
from typesig.providers.engines.registry import ENGINES
from typesig.providers.engines.scalars import PATTERNS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "engines.md"

_MARKED = re.compile(r"(<!-- (engines|enforced) -->\n).*?(<!-- end -->)", re.DOTALL)

_FORMS = {
    "json_schema": "JSON Schema",
    "structural_tag": "structural tag",
    "lark": "Lark",
    "regex": "regular expression",
    "gbnf": "GBNF",
}


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _engines() -> str:
    lines = [_row(["name", "an answer", "a text with calls", "known from"]), "|---|---|---|---|"]
    for name, row in ENGINES.items():
        answer, calls = _FORMS[row.syntax], _FORMS[row.calls]
        if name == "openai-grammar":
            answer, calls = f"{answer} or {_FORMS['regex']}", "a custom tool for each tool"
        lines.append(_row([f"`{name}`", answer, calls, row.source]))
    return "\n".join(lines)


def _formats(row: Engine) -> tuple[str, str]:
    """Return the formats that *row* enforces, and those that it lets more through for."""
    exact, loose = [], []
    for name in BY_NAME:
        own, beyond = PATTERNS.get(name, ("", ""))
        if row.enforces.formats.get(name) == "":
            exact.append(name)
        elif name in row.enforces.formats:
            loose.append(name)
        elif own and row.enforces.takes(own):
            (loose if beyond else exact).append(name)
    return ", ".join(exact), ", ".join(loose) or "none"


def _steps(row: Engine) -> str:
    enforced = row.enforces
    words = {"all": "all", "integers": "of integers", "none": "no"}[enforced.steps]
    return (
        words if enforced.bounded_steps or enforced.steps == "none" else f"{words}, without bounds"
    )


def _yes(held: bool) -> str:
    return "yes" if held else "no"


def _enforced() -> str:
    rows = {
        "lengths of texts": lambda e: (
            f"up to {e.enforces.raw_length}, without escapes" if e.enforces.raw_length else "yes"
        ),
        "patterns without assertions": lambda e: (
            "without escapes" if e.enforces.narrows("a") else "yes"
        ),
        "lengths beside a pattern": lambda e: _yes(e.enforces.lengths_beside),
        "several patterns": lambda e: _yes(e.enforces.many_patterns),
        "formats": lambda e: _formats(e)[0],
        "formats, loosely": lambda e: _formats(e)[1],
        "multiples": _steps,
        "keys by pattern beside others": lambda e: _yes(e.enforces.open_patterns),
        "keys that must not be there": lambda e: _yes(e.enforces.forbidden),
        "the greatest size": lambda e: f"{e.enforces.most_size:,}",
        "the greatest bound": lambda e: f"{float(e.enforces.most_bound):.0e}",
    }
    engines = list(ENGINES.values())
    lines = [_row(["", *[f"`{each.name}`" for each in engines]]), "|---|" + len(engines) * "---|"]
    lines += [_row([title, *map(cell, engines)]) for title, cell in rows.items()]
    return "\n".join(lines)


def page(text: str) -> str:
    """Return the *text* of the page with its tables written anew."""
    tables = {"engines": _engines, "enforced": _enforced}
    return _MARKED.sub(lambda found: f"{found[1]}\n{tables[found[2]]()}\n\n{found[3]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
