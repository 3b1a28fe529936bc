"""Hints of media in results: texts for a model, beside which the media themselves are shown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from typesig.algebra.constructors import maybe
from typesig.algebra.nodes import STRING, Maybe
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.notes import placed
from typesig.extraction.hosts import encoders
from typesig.extraction.hosts.media import Media, is_image, media_of


def is_media(hint: Any, _origin: Any) -> bool:
    """Return whether *hint* is `Media`, or a class of images of Pillow."""
    return hint is Media or is_image(hint)


def is_marked(hint: Any) -> bool:
    """Return whether `Media` beside *hint* says which type its bytes have."""
    return any(isinstance(item, Media) for item in getattr(hint, "__metadata__", ()))


def parts_with_media(hint: Any) -> Iterator[Any]:
    """Yield *hint* and its parts, each without its arguments; True stands for media."""
    from typing import get_args, get_origin

    left = [hint]
    while left:
        part = left.pop()
        yield True if is_marked(part) or is_media(part, None) else get_origin(part) or part
        left.extend(get_args(part))


#: The type of `Media`, which say it themselves.
_UNKNOWN = "application/octet-stream"


def type_of_media(plan: encoders.Encode) -> str | None:
    """Return the media type that *plan*, of a whole result, writes; None if it is not media."""
    write = plan.write if isinstance(plan, encoders.Leaf) else None
    if isinstance(write, partial) and write.func is media_of:
        return str(write.args[0])
    return None


def read_media(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Return the text that stands for media in a result; a model cannot send any."""
    if not context.output:
        return context.no_form(hint)
    kind = "image/png" if is_image(hint) else _UNKNOWN
    return _shown(context, kind, None)


def read_marked(context: HintContext, hint: Any, found: HostType, mark: Media) -> HostType:
    """Return what *hint*, a result in `Annotated` that has *mark*, becomes; *found* without it."""
    if not context.output:
        # A model sends bytes as text, and paths are texts.
        return found
    if not _holds_media(hint.__origin__):
        remedy = "put it beside bytes, a Path, an image or Media"
        context.warn(hint, f"{mark!r} does not apply to it", remedy)
        return found
    shown = _shown(context, mark.type, mark.type)
    if not isinstance(found.type, Maybe):
        return shown
    return HostType(maybe(shown.type), None, True, encoders.maybe(shown.encode))


def _holds_media(hint: Any) -> bool:
    from typing import get_args

    parts = [part for part in get_args(hint) or (hint,) if part is not type(None)]
    return all(isinstance(part, type) and _is_held(part) for part in parts)


def _is_held(cls: type) -> bool:
    # A path is told by its method, as loading pathlib takes long.
    is_data = issubclass(cls, bytes | bytearray | memoryview | Media)
    return is_data or hasattr(cls, "__fspath__") or is_image(cls)


def _shown(context: HintContext, kind: str, text: str | None) -> HostType:
    context.findings.serializes = True
    takes = lambda value: _is_held(type(value))  # noqa: E731 - a plan has a function
    leaf = encoders.Leaf(takes, partial(media_of, kind))
    return HostType(placed(STRING, text), encode=leaf)
