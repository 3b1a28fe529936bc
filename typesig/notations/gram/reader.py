"""Gram text to a signature: the parser, and the places of mistakes.

This module imports lark, so it is imported only when a text is first read.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from lark.exceptions import UnexpectedInput, UnexpectedToken

from typesig.algebra.signature import Signature
from typesig.errors import SignatureSyntaxError
from typesig.notations.gram.rules import Rules
from typesig.notations.tables import Parser, load_parser
from typesig.notations.tokens import Mistake

if TYPE_CHECKING:
    from typesig.notations.gram.remedies import Explained

_LOCK = threading.Lock()
_PARSER: list[Parser] = []


def read(source: str) -> Signature:
    """Return the signature that *source* writes; raise `SignatureSyntaxError` with the place."""
    with _LOCK:
        if not _PARSER:
            _PARSER.append(load_parser("gram", Rules()))
    try:
        signature: Signature = _PARSER[0].parse(source)
        return signature
    except Mistake as mistake:
        at: int = mistake.token.start_pos  # type: ignore[assignment]
        raise _error(source, at, mistake.width, mistake.message, mistake.code) from None
    except UnexpectedInput as error:
        found = _explain(source, error)
    raise _error(source, found.at, found.width, found.message, found.code)


def _explain(source: str, error: UnexpectedInput) -> Explained:
    # Remedies are loaded only if there is a mistake, to keep a first parse fast.
    from typesig.notations.gram.remedies import at_end, at_token

    if isinstance(error, UnexpectedToken):
        token = error.token
        if token.type == "$END":
            return at_end(source)
        return at_token(source, token.start_pos, str(token), error.accepts or error.expected)
    at: int = error.pos_in_stream  # type: ignore[assignment]
    return at_token(source, at, source[at], error.allowed)  # type: ignore[attr-defined]


def _error(source: str, at: int, width: int, message: str, code: str) -> SignatureSyntaxError:
    line, start = source.count("\n", 0, at) + 1, source.rfind("\n", 0, at) + 1
    text = source[start:].split("\n", 1)[0]
    return SignatureSyntaxError(message, line, at - start + 1, text, width, code)
