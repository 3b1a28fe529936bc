"""Ends of links: parts of results, and parameters of tools with their parts.

A chain is what a model can do, so firewalled fields of results, and firewalled parameters, are no
ends.  The type of a parameter still has its firewalled fields: what lacks them does not fit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.signature import Signature, map_types
from typesig.algebra.traversal import drop_annotations
from typesig.algebra.views.redaction import make_standalone_signature, redact
from typesig.contracts.chains.names import (
    WRAPPERS,
    DescribedTool,
    NameWords,
    Words,
    find_description_words,
    find_nouns,
    find_service,
    split_words,
)
from typesig.limits.contracts import MAX_CHAIN_DEPTH, MAX_CHAIN_PARTS

#: Steps of a path that are no names of fields.
_ITEMS, _REST = "[]", "**"


class End(NamedTuple):
    """Part of a tool's result or parameter at which a link may start or end.

    #: tool, path: where it is; the path of a parameter begins with its name
    #: type: its type without descriptions, as a signature with the definitions that it uses
    #: required: whether it is always there, or must be given
    #: is_named: whether a field on the path has a name
    """

    tool: str
    path: tuple[str, ...]
    type: Signature
    required: bool
    wording: NameWords
    is_named: bool


class _EndPart(NamedTuple):
    """Part of a result or parameter, collected before it becomes an `End`."""

    path: tuple[str, ...]
    names: tuple[str, ...]
    type: nodes.Type
    required: bool
    inside: frozenset[str]


class Ends(NamedTuple):
    """Link ends of one tool: the parts of its result and of its parameters.

    #: is_cut: whether it has more of them than a chain looks at
    """

    sources: tuple[End, ...]
    sinks: tuple[End, ...]
    is_cut: bool


def find_ends(tool: DescribedTool, prefixes: Words) -> Ends:
    """Find the link ends of *tool*: parts of its result and parameters."""
    around = NameWords(frozenset(), find_nouns(tool, prefixes), find_description_words(tool))
    around = around._replace(service=find_service(tool, prefixes))
    shown = map_types(redact(tool.signature), drop_annotations)
    whole = _EndPart((), (), shown.returns, True, frozenset())
    parts, is_cut = _find_parts([whole], shown.names, is_result=True)
    # Nothing is made of nil.
    parts = [part for part in parts if part.type != nodes.NIL]
    sources = [_end(tool.name, part, shown, around) for part in parts]
    taken = map_types(tool.signature, drop_annotations)
    params = [_make_field_part(f, whole) for f in taken.params if not f.firewalled]
    parts, cuts = _find_parts(params, taken.names, is_result=False)
    sinks = [_end(tool.name, part, taken, around) for part in parts]
    return Ends(tuple(sources), tuple(sinks), is_cut or cuts)


def _end(tool: str, part: _EndPart, of: Signature, around: NameWords) -> End:
    """Build the `End` of *tool* for *part*, whose type refers to definitions of *of*."""
    words = [split_words(name) for name in part.names]
    own = words[-1] if words else around.context
    outer = (each - WRAPPERS for each in reversed(words[:-1]))
    context = next(filter(None, outer), around.context)
    return End(
        tool,
        part.path,
        make_standalone_signature(part.type, of.names),
        part.required,
        around._replace(own=own, context=context),
        bool(words),
    )


def _find_parts(
    first: list[_EndPart], names: Mapping[str, nodes.Type], is_result: bool
) -> tuple[list[_EndPart], bool]:
    """List *first* and the parts inside, level by level; also whether a limit cut them."""
    found: list[_EndPart] = []
    pending = deque(first)
    is_cut = False
    while pending:
        part = pending.popleft()
        if len(found) == MAX_CHAIN_PARTS:
            return found, True
        found.append(part)
        inner = list(_iter_inner(part, names, is_result))
        if len(part.path) < MAX_CHAIN_DEPTH:
            pending += inner
        else:
            is_cut = is_cut or bool(inner)
    return found, is_cut


def _iter_inner(
    part: _EndPart, names: Mapping[str, nodes.Type], is_result: bool
) -> Iterator[_EndPart]:
    """Yield the direct parts of *part*; of a parameter, only independent ones."""
    t = part.type
    match t:
        case nodes.Leaf() | nodes.Not() | nodes.ItemCount():
            return
        case nodes.List(item) | nodes.Set(item):
            yield _extend_part(part, _ITEMS, item)
        case nodes.Tuple(items, rest):
            for place, item in enumerate(items):
                yield _extend_part(part, str(place), item)
            if rest is not None:
                yield _extend_part(part, _REST, rest)
        case nodes.MapOf(key, value):
            yield _extend_part(part, "key", key)
            yield _extend_part(part, "value", value)
        case nodes.Record():
            yield from _iter_record_parts(part, t, is_result)
        case nodes.Maybe(inner):
            maybe = part._replace(type=inner, required=part.required and not is_result)
            yield from _iter_inner(maybe, names, is_result)
        case nodes.Union(members) | nodes.One(members):
            for place, member in enumerate(members, 1):
                yield _extend_part(part, f"|{place}", member)._replace(required=False)
        case nodes.Both(members):
            for member in members if is_result else ():
                yield from _iter_inner(part._replace(type=member), names, is_result)
        case nodes.Refinement(inner) | nodes.Annotation(inner):
            yield from _iter_inner(part._replace(type=inner), names, is_result)
        case nodes.Ref(name):
            if name not in part.inside:
                inside = part.inside | {name}
                yield from _iter_inner(
                    part._replace(type=names[name], inside=inside), names, is_result
                )
        case _:
            assert_never(t)


def _extend_part(part: _EndPart, step: str, t: nodes.Type) -> _EndPart:
    """Copy *part* with *step* appended to its path and with type *t*."""
    return part._replace(path=(*part.path, step), type=t)


def _iter_record_parts(part: _EndPart, t: nodes.Record, is_result: bool) -> Iterator[_EndPart]:
    """Yield the parts of record *t*: visible fields, key patterns and extra."""
    if t.matching and not is_result:
        # The value of a field has to fit the patterns, too.
        return
    for field in t.fields:
        if not field.firewalled:
            yield _make_field_part(field, part)
    for each in t.matching:
        yield _extend_part(part, f"/{each.pattern}/", each.type)._replace(required=False)
    if t.extra is not None and t.extra != nodes.ANY:
        yield _extend_part(part, _REST, t.extra)._replace(required=False)


def _make_field_part(field: nodes.Field, part: _EndPart) -> _EndPart:
    """Build the part for *field* of the record at *part*."""
    names = (*part.names, field.name)
    required = part.required and field.required
    path = (*part.path, field.name)
    return part._replace(path=path, names=names, type=field.type, required=required)
