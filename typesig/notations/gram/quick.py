"""The quick reader of gram, which needs no lark.

It reads signatures and types without a mistake, but not the path form, nor types that nest so deep
that Python's stack ends.  For any other text it returns None; then `reader` reads the text and
reports a mistake.  A law compares the two: only the grammar defines what a text means.
"""

from __future__ import annotations

import re

from typesig.algebra.constructors import maybe, record
from typesig.algebra.nodes import Field, List, Maybe, Scalar, Type
from typesig.algebra.positional import positional_name
from typesig.algebra.signature import Signature, lone
from typesig.errors import TypesigError
from typesig.notations.gram.spellings import READ
from typesig.notations.quick_values import (
    END,
    LETTERS,
    TEXT,
    Unknown,
    reversed_tokens,
    take,
    takes,
    unquoted,
)

_TOKENS = re.compile(rf"[A-Za-z_](?:[A-Za-z0-9_]|-(?!->))*+|[ \t\n\r]++|{TEXT}|-->|::?|[][(){{}},]")
_IGNORED = frozenset(" \t\n\r")
_NAMES = LETTERS | {'"'}


def read(source: str) -> Signature | None:
    """Return the signature that *source* describes, or None if the grammar has to read it."""
    try:
        left = reversed_tokens(source, _TOKENS, _IGNORED, frozenset())
        found = _signature(left)
    except (Unknown, TypesigError, RecursionError):
        return None
    return found if left[-1] is END else None


def _signature(left: list[str]) -> Signature:
    if not takes(left, "("):
        # A text does not begin with a type in parentheses: those are parameters.
        return Signature((), _type(left), io=True) if takes(left, "IO") else lone(_type(left))
    params = _params(left)
    take(left, "-->")
    io = takes(left, "IO")
    return Signature(params, _type(left), io=io)


def _params(left: list[str]) -> list[Field]:
    """Take parameters, and the closing parenthesis."""
    fields: list[Field] = []
    # The names of the others, and those that are given to parameters without one.
    written: set[str] = set()
    given: set[str] = set()
    if takes(left, ")"):
        return fields
    while True:
        if left[-1][:1] in _NAMES and left[-2] == ":":
            field = _field(left)
            written.add(field.name)
        else:
            name = positional_name(len(fields) + 1)
            given.add(name)
            t = _type(left)
            field = Field(name, t, not isinstance(t, Maybe))
        fields.append(field)
        if not takes(left, ","):
            take(left, ")")
            if not written.isdisjoint(given):
                raise Unknown
            return fields


def _field(left: list[str]) -> Field:
    """Take a name, a colon and a type."""
    name = left.pop()
    if name[:1] not in _NAMES:
        raise Unknown
    take(left, ":")
    t = _type(left)
    exact = name[0] == '"'
    # One of a `Maybe` type may be absent as well as null.
    return Field(unquoted(name) if exact else name, t, not isinstance(t, Maybe), None, exact)


def _type(left: list[str]) -> Type:
    token = left.pop()
    if token in READ:
        return Scalar(READ[token])
    if token == "Maybe":
        return maybe(_type(left))
    if token == "[":
        item = _type(left)
        take(left, "]")
        return List(item)
    if token == "(":
        t = _type(left)
        take(left, ")")
        return t
    if token != "{":
        raise Unknown
    fields: list[Field] = []
    if takes(left, "}"):
        return record(fields)
    while True:
        fields.append(_field(left))
        if not takes(left, ","):
            take(left, "}")
            return record(fields)
