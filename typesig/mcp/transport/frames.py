"""Frames of the protocol: lines of limited length, and requests that are refused."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from typing import Any

from typesig.errors import format_value
from typesig.mcp.transport.lifespans import LOG
from typesig.mcp.transport.sdk import import_sdk

# --- Frames over standard input and output: lines of limited length, maybe malformed ---

#: The id of a request in a frame that is no JSON as a whole, at its start or at its end: there it
#: is that of the frame, and of nothing in it.
_ID = r'"id"\s*:\s*(?:(-?\d{1,18})|"([^"\\]{0,128})")\s*'
_VERSION = r'"jsonrpc"\s*:\s*"2\.0"\s*'
_FIRST = re.compile(rf"\s*\{{\s*(?:{_VERSION},\s*)?{_ID},")
_LAST = re.compile(rf",\s*{_ID}(?:,\s*{_VERSION})?\}}\s*$")

#: How much of either end of a frame is searched for an id.
_END = 400


class StreamWrapper(ABC):
    """A wrapper of a message stream; a subclass changes the messages that `receive` returns."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @abstractmethod
    async def receive(self) -> Any:
        """Return the next message."""

    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self.receive()
        except import_sdk("anyio").EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Any:
        await self._stream.__aenter__()
        return self

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aexit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        await self.aclose()


class OverlongLine(str):
    """The beginning and the end of a line that is longer than the limit."""

    __slots__ = ()


class LineSplitter:
    """Splits a stream into lines, holding at most *limit* bytes."""

    __slots__ = ("_ends", "_limit", "_parts", "_size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._ends: tuple[bytes, bytes] | None = None

    def feed(self, data: bytes) -> Iterator[str]:
        """Add *data*, and yield the lines that it completes, without line feeds."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            self._add(part)
            yield self._take_line()
        self._add(rest)

    def flush(self) -> Iterator[str]:
        """Yield the rest after the last line feed, if any, at the end of the stream."""
        if self._size:
            yield self._take_line()

    def _add(self, part: bytes) -> None:
        """Add *part* to the current line, keeping only both ends of an overlong line."""
        self._size += len(part)
        if self._ends is not None:
            first, last = self._ends
            self._ends = first, (last + part)[-_END:]
        elif self._size > self._limit:
            whole = b"".join([*self._parts, part])
            self._ends = whole[:_END], whole[-_END:]
            self._parts = []
        elif part:
            self._parts.append(part)

    def _take_line(self) -> str:
        """Return the current line as text, and start the next line."""
        made = str if self._ends is None else OverlongLine
        # A null is in no JSON, so that both ends together are none either.
        whole = b"".join(self._parts) if self._ends is None else b"\0".join(self._ends)
        self._parts, self._size, self._ends = [], 0, None
        return made(whole.decode("utf-8", "replace"))


def find_request_id(frame: str) -> int | str | None:
    """Id of the request in *frame*, invalid JSON text; None if it is ambiguous."""
    found = _FIRST.match(frame[:_END]) or _LAST.search(frame[-_END:])
    if found is None:
        return None
    return int(found[1]) if found[1] is not None else found[2]


def read_answer(line: str, limit: int) -> Any:
    """Parse *line*, from a server; None if it is not a message.

    An answer that cannot be read, or has more than *limit* bytes, is an error of the protocol, so
    that the request does not wait for it.
    """
    types = import_sdk("mcp_types")
    if not isinstance(line, OverlongLine):
        try:
            return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            number = _find_answered_id(line)
            code, text = types.PARSE_ERROR, "the server's answer is no message of the protocol"
    else:
        number, code = find_request_id(line), types.INTERNAL_ERROR
        text = f"the server's answer has more than {limit} bytes, the limit; ask for less"
    if number is None:
        LOG.debug("the server wrote what is no message: %.100r", line)
        return None
    told = types.ErrorData(code=code, message=text)
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=told)


def _find_answered_id(line: str) -> int | str | None:
    """Id of the request that *line*, an invalid message, would answer, or None."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return find_request_id(line)
    number = found.get("id") if isinstance(found, dict) and "method" not in found else None
    return number if type(number) in (int, str) else None


# --- Requests that the SDK would misread: refuse them with an error ---
# An id that is null or a fraction would make a notification of a request, which nobody answers.  Of
# a key that stands twice in the arguments, one value would be dropped in silence.


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
