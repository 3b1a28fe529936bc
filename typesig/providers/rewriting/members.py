"""Codecs of unions: which member a value is of, and whether two members read values alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from typesig.providers.rows.codecs import (
    Accepts,
    Coding,
    Entry,
    Fields,
    Named,
    Wrapped,
    decoded,
    encoded,
)
from typesig.providers.rows.faults import QUIET, Decoding


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

    def has_parts(self, text: str) -> bool:
        """Tell whether no member takes *text*, and the values of one have parts."""
        have = any(b.codec is not None and b.codec.has_parts(text) for b in self.branches)
        return have and not any(branch.fits(text) for branch in self.branches)

    def decode(self, value: Any, how: Decoding = QUIET) -> Any:
        """Return what *value* stands for."""
        for branch in self.branches:
            if branch.fits(value):
                return decoded(branch.codec, value, how)
        return decoded(self._nearest(value), value, how)

    def _nearest(self, value: Any) -> Coding:
        """Return the codec that reads most of *value*, which no member accepts."""
        best: Coding = None
        most = 0
        for branch in self.branches if issubclass(type(value), dict) else ():
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
    has_other_names = any(each.name != each.sent for each in (*mine.values(), *theirs.values()))
    if has_other_names and one.undeclared != other.undeclared:
        return False
    return all(
        mine.get(sent, Entry(sent, sent)) == theirs.get(sent, Entry(sent, sent))
        for sent in {**mine, **theirs}
    )
