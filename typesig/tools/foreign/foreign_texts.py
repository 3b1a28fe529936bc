"""Texts that others wrote, for models and terminals: without characters that nobody sees.

A text can hide instructions in such characters, and a terminal acts on some of them.
"""

from __future__ import annotations

from typing import Any

from typesig.algebra.rows.builtin import as_data
from typesig.errors import Unsupported

#: Characters that join or separate letters without being seen; emoji and some scripts need them.
_JOINERS = frozenset("\u200c\u200d")

#: Ranges of characters that are not seen: fillers, marks of direction, invisible operators, tags,
#: and the variation selectors that only extend others.
_HIDDEN_RANGES = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200B), (0x200E, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F),
    (0x3164, 0x3164), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0xE0000, 0xE0FFF),
)  # fmt: skip
_CONTROL_RANGES = ((0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F))


def _removing(*ranges: tuple[int, int]) -> dict[int, None]:
    return {code: None for first, last in ranges for code in range(first, last + 1)}


_HIDDEN = _removing(*_HIDDEN_RANGES)
_UNSEEN: dict[int, str | None] = {
    **_HIDDEN,
    **_removing(*_CONTROL_RANGES),
    **{ord(c): None for c in _JOINERS},
    **dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}"),
    0x2028: "\n",
    0x2029: "\n",
}

#: Keywords whose values are texts for readers; `x-` keywords may be anything.
_TEXTS = ("title", "description", "$comment")

#: Keywords whose values are data, not schemas.
_DATA = ("const", "default", "enum", "example", "examples")

#: Keywords whose values are schemas by name.
_NAMED = (
    "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties",
)  # fmt: skip


def seen_text(text: str) -> str:
    r"""Return *text* without control, zero-width, tag and bidirectional characters.

    Line breaks and tabs stay; lone surrogates become replacement characters.

    >>> seen_text("Adds\u200b two \x1b[1mnumbers\U000e0041.")
    'Adds two [1mnumbers.'
    """
    return text if text.isascii() and text.isprintable() else text.translate(_UNSEEN)


def seen_line(text: str) -> str:
    """Return `seen_text` of *text* on one line."""
    return " ".join(seen_text(text).split())


def is_hiding(text: str) -> bool:
    """Tell whether *text* has characters that are not seen, other than joiners and controls."""
    return not text.isascii() and text.translate(_HIDDEN) != text


def is_plain_name(name: str) -> bool:
    """Tell whether all of *name* is seen; a blank is."""
    return seen_text(name) == name and "\n" not in name and "\t" not in name


def seen_schema(schema: Any) -> Any:
    """Return a copy of *schema*, JSON data, whose titles and descriptions are `seen_text`.

    A name or a value cannot be changed without changing what the schema means: raises `Unsupported`
    with the place of one that hides something.
    """
    return _copied(as_data(schema), (), "schema")


def _copied(part: Any, at: tuple[str, ...], role: str) -> Any:
    """Return a copy of *part*; *role* is what it is: a schema, schemas by name, or data."""
    if isinstance(part, str):
        if is_hiding(part):
            raise _refusal(at, "the value")
        return part
    if isinstance(part, list):
        return [_copied(each, (*at, str(i)), role) for i, each in enumerate(part)]
    if not isinstance(part, dict):
        return part
    out = {}
    for key, each in part.items():
        below = (*at, seen_line(str(key)))
        if not is_plain_name(str(key)):
            raise _refusal(below, "the name")
        if role == "schema" and key in _TEXTS and isinstance(each, str):
            out[key] = seen_text(each)
        else:
            out[key] = _copied(each, below, _role_below(role, key))
    return out


def _role_below(role: str, key: str) -> str:
    """Return what stands under *key* in a part that has *role*."""
    if role == "data" or (role == "schema" and key in _DATA):
        return "data"
    return "names" if role == "schema" and key in _NAMED else "schema"


def _refusal(at: tuple[str, ...], what: str) -> Unsupported:
    return Unsupported(f"{what} has characters that are not seen", at)
