"""The quick reader of shorthand, which needs no lark.

It reads every text without a mistake, unless its types nest so deep that Python's stack ends.  For
any other text it returns None; then `reader` reads the text and reports the mistake.  A law
compares the two: only the grammar defines what a text means.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from typesig.algebra.constructors import enum, noted
from typesig.algebra.nodes import ANY, Field, Matching, Record, Scalar, Type
from typesig.algebra.scalars import SCALARS
from typesig.algebra.signature import Signature
from typesig.algebra.values import Const, const
from typesig.errors import TypesigError
from typesig.notations.quick_types import Fields, QuickTypes
from typesig.notations.quick_values import (
    END,
    NUMBER,
    PATTERN,
    REFINE,
    TEXT,
    Unknown,
    literal,
    pattern,
    reversed_tokens,
    take,
    takes,
    text,
    unquoted,
)
from typesig.notations.shorthand.names import ALSO_READ

_TOKENS = re.compile(
    rf"[A-Za-z_][A-Za-z0-9_-]*+|[ \t\n\r]++|:(?:[A-Za-z_][A-Za-z0-9_-]*+|{TEXT})?\[?|{TEXT}"
    rf"|{NUMBER}|->|;[^\n]*+|{PATTERN}"
    r"|[]})!]\[?|#\{|[<>]=?|\.\.|\*\*|[\[{(,=?|&%]"
)
#: The first characters of blanks and comments, and of what a "[" may follow directly.
_IGNORED = frozenset(" \t\n\r;")
_REFINABLE = frozenset(":]})!")

#: The types of the names, as tokens.
_SCALARS: dict[str, Type] = {
    f":{name}": Scalar(ALSO_READ.get(name, name))  # type: ignore[arg-type]
    for name in (*SCALARS, *ALSO_READ)
}


def read(source: str) -> Signature | None:
    """Return the signature that *source* describes, or None if the grammar has to read it."""
    try:
        left = reversed_tokens(source, _TOKENS, _IGNORED, _REFINABLE)
        found = _Reader(left).signature()
    except (Unknown, TypesigError, RecursionError):
        return None
    return found if left[-1] is END else None


def _enum(reader: QuickTypes) -> Type:
    left = reader.left
    values = [literal(left, is_bare_text=True)]
    while not takes(left, "]"):
        takes(left, ",")
        values.append(literal(left, is_bare_text=True))
    return enum(values)


_BRACKETED: dict[str, Callable[[Any], Type]] = {
    ":enum": _enum,
    ":one": QuickTypes.one,
    ":not": QuickTypes.negation,
}


class _Reader(QuickTypes):
    """Takes the tokens of one text."""

    __slots__ = ()
    SCALARS = _SCALARS
    MAP = ":map"
    BRACKETED = _BRACKETED
    STARTS = frozenset(":[{#(")

    def signature(self) -> Signature:
        """Take the whole text."""
        left = self.left
        params: tuple[Field, ...] = ()
        extra: Type | None = ANY
        # A parenthesis before a type is a group.
        is_function = left[-1] == "(" and left[-2][:1] not in self.STARTS
        if is_function:
            left.pop()
            params, matching, extra = self.closed(self.fields(")"))
            if matching:
                raise Unknown
        if is_function or left[-1] == "->":
            take(left, "->")
            returns = noted(self.type()[0], text(left))
        else:
            returns = self.type()[0]
        return Signature(params, returns, self.definitions() if left[-1] == "where" else (), extra)

    def fields(self, end: str) -> Fields:
        """Take the fields up to the bracket *end*."""
        left = self.left
        fields: list[Field] = []
        if takes(left, end):
            return (), (), None
        while True:
            start = left[-1]
            if start == "**" or start[:1] == "/":
                matching, extra = self._others()
                take(left, end)
                return tuple(fields), matching, extra
            name, exact = self.name()
            required = not takes(left, "?")
            t, optional = self.type()
            default: Const | None = const(literal(left)) if takes(left, "=") else None
            described = text(left)
            if described:
                t = noted(t, described)
            fields.append(Field(name, t, required and not optional, default, exact))
            if not takes(left, ","):
                take(left, end)
                return tuple(fields), (), None

    def _others(self) -> tuple[tuple[Matching, ...], Type | None]:
        """Take the types of key patterns, and that of other names, which end the fields."""
        left = self.left
        matching: list[Matching] = []
        while True:
            token = left.pop()
            if token == "**":
                return tuple(matching), self.type()[0]
            if token[:1] != "/":
                raise Unknown
            matching.append(Matching(pattern(token), noted(self.type()[0], text(left))))
            if not takes(left, ","):
                return tuple(matching), None

    def record(self) -> Type:
        """Take a record after its "{"."""
        if self.left[-1][:1] != ":":
            return super().record()
        fields, _, extra = self.closed((self._entries(), (), None))
        return Record(fields, extra)

    def _entries(self) -> tuple[Field, ...]:
        """Take the fields of a record in Clojure's style, and the closing bracket."""
        left = self.left
        fields: list[Field] = []
        while True:
            token = left.pop()
            if token[:1] != ":" or token == ":":
                raise Unknown
            exact = token[1] == '"'
            t, optional = self.type()
            name = unquoted(token[1:]) if exact else token[1:]
            fields.append(Field(name, t, not optional, None, exact))
            if takes(left, "}"):
                return tuple(fields)
            takes(left, ",")

    def named(self, token: str) -> Type:
        """Return the type whose name is *token*, with what its brackets hold."""
        # In `:map[:int[1..][:string]]` the last "[" follows what is refined already.
        return self.bracketed() if token == REFINE else super().named(token)

    def bracketed(self) -> Type:
        """Take a list or a tuple after its "["."""
        return self.list_or_tuple()
