"""Codecs: how values travel where a provider cannot take their type as it is.

A codec is a value; None stands for values that travel as they are.  `encode` takes JSON data that
conforms to the type and returns what the rewritten schema accepts; `decode` undoes it, and returns
whatever does not have the expected form as it is, so that validation tells what is wrong with it.
What is sent twice, of which the decoded value can have one only, is added to *faults*; without
these it stays as it was sent.  The codecs of unions are in `members`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from typesig.algebra.values import Const, const
from typesig.errors import TypesigError
from typesig.limits import MAX_DIGITS
from typesig.notations.quoting import encodable
from typesig.providers.faults import Fault, Faults, Step
from typesig.validation.excerpt import text
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.run import Run


class Codec(Protocol):
    """Both directions of a rewrite."""

    def decode(self, value: Any, faults: Faults = None) -> Any:
        """Return what *value*, which was sent, stands for."""
        ...

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        ...


#: A codec, or None if values travel as they are.
Coding: TypeAlias = Codec | None

#: Tells whether a value conforms to a type.
Accepts = Callable[[Any], bool]


def decoded(codec: Coding, value: Any, faults: Faults = None) -> Any:
    """Return what *value*, which was sent, stands for."""
    return value if codec is None else codec.decode(value, faults)


def data_decoded(codec: Coding, data: Any, run: Run | None = None) -> Any:
    """Return what *data*, which was sent, stands for; what was sent twice is an error in *run*.

    What nests deeper than a check takes stays as it is.
    """
    faults: Faults = None if run is None else []
    try:
        out = decoded(codec, data, faults)
    except RecursionError:
        return data
    if run is not None:
        for fault in faults or ():
            run.add(fault.found(fault.own))
    return out


def _below(
    codec: Coding, value: Any, faults: Faults, sent: tuple[Step, ...], own: tuple[Step, ...]
) -> Any:
    """Return what *value* stands for; *sent* and *own* lead to it, from the inside out."""
    if codec is None:
        return value
    seen = len(faults or ())
    out = codec.decode(value, faults)
    for fault in (faults or [])[seen:]:
        fault.sent += sent
        fault.own += own
    return out


def encoded(codec: Coding, value: Any) -> Any:
    """Return what stands for *value*."""
    return value if codec is None else codec.encode(value)


def json_text(value: Any) -> str:
    """Return *value* as compact JSON text; lone surrogates are escaped."""
    return encodable(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


@dataclass(frozen=True, slots=True)
class JsonText:
    """A value as JSON text; text that is not JSON stands for itself."""

    def decode(self, value: Any, faults: Faults = None) -> Any:
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

    def decode(self, value: Any, faults: Faults = None) -> Any:
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

    def decode(self, value: Any, faults: Faults = None) -> Any:
        """Return what *value* stands for."""
        for word, held in self.constants:
            if type(value) is str and value == word:
                return held.thaw()
        return value

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        try:
            found = const(value)
        except TypesigError:
            return value
        return next((word for word, held in self.constants if held == found), value)


@dataclass(frozen=True, slots=True)
class Nullable:
    """Null, which stands for itself, or another value."""

    inner: Codec

    def decode(self, value: Any, faults: Faults = None) -> Any:
        """Return what *value* stands for."""
        return None if value is None else self.inner.decode(value, faults)

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

    def decode(self, value: Any, faults: Faults = None) -> Any:
        """Return what *value* stands for."""
        if not isinstance(value, list):
            return value
        return [
            _below(self._at(index), item, faults, (index,), (index,))
            for index, item in enumerate(value)
        ]

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


#: What a key means that is not declared in what is sent: nothing, a key of its own that is kept, or
#: a key that has a type or is passed on.
Undeclared: TypeAlias = Literal["nothing", "kept", "meant"]


@dataclass(frozen=True, slots=True)
class Fields:
    """A record, by fields.

    A field that has another name where it is sent leaves its own to the undeclared key of that
    name.  Where undeclared keys mean nothing, and where it is not sent otherwise, its own name
    stands for the field.

    #: rest: how other keys travel: the name of the field with their pairs, or "" if they stay
    #: others: the codec of their values; undeclared: what they mean
    """

    entries: tuple[Entry, ...]
    rest: str = ""
    others: Coding = None
    undeclared: Undeclared = "nothing"

    def decode(self, value: Any, faults: Faults = None) -> Any:
        """Return what *value* stands for."""
        if not isinstance(value, dict):
            return value
        by_sent = {entry.sent: entry for entry in self.entries}
        by_name = {entry.name: entry for entry in self.entries if entry.name != entry.sent}
        others = None if self.rest else self.others
        out: dict[Any, Any] = {}
        for key, item in value.items():
            entry, renamed = by_sent.get(key), by_name.get(key)
            if entry is None and renamed is not None and self._is_field(renamed, value, faults):
                entry = renamed
            if entry is not None:
                if not (entry.drops and item is None):
                    if entry.name in out and faults is not None:
                        spelt = f"{text(entry.sent)} and {text(entry.name)}"
                        faults.append(Fault("twice", spelt, entry.name, [key]))
                    out[entry.name] = _below(entry.codec, item, faults, (key,), (entry.name,))
            elif not (self.rest and key == self.rest):
                own = key if renamed is None else renamed.sent
                out[own] = _below(others, item, faults, (key,), (own,))
        if self.rest and self.rest in value:
            self._spread(value[self.rest], out, faults)
        return out

    def _is_field(self, entry: Entry, value: dict[Any, Any], faults: Faults) -> bool:
        """Tell whether the own name of *entry*, a key of *value*, stands for the field."""
        if self.undeclared == "meant":
            return False
        # Of two values, the tool's check refuses one as undeclared where there is no fault.
        return entry.sent not in value or (self.undeclared == "nothing" and faults is not None)

    def _spread(self, pairs: Any, out: dict[Any, Any], faults: Faults) -> None:
        """Add the *pairs* of undeclared keys to *out*; what is no such pairs stays a value."""
        if pairs is None:
            return
        seen = len(faults or ())
        found = Pairs(None, self.others).decode(pairs, faults)
        for fault in (faults or [])[seen:]:
            fault.sent.append(self.rest)
        twice = found.keys() & out.keys() if isinstance(found, dict) else {}
        if not isinstance(found, dict) or (twice and faults is None):
            out[self.rest] = pairs
            return
        for key in found:
            if key in twice and faults is not None:
                spelt = f"a field and as a key in {text(self.rest)}"
                faults.append(Fault("twice", spelt, key, [self.rest]))
        out.update({key: item for key, item in found.items() if key not in twice})

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
            return out
        names = {entry.sent: entry.name for entry in self.entries}
        out.update({names.get(key, key): encoded(self.others, i) for key, i in others.items()})
        return out


@dataclass(frozen=True, slots=True)
class Pairs:
    """A map as a list of records with `key` and `value`."""

    key: Coding
    value: Coding

    def decode(self, value: Any, faults: Faults = None) -> Any:
        """Return what *value* stands for."""
        if isinstance(value, dict):
            return {
                name: _below(self.value, item, faults, (name,), (name,))
                for name, item in value.items()
            }
        if not isinstance(value, list):
            return value
        keys: list[str] = []
        for pair in value:
            is_pair = isinstance(pair, dict) and pair.keys() == _PAIR
            key = decoded(self.key, pair["key"]) if is_pair else None
            if not isinstance(key, str):
                return value
            keys.append(key)
        if faults is None and len(set(keys)) < len(keys):
            # Of two values for one key, neither is lost.
            return value
        out: dict[str, Any] = {}
        for index, (key, pair) in enumerate(zip(keys, value, strict=True)):
            if key in out:
                assert faults is not None
                faults.append(Fault("repeated", text(key), key, ["key", index]))
            else:
                out[key] = _below(self.value, pair["value"], faults, ("value", index), (key,))
        return out

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        if not isinstance(value, dict):
            return value
        return [
            {"key": encoded(self.key, name), "value": encoded(self.value, item)}
            for name, item in value.items()
        ]


_PAIR = {"key", "value"}


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A value as the only field of an object."""

    name: str
    inner: Coding

    def decode(self, value: Any, faults: Faults = None) -> Any:
        """Return what *value* stands for."""
        if isinstance(value, dict) and value.keys() == {self.name}:
            return _below(self.inner, value[self.name], faults, (self.name,), ())
        return value

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        return {self.name: encoded(self.inner, value)}


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The only field, called *name*, of an object that travels by *inner*."""

    name: str
    inner: Coding

    def decode(self, value: Any, faults: Faults = None) -> Any:
        """Return what *value* stands for."""
        out = decoded(self.inner, value, faults)
        for fault in faults or ():
            fault.own.pop()
        return out[self.name] if isinstance(out, dict) and out.keys() == {self.name} else out

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        return encoded(self.inner, {self.name: value})


@dataclass(frozen=True, slots=True)
class Named:
    """The codec of a named type, which may contain itself.

    #: codecs: those of all names, complete once all are rewritten
    """

    name: str
    codecs: Mapping[str, Coding] = field(compare=False)

    def decode(self, value: Any, faults: Faults = None) -> Any:
        """Return what *value* stands for."""
        return decoded(self.codecs[self.name], value, faults)

    def encode(self, value: Any) -> Any:
        """Return what stands for *value*."""
        return encoded(self.codecs[self.name], value)
