"""The target of a `$ref`, which is always inside the document: nothing is fetched.

The document is walked once, and only its schemas: the content of an enum or a default is data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin

from typesig.errors import TooDeep, TooLarge
from typesig.limits import MAX_SCHEMA, MAX_SCHEMA_DEPTH, MAX_SCHEMAS, MAX_VALUE_DEPTH
from typesig.notations.json_schema.dialects import Dialect

Pointer = tuple[str, ...]

#: Keywords whose value is a schema.
WITH_SCHEMA = frozenset({
    "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items",
    "not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
})  # fmt: skip
#: Keywords whose value is a list of schemas.
WITH_LIST = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
#: Keywords whose value is an object of schemas by name.
WITH_NAMES = frozenset({
    "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties",
})  # fmt: skip


class Place(NamedTuple):
    """A schema in the document.

    #: pointer: the steps that lead to the schema
    #: address: the URI that its references are relative to
    """

    pointer: Pointer
    schema: Any
    address: str


class Document:
    """A JSON Schema and the places in it that references lead to."""

    def __init__(self, root: Any, dialect: Dialect) -> None:
        _check_size(root)
        self.root = root
        self.places: dict[Pointer, Place] = {}
        self.resources: dict[str, Place] = {}
        self.anchors: dict[str, Place] = {}
        self.dynamic: list[str] = []
        for place in _schemas(root, dialect.id_word):
            self.places[place.pointer] = place
            self._name(place, dialect)
            if len(self.places) > MAX_SCHEMAS:
                raise TooLarge(f"a JSON Schema may hold {MAX_SCHEMAS} schemas, this one has more")

    def _name(self, place: Place, dialect: Dialect) -> None:
        schema = place.schema
        if not place.pointer:
            self.resources[""] = place
        if not isinstance(schema, dict) or (dialect.lonely_refs and "$ref" in schema):
            return
        named = schema.get(dialect.id_word)
        if isinstance(named, str):
            if named.startswith("#"):
                # The drafts up to 7 have no keyword for an anchor.
                self.anchors[f"{place.address}{named}"] = place
            else:
                self.resources[place.address] = place
        for word in ("$anchor", "$dynamicAnchor"):
            if isinstance(schema.get(word), str):
                if word == "$dynamicAnchor":
                    self.dynamic.append(schema[word])
                self.anchors[f"{place.address}#{schema[word]}"] = place

    def is_ambiguous(self, word: str) -> bool:
        """Tell whether the target of the dynamic reference *word* depends on the path to it."""
        if word == "$recursiveRef":
            return len(self.resources) > 1
        return len(set(self.dynamic)) < len(self.dynamic)

    def find(self, place: Place, ref: str) -> Place | None:
        """Return the target of *ref* from *place*, or None if it is not in the document."""
        address, _, fragment = _joined(place.address, ref).partition("#")
        resource = self.resources.get(address)
        if resource is None:
            return None
        if not fragment:
            return resource
        if not fragment.startswith("/"):
            return self.anchors.get(f"{address}#{fragment}")
        return self._at(resource, unquote(fragment).split("/")[1:])

    def _at(self, resource: Place, steps: list[str]) -> Place | None:
        pointer, address = resource.pointer, resource.address
        current: Any = resource.schema
        for step in steps:
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(current, dict) and name in current:
                current = current[name]
            elif isinstance(current, list) and name.isascii() and name.isdigit():
                if len(name) > 9 or int(name) >= len(current):
                    return None
                current = current[int(name)]
            else:
                return None
            pointer = (*pointer, name)
            known = self.places.get(pointer)
            address = address if known is None else known.address
        # A reference may lead to a place that no keyword makes a schema.
        found = self.places.get(pointer)
        return Place(pointer, current, address) if found is None else found


def _joined(start: str, ref: str) -> str:
    try:
        return urljoin(start, ref)
    except ValueError:
        return ref


def _check_size(root: Any) -> None:
    """Raise `TooLarge` or `TooDeep` if *root* is too large or too deep, or contains itself."""
    pending: list[tuple[Any, int]] = [(root, 0)]
    size = 0
    while pending:
        value, depth = pending.pop()
        if depth > 2 * MAX_VALUE_DEPTH:
            raise TooDeep(f"a JSON Schema may nest {MAX_SCHEMA_DEPTH} schemas, this one has more")
        if isinstance(value, dict):
            for key, item in value.items():
                size += len(key) + 4 if isinstance(key, str) else 4
                pending.append((item, depth + 1))
        elif isinstance(value, list | tuple):
            size += len(value) + 1
            pending.extend((item, depth + 1) for item in value)
        else:
            size += len(value) + 2 if isinstance(value, str) else 2
        if size > MAX_SCHEMA:
            raise TooLarge(f"a JSON Schema may have {MAX_SCHEMA} characters, this one has more")


def _schemas(root: Any, id_word: str) -> Iterator[Place]:
    """Yield every schema of the document, the outer ones first."""
    pending = [(Place((), root, ""), 0)]
    while pending:
        place, depth = pending.pop()
        if depth > MAX_SCHEMA_DEPTH:
            raise TooDeep(f"a JSON Schema may nest {MAX_SCHEMA_DEPTH} schemas, this one has more")
        schema = place.schema
        if isinstance(schema, dict):
            named = schema.get(id_word)
            if isinstance(named, str) and not named.startswith("#"):
                place = place._replace(address=_joined(place.address, named).partition("#")[0])
            pending.extend((inner, depth + 1) for inner in _inner_schemas(place, schema))
        yield place


def _inner_schemas(place: Place, schema: dict[Any, Any]) -> Iterator[Place]:
    for word, value in schema.items():
        at = (*place.pointer, word) if isinstance(word, str) else place.pointer
        if word in WITH_SCHEMA and not isinstance(value, list):
            yield Place(at, value, place.address)
        elif word in WITH_LIST and isinstance(value, list):
            for count, item in enumerate(value):
                yield Place((*at, str(count)), item, place.address)
        elif word in WITH_NAMES and isinstance(value, dict):
            for name, item in value.items():
                if isinstance(name, str) and not isinstance(item, list):
                    yield Place((*at, name), item, place.address)
