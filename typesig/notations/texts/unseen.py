"""Characters that nobody sees: which there are, and texts in which they are seen as escapes.

A text can hide instructions in them, and a terminal acts on some of them.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias

#: What a character does that is not seen.
UnseenKind: TypeAlias = Literal["bidirectional", "control", "invisible", "tag"]

#: Ranges of characters.
Ranges: TypeAlias = tuple[tuple[int, int], ...]

#: Joins or separates letters without being seen; emoji and some scripts need it.
JOINERS: Ranges = ((0x200C, 0x200D),)

#: Control characters other than tabs and line feeds.
CONTROLS: Ranges = ((0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F))

_DIRECTIONS: Ranges = ((0x061C, 0x061C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))

#: Each stands for an ASCII character, which a model may read.
_TAGS: Ranges = ((0xE0000, 0xE007F),)

#: Fillers, invisible operators, and the variation selectors that only extend others.
_FILLERS: Ranges = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200B), (0x2060, 0x2065), (0x206A, 0x206F), (0x3164, 0x3164), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0xE0080, 0xE0FFF),
)  # fmt: skip

#: The characters of each kind.
UNSEEN: dict[UnseenKind, Ranges] = {
    "bidirectional": _DIRECTIONS,
    "control": CONTROLS,
    "invisible": (*JOINERS, *_FILLERS),
    "tag": _TAGS,
}

#: What hides something, and is not needed for a script or an emoji.
HIDING: Ranges = (*_DIRECTIONS, *_TAGS, *_FILLERS)


def class_of(ranges: Ranges) -> str:
    """Write the character *ranges* as the inner part of a regex character class."""
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


def list_codes(ranges: Ranges) -> list[int]:
    """Return the code points in *ranges*."""
    return [code for first, last in ranges for code in range(first, last + 1)]


@cache
def _build_printable_escapes() -> dict[int, str]:
    """Return the escapes of invisible characters that Unicode calls printable."""
    return {code: _escape(chr(code)) for code in list_codes(_FILLERS) if chr(code).isprintable()}


def _escape(c: str) -> str:
    """Write the character *c* as a JSON escape, or as two escapes for a surrogate pair."""
    code = ord(c)
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{0xD7C0 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def with_escapes(text: str) -> str:
    r"""Return *text* with invisible characters, except line breaks, as JSON escapes.

    >>> print(with_escapes("a\u202eb\u3164\U000e0041\tc"))
    a\u202eb\u3164\udb40\udc41\u0009c
    """
    if not text.isascii():
        text = text.translate(_build_printable_escapes())
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else _escape(c) for c in text)
