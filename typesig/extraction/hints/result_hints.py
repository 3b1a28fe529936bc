"""Hints of results: the ok/error pair, and media."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from functools import partial
from typing import Any

from typesig.algebra.constructors import make_maybe, record, strip_annotations
from typesig.algebra.nodes import ANY, NIL, STRING, Field, Maybe
from typesig.extraction.callables.generics import UNIONS
from typesig.extraction.callables.hint_resolver import HintResolutionError, HintScope, resolve
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.metadata import add_text
from typesig.extraction.python_types import encoders
from typesig.extraction.python_types.media import Media, is_image, to_media

# --- The ok/error pair: a result of two tuples that differ in their first item ---
# `tuple[Literal["ok"], T] | tuple[Literal["error"], E]` becomes `{result T, error E?}`.


def find_pair_branches(hint: Any, scope: HintScope) -> tuple[Any, Any] | None:
    """Return the hints of value and reason in an ok/error tuple *hint*, or None."""
    if isinstance(hint, str):
        try:
            hint = resolve(hint, scope)
        except HintResolutionError:
            return None
    if type(hint) not in UNIONS:
        return None
    found = {_get_tag(branch): branch for branch in typing.get_args(hint)}
    if found.keys() != {"ok", "error"} or len(typing.get_args(hint)) != 2:
        return None
    return typing.get_args(found["ok"])[1], typing.get_args(found["error"])[1]


def _get_tag(branch: Any) -> str | None:
    """Return the literal "ok" or "error" that begins the tuple hint *branch*, or None."""
    parts = typing.get_args(branch)
    if typing.get_origin(branch) is not tuple or len(parts) != 2:
        return None
    form, values = typing.get_origin(parts[0]), typing.get_args(parts[0])
    # The methods of another value may raise anything.
    is_tag = form is typing.Literal and len(values) == 1 and type(values[0]) is str
    return values[0] if is_tag else None


def read_pair(context: HintContext, value: Any, reason: Any) -> HostType:
    """Return the record of an ok/error result, with the fields result and error.

    A value that may be None is optional too, as other hints of this kind are.
    """
    result = context.for_step("result").read(value)
    error = context.for_step("error").read(reason)
    loose = result.nil and context.options.optional == "loose" and result.type not in (ANY, NIL)
    fields = (
        Field("result", result.type, not loose),
        Field("error", make_maybe(error.type), False),
    )
    parts = {
        "result": encoders.make_nullable(result.encode),
        "error": encoders.make_nullable(error.encode),
    }
    return HostType(record(fields), encode=encoders.make_record(dict, parts))


def encode_pair(value: Any) -> Any:
    """Convert an ok/error tuple *value* to a map of result and error."""
    if isinstance(value, tuple) and len(value) == 2 and value[0] in ("ok", "error"):
        if value[0] == "ok":
            return {"result": value[1], "error": None}
        return {"result": None, "error": value[1]}
    return value


def make_checked_record(fields: tuple[Field, ...], value: Any) -> Any:
    """Build the type to check an ok/error map *value*; an error permits any result."""
    result, error = fields
    if isinstance(value, dict) and value.get("error") is not None:
        return record(
            (Field("result", ANY, False), Field("error", strip_annotations(error.type), False))
        )
    return record((result, error))


# --- Hints of media in results: the model gets a text, the client the media ---


def is_media(hint: Any, _origin: Any) -> bool:
    """Whether *hint* is `Media`, or a class of images of Pillow."""
    return hint is Media or is_image(hint)


def is_marked(hint: Any) -> bool:
    """Whether *hint* is `Annotated` with a `Media` object."""
    return any(isinstance(item, Media) for item in getattr(hint, "__metadata__", ()))


def iter_media_parts(hint: Any) -> Iterator[Any]:
    """Yield the class of *hint* and of each nested argument, True in place of media."""
    from typing import get_args, get_origin

    left = [hint]
    while left:
        part = left.pop()
        yield True if is_marked(part) or is_media(part, None) else get_origin(part) or part
        left.extend(get_args(part))


#: The type of `Media`, which say it themselves.
_UNKNOWN = "application/octet-stream"


def get_media_type(plan: encoders.Encode) -> str | None:
    """Return the MIME type that *plan* gives a whole result; None if it is not media."""
    write = plan.write if isinstance(plan, encoders.LeafEncoder) else None
    if isinstance(write, partial) and write.func is to_media:
        return str(write.args[0])
    return None


def read_media(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Return the type of the text that represents media in a result."""
    if not context.output:
        return context.fall_back_without_form(hint)
    kind = "image/png" if is_image(hint) else _UNKNOWN
    return _make_media_type(context, kind, None)


def read_media_mark(context: HintContext, hint: Any, found: HostType, mark: Media) -> HostType:
    """Return the type of the `Annotated` result *hint* that contains the media *mark*."""
    if not context.output:
        # A model sends bytes as text, and paths are texts.
        return found
    if not _has_media(hint.__origin__):
        remedy = "put it beside bytes, a Path, an image or Media"
        context.warn(hint, f"{mark!r} does not apply to it", remedy)
        return found
    shown = _make_media_type(context, mark.type, mark.type)
    if not isinstance(found.type, Maybe):
        return shown
    return HostType(make_maybe(shown.type), None, True, encoders.make_nullable(shown.encode))


def _has_media(hint: Any) -> bool:
    """Whether all branches of *hint*, apart from None, are classes of media."""
    from typing import get_args

    parts = [part for part in get_args(hint) or (hint,) if part is not type(None)]
    return all(isinstance(part, type) and _is_held(part) for part in parts)


def _is_held(cls: type) -> bool:
    """Whether objects of *cls* are media: bytes, paths, images or `Media`."""
    # A path is told by its method, as loading pathlib takes long.
    is_data = issubclass(cls, bytes | bytearray | memoryview | Media)
    return is_data or hasattr(cls, "__fspath__") or is_image(cls)


def _make_media_type(context: HintContext, kind: str, text: str | None) -> HostType:
    """Make the string type for media of MIME type *kind*, described by *text*."""
    context.findings.serializes = True
    takes = lambda value: _is_held(type(value))  # noqa: E731 - a plan has a function
    leaf = encoders.LeafEncoder(takes, partial(to_media, kind))
    return HostType(add_text(STRING, text), encode=leaf)
