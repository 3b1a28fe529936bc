"""Keywords in foreign JSON schemas that typesig does not read, by place.

A signature does not have them: `contentEncoding` and `examples` are annotations in JSON Schema.
They are compared as texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typesig.contracts.locks.places import Path, format_place
from typesig.errors import TooLarge
from typesig.limits.contracts import MAX_CONTRACT_PLACES
from typesig.notations.json_schema.keywords.formats import BY_NAME
from typesig.notations.json_schema.keywords.references import WITH_LIST, WITH_NAMES, WITH_SCHEMA
from typesig.notations.json_schema.reading.reader import KEYWORDS

#: The keywords of a family of rules; any other belongs to the family `keyword`.
FAMILIES: dict[str, str] = {
    "contentEncoding": "content",
    "contentMediaType": "content",
    "contentSchema": "content",
    "deprecated": "deprecated",
    "example": "examples",
    "examples": "examples",
}

#: Keywords that only tell how the schema is written.
_STRUCTURE = frozenset({"$anchor", "$dynamicAnchor", "$id", "$schema", "$vocabulary", "id"})


def find_unread_keywords(schema: Any, root: str) -> dict[str, Any]:
    """Find the keywords of *schema* that typesig ignores, by place below *root*.

    >>> schema = {"properties": {"a": {"type": "string", "examples": ["x"]}}}
    >>> find_unread_keywords(schema, "params")
    {'params.properties.a.examples': ['x']}
    """
    out: dict[str, Any] = {}
    left = MAX_CONTRACT_PLACES
    pending: list[tuple[Path, Any]] = [((root,), schema)]
    while pending:
        path, part = pending.pop()
        left -= 1
        if left < 0:
            raise TooLarge(f"a contract has {MAX_CONTRACT_PLACES} places, this one has more")
        if not isinstance(part, dict):
            continue
        for word, value in part.items():
            at = (*path, str(word))
            inner = list(_iter_inner(at, word, value))
            pending += inner
            if not inner and _is_note(word, value):
                out[format_place(at)] = value
    return out


def _is_note(word: str, value: Any) -> bool:
    """Whether JSON Schema keyword *word* is an annotation that typesig does not read."""
    if word == "format":
        return isinstance(value, str) and value not in BY_NAME
    return word == "$comment" or (word not in KEYWORDS and word not in _STRUCTURE)


def _iter_inner(at: Path, word: str, value: Any) -> Iterator[tuple[Path, Any]]:
    """Yield the subschemas in the *value* of keyword *word*, with their places."""
    if word in WITH_SCHEMA and isinstance(value, dict) and word != "contentSchema":
        yield at, value
    elif word in WITH_LIST and isinstance(value, list):
        for count, each in enumerate(value):
            yield (*at, str(count)), each
    elif word in WITH_NAMES and isinstance(value, dict):
        for name, each in value.items():
            yield (*at, str(name)), each
