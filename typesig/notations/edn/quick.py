"""The quick reader of common EDN, which needs no lark.

It reads collections, keywords, symbols, texts, integers, floats, nil, true and false, in ASCII but
for texts and comments.  For any other text or a mistake, it returns None; then `reader` reads the
text and reports a mistake.  A law compares the two: only the grammar defines what a text means.
"""

from __future__ import annotations

import re
from typing import Any

from typesig.algebra.values import Keyword
from typesig.errors import TypesigError
from typesig.limits import MAX_DIGITS
from typesig.notations.edn.data import CLOSED_BY, CONSTANTS, Symbol, is_name

#: Matches white space, a comment, a word, a text or a bracket.  A text matches without its end,
#: too: looking for it from each place would take long.
_TOKENS = re.compile(
    r"[ \t\n\r,]++|;[^\n]*+|#\{|[A-Za-z0-9.*+!?$%&=<>:#'/_-]++"
    r'|"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"?|[][(){}]'
)
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:N|((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?))")

_IGNORED = frozenset(" \t\n\r,;")
_LIKE_A_NUMBER = frozenset("0123456789+-")
_COLLECTIONS = frozenset({list, tuple, dict, frozenset})


class _Unknown(Exception):
    """A text that only the grammar reads."""


def read(source: str) -> tuple[Any] | None:
    """Return the value that *source* writes, as the only member, or None for the grammar's."""
    tokens = _TOKENS.findall(source)
    if len("".join(tokens)) != len(source):
        return None
    try:
        values = _values(tokens)
    except (_Unknown, TypesigError):
        return None
    return (values[0],) if len(values) == 1 else None


def _values(tokens: list[str]) -> list[Any]:
    """Return the values that *tokens* write."""
    values: list[Any] = []
    # What is open: the brackets, and the values before them.
    opened: list[tuple[str, list[Any]]] = []
    for token in tokens:
        if token in CLOSED_BY:
            opened.append((token, values))
            values = []
        elif token in ("]", ")", "}"):
            bracket, before = opened.pop() if opened else ("", values)
            if CLOSED_BY.get(bracket) != token:
                raise _Unknown
            before.append(_collection(bracket, values))
            values = before
        elif token[0] not in _IGNORED:
            values.append(_word(token))
    if opened:
        raise _Unknown
    return values


def _collection(bracket: str, values: list[Any]) -> Any:
    if bracket == "[":
        return values
    if bracket == "(":
        return tuple(values)
    keys = values if bracket == "#{" else values[::2]
    if not _COLLECTIONS.isdisjoint(map(type, keys)):
        raise _Unknown
    made: Any = frozenset(keys)
    if len(made) < len(keys):
        raise _Unknown
    if bracket == "#{":
        return made
    if len(values) % 2:
        raise _Unknown
    return dict(zip(keys, values[1::2], strict=True))


def _word(token: str) -> Any:
    first = token[0]
    if first == ":":
        name = token[1:].removeprefix(":")
        if not is_name(name):
            raise _Unknown
        return Keyword(name)
    if first == '"':
        return _text(token)
    if token in CONSTANTS:
        return CONSTANTS[token]
    if first in _LIKE_A_NUMBER:
        found = _NUMBER.fullmatch(token)
        if found is not None:
            return _number(token, bool(found[1]))
    return Symbol(token)


def _text(token: str) -> str:
    if "\\" not in token and token[-1] == '"' and token != '"':
        return token[1:-1]
    # EDN has the escapes of JSON, but for this one.
    if "\\/" in token:
        raise _Unknown
    import json

    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        raise _Unknown from None


def _number(token: str, is_float: bool) -> int | float:
    if len(token) > MAX_DIGITS:
        raise _Unknown
    number = float(token) if is_float else int(token.removesuffix("N"))
    if number - number != 0:
        raise _Unknown
    return number
