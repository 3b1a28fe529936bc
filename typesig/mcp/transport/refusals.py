"""Requests that the SDK would misread: refuse them with an error.

An id that is null or a fraction would make a notification of a request, which nobody answers.  Of a
key that stands twice in the arguments, one value would be dropped in silence.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from typesig.errors import format_value
from typesig.mcp.transport.sdk import import_sdk


class _DuplicateKey(Exception):
    """Raised for a key that occurs twice in a JSON object."""


def find_refusal(text: str) -> dict[str, Any] | None:
    """Error response to the request in *text*, JSON, or None if it is accepted.

    >>> find_refusal('{"jsonrpc": "2.0", "id": 1, "method": "ping"}')
    """
    repeated = None
    try:
        try:
            found = json.loads(text, object_pairs_hook=_make_object)
        except _DuplicateKey as error:
            found, repeated = json.loads(text), str(error)
    except (ValueError, RecursionError):
        # The reader of messages tells what is wrong with it.
        return None
    if not isinstance(found, dict) or "method" not in found:
        return None
    number = found.get("id")
    if "id" in found and type(number) not in (int, str):
        told = f"an id is a string or an integer, not {format_value(json.dumps(number))}"
        return _make_error(None, "INVALID_REQUEST", told)
    if repeated is None or found["method"] != "tools/call":
        return None
    told = f"the key {format_value(repeated)} stands twice in an object; send it once"
    return _make_error(number, "INVALID_PARAMS", told)


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a dict from the *pairs* of a JSON object; raise on a duplicate key."""
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise _DuplicateKey(next(name for name, count in counts.items() if count > 1))
    return made


def _make_error(number: int | str | None, code: str, message: str) -> dict[str, Any]:
    """Build a JSON-RPC error response to request *number*; *code* is the SDK's name."""
    error = {"code": getattr(import_sdk("mcp_types"), code), "message": message}
    return {"jsonrpc": "2.0", "id": number, "error": error}


class RefusedLine(str):
    """An input line that replaces a refused request, with the error response *answer*."""

    answer: dict[str, Any]

    def __new__(cls, answer: dict[str, Any]) -> RefusedLine:
        """Make the line."""
        made = super().__new__(cls, "\0")
        made.answer = answer
        return made
