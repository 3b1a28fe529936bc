"""How well the name of a part of a result agrees with that of a parameter.

A name alone says little if it is `id`: then the names around it decide, those of the fields that it
stands in and of the tool.  Verbs in the names of tools, and words that only tell which of several
things is meant (`next`, `new`), are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from typesig.algebra.signature import Signature
from typesig.limits import MAX_QUERY
from typesig.tools.searching import words_of

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


class Described(Protocol):
    """What a chain asks of a tool, which the contract in a lock has, too."""

    @property
    def name(self) -> str:
        """The name by which a model calls it."""
        ...

    @property
    def signature(self) -> Signature:
        """What it takes and returns."""
        ...

    @property
    def description(self) -> str | None:
        """The description, or None."""
        ...

    @property
    def annotations(self) -> Mapping[str, Any]:
        """The hints for the host, as MCP has them."""
        ...


class Wording(NamedTuple):
    """What a part or a parameter is called.

    #: own: the words of its name; context: those around it; prose: those of descriptions
    #: service: the prefix that the names of its tool and of others have, or an empty text
    """

    own: Words
    context: Words
    prose: Words = frozenset()
    service: str = ""


def plain_words(text: str) -> Words:
    """Return the words of *text*, without those that only tell which of several is meant."""
    words = frozenset(words_of(text[:MAX_QUERY]))
    return words - _MODIFIERS or words


def prefixes_of(names: Iterable[str]) -> Words:
    """Return the first words that several of *names* share."""
    first = Counter(next(words_of(name), "") for name in names)
    return frozenset(word for word, count in first.items() if count >= _PREFIXED) - VERBS


def nouns_of(tool: Described, prefixes: Words) -> Words:
    """Return the words of a tool's name that tell with what it has to do."""
    nouns = plain_words(tool.name) - VERBS
    return nouns - prefixes or nouns


def service_of(tool: Described, prefixes: Words) -> str:
    """Return the prefix of a tool's name, if the name has other words for what it deals with."""
    first = next(words_of(tool.name), "")
    return first if first in prefixes and first not in nouns_of(tool, prefixes) else ""


def prose_of(tool: Described) -> Words:
    """Return the words of a tool's description."""
    return plain_words(tool.description or "") - VERBS - GENERIC


@lru_cache(maxsize=10_000)
def agreement(source: Wording, target: Wording) -> int:
    """Return how well two names agree: 3 for the same thing, 0 for nothing in common.

    It is -1 for the same word about two things, such as the title of an issue and of a page; and at
    most 1 for tools of two services, unless one of them names the other.

    >>> user, order = frozenset({"user"}), frozenset({"order"})
    >>> key, none = frozenset({"id"}), frozenset[str]()
    >>> agreement(Wording(key, user), Wording(key | user, none))
    3
    >>> agreement(Wording(key, user), Wording(key, order))
    -1
    """
    agreed = _agreement(source, target)
    if agreed < 2 or "" in (source.service, target.service) or source.service == target.service:
        return agreed
    named = target.service in source.own | source.context or source.service in target.own
    return agreed if named else 1


def _agreement(source: Wording, target: Wording) -> int:
    mine, theirs = source.own, target.own
    if not mine or not theirs:
        return 0
    if mine == theirs:
        return _same_name(source, target)
    known = source.context
    if mine <= theirs:
        more, known = theirs - mine, known | {source.service}
        return _qualified(more, known, source.prose, mine)
    if theirs <= mine:
        more, known = mine - theirs, target.context | {target.service}
        return _qualified(more, known, target.prose, theirs)
    if mine <= HANDLES and not theirs <= GENERIC:
        # The id of a user is what a parameter `user` takes.
        return 3 if theirs <= known else 2 if theirs <= known | source.prose else 0
    if len(theirs) == 1 and theirs <= HANDLES and mine <= target.context:
        # A user, or what finds one, for the id that a tool for users takes.
        return 3
    return 1 if (mine & theirs) - GENERIC else 0


def _same_name(source: Wording, target: Wording) -> int:
    if not source.own <= GENERIC:
        return 3
    if not source.context or not target.context:
        return 2
    return 3 if source.context & target.context else -1


def _qualified(more: Words, known: Words, prose: Words, shared: Words) -> int:
    """Return the agreement of two names of which one has the words *more* besides *shared*."""
    if more <= known:
        return 3
    if more <= known | prose:
        return 2
    return 0 if shared <= GENERIC else 1


def names_as_sink(wording: Wording) -> Iterator[object]:
    """Yield the keys by which a parameter is found; see `names_as_source`."""
    own = wording.own
    yield from own - GENERIC
    if own <= GENERIC:
        yield from own if len(own) > 1 else ()
        yield own, None
        if not wording.context:
            yield own, ""
        yield from ((own, word) for word in _around(wording))


def names_as_source(wording: Wording) -> Iterator[object]:
    """Yield keys of which a parameter has at least one if the names agree in any way.

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
    yield from _around(wording)
    yield own, ""
    if not wording.context:
        yield own, None
    yield from ((own, word) for word in wording.context)


def _around(wording: Wording) -> Words:
    service = {wording.service} if wording.service else set()
    return wording.context | wording.prose | service
