"""The media of a result that a model may see: those whose texts are in the data for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def shown_media(data: Any, held: tuple[tuple[str, Any], ...]) -> tuple[Any, ...]:
    """Return the media of *held* whose texts are in *data*, JSON data for a model, in their order.

    Texts are told apart by identity: another one that reads the same stands for nothing.
    """
    by_text = {id(text): media for text, media in held}
    return tuple([by_text[id(text)] for text in _texts(data) if id(text) in by_text])


def _texts(data: Any) -> Iterator[str]:
    left = [data]
    while left:
        part = left.pop()
        if type(part) is str:
            yield part
        elif type(part) is dict:
            left.extend(reversed(part.values()))
        elif type(part) is list:
            left.extend(reversed(part))
