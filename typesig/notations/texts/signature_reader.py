"""Reading the signatures of a notation that has a grammar, and the places of mistakes in them."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from typesig.algebra.constructors import InapplicableConstraint
from typesig.algebra.definitions import MisfitDefaultError, format_misfit
from typesig.algebra.nodes import Field
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.names import check_names
from typesig.algebra.signature import Signature
from typesig.errors import INVALID_SYNTAX, TypesigError
from typesig.limits import MAX_DIGITS, MAX_NEAR_NAME
from typesig.notations.texts.quoting import quote
from typesig.notations.texts.table_reader import (
    TableReader,
    Token,
    UnexpectedPart,
    load_reader,
    make_syntax_error,
)

# --- The values of tokens, and mistakes at tokens ---


class TextMistake(Exception):
    """Error for a mistake at a token, raised by an action of a grammar rule."""

    def __init__(
        self, token: Token, message: str, width: int | None = None, code: str = INVALID_SYNTAX
    ) -> None:
        super().__init__(message)
        self.token = token
        self.message = message
        self.width = len(token) if width is None else width
        self.code = code


class NamedField(NamedTuple):
    """A field, and the token of its name, or of its default, for messages."""

    field: Field
    token: Token


def read_text(token: Token) -> str:
    """Return the text between the quotes of *token*."""
    quoted = token[token.index('"') :]
    if "\\" not in quoted:
        return quoted[1:-1]
    try:
        return str(json.loads(quoted))
    except ValueError:
        raise TextMistake(token, "this text has an escape that JSON does not have") from None


def read_number(token: Token) -> int | float:
    """Return the number that *token* writes; raise `TextMistake` if it is too large."""
    if len(token) > MAX_DIGITS:
        raise TextMistake(token, f"a number may have {MAX_DIGITS} characters")
    number = int(token) if token.removeprefix("-").isdecimal() else float(token)
    if number - number != 0:
        raise TextMistake(token, "this number is too large for a float")
    return number


def check_fields(named: Sequence[NamedField], code: str = INVALID_SYNTAX) -> list[Field]:
    """Return the fields in *named*; raise `TextMistake` with *code* if names clash."""
    fields = [field for field, _ in named]
    try:
        check_names(tuple(fields))
    except TypesigError as error:
        # A binary search for the first name that is like an earlier one.
        counts = range(1, len(fields) + 1)
        first = bisect_left(counts, True, key=lambda count: _has_repeated_name(fields[:count]))
        raise TextMistake(named[first].token, str(error), code=code) from None
    return fields


def _has_repeated_name(fields: list[Field]) -> bool:
    """Whether the names of *fields* clash, so that a record cannot have all of them."""
    try:
        check_names(tuple(fields))
    except TypesigError:
        return True
    return False


def make_default_mistake(
    error: MisfitDefaultError, places: Sequence[NamedField]
) -> TextMistake | None:
    """Build the mistake at the token of the first misfit default of *error*, or None.

    *places* are the fields with defaults, and the tokens of the defaults.
    """
    found = ((token, u) for field, token in places for u in error.unfit if u.field == field)
    first = next(found, None)
    return None if first is None else TextMistake(first[0], format_misfit(first[1]))


def explain_unknown_flag(word: str) -> str:
    """Return the error message for *word*, which is no format and not `unique`."""
    from difflib import get_close_matches

    known = [*FORMATS, "unique"]
    near = get_close_matches(word, known, 1) if len(word) <= MAX_NEAR_NAME else []
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    return f'there is no format "{cut_word(word)}"; {hint}'


def explain_inapplicable(error: InapplicableConstraint) -> str:
    """Return the message for a constraint that does not apply to its type."""
    is_bound = error.constraint.name in ("above", "below")
    return f"{error}; a length is a range, as in [1..5]" if is_bound else str(error)


def cut_word(word: str) -> str:
    """Return *word*, cut if it is long."""
    return word if len(word) <= 30 else word[:29] + "…"


def describe_expected(expected: Collection[str], words: Mapping[str, str]) -> str:
    """Describe the *expected* terminals for a message, by their names in *words*.

    *words* has what messages call the terminals; those without a row are not offered.
    """
    offered = [word for name, word in words.items() if name in expected] or ["the end"]
    last = offered.pop()
    return f"expected {', '.join(offered)} or {last}" if offered else f"expected {last}"


#: What messages call the closing brackets.
CLOSINGS = {"_RPAR": "a closing )", "_RSQB": "a closing ]", "_RBRACE": "a closing }"}

#: A mistake in form: the unexpected text, the text before it, and what else is known of it.
Row = TypeVar("Row", bound=tuple[Any, ...])


def find_row(rows: Iterable[Row], met: str, before: str) -> Row | None:
    """Return the first of *rows* whose patterns match *met* and *before*, or None."""
    for row in rows:
        if re.match(row[0], met) and re.search(row[1], before):
            return row
    return None


def explain_not_allowed(met: str, expected: Collection[str], words: Mapping[str, str]) -> str:
    """Return the general error message for the unexpected text *met*."""
    if len(met) == 1 and not expected:
        return f"{quote(met)} means nothing here"
    return f"{cut_word(met)} is not allowed here; {describe_expected(expected, words)}"


class ExplainedMistake(NamedTuple):
    """A syntax mistake: its error code, its message and its position.

    #: at, width: the part of the text that is wrong
    """

    code: str
    message: str
    at: int
    width: int


class Remedies(Protocol):
    """Protocol of the modules that explain the syntax mistakes of a notation.

    #: GUESSES: names of types in other languages, and what to write instead
    """

    GUESSES: dict[str, str]

    def explain_unknown_type(self, word: str, defined: Sequence[str] = ()) -> str:
        """Return the error message for the unknown type name *word*."""
        ...

    def explain_end(self, source: str, expected: Collection[str]) -> str:
        """Return the error message for the text *source*, which ends too early."""
        ...

    def explain_token(self, source: str, at: int, met: str, expected: Collection[str]) -> str:
        """Return the error message for the unexpected text *met* at *at*."""
        ...


def load_remedies(package: str) -> Remedies:
    """Import the module with the messages of a notation, which few texts need."""
    return cast(Remedies, import_module(f"typesig.notations.{package}.remedies"))


def explain_mistake(package: str, source: str, error: UnexpectedPart) -> ExplainedMistake:
    """Explain a mistake in *source* with the messages of the notation of *package*."""
    remedies = load_remedies(package)
    if not error.met:
        message = remedies.explain_end(source, error.expected)
        return ExplainedMistake(INVALID_SYNTAX, message, len(source.rstrip()), 1)
    expected = error.expected if error.is_token else ()
    message = remedies.explain_token(source, error.at, error.met, expected)
    return ExplainedMistake(INVALID_SYNTAX, message, error.at, len(error.met))


class SignatureReader:
    """Reader of signatures in the text of a notation."""

    def __init__(
        self,
        name: str,
        rules: type[Any],
        explain: Callable[[str, str, UnexpectedPart], ExplainedMistake] = explain_mistake,
    ) -> None:
        """*name* is that of the grammar; *explain* is called for a text with a mistake."""
        self._name = name
        self._rules = rules
        self._explain = explain
        self._tables: TableReader | None = None

    def read(self, source: str) -> Signature:
        """Parse *source* as a signature; raise `SignatureSyntaxError` on a mistake."""
        if self._tables is None:
            self._tables = load_reader(self._name, self._rules)
        try:
            signature: Signature = self._tables.parse(source, self._rules())
            return signature
        except TextMistake as mistake:
            at, width = mistake.token.start_pos, mistake.width
            raise make_syntax_error(source, at, width, mistake.message, mistake.code) from None
        except UnexpectedPart as error:
            found = self._explain(self._name, source, error)
        raise make_syntax_error(source, found.at, found.width, found.message, found.code)
