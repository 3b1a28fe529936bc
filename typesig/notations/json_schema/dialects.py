"""The drafts of JSON Schema: what `$schema` names, and where they differ.

A dialect is a value; to add one, add its row to `DIALECTS`.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Dialect(NamedTuple):
    """How a draft reads what others read in another way.

    #: lonely_refs: whether `$ref` hides the keywords beside it
    #: id_word: the keyword that names a schema
    #: newer: keywords that it does not know, though later ones do
    #: older: keywords that it knows no more
    #: later_formats: formats that came after it
    """

    name: str
    lonely_refs: bool
    id_word: str
    newer: frozenset[str] = frozenset()
    older: frozenset[str] = frozenset()
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
    "2020-12", False, "$id", older=frozenset({"additionalItems", "$recursiveRef", "dependencies"})
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

#: What a schema is read as that names no draft: the latest, with the spellings that it gave up.
ANY_DRAFT = Dialect("2020-12", False, "$id")


def dialect_of(schema: Any) -> Dialect | None:
    """Return the dialect that *schema* names, the latest where it names none of JSON Schema's.

    None where it names one that is not read.

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
