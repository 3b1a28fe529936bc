"""Media types, and the kind of content of each."""

from __future__ import annotations


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
