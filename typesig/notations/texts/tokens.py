"""The values of tokens, and mistakes at tokens: shared by the notations that have a grammar."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from typesig.algebra.constructors import InapplicableConstraint
from typesig.algebra.defaults import UnfitDefault, unfit_text
from typesig.algebra.nodes import Field
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.names import check_names
from typesig.errors import INVALID_SYNTAX, TypesigError
from typesig.limits import MAX_DIGITS, MAX_NEAR_NAME
from typesig.notations.texts.quoting import quoted
from typesig.notations.texts.table_reader import Token


class Mistake(Exception):
    """A mistake at a token, which a rule of the grammar found."""

    def __init__(
        self, token: Token, message: str, width: int | None = None, code: str = INVALID_SYNTAX
    ) -> None:
        super().__init__(message)
        self.token = token
        self.message = message
        self.width = len(token) if width is None else width
        self.code = code


class Named(NamedTuple):
    """A field, and the token of its name, or of its default, for messages."""

    field: Field
    token: Token


def text_in(token: Token) -> str:
    """Return the text between the quotes of *token*."""
    quoted = token[token.index('"') :]
    if "\\" not in quoted:
        return quoted[1:-1]
    try:
        return str(json.loads(quoted))
    except ValueError:
        raise Mistake(token, "this text has an escape that JSON does not have") from None


def number_in(token: Token) -> int | float:
    """Return the number that *token* stands for."""
    if len(token) > MAX_DIGITS:
        raise Mistake(token, f"a number may have {MAX_DIGITS} characters")
    number = int(token) if token.removeprefix("-").isdecimal() else float(token)
    if number - number != 0:
        raise Mistake(token, "this number is too large for a float")
    return number


def checked_fields(named: Sequence[Named], code: str = INVALID_SYNTAX) -> list[Field]:
    """Return the fields of *named*; raise a `Mistake` with *code* if two names are alike."""
    fields = [field for field, _ in named]
    try:
        check_names(tuple(fields))
    except TypesigError as error:
        # A binary search for the first name that is like an earlier one.
        counts = range(1, len(fields) + 1)
        first = bisect_left(counts, True, key=lambda count: _has_clash(fields[:count]))
        raise Mistake(named[first].token, str(error), code=code) from None
    return fields


def _has_clash(fields: list[Field]) -> bool:
    try:
        check_names(tuple(fields))
    except TypesigError:
        return True
    return False


def at_default(error: UnfitDefault, places: Sequence[Named]) -> Mistake | None:
    """Return *error* as a mistake at the token of its first default, or None if it has no token.

    *places* are the fields with defaults, and the tokens of the defaults.
    """
    found = ((token, u) for field, token in places for u in error.unfit if u.field == field)
    first = next(found, None)
    return None if first is None else Mistake(first[0], unfit_text(first[1]))


def unknown_flag(word: str) -> str:
    """Return the message for *word*, which is not the name of a format."""
    from difflib import get_close_matches

    known = [*FORMATS, "unique"]
    near = get_close_matches(word, known, 1) if len(word) <= MAX_NEAR_NAME else []
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    return f'there is no format "{cut(word)}"; {hint}'


def inapplicable(error: InapplicableConstraint) -> str:
    """Return the message for a constraint that does not apply to its type."""
    is_bound = error.constraint.name in ("above", "below")
    return f"{error}; a length is a range, as in [1..5]" if is_bound else str(error)


def cut(word: str) -> str:
    """Return *word*, cut if it is long."""
    return word if len(word) <= 30 else word[:29] + "…"


def wanted(expected: Collection[str], words: Mapping[str, str]) -> str:
    """Return what may stand at a place, where the grammar has the terminals *expected*.

    *words* has what messages call the terminals; those without a row are not offered.
    """
    offered = [word for name, word in words.items() if name in expected] or ["the end"]
    last = offered.pop()
    return f"expected {', '.join(offered)} or {last}" if offered else f"expected {last}"


#: What messages call the closing brackets.
CLOSINGS = {"_RPAR": "a closing )", "_RSQB": "a closing ]", "_RBRACE": "a closing }"}

#: A mistake in form: the unexpected text, the text before it, and what else is known of it.
Row = TypeVar("Row", bound=tuple[Any, ...])


def row_of(rows: Iterable[Row], met: str, before: str) -> Row | None:
    """Return the first of *rows* for the text *met*, which is not allowed behind *before*."""
    for row in rows:
        if re.match(row[0], met) and re.search(row[1], before):
            return row
    return None


def not_allowed(met: str, expected: Collection[str], words: Mapping[str, str]) -> str:
    """Return the message for *met* where no other is known; see `wanted`."""
    if len(met) == 1 and not expected:
        return f"{quoted(met)} means nothing here"
    return f"{cut(met)} is not allowed here; {wanted(expected, words)}"
