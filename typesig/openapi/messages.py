"""HTTP requests and responses, their media types, and how they write parameters."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import quote

# --- HTTP requests and responses ---

#: The codes of responses that lead elsewhere (RFC 9110, 15.4).
REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Request(NamedTuple):
    """An HTTP request, ready to be sent.

    #: method: in capitals; url: absolute, with its query; headers: by name, credentials among them
    #: body: its bytes, or None

    >>> Request("GET", "https://api.test/orders?key=s3cret", {})
    <Request GET>
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None

    def __repr__(self) -> str:
        """Return the method alone; the rest may hold credentials."""
        return f"<Request {self.method}>"


class Response(NamedTuple):
    """An HTTP response.

    #: status: the code; headers: by name; body: all its bytes
    #: data: what the body says, in the result of a tool

    >>> Response(204).body
    b''
    """

    status: int
    headers: Mapping[str, str] = {}
    body: bytes = b""
    data: Any = None

    def header(self, name: str) -> str:
        """Value of the header *name*, case-insensitive; empty if it is missing.

        >>> Response(200, {"content-type": "text/plain"}).header("Content-Type")
        'text/plain'
        """
        wanted = name.lower()
        return next((v for key, v in self.headers.items() if key.lower() == wanted), "")


# --- Media types, and the kind of content of each ---


def is_json(media: str) -> bool:
    """Whether *media* is JSON (RFC 6839, 3.1).

    >>> is_json("application/problem+json; charset=utf-8"), is_json("text/plain")
    (True, False)
    """
    name = get_media_name(media)
    return name == "application/json" or name.endswith("+json")


def get_media_name(media: str) -> str:
    """Return *media* without its parameters, in lower case."""
    return media.partition(";")[0].strip().lower()


#: Types of texts whose names do not say so.
_TEXTS = frozenset(
    f"application/{name}"
    for name in (
        "graphql", "javascript", "jwt", "sql", "toml", "x-javascript", "x-pem-file", "x-sh",
        "x-subrip", "x-yaml",
    )
)  # fmt: skip

#: Lists in JSON whose items are lines (OpenAPI 3.2, "Sequential JSON"; `x-jsonlines` is the name
#: that was common before).
_LINES = frozenset({"application/jsonl", "application/x-jsonlines", "application/x-ndjson"})

#: What stands before each text of a JSON text sequence (RFC 7464, 2.2).
SEPARATOR = "\x1e"


def is_json_items(media: str) -> bool:
    """Whether *media* is a sequence of JSON texts.

    >>> is_json_items("application/jsonl; charset=utf-8"), is_json_items("application/json")
    (True, False)
    """
    return get_media_name(media) in _LINES or is_json_sequence(media)


def is_json_sequence(media: str) -> bool:
    """Whether *media* is a JSON text sequence (RFC 7464; RFC 8091 for the suffix)."""
    name = get_media_name(media)
    return name == "application/json-seq" or name.endswith("+json-seq")


def is_text(media: str) -> bool:
    """Whether *media* is text of any kind.

    >>> is_text("text/csv"), is_text("application/soap+xml"), is_text("image/png")
    (True, True, False)
    """
    name = get_media_name(media)
    known = name in _TEXTS or is_json_items(name) or is_json(name)
    return known or name.startswith("text/") or name.endswith(("/xml", "+xml", "/yaml", "+yaml"))


def is_form(media: str) -> bool:
    """Whether *media* is a URL-encoded form.

    >>> is_form("application/x-www-form-urlencoded")
    True
    """
    return get_media_name(media) == "application/x-www-form-urlencoded"


# --- Serialization of parameters in a path, a query, a header, or a cookie ---
# The rules are those of "Style Values" in OpenAPI 3.1.1 (4.8.12.3), and of RFC 6570 where it is
# silent.  What a style does not define, such as a list within a list, is written as JSON text; but
# for `deepObject`, where each level has its own brackets, as most servers with such parameters
# read.

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
