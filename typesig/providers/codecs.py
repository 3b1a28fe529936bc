"""Codecs: how values travel where a provider cannot take their type as it is.

A codec is a value; None stands for values that travel as they are.  `encode` takes JSON data that
conforms to the type and returns what the rewritten schema accepts; `decode` undoes it, and returns
whatever does not have the expected form as it is, so that validation tells what is wrong with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from typesig.algebra.values import Const, const
from typesig.errors import TypesigError
from typesig.limits import MAX_DIGITS
from typesig.notations.quoting import encodable
from typesig.validation.json_text import BadJson, read_json


class Codec(Protocol):
    """Both directions of a rewrite."""

    def decode(self, value: Any) -> Any:
        """Return what *value*, which was sent, stands for."""
        ...

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        ...


#: A codec, or None if values travel as they are.
Coding: TypeAlias = Codec | None

#: Tells whether a value conforms to a type.
Accepts = Callable[[Any], bool]


def decoded(codec: Coding, value: Any) -> Any:
    """Return what *value*, which was sent, stands for."""
    return value if codec is None else codec.decode(value)


def encoded(codec: Coding, value: Any) -> Any:
    """Return what stands for *value*."""
    return value if codec is None else codec.encode(value)


def json_text(value: Any) -> str:
    """Return *value* as compact JSON text; lone surrogates are escaped."""
    return encodable(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


@dataclass(frozen=True, slots=True)
class JsonText:
    """A value as JSON text; text that is not JSON stands for itself."""

    def decode(self, value: Any) -> Any:
        """Return what *value* stands for."""
        if not isinstance(value, str):
            return value
        try:
            return read_json(value)
        except BadJson:
            return value

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        return json_text(value)


_INTEGER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class IntegerText:
    """An integer as its decimal digits."""

    def decode(self, value: Any) -> Any:
        """Return what *value* stands for."""
        if isinstance(value, str) and _INTEGER.fullmatch(value) and len(value) <= MAX_DIGITS:
            return int(value)
        return value

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        return str(value)


@dataclass(frozen=True, slots=True)
class Words:
    """Constants as texts.

    #: constants: the constants by their texts
    """

    constants: tuple[tuple[str, Const], ...]

    def decode(self, value: Any) -> Any:
        """Return what *value* stands for."""
        for text, held in self.constants:
            if type(value) is str and value == text:
                return held.thaw()
        return value

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        try:
            found = const(value)
        except TypesigError:
            return value
        return next((text for text, held in self.constants if held == found), value)


@dataclass(frozen=True, slots=True)
class Nullable:
    """Null, which stands for itself, or another value."""

    inner: Codec

    def decode(self, value: Any) -> Any:
        """Return what *value* stands for."""
        return None if value is None else self.inner.decode(value)

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        return None if value is None else self.inner.encode(value)


@dataclass(frozen=True, slots=True)
class Items:
    """A list, by the positions of its items; *rest* is for items behind these."""

    positions: tuple[Coding, ...]
    rest: Coding

    def _at(self, index: int) -> Coding:
        return self.positions[index] if index < len(self.positions) else self.rest

    def decode(self, value: Any) -> Any:
        """Return what *value* stands for."""
        if not isinstance(value, list):
            return value
        return [decoded(self._at(index), item) for index, item in enumerate(value)]

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        if not isinstance(value, list):
            return value
        return [encoded(self._at(index), item) for index, item in enumerate(value)]


def items_codec(positions: tuple[Coding, ...], rest: Coding) -> Coding:
    """Return the codec of a list by the codecs of its items."""
    if rest is None and all(codec is None for codec in positions):
        return None
    return Items(positions, rest)


@dataclass(frozen=True, slots=True)
class Entry:
    """How one field travels.

    #: name: its own name; sent: the name in the schema
    #: drops: whether null, when it is sent, stands for an absent field
    #: adds: whether null is sent for an absent field
    #: hides: whether a null is left out when it is sent
    #: filled: what is sent for an absent field instead, as a 1-tuple, or None
    """

    name: str
    sent: str
    codec: Coding = None
    drops: bool = False
    adds: bool = False
    hides: bool = False
    filled: tuple[Const] | None = None

    @property
    def is_trivial(self) -> bool:
        """Whether the field is sent as it is."""
        return self == Entry(self.name, self.name)

    @property
    def decodes(self) -> Entry:
        """The entry as far as decoding depends on it."""
        return Entry(self.name, self.sent, self.codec, self.drops)


@dataclass(frozen=True, slots=True)
class Fields:
    """A record, by fields.

    #: rest: how other keys travel: the name of the field with their pairs, or "" if they stay
    #: others: the codec of their values
    """

    entries: tuple[Entry, ...]
    rest: str = ""
    others: Coding = None

    def decode(self, value: Any) -> Any:
        """Return what *value* stands for."""
        if not isinstance(value, dict):
            return value
        by_sent = {entry.sent: entry for entry in self.entries}
        out: dict[Any, Any] = {}
        for key, item in value.items():
            entry = by_sent.get(key)
            if entry is None:
                if not (self.rest and key == self.rest):
                    kept = decoded(None if self.rest else self.others, item)
                    out.setdefault(key, kept)
            elif not (entry.drops and item is None):
                out[entry.name] = decoded(entry.codec, item)
        if self.rest and self.rest in value:
            self._spread(value[self.rest], out)
        return out

    def _spread(self, pairs: Any, out: dict[Any, Any]) -> None:
        """Add the *pairs* of undeclared keys to *out*; what is no such pairs stays a value."""
        declared = {entry.name for entry in self.entries}
        found = Pairs(None, self.others).decode(pairs)
        if pairs is None:
            return
        if not isinstance(found, dict) or found.keys() & (out.keys() | declared):
            out[self.rest] = pairs
            return
        out.update(found)

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        if not isinstance(value, dict):
            return value
        out: dict[str, Any] = {}
        for entry in self.entries:
            if entry.name in value:
                item = value[entry.name]
                if not (entry.hides and item is None):
                    out[entry.sent] = encoded(entry.codec, item)
            elif entry.filled is not None:
                out[entry.sent] = encoded(entry.codec, entry.filled[0].thaw())
            elif entry.adds:
                out[entry.sent] = None
        declared = {entry.name for entry in self.entries}
        others = {key: item for key, item in value.items() if key not in declared}
        if self.rest:
            out[self.rest] = Pairs(None, self.others).encode(others)
        else:
            out.update({key: encoded(self.others, item) for key, item in others.items()})
        return out


@dataclass(frozen=True, slots=True)
class Pairs:
    """A map as a list of records with `key` and `value`."""

    key: Coding
    value: Coding

    def decode(self, value: Any) -> Any:
        """Return what *value* stands for."""
        if isinstance(value, dict):
            return {name: decoded(self.value, item) for name, item in value.items()}
        if not isinstance(value, list):
            return value
        out: dict[str, Any] = {}
        for pair in value:
            if not isinstance(pair, dict) or pair.keys() != {"key", "value"}:
                return value
            key = decoded(self.key, pair["key"])
            if not isinstance(key, str) or key in out:
                # Of two values for one key, neither is lost: validation refuses the list.
                return value
            out[key] = decoded(self.value, pair["value"])
        return out

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        if not isinstance(value, dict):
            return value
        return [
            {"key": encoded(self.key, name), "value": encoded(self.value, item)}
            for name, item in value.items()
        ]


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A value as the only field of an object."""

    name: str
    inner: Coding

    def decode(self, value: Any) -> Any:
        """Return what *value* stands for."""
        if isinstance(value, dict) and value.keys() == {self.name}:
            return decoded(self.inner, value[self.name])
        return value

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        return {self.name: encoded(self.inner, value)}


@dataclass(frozen=True, slots=True)
class Chained:
    """Two codecs, of which the outer encodes first."""

    outer: Codec
    inner: Coding

    def decode(self, value: Any) -> Any:
        """Return what *value* stands for."""
        return self.outer.decode(decoded(self.inner, value))

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        return encoded(self.inner, self.outer.encode(value))


@dataclass(frozen=True, slots=True)
class Named:
    """The codec of a named type, which may contain itself.

    #: codecs: those of all names, complete once all are rewritten
    """

    name: str
    codecs: Mapping[str, Coding] = field(compare=False)

    def decode(self, value: Any) -> Any:
        """Return what *value* stands for."""
        return decoded(self.codecs[self.name], value)

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        return encoded(self.codecs[self.name], value)


@dataclass(frozen=True, slots=True)
class Branch:
    """One member of a union.

    #: conforms: tells whether a value is of the member; fits: whether a sent value is
    """

    codec: Coding
    conforms: Accepts
    fits: Accepts


@dataclass(frozen=True, slots=True)
class Branches:
    """A union: the first member that accepts a value decides."""

    branches: tuple[Branch, ...]

    def decode(self, value: Any) -> Any:
        """Return what *value* stands for."""
        for branch in self.branches:
            if branch.fits(value):
                return decoded(branch.codec, value)
        return decoded(self._nearest(value), value)

    def _nearest(self, value: Any) -> Coding:
        """Return the codec that reads most of *value*, which no member accepts."""
        best: Coding = None
        most = 0
        for branch in self.branches if isinstance(value, dict) else ():
            names = _sent_names(branch.codec)
            known = sum(key in names for key in value)
            if known > most:
                best, most = branch.codec, known
        found = [branch.codec for branch in self.branches if branch.codec is not None]
        return found[0] if best is None and len(found) == 1 else best

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        for branch in self.branches:
            if branch.conforms(value):
                return encoded(branch.codec, value)
        return value


def _sent_names(codec: Coding) -> frozenset[str]:
    """Return the names of the fields that *codec* reads, if it is that of an object."""
    if isinstance(codec, Named):
        return _sent_names(codec.codecs[codec.name])
    if isinstance(codec, Wrapped):
        return frozenset({codec.name})
    if not isinstance(codec, Fields):
        return frozenset()
    return frozenset([entry.sent for entry in codec.entries])


def agree(one: Coding, other: Coding) -> bool:
    """Tell whether both read any value that both may be sent in the same way."""
    if one is None and isinstance(other, Fields):
        one, other = other, one
    if isinstance(one, Fields) and (other is None or isinstance(other, Fields)):
        return _fields_agree(one, Fields(()) if other is None else other)
    return one == other


def _fields_agree(one: Fields, other: Fields) -> bool:
    if one.rest or other.rest or one.others is not None or other.others is not None:
        return one == other
    mine = {entry.sent: entry.decodes for entry in one.entries}
    theirs = {entry.sent: entry.decodes for entry in other.entries}
    return all(
        mine.get(sent, Entry(sent, sent)) == theirs.get(sent, Entry(sent, sent))
        for sent in {**mine, **theirs}
    )
