"""Ends of links: parts of results, and parameters of tools with their parts.

A chain is what a model can do, so firewalled fields of results, and firewalled parameters, are no
ends.  The type of a parameter still has its firewalled fields: what lacks them does not fit.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.redaction import make_standalone_signature, redact
from typesig.algebra.signature import Signature, map_types
from typesig.algebra.traversal import drop_annotations
from typesig.calls.protocols import ToolLike
from typesig.contracts.contract import ToolContract
from typesig.limits import MAX_QUERY
from typesig.limits.contracts import MAX_CHAIN_DEPTH, MAX_CHAIN_PARTS
from typesig.tools.search import iter_words

# --- Agreement between the name of a result's part and that of a parameter ---
# A name alone says little if it is `id`: then the names around it decide, those of the fields that
# it stands in and of the tool.  Verbs in the names of tools, and words that only tell which of
# several things is meant (`next`, `new`), are left out.

Words = frozenset[str]

#: Words of names of tools that say what is done, and not with what.
VERBS = frozenset({
    "add", "ask", "book", "build", "buy", "by", "call", "cancel", "change", "check", "clear",
    "close", "compute", "convert", "copy", "count", "create", "delete", "describe", "do",
    "download", "edit", "execute", "export", "fetch", "find", "for", "from", "get", "import", "in",
    "insert", "list", "load", "look", "lookup", "make", "merge", "modify", "move", "of", "on",
    "open", "patch", "pay", "place", "post", "print", "put", "query", "read", "reject", "remove",
    "rename", "replace", "reply", "resolve", "run", "save", "search", "select", "send", "set",
    "show", "start", "stop", "submit", "summarize", "the", "to", "translate", "update", "upload",
    "upsert", "use", "validate", "view", "with", "write",
})  # fmt: skip

#: Words that any thing may have: the same one in two places tells little.
GENERIC = frozenset({
    "amount", "body", "code", "content", "count", "cursor", "data", "date", "description", "id",
    "index", "input", "key", "kind", "label", "limit", "link", "message", "name", "note", "number",
    "offset", "option", "output", "page", "query", "result", "size", "state", "status", "summary",
    "text", "time", "title", "token", "total", "type", "url", "value",
})  # fmt: skip

#: Words of fields that only hold what a tool returns.
WRAPPERS = frozenset({
    "content", "data", "edge", "entry", "hit", "item", "list", "match", "node", "output", "page",
    "payload", "record", "response", "result", "row", "value",
})  # fmt: skip

#: Words that name a thing by a number or a text of its own.
HANDLES = frozenset({"id", "key", "name", "number", "code"})

#: Words of what a tool returns to be called again with.
PAGING = frozenset({"cursor", "offset", "page", "token"})

_MODIFIERS = frozenset({"current", "first", "last", "new", "next", "old", "previous", "the"})

#: How many tools have the same first word, if it is a prefix and no thing.
_PREFIXED = 3

#: A tool, or its contract in a lock.
DescribedTool: TypeAlias = ToolLike | ToolContract


class NameWords(NamedTuple):
    """Words from the name and context of a result part or a parameter.

    #: own: the words of its name; context: those around it; prose: those of descriptions
    #: service: the prefix that the names of its tool and of others have, or an empty text
    """

    own: Words
    context: Words
    prose: Words = frozenset()
    service: str = ""


def split_words(text: str) -> Words:
    """Split *text* into words, without qualifiers such as "first" or "new"."""
    words = frozenset(iter_words(text[:MAX_QUERY]))
    return words - _MODIFIERS or words


def find_prefixes(names: Iterable[str]) -> Words:
    """Find the first words that several tool *names* share, other than verbs."""
    first = Counter(next(iter_words(name), "") for name in names)
    return frozenset(word for word, count in first.items() if count >= _PREFIXED) - VERBS


def find_nouns(tool: DescribedTool, prefixes: Words) -> Words:
    """Find the words of the tool's name other than verbs and *prefixes*."""
    nouns = split_words(tool.name) - VERBS
    return nouns - prefixes or nouns


def find_service(tool: DescribedTool, prefixes: Words) -> str:
    """Return the service prefix of the tool's name, or an empty text without one."""
    first = next(iter_words(tool.name), "")
    return first if first in prefixes and first not in find_nouns(tool, prefixes) else ""


@lru_cache(maxsize=10_000)
def measure_agreement(source: NameWords, target: NameWords) -> int:
    """Agreement of two names: from 3 for the same thing to 0 for unrelated names.

    It is -1 for the same word about two things, such as the title of an issue and of a page; and at
    most 1 for tools of two services, unless one of them names the other.

    >>> user, order = frozenset({"user"}), frozenset({"order"})
    >>> key, none = frozenset({"id"}), frozenset[str]()
    >>> measure_agreement(NameWords(key, user), NameWords(key | user, none))
    3
    >>> measure_agreement(NameWords(key, user), NameWords(key, order))
    -1
    """
    agreed = _compute_agreement(source, target)
    if agreed < 2 or "" in (source.service, target.service) or source.service == target.service:
        return agreed
    named = target.service in source.own | source.context or source.service in target.own
    return agreed if named else 1


def _compute_agreement(source: NameWords, target: NameWords) -> int:
    """Score how well the names of *source* and *target* agree, from -1 to 3."""
    mine, theirs = source.own, target.own
    if not mine or not theirs:
        return 0
    if mine == theirs:
        if not source.own <= GENERIC:
            return 3
        if not source.context or not target.context:
            return 2
        return 3 if source.context & target.context else -1
    known = source.context
    if mine <= theirs:
        more, known = theirs - mine, known | {source.service}
        return _compare_qualified(more, known, source.prose, mine)
    if theirs <= mine:
        more, known = mine - theirs, target.context | {target.service}
        return _compare_qualified(more, known, target.prose, theirs)
    if mine <= HANDLES and not theirs <= GENERIC:
        # The id of a user is what a parameter `user` takes.
        return 3 if theirs <= known else 2 if theirs <= known | source.prose else 0
    if len(theirs) == 1 and theirs <= HANDLES and mine <= target.context:
        # A user, or what finds one, for the id that a tool for users takes.
        return 3
    return 1 if (mine & theirs) - GENERIC else 0


def _compare_qualified(more: Words, known: Words, prose: Words, shared: Words) -> int:
    """Rate the agreement of two names when one adds the words *more* to *shared*."""
    if more <= known:
        return 3
    if more <= known | prose:
        return 2
    return 0 if shared <= GENERIC else 1


def iter_sink_keys(wording: NameWords) -> Iterator[object]:
    """Yield the keys under which a parameter is indexed by its name."""
    own = wording.own
    yield from own - GENERIC
    if own <= GENERIC:
        yield from own if len(own) > 1 else ()
        yield own, None
        if not wording.context:
            yield own, ""
        yield from ((own, word) for word in _get_context_words(wording))


def iter_source_keys(wording: NameWords) -> Iterator[object]:
    """Yield the keys for looking up parameters with names related to a result part.

    A name of three words that any thing may have is found only by the same name.
    """
    own = wording.own
    special, general = own - GENERIC, own & GENERIC
    yield from special
    # The id of a user, for a parameter `id` of a tool for users.
    parts = {general, *(frozenset({word}) for word in general | HANDLES)}
    yield from ((part, word) for part in parts for word in own)
    if special:
        return
    yield from _get_context_words(wording)
    yield own, ""
    if not wording.context:
        yield own, None
    yield from ((own, word) for word in wording.context)


def _get_context_words(wording: NameWords) -> Words:
    """Collect the context words of *wording* and its service prefix."""
    service = {wording.service} if wording.service else set()
    return wording.context | wording.prose | service


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
    prose = split_words(tool.description or "") - VERBS - GENERIC
    service = find_service(tool, prefixes)
    around = NameWords(frozenset(), find_nouns(tool, prefixes), prose, service)
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
