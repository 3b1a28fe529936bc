"""The target of a `$ref`, in the document, a resource given with it, or a draft's own metaschema.

Nothing is fetched.  The document is walked once, and only its schemas: the content of an enum or a
default is data.  A resource is walked when a reference leads to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from typesig.errors import TooDeep, TooLarge
from typesig.limits import MAX_SCHEMA, MAX_SCHEMA_DEPTH, MAX_SCHEMAS, MAX_VALUE_DEPTH
from typesig.notations.json_schema.dialects import Dialect, find_dialect, load_metaschema

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
    """A schema in a document or another resource: its pointer, address and dialect.

    #: pointer: the steps that lead to the schema; the first one in a resource is its URI
    #: address: the URI that its references are relative to
    """

    pointer: Pointer
    schema: Any
    address: str
    dialect: Dialect

    def has(self, word: str) -> bool:
        """Whether the schema, an object, has the keyword *word* and its dialect knows it."""
        return word in self.schema and self.dialect.is_keyword(word)


class MissingTarget(Exception):
    """Error for a reference without a target, with the reason as its message."""


#: An anchor whose target depends on the path to the reference: its keyword and its name.
Dynamic = tuple[str, str]

#: For each dynamic anchor on a path, the URI of the outermost resource that has it.
Scope = tuple[tuple[Dynamic, str], ...]

#: The anchor that each dynamic reference leads to.
_DYNAMIC_ANCHORS = {"$dynamicRef": "$dynamicAnchor", "$recursiveRef": "$recursiveAnchor"}


class Document:
    """A JSON Schema document: its schemas, resources by URI, and reference targets."""

    def __init__(self, root: Any, given: Mapping[str, Any]) -> None:
        self.root = root
        self.given = given
        self.places: dict[Pointer, Place] = {}
        # The first steps to the places of resources that were given.
        self.given_steps: set[Pointer] = set()
        self.resources: dict[str, Place] = {}
        self.anchors: dict[str, Place] = {}
        # For each resource, the places of its dynamic anchors.
        self.dynamic: dict[str, dict[Dynamic, Place]] = {}
        # What is the name of several schemas, and so the name of none.
        self.repeated: set[str] = set()
        self._waiting = dict.fromkeys(self.given)
        self._size = check_size(root)
        self._load(Place((), root, "", find_dialect(root, self.given)))

    # names

    def _load(self, start: Place) -> None:
        """Register all schemas, and their names, of the resource that begins at *start*."""
        for place in self._iter_schemas(start):
            if place.pointer == start.pointer:
                self._add_name(self.resources, start.address, place)
            self.places[place.pointer] = place
            self._add_names(place)

    def _add_names(self, place: Place) -> None:
        """Register the `$id` and the anchors of the schema at *place*."""
        schema, dialect = place.schema, place.dialect
        if not isinstance(schema, dict) or (dialect.lonely_refs and "$ref" in schema):
            return
        named = schema.get(dialect.id_word)
        if isinstance(named, str):
            uri, _, anchor = named.partition("#")
            if uri:
                self._add_name(self.resources, place.address, place)
            if anchor:
                # The drafts up to 7 have no keyword for an anchor.
                self._add_name(self.anchors, f"{place.address}#{unquote(anchor)}", place)
        for word in ("$anchor", "$dynamicAnchor"):
            if isinstance(schema.get(word), str) and dialect.is_keyword(word):
                self._add_name(self.anchors, f"{place.address}#{schema[word]}", place)
        for word, name in (
            ("$dynamicAnchor", schema.get("$dynamicAnchor")),
            ("$recursiveAnchor", "" if schema.get("$recursiveAnchor") is True else None),
        ):
            if isinstance(name, str) and dialect.is_keyword(word):
                self.dynamic.setdefault(place.address, {})[word, name] = place

    def _add_name(self, table: dict[str, Place], name: str, place: Place) -> None:
        """Register *place* under *name* in *table*; mark a conflicting name."""
        known = table.setdefault(name, place)
        if name not in self.repeated and not _is_same(known.schema, place.schema):
            self.repeated.add(name)

    def _load_given(self, uri: str) -> None:
        """Load the resource with the URI *uri* that the caller supplied."""
        del self._waiting[uri]
        self._load_resource(uri, self.given[uri])

    def _load_resource(self, uri: str, schema: Any) -> None:
        """Register *schema*, the resource with the URI *uri*, and its subschemas."""
        self._size = check_size(schema, self._size)
        step = f"{uri}#"
        while isinstance(self.root, dict) and step in self.root:
            step += "#"
        self.given_steps.add((step,))
        dialect = self.places[()].dialect
        if isinstance(schema, dict) and "$schema" in schema:
            dialect = find_dialect(schema, self.given)
        start = Place((step,), schema, uri, dialect)
        for name in (uri, self._enter(start).address):
            known = self.resources.get(name)
            if known is not None and _is_same(known.schema, schema):
                # The document has a copy of it.
                self.resources[uri] = known
                return
        self._load(start)

    # places

    def _enter(self, place: Place) -> Place:
        """Return *place* with the base address and the dialect that its schema sets."""
        schema, dialect = place.schema, place.dialect
        if not isinstance(schema, dict):
            return place
        if isinstance(schema.get("$schema"), str):
            own = find_dialect(schema, self.given)
            if isinstance(schema.get(own.id_word), str):
                dialect = own
        named = schema.get(dialect.id_word)
        if (dialect.lonely_refs and "$ref" in schema) or not isinstance(named, str):
            return place
        return place._replace(address=resolve(place.address, named).uri, dialect=dialect)

    def _iter_schemas(self, start: Place) -> Iterator[Place]:
        """Yield the schema at *start* and every schema inside it, the outer ones first."""
        pending = [(start, 0)]
        count = len(self.places)
        while pending:
            place, depth = pending.pop()
            if depth > MAX_SCHEMA_DEPTH:
                limit = f"a JSON Schema may nest {MAX_SCHEMA_DEPTH} schemas"
                raise TooDeep(f"{limit}, this one has more")
            count += 1
            if count > MAX_SCHEMAS:
                limit = f"a JSON Schema may hold {MAX_SCHEMAS} schemas"
                raise TooLarge(f"{limit}, this one has more")
            place = self._enter(place)
            if isinstance(place.schema, dict):
                pending.extend(
                    (inner, depth + 1) for inner in _iter_inner_schemas(place, place.schema)
                )
            yield place

    def _find_place(self, resource: Place, steps: list[str]) -> Place | None:
        """Return the place of the subschema at the path *steps* in *resource*, or None."""
        nearest, pointer = resource, resource.pointer
        current: Any = resource.schema
        for step in steps:
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(current, dict) and name in current:
                current = current[name]
            elif isinstance(current, list) and _INDEX.fullmatch(name) and int(name) < len(current):
                current = current[int(name)]
            else:
                return None
            pointer = (*pointer, name)
            nearest = self.places.get(pointer, nearest)
        if pointer not in self.places:
            # No keyword makes a schema of it, so that nothing in it has a name.
            for place in self._iter_schemas(nearest._replace(pointer=pointer, schema=current)):
                self.places.setdefault(place.pointer, place)
        return self.places[pointer]

    # references

    def find(self, place: Place, ref: str) -> Place:
        """Return the target of *ref*, a reference at *place*; or raise `MissingTarget`."""
        uri, fragment = resolve(place.address, ref)
        resource = self._resource(uri, ref)
        if not fragment:
            return resource
        if fragment.startswith("/"):
            found = self._find_place(resource, fragment.split("/")[1:])
        else:
            found = self.anchors.get(self._make_unique(f"{resource.address}#{fragment}"))
        if found is None:
            raise MissingTarget(f"{ref!r} is not in the document")
        return found

    def find_dynamic(self, place: Place, ref: str, word: str, scope: Scope) -> Place:
        """Return the target of the dynamic reference *ref*, resolved by *scope*."""
        found = self.find(place, ref)
        name = "" if word == "$recursiveRef" else resolve("", ref).fragment
        anchor = (_DYNAMIC_ANCHORS[word], name)
        if self.dynamic.get(found.address, {}).get(anchor) is not found:
            return found
        return self.dynamic[dict(scope).get(anchor, found.address)][anchor]

    def extend_scope(self, place: Place, scope: Scope) -> Scope:
        """Add the dynamic anchors of the resource at *place* to *scope*."""
        inside = self.dynamic.get(place.address)
        if inside is None:
            return scope
        added = inside.keys() - dict(scope).keys()
        return (*scope, *((anchor, place.address) for anchor in sorted(added)))

    def _resource(self, uri: str, ref: str) -> Place:
        """Return the root schema of the resource *uri*, loaded if necessary."""
        if uri in self._waiting:
            self._load_given(uri)
        while uri not in self.resources and self._waiting:
            # The `$id` of another resource may be this URI.
            self._load_given(next(iter(self._waiting)))
        if uri not in self.resources and (found := load_metaschema(uri)) is not None:
            self._load_resource(uri, found)
        if uri not in self.resources:
            remedy = f"; pass it in resources, by its URI {uri!r}"
            raise MissingTarget(f"{ref!r} is not in the document{remedy}")
        return self.resources[self._make_unique(uri)]

    def _make_unique(self, name: str) -> str:
        """Return *name*; raise `MissingTarget` if several schemas have this name."""
        if name in self.repeated:
            raise MissingTarget(f"{name!r} is the name of several schemas")
        return name


_INDEX = re.compile("0|[1-9][0-9]{0,8}")


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values of JSON are equal, and all their numbers of the same kind."""
    pending = [(one, other)]
    while pending:
        a, b = pending.pop()
        if a is b:
            continue
        if type(a) is not type(b):
            return False
        if isinstance(a, dict):
            if a.keys() != b.keys():
                return False
            pending.extend((value, b[key]) for key, value in a.items())
        elif isinstance(a, list | tuple):
            if len(a) != len(b):
                return False
            pending.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True


def check_size(root: Any, before: int = 0) -> int:
    """Return *before* plus the size of *root*; raise `TooLarge` or `TooDeep` if too big.

    Raise `TooLarge` or `TooDeep` if that is too large, or *root* too deep or inside itself.
    """
    pending: list[tuple[Any, int]] = [(root, 0)]
    size = before
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
    return size


def _iter_inner_schemas(place: Place, schema: dict[Any, Any]) -> Iterator[Place]:
    """Yield the places of the direct subschemas of *schema*, which is at *place*."""
    for word, value in schema.items():
        at = (*place.pointer, word) if isinstance(word, str) else place.pointer
        if word in WITH_SCHEMA and not isinstance(value, list):
            yield Place(at, value, place.address, place.dialect)
        elif word in WITH_LIST and isinstance(value, list):
            for count, item in enumerate(value):
                yield Place((*at, str(count)), item, place.address, place.dialect)
        elif word in WITH_NAMES and isinstance(value, dict):
            for name, item in value.items():
                if isinstance(name, str) and not isinstance(item, list):
                    yield Place((*at, name), item, place.address, place.dialect)


_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)


class Address(NamedTuple):
    """A resolved URI reference: the URI of a resource, and a fragment.

    #: uri: what names the resource, without a fragment
    #: fragment: what names a place in it, percent-decoded; empty for the resource itself
    """

    uri: str
    fragment: str


def resolve(base: str, reference: str) -> Address:
    """Resolve *reference* against *base*, the URI of the enclosing schema.

    >>> resolve("http://a.example/b/c", "../d#/x")
    Address(uri='http://a.example/d', fragment='/x')
    >>> resolve("urn:a:b", "#x")
    Address(uri='urn:a:b', fragment='x')
    """
    scheme, authority, path, query, fragment = _split_reference(reference)
    if scheme is None:
        scheme, base_authority, base_path, base_query, _ = _split_reference(base)
        if authority is None:
            authority = base_authority
            if not path:
                path, query = base_path or "", base_query if query is None else query
            elif not path.startswith("/"):
                path = _merge_paths(authority, base_path or "", path)
    uri = "" if scheme is None else f"{scheme}:"
    uri += "" if authority is None else f"//{authority}"
    uri += _remove_dot_segments(path or "") + ("" if query is None else f"?{query}")
    return Address(uri, unquote(fragment or ""))


def _split_reference(reference: str) -> tuple[str | None, ...]:
    """Split the URI *reference* into scheme, authority, path, query and fragment."""
    found = _PARTS.fullmatch(reference)
    # Each part may be empty, and the last one takes whatever is left.
    assert found is not None
    return found.groups()


def _merge_paths(authority: str | None, base: str, path: str) -> str:
    """Resolve the relative *path* against the path *base* of a URI with *authority*."""
    if authority is not None and not base:
        return f"/{path}"
    return base[: base.rfind("/") + 1] + path


def _remove_dot_segments(path: str) -> str:
    """Return *path* without the segments `.` and `..`."""
    segments = path.split("/")
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            # The empty segment before the first slash stays.
            if kept not in ([], [""]):
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)
