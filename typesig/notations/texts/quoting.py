"""Text in double quotes, the same in every notation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from typesig import json_backends

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
