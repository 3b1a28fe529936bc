"""The value of each rule of the grammar, with the token that it begins with.

Each rule of `edn.lark` calls the method of its name, or of its alias, with its parts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from typesig.algebra.rows.values import Keyword
from typesig.limits import MAX_DIGITS
from typesig.notations.edn import CONSTANTS, Symbol
from typesig.notations.texts.table_reader import Token

_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|[\s\S])")
_ESCAPED = frozenset('"\\nrtbf')

CHARS = {
    "newline": "\n",
    "return": "\r",
    "space": " ",
    "tab": "\t",
    "backspace": "\b",
    "formfeed": "\f",
}

#: What to write instead of a tagged value.
TAGS = {
    "inst": 'write only its text, as in "2027-01-31T10:00:00Z"',
    "uuid": "write only its text",
}

# The collections, which cannot be keys or members of sets, since Python could not look them up.
_COLLECTIONS: dict[type, str] = {
    list: "a vector",
    tuple: "a list",
    dict: "a map",
    frozenset: "a set",
}


class Mistake(NamedTuple):
    """A mistake in an EDN text: its offset, its width and the error message."""

    at: int
    width: int
    message: str


#: A value and the token that it begins with; a discarded value is None instead.
Part = tuple[Any, Token]


class EdnParserRules:
    """Actions of the rules of the EDN grammar, for one text.

    #: mistakes: the mistakes found so far; those in a value that `#_` discards are removed
    """

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []

    def start(self, *parts: Part | None) -> Any:
        """Return the value of the text, for the rule `start`."""
        return next(part[0] for part in parts if part is not None)

    def discard(self, token: Token, *_discarded: Any) -> None:
        """Drop the mistakes in the discarded value of the rule `discard`."""
        at = token.start_pos
        while self.mistakes and self.mistakes[-1].at > at:
            self.mistakes.pop()

    def _refuse(self, token: Token, message: str) -> Part:
        """Record a mistake with *message* at *token*, and return no value."""
        self.mistakes.append(Mistake(token.start_pos, len(token), message))
        return None, token

    # words

    def keyword(self, token: Token) -> Part:
        return Keyword(token.lstrip(":")), token

    def symbol(self, token: Token) -> Part:
        return CONSTANTS[token] if token in CONSTANTS else Symbol(str(token)), token

    def text(self, token: Token) -> Part:
        """Build the string of the rule `text`, with its escapes decoded."""
        if "\\" not in token:
            return token[1:-1], token
        for escape in _ESCAPE.finditer(token):
            if len(escape[1]) == 1 and escape[1] not in _ESCAPED:
                at = token.start_pos + escape.start()
                self.mistakes.append(Mistake(at, 2, _escape_remedy(escape[1])))
                return None, token
        # JSON has the same escapes, and one more: \/.
        return json.loads(token, strict=False), token

    def char(self, token: Token) -> Part:
        name = token[1:]
        if name in CHARS:
            return CHARS[name], token
        return name if len(name) == 1 else chr(int(name[1:], 16)), token

    def integer(self, token: Token) -> Part:
        if _is_long(token):
            return self._refuse(token, _TOO_LONG)
        return int(token.removesuffix("N")), token

    def real(self, token: Token) -> Part:
        if _is_long(token):
            return self._refuse(token, _TOO_LONG)
        number = float(token)
        if number - number != 0:
            return self._refuse(token, "this number is too large for a float")
        return number, token

    def decimal(self, token: Token) -> Part:
        from decimal import Decimal, InvalidOperation

        if _is_long(token):
            return self._refuse(token, _TOO_LONG)
        try:
            number = Decimal(token[:-1])
        except InvalidOperation:
            number = Decimal("Infinity")
        if not number.is_finite() or abs(number.adjusted()) > MAX_DIGITS:
            return self._refuse(token, f"the exponent of a decimal goes up to {MAX_DIGITS}")
        return number, token

    # known forms that are refused

    def ratio(self, token: Token) -> Part:
        return self._refuse(token, "a ratio has no form here: write it as a decimal, as in 0.5M")

    def special(self, token: Token) -> Part:
        return self._refuse(token, f"{shorten(token)} has no form here: write a number, or nil")

    def tagged(self, token: Token, *_value: Any) -> Part:
        remedy = TAGS.get(token[1:], "write only the value after it")
        return self._refuse(token, f"the tag {shorten(token)} has no form here: {remedy}")

    # collections

    def vector(self, opened: Token, *parts: Part | None) -> Part:
        return [part[0] for part in parts if part is not None], opened

    def list_of(self, opened: Token, *parts: Part | None) -> Part:
        return tuple([part[0] for part in parts if part is not None]), opened

    def set_of(self, opened: Token, *parts: Part | None) -> Part:
        """Build the frozenset of the rule `set_of`; refuse equal members."""
        members = [part for part in parts if part is not None]
        if not self._are_plain(members, "the member of a set"):
            return None, opened
        made = frozenset([member for member, _ in members])
        if len(made) < len(members):
            self._record_duplicate(members, "members")
        return made, opened

    def map_of(self, opened: Token, *parts: Part | None) -> Part:
        """Build the dict of the rule `map_of`; refuse equal keys."""
        entries = [part for part in parts if part is not None]
        keys, values = entries[::2], entries[1::2]
        if len(keys) > len(values):
            return self._refuse(keys[-1][1], "a map is keys and values, and this key has no value")
        if not self._are_plain(keys, "a key"):
            return None, opened
        made = {key[0]: value[0] for key, value in zip(keys, values, strict=True)}
        if len(made) < len(keys):
            self._record_duplicate(keys, "keys")
        return made, opened

    def _are_plain(self, parts: Sequence[Part], place: str) -> bool:
        """Whether no value in *parts* is a collection; record the first as a mistake."""
        for value, token in parts:
            if type(value) in _COLLECTIONS:
                kind = _COLLECTIONS[type(value)]
                message = f"{kind} cannot be {place} here; a keyword, symbol, text or number can"
                self._refuse(token, message)
                return False
        return True

    def _record_duplicate(self, parts: Sequence[Part], places: str) -> None:
        """Record the first value in *parts* that equals an earlier value."""
        seen: dict[Any, Part] = {}
        value, token = next(part for part in parts if seen.setdefault(part[0], part) is not part)
        before = seen[value][1]
        if before.type == token.type:
            self._refuse(token, f"{shorten(token)} occurs twice")
            return
        # 1, 1.0 and true, or :a, "a" and \a.
        message = (
            f"{shorten(before)} and {shorten(token)} are two {places} in EDN, but equal in Python"
        )
        self._refuse(token, f"{message}: keep one of them")


_TOO_LONG = f"a number may have {MAX_DIGITS} digits"


def _is_long(token: Token) -> bool:
    """Whether the number *token* has more digits than `MAX_DIGITS`."""
    return len(token.strip("+-NM")) > MAX_DIGITS


def _escape_remedy(sign: str) -> str:
    """Return the error message for the unknown escape of the character *sign*."""
    if sign == "u":
        return r"\u is followed by four hexadecimal digits, as in \u00e9"
    return f"\\{escape_unprintable(sign)} is not an escape; a backslash is written \\\\"


def escape_unprintable(text: str) -> str:
    r"""Return *text* on one line, with U+ and its number for each unprintable character.

    >>> escape_unprintable("a\n")
    'aU+000A'
    """
    return "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in text)


def shorten(text: str) -> str:
    """Return *text* for a message: on one line, and cut if it is long."""
    return escape_unprintable(text if len(text) <= 30 else text[:29] + "…")
