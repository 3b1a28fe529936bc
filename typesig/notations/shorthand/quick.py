"""The quick reader of common shorthand, which needs no lark.

It reads scalars, lists, maps, records and the like, with what is usual about them, but no patterns,
intersections, negations or groups, and no types of undeclared names.  For any other text or a
mistake, it returns None; then `reader` reads the text and reports a mistake.  A law compares the
two: only the grammar defines what a text means.
"""

from __future__ import annotations

import re
from typing import Any

from typesig.algebra.constraints import COMPARISONS, Constraint
from typesig.algebra.constructors import enum, map_of, maybe, noted, refined, union
from typesig.algebra.nodes import (
    ANY,
    MAP,
    STRING,
    Field,
    List,
    Record,
    Ref,
    Scalar,
    Set,
    Tuple,
    Type,
)
from typesig.algebra.scalars import SCALARS
from typesig.algebra.signature import Signature
from typesig.algebra.values import Const, Keyword, const
from typesig.errors import TypesigError
from typesig.notations.shorthand.names import ALSO_READ, RESERVED

#: Matches a token, blanks or a comment.  A "[" directly after something opens a refinement.  An
#: unclosed text matches, too: looking for its end from each place would take long.
_TOKENS = re.compile(
    r"[A-Za-z_][A-Za-z0-9_-]*|[ \t\n\r]+|:[A-Za-z_][A-Za-z0-9_-]*\[?"
    r'|"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+"?|->|;[^\n]*'
    r"|-?(?:0|[1-9][0-9]{0,99})(?:\.[0-9]{1,99})?(?![A-Za-z0-9_]|\.(?!\.))"
    r"|[]}]\[?|(?<![^ \t\n\r(,\[{])\[|#\{|[<>]=?|\.\.|[(){,=?!|%]"
)

#: Opens a refinement.
_REFINE = "[["
_OPENING = frozenset({":enum[", ":map[", ":one[", ":not["})

#: The types of the names, as tokens.
_SCALARS: dict[str, Type] = {
    f":{name}": Scalar(ALSO_READ.get(name, name))  # type: ignore[arg-type]
    for name in (*SCALARS, *ALSO_READ)
}

_WORDS = {"true": True, "false": False, "null": None, "nil": None}

_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
_DIGITS = frozenset("-0123456789")
#: What a type begins with.
_TYPES = frozenset(":[{#")
_END = ""


class _Unknown(Exception):
    """A text that only the grammar reads."""


def read(source: str) -> Signature | None:
    """Return the signature that *source* describes, or None if the grammar has to read it."""
    tokens = _TOKENS.findall(source)
    if len("".join(tokens)) != len(source):
        return None
    # The next token is the last one: taking it moves nothing.
    left = [_END]
    for token in reversed(tokens):
        if token[-1] == "[" and token[0] in ":]}" and token not in _OPENING:
            left.append(_REFINE)
            left.append(token[:-1])
        elif token[0] not in " \t\n\r;":
            left.append(token)
    try:
        found = _signature(left)
    except (_Unknown, TypesigError, RecursionError):
        return None
    return found if left[-1] is _END else None


def _signature(left: list[str]) -> Signature:
    params: tuple[Field, ...] = ()
    extra: Type | None = ANY
    is_lone = False
    if left[-1] == "(":
        left.pop()
        params = _fields(left, ")")
        if left[-1] == "!":
            left.pop()
            extra = None
    elif left[-1] != "->":
        is_lone = True
    if not is_lone:
        _take(left, "->")
    returns = _type(left)[0]
    if not is_lone:
        returns = noted(returns, _text(left))
    return Signature(params, returns, _definitions(left) if left[-1] == "where" else (), extra)


def _definitions(left: list[str]) -> dict[str, Type]:
    """Return the types behind `where`, which is next."""
    found: dict[str, Type] = {}
    mark = "where"
    while left.pop() == mark:
        mark, name = ",", left.pop()
        if name[:1] not in _LETTERS or name in RESERVED or name in found:
            raise _Unknown
        _take(left, "=")
        found[name] = _type(left)[0]
        if left[-1] is _END:
            return found
    raise _Unknown


def _take(left: list[str], token: str) -> None:
    if left.pop() != token:
        raise _Unknown


def _text(left: list[str]) -> str | None:
    """Return the text that is next, or None."""
    return _unquoted(left.pop()) if left[-1][:1] == '"' else None


def _unquoted(token: str) -> str:
    """Return what stands between the quotes of *token*."""
    if "\\" not in token and token[-1] == '"' and token != '"':
        return token[1:-1]
    import json

    try:
        return str(json.loads(token))
    except ValueError:
        raise _Unknown from None


def _fields(left: list[str], end: str) -> tuple[Field, ...]:
    """Return the fields up to the bracket *end*."""
    out: list[Field] = []
    if left[-1] == end:
        left.pop()
        return ()
    while True:
        name = left.pop()
        exact = name[:1] == '"'
        if exact:
            name = _unquoted(name)
        elif name[:1] not in _LETTERS:
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
        out.append(Field(name, noted(t, text) if text else t, not optional, default, exact))
        token = left.pop()
        if token == end:
            return tuple(out)
        if token != ",":
            raise _Unknown


def _literal(token: str) -> Any:
    first = token[:1]
    if first == '"':
        return _unquoted(token)
    if first in _DIGITS:
        return _number(token)
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
    if left[-1] == _REFINE:
        left.pop()
        t = _refined(t, left)
    if left[-1] != "?":
        return t, False
    left.pop()
    return maybe(t), True


def _refined(t: Type, left: list[str]) -> Type:
    """Return *t* with the constraints up to the closing bracket."""
    found: list[Constraint] = []
    token = ","
    while token == ",":
        found += _constraints(left)
        token = left.pop()
    # A second refinement is a mistake, and so is a constraint that does not apply.
    if token != "]" or left[-1] == _REFINE:
        raise _Unknown
    return refined(t, found)


def _constraints(left: list[str]) -> list[Constraint]:
    token = left.pop()
    if token in COMPARISONS:
        return [Constraint(COMPARISONS[token], _number(left.pop()))]
    if token == "..":
        return [Constraint("at_most", _number(left.pop()))]
    if token == "%":
        return [Constraint("multiple_of", _number(left.pop()))]
    if token[:1] in _LETTERS:
        return [Constraint("unique", True) if token == "unique" else Constraint("format", token)]
    low = _number(token)
    _take(left, "..")
    if left[-1][:1] not in _DIGITS:
        return [Constraint("at_least", low)]
    high = _number(left.pop())
    if low > high:
        raise _Unknown
    return [Constraint("at_least", low), Constraint("at_most", high)]


def _number(token: str) -> int | float:
    if token[:1] not in _DIGITS or token == "->":
        raise _Unknown
    return float(token) if "." in token else int(token)


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
    if token == "#{":
        item = _type(left)[0]
        _take(left, "}")
        return Set(item)
    if token[:1] != ":":
        raise _Unknown
    if token == ":map[":
        return _map(left)
    return _enum(left) if token == ":enum[" else _reference(token)


def _map(left: list[str]) -> Type:
    if left[-1][:1] not in _TYPES:
        return _refined(MAP, left)
    first = _type(left)[0]
    second = None if left[-1] == "]" else _type(left)[0]
    _take(left, "]")
    return map_of(STRING, first) if second is None else map_of(first, second)


def _reference(token: str) -> Ref:
    if token[-1] == "[" or token[1:] in RESERVED:
        raise _Unknown
    return Ref(token[1:])


def _enum(left: list[str]) -> Type:
    values = [_literal(left.pop())]
    while left[-1] != "]":
        if left[-1] == ",":
            left.pop()
        values.append(_literal(left.pop()))
    left.pop()
    return enum(values)
