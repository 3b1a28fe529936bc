"""Media: images, audio and files in results, and the texts that represent them.

Images of Pillow are recognised by the module and the name of their class, which is not imported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from typesig.algebra.rows.frozen import Frozen
from typesig.errors import TooLarge, TypesigError, format_value
from typesig.extraction.python_types.decoders import HostError
from typesig.limits.calls import MAX_MEDIA, MAX_MEDIA_BYTES

if TYPE_CHECKING:
    import os


#: Compiled when the first media are made.
_TYPE = r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*"
_NAME = r"[^\x00-\x1f\x7f\[\]\"\\/]{1,100}"


class Media(Frozen):
    """An image, audio or a file returned by a tool, or a MIME type in `Annotated`.

    The provider shows the media to the model; in text, a short line represents it. *data* is bytes
    or the path of a file, which is read at once. In `Annotated`, without data, it declares the
    media type of returned bytes, or of a file whose path the tool returns. Raises `TypesigError`
    for an invalid media type, and `TooLarge` above `MAX_MEDIA_BYTES`.

    #: type: the media type, such as image/png
    #: data: the bytes, or None in a hint
    #: name: the name of the file, or None

    >>> from typing import Annotated
    >>> from typesig import Media, tool
    >>> @tool
    ... def chart() -> Annotated[bytes, Media("image/png")]:
    ...     return bytes(1200)
    >>> chart.call({}).value
    '[image/png, 1 kB]'
    """

    __slots__ = ("data", "name", "type")
    __match_args__ = ("type", "data", "name")
    type: str
    data: bytes | None
    name: str | None

    def __init__(
        self,
        type: str,
        data: bytes | bytearray | memoryview | os.PathLike[str] | None = None,
        name: str | None = None,
    ) -> None:
        given: object = type
        lowered = given.lower() if isinstance(given, str) else ""
        if not re.fullmatch(_TYPE, lowered):
            raise TypesigError(f'a media type is such as "image/png", not {format_value(given)}')
        named: object = name
        if not (name is None or (isinstance(named, str) and re.fullmatch(_NAME, named))):
            raise TypesigError(
                "the name of media is that of a file, without folders, brackets and quotes, not "
                f"{format_value(name)}"
            )
        if not (data is None or isinstance(data, bytes | bytearray | memoryview)):
            if not hasattr(data, "__fspath__"):
                raise TypesigError(
                    f"the data of media is bytes or a path, not {format_value(data)}"
                )
            data = _read(data)
        if data is not None and memoryview(data).nbytes > MAX_MEDIA_BYTES:
            raise TooLarge(_explain_size_limit(memoryview(data).nbytes))
        self._fill(lowered, None if data is None else bytes(data), name)

    @property
    def shown(self) -> str:
        """The text that replaces the media in results, such as "[image/png, 1 kB]"."""
        size = len(self.data or b"")
        named = "" if self.name is None else f", {self.name}"
        return f"[{self.type}, {format_size(size)}{named}]"

    def __repr__(self) -> str:
        # The bytes of an image help nobody.
        held = "" if self.data is None else f", <{format_size(len(self.data))}>"
        return f"Media({self.type!r}{held}{'' if self.name is None else f', {self.name!r}'})"


def format_size(size: int) -> str:
    """Return *size*, a number of bytes, in a readable unit.

    >>> format_size(999), format_size(12_345), format_size(1_250_000)
    ('999 B', '12 kB', '1.2 MB')
    """
    if size < 1000:
        return f"{size} B"
    if size < 999_500:
        return f"{size / 1000:.0f} kB"
    return f"{size / 1_000_000:.1f} MB"


def to_media(kind: str, value: Any) -> Any:
    """Convert bytes, a path or an image to `Media` of the MIME type *kind*.

    Raises `HostError` if a file or an image cannot be read.
    """
    if isinstance(value, bytes | bytearray | memoryview) or hasattr(value, "__fspath__"):
        name = getattr(value, "name", None)
        named = name if isinstance(name, str) and re.fullmatch(_NAME, name) else None
        try:
            return Media(kind, value, named)
        except OSError as error:
            # The path may be private.
            raise HostError(f"the file cannot be read: {error.strerror}") from None
        except TooLarge as error:
            raise HostError(str(error)) from None
    return to_image_media(value) if is_image(type(value)) else value


def check_media(media: Sequence[Media]) -> None:
    """Raise `HostError` if the *media* of one result are too many or too large."""
    if len(media) > MAX_MEDIA:
        raise HostError(f"it has {len(media)} media, and at most {MAX_MEDIA} are sent")
    size = sum([len(each.data or b"") for each in media])
    if size > MAX_MEDIA_BYTES:
        raise HostError(_explain_size_limit(size))


def is_image(cls: Any) -> bool:
    """Whether *cls* is a class of images of Pillow."""
    if not isinstance(cls, type):
        return False
    return any(
        each.__name__ == "Image" and each.__module__ in ("PIL.Image", "PIL") for each in cls.__mro__
    )


#: The modes of images that PNG has; another is written as RGB.
_MODES = frozenset({"1", "L", "LA", "P", "RGB", "RGBA", "I;16"})


def to_image_media(image: Any) -> Media:
    """Convert a Pillow *image* to PNG; raise `HostError` if it cannot be written."""
    from io import BytesIO

    out = BytesIO()
    try:
        plain = image if image.mode in _MODES else image.convert("RGB")
        plain.save(out, format="PNG")
        return Media("image/png", out.getvalue())
    except Exception as error:
        raise HostError(f"the image cannot be written: {type(error).__name__}: {error}") from error


def _read(path: os.PathLike[str]) -> bytes:
    """Read the media file at *path*; raise `TooLarge` if it exceeds the limit."""
    with open(path, "rb") as file:
        data = file.read(MAX_MEDIA_BYTES + 1)
        if len(data) > MAX_MEDIA_BYTES:
            raise TooLarge(_explain_size_limit(max(len(data), file.seek(0, 2))))
    return data


def _explain_size_limit(size: int) -> str:
    """Write the message for media of *size* bytes, which is over the limit."""
    return f"media has {format_size(size)}, and at most {format_size(MAX_MEDIA_BYTES)} are sent"
