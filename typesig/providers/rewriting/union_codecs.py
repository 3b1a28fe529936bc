"""Rewrites of unions, and codecs that find the member that a value belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from typesig.algebra import constructors
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.nodes import ANY, Enum, Field, Maybe, Record, Ref, Refinement, Type, Union
from typesig.notations.json_schema.keywords import find_json_kinds
from typesig.providers.registry import codecs
from typesig.providers.registry.calls import QUIET, DecodingState
from typesig.providers.registry.vendor import SentType, TypePlace
from typesig.providers.rewriting.rewriter import Rewriter


def rewrite_union(rewriter: Rewriter, members: tuple[Type, ...], at: TypePlace) -> SentType:
    """Rewrite the union of *members*, with a wrapper object per member if necessary.

    If what is sent would not tell which member it is of, each member becomes an object with a field
    of its own.
    """
    if rewriter.profile.typed and any(strip_annotations(member) == ANY for member in members):
        return rewriter.rewrite(ANY, at)
    before = len(rewriter.losses)
    made = _rewrite_members(rewriter, members, at)
    if all(each.codec is None for each in made):
        return _join_members(made, None)
    if not _is_reversible(rewriter, made):
        del rewriter.losses[before:]
        rewriter.record_loss("rewritten", at.path, "a union", "objects with one field each")
        inner = _rewrite_members(rewriter, members, at._replace(level=at.level + 1))
        made = [_wrap_member(each, f"choice_{place}") for place, each in enumerate(inner, 1)]
    branches = [
        UnionBranch(
            each.codec, rewriter.given.make_test(member), rewriter.judge.make_test(each.type)
        )
        for member, each in zip(members, made, strict=True)
    ]
    return _join_members(made, UnionCodec(tuple(branches)))


def _rewrite_members(
    rewriter: Rewriter, members: tuple[Type, ...], at: TypePlace
) -> list[SentType]:
    """Rewrite the *members* of a union, each located at its index below *at*."""
    return [rewriter.rewrite(member, at.add_steps(str(n))) for n, member in enumerate(members)]


def _join_members(made: list[SentType], codec: codecs.OptionalCodec) -> SentType:
    """Join rewritten members *made* to a union that *codec* decodes."""
    types = [each.type for each in made]
    nullable = any(each.nullable for each in made)
    # Without a type of its own, ANY has no place beside others.
    whole = ANY if ANY in types else constructors.make_union(types)
    return SentType(whole, codec, nullable)


def _wrap_member(made: SentType, name: str) -> SentType:
    """Wrap a rewritten member in an object whose only field is *name*."""
    field = Field(name, made.type, True, None, True)
    return SentType(Record((field,), None), codecs.WrapperCodec(name, made.codec))


def _is_reversible(rewriter: Rewriter, made: list[SentType]) -> bool:
    """Whether decoding by the first matching member of *made* undoes the encoding."""
    return all(
        (one.codec is None and other.codec is None)
        or _is_distinct(rewriter, one.type, other.type)
        or has_same_decoding(
            _resolve_codec(rewriter, one.codec), _resolve_codec(rewriter, other.codec)
        )
        for one, other in combinations(made, 2)
    )


def _resolve_codec(rewriter: Rewriter, codec: codecs.OptionalCodec) -> codecs.OptionalCodec:
    """Resolve a reference *codec* to its definition's codec, if already rewritten."""
    if isinstance(codec, codecs.ReferenceCodec):
        found = rewriter.get_definition(codec.name)
        return codec if found is None else found.codec
    return codec


def _is_distinct(rewriter: Rewriter, one: Type, other: Type) -> bool:
    """Whether *one* and *other* are disjoint; record reliance on expected definitions."""
    rewriter.uses_expected = False
    found = is_disjoint(rewriter, one, other)
    if found and rewriter.uses_expected:
        rewriter.assumed.append((one, other))
    return found


def has_sound_assumptions(rewriter: Rewriter) -> bool:
    """Whether the assumptions of *rewriter* about definitions hold after rewriting."""
    return all(is_disjoint(rewriter, one, other) for one, other in rewriter.assumed)


def is_disjoint(rewriter: Rewriter, one: Type, other: Type) -> bool:
    """Whether the sent types *one* and *other* provably share no value."""
    one, other = _unwrap(rewriter, one), _unwrap(rewriter, other)
    if find_json_kinds(one).isdisjoint(find_json_kinds(other)):
        return True
    for a, b in ((one, other), (other, one)):
        if isinstance(a, Union):
            return all(is_disjoint(rewriter, member, b) for member in a.members)
    if isinstance(one, Maybe) or isinstance(other, Maybe):
        return False
    if isinstance(one, Enum) and isinstance(other, Enum):
        texts = {str(value.thaw()) for value in one.values}
        return texts.isdisjoint(str(value.thaw()) for value in other.values)
    if isinstance(one, Record) and isinstance(other, Record):
        return _has_disjoint_fields(rewriter, one, other)
    return False


def _unwrap(rewriter: Rewriter, t: Type) -> Type:
    """Unwrap references, annotations and constraints of *t*."""
    while True:
        if isinstance(t, Ref):
            found = rewriter.get_definition(t.name) or rewriter.get_expected(t.name)
            if found is None:
                return t
            t = found.type
            continue
        inner = strip_annotations(t)
        if isinstance(inner, Refinement):
            inner = inner.inner
        if inner is t:
            return t
        t = inner


def _has_disjoint_fields(rewriter: Rewriter, one: Record, other: Record) -> bool:
    """Whether the fields of two records show that no value belongs to both."""
    for a, b in ((one, other), (other, one)):
        declared = {field.name for field in b.fields}
        is_closed = b.extra is None and not b.matching
        if is_closed and any(f.required and f.name not in declared for f in a.fields):
            return True
    theirs = {field.name: field for field in other.fields}
    return any(
        field.name in theirs
        and field.required
        and theirs[field.name].required
        and is_disjoint(rewriter, field.type, theirs[field.name].type)
        for field in one.fields
    )


@dataclass(frozen=True, slots=True)
class UnionBranch:
    """The codec and the value tests of one member of a union.

    #: conforms: tells whether a value is of the member; fits: whether a sent value is
    """

    codec: codecs.OptionalCodec
    conforms: codecs.TypeTest
    fits: codecs.TypeTest


@dataclass(frozen=True, slots=True)
class UnionCodec(codecs.Codec):
    """A codec of a union that uses the first member that accepts the value."""

    branches: tuple[UnionBranch, ...]

    def has_parts(self, text: str) -> bool:
        """Whether no member accepts *text*, but a member takes lists or objects."""
        have = any(b.codec is not None and b.codec.has_parts(text) for b in self.branches)
        return have and not any(branch.fits(text) for branch in self.branches)

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Decode *value* by the first member that fits, or the nearest member."""
        for branch in self.branches:
            if branch.fits(value):
                return codecs.decode_value(branch.codec, value, how)
        return codecs.decode_value(self._find_nearest(value), value, how)

    def _find_nearest(self, value: Any) -> codecs.OptionalCodec:
        """Find the member codec that declares the most keys of *value*."""
        best: codecs.OptionalCodec = None
        most = 0
        for branch in self.branches if issubclass(type(value), dict) else ():
            names = _get_sent_names(branch.codec)
            known = sum(key in names for key in value)
            if known > most:
                best, most = branch.codec, known
        found = [branch.codec for branch in self.branches if branch.codec is not None]
        return found[0] if best is None and len(found) == 1 else best

    def encode(self, value: Any) -> Any:
        """Encode *value* by the first member it conforms to, or leave it unchanged."""
        for branch in self.branches:
            if branch.conforms(value):
                return codecs.encode_value(branch.codec, value)
        return value


def _get_sent_names(codec: codecs.OptionalCodec) -> frozenset[str]:
    """Return the sent field names of *codec*; empty unless it is an object codec."""
    if isinstance(codec, codecs.ReferenceCodec):
        return _get_sent_names(codec.codecs[codec.name])
    if isinstance(codec, codecs.WrapperCodec):
        return frozenset({codec.name})
    if not isinstance(codec, codecs.RecordCodec):
        return frozenset()
    return frozenset([entry.sent for entry in codec.entries])


def has_same_decoding(one: codecs.OptionalCodec, other: codecs.OptionalCodec) -> bool:
    """Whether *one* and *other* decode every value that both accept in the same way."""
    if one is None and isinstance(other, codecs.RecordCodec):
        one, other = other, one
    if isinstance(one, codecs.RecordCodec) and (
        other is None or isinstance(other, codecs.RecordCodec)
    ):
        return _has_same_field_decoding(one, codecs.RecordCodec(()) if other is None else other)
    return one == other


def _has_same_field_decoding(one: codecs.RecordCodec, other: codecs.RecordCodec) -> bool:
    """Whether two record codecs decode every field alike."""
    if one.rest or other.rest or one.others is not None or other.others is not None:
        return one == other
    mine = {entry.sent: entry.decodes for entry in one.entries}
    theirs = {entry.sent: entry.decodes for entry in other.entries}
    has_other_names = any(each.name != each.sent for each in (*mine.values(), *theirs.values()))
    if has_other_names and one.undeclared != other.undeclared:
        return False
    return all(
        mine.get(sent, codecs.FieldCodec(sent, sent))
        == theirs.get(sent, codecs.FieldCodec(sent, sent))
        for sent in {**mine, **theirs}
    )
