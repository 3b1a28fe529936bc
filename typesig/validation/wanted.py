"""What a type wants of a text in which its value is searched for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from typesig.algebra.nodes import (
    BOOL,
    STRING,
    Both,
    Enum,
    List,
    Maybe,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Set,
    Tuple,
    Type,
    Union,
    folded,
)

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_NEGATIONS = frozenset(("not", "never", "neither", "nor", "no", "non", "without", "except"))


class Wanted(NamedTuple):
    """The types that a whole value may be of, and the types of references."""

    types: tuple[Type, ...]
    names: Mapping[str, Type]

    @property
    def text(self) -> bool:
        """Whether a text of any words is wanted."""
        return STRING in self.types

    @property
    def lists(self) -> bool:
        """Whether a list is wanted."""
        return any(isinstance(t, List | Set | Tuple) for t in self.types)

    def knows(self, data: Any) -> bool:
        """Return whether a map has a key that a record declares, if only records take it."""
        if isinstance(data, list) and data:
            lists = [t for t in self.types if isinstance(t, List | Set)]
            inner = [wanted_of(t.item, self.names) for t in lists]
            return not inner or any(each.knows(data[0]) for each in inner)
        records = [t for t in self.types if isinstance(t, Record)]
        if not isinstance(data, dict) or any(not t.fields for t in records):
            return True
        keys = {folded(str(key)).casefold() for key in data}
        declared = {folded(f.name).casefold() for t in records for f in t.fields}
        return not records or not keys.isdisjoint(declared)

    def words(self) -> dict[str, Any]:
        """Return the values that are words, by their words in small letters."""
        out: dict[str, Any] = {"true": True, "false": False} if BOOL in self.types else {}
        for t in self.types:
            for value in t.values if isinstance(t, Enum) else ():
                if isinstance(value.value, str):
                    out.setdefault(value.value.casefold(), value.value)
        return out


def wanted_of(t: Type, names: Mapping[str, Type]) -> Wanted:
    """Return what *t* wants; *names* has the types of references."""
    types: list[Type] = []
    seen: set[str] = set()
    todo: list[Type] = [t]
    while todo:
        match each := todo.pop():
            case Ref(name):
                if name not in seen:
                    seen.add(name)
                    todo.append(names[name])
            case Maybe(inner) | Noted(inner) | Refined(inner):
                todo.append(inner)
            case Union(members) | One(members) | Both(members):
                todo.extend(members)
            case _:
                types.append(each)
    return Wanted(tuple(types), names)


def only_word(text: str, words: Mapping[str, Any]) -> tuple[Any, int] | None:
    """Return the value of the only one of *words* that *text* has, and where.

    Returns None if there are several, or none, or if the word is negated.

    >>> only_word("The answer is Yes.", {"yes": "yes", "no": "no"})
    ('yes', 14)
    """
    by_start: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        first = _WORD.search(word)
        if first is not None and first.start() == 0:
            by_start.setdefault(first[0], []).append(word)
    found: dict[str, int] = {}
    small, place, before = text.casefold(), 0, ""
    if len(small) != len(text):
        small = text.lower() if len(text.lower()) == len(text) else text
    for token in _WORD.finditer(small):
        if token.start() < place:
            continue
        for word in by_start.get(token[0], ()):
            end = token.start() + len(word)
            if small.startswith(word, token.start()) and not small[end : end + 1].isalnum():
                if before in _NEGATIONS or before.endswith(("n't", "n’t")):
                    return None
                found.setdefault(word, token.start())
                place = end
                break
        before = token[0]
    if len({str(words[word]) for word in found}) != 1:
        return None
    word, place = next(iter(found.items()))
    return words[word], place
