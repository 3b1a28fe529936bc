"""Reading compact text: runs the parser and reports mistakes with their place.

This module imports lark, so it is imported only by the first parse.
"""

from __future__ import annotations

import threading

import lark
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from typesig.algebra.signature import Signature
from typesig.errors import SignatureSyntaxError
from typesig.notations.compact.rules import Rules
from typesig.notations.tables import load_parser
from typesig.notations.tokens import Mistake, end_of

_LOCK = threading.Lock()
_RULES = Rules()
_PARSER: list[lark.Lark] = []


def read(source: str) -> Signature:
    """Return the signature that *source* describes, or raise `SignatureSyntaxError`."""
    # The lock is needed because the rules collect references and defaults of the text being read.
    with _LOCK:
        if not _PARSER:
            _PARSER.append(load_parser("compact", _RULES))
        _RULES.clear()
        try:
            return _PARSER[0].parse(source)  # type: ignore[return-value]
        except Mistake as mistake:
            token = mistake.token
            line, column, width = token.line or 1, token.column or 1, mistake.width
            message = mistake.message
        except UnexpectedToken as error:
            # Imported here because a parse without mistakes does not need them.
            from typesig.notations.compact import remedies

            token = error.token
            if token.type == "$END":
                (line, column), width = end_of(source), 1
                message = remedies.at_end(source, error.accepts or error.expected)
            else:
                line, column, width = token.line or 1, token.column or 1, len(token)
                start = token.start_pos or 0
                message = remedies.at_token(
                    source, start, str(token), error.accepts or error.expected
                )
        except UnexpectedCharacters as error:
            from typesig.notations.compact import remedies

            line, column, width = error.line, error.column, 1
            at: int = error.pos_in_stream  # type: ignore[assignment]
            message = remedies.at_token(source, at, source[at], ())
    raise SignatureSyntaxError(message, line, column, source.split("\n")[line - 1], width)
