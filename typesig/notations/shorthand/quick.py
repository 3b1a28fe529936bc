"""The quick reader of common shorthand, which needs no lark.

It reads scalars, lists, tuples, records, enums, unions, optional types, defaults and descriptions.
For any other text or a mistake, it returns None; then `reader` reads the text and reports a
mistake.  A law compares the two: only the grammar defines what a text means.
"""

from __future__ import annotations

import re
from typing import Any

from typesig.algebra.constructors import enum, maybe, noted, union
from typesig.algebra.nodes import ANY, Field, List, Record, Scalar, Tuple, Type
from typesig.algebra.scalars import SCALARS
from typesig.algebra.signature import Signature
from typesig.algebra.values import Const, Keyword, const
from typesig.errors import TypesigError
from typesig.notations.shorthand.names import ALSO_READ

#: Matches a token, or blanks.  A "[" directly after something would open a refinement.
_TOKENS = re.compile(
    r'[A-Za-z_][A-Za-z0-9_-]*|[ \t\n\r]+|:enum\[|:[A-Za-z_][A-Za-z0-9_-]*|"[^"\\\x00-\x1f]*"|->'
    r"|-?(?:0|[1-9][0-9]{0,99})(?:\.[0-9]{1,99})?(?![A-Za-z0-9_.])|(?<![^ \t\n\r(,\[{])\["
    r"|[](){},=?!|]"
)

#: The types of the names, as tokens.
_SCALARS: dict[str, Type] = {
    f":{name}": Scalar(ALSO_READ.get(name, name))  # type: ignore[arg-type]
    for name in (*SCALARS, *ALSO_READ)
}

_WORDS = {"true": True, "false": False, "null": None, "nil": None}

_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
_DIGITS = frozenset("-0123456789")
_END = ""


class _Unknown(Exception):
    """A text that only the grammar reads."""


def read(source: str) -> Signature | None:
    """Return the signature that *source* describes, or None if the grammar has to read it."""
    tokens = _TOKENS.findall(source)
    if len("".join(tokens)) != len(source):
        return None
    # The next token is the last one: taking it moves nothing.
    left = [_END, *[token for token in reversed(tokens) if token[0] not in " \t\n\r"]]
    try:
        found = _signature(left)
    except (_Unknown, TypesigError, RecursionError):
        return None
    return found if left[-1] is _END else None


def _signature(left: list[str]) -> Signature:
    params: tuple[Field, ...] = ()
    extra: Type | None = ANY
    if left[-1] == "(":
        left.pop()
        params = _fields(left, ")")
        if left[-1] == "!":
            left.pop()
            extra = None
    elif left[-1] != "->":
        return Signature((), _type(left)[0])
    _take(left, "->")
    returns = _type(left)[0]
    return Signature(params, noted(returns, _text(left)), (), extra)


def _take(left: list[str], token: str) -> None:
    if left.pop() != token:
        raise _Unknown


def _text(left: list[str]) -> str | None:
    """Return the text that is next, or None."""
    return left.pop()[1:-1] if left[-1][:1] == '"' else None


def _fields(left: list[str], end: str) -> tuple[Field, ...]:
    """Return the fields up to the bracket *end*."""
    out: list[Field] = []
    if left[-1] == end:
        left.pop()
        return ()
    while True:
        name = left.pop()
        if name[:1] not in _LETTERS:
            raise _Unknown
        t, optional = _type(left)
        default: Const | None = None
        if left[-1] == "=":
            left.pop()
            token = left.pop()
            if token not in _WORDS and token[:1] in _LETTERS:
                raise _Unknown
            default = const(_literal(token))
        text = _text(left)
        out.append(Field(name, noted(t, text) if text else t, not optional, default))
        token = left.pop()
        if token == end:
            return tuple(out)
        if token != ",":
            raise _Unknown


def _literal(token: str) -> Any:
    first = token[:1]
    if first == '"':
        return token[1:-1]
    if first in _DIGITS and token != "->":
        return float(token) if "." in token else int(token)
    if first in _LETTERS:
        return _WORDS.get(token, token)
    if first == ":" and token[-1] != "[":
        return Keyword(token[1:])
    raise _Unknown


def _type(left: list[str]) -> tuple[Type, bool]:
    """Return a type, and whether a `?` follows it."""
    t, optional = _postfix(left)
    if left[-1] != "|":
        return t, optional
    members = [t]
    while left[-1] == "|":
        left.pop()
        members.append(_postfix(left)[0])
    return union(members), False


def _postfix(left: list[str]) -> tuple[Type, bool]:
    token = left.pop()
    t = _SCALARS.get(token)
    if t is None:
        t = _compound(token, left)
    if left[-1] != "?":
        return t, False
    left.pop()
    return maybe(t), True


def _compound(token: str, left: list[str]) -> Type:
    if token == "[":
        items = [_type(left)[0]]
        while left[-1] == ",":
            left.pop()
            items.append(_type(left)[0])
        _take(left, "]")
        return Tuple(tuple(items)) if items[1:] else List(items[0])
    if token == "{":
        fields = _fields(left, "}")
        closed = left[-1] == "!"
        if closed:
            left.pop()
        return Record(fields, None if closed else ANY)
    if token != ":enum[":
        raise _Unknown
    values = [_literal(left.pop())]
    while left[-1] != "]":
        if left[-1] == ",":
            left.pop()
        values.append(_literal(left.pop()))
    left.pop()
    return enum(values)
