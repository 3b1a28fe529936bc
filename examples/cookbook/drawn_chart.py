"""A tool that returns an image, which the model sees; the bytes are not in the text."""

from __future__ import annotations

import struct
import zlib
from typing import Annotated, Any, TypedDict

import typesig
from typesig import Media, tool


class Chart(TypedDict):
    title: str
    image: Annotated[bytes, Media("image/png")]


def png(rows: list[bytes]) -> bytes:
    """Return grey *rows* as a PNG; a library that draws takes its place."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


@tool
def chart(values: list[int]) -> Chart:
    """Draw values from 0 to 10 as bars."""
    rows = [bytes(0 if v > level else 255 for v in values) for level in range(9, -1, -1)]
    return {"title": f"{len(values)} bars", "image": png(rows)}


WIRE = typesig.tools_of([chart]).project("anthropic")


def asks(**arguments: Any) -> dict[str, Any]:
    """Return what a model sends: here it is a script."""
    use = {"type": "tool_use", "id": "toolu_1", "name": "chart", "input": arguments}
    return {"role": "assistant", "content": [use]}


def demo() -> None:
    [message] = WIRE.handle(asks(values=[3, 9, 5]))
    for block in message["content"][0]["content"]:
        print(block["text"] if block["type"] == "text" else block["source"]["media_type"])


if __name__ == "__main__":
    demo()
