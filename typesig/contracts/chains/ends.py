"""The ends of links: the parts of results, and the parameters of tools and their parts.

A chain is what a model can do, so firewalled fields of results, and firewalled parameters, are no
ends.  The type of a parameter still has its firewalled fields: what lacks them does not fit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.signature import Signature, mapped
from typesig.algebra.traversal import without_notes
from typesig.algebra.views.redaction import alone, redacted
from typesig.contract_limits import MAX_CHAIN_DEPTH, MAX_CHAIN_PARTS
from typesig.contracts.chains.names import (
    WRAPPERS,
    Described,
    Wording,
    Words,
    nouns_of,
    plain_words,
    prose_of,
    service_of,
)

#: Steps of a path that are no names of fields.
_ITEMS, _REST = "[]", "**"


class End(NamedTuple):
    """A part of a result, or of a parameter.

    #: tool, path: where it is; the path of a parameter begins with its name
    #: type: its type without descriptions, as a signature with the definitions that it uses
    #: required: whether it is always there, or must be given
    #: is_named: whether a field on the path has a name
    """

    tool: str
    path: tuple[str, ...]
    type: Signature
    required: bool
    wording: Wording
    is_named: bool


class _Part(NamedTuple):
    path: tuple[str, ...]
    names: tuple[str, ...]
    type: nodes.Type
    required: bool
    inside: frozenset[str]


class Ends(NamedTuple):
    """The ends of one tool.

    #: is_cut: whether it has more of them than a chain looks at
    """

    sources: tuple[End, ...]
    sinks: tuple[End, ...]
    is_cut: bool


def ends_of(tool: Described, prefixes: Words) -> Ends:
    """Return the ends of *tool*."""
    around = Wording(frozenset(), nouns_of(tool, prefixes), prose_of(tool))
    around = around._replace(service=service_of(tool, prefixes))
    shown = mapped(redacted(tool.signature), without_notes)
    whole = _Part((), (), shown.returns, True, frozenset())
    parts, is_cut = _within([whole], shown.names, is_result=True)
    # Nothing is made of nil.
    parts = [part for part in parts if part.type != nodes.NIL]
    sources = [_end(tool.name, part, shown, around) for part in parts]
    taken = mapped(tool.signature, without_notes)
    params = [_part_of_field(f, whole) for f in taken.params if not f.firewalled]
    parts, cuts = _within(params, taken.names, is_result=False)
    sinks = [_end(tool.name, part, taken, around) for part in parts]
    return Ends(tuple(sources), tuple(sinks), is_cut or cuts)


def _end(tool: str, part: _Part, of: Signature, around: Wording) -> End:
    words = [plain_words(name) for name in part.names]
    own = words[-1] if words else around.context
    outer = (each - WRAPPERS for each in reversed(words[:-1]))
    context = next(filter(None, outer), around.context)
    return End(
        tool,
        part.path,
        alone(part.type, of.names),
        part.required,
        around._replace(own=own, context=context),
        bool(words),
    )


def _within(
    first: list[_Part], names: Mapping[str, nodes.Type], is_result: bool
) -> tuple[list[_Part], bool]:
    """Return *first* and the parts in them, level by level; and whether there are more."""
    found: list[_Part] = []
    pending = deque(first)
    is_cut = False
    while pending:
        part = pending.popleft()
        if len(found) == MAX_CHAIN_PARTS:
            return found, True
        found.append(part)
        inner = list(_inner(part, names, is_result))
        if len(part.path) < MAX_CHAIN_DEPTH:
            pending += inner
        else:
            is_cut = is_cut or bool(inner)
    return found, is_cut


def _inner(part: _Part, names: Mapping[str, nodes.Type], is_result: bool) -> Iterator[_Part]:
    """Yield the parts directly in *part*; of a parameter, those that decide by themselves."""
    t = part.type
    match t:
        case nodes.Leaf() | nodes.Not() | nodes.Counted():
            return
        case nodes.List(item) | nodes.Set(item):
            yield _step(part, _ITEMS, item)
        case nodes.Tuple(items, rest):
            for place, item in enumerate(items):
                yield _step(part, str(place), item)
            if rest is not None:
                yield _step(part, _REST, rest)
        case nodes.MapOf(key, value):
            yield _step(part, "key", key)
            yield _step(part, "value", value)
        case nodes.Record():
            yield from _in_record(part, t, is_result)
        case nodes.Maybe(inner):
            maybe = part._replace(type=inner, required=part.required and not is_result)
            yield from _inner(maybe, names, is_result)
        case nodes.Union(members) | nodes.One(members):
            for place, member in enumerate(members, 1):
                yield _step(part, f"|{place}", member)._replace(required=False)
        case nodes.Both(members):
            for member in members if is_result else ():
                yield from _inner(part._replace(type=member), names, is_result)
        case nodes.Refined(inner) | nodes.Noted(inner):
            yield from _inner(part._replace(type=inner), names, is_result)
        case nodes.Ref(name):
            if name not in part.inside:
                inside = part.inside | {name}
                yield from _inner(part._replace(type=names[name], inside=inside), names, is_result)
        case _:
            assert_never(t)


def _step(part: _Part, step: str, t: nodes.Type) -> _Part:
    return part._replace(path=(*part.path, step), type=t)


def _in_record(part: _Part, t: nodes.Record, is_result: bool) -> Iterator[_Part]:
    if t.matching and not is_result:
        # The value of a field has to fit the patterns, too.
        return
    for field in t.fields:
        if not field.firewalled:
            yield _part_of_field(field, part)
    for each in t.matching:
        yield _step(part, f"/{each.pattern}/", each.type)._replace(required=False)
    if t.extra is not None and t.extra != nodes.ANY:
        yield _step(part, _REST, t.extra)._replace(required=False)


def _part_of_field(field: nodes.Field, part: _Part) -> _Part:
    names = (*part.names, field.name)
    required = part.required and field.required
    path = (*part.path, field.name)
    return part._replace(path=path, names=names, type=field.type, required=required)
