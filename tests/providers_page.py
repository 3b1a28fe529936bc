"""The tables of `docs/reference/providers.md`.

    python -m tests.providers_page

writes them anew, each between its mark and `<!-- end -->`: what becomes of types from projections
of `ROWS`, the limits from `typesig.providers.rows.limits`.  A test compares.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from typesig import Tool, tool
from typesig.providers.projection.advice import ADVICE
from typesig.providers.rows.limits import LIMITS
from typesig.providers.rows.profile import ProfileOptions, ProviderName

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "providers.md"

_MARKED = re.compile(r"(<!-- (losses|forms|limits|advice) -->\n).*?(<!-- end -->)", re.DOTALL)

PROFILES: list[tuple[str, ProviderName, ProfileOptions]] = [
    ("OpenAI", "openai", {}),
    ("OpenAI, strict", "openai", {"strict": True}),
    ("Anthropic", "anthropic", {}),
    ("Anthropic, strict", "anthropic", {"strict": True}),
    ("Gemini", "gemini", {}),
    ("Gemini, json", "gemini", {"api": "json"}),
    ("MCP", "mcp", {}),
]

_TREE = "where Tree = {v :int, kids [:Tree]}!"

#: What is said of a type, and a parameter of it.
ROWS: list[tuple[str, str]] = [
    ("an optional field", "(p? :int) -> :nil"),
    ("an optional field that may be null", "(p :int?) -> :nil"),
    ("a default", "(p :int = 3) -> :nil"),
    ("a default beside null", "(p :int? = 3) -> :nil"),
    ("undeclared keys", "(p {a :int}) -> :nil"),
    ("typed undeclared keys", "(p {a :int, ** :string}) -> :nil"),
    ("keys by pattern", "(p {a :int, /^x-/ :string}!) -> :nil"),
    ("an object without properties", "(p {}!) -> :nil"),
    ("any value", "(p :any) -> :nil"),
    ("a map", "(p :map[:int]) -> :nil"),
    ("a map of typed keys", '(p :map[:enum["a" "b"] :int]) -> :nil'),
    ("a tuple", "(p [:int, :string]) -> :nil"),
    ("a set", "(p #{:int}) -> :nil"),
    ("a union", "(p :int|:string) -> :nil"),
    ("a union of maps and lists", "(p :map[:int]|[:int]) -> :nil"),
    ("exactly one of several", "(p :one[:int, :string]) -> :nil"),
    ("an intersection", "(p {a :int} & {b :int}) -> :nil"),
    ("a negation", "(p :not[:int]) -> :nil"),
    ("a number of items of a type", "(p :count[2..3 :int]) -> :nil"),
    ("a named type", "(p :P) -> :nil where P = {a :int}!"),
    ("a type within itself", f"(p :Tree) -> :nil {_TREE}"),
    ("constants of several kinds", '(p :enum["a" 1]) -> :nil'),
    ("constants that are numbers", "(p :enum[1 2]) -> :nil"),
    ("constants with parts", "(p :enum[[1] [2]]) -> :nil"),
    ("the empty text as a constant", '(p :enum["" "a"]) -> :nil'),
    ("integers beyond 2^53", "(p :int[0..18446744073709551615]) -> :nil"),
    ("bounds of numbers", "(p :float[1..5]) -> :nil"),
    ("exclusive bounds", "(p :float[>0]) -> :nil"),
    ("steps", "(p :int[%5]) -> :nil"),
    ("lengths of texts", "(p :string[1..80]) -> :nil"),
    ("sizes of lists", "(p [:int][2..8]) -> :nil"),
    ("patterns", "(p :string[/^[a-z]+$/]) -> :nil"),
    ("patterns with lookarounds", "(p :string[/a(?=b)/]) -> :nil"),
    ("datetimes", "(p :datetime) -> :nil"),
    ("dates", "(p :string[date]) -> :nil"),
    ("URIs", "(p :string[uri]) -> :nil"),
    ("decimals", "(p :string[decimal]) -> :nil"),
    ("names with other characters", '("größe" :int) -> :nil'),
]


def _tool(signature: str) -> Tool[..., Any]:
    @tool(signature, name="run")
    def run(**given: Any) -> None:
        """Run."""

    return run


def _losses(signature: str, provider: ProviderName, options: ProfileOptions) -> list[Any]:
    return list(_tool(signature).project(provider, **options).losses)


def losses() -> str:
    """Return the table of what becomes of a type, by profile."""
    head = [title for title, _, _ in PROFILES]
    out = [_row(["", *head]), _row(["---"] * (1 + len(head)))]
    for words, signature in ROWS:
        cells = []
        for _, provider, options in PROFILES:
            found = dict.fromkeys(each.kind for each in _losses(signature, provider, options))
            cells.append(", ".join(found))
        out.append(_row([words, *cells]))
    return "\n" + "\n".join(out) + "\n\n"


def forms() -> str:
    """Return the table of what losses say, and what became of it."""
    found: dict[tuple[str, str, str], None] = {}
    for _, signature in ROWS:
        for _, provider, options in PROFILES:
            for each in _losses(signature, provider, options):
                what = "a constraint" if each.became == "its description" else each.what
                what = "the default" if each.what == "the default" else what
                became = "a legal name" if each.kind == "renamed" else each.became
                found[each.kind, what, became] = None
    rows = [_row([kind, what, became]) for kind, what, became in sorted(found)]
    return "\n| kind | of | became |\n|---|---|---|\n" + "\n".join(rows) + "\n\n"


def limits() -> str:
    """Return the table of limits."""
    out = ["| provider | limit | value | beyond it | read | page |", "|---|---|---|---|---|---|"]
    for row in LIMITS:
        beyond = "the tool is left out" if row.refuses else "`check()` tells"
        provider = f"{row.provider}, strict" if row.strict else row.provider
        out.append(_row([provider, f"`{row.name}`", f"{row.value:,}", beyond, row.date, row.page]))
    return "\n" + "\n".join(out) + "\n\n"


def advice() -> str:
    """Return the table of advice, each row with a tool that is against it."""
    out = ["| profile | advice | read | page |", "|---|---|---|---|"]
    for row in ADVICE:
        profiles = ", ".join(f"{provider} {api}" for provider, api, _ in sorted(row.profiles))
        strict = ", strict" if all(each[2] for each in row.profiles) else ""
        provider, api, is_strict = min(row.profiles)
        options: Any = {"api": api, **({"strict": True} if is_strict else {})}
        made = _tool(AGAINST).project(provider, **options)  # type: ignore[arg-type]
        [found] = [each for each in made.check() if each.limit == "advice"]
        out.append(_row([profiles + strict, found.reason, row.date, row.page]))
    return "\n" + "\n".join(out) + "\n\n"


#: A signature that is against each piece of advice.
AGAINST = "(node :Node) -> :nil where Node = {kind :enum[a], child :Node}!|{kind :enum[b]}!"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def page(text: str) -> str:
    """Return the *text* of the page with its tables written anew."""
    made = {"losses": losses, "forms": forms, "limits": limits, "advice": advice}
    return _MARKED.sub(lambda found: f"{found[1]}{made[found[2]]()}{found[3]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
