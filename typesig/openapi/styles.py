"""Serialization of parameters in a path, a query, a header, or a cookie.

The rules are those of "Style Values" in OpenAPI 3.1.1 (4.8.12.3), and of RFC 6570 where it is
silent.  What a style does not define, such as a list within a list, is written as JSON text; but
for `deepObject`, where each level has its own brackets, as most servers with such parameters read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import quote

Where: TypeAlias = Literal["path", "query", "header", "cookie"]


class Style(NamedTuple):
    """Delimiters of a parameter style, such as `form` or `simple`.

    #: first: what stands before a value; between: what separates parts that are exploded
    #: joint: what separates parts otherwise; is_named: whether the name of the parameter is written
    """

    first: str
    between: str
    joint: str
    is_named: bool


#: The styles by name.  Those of a query give pairs, which `&` separates.
STYLES: dict[str, Style] = {
    "simple": Style("", ",", ",", False),
    "label": Style(".", ".", ",", False),
    "matrix": Style(";", ";", ",", True),
    "form": Style("", "&", ",", True),
    "spaceDelimited": Style("", "&", "%20", True),
    "pipeDelimited": Style("", "&", "%7C", True),
    "deepObject": Style("", "&", ",", True),
    "cookie": Style("", "; ", ",", True),
}

#: The style of a parameter that names none, and the styles that a place may have.
DEFAULT_STYLES: dict[Where, str] = {
    "path": "simple",
    "query": "form",
    "header": "simple",
    "cookie": "form",
}
ALLOWED_STYLES: dict[Where, tuple[str, ...]] = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    # That of its own is of OpenAPI 3.2.
    "cookie": ("form", "cookie"),
}

Encode: TypeAlias = Callable[[str], str]


def encode_text(text: str) -> str:
    """Percent-encode all but the unreserved characters of RFC 3986 (2.3).

    >>> encode_text("a/b ?ü")
    'a%2Fb%20%3F%C3%BC'
    """
    return quote(text, safe="", errors="replace")


def encode_unsafe(text: str) -> str:
    """Percent-encode *text*, except for reserved characters that are safe in a query."""
    return quote(text, safe=":/?@!$'()*,;", errors="replace")


def format_scalar(value: Any) -> str:
    """Text for *value*: a string unchanged, null as nothing, other data as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_parameter(
    name: str, value: Any, style: str, explode: bool, encode: Encode = encode_text
) -> str:
    """Serialize the parameter *name* with *value*, JSON data, in *style*.

    >>> write_parameter("id", [3, 4], "simple", False), write_parameter("id", [3, 4], "form", True)
    ('3,4', 'id=3&id=4')
    >>> write_parameter("at", {"x": 1, "y": ["a b"]}, "deepObject", True)
    'at%5Bx%5D=1&at%5By%5D%5B0%5D=a%20b'
    """
    row = STYLES[style]
    key = encode(name)
    if value in ([], {}):
        # Without members, a list or an object expands to nothing (RFC 6570, 2.3).
        return ""
    if style == "deepObject":
        return "&".join(_iter_deep_pairs(key, value, encode))
    if not isinstance(value, dict | list):
        text = encode(format_scalar(value))
        if style == "matrix" and not text:
            return f";{key}"
        return f"{row.first}{key}={text}" if row.is_named else row.first + text
    if explode:
        return row.first + row.between.join(_iter_exploded(key, value, row, encode))
    joined = row.joint.join(_iter_flat(value, encode))
    return f"{row.first}{key}={joined}" if row.is_named else row.first + joined


def _iter_deep_pairs(key: str, value: Any, encode: Encode) -> Iterator[str]:
    """Yield `key[name]=value` pairs for all scalars within *value* (`deepObject` style)."""
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for k, v in parts:
            yield from _iter_deep_pairs(f"{key}%5B{encode(str(k))}%5D", v, encode)
    else:
        yield f"{key}={encode(format_scalar(value))}"


def _iter_exploded(key: str, value: Any, row: Style, encode: Encode) -> Iterator[str]:
    """Yield each item or member of *value*, encoded, in exploded form."""
    if isinstance(value, dict):
        yield from (f"{encode(k)}={encode(format_scalar(v))}" for k, v in value.items())
        return
    for each in value:
        text = encode(format_scalar(each))
        yield f"{key}={text}" if row.is_named else text


def _iter_flat(value: Any, encode: Encode) -> Iterator[str]:
    """Yield each item of *value*, or each key and value in turn, encoded."""
    if isinstance(value, list):
        yield from (encode(format_scalar(each)) for each in value)
        return
    for k, v in value.items():
        yield encode(k)
        yield encode(format_scalar(v))
