"""The quick reader of compact text, which needs no lark.

It reads every text without a mistake, unless its types nest so deep that Python's stack ends.  For
any other text it returns None; then `reader` reads the text and reports the mistake.  A law
compares the two: only the grammar defines what a text means.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from typesig.algebra.constructors import enum, noted
from typesig.algebra.nodes import ANY, STRING, Field, Matching, Scalar, Type
from typesig.algebra.scalars import SCALARS
from typesig.algebra.signature import Signature
from typesig.algebra.values import Const, const
from typesig.errors import TypesigError
from typesig.notations.compact.names import RESERVED, is_bare
from typesig.notations.quick_types import Fields, QuickTypes
from typesig.notations.quick_values import (
    DIGITS,
    END,
    LETTERS,
    NUMBER,
    PATTERN,
    TEXT,
    Unknown,
    literal,
    pattern,
    reversed_tokens,
    take,
    takes,
    text,
)

#: A "[" directly after a text or a number opens nothing.
_TOKENS = re.compile(
    rf"[A-Za-z_][A-Za-z0-9_-]*+\[?|[ \t\n\r]++|:(?:[A-Za-z_][A-Za-z0-9_-]*+|{TEXT})?\[?|{TEXT}"
    rf"|{NUMBER}|->|;[^\n\r]*+|{PATTERN}|=\(|(?<![A-Za-z0-9_\]}})!\"?-])\["
    r"|[]})!]\[?|#\{|[<>]=?|\.\.|\*\*|[{(,=?|&%]"
)
#: The first characters of blanks, and of what a "[" may follow directly.
_IGNORED = frozenset(" \t\n\r")
_REFINABLE = LETTERS | frozenset(":]})!")

_SCALARS: dict[str, Type] = {name: Scalar(name) for name in SCALARS}

#: What stands behind the type of a field; any other token begins a type.
_BEHIND = frozenset(',)}=";')


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
    while takes(left, ","):
        values.append(literal(left, is_bare_text=True))
    take(left, "]")
    return enum(values)


_BRACKETED: dict[str, Callable[[Any], Type]] = {
    "enum": _enum,
    "one": QuickTypes.one,
    "not": QuickTypes.negation,
}


class _Reader(QuickTypes):
    """Takes the tokens of one text.

    #: exact: whether names without quotes are exact
    """

    __slots__ = ("exact",)
    SCALARS = _SCALARS
    MAP = "map"
    BRACKETED = _BRACKETED
    STARTS = LETTERS | frozenset(":[{#(")

    def signature(self) -> Signature:
        """Take the whole text."""
        left = self.left
        self.exact = left[-1] == "=("
        if left.pop() not in ("(", "=("):
            raise Unknown
        params, matching, extra = self.closed(self.fields(")"))
        if matching:
            raise Unknown
        returns: Type = ANY
        if takes(left, "->"):
            returns = self._described(self.type()[0], text(left))
        return Signature(params, returns, self.definitions() if left[-1] == "where" else (), extra)

    def _described(self, t: Type, described: str | None) -> Type:
        """Return *t* with the description *described*, or with one that ends the line."""
        if self.left[-1][:1] == ";":
            if described is not None:
                raise Unknown
            described = self.left.pop()[1:].removeprefix(" ")
        return noted(t, described) if described else t

    def fields(self, end: str) -> Fields:
        """Take the fields up to the bracket *end*."""
        left = self.left
        fields: list[Field] = []
        matching: list[Matching] = []
        extra: Type | None = None
        if takes(left, end):
            return (), (), None
        while True:
            if takes(left, "**"):
                extra = self.type()[0]
                take(left, end)
                return tuple(fields), tuple(matching), extra
            if left[-1][:1] == "/":
                key = pattern(left.pop())
                t = self.type()[0]
                described = text(left)
                more = takes(left, ",")
                matching.append(Matching(key, self._described(t, described)))
            elif matching:
                raise Unknown
            else:
                more = self._field(fields)
            if not more:
                take(left, end)
                return tuple(fields), tuple(matching), None

    def _field(self, fields: list[Field]) -> bool:
        """Take a field and put it into *fields*; tell whether a comma follows it."""
        left = self.left
        name, is_quoted = self.name()
        required = not takes(left, "?")
        t: Type = STRING
        if left[-1][:1] not in _BEHIND:
            t, optional = self.type()
            required = required and not optional
        default: Const | None = const(literal(left)) if takes(left, "=") else None
        described = text(left)
        # A description that ends the line stands behind the comma.
        more = takes(left, ",")
        t = self._described(t, described)
        fields.append(Field(name, t, required, default, is_quoted or self.exact))
        return more

    def named(self, token: str) -> Type:
        """Return the type whose name is *token*, with what its brackets hold."""
        if token[1:] in RESERVED and token[0] == ":":
            raise Unknown
        return super().named(token)

    def bracketed(self) -> Type:
        """Take what follows a "[": a list, a tuple, or an enum."""
        left = self.left
        first = left[-1]
        if first[:1] == '"' or first[:1] in DIGITS or first in ("true", "false"):
            values = [self._plain()]
            while takes(left, ","):
                values.append(self._plain())
            take(left, "]")
            return enum(values)
        if first[:1] in LETTERS and left[-2][:1] in LETTERS:
            words = []
            while is_bare(left[-1]):
                words.append(left.pop())
            take(left, "]")
            return enum(words)
        return self.list_or_tuple()

    def _plain(self) -> object:
        """Take a value of an enum in plain brackets: a text, a number, true or false."""
        first = self.left[-1]
        if first[:1] != '"' and first[:1] not in DIGITS and first not in ("true", "false"):
            raise Unknown
        return literal(self.left)
