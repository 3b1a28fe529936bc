"""What media vendors take: rows with their sources, and the split of a result's media by them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import NamedTuple

from typesig.extraction.hosts.media import Media, size_text


class MediaRow(NamedTuple):
    """Media of some types that a vendor takes beside the result of a tool.

    #: kind: the kind of block
    #: types: the media types, one that ends with `/` for all below it, or `ANY`
    #: most: how many bytes one may have, or None if nothing is published
    #: source: where that was read, in November 2026
    """

    kind: str
    types: tuple[str, ...]
    most: int | None
    source: str

    def fits(self, media: Media) -> bool:
        """Return whether *media* is of one of the types."""
        return any(
            media.type.startswith(each) if each.endswith("/") else each in (media.type, ANY)
            for each in self.types
        )


class Taken(NamedTuple):
    """One of the media, and the kind of block that it becomes."""

    kind: str
    media: Media


class Split(NamedTuple):
    """What a vendor takes of the media of one result, and a line for each of the others."""

    taken: tuple[Taken, ...]
    told: tuple[str, ...]


#: Stands for all types.
ANY = "*/*"

#: The kind of what is sent as text, whose bytes have to be UTF-8.
TEXT = "text"

#: Types that are text.
TEXTS = ("text/", "application/json", "application/xml", "application/yaml")


def split(rows: Sequence[MediaRow], title: str, media: Sequence[Media]) -> Split:
    """Return what of *media* a vendor called *title* takes by *rows*, the first that fits."""
    taken: list[Taken] = []
    told: list[str] = []
    for each in media:
        row = next((row for row in rows if row.fits(each)), None)
        size = len(each.data or b"")
        if row is None:
            types = ", ".join([t + "*" * t.endswith("/") for row in rows for t in row.types])
            told.append(f"[not sent: {each.shown[1:-1]}; {title} takes {types}]")
        elif row.most is not None and size > row.most:
            told.append(
                f"[not sent: {each.shown[1:-1]}; {title} takes at most {size_text(row.most)}]"
            )
        elif row.kind == TEXT and text_of(each) is None:
            told.append(f"[not sent: {each.shown[1:-1]}; it is no text in UTF-8]")
        else:
            taken.append(Taken(row.kind, each))
    return Split(tuple(taken), tuple(told))


def text_of(media: Media) -> str | None:
    """Return the text that *media* is, or None if it is none."""
    try:
        return (media.data or b"").decode()
    except UnicodeDecodeError:
        return None


def base64_of(media: Media) -> str:
    """Return the bytes of *media* as text."""
    return base64.b64encode(media.data or b"").decode("ascii")


def data_url(media: Media) -> str:
    """Return *media* as a URL that has its bytes."""
    return f"data:{media.type};base64,{base64_of(media)}"


def name_of(media: Media, place: int) -> str:
    """Return the name of *media*, or one by its *place* and type."""
    if media.name is not None:
        return media.name
    ending = media.type.partition("/")[2].partition("+")[0].rpartition(".")[2]
    return f"file{place + 1}.{'txt' if ending == 'plain' else ending}"
