"""Running the parser of a notation whose text has lines, and the places of mistakes in it.

This module imports lark, so it is imported only by the first parse.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from typing import Protocol

from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from typesig.algebra.signature import Signature
from typesig.errors import SignatureSyntaxError
from typesig.notations.tables import Parser, load_parser
from typesig.notations.tokens import Mistake, end_of
from typesig.notations.type_rules import TypeRules


class Messages(Protocol):
    """The module of a notation with the messages about mistakes."""

    def at_end(self, source: str, expected: Collection[str]) -> str:
        """Return what is wrong with *source*, which ends too early."""
        ...

    def at_token(self, source: str, at: int, met: str, expected: Collection[str]) -> str:
        """Return what is wrong with *met*, which begins at *at*."""
        ...


class Reader:
    """Reads the texts of one notation."""

    def __init__(self, name: str, rules: TypeRules, remedies: Callable[[], Messages]) -> None:
        """*name* is that of the grammar; *remedies* is called for a text with a mistake."""
        self._name = name
        self._rules = rules
        self._remedies = remedies
        self._lock = threading.Lock()
        self._parser: Parser | None = None

    def read(self, source: str) -> Signature:
        """Return the signature that *source* describes, or raise `SignatureSyntaxError`."""
        # The lock is needed because the rules collect references and defaults of the text.
        with self._lock:
            if self._parser is None:
                self._parser = load_parser(self._name, self._rules)
            self._rules.clear()
            try:
                signature: Signature = self._parser.parse(source)
                return signature
            except Mistake as mistake:
                token = mistake.token
                line, column, width = token.line or 1, token.column or 1, mistake.width
                message = mistake.message
            except UnexpectedToken as error:
                token, expected = error.token, error.accepts or error.expected
                if token.type == "$END":
                    (line, column), width = end_of(source), 1
                    message = self._remedies().at_end(source, expected)
                else:
                    line, column, width = token.line or 1, token.column or 1, len(token)
                    start = token.start_pos or 0
                    message = self._remedies().at_token(source, start, str(token), expected)
            except UnexpectedCharacters as error:
                line, column, width = error.line, error.column, 1
                at: int = error.pos_in_stream  # type: ignore[assignment]
                message = self._remedies().at_token(source, at, source[at], ())
        raise SignatureSyntaxError(message, line, column, source.split("\n")[line - 1], width)
