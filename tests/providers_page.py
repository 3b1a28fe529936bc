"""The tables of `docs/reference/providers.md`.

    python -m tests.providers_page

writes them anew, each between its mark and `<!-- end -->`: what becomes of types from projections
of `ROWS`, the rest from the rows of vendors.  A test compares.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from typesig import Tool, tool
from typesig.providers.registry.provider import Advice, ProviderName
from typesig.providers.registry.vendor import ExtraName, Profile, ProfileOptions, Vendor
from typesig.providers.vendors.registry import VENDORS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "providers.md"

_MARKED = re.compile(
    r"(<!-- (profiles|extras|losses|forms|limits|advice) -->\n).*?(<!-- end -->)", re.DOTALL
)


def columns() -> list[tuple[str, ProviderName, ProfileOptions]]:
    """Return the profiles that take types in different ways: a title, and how to project."""
    out = []
    seen: list[Profile] = []
    for vendor in VENDORS.values():
        for profile in vendor.profiles:
            taken = profile._replace(
                provider="openai", api="", results="untold", extras=frozenset()
            )
            if taken in seen:
                continue
            seen.append(taken)
            api = "" if profile.api == vendor.apis[0] else f", {profile.api}"
            title = f"{vendor.title}{', strict' if profile.strict else ''}{api}"
            out.append((title, vendor.name, options_of(vendor, profile)))
    return out


def options_of(vendor: Vendor, profile: Profile) -> ProfileOptions:
    """Return the options that choose *profile*."""
    options: ProfileOptions = {"api": profile.api}
    if vendor.has_strict:
        options["strict"] = profile.strict
    return options


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
    head = [title for title, _, _ in columns()]
    out = [_row(["", *head]), _row(["---"] * (1 + len(head)))]
    for words, signature in ROWS:
        cells = []
        for _, provider, options in columns():
            found = dict.fromkeys(each.kind for each in _losses(signature, provider, options))
            cells.append(", ".join(found))
        out.append(_row([words, *cells]))
    return "\n" + "\n".join(out) + "\n\n"


def forms() -> str:
    """Return the table of what losses say, and what became of it."""
    found: dict[tuple[str, str, str], None] = {}
    for _, signature in ROWS:
        for _, provider, options in columns():
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
    for vendor in VENDORS.values():
        for row in vendor.limits:
            beyond = "the tool is left out" if row.refuses else "`check()` reports it"
            name = f"{vendor.name}, strict" if row.strict else vendor.name
            out.append(_row([name, f"`{row.name}`", f"{row.value:,}", beyond, row.date, row.page]))
    return "\n" + "\n".join(out) + "\n\n"


def profiles() -> str:
    """Return the table of the profiles of each vendor."""
    out = ["| provider | vendor | `api` | `strict` | definitions |", "|---|---|---|---|---|"]
    for vendor in VENDORS.values():
        apis = ", ".join(f"`{api}`" for api in vendor.apis) if len(vendor.apis) > 1 else ""
        strict = "`False`, `True`" if vendor.has_strict else ""
        out.append(_row([f"`{vendor.name}`", vendor.title, apis, strict, vendor.definitions]))
    return "\n" + "\n".join(out) + "\n\n"


#: What an option is, and what it takes.
EXTRAS: dict[ExtraName, tuple[str, str]] = {
    "input_examples": ("lists of arguments by the names of tools", "each fits, or `TypesigError`"),
    "defer_loading": ("`True`, or names of tools", "`check()` reports a missing search"),
    "allowed_callers": ("a list for all tools, or lists by their names", "sent as they are"),
    "server_tools": ("definitions of the vendor's own tools", "sent as they are, behind the tools"),
    "eager_input_streaming": (
        "`True`, or names of tools",
        "arguments arrive before they are whole",
    ),
    "cache_control": ("`True`, or the vendor's mapping", "on the last definition"),
    "async_tools": ("`True`, or names of tools", "a model goes on before the result"),
    "namespaces": ("descriptions by prefix", "`crm.find` becomes `find` in `crm`"),
}


def extras() -> str:
    """Return the table of the options for what stands beside schemas."""
    out = ["| option | value | | profiles |", "|---|---|---|---|"]
    for name, words in EXTRAS.items():
        profiles = [each for vendor in VENDORS.values() for each in vendor.profiles]
        taking = dict.fromkeys(
            f"{each.provider} {each.api}" for each in profiles if name in each.extras
        )
        out.append(_row([f"`{name}`", *words, ", ".join(taking)]))
    return "\n" + "\n".join(out) + "\n\n"


def advice() -> str:
    """Return the table of advice, each row with a tool that is against it."""
    out = ["| profile | advice | read | page |", "|---|---|---|---|"]
    given: dict[Advice, list[Profile]] = {}
    for vendor in VENDORS.values():
        for profile in vendor.profiles:
            for row in profile.advice:
                given.setdefault(row, []).append(profile)
    for row, taken in given.items():
        titles = ", ".join(f"{each.provider} {each.api}" for each in taken)
        strict = ", strict" if all(each.strict for each in taken) else ""
        options = options_of(VENDORS[taken[0].provider], taken[0])
        made = _tool(AGAINST).project(taken[0].provider, **options)
        reasons = [each.reason for each in made.check() if each.reason.endswith(row.refused)]
        out.append(_row([titles + strict, *reasons, row.date, row.page]))
    return "\n" + "\n".join(out) + "\n\n"


#: A signature that is against each piece of advice.
AGAINST = "(node :Node) -> :nil where Node = {kind :enum[a], child :Node}!|{kind :enum[b]}!"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def page(text: str) -> str:
    """Return the *text* of the page with its tables written anew."""
    made = {
        "profiles": profiles,
        "extras": extras,
        "losses": losses,
        "forms": forms,
        "limits": limits,
        "advice": advice,
    }
    return _MARKED.sub(lambda found: f"{found[1]}{made[found[2]]()}{found[3]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
