"""The styles of listings: how the tools of a toolset are written for a model.

To add a style, add its name to `Style` and its row to `STYLES`; the tests of every style then take
it.  No text of a tool or a type can be mistaken for a line of the listing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import Type
from typesig.algebra.rows.frozen import NOTES
from typesig.algebra.signature import Signature, flags_of, mapped
from typesig.algebra.traversal import without_notes
from typesig.algebra.views.naming import Named, with_all_definitions, with_named_records
from typesig.errors import TypesigError, short
from typesig.listings import text_styles
from typesig.listings.listing import lines_of
from typesig.listings.text_styles import Writer, shorter
from typesig.listings.tiers import Layout, Listing, Sharing, Style, Tier, Tiered, checked_tier
from typesig.notations.python.writer import TAKEN as TAKEN_IN_PYTHON
from typesig.notations.python.writer import StubWriter, function_names
from typesig.notations.texts.comments import express, identifier
from typesig.notations.texts.counters import Counter, checked_counter
from typesig.notations.texts.quoting import quoted
from typesig.notations.typescript.writer import TAKEN as TAKEN_IN_TYPESCRIPT
from typesig.notations.typescript.writer import TypeWriter, aliases_of, property_name

TYPESCRIPT_LEGEND = (
    "// A call is a JSON object with the args of the tool; what has a ? may be left out.",
    "// A comment behind a name tells what its type does not: bounds, a pattern, the default.",
    "// int is a whole number; other names of types are defined ahead of the tools.",
)

PYTHON_LEGEND = (
    "# A call is a JSON object with the arguments by name; one with a default may be left out.",
    "# A comment behind a name tells what its type does not: bounds, a pattern, its real name.",
    "# Sets and tuples are JSON arrays, and a datetime is text with an offset.",
)


def express_code(signature: Signature, described: bool) -> tuple[Signature, Losses]:
    """Return what a style can say of *signature* in code or in comments, and the losses."""
    shown, losses = express(signature, described)
    return shown, tuple(losses)


def arrange_typescript(
    signatures: Sequence[Signature], names: Sequence[str], types: Sharing, count: Counter
) -> Named:
    """Return *signatures* with all definitions ahead, and the records that are shorter there."""
    taken = TAKEN_IN_TYPESCRIPT
    named = with_all_definitions(signatures, lambda name: identifier(name, taken), taken)
    if types == "inline":
        return named
    pays = shorter(TypeWriter().text, count, "")
    return with_named_records(named, names, pays, taken)


def arrange_python(
    signatures: Sequence[Signature], names: Sequence[str], types: Sharing, count: Counter
) -> Named:
    """Return *signatures* with all definitions and records ahead: only a class has typed keys."""
    taken = {*TAKEN_IN_PYTHON, *function_names(names)}
    named = with_all_definitions(signatures, lambda name: identifier(name, taken), taken)
    return with_named_records(named, names, lambda *_: True, taken)


def typescript_writer(_arranged: Named, _names: Sequence[str]) -> Writer:
    """Return what writes an interface with a method for each tool, descriptions in comments."""

    def entry(name: str, signature: Signature, lines: Sequence[str]) -> tuple[str, Losses]:
        writer = TypeWriter()
        call = writer.call(property_name(name), ": ", signature)
        return "\n".join([*(f"// {line}" for line in lines), call]), tuple(writer.losses)

    def definition(name: str, t: Type) -> tuple[str, Losses]:
        writer = TypeWriter()
        return writer.definition(name, t), tuple(writer.losses)

    layout = Layout("// Tools you can call", start="interface Tools {", end="}")
    return Writer(layout, entry, definition, property_name, aliases_of)


def python_writer(_arranged: Named, names: Sequence[str]) -> Writer:
    """Return what writes a stub with a function for each tool, descriptions as docstrings."""
    functions = dict(zip(names, function_names(names), strict=True))

    def entry(name: str, signature: Signature, lines: Sequence[str]) -> tuple[str, Losses]:
        writer = StubWriter()
        made = functions[name]
        text = writer.function(made, signature, lines, None if made == name else name)
        return text, tuple(writer.losses)

    def definition(name: str, t: Type) -> tuple[str, Losses]:
        writer = StubWriter()
        return writer.definition(name, t), tuple(writer.losses)

    def declared(name: str) -> str:
        made = functions[name]
        return f"{made}: Callable" + ("" if made == name else f" # called {quoted(name)}")

    return Writer(Layout("# Tools you can call"), entry, definition, declared)


class ListedTool(Protocol):
    """What a listing tells of a tool."""

    @property
    def name(self) -> str:
        """The name."""
        ...

    @property
    def signature(self) -> Signature:
        """The signature."""
        ...

    @property
    def description(self) -> str | None:
        """The first paragraph of what the tool does, or all that was given."""
        ...

    @property
    def details(self) -> str | None:
        """The other paragraphs of the docstring."""
        ...


class StyleRow(NamedTuple):
    """A style.

    #: legend: three lines about the notation
    #: express: returns what can be written of a signature, and the losses; takes whether
    #:     descriptions are wanted
    #: arrange: returns the signatures of tools, by the names of these, with types ahead
    #: writer: makes the writer of signatures that are arranged, of tools with names
    #: is_detailed: whether entries have all paragraphs of a description
    """

    legend: tuple[str, str, str]
    express: Callable[[Signature, bool], tuple[Signature, Losses]]
    arrange: Callable[[Sequence[Signature], Sequence[str], Sharing, Counter], Named]
    writer: Callable[[Named, Sequence[str]], Writer]
    is_detailed: bool = True


STYLES: dict[Style, StyleRow] = {
    "signature": StyleRow(
        text_styles.PTC_RUNNER_LEGEND,
        text_styles.express_signature,
        text_styles.arrange_signature,
        text_styles.ptc_runner_writer,
        is_detailed=False,
    ),
    "compact": StyleRow(
        text_styles.COMPACT_LEGEND,
        text_styles.express_compact,
        text_styles.arrange_compact,
        text_styles.compact_writer,
    ),
    "typescript": StyleRow(TYPESCRIPT_LEGEND, express_code, arrange_typescript, typescript_writer),
    "python": StyleRow(PYTHON_LEGEND, express_code, arrange_python, python_writer),
}


def listing_of(
    tools: Iterable[ListedTool],
    style: Style = "signature",
    tier: Tier = "full",
    types: Sharing = "inline",
    legend: bool = False,
    counter: Counter | None = None,
) -> Listing:
    """Return the listing of *tools* in *style*.

    *tier* is how much of each tool it has.  With *types* "shared", a record that stands twice or
    more is named once, ahead of the tools, if that is shorter: *counter* returns the size of a
    text, by default its number of characters.  *legend* is whether three lines about the notation
    come first.  Raises `TypesigError` for an unknown style, tier or sharing, or a counter that
    counts nothing.
    """
    row = STYLES[checked_style(style)]
    checked_tier(tier)
    if types not in ("inline", "shared"):
        raise TypesigError(f'types are "inline" or "shared", not {short(types)}')
    shown = [_shown(one, row, tier) for one in tools]
    count = len if counter is None else checked_counter(counter)
    made = _made(shown, style, tier, "inline", legend, count)
    if types == "inline" or tier == "names":
        return made
    shared = _made(shown, style, tier, "shared", legend, count)
    return shared if count(shared.text()) < count(made.text()) else made


def checked_style(style: object) -> Style:
    """Return *style*; raise `TypesigError` if there is none of that name."""
    for known in STYLES:
        if known == style:
            return known
    raise TypesigError(f"there is no style {short(style)}; there are {', '.join(STYLES)}")


class _Shown(NamedTuple):
    """What a style can express of a tool.

    #: lines: the lines of its description; losses: what is lost whatever the arrangement
    """

    name: str
    signature: Signature
    lines: list[str]
    losses: Losses


def _shown(one: ListedTool, row: StyleRow, tier: Tier) -> _Shown:
    is_full = tier == "full"
    signature, losses = row.express(one.signature, is_full)
    if tier == "names":
        return _Shown(one.name, signature, [], ())
    signature = signature if is_full else mapped(signature, without_notes)
    lines = lines_of(one.description) if is_full else []
    if is_full and one.details is not None:
        if row.is_detailed:
            lines += lines_of(one.details)
        else:
            losses = (*losses, Loss("omitted", (), "the other paragraphs", text_styles.PTC_RUNNER))
    return _Shown(one.name, signature, lines, losses)


def _made(
    shown: Sequence[_Shown], style: Style, tier: Tier, types: Sharing, legend: bool, count: Counter
) -> Listing:
    row = STYLES[style]
    names = [one.name for one in shown]
    arranged = row.arrange([one.signature for one in shown], names, types, count)
    writer = row.writer(arranged, names)
    is_full, losses = tier == "full", list[Loss]()
    entries: list[Tiered] = []
    for one, signature in zip(shown, arranged.signatures, strict=True):
        text, lost = "", Losses()
        if tier != "names":
            text, lost = writer.entry(one.name, signature, one.lines)
        losses += [loss.below("tools", one.name) for loss in (*one.losses, *lost)]
        plain = text
        if is_full and (one.lines or flags_of(signature) & NOTES):
            plain, _ = writer.entry(one.name, mapped(signature, without_notes), ())
        entries.append(Tiered(one.name, writer.name(one.name), plain, text, (one.name,)))
    ahead: list[Tiered] = []
    if tier != "names":
        ahead += _aliases(writer, names, arranged.signatures)
        for name, users in _users(names, arranged).items():
            t = arranged.ahead[name]
            text, lost = writer.definition(name, t)
            losses += [loss.below("types", name) for loss in lost]
            plain, _ = writer.definition(name, without_notes(t))
            ahead.append(Tiered(name, "", plain, text, tuple(users)))
    layout = writer.layout
    if legend:
        layout = layout._replace(head="\n\n".join([layout.head, "\n".join(row.legend)]))
    signatures = dict(zip(names, arranged.signatures, strict=True))
    return Listing(style, tier, layout, tuple(ahead), tuple(entries), tuple(losses), signatures)


def _users(names: Sequence[str], arranged: Named) -> dict[str, list[str]]:
    """Return the types ahead, in order, each with the names of the tools that need it."""
    users: dict[str, list[str]] = {name: [] for name in arranged.ahead}
    for tool, signature in zip(names, arranged.signatures, strict=True):
        for definition in signature.definitions:
            if definition.name in users:
                users[definition.name].append(tool)
    return {name: tools for name, tools in users.items() if tools}


def _aliases(writer: Writer, names: Sequence[str], signatures: Sequence[Signature]) -> list[Tiered]:
    found: dict[tuple[str, str], list[str]] = {}
    for tool, signature in zip(names, signatures, strict=True):
        for alias in writer.aliases(signature):
            found.setdefault(alias, []).append(tool)
    return [Tiered(name, "", text, text, tuple(tools)) for (name, text), tools in found.items()]
