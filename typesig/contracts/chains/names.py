"""Agreement between the name of a result's part and that of a parameter.

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
from typesig.tools.search import iter_words

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


class DescribedTool(Protocol):
    """Protocol for tools and contracts in locks: the attributes that chains use."""

    @property
    def name(self) -> str:
        """Name under which a model calls the tool."""
        ...

    @property
    def signature(self) -> Signature:
        """Parameters and result of the tool."""
        ...

    @property
    def description(self) -> str | None:
        """Description of the tool, or None."""
        ...

    @property
    def annotations(self) -> Mapping[str, Any]:
        """MCP annotations of the tool, such as `readOnlyHint`."""
        ...


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


def find_description_words(tool: DescribedTool) -> Words:
    """Collect the specific words of the tool's description, without verbs."""
    return split_words(tool.description or "") - VERBS - GENERIC


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
        return _compare_names(source, target)
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


def _compare_names(source: NameWords, target: NameWords) -> int:
    """Score equal names, from -1 to 3; generic names are judged by their context."""
    if not source.own <= GENERIC:
        return 3
    if not source.context or not target.context:
        return 2
    return 3 if source.context & target.context else -1


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
