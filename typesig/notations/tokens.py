"""What the rules of a grammar make of tokens: texts, numbers, names, and mistakes at their places.

Every notation with a grammar shares this; it needs no parser itself.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from typesig.algebra.nodes import Field, check_names
from typesig.errors import INVALID_SYNTAX, TypesigError
from typesig.limits import MAX_DIGITS

if TYPE_CHECKING:
    from lark import Token


class Mistake(Exception):
    """A mistake at a token, found by a rule."""

    def __init__(
        self, token: Token, message: str, width: int | None = None, code: str = INVALID_SYNTAX
    ) -> None:
        super().__init__(message)
        self.token = token
        self.message = message
        self.width = len(token) if width is None else width
        self.code = code


class Named(NamedTuple):
    """A field and the token of its name, for a message about the two."""

    field: Field
    token: Token


def text_in(token: Token) -> str:
    """Return the text that *token* quotes."""
    try:
        return str(json.loads(token[token.index('"') :]))
    except ValueError:
        raise Mistake(token, "the escape in this text is none of JSON's") from None


def number_in(token: Token) -> int | float:
    """Return the number that *token* writes."""
    if len(token) > MAX_DIGITS:
        raise Mistake(token, f"a number may have {MAX_DIGITS} characters")
    number: int | float = json.loads(token)
    if number - number != 0:
        raise Mistake(token, "this number is too large for a float")
    return number


def checked(named: Sequence[Named], code: str = INVALID_SYNTAX) -> list[Field]:
    """Return the fields of *named*; a name that is like one before it is a `Mistake` of *code*."""
    fields = [field for field, _ in named]
    try:
        check_names(tuple(fields))
    except TypesigError as error:
        # The more names there are, the likelier two are alike: the first such one is halved out.
        counts = range(1, len(fields) + 1)
        first = bisect_left(counts, True, key=lambda count: _clashing(fields[:count]))
        raise Mistake(named[first].token, str(error), code=code) from None
    return fields


def _clashing(fields: list[Field]) -> bool:
    try:
        check_names(tuple(fields))
    except TypesigError:
        return True
    return False


def end_of(source: str) -> tuple[int, int]:
    """Return line and column behind the text, where what is missing would stand."""
    # lark names the last token as the place of a missing one.
    text = source.rstrip()
    return text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1
