"""Codecs: convert values to and from the types that a provider takes.

A codec is a value; None stands for values that travel as they are.  `encode` takes JSON data that
conforms to the type and returns what the rewritten schema accepts; `decode` undoes it, and returns
whatever does not have the expected form as it is, so that validation tells what is wrong with it.
What is sent twice, of which the decoded value can have one only, is told as *how* says.  The codecs
of unions are in `members`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from typesig.algebra.nodes import ANY, Field
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.values import Const, get_kind, is_text
from typesig.notations.texts.quoting import escape_surrogates
from typesig.providers.registry.calls import QUIET, DecodingFault, DecodingState, Step
from typesig.validation.check.place_coercions import read_parts
from typesig.validation.check_state import CheckState
from typesig.validation.coercions import CoercionId
from typesig.validation.issues.excerpt import quote_text
from typesig.validation.keys import KeyPlan
from typesig.validation.policy import Policy


class Codec(Protocol):
    """A converter of values between their original form and the form sent to a model."""

    __slots__ = ()

    def has_parts(self, text: str) -> bool:
        """Whether *text* in place of a value can only be JSON of a list or an object."""
        return True

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Convert *value* from the sent form to the original form."""
        ...

    def encode(self, value: Any) -> Any:
        """Convert *value* from the original form to the sent form."""
        ...


#: A codec, or None if values travel as they are.
OptionalCodec: TypeAlias = Codec | None

#: Tells whether a value conforms to a type.
TypeTest = Callable[[Any], bool]


def decode_value(codec: OptionalCodec, value: Any, how: DecodingState = QUIET) -> Any:
    """Decode *value* by *codec*; without a codec, return it unchanged."""
    return value if codec is None else codec.decode(value, how)


def encode_value(codec: OptionalCodec, value: Any) -> Any:
    """Encode *value* by *codec*; without a codec, return it unchanged."""
    return value if codec is None else codec.encode(value)


def decode_data(codec: OptionalCodec, data: Any, run: CheckState | None, policy: Policy) -> Any:
    """Decode *data* by *codec*; add duplicates and warnings to *run*.

    What nests deeper than a check takes stays as it is.
    """
    how = DecodingState(None if run is None else [], reads_parts(policy), policy._reads_near)
    try:
        out = decode_part(codec, as_builtin(data), how)
    except RecursionError:
        return data
    if run is not None:
        for fault in how.faults or ():
            run.add(fault.to_finding(fault.own))
    return out


def reads_parts(policy: Policy) -> bool:
    """Whether *policy* reads JSON text in place of lists and objects."""
    return _DATA in policy.coercions


_DATA: CoercionId = "data_from_string"


def decode_part(
    codec: OptionalCodec,
    value: Any,
    how: DecodingState,
    sent: tuple[Step, ...] = (),
    own: tuple[Step, ...] = (),
) -> Any:
    """Decode *value*, a part at the paths *sent* and *own*, and JSON text in its place."""
    if codec is None:
        return value
    seen = how.seen
    if how.reads and issubclass(type(value), str) and codec.has_parts(value):
        data = read_parts(value)
        if data is not None:
            how.tell(DecodingFault("parsed", get_kind(data)))
            value = data
    out = codec.decode(value, how)
    how.extend_paths(seen, sent, own)
    return out


def write_json(value: Any) -> str:
    """Write *value* as compact JSON text; lone surrogates are escaped."""
    return escape_surrogates(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


@dataclass(frozen=True, slots=True)
class NullableCodec(Codec):
    """A codec of values that may be null; null is unchanged."""

    inner: Codec

    def has_parts(self, text: str) -> bool:
        """Whether values other than null are lists or objects in the sent form."""
        return self.inner.has_parts(text)

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Decode *value* by the inner codec; None is unchanged."""
        return None if value is None else self.inner.decode(value, how)

    def encode(self, value: Any) -> Any:
        """Encode *value* by the inner codec; None is unchanged."""
        return None if value is None else self.inner.encode(value)


@dataclass(frozen=True, slots=True)
class ListCodec(Codec):
    """A codec of lists, with a codec per position; *rest* is for further items."""

    positions: tuple[OptionalCodec, ...]
    rest: OptionalCodec

    def _get_codec(self, index: int) -> OptionalCodec:
        """Codec of the list item at *index*."""
        return self.positions[index] if index < len(self.positions) else self.rest

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Decode the items of a list; other values are unchanged."""
        if not issubclass(type(value), list):
            return value
        return [
            decode_part(self._get_codec(index), item, how, (index,), (index,))
            for index, item in enumerate(value)
        ]

    def encode(self, value: Any) -> Any:
        """Encode the items of a list; other values are unchanged."""
        if not issubclass(type(value), list):
            return value
        return [encode_value(self._get_codec(index), item) for index, item in enumerate(value)]


def make_list_codec(positions: tuple[OptionalCodec, ...], rest: OptionalCodec) -> OptionalCodec:
    """Make a list codec from *positions* and *rest*, or None if no item has a codec."""
    if rest is None and all(codec is None for codec in positions):
        return None
    return ListCodec(positions, rest)


class FieldCodec(NamedTuple):
    """The codec of one field, with its names and its treatment of nulls.

    #: name: its own name; sent: the name in the schema
    #: drops: whether null, when it is sent, stands for an absent field
    #: adds: whether null is sent for an absent field
    #: hides: whether a null is left out when it is sent
    #: filled: what is sent for an absent field instead, as a 1-tuple, or None
    """

    name: str
    sent: str
    codec: OptionalCodec = None
    drops: bool = False
    adds: bool = False
    hides: bool = False
    filled: tuple[Const] | None = None

    @property
    def is_trivial(self) -> bool:
        """Whether the field is sent unchanged."""
        return self[1:] == (self.name, None, False, False, False, None)

    @property
    def decodes(self) -> FieldCodec:
        """A copy of the field codec with only the options that decoding uses."""
        return FieldCodec(self.name, self.sent, self.codec, self.drops)


#: What a key means that is not declared in what is sent: nothing, a key of its own that is kept, or
#: a key that has a type or is passed on.
Undeclared: TypeAlias = Literal["nothing", "kept", "meant"]


@dataclass(frozen=True, slots=True)
class RecordCodec(Codec):
    """A codec of records, with a codec and a sent name for each field.

    A field that has another name where it is sent leaves its own to the undeclared key of that
    name.  Where undeclared keys mean nothing, and where it is not sent otherwise, its own name
    stands for the field.  A key that the check reads as a field stays, and its value is decoded.

    #: rest: how other keys travel: the name of the field with their pairs, or "" if they stay
    #: others: the codec of their values; undeclared: what they mean
    """

    entries: tuple[FieldCodec, ...]
    rest: str = ""
    others: OptionalCodec = None
    undeclared: Undeclared = "nothing"
    _by_sent: dict[str, FieldCodec] = field(init=False, compare=False, repr=False)
    _by_name: dict[str, FieldCodec] = field(init=False, compare=False, repr=False)
    # Whether null stands for an absent field, by the names of those that travel as they are.
    _same: dict[str, bool] = field(init=False, compare=False, repr=False)
    # What keys stand for, without near names and with them; empty if all values travel as they are.
    _plans: tuple[KeyPlan, ...] = field(init=False, compare=False, repr=False, default=())

    def __post_init__(self) -> None:
        entries = self.entries
        same = [entry for entry in entries if entry.codec is None and entry.name == entry.sent]
        for name, known in (
            ("_by_sent", {entry.sent: entry for entry in entries}),
            ("_by_name", {entry.name: entry for entry in entries if entry.name != entry.sent}),
            ("_same", {entry.name: entry.drops for entry in same}),
        ):
            object.__setattr__(self, name, known)
        if any(entry.codec is not None for entry in entries):
            # Without near names, a key is read as a field only where it means nothing else.
            is_exact = self.undeclared != "nothing" or bool(self.rest)
            is_near = self.undeclared != "meant" and not self.rest
            own = [Field(entry.name, ANY, exact=is_exact) for entry in entries]
            object.__setattr__(self, "_plans", (KeyPlan(own), KeyPlan(own, near=is_near)))

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Decode the fields of an object and restore their names."""
        if not issubclass(type(value), dict):
            return value
        for key, item in value.items():
            drops = self._same.get(key)
            if drops is None or (drops and item is None):
                break
        else:
            return value
        by_sent, by_name = self._by_sent, self._by_name
        others = None if self.rest else self.others
        out: dict[Any, Any] = {}
        respelt: Mapping[Any, FieldCodec] | None = None
        for key, item in value.items():
            entry, renamed = by_sent.get(key), by_name.get(key)
            if (
                entry is None
                and renamed is not None
                and self._can_use_own_name(renamed, value, how)
            ):
                entry = renamed
            if entry is not None:
                if not (entry.drops and item is None):
                    if entry.name in out:
                        spelt = f"{quote_text(entry.sent)} and {quote_text(entry.name)}"
                        how.tell(DecodingFault("twice", spelt, [entry.name], [key]))
                    out[entry.name] = decode_part(entry.codec, item, how, (key,), (entry.name,))
            elif not (self.rest and key == self.rest):
                own = key if renamed is None else renamed.sent
                respelt = self._find_respelt_keys(value, how) if respelt is None else respelt
                meant = respelt.get(key)
                if meant is None:
                    out[own] = decode_part(others, item, how, (key,), (own,))
                else:
                    codec = None if meant.drops and item is None else meant.codec
                    out[key] = decode_part(codec, item, how, (key,), (meant.name,))
        if self.rest and self.rest in value:
            self._add_pairs(value[self.rest], out, how)
        return out

    def _find_respelt_keys(
        self, value: dict[Any, Any], how: DecodingState
    ) -> Mapping[Any, FieldCodec]:
        """Fields by the misspelt keys of *value* that match them."""
        if not self._plans:
            return {}
        known = self._by_sent
        keys = [known[key].name if key in known else key for key in value]
        meanings, _ = self._plans[how.reads_near].map_names(keys)
        by_name = {entry.name: entry for entry in self.entries}
        return {key: by_name[name] for key, name in meanings.items() if name and name != key}

    def _can_use_own_name(
        self, entry: FieldCodec, value: dict[Any, Any], how: DecodingState
    ) -> bool:
        """Whether a key of *value* with the original name of *entry* is that field."""
        if self.undeclared == "meant":
            return False
        # Of two values, the tool's check refuses one as undeclared where there is no fault.
        return entry.sent not in value or (self.undeclared == "nothing" and how.faults is not None)

    def _add_pairs(self, pairs: Any, out: dict[Any, Any], how: DecodingState) -> None:
        """Add the key and value *pairs* of undeclared keys to *out*."""
        if pairs is None:
            return
        found = decode_part(PairsCodec(None, self.others), pairs, how, (self.rest,), ())
        twice = found.keys() & out.keys() if isinstance(found, dict) else {}
        if not isinstance(found, dict) or (twice and how.faults is None):
            out[self.rest] = pairs
            return
        for key in found:
            if key in twice:
                spelt = f"a field and as a key in {quote_text(self.rest)}"
                how.tell(DecodingFault("twice", spelt, [key], [self.rest]))
        out.update({key: item for key, item in found.items() if key not in twice})

    def encode(self, value: Any) -> Any:
        """Encode the fields of an object under the names that are sent."""
        if not issubclass(type(value), dict):
            return value
        out: dict[str, Any] = {}
        for entry in self.entries:
            if entry.name in value:
                item = value[entry.name]
                if not (entry.hides and item is None):
                    out[entry.sent] = encode_value(entry.codec, item)
            elif entry.filled is not None:
                out[entry.sent] = encode_value(entry.codec, entry.filled[0].thaw())
            elif entry.adds:
                out[entry.sent] = None
        declared = {entry.name for entry in self.entries}
        others: dict[str, Any] = {k: item for k, item in value.items() if k not in declared}
        if self.rest:
            out[self.rest] = PairsCodec(None, self.others).encode(others)
            return out
        names = {entry.sent: entry.name for entry in self.entries}
        for key, item in others.items():
            out[names.get(key, key)] = encode_value(self.others, item)
        return out


@dataclass(frozen=True, slots=True)
class PairsCodec(Codec):
    """A codec between maps and lists of records with `key` and `value`."""

    key: OptionalCodec
    value: OptionalCodec

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Convert a list of `key` and `value` records to a map."""
        if issubclass(type(value), dict):
            return {
                name: decode_part(self.value, item, how, (name,), (name,))
                for name, item in value.items()
            }
        if not issubclass(type(value), list):
            return value
        keys: list[str] = []
        for pair in value:
            is_pair = issubclass(type(pair), dict) and pair.keys() == _PAIR
            key = decode_value(self.key, pair["key"]) if is_pair else None
            if not is_text(key):
                return value
            keys.append(key)
        if how.faults is None and len(set(keys)) < len(keys):
            # Of two values for one key, neither is lost.
            return value
        out: dict[str, Any] = {}
        for index, (key, pair) in enumerate(zip(keys, value, strict=True)):
            if key in out:
                how.tell(DecodingFault("repeated", quote_text(key), [key], ["key", index]))
            else:
                out[key] = decode_part(self.value, pair["value"], how, ("value", index), (key,))
        return out

    def encode(self, value: Any) -> Any:
        """Convert a map to a list of `key` and `value` records."""
        if not issubclass(type(value), dict):
            return value
        return [
            {"key": encode_value(self.key, name), "value": encode_value(self.value, item)}
            for name, item in value.items()
        ]


_PAIR = {"key", "value"}


@dataclass(frozen=True, slots=True)
class WrapperCodec(Codec):
    """A codec that sends a value as the only field of an object."""

    name: str
    inner: OptionalCodec

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Decode the value in the only field of an object."""
        if issubclass(type(value), dict) and value.keys() == {self.name}:
            return decode_part(self.inner, value[self.name], how, (self.name,), ())
        return value

    def encode(self, value: Any) -> Any:
        """Wrap the encoded *value* in an object with a single field."""
        return {self.name: encode_value(self.inner, value)}


@dataclass(frozen=True, slots=True)
class UnwrapperCodec(Codec):
    """A codec that wraps a value in an object and encodes the object by *inner*."""

    name: str
    inner: OptionalCodec

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Decode *value* as an object and return its only field."""
        out = decode_value(self.inner, value, how)
        for fault in how.faults or ():
            if fault.own:
                fault.own.pop()
        return out[self.name] if isinstance(out, dict) and out.keys() == {self.name} else out

    def encode(self, value: Any) -> Any:
        """Wrap *value* in an object with a single field and encode the object."""
        return encode_value(self.inner, {self.name: value})


@dataclass(frozen=True, slots=True)
class ReferenceCodec(Codec):
    """The codec of a named type, which may contain itself.

    #: codecs: those of all names, complete once all are rewritten
    """

    name: str
    codecs: Mapping[str, OptionalCodec] = field(compare=False)

    def has_parts(self, text: str) -> bool:
        """Whether values of the named type are lists or objects in the sent form."""
        codec = self.codecs[self.name]
        return codec is not None and codec.has_parts(text)

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Decode *value* by the codec of the named type."""
        return decode_value(self.codecs[self.name], value, how)

    def encode(self, value: Any) -> Any:
        """Encode *value* by the codec of the named type."""
        return encode_value(self.codecs[self.name], value)
