"""The drafts of JSON Schema, by the address in `$schema`, and how they differ.

To add a draft, add its row to `DIALECTS`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple


class Dialect(NamedTuple):
    """The properties of a JSON Schema draft that differ between drafts.

    #: lonely_refs: whether `$ref` hides the keywords beside it
    #: id_word: the keyword that names a schema
    #: added_later: keywords that later drafts added
    #: removed: keywords of earlier drafts that this draft dropped
    #: later_formats: formats that later drafts added
    #: unsupported: why the draft cannot be read, or empty
    """

    name: str
    lonely_refs: bool
    id_word: str
    added_later: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    later_formats: frozenset[str] = frozenset()
    unsupported: str = ""

    def is_keyword(self, word: str) -> bool:
        """Whether *word* is a keyword of this draft."""
        return word not in self.added_later and word not in self.removed


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

_LATEST = ("json-schema.org", "json-schema.org/schema")

#: How a schema that names no draft is read: as the latest, but with the keywords it dropped.
ANY_DRAFT = Dialect("2020-12", False, "$id")


_APPLICATOR = frozenset({
    "additionalItems", "additionalProperties", "allOf", "anyOf", "contains", "dependentSchemas",
    "else", "if", "items", "not", "oneOf", "patternProperties", "prefixItems", "properties",
    "propertyNames", "then",
})  # fmt: skip
_UNEVALUATED = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_VALIDATION = frozenset({
    "const", "dependentRequired", "enum", "exclusiveMaximum", "exclusiveMinimum", "maxContains",
    "maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems", "minLength",
    "minProperties", "minimum", "multipleOf", "pattern", "required", "type", "uniqueItems",
})  # fmt: skip
_CONSTRAINING = _APPLICATOR | _UNEVALUATED | _VALIDATION

#: The keywords of each vocabulary that may be left out, by the end of its address.  Formats are
#: asserted, whichever vocabulary has them.
VOCABULARIES: dict[str, frozenset[str]] = {
    "2019-09/vocab/applicator": _APPLICATOR | _UNEVALUATED,
    "2019-09/vocab/content": frozenset(),
    "2019-09/vocab/core": frozenset(),
    "2019-09/vocab/format": frozenset(),
    "2019-09/vocab/meta-data": frozenset(),
    "2019-09/vocab/validation": _VALIDATION,
    "2020-12/vocab/applicator": _APPLICATOR,
    "2020-12/vocab/content": frozenset(),
    "2020-12/vocab/core": frozenset(),
    "2020-12/vocab/format-annotation": frozenset(),
    "2020-12/vocab/format-assertion": frozenset(),
    "2020-12/vocab/meta-data": frozenset(),
    "2020-12/vocab/unevaluated": _UNEVALUATED,
    "2020-12/vocab/validation": _VALIDATION,
}


def find_dialect(schema: Any, metaschemas: Mapping[str, Any] | None = None) -> Dialect:
    """Return the dialect of *schema*, by its `$schema`.

    A schema that names no draft, or a vendor's own, has the dialect `ANY_DRAFT`, unless the schema
    of that dialect is among *metaschemas*, by its address.

    >>> find_dialect({"$schema": "http://json-schema.org/draft-07/schema#"}).name
    'draft-07'
    """
    address = _read_schema_address(schema)
    found = _get_dialect(address)
    metaschema = (metaschemas or {}).get(address)
    if found is not ANY_DRAFT or not isinstance(metaschema, dict):
        return found
    base = _get_dialect(_read_schema_address(metaschema))
    vocabularies = metaschema.get("$vocabulary")
    if base.lonely_refs or base.unsupported or not isinstance(vocabularies, dict):
        return base
    return _with_vocabularies(base._replace(name=address), vocabularies)


def _read_schema_address(schema: Any) -> str:
    """Return the `$schema` address of *schema* without its final `#`, or an empty text."""
    named = schema.get("$schema") if isinstance(schema, dict) else None
    return named.removesuffix("#") if isinstance(named, str) else ""


def _get_dialect(address: str) -> Dialect:
    """Return the draft at the `$schema` *address*, or `ANY_DRAFT` if it names no draft."""
    name = address.partition("://")[2].removesuffix("/")
    if name in _LATEST or not name.startswith("json-schema.org/"):
        return ANY_DRAFT
    found = DIALECTS.get(name)
    return found or ANY_DRAFT._replace(unsupported=f"the draft {address} is not supported")


def _with_vocabularies(base: Dialect, vocabularies: Mapping[Any, Any]) -> Dialect:
    """Return the dialect *base* with only the keywords of *vocabularies*."""
    kept = frozenset[str]()
    for address, required in vocabularies.items():
        words = VOCABULARIES.get(str(address).rpartition("json-schema.org/draft/")[2])
        if words is not None:
            kept |= words
        elif required is True:
            return base._replace(unsupported=f"the vocabulary {address} is not supported")
    return base._replace(removed=base.removed | (_CONSTRAINING - kept))


# --- The metaschemas: the schemas of JSON Schema itself, by draft ---
# The documents are those of <https://json-schema.org/specification-links>, one file for a draft: an
# object of them by URI.  Their license is in the file LICENSE beside them, in
# `notations/metaschemas`.

_DRAFTS = {
    "https://json-schema.org/draft/2020-12/": "2020-12",
    "https://json-schema.org/draft/2019-09/": "2019-09",
    "http://json-schema.org/draft-07/": "draft-07",
    "http://json-schema.org/draft-06/": "draft-06",
    "http://json-schema.org/draft-04/": "draft-04",
}


def load_metaschema(uri: str) -> Any:
    """Return the metaschema document with the URI *uri*, or None if it is unknown.

    >>> load_metaschema("http://json-schema.org/draft-07/schema")["title"]
    'Core schema meta-schema'
    """
    draft = next((name for start, name in _DRAFTS.items() if uri.startswith(start)), None)
    return None if draft is None else _load_documents(draft).get(uri)


@lru_cache(maxsize=len(_DRAFTS))
def _load_documents(draft: str) -> dict[str, Any]:
    """Load the metaschemas of the JSON Schema *draft*, by URI."""
    # Loads as the parse tables do: importing importlib.resources would take 10 ms more.
    import pkgutil

    data = pkgutil.get_data("typesig.notations", f"metaschemas/{draft}.json")
    assert data is not None
    found: dict[str, Any] = json.loads(data)
    return found
