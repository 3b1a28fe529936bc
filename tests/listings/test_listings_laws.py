"""Laws of listings: what they say reads back or parses, and no text forges a line of them."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, signatures
from typesig.algebra.nodes import Ref, Type
from typesig.algebra.redaction import find_used_names, redact
from typesig.algebra.signature import Signature, map_types
from typesig.algebra.traversal import (
    drop_annotations,
    drop_repeated_annotations,
    get_children,
    rebuild,
)
from typesig.listings import parse_listing
from typesig.listings.entries import TIERS, Listing, split_lines
from typesig.listings.styles import STYLES, make_listing
from typesig.notations import compact


class Listed(NamedTuple):
    """A tool as listings see it."""

    name: str
    signature: Signature
    description: str | None = None
    details: str | None = None


NAMES = ["search", "get-item", "a.b", "class", "new", "Item", "search_result"]

#: Text that tries to be a part of a listing.
HOSTILE = st.text(
    st.sampled_from("()[]{}:;,.|&?!*=-><%/#\"'\\ \n\r\t\x00\x0b\x85\u2028\u202eaé"), max_size=24
)


@st.composite
def toolsets(draw: st.DrawFn, size: int = 2) -> list[Listed]:
    """Return tools, some with the same types, and with any text."""
    found = draw(st.lists(signatures(titled=True), min_size=1, max_size=size))
    found += draw(st.lists(st.sampled_from(found), max_size=1))
    return [
        Listed(name, s, draw(st.none() | HOSTILE), draw(st.none() | HOSTILE))
        for name, s in zip(NAMES, found, strict=False)
    ]


def entries_of(listing: Listing, tools: list[Listed]) -> tuple[str, list[str]]:
    """Return the block of the named types, and the signatures of the entries of *tools*."""
    head, *blocks = listing.text().split("\n\n")
    assert head.startswith("## Tools you can call")
    ahead = blocks.pop(0) if blocks and blocks[0].startswith("where ") else ""
    mark = "=" if head.endswith(", names exact") else ""
    out = []
    for block, one in zip(blocks, tools, strict=True):
        assert block.startswith(one.name)
        lines = block.removeprefix(one.name).split("\n")
        prose = [
            f" {line}" for text in (one.description, one.details) for line in split_lines(text)
        ]
        prose = prose if listing.tier == "full" else []
        end = len(lines) - len(prose)
        assert prose == lines[end:]
        out.append(mark + "\n".join(lines[:end]))
    return ahead, out


def recursive_names(signature: Signature) -> set[str]:
    """Return the names of types that contain themselves."""
    named = signature.names
    return {name for name, t in named.items() if name in find_used_names(named, [t])}


def flat(signature: Signature, kept: set[str]) -> tuple[object, ...]:
    """Return the parts of *signature* with types in place of names that are not *kept*."""
    extra = [] if signature.extra is None else [signature.extra]
    outer = [*[f.type for f in signature.params], signature.returns, *extra]
    named = {name: signature.names[name] for name in find_used_names(signature.names, outer)}
    signature = Signature(signature.params, signature.returns, named, signature.extra)

    def step(t: Type) -> Type:
        if isinstance(t, Ref) and t.name not in kept:
            return step(named[t.name])
        try:
            return rebuild(t, [step(child) for child in get_children(t)])
        except typesig.TypesigError:
            # A refinement of a name may not apply to what the name stands for.
            return t

    shown = map_types(signature, step)
    wholes = [*[f.type for f in shown.params], shown.returns, shown.extra or shown.returns]
    left = {name: shown.names[name] for name in find_used_names(shown.names, wholes)}
    return shown.params, shown.returns, shown.extra, left


@LAW
@given(toolsets())
def test_each_signature_of_a_compact_listing_reads_back(tools: list[Listed]) -> None:
    listing = make_listing(tools, "compact")
    _, texts = entries_of(listing, tools)

    for one, text in zip(tools, texts, strict=True):
        back = typesig.parse(text, "compact")
        expected = compact.make_expressible(map_types(one.signature, drop_repeated_annotations))
        kept = recursive_names(expected)
        assert flat(expected, kept) == flat(back, kept)
        assert listing.signatures[one.name] == back


@LAW
@given(toolsets(), st.sampled_from(["signatures", "full"]))
def test_each_signature_of_a_compact_listing_reads_back_with_the_shared_types(tools, tier) -> None:
    # A counter for which names cost nothing shares whatever can be shared.
    listing = make_listing(tools, "compact", tier, "shared", counter=lambda text: text.count(" "))
    ahead, texts = entries_of(listing, tools)

    for one, text in zip(tools, texts, strict=True):
        types = {each.name for each in listing.types}
        joint = ", " if listing.signatures[one.name].names.keys() - types else "\nwhere "
        where = f"{joint}{ahead.removeprefix('where ')}" if ahead else ""
        back = typesig.parse(f"{text}{where}", "compact")
        assert listing.signatures[one.name].params == back.params
        given = one.signature
        given = given if tier == "full" else map_types(given, drop_annotations)
        expected = compact.make_expressible(map_types(given, drop_repeated_annotations))
        kept = recursive_names(expected)
        assert flat(expected, kept) == flat(back, kept)


@LAW
@given(toolsets(), st.sampled_from([*STYLES]), st.sampled_from(TIERS))
def test_a_listing_with_shared_types_is_never_longer(tools, style, tier) -> None:
    inline = make_listing(tools, style, tier)
    shared = make_listing(tools, style, tier, "shared")

    assert len(shared.text()) <= len(inline.text())
    assert shared == make_listing(tools, style, tier, "shared")


@LAW
@given(toolsets(), st.sampled_from(TIERS), st.sampled_from(["inline", "shared"]), st.booleans())
def test_a_listing_in_python_is_python(tools, tier, types, legend) -> None:
    listing = make_listing(tools, "python", tier, types, legend)
    tree = ast.parse(listing.text())

    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    named = [node for node in tree.body if isinstance(node, ast.ClassDef | ast.Assign)]
    aliases = [node for node in tree.body if isinstance(node, ast.AnnAssign)]
    assert len(tree.body) == len(functions) + len(named) + len(aliases)
    if tier == "names":
        assert len(tools) == len(aliases)
    else:
        assert len(tools) == len(functions)
        assert len(listing.types) == len(named) + len(aliases)
    for one, node in zip(tools, functions, strict=False):
        prose = split_lines(f"{one.description or ''}\n{one.details or ''}")
        said = "\n".join(prose) if tier == "full" else ""
        assert said == (ast.get_docstring(node) or "")
        assert len(one.signature.params) >= len(node.args.args + node.args.kwonlyargs)


@LAW
@given(toolsets(), st.sampled_from([*STYLES]), st.sampled_from(TIERS), st.booleans())
def test_lines_are_what_every_reader_takes_for_lines(tools, style, tier, legend) -> None:
    listing = make_listing(tools, style, tier, "shared", legend)
    text = listing.text()

    assert text.splitlines() == text.split("\n")
    assert all(line.isprintable() for line in text.split("\n"))
    # An entry has no blank line, and each of its other lines is told apart by how it begins.
    for entry in listing.entries:
        first, *rest = entry.full.split("\n")
        comment = {"typescript": "// ", "call": "# "}.get(style)
        ahead = [line for line in (first, *rest) if comment and line.startswith(comment)]
        marks = (" ", "}") if comment else (" ", ")", "}", "where ")
        behind = [first, *rest][len(ahead) + 1 :]
        assert all(line.startswith(marks) for line in behind)


def assert_nothing_firewalled(tools: list[Listed], text: str) -> None:
    for one in tools:
        shown = str(redact(one.signature))
        hidden = {
            name for name in re.findall(r"_[a-z]\w*", str(one.signature)) if name not in shown
        }
        assert not [name for name in hidden if re.search(rf"\b{name}\b(?=[ ?:])", text)]


@LAW
@given(toolsets(), st.sampled_from([*STYLES]))
def test_less_of_some_tools_leaves_the_others_as_they_are(tools, style) -> None:
    listing = make_listing(tools, style, types="shared")
    assert_nothing_firewalled(tools, listing.text())
    first = listing.entries[0]
    less = listing.text({first.name: "names"})

    assert all(entry.full in less for entry in listing.entries[1:])
    assert listing.text() == listing.text(dict.fromkeys([e.name for e in listing.entries], "full"))
    with pytest.raises(typesig.TypesigError):
        listing.text({"nobody": "names"})


@LAW
@given(
    toolsets(3),
    st.sampled_from(TIERS),
    st.sampled_from(["inline", "shared"]),
    st.booleans(),
)
def test_a_compact_listing_reads_back(tools, tier, types, legend) -> None:
    listing = make_listing(tools, "compact", tier, types, legend, lambda text: text.count(" "))
    found = parse_listing(listing.text())

    assert [one.name for one in tools] == list(found)
    for one in tools:
        prose = [line for text in (one.description, one.details) for line in split_lines(text)]
        assert found[one.name].description == ("\n".join(prose) if tier == "full" else "")
        signature = found[one.name].signature
        assert signature == (None if tier == "names" else listing.signatures[one.name])
