"""Listings that can be parsed again: in shorthand (PtcRunner) and compact notation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from typesig.algebra.loss import Losses
from typesig.algebra.naming import (
    NamedSignatures,
    Pays,
    with_common_definitions,
    with_named_records,
    with_single_uses_inlined,
)
from typesig.algebra.nodes import Record, Type
from typesig.algebra.signature import Signature, map_types
from typesig.algebra.traversal import drop_annotations, drop_repeated_annotations
from typesig.listings.entries import HEADING, Layout, Sharing
from typesig.notations.compact import writer as compact
from typesig.notations.compact.writer import expressed
from typesig.notations.shorthand import writer as shorthand
from typesig.notations.texts.comments import express
from typesig.notations.texts.quoting import Counter

#: Why PtcRunner's listing lacks something.
PTC_RUNNER = "PtcRunner's listing has one paragraph for each tool"

PTC_RUNNER_LEGEND = (
    "A tool is name(params) -> result; [:int] is a list, {id :int} an object, :a|:b a choice.",
    ':int? may be left out or null, x? left out; = 10 is the default; :enum["a" "b"] one of these.',
    ":int[1..5] is 1 to 5; where defines names such as :Item.",
)

COMPACT_LEGEND = (
    "A tool is name(params) -> result; a name alone is text, [int] a list, {id int} an object, "
    "[a b] one of these words, a|b a choice.",
    "int? may be left out or null, x? left out; =10 is the default; a ; begins a note.",
    "int[1..5] is 1 to 5; where defines names such as :Item.",
)


def express_signature(signature: Signature, described: bool) -> tuple[Signature, Losses]:
    """Adapt *signature* to PtcRunner's listing; return the losses, too."""
    shown, losses = express(signature)
    said = drop_repeated_annotations if described else drop_annotations
    return map_types(shown, said), tuple(losses)


def express_compact(signature: Signature, described: bool) -> tuple[Signature, Losses]:
    """Adapt *signature* to the compact notation; return the losses, too."""
    return expressed(
        map_types(signature, drop_repeated_annotations if described else drop_annotations)
    )


#: How many characters a type has at least that gets a name; a record may be shorter.  A short type
#: says more in its place than a name does.
MIN_NAMED = 32


def make_length_test(write: Callable[[Type], str], count: Counter, mark: str = ":") -> Pays:
    """Build the test whether moving a type to a definition shortens a listing."""

    def pays(t: Type, times: int, name: str) -> bool:
        if times < 2:
            return False
        text = write(t)
        if not isinstance(t, Record) and len(text) < MIN_NAMED:
            return False
        named = count(f",\n {name}={text}") + times * count(f" {mark}{name}")
        return times * count(f" {text}") > named

    return pays


def arrange_signature(
    signatures: Sequence[Signature], names: Sequence[str], types: Sharing, count: Counter
) -> NamedSignatures:
    """Move shared records out of *signatures*, where that shortens the listing."""
    if types == "inline":
        return NamedSignatures(tuple(signatures), {})
    pays = make_length_test(shorthand.write_type, count)
    return with_named_records(with_common_definitions(signatures), names, pays)


def arrange_compact(
    signatures: Sequence[Signature], names: Sequence[str], types: Sharing, count: Counter
) -> NamedSignatures:
    """Move shared types out of *signatures*, where that shortens the listing."""
    if types == "inline":
        return with_single_uses_inlined(NamedSignatures(tuple(signatures), {}))
    exact = _collect_name_kinds(signatures) == {True}
    pays = make_length_test(lambda t: compact.write_type(t, exact), count)
    named = with_single_uses_inlined(with_common_definitions(signatures))
    return with_named_records(named, names, pays, all_types=True)


def _collect_name_kinds(signatures: Sequence[Signature]) -> set[bool]:
    """Collect the kinds of unquoted names in *signatures*: True for exact names."""
    return {kind for signature in signatures for kind in compact.find_name_kinds(signature)}


class ListingWriter(NamedTuple):
    """Functions that write the parts of one listing.

    #: layout: what stands around the entries, without a legend
    #: entry: returns the entry of a tool whose description has lines, and the losses
    #: definition: returns the type that stands ahead as a name, and the losses
    #: name: returns the entry of a tool at the tier of names
    #: aliases: returns the scalars that a signature needs a definition of: each name and its text
    """

    layout: Layout
    entry: Callable[[str, Signature, Sequence[str]], tuple[str, Losses]]
    definition: Callable[[str, Type], tuple[str, Losses]]
    name: Callable[[str], str] = str
    aliases: Callable[[Signature], Sequence[tuple[str, str]]] = lambda _: ()


def make_ptc_runner_writer(arranged: NamedSignatures, _names: Sequence[str]) -> ListingWriter:
    """Build the writer of PtcRunner's listing."""

    def entry(name: str, signature: Signature, lines: Sequence[str]) -> tuple[str, Losses]:
        text = shorthand.write_signature(signature, True, arranged.ahead)
        return "\n  ".join([f"{name}{text}", *lines]), ()

    def definition(name: str, t: Type) -> tuple[str, Losses]:
        return shorthand.write_definition(name, t), ()

    return ListingWriter(Layout(HEADING, "where ", ",\n  "), entry, definition)


def make_compact_writer(arranged: NamedSignatures, _names: Sequence[str]) -> ListingWriter:
    """Build the writer of a listing in the compact notation.

    If all names are exact, the heading says so once.  Else each signature says so for itself; but
    if types stand ahead, which have one sort of names, exact names are quoted.
    """
    all_exact = _collect_name_kinds(arranged.signatures) == {True}
    exact = all_exact if all_exact or arranged.ahead else None

    def entry(name: str, signature: Signature, lines: Sequence[str]) -> tuple[str, Losses]:
        text = compact.write_signature(signature, exact, arranged.ahead)
        # Indented by one blank, which costs a token less in each line than two.
        return "\n ".join([f"{name}{text}", *lines]), ()

    def definition(name: str, t: Type) -> tuple[str, Losses]:
        return compact.write_definition(name, t, bool(exact)), ()

    return ListingWriter(
        Layout(HEADING + (EXACT if all_exact else ""), "where ", ",\n "), entry, definition
    )


#: What the heading of a compact listing says where all names are exact.
EXACT = ", names exact"
