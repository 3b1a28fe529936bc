"""EDN text to a value: the parser, and the places of mistakes.

This module imports lark, so it is imported only when a text is first read.
"""

from __future__ import annotations

import threading
from typing import Any

from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from typesig.errors import SignatureSyntaxError
from typesig.notations.edn.rules import Mistake, Rules
from typesig.notations.tables import Parser, load_parser

_LOCK = threading.Lock()
_RULES = Rules()
_PARSER: list[Parser] = []


def read(source: str) -> Any:
    """Return the value that *source* writes; raise `SignatureSyntaxError` with the place."""
    # The parser and its rules are shared; the rules keep the mistakes of the text being read.
    with _LOCK:
        if not _PARSER:
            _PARSER.append(load_parser("edn", _RULES))
        _RULES.mistakes.clear()
        try:
            value = _PARSER[0].parse(source)
            if not _RULES.mistakes:
                return value
            first = min(_RULES.mistakes)
        except (UnexpectedToken, UnexpectedCharacters) as error:
            first = _unexpected(source, error)
    line = source.count("\n", 0, first.at) + 1
    column = first.at - source.rfind("\n", 0, first.at)
    raise SignatureSyntaxError(
        first.message, line, column, source.split("\n")[line - 1], first.width
    )


def _at(error: UnexpectedCharacters) -> int:
    # lark declares that the position may be missing; here it never is.
    at: int = error.pos_in_stream  # type: ignore[assignment]
    return at


def _unexpected(source: str, error: UnexpectedToken | UnexpectedCharacters) -> Mistake:
    # Remedies are loaded only if there is a mistake, to keep a first read fast.
    from typesig.notations.edn import remedies

    if isinstance(error, UnexpectedCharacters):
        return remedies.at_word(source, _at(error))
    if error.token.type == "$END":
        return remedies.at_end(source)
    return remedies.at_token(source, error.token)
