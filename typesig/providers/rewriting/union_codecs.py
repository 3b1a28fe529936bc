"""Unions: which member a value is of, told by what is sent."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from typesig.algebra import constructors
from typesig.algebra.constructors import bare
from typesig.algebra.nodes import ANY, Enum, Field, Maybe, Record, Ref, Refined, Type, Union
from typesig.notations.json_schema.keywords.kinds import json_kinds
from typesig.providers.rewriting.rewriter import Rewriter
from typesig.providers.rows import codecs
from typesig.providers.rows.faults import QUIET, Decoding
from typesig.providers.rows.wire import Place, Wire


def union(rewriter: Rewriter, members: tuple[Type, ...], at: Place) -> Wire:
    """Return what is sent in place of a union.

    If what is sent would not tell which member it is of, each member becomes an object with a field
    of its own.
    """
    if rewriter.profile.typed and any(bare(member) == ANY for member in members):
        return rewriter.rewrite(ANY, at)
    before = len(rewriter.losses)
    made = _each(rewriter, members, at)
    if all(each.codec is None for each in made):
        return _joined(made, None)
    if not _is_told(rewriter, made):
        del rewriter.losses[before:]
        rewriter.lose("rewritten", at.path, "a union", "objects with one field each")
        inner = _each(rewriter, members, at._replace(level=at.level + 1))
        made = [_wrapped(each, f"choice_{place}") for place, each in enumerate(inner, 1)]
    branches = [
        Branch(each.codec, rewriter.given.accepts(member), rewriter.judge.accepts(each.type))
        for member, each in zip(members, made, strict=True)
    ]
    return _joined(made, Branches(tuple(branches)))


def _each(rewriter: Rewriter, members: tuple[Type, ...], at: Place) -> list[Wire]:
    return [rewriter.rewrite(member, at.below(str(n))) for n, member in enumerate(members)]


def _joined(made: list[Wire], codec: codecs.Coding) -> Wire:
    types = [each.type for each in made]
    nullable = any(each.nullable for each in made)
    # Without a type of its own, ANY has no place beside others.
    whole = ANY if ANY in types else constructors.union(types)
    return Wire(whole, codec, nullable)


def _wrapped(made: Wire, name: str) -> Wire:
    field = Field(name, made.type, True, None, True)
    return Wire(Record((field,), None), codecs.Wrapped(name, made.codec))


def _is_told(rewriter: Rewriter, made: list[Wire]) -> bool:
    """Tell whether decoding by the first member that accepts what is sent undoes encoding."""
    return all(
        (one.codec is None and other.codec is None)
        or _is_told_apart(rewriter, one.type, other.type)
        or agree(_known(rewriter, one.codec), _known(rewriter, other.codec))
        for one, other in combinations(made, 2)
    )


def _known(rewriter: Rewriter, codec: codecs.Coding) -> codecs.Coding:
    if isinstance(codec, codecs.Named):
        found = rewriter.definition(codec.name)
        return codec if found is None else found.codec
    return codec


def _is_told_apart(rewriter: Rewriter, one: Type, other: Type) -> bool:
    """Tell the same as `are_apart`, and keep what is only so if names become what is expected."""
    rewriter.uses_expected = False
    found = are_apart(rewriter, one, other)
    if found and rewriter.uses_expected:
        rewriter.assumed.append((one, other))
    return found


def is_sound(rewriter: Rewriter) -> bool:
    """Tell whether what was expected of names holds, now that all are rewritten."""
    return all(are_apart(rewriter, one, other) for one, other in rewriter.assumed)


def are_apart(rewriter: Rewriter, one: Type, other: Type) -> bool:
    """Tell whether it is plain that no value that is sent is of both."""
    one, other = _opened(rewriter, one), _opened(rewriter, other)
    if json_kinds(one).isdisjoint(json_kinds(other)):
        return True
    for a, b in ((one, other), (other, one)):
        if isinstance(a, Union):
            return all(are_apart(rewriter, member, b) for member in a.members)
    if isinstance(one, Maybe) or isinstance(other, Maybe):
        return False
    if isinstance(one, Enum) and isinstance(other, Enum):
        texts = {str(value.thaw()) for value in one.values}
        return texts.isdisjoint(str(value.thaw()) for value in other.values)
    if isinstance(one, Record) and isinstance(other, Record):
        return _are_other_objects(rewriter, one, other)
    return False


def _opened(rewriter: Rewriter, t: Type) -> Type:
    """Return *t* without its notes, its constraints and the name that it has."""
    while True:
        if isinstance(t, Ref):
            found = rewriter.definition(t.name) or rewriter.expected(t.name)
            if found is None:
                return t
            t = found.type
            continue
        inner = bare(t)
        if isinstance(inner, Refined):
            inner = inner.inner
        if inner is t:
            return t
        t = inner


def _are_other_objects(rewriter: Rewriter, one: Record, other: Record) -> bool:
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
        and are_apart(rewriter, field.type, theirs[field.name].type)
        for field in one.fields
    )


@dataclass(frozen=True, slots=True)
class Branch:
    """One member of a union.

    #: conforms: tells whether a value is of the member; fits: whether a sent value is
    """

    codec: codecs.Coding
    conforms: codecs.Accepts
    fits: codecs.Accepts


@dataclass(frozen=True, slots=True)
class Branches(codecs.Codec):
    """A union: the first member that accepts a value decides."""

    branches: tuple[Branch, ...]

    def has_parts(self, text: str) -> bool:
        """Tell whether no member takes *text*, and the values of one have parts."""
        have = any(b.codec is not None and b.codec.has_parts(text) for b in self.branches)
        return have and not any(branch.fits(text) for branch in self.branches)

    def decode(self, value: Any, how: Decoding = QUIET) -> Any:
        for branch in self.branches:
            if branch.fits(value):
                return codecs.decoded(branch.codec, value, how)
        return codecs.decoded(self._nearest(value), value, how)

    def _nearest(self, value: Any) -> codecs.Coding:
        """Return the codec that reads most of *value*, which no member accepts."""
        best: codecs.Coding = None
        most = 0
        for branch in self.branches if issubclass(type(value), dict) else ():
            names = _sent_names(branch.codec)
            known = sum(key in names for key in value)
            if known > most:
                best, most = branch.codec, known
        found = [branch.codec for branch in self.branches if branch.codec is not None]
        return found[0] if best is None and len(found) == 1 else best

    def encode(self, value: Any) -> Any:
        for branch in self.branches:
            if branch.conforms(value):
                return codecs.encoded(branch.codec, value)
        return value


def _sent_names(codec: codecs.Coding) -> frozenset[str]:
    """Return the names of the fields that *codec* reads, if it is that of an object."""
    if isinstance(codec, codecs.Named):
        return _sent_names(codec.codecs[codec.name])
    if isinstance(codec, codecs.Wrapped):
        return frozenset({codec.name})
    if not isinstance(codec, codecs.Fields):
        return frozenset()
    return frozenset([entry.sent for entry in codec.entries])


def agree(one: codecs.Coding, other: codecs.Coding) -> bool:
    """Tell whether both read any value that both may be sent in the same way."""
    if one is None and isinstance(other, codecs.Fields):
        one, other = other, one
    if isinstance(one, codecs.Fields) and (other is None or isinstance(other, codecs.Fields)):
        return _fields_agree(one, codecs.Fields(()) if other is None else other)
    return one == other


def _fields_agree(one: codecs.Fields, other: codecs.Fields) -> bool:
    if one.rest or other.rest or one.others is not None or other.others is not None:
        return one == other
    mine = {entry.sent: entry.decodes for entry in one.entries}
    theirs = {entry.sent: entry.decodes for entry in other.entries}
    has_other_names = any(each.name != each.sent for each in (*mine.values(), *theirs.values()))
    if has_other_names and one.undeclared != other.undeclared:
        return False
    return all(
        mine.get(sent, codecs.Entry(sent, sent)) == theirs.get(sent, codecs.Entry(sent, sent))
        for sent in {**mine, **theirs}
    )
