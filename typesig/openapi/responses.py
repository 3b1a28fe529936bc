"""Convert responses to data for the model, or to errors that it can act on."""

from __future__ import annotations

import codecs
import math
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from typesig.algebra.loss import Loss, Losses
from typesig.calls.functions import ToolError
from typesig.limits.network import MAX_RESPONSE_TEXT
from typesig.openapi.documents import Place
from typesig.openapi.messages import (
    REDIRECTS,
    SEPARATOR,
    Response,
    get_media_name,
    is_json,
    is_json_items,
    is_text,
)
from typesig.openapi.operations import Operation
from typesig.openapi.schemas import Schemas
from typesig.tools.foreign.foreign_texts import strip_invisible
from typesig.validation.json_text import BadJson, read_json

#: The phrases of RFC 9110 (15.5) that Python before 3.13 has from older documents.
_PHRASES = {
    413: "Content Too Large",
    414: "URI Too Long",
    416: "Range Not Satisfiable",
    422: "Unprocessable Content",
}


#: How the names of encodings of texts begin.  Python has others, for names of hosts and its own
#: literals, some of which are slow, or fail.
_CHARSETS = (
    "ascii", "big5", "cp", "euc_", "gb", "hz", "iso", "johab", "koi8", "mac", "shift_jis", "tis",
    "utf-16", "utf-32", "utf-8",
)  # fmt: skip


def build_result_schema(operation: Operation, schemas: Schemas) -> tuple[Any, Losses]:
    """Schema of the results of *operation*, None if they may be anything.

    With it are the references that lead to nothing.
    """
    if operation.answers is None:
        return None, ()
    place: Place = (*operation.place, "responses")
    found: list[Any] = []
    definitions: dict[str, Any] = {}
    lost: list[Loss] = []
    for each in operation.answers:
        made: Any = {"type": "null"}
        if each is not None:
            made, own, more = schemas.build(each, "response", place)
            definitions.update(own)
            lost += more
        if made not in found:
            found.append(made)
    whole = found[0] if len(found) == 1 else {"anyOf": found}
    return {**whole, "$defs": definitions} if definitions else whole, tuple(lost)


def read_data(response: Response) -> Any:
    """Data of *response*; raise `ToolError` for invalid JSON.

    JSON is read, several JSON texts are a list, another text is a text, and of other content its
    type and size are told.
    """
    media = response.header("content-type")
    if is_json_items(media):
        return _read_items(response)
    if not response.body.strip():
        return None
    if is_json(media) or (not media and response.body[:1] in b'{["'):
        try:
            return read_json(_get_json_text(response))
        except BadJson as error:
            raise ToolError(f"the server answered with {error}") from None
    if _has_text(media):
        return _decode_text(response)
    return {"content_type": get_media_name(media), "size": len(response.body)}


def _read_items(response: Response) -> list[Any]:
    """Data of each JSON text of *response*, which lines or separators delimit."""
    text = _get_json_text(response)
    text = text if isinstance(text, str) else text.decode(errors="surrogateescape")
    # A line ends with LF only (RFC 8259 leaves other breaks within texts unescaped).
    parts = text.split(SEPARATOR if SEPARATOR in text[:1] else "\n")
    found: list[Any] = []
    for n, part in enumerate(parts, 1):
        if not part.strip(" \t\r\n"):
            continue
        try:
            found.append(read_json(part.encode(errors="surrogateescape")))
        except BadJson as error:
            raise ToolError(f"the server answered with text {n} of several: {error}") from None
    return found


def _get_json_text(response: Response) -> str | bytes:
    """JSON text of *response*, in UTF-8 unless its content type names a charset."""
    charset = _find_charset(response)
    if charset in ("ascii", "utf-8"):
        return response.body.removeprefix(codecs.BOM_UTF8)
    try:
        return response.body.decode(charset).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise ToolError(
            f"the server answered with JSON whose byte {error.start} is not {charset}"
        ) from None


#: The methods whose requests can be sent again (RFC 9110, 9.2.2, and the draft on QUERY).
_IDEMPOTENT = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PUT", "QUERY", "TRACE"})


def check_status(response: Response, method: str, secrets: Iterable[str]) -> None:
    """Raise `ToolError` if *response* failed, with its text but without *secrets*.

    If the server says when to try again, and a request of *method* can be sent twice, the error
    may pass: a `Governance` with `retries` waits, and runs the call again.
    """
    if 200 <= response.status < 300:
        return
    phrase = _PHRASES.get(response.status)
    if phrase is None:
        phrase = next((each.phrase for each in HTTPStatus if each == response.status), "")
    text = f"the server answered {response.status} {phrase}".rstrip()
    if response.status in REDIRECTS:
        raise ToolError(f"{text}; redirects to other hosts are not followed")
    after = _parse_retry_after(response.header("retry-after"))
    if after is not None:
        text += f" (try again after {after} seconds)"
    told = ""
    if _has_text(response.header("content-type")):
        told = " ".join(strip_invisible(_decode_text(response)).split())
    # The longest first: one may be a part of another.
    for secret in sorted(secrets, key=len, reverse=True):
        told = told.replace(secret, "…") if len(secret) > 3 else told
    told = told if len(told) <= MAX_RESPONSE_TEXT else told[: MAX_RESPONSE_TEXT - 1] + "…"
    # Without a time, nothing says that the error may pass.
    retry = False if after is None or method not in _IDEMPOTENT else after
    raise ToolError(f"{text}: {told}" if told else text, retry=retry)


def _parse_retry_after(value: str) -> int | None:
    """Parse a `Retry-After` header *value* to seconds, or None."""
    if value.isascii() and value.isdecimal():
        return int(value) if len(value) < 10 else None
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    # A date of HTTP is in GMT, also where it does not say so.
    date = date.replace(tzinfo=UTC) if date.tzinfo is None else date
    return max(0, math.ceil((date - datetime.now(UTC)).total_seconds()))


def _has_text(media: str) -> bool:
    """Whether bodies of the media type *media* are text."""
    return is_text(media) or "charset=" in media.lower()


def _decode_text(response: Response) -> str:
    """Decode the body of *response* in its charset, without a byte order mark."""
    return response.body.decode(_find_charset(response), errors="replace").removeprefix("\ufeff")


def _find_charset(response: Response) -> str:
    """Python's name for the encoding of *response*; UTF-8 if it is unknown."""
    _, _, charset = response.header("content-type").lower().partition("charset=")
    charset = charset.partition(";")[0].strip(" \"'")
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return "utf-8"
    return name if name.startswith(_CHARSETS) else "utf-8"
