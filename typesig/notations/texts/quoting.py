"""Text in double quotes, its tokens, and its characters that nobody sees."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Literal, TypeAlias

from typesig import json_backends
from typesig.errors import TypesigError, format_value

# --- Text in double quotes, the same in every notation ---

try:
    # Reports and listings need no more of `json`.
    from _json import encode_basestring
except ImportError:  # pragma: no cover - without the accelerator in C
    from json.encoder import encode_basestring

#: Returns text as a JSON string, in which only what JSON demands is escaped.
json_string: Callable[[str], str] = encode_basestring

_SURROGATE = "[\ud800-\udfff]"


def quote(text: str) -> str:
    r"""Return *text* as a JSON string on one line, with unprintable characters escaped.

    >>> print(quote('a "b"\n'))
    "a \"b\"\n"
    """
    return escape_unprintable(json_string(text))


def escape_unprintable(text: str) -> str:
    """Return *text* with escapes for the characters that do not print."""
    if text.isprintable():
        return text
    import json

    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def write_json(value: Any) -> str:
    r"""Write plain data *value* as JSON text that UTF-8 can encode.

    >>> print(write_json(["é", "\ud800"]))
    ["é", "\ud800"]
    """
    return escape_surrogates(_load_encoder().encode(value))


@cache
def _load_encoder() -> Any:
    """Build the JSON encoder that leaves non-ASCII characters unescaped."""
    import json

    return json.JSONEncoder(ensure_ascii=False)


def write_compact_json(data: Any) -> str:
    """Write plain *data* without infinities as compact JSON text for a model.

    >>> write_compact_json({"a": [1, "é"]})
    '{"a":[1,"é"]}'
    """
    codec = json_backends.find_loaded_codec()
    made = None if codec is None else codec.write(data)
    return _write_json_carefully(data) if made is None else made


def write_plain_json(data: Any) -> str:
    """Write *data* like `write_compact_json`; no number may need an exponent."""
    codec = json_backends.find_loaded_codec()
    if codec is not None:
        try:
            return codec.dumps(data).decode()
        except Exception:
            pass
    return _write_json_carefully(data)


def _write_json_carefully(data: Any) -> str:
    """Write *data* as compact JSON by the standard library, with surrogates escaped."""
    text = "".join(_build_compact_encoder()(data, 0))
    return text if text.isascii() else escape_surrogates(text)


@cache
def _build_compact_encoder() -> Callable[[Any, int], Iterable[str]]:
    """Build the JSON encoder that yields compact text in pieces."""
    from json import JSONEncoder, encoder

    form: dict[str, Any] = {"ensure_ascii": False, "check_circular": False, "allow_nan": False}
    made = JSONEncoder(separators=(",", ":"), **form)
    make: Any = getattr(encoder, "c_make_encoder", None)
    if make is None:  # pragma: no cover - without the accelerator in C
        return lambda data, _: made.encode(data)
    # `encode` makes one for each text, which takes longer than a short text does.
    pieces: Callable[[Any, int], Iterable[str]] = make(
        None, made.default, json_string, None, ":", ",", False, False, False
    )
    return pieces


def escape_surrogates(text: str) -> str:
    """Return the JSON text *text* with escapes for lone surrogates, which UTF-8 cannot have."""
    if text.isascii():
        return text
    return re.sub(_SURROGATE, lambda found: f"\\u{ord(found[0]):04x}", text)


def escape_surrogates_in_data(data: Any) -> Any:
    """Return JSON data with escapes for lone surrogates in its texts."""
    if isinstance(data, str):
        return escape_surrogates(data)
    if isinstance(data, list):
        return [escape_surrogates_in_data(item) for item in data]
    if isinstance(data, dict):
        return {
            escape_surrogates(key): escape_surrogates_in_data(item) for key, item in data.items()
        }
    return data


# --- Functions that count the tokens of a text ---

#: Returns how many tokens, or other units, a text has.
Counter: TypeAlias = Callable[[str], int]

_EXAMPLE = "lambda text: len(encoding.encode(text))"


def check_counter(counter: Counter) -> Counter:
    """Wrap *counter* in a check of its results; raise `TypesigError` for a non-function."""
    if not callable(counter):
        raise TypesigError(
            f"a counter is a function such as {_EXAMPLE}, not {type(counter).__name__}"
        )

    def count(text: str) -> int:
        size: object = counter(text)
        try:
            found = operator.index(size)  # type: ignore[arg-type]
        except TypeError:
            raise TypesigError(
                f"a counter returns a whole number, not {type(size).__name__}; write {_EXAMPLE}"
            ) from None
        if found < 0:
            raise TypesigError(f"a counter returns 0 or more, not {format_value(found)}")
        return found

    return count


# --- Characters that nobody sees: which there are ---
# A text can hide instructions in them, and a terminal acts on some of them.

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
