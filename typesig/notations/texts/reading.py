"""Reading the signatures of a notation that has a grammar, and the places of mistakes in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, Protocol

from typesig.algebra.signature import Signature
from typesig.errors import INVALID_SYNTAX
from typesig.notations.texts.table_reader import (
    TableReader,
    UnexpectedPart,
    load_reader,
    make_syntax_error,
)
from typesig.notations.texts.tokens import TextMistake


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


def make_explainer(
    load: Callable[[], Remedies],
) -> Callable[[str, UnexpectedPart], ExplainedMistake]:
    """Build the function that explains mistakes with a notation's messages, loaded lazily."""

    def explain(source: str, error: UnexpectedPart) -> ExplainedMistake:
        if not error.met:
            message = load().explain_end(source, error.expected)
            return ExplainedMistake(INVALID_SYNTAX, message, len(source.rstrip()), 1)
        expected = error.expected if error.is_token else ()
        message = load().explain_token(source, error.at, error.met, expected)
        return ExplainedMistake(INVALID_SYNTAX, message, error.at, len(error.met))

    return explain


class SignatureReader:
    """Reader of signatures in the text of a notation."""

    def __init__(
        self,
        name: str,
        rules: type[Any],
        explain: Callable[[str, UnexpectedPart], ExplainedMistake],
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
            found = self._explain(source, error)
        raise make_syntax_error(source, found.at, found.width, found.message, found.code)
