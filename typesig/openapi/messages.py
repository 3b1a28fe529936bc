"""HTTP requests and responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

#: The codes of responses that lead elsewhere (RFC 9110, 15.4).
REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Request(NamedTuple):
    """An HTTP request, ready to be sent.

    #: method: in capitals; url: absolute, with its query; headers: by name, credentials among them
    #: body: its bytes, or None

    >>> Request("GET", "https://api.test/orders?key=s3cret", {})
    <Request GET>
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None

    def __repr__(self) -> str:
        """Return the method alone; the rest may hold credentials."""
        return f"<Request {self.method}>"


class Response(NamedTuple):
    """An HTTP response.

    #: status: the code; headers: by name; body: all its bytes
    #: data: what the body says, in the result of a tool

    >>> Response(204).body
    b''
    """

    status: int
    headers: Mapping[str, str] = {}
    body: bytes = b""
    data: Any = None

    def header(self, name: str) -> str:
        """Value of the header *name*, case-insensitive; empty if it is missing.

        >>> Response(200, {"content-type": "text/plain"}).header("Content-Type")
        'text/plain'
        """
        wanted = name.lower()
        return next((v for key, v in self.headers.items() if key.lower() == wanted), "")
