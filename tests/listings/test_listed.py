"""Compact listings that are read back."""

from __future__ import annotations

import pytest

import typesig
from tests.listings.test_listings import SHOP, listed
from typesig import TypesigError
from typesig.errors import SignatureSyntaxError
from typesig.listings import parse_listing
from typesig.listings.listing_parser import ParsedTool
from typesig.listings.styles import make_listing

HEADING = "## Tools you can call"


@pytest.mark.parametrize("types", ["inline", "shared"])
@pytest.mark.parametrize("tier", ["signatures", "full"])
@pytest.mark.parametrize("legend", [False, True])
def test_the_signatures_of_a_listing_are_read_back(types, tier, legend):
    listing = make_listing(SHOP, "compact", tier, types, legend)
    found = parse_listing(listing.text())

    assert [tool.name for tool in SHOP] == list(found)
    assert dict(listing.signatures) == {name: tool.signature for name, tool in found.items()}


def test_names_and_signatures_stand_mixed():
    found = parse_listing(f"{HEADING}\n\na\nb\n\nc(x int)\n Do.\n  Well; (so)\n\nd\n")

    assert [
        ParsedTool("a", None, ""),
        ParsedTool("b", None, ""),
        ParsedTool("c", typesig.parse("(x :int) -> :any"), "Do.\n Well; (so)"),
        ParsedTool("d", None, ""),
    ] == list(found.values())


def test_a_heading_alone_lists_no_tools():
    assert {} == parse_listing(HEADING)


def test_exact_names_are_read_as_the_heading_or_a_mark_says():
    exact = typesig.parse('("max_rows" :int) -> :any')

    assert exact == parse_listing(f"{HEADING}, names exact\n\na(max_rows int)")["a"].signature
    assert exact == parse_listing(f"{HEADING}\n\na=(max_rows int)")["a"].signature
    shared = f"{HEADING}, names exact\n\nwhere T={{row_id int}}\n\na(x :T)"
    wanted = typesig.parse('(x :T) -> :any where T = {"row_id" :int}')
    assert wanted == parse_listing(shared)["a"].signature


@pytest.mark.parametrize(
    ("entry", "wanted"),
    [
        ("(t :A)", "(t :A) -> :any where A = {b :B}, B = :int"),
        ("(t :B) -> :B; the :A", '(t :B) -> :B "the :A" where B = :int'),
        ("(** :B)", "(** :B) -> :any where B = :int"),
        ("() -> :C; one\nwhere C=[:B]", '() -> :C "one" where B = :int, C = [:B]'),
        ("() -> :C where C={c :C?}", "() -> :C where C = {c :C?}"),
        ('(t :"int" = 3)', '(t :"int" = 3) -> :any where "int" = :enum[3]'),
        ("(t :A[1..])", "(t :A[1..]) -> :any where A = {b :B}, B = :int"),
        ('(t, ; a "(" and ;[ /\n u string[/[(]/])', '(t :string "a \\"(\\" and ;[ /", u :string[/[(]/]) -> :any'),
    ],
)  # fmt: skip
def test_a_signature_has_the_named_types_that_it_refers_to(entry, wanted):
    entry = entry.replace(" = ", "=")
    text = f'{HEADING}\n\nwhere A={{b :B}},\n B=int,\n "int"=enum[3]\n\nx{entry}\n :A and where B'
    found = parse_listing(text)["x"]

    assert typesig.parse(wanted) == found.signature
    assert ":A and where B" == found.description


def test_what_tools_of_two_signatures_define_differently_stays_theirs():
    tools = [
        listed("a", "(x :T, y :T) -> :any where T = [:int]"),
        listed("b", "(x :T, y :T) -> :any where T = [:string]"),
    ]
    found = parse_listing(make_listing(tools, "compact", types="shared").text())

    assert [tool.signature for tool in tools] == [tool.signature for tool in found.values()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (5, "a listing is text, not int"),
        ("", f"a compact listing begins with the line '{HEADING}', not ''"),
        ("a(x int)", f"a compact listing begins with the line '{HEADING}', not 'a(x int)'"),
        (f"{HEADING}\n\nSome words.", "'Some words.' is not the name of a tool"),
        (f"{HEADING}\n\na b(x int)", "'a b' is not the name of a tool"),
        (f"{HEADING}\n\na(x int)\n\na", "the listing has two tools 'a'"),
    ],
)
def test_a_text_that_is_no_listing_is_refused(text, message):
    with pytest.raises(TypesigError) as raised:
        parse_listing(text)

    assert message == str(raised.value)


@pytest.mark.parametrize(
    "entry", ["a(x int", "a(x :T)", "a(x in)", "a)(", "a(x int))", 'a(x; "', "a(x int) where"]
)
def test_a_mistake_in_a_signature_is_named(entry):
    with pytest.raises(SignatureSyntaxError):
        parse_listing(f"{HEADING}\n\n{entry}")
