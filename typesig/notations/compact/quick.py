"""The quick reader of common compact text, which needs no lark.

It reads scalars, lists, tuples, maps, records, enums of words and of plain values, unions, optional
types, defaults, quoted names and descriptions.  For any other text or a mistake, it returns None;
then `reader` reads the text and reports a mistake.  A law compares the two: only the grammar
defines what a text means.
"""

from __future__ import annotations

import re
from typing import Any

from typesig.algebra.constructors import enum, map_of, maybe, noted, union
from typesig.algebra.nodes import ANY, STRING, Field, List, Record, Scalar, Tuple, Type
from typesig.algebra.scalars import SCALARS
from typesig.algebra.signature import Signature
from typesig.algebra.values import Const, const
from typesig.errors import TypesigError
from typesig.notations.compact.names import is_bare

#: Matches a token, or blanks.  A "[" directly after something would open a refinement.
_TOKENS = re.compile(
    r'map\[|=\(|[A-Za-z_][A-Za-z0-9_-]*|[ \t\n\r]+|"[^"\\\x00-\x1f]*"|;[^\n\r]*|->'
    r'|-?(?:0|[1-9][0-9]{0,99})(?:\.[0-9]{1,99})?(?![A-Za-z0-9_.])|(?<![A-Za-z0-9_\]})!"?-])\['
    r"|[]()}{},=?!|]"
)

_SCALARS: dict[str, Type] = {name: Scalar(name) for name in SCALARS}

_WORDS = {"true": True, "false": False, "null": None, "nil": None}

_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
_DIGITS = frozenset("-0123456789")
#: What stands behind the type of a field; any other token begins a type.
_BEHIND = frozenset(',)}=";')
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
        found = _Reader(left).signature()
    except (_Unknown, TypesigError, RecursionError):
        return None
    return found if left[-1] is _END else None


class _Reader:
    """Takes the tokens of one text from the end of *left*.

    #: exact: whether names without quotes are exact
    """

    def __init__(self, left: list[str]) -> None:
        self.left = left
        self.exact = False

    def signature(self) -> Signature:
        opened = self.left.pop()
        if opened not in ("(", "=("):
            raise _Unknown
        self.exact = opened == "=("
        params = self._fields(")")
        extra = None if self._takes("!") else ANY
        if not self._takes("->"):
            return Signature(params, ANY, (), extra)
        returns = self._type()[0]
        return Signature(params, noted(returns, self._text() or self._described()), (), extra)

    def _takes(self, token: str) -> bool:
        """Take *token* if it is next, and tell whether it was."""
        if self.left[-1] != token:
            return False
        self.left.pop()
        return True

    def _text(self) -> str:
        """Take a text in quotes, if one is next."""
        if self.left[-1][:1] != '"':
            return ""
        text = self.left.pop()[1:-1]
        if not text:
            raise _Unknown
        return text

    def _described(self) -> str:
        """Take a description that ends its line, if one is next."""
        return self.left.pop()[1:].removeprefix(" ") if self.left[-1][:1] == ";" else ""

    def _fields(self, end: str) -> tuple[Field, ...]:
        """Take the fields up to the bracket *end*."""
        out: list[Field] = []
        if self._takes(end):
            return ()
        while True:
            name, exact, t, required, default, text = self._field()
            more = self._takes(",")
            if self.left[-1][:1] == ";":
                if text:
                    raise _Unknown
                text = self._described()
            out.append(Field(name, noted(t, text), required, default, exact))
            if not more:
                if self.left.pop() != end:
                    raise _Unknown
                return tuple(out)

    def _field(self) -> tuple[str, bool, Type, bool, Const | None, str]:
        """Take a field up to its comma: also its type, whether it is required, and its text."""
        left = self.left
        name, exact = left.pop(), self.exact
        if name[:1] == '"':
            name, exact = name[1:-1], True
        elif name[:1] not in _LETTERS or name == "map[":
            raise _Unknown
        required = not self._takes("?")
        t: Type = STRING
        if left[-1][:1] not in _BEHIND:
            t, optional = self._type()
            required = required and not optional
        default = const(self._literal(left.pop())) if self._takes("=") else None
        return name, exact, t, required, default, self._text()

    def _literal(self, token: str) -> Any:
        first = token[:1]
        if first == '"':
            return token[1:-1]
        if first in _DIGITS and token != "->":
            return float(token) if "." in token else int(token)
        if token == "[":
            return self._array()
        if token not in _WORDS:
            raise _Unknown
        return _WORDS[token]

    def _array(self) -> list[Any]:
        if self._takes("]"):
            return []
        values = [self._literal(self.left.pop())]
        while self._takes(","):
            values.append(self._literal(self.left.pop()))
        if not self._takes("]"):
            raise _Unknown
        return values

    def _type(self) -> tuple[Type, bool]:
        """Take a type, and tell whether it ends with a `?`."""
        t, optional = self._postfix()
        if self.left[-1] != "|":
            return t, optional
        members = [t]
        while self._takes("|"):
            members.append(self._postfix()[0])
        return union(members), False

    def _postfix(self) -> tuple[Type, bool]:
        token = self.left.pop()
        t = _SCALARS.get(token)
        if t is None:
            t = self._compound(token)
        return (maybe(t), True) if self._takes("?") else (t, False)

    def _compound(self, token: str) -> Type:
        if token == "[":
            return self._bracketed()
        if token == "{":
            fields = self._fields("}")
            return Record(fields, None if self._takes("!") else ANY)
        if token == "(":
            t = noted(self._type()[0], self._text())
            if not self._takes(")"):
                raise _Unknown
            return t
        if token != "map[":
            raise _Unknown
        key: Type = STRING
        value = self._type()[0]
        if self.left[-1] != "]":
            key, value = value, self._type()[0]
        if not self._takes("]"):
            raise _Unknown
        return map_of(key, value)

    def _bracketed(self) -> Type:
        """Take what follows a "[": a list, a tuple, or an enum."""
        first, second = self.left[-1], self.left[-2:][0]
        if first[:1] == '"' or first[:1] in _DIGITS or first in ("true", "false"):
            values = self._array()
            if any(value is None or type(value) is list for value in values):
                raise _Unknown
            return enum(values)
        if first[:1] in _LETTERS and second[:1] in _LETTERS and first != "map[":
            words = []
            while is_bare(self.left[-1]):
                words.append(self.left.pop())
            if not self._takes("]"):
                raise _Unknown
            return enum(words)
        items = [self._type()[0]]
        while self._takes(","):
            items.append(self._type()[0])
        if not self._takes("]"):
            raise _Unknown
        return Tuple(tuple(items)) if items[1:] else List(items[0])
