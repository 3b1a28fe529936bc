"""Operations that decode arguments from the sent form: the fast path of `codecs`.

They return what `decode_data` does for data in the form of the definition, of which nothing is
told, and raise `Mismatch` for all other data.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from typesig.algebra.signature import Signature
from typesig.calls.binding import SentForm
from typesig.providers.registry.calls import DecodingState
from typesig.providers.registry.codecs import (
    Codec,
    FieldCodec,
    ListCodec,
    NullableCodec,
    OptionalCodec,
    PairsCodec,
    RecordCodec,
    decode_data,
    decode_part,
    reads_parts,
)
from typesig.validation.plain_data import replace_written_floats
from typesig.validation.plan.operations import Mismatch, Operation, Run, Source
from typesig.validation.policy import Policy

#: An operation, or None if data is decoded to itself.
OptionalOperation: TypeAlias = Operation | None


def make_operation(codec: OptionalCodec, policy: Policy) -> OptionalOperation:
    """Make the operation that decodes by *codec* under *policy*; None if none is needed.

    None stands for a codec that changes nothing but text in place of objects, which is read by the
    check as well.
    """
    match codec:
        case None:
            return None
        case NullableCodec(inner):
            return _make_nullable(make_operation(inner, policy))
        case ListCodec((), rest):
            item = make_operation(rest, policy)
            return None if item is None else DecodeItems(item)
        case PairsCodec(None, value):
            return DecodePairs(make_operation(value, policy))
        case RecordCodec(entries, "", None, undeclared):
            fields = tuple([_make_field(entry, policy) for entry in entries])
            if all(field.is_trivial for field in fields):
                return None
            # Keys that are not declared may have other meanings.
            return DecodeByCodec(codec, policy) if undeclared == "meant" else DecodeRecord(fields)
        case _:
            return DecodeByCodec(codec, policy)


def _make_nullable(inner: OptionalOperation) -> OptionalOperation:
    """Make the operation for null and for what *inner* decodes."""
    return None if inner is None else DecodeNullable(inner)


def _make_field(entry: FieldCodec, policy: Policy) -> DecodeField:
    """Make the part of a `DecodeRecord` for *entry*."""
    operation = make_operation(entry.codec, policy)
    if entry.drops and isinstance(operation, DecodeNullable):
        # A null never reaches it.
        operation = operation.inner
    return DecodeField(entry.name, entry.sent, operation, entry.drops)


@dataclass(frozen=True, slots=True)
class DecodeByCodec(Operation):
    """Any value, decoded by its codec."""

    codec: Codec
    policy: Policy

    def closure(self) -> Run:
        """Return a function that calls the codec, and refuses data of which it has to tell."""
        reads, reads_near = reads_parts(self.policy), self.policy._reads_near
        codec = self.codec

        def decode(value: Any) -> Any:
            how = DecodingState([], reads, reads_near)
            # Most texts stand for a value without parts.
            is_text = type(value) is str and not (reads and codec.has_parts(value))
            made = codec.decode(value, how) if is_text else decode_part(codec, value, how)
            if how.faults or (type(made) not in _KEPT and replace_written_floats(made) is not made):
                raise Mismatch
            return made

        return decode


#: The classes of values of which none is a float that keeps its digits.
_KEPT = frozenset({str, int, bool, type(None), float})


@dataclass(frozen=True, slots=True)
class DecodeNullable(Operation):
    """Null, or a value that *inner* decodes."""

    inner: Operation

    def closure(self) -> Run:
        """Return a function that leaves null unchanged."""
        decode = self.inner.closure()
        return lambda value: None if value is None else decode(value)

    def emit(self, source: Source, var: str) -> str:
        """Add a branch for a value that is not null."""
        made = source.variable()
        source.add(f"{made} = None")
        with source.open_block(f"if {var} is not None:"):
            source.add(f"{made} = {source.place(self.inner, var)}")
        return made


@dataclass(frozen=True, slots=True)
class DecodeItems(Operation):
    """A list whose items *item* decodes."""

    item: Operation

    def closure(self) -> Run:
        """Return a function that decodes each item of a list."""
        decode = self.item.closure()

        def decode_items(value: Any) -> list[Any]:
            if type(value) is not list:
                raise Mismatch
            return [decode(each) for each in value]

        return decode_items

    def emit(self, source: Source, var: str) -> str:
        """Add a loop over the items."""
        made, each = source.variable(), source.variable()
        source.refuse(f"type({var}) is not list")
        source.add(f"{made} = []")
        with source.open_block(f"for {each} in {var}:"):
            source.add(f"{made}.append({source.place(self.item, each)})")
        return made


@dataclass(frozen=True, slots=True)
class DecodePairs(Operation):
    """A map that is sent as a list of objects with `key` and `value`; *value* decodes values."""

    value: OptionalOperation

    def closure(self) -> Run:
        """Return a function that makes the map."""
        decode = None if self.value is None else self.value.closure()

        def decode_pairs(pairs: Any) -> dict[str, Any]:
            if type(pairs) is not list:
                raise Mismatch
            made: dict[str, Any] = {}
            for pair in pairs:
                if type(pair) is not dict or len(pair) != 2 or type(pair["key"]) is not str:
                    raise Mismatch
                value = pair["value"]
                made[pair["key"]] = value if decode is None else decode(value)
            if len(made) != len(pairs):
                # A key is there twice.
                raise Mismatch
            return made

        return decode_pairs


@dataclass(frozen=True, slots=True)
class DecodeField:
    """A field of an object that is decoded.

    #: name: its own name; sent: the key that is sent
    #: operation: decodes its value, if necessary; drops: whether null stands for an absent field
    """

    name: str
    sent: str
    operation: OptionalOperation
    drops: bool

    @property
    def is_trivial(self) -> bool:
        """Whether the field is sent unchanged."""
        return self.operation is None and not self.drops and self.name == self.sent

    def closure(self) -> Run | None:
        """Return the closure of the operation, if there is any."""
        return None if self.operation is None else self.operation.closure()


@dataclass(frozen=True, slots=True)
class DecodeRecord(Operation):
    """An object with declared keys only."""

    fields: tuple[DecodeField, ...]

    @property
    def _only_drops(self) -> bool:
        """Whether all that changes is that nulls are left out."""
        return all(each.operation is None and each.name == each.sent for each in self.fields)

    def closure(self) -> Run:
        """Return a function that decodes the fields."""
        known = frozenset([each.sent for each in self.fields])
        dropped = frozenset([each.sent for each in self.fields if each.drops])
        if self._only_drops:
            return partial(_drop_nulls, known, dropped)
        parts = {each.sent: (each.name, each.drops, each.closure()) for each in self.fields}

        def decode_fields(value: Any) -> dict[str, Any]:
            if type(value) is not dict or not value.keys() <= known:
                raise Mismatch
            made = {}
            for key, item in value.items():
                name, drops, decode = parts[key]
                if not (drops and item is None):
                    made[name] = item if decode is None else decode(item)
            return made

        return decode_fields

    def emit(self, source: Source, var: str) -> str:
        """Add a line for each field."""
        bind, key = source.constants.bind, source.constants.bind_key
        known = bind(frozenset([each.sent for each in self.fields]))
        source.refuse(f"type({var}) is not dict or not {var}.keys() <= {known}")
        made = source.variable()
        if self._only_drops:
            dropped = bind(frozenset([each.sent for each in self.fields if each.drops]))
            source.add(f"{made} = {var}")
            with source.open_block(f"if None in {var}.values():"):
                kept = f"for k, i in {var}.items() if i is not None or k not in {dropped}"
                source.add(f"{made} = {{k: i {kept}}}")
            return made
        source.add(f"{made} = {{}}")
        for each in self.fields:
            item = source.variable()
            with source.open_block(f"if {key(each.sent)} in {var}:"):
                source.add(f"{item} = {var}[{key(each.sent)}]")
                with source.open_block(f"if {item} is not None:" if each.drops else "if True:"):
                    part = item if each.operation is None else source.place(each.operation, item)
                    source.add(f"{made}[{key(each.name)}] = {part}")
        return made


def _drop_nulls(known: frozenset[str], dropped: frozenset[str], value: Any) -> Any:
    """Drop nulls of the keys *dropped* from *value*, an object with *known* keys only."""
    if type(value) is not dict or not value.keys() <= known:
        raise Mismatch
    if None in value.values():
        return {key: item for key, item in value.items() if item is not None or key not in dropped}
    return value


def make_sent_form(signature: Signature, codec: OptionalCodec) -> SentForm:
    """Make the form in which *signature* shows data that *codec* decodes."""
    return SentForm(signature, partial(decode_data, codec), partial(make_operation, codec))
