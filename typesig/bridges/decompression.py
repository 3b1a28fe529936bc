"""Bodies of responses, decompressed piece by piece, so that no body becomes larger than its limit.

A few thousand bytes can become gigabytes: a limit that is checked behind a client's own decoder is
checked too late.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Any

from typesig.errors import TooLarge

#: The value of `Accept-Encoding` for bodies that `Decoder` reads.
ACCEPTED = "gzip, deflate"

#: Bytes that are made at a time.
_PIECE = 1 << 16

#: Encodings of one body, one around the other.
_MOST = 3


class DecodeError(Exception):
    """Raised for a body that cannot be decompressed."""


class Decoder:
    """Decompresses a body whose `Content-Encoding` is *encoding*, to at most *limit* bytes.

    Raises `DecodeError` for an encoding that is not one of `ACCEPTED`.

    >>> import gzip
    >>> b"".join(Decoder("gzip", 100).feed(gzip.compress(b"hello")))
    b'hello'
    """

    __slots__ = ("_limit", "_sizes", "_stages")

    def __init__(self, encoding: str, limit: int) -> None:
        names = [name.strip().lower() for name in encoding.split(",")]
        names = [name for name in names if name not in ("", "identity")]
        unknown = [name for name in names if name not in _STAGES]
        if unknown or len(names) > _MOST:
            raise DecodeError(f"its encoding {encoding[:80]!r} was not asked for")
        # The last encoding was applied last.
        self._stages = [_STAGES[name]() for name in reversed(names)]
        self._sizes = [0] * (len(names) + 1)
        self._limit = limit

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the pieces that *chunk* becomes.

        Raises `DecodeError` for what is not compressed so, and `TooLarge` beyond the limit.
        """
        return self._pieces(chunk, 0)

    def _pieces(self, chunk: bytes, level: int) -> Iterator[bytes]:
        # What stands between two encodings is bounded, too: it takes time to make.
        self._sizes[level] += len(chunk)
        if self._sizes[level] > self._limit:
            raise TooLarge(f"the body has more than {self._limit} bytes")
        if level == len(self._stages):
            yield chunk
            return
        for piece in self._stages[level].feed(chunk):
            yield from self._pieces(piece, level + 1)

    def end(self) -> None:
        """Raise `DecodeError` if the body ended before its compressed data did."""
        if any(stage.is_open for stage in self._stages):
            raise DecodeError("it ended too early")


class _Stage:
    """Decompresses one encoding; *make* returns the decompressor of its next member."""

    __slots__ = ("_inflate", "_make", "is_open")

    def __init__(self, make: Callable[[bytes], Any]) -> None:
        self._make = make
        self._inflate: Any = None
        self.is_open = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._inflate is None:
                self._inflate, self.is_open = self._make(data), True
            try:
                made = self._inflate.decompress(data, _PIECE)
            except zlib.error as error:
                raise DecodeError("it is not compressed as it says") from error
            if made:
                yield made
            data = self._inflate.unconsumed_tail
            if self._inflate.eof:
                # A body may consist of several members (RFC 1952, 2.2).
                data, self._inflate, self.is_open = self._inflate.unused_data, None, False


def _gzip(_: bytes) -> Any:
    return zlib.decompressobj(zlib.MAX_WBITS | 16)


def _deflate(data: bytes) -> Any:
    # By RFC 9110 (8.4.1.2) it has the header of zlib, which some servers leave out.
    has_header = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] << 8 | data[1]) % 31 == 0)
    return zlib.decompressobj(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)


_STAGES: dict[str, Callable[[], _Stage]] = {
    "deflate": lambda: _Stage(_deflate),
    "gzip": lambda: _Stage(_gzip),
    "x-gzip": lambda: _Stage(_gzip),
}
