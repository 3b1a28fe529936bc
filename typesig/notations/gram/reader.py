"""Gram text to a signature: the one parser, and mistakes told with their place.

This module imports lark, so it is itself imported by the first parse and not before.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import lark
from lark.exceptions import UnexpectedInput, UnexpectedToken

from typesig.algebra.signature import Signature
from typesig.errors import SignatureSyntaxError
from typesig.notations.gram.rules import Rules
from typesig.notations.tables import load_parser
from typesig.notations.tokens import Mistake

if TYPE_CHECKING:
    from typesig.notations.gram.remedies import Told

_LOCK = threading.Lock()
_PARSER: list[lark.Lark] = []


def read(source: str) -> Signature:
    """Return the signature that *source* writes; raise `SignatureSyntaxError` with the place."""
    with _LOCK:
        if not _PARSER:
            _PARSER.append(load_parser("gram", Rules()))
    try:
        return _PARSER[0].parse(source)  # type: ignore[return-value]
    except Mistake as mistake:
        at: int = mistake.token.start_pos  # type: ignore[assignment]
        raise _error(source, at, mistake.width, mistake.message, mistake.code) from None
    except UnexpectedInput as error:
        told = _told(source, error)
    raise _error(source, told.at, told.width, told.message, told.code)


def _told(source: str, error: UnexpectedInput) -> Told:
    # Remedies are loaded where there is a mistake: a first parse has no time for them.
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
