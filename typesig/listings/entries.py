"""Entries of tools in the default listing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias, assert_never

from typesig.algebra.loss import Losses
from typesig.algebra.redaction import redact
from typesig.algebra.signature import Signature, map_types
from typesig.algebra.traversal import drop_repeated_annotations
from typesig.errors import TypesigError, format_value
from typesig.notations.shorthand.writer import write_signature

HEADING = "## Tools you can call"


def make_entry(
    name: str, signature: Signature, description: str | None, details: str | None = None
) -> str:
    """Write the entry of a tool: its signature line, then its indented description."""
    shown = map_types(redact(signature), drop_repeated_annotations)
    line = f"{name}{write_signature(shown, described=True)}"
    return "\n  ".join([line, *split_lines(description), *split_lines(details)])


def split_lines(text: str | None) -> list[str]:
    """Lines of *text* without blank lines, indentation and unprintable characters.

    A line ends at every character that any reader takes for a line's end; other characters that
    cannot be printed are left out.
    """
    out = []
    for line in (text or "").splitlines():
        shown = line.expandtabs(4)
        if not shown.isprintable():
            shown = "".join(c for c in shown if c.isprintable())
        shown = shown.strip()
        if shown:
            out.append(shown)
    return out


# --- Listings as values: the text of each tool and shared type at each tier ---
# `typesig.listings.styles` makes them; the text of a listing is joined here.

#: How a listing is written.
Style: TypeAlias = Literal["signature", "compact", "call", "typescript", "python"]

#: How much a listing tells of a tool: its name; its types, too; every description, too.
Tier: TypeAlias = Literal["names", "signatures", "full"]

#: Where records stand that several tools have: in each of them, or once, ahead of the tools.
Sharing: TypeAlias = Literal["inline", "shared"]

TIERS: tuple[Tier, ...] = ("names", "signatures", "full")


class TieredText(NamedTuple):
    """Text of a listed tool or type at each detail tier.

    #: name: the name of the tool or of the type
    #: names, signatures, full: the text at the tier; each tells all that the tier before it does
    #: tools: the names of the tools that need the text: the tool itself, or those with the type
    """

    name: str
    names: str
    signatures: str
    full: str
    tools: tuple[str, ...]

    def text(self, tier: Tier) -> str:
        """Return the text at the detail *tier*."""
        match tier:
            case "names":
                return self.names
            case "signatures":
                return self.signatures
            case "full":
                return self.full
            case _:
                assert_never(tier)


class Layout(NamedTuple):
    """Text before, between and after the entries of a listing.

    #: head: the lines before everything else, the legend included
    #: opening, between, closing: what stands before, between and behind the named types
    #: start, end: what stands before the first entry and behind the last
    """

    head: str
    opening: str = ""
    between: str = "\n"
    closing: str = ""
    start: str = ""
    end: str = ""


class Listing(NamedTuple):
    """Text of the tools of a toolset for a model, at a choice of tiers.

    `text()` is the whole listing; `text({"search": "names"})` is the same with less of a tool.

    #: style, tier: how it is written, and how much of each tool
    #: layout: what stands around the entries
    #: types: the types that stand ahead of the tools; entries: the tools, in order
    #: losses: what the listing does not say of the tools, by `("tools", name, …)`
    #: signatures: what reading the signature of each tool back gives, if the style can be read
    """

    style: Style
    tier: Tier
    layout: Layout
    types: tuple[TieredText, ...]
    entries: tuple[TieredText, ...]
    losses: Losses = ()
    signatures: Mapping[str, Signature] = MappingProxyType({})

    def __str__(self) -> str:
        return self.text()

    def text(self, tiers: Mapping[str, Tier] = MappingProxyType({})) -> str:
        """Text of the listing; *tiers* sets a lower tier for single tools.

        A named type is told as fully as the fullest of the tools that need it; where all of them
        are listed by name alone, it is left out.  Raises `TypesigError` for a name without a tool,
        and for a tier above that of the listing.
        """
        chosen: dict[str, Tier] = {entry.name: self.tier for entry in self.entries}
        for name, tier in tiers.items():
            if name not in chosen:
                raise TypesigError(f"the listing has no tool {format_value(name)}")
            if TIERS.index(check_tier(tier)) > TIERS.index(self.tier):
                raise TypesigError(f"{name} cannot be {tier}: the listing has the tier {self.tier}")
            chosen[name] = tier
        layout = self.layout
        needed = [max(TIERS.index(chosen[n]) for n in each.tools) for each in self.types]
        types = [each.text(TIERS[at]) for each, at in zip(self.types, needed, strict=True)]
        types = [text for text in types if text]
        entries = [entry.text(chosen[entry.name]) for entry in self.entries]
        parts = [layout.head]
        if types:
            parts.append(f"{layout.opening}{layout.between.join(types)}{layout.closing}")
        body = _group_entries(entries, [chosen[entry.name] for entry in self.entries])
        start = [layout.start] if layout.start else []
        end = [layout.end] if layout.end else []
        return "\n\n".join([*parts, *start, *body, *end])


def check_tier(tier: object) -> Tier:
    """Return *tier*; raise `TypesigError` if it is unknown."""
    for known in TIERS:
        if known == tier:
            return known
    raise TypesigError(f"there is no tier {format_value(tier)}; there are {', '.join(TIERS)}")


def _group_entries(entries: list[str], tiers: list[Tier]) -> list[str]:
    """Group *entries* that blank lines separate; adjacent names form one group."""
    out: list[str] = []
    previous: Tier | None = None
    for text, tier in zip(entries, tiers, strict=True):
        if tier == "names" and previous == "names":
            out[-1] += f"\n{text}"
        else:
            out.append(text)
        previous = tier
    return out
