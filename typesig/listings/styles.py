"""Styles of listings: the notations in which tools are written for a model.

To add a style, add its name to `Style` and its row to `STYLES`; the tests of every style then take
it.  No text of a tool or a type can be mistaken for a line of the listing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple, Protocol

from typesig.algebra.loss import Loss, Losses
from typesig.algebra.naming import NamedSignatures, with_all_definitions, with_named_records
from typesig.algebra.rows.frozen import NOTES
from typesig.algebra.signature import Signature, get_flags, map_types
from typesig.algebra.traversal import drop_annotations
from typesig.errors import TypesigError, format_value
from typesig.listings import text_styles
from typesig.listings.call_style import CALL_LEGEND, define_type, make_call_writer
from typesig.listings.entries import (
    Layout,
    Listing,
    Sharing,
    Style,
    Tier,
    TieredText,
    check_tier,
    split_lines,
)
from typesig.listings.text_styles import ListingWriter, make_length_test
from typesig.notations.python.writer import TAKEN as TAKEN_IN_PYTHON
from typesig.notations.python.writer import StubWriter, make_function_names
from typesig.notations.texts.comments import express, make_identifier
from typesig.notations.texts.quoting import Counter, check_counter, quote
from typesig.notations.typescript.writer import TAKEN as TAKEN_IN_TYPESCRIPT
from typesig.notations.typescript.writer import TypeWriter, find_aliases, write_property_name

TYPESCRIPT_LEGEND = (
    "// A call is a JSON object with the args of the tool; what has a ? may be left out.",
    "// Comments behind names tell bounds, patterns and defaults.",
    "// Names of types are defined first.",
)

PYTHON_LEGEND = (
    "# A call is a JSON object with the arguments; one with a default may be left out.",
    "# Comments behind names tell bounds, patterns and real names.",
    "# Sets and tuples are JSON arrays; a datetime is text with an offset.",
)


def express_code(signature: Signature, described: bool) -> tuple[Signature, Losses]:
    """Adapt *signature* to a code style with comments; return the losses, too."""
    shown, losses = express(signature, described)
    return shown, tuple(losses)


def arrange_typescript(
    signatures: Sequence[Signature], names: Sequence[str], types: Sharing, count: Counter
) -> NamedSignatures:
    """Move definitions and shared records out of *signatures* to save space."""
    taken = TAKEN_IN_TYPESCRIPT
    named = with_all_definitions(signatures, lambda name: make_identifier(name, taken), taken)
    if types == "inline":
        return named
    pays = make_length_test(TypeWriter().write_text, count, "")
    return with_named_records(named, names, pays, taken)


def arrange_python(
    signatures: Sequence[Signature], names: Sequence[str], types: Sharing, count: Counter
) -> NamedSignatures:
    """Move definitions and all records out of *signatures*, as classes for Python."""
    taken = {*TAKEN_IN_PYTHON, *make_function_names(names)}
    named = with_all_definitions(signatures, lambda name: make_identifier(name, taken), taken)
    return with_named_records(named, names, lambda *_: True, taken)


def make_typescript_writer(_arranged: NamedSignatures, _names: Sequence[str]) -> ListingWriter:
    """Build a writer of an interface with one method per tool."""

    def entry(name: str, signature: Signature, lines: Sequence[str]) -> tuple[str, Losses]:
        writer = TypeWriter()
        call = writer.call(write_property_name(name), ": ", signature)
        return "\n".join([*(f"// {line}" for line in lines), call]), tuple(writer.losses)

    layout = Layout("// Tools you can call", start="interface Tools {", end="}")
    return ListingWriter(
        layout, entry, partial(define_type, TypeWriter), write_property_name, find_aliases
    )


def make_python_writer(_arranged: NamedSignatures, names: Sequence[str]) -> ListingWriter:
    """Build a writer of stubs, one function with a docstring per tool."""
    functions = dict(zip(names, make_function_names(names), strict=True))

    def entry(name: str, signature: Signature, lines: Sequence[str]) -> tuple[str, Losses]:
        writer = StubWriter()
        made = functions[name]
        text = writer.write_function(made, signature, lines, None if made == name else name)
        return text, tuple(writer.losses)

    def declared(name: str) -> str:
        made = functions[name]
        return f"{made}: Callable" + ("" if made == name else f" # called {quote(name)}")

    return ListingWriter(
        Layout("# Tools you can call"), entry, partial(define_type, StubWriter), declared
    )


class ListedTool(Protocol):
    """Attributes of a tool that a listing reads."""

    @property
    def name(self) -> str:
        """The name of the tool."""
        ...

    @property
    def signature(self) -> Signature:
        """The signature of the tool."""
        ...

    @property
    def description(self) -> str | None:
        """The first paragraph of the docstring, or a description set for the tool."""
        ...

    @property
    def details(self) -> str | None:
        """The other paragraphs of the docstring."""
        ...


class StyleEntry(NamedTuple):
    """Functions and legend of one style.

    #: legend: three lines about the notation
    #: express: returns what can be written of a signature, and the losses; takes whether
    #:     descriptions are wanted
    #: arrange: returns the signatures of tools, by the names of these, with types ahead
    #: writer: makes the writer of signatures that are arranged, of tools with names
    #: is_detailed: whether entries have all paragraphs of a description
    """

    legend: tuple[str, str, str]
    express: Callable[[Signature, bool], tuple[Signature, Losses]]
    arrange: Callable[[Sequence[Signature], Sequence[str], Sharing, Counter], NamedSignatures]
    writer: Callable[[NamedSignatures, Sequence[str]], ListingWriter]
    is_detailed: bool = True


STYLES: dict[Style, StyleEntry] = {
    "signature": StyleEntry(
        text_styles.PTC_RUNNER_LEGEND,
        text_styles.express_signature,
        text_styles.arrange_signature,
        text_styles.make_ptc_runner_writer,
        is_detailed=False,
    ),
    "compact": StyleEntry(
        text_styles.COMPACT_LEGEND,
        text_styles.express_compact,
        text_styles.arrange_compact,
        text_styles.make_compact_writer,
    ),
    "call": StyleEntry(CALL_LEGEND, express_code, arrange_typescript, make_call_writer),
    "typescript": StyleEntry(
        TYPESCRIPT_LEGEND, express_code, arrange_typescript, make_typescript_writer
    ),
    "python": StyleEntry(PYTHON_LEGEND, express_code, arrange_python, make_python_writer),
}


def make_listing(
    tools: Iterable[ListedTool],
    style: Style = "signature",
    tier: Tier = "full",
    types: Sharing = "inline",
    legend: bool = False,
    counter: Counter | None = None,
) -> Listing:
    """Build the listing of *tools* in *style*.

    *tier* is how much of each tool it has. With *types* "shared", a record that stands twice or
    more is named once, ahead of the tools, if that is shorter: *counter* returns the size of a
    text; the default is the number of characters. *legend* is whether three lines about the
    notation come first. Raises `TypesigError` for an unknown style, tier or sharing, or a counter
    that counts nothing.
    """
    row = STYLES[check_style(style)]
    check_tier(tier)
    if types not in ("inline", "shared"):
        raise TypesigError(f'types are "inline" or "shared", not {format_value(types)}')
    shown = [_prepare_tool(one, row, tier) for one in tools]
    count = len if counter is None else check_counter(counter)
    made = _assemble_listing(shown, style, tier, "inline", legend, count)
    if types == "inline" or tier == "names":
        return made
    shared = _assemble_listing(shown, style, tier, "shared", legend, count)
    return shared if count(shared.text()) < count(made.text()) else made


def check_style(style: object) -> Style:
    """Return *style*; raise `TypesigError` if it is unknown."""
    for known in STYLES:
        if known == style:
            return known
    raise TypesigError(f"there is no style {format_value(style)}; there are {', '.join(STYLES)}")


class _PreparedTool(NamedTuple):
    """Signature and description of a tool, adapted to a listing style.

    #: lines: the lines of its description; losses: what is lost whatever the arrangement
    """

    name: str
    signature: Signature
    lines: list[str]
    losses: Losses


def _prepare_tool(one: ListedTool, row: StyleEntry, tier: Tier) -> _PreparedTool:
    """Collect signature, description lines and losses of a tool at detail *tier*."""
    is_full = tier == "full"
    signature, losses = row.express(one.signature, is_full)
    if tier == "names":
        return _PreparedTool(one.name, signature, [], ())
    signature = signature if is_full else map_types(signature, drop_annotations)
    lines = split_lines(one.description) if is_full else []
    if is_full and one.details is not None:
        if row.is_detailed:
            lines += split_lines(one.details)
        else:
            losses = (*losses, Loss("omitted", (), "the other paragraphs", text_styles.PTC_RUNNER))
    return _PreparedTool(one.name, signature, lines, losses)


def _assemble_listing(
    shown: Sequence[_PreparedTool],
    style: Style,
    tier: Tier,
    types: Sharing,
    legend: bool,
    count: Counter,
) -> Listing:
    """Build the listing of prepared tools in *style*, measured with *count*."""
    row = STYLES[style]
    names = [one.name for one in shown]
    arranged = row.arrange([one.signature for one in shown], names, types, count)
    writer = row.writer(arranged, names)
    is_full, losses = tier == "full", list[Loss]()
    entries: list[TieredText] = []
    for one, signature in zip(shown, arranged.signatures, strict=True):
        text, lost = "", Losses()
        if tier != "names":
            text, lost = writer.entry(one.name, signature, one.lines)
        losses += [loss.below("tools", one.name) for loss in (*one.losses, *lost)]
        plain = text
        if is_full and (one.lines or get_flags(signature) & NOTES):
            plain, _ = writer.entry(one.name, map_types(signature, drop_annotations), ())
        entries.append(TieredText(one.name, writer.name(one.name), plain, text, (one.name,)))
    ahead: list[TieredText] = []
    if tier != "names":
        ahead += _collect_aliases(writer, names, arranged.signatures)
        for name, users in _find_users(names, arranged).items():
            t = arranged.ahead[name]
            text, lost = writer.definition(name, t)
            losses += [loss.below("types", name) for loss in lost]
            plain, _ = writer.definition(name, drop_annotations(t))
            ahead.append(TieredText(name, "", plain, text, tuple(users)))
    layout = writer.layout
    if legend:
        layout = layout._replace(head="\n\n".join([layout.head, "\n".join(row.legend)]))
    signatures = dict(zip(names, arranged.signatures, strict=True))
    return Listing(style, tier, layout, tuple(ahead), tuple(entries), tuple(losses), signatures)


def _find_users(names: Sequence[str], arranged: NamedSignatures) -> dict[str, list[str]]:
    """Names of the tools that use each shared type, in the order of the types."""
    users: dict[str, list[str]] = {name: [] for name in arranged.ahead}
    for tool, signature in zip(names, arranged.signatures, strict=True):
        for definition in signature.definitions:
            if definition.name in users:
                users[definition.name].append(tool)
    return {name: tools for name, tools in users.items() if tools}


def _collect_aliases(
    writer: ListingWriter, names: Sequence[str], signatures: Sequence[Signature]
) -> list[TieredText]:
    """Collect the type aliases of *signatures*, with the tools that use them."""
    found: dict[tuple[str, str], list[str]] = {}
    for tool, signature in zip(names, signatures, strict=True):
        for alias in writer.aliases(signature):
            found.setdefault(alias, []).append(tool)
    return [TieredText(name, "", text, text, tuple(tools)) for (name, text), tools in found.items()]
