"""Finding tools by words: BM25 over names, descriptions, and the texts of parameters.

A word of a name counts as three words of prose.  Firewalled names and their texts are not in the
index.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Annotated, Any, NamedTuple, TypeVar

from typesig.algebra.nodes import Annotation, Field, Record
from typesig.algebra.redaction import find_used_names, redact
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import iter_types
from typesig.calls.functions import ToolError
from typesig.errors import TooLarge, TypesigError
from typesig.limits import MAX_QUERY
from typesig.tools.tool import Tool

#: The toolset that was found.
Found = TypeVar("Found", bound=Sized)

# A character of Chinese or Japanese is a word: no blanks stand between their words.
_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
_CASES = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

#: Words that say nothing about a tool; they are skipped in queries that have others.
_COMMON = frozenset({
    "a", "all", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "for", "from",
    "get", "has", "have", "how", "i", "in", "is", "it", "its", "me", "my", "of", "on", "or",
    "please", "so", "some", "that", "the", "their", "them", "then", "there", "this", "to", "tool",
    "use", "using", "want", "was", "we", "what", "when", "which", "with", "you", "your",
})  # fmt: skip

_NAME_WEIGHT = 3
# The usual constants of BM25: how fast repetition saturates, and how much length counts.
_SATURATION, _LENGTH = 1.2, 0.75


class SearchIndex(NamedTuple):
    """Word index over the tools of a toolset, which are identified by number.

    #: places: for each word, the tools that have it, with its weight there
    #: lengths: the number of words of each tool, relative to the average
    """

    places: dict[str, list[tuple[int, int]]]
    lengths: list[float]


def iter_words(text: str) -> Iterator[str]:
    """Yield the words of *text*, in lower case and singular.

    A word such as `createIssue` is followed by its parts.
    """
    for word in _WORDS.findall(text):
        yield _make_singular(word.casefold())
        parts = _CASES.split(word)
        if parts[1:]:
            yield from (_make_singular(part.casefold()) for part in parts)


def _make_singular(word: str) -> str:
    """Return *word* without the ending of an English plural, or of a verb's third person."""
    if len(word) < 4 or word[-1] != "s" or word[-2] in "su":
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("ches", "shes", "sses", "xes", "zes")) else word[:-1]


def make_index(tools: Iterable[Tool[..., Any]]) -> SearchIndex:
    """Build the search index over the names and texts of *tools*."""
    places: dict[str, list[tuple[int, int]]] = {}
    sizes: list[int] = []
    for number, tool in enumerate(tools):
        weights = Counter[str]()
        for word in iter_words(tool.name):
            weights[word] += _NAME_WEIGHT
        for text in _iter_texts(tool.description, redact(tool.signature)):
            weights.update(iter_words(text))
        sizes.append(weights.total())
        for word, weight in weights.items():
            places.setdefault(word, []).append((number, weight))
    average = sum(sizes) / len(sizes) if sizes else 1
    return SearchIndex(places, [size / average for size in sizes])


def _iter_texts(description: str | None, signature: Signature) -> Iterator[str]:
    """Yield the description, and the names and descriptions of parameters and of their fields."""
    yield description or ""
    yield from _iter_field_texts(signature.params)
    types, names = [field.type for field in signature.params], signature.names
    types += [names[name] for name in find_used_names(names, types)]
    for part in [part for whole in types for part in iter_types(whole)]:
        if isinstance(part, Annotation):
            yield part.text or ""
        if isinstance(part, Record):
            yield from _iter_field_texts(part.fields)


def _iter_field_texts(fields: Iterable[Field]) -> Iterator[str]:
    """Yield the names of *fields* as text for the search index."""
    for field in fields:
        yield field.name


def search_index(index: SearchIndex, query: str) -> list[int]:
    """Return the numbers of the tools that have a word of *query*, the best first.

    Tools that fit equally well keep their order.
    """
    words = dict.fromkeys(iter_words(query))
    words = {word: None for word in words if word not in _COMMON} or words
    scores: dict[int, float] = {}
    for word in words:
        places = index.places.get(word, ())
        rarity = math.log(1 + (len(index.lengths) - len(places) + 0.5) / (len(places) + 0.5))
        for number, weight in places:
            longer = _SATURATION * (1 - _LENGTH + _LENGTH * index.lengths[number])
            score = rarity * weight * (_SATURATION + 1) / (weight + longer)
            scores[number] = scores.get(number, 0.0) + score
    # Rounded, so that the last digits of a logarithm decide nothing.
    return sorted(scores, key=lambda number: (-round(scores[number], 9), number))


def check_query(query: object, k: object) -> None:
    """Raise `TypesigError` if *query* is not text or *k* is not a number of tools."""
    if not isinstance(query, str):
        raise TypesigError(f"a query is text such as 'open issues', not {type(query).__name__}")
    if len(query) > MAX_QUERY:
        raise TooLarge(f"a query has up to {MAX_QUERY} characters, this one has {len(query)}")
    if type(k) is not int or k < 1:
        shown = str(k)[:20] if type(k) is int else type(k).__name__
        raise TypesigError(f"k is the number of tools to find, 1 or more, not {shown}")


def search_tool(
    search: Callable[[str, int], Found],
    k: int,
    listed: Callable[[Found], str],
    name: str,
    on_found: Callable[[Found], object] | None,
) -> Tool[..., Any]:
    """Build the tool *name*, by which a model searches for tools; see `as_search`."""
    check_query("", k)
    if on_found is not None and not callable(on_found):
        raise TypesigError(f"on_found is a function, not {type(on_found).__name__}")

    def find_tools(query: Annotated[str, "words of what the tool does"]) -> str:
        try:
            found = search(query, k)
        except TooLarge as error:
            raise ToolError(str(error)) from None
        if on_found is not None:
            on_found(found)
        return listed(found) if len(found) else "No tool has these words; try others."

    text = "Find tools by words; the result lists the tools that fit best, which you can call then."
    return Tool(find_tools, name=name, description=text, annotations={"readOnlyHint": True})
