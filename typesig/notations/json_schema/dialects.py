"""The drafts of JSON Schema, by the address in `$schema`, and how they differ.

To add a draft, add its row to `DIALECTS`.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Dialect(NamedTuple):
    """A draft, as far as it differs from the others.

    #: lonely_refs: whether `$ref` hides the keywords beside it
    #: id_word: the keyword that names a schema
    #: added_later: keywords that later drafts added
    #: removed: keywords of earlier drafts that this draft dropped
    #: later_formats: formats that later drafts added
    """

    name: str
    lonely_refs: bool
    id_word: str
    added_later: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    later_formats: frozenset[str] = frozenset()


_SINCE_2020 = frozenset({"prefixItems", "$dynamicRef"})
_SINCE_2019 = _SINCE_2020 | {
    "$anchor",
    "$recursiveRef",
    "dependentRequired",
    "dependentSchemas",
    "maxContains",
    "minContains",
    "unevaluatedItems",
    "unevaluatedProperties",
}
_SINCE_7 = _SINCE_2019 | {"if", "then", "else"}
_SINCE_6 = _SINCE_7 | {"const", "contains", "propertyNames"}

_FORMATS_2019 = frozenset({"duration", "uuid"})
_FORMATS_7 = _FORMATS_2019 | {
    "date",
    "idn-email",
    "idn-hostname",
    "iri",
    "iri-reference",
    "regex",
    "relative-json-pointer",
    "time",
}
_FORMATS_6 = _FORMATS_7 | {"json-pointer", "uri-reference", "uri-template"}

_2020 = Dialect(
    "2020-12", False, "$id", removed=frozenset({"additionalItems", "$recursiveRef", "dependencies"})
)

DIALECTS: dict[str, Dialect] = {
    "json-schema.org/draft/2020-12/schema": _2020,
    "json-schema.org/draft/2019-09/schema": Dialect(
        "2019-09", False, "$id", _SINCE_2020, frozenset({"dependencies"})
    ),
    "json-schema.org/draft-07/schema": Dialect(
        "draft-07", True, "$id", _SINCE_2019, later_formats=_FORMATS_2019
    ),
    "json-schema.org/draft-06/schema": Dialect(
        "draft-06", True, "$id", _SINCE_7, later_formats=_FORMATS_7
    ),
    "json-schema.org/draft-04/schema": Dialect(
        "draft-04", True, "id", _SINCE_6, later_formats=_FORMATS_6
    ),
}

#: How a schema that names no draft is read: as the latest, but with the keywords it dropped.
ANY_DRAFT = Dialect("2020-12", False, "$id")


def dialect_of(schema: Any) -> Dialect | None:
    """Return the dialect of *schema*, or None if it names a draft that is not supported.

    A schema that names no draft, or a vendor's own, has the dialect `ANY_DRAFT`.

    >>> dialect_of({"$schema": "http://json-schema.org/draft-07/schema#"}).name
    'draft-07'
    """
    named = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(named, str):
        return ANY_DRAFT
    address = named.partition("://")[2].removesuffix("#").removesuffix("/")
    latest = ("json-schema.org", "json-schema.org/schema")
    if address in latest or not address.startswith("json-schema.org/"):
        return ANY_DRAFT
    return DIALECTS.get(address)
