"""Values of a schema, with references, unions, `allOf` and nullability resolved.

Whether a schema is one of bytes, of an object, or of null is asked of its shape only: documents
spell each of these in many ways, such as `anyOf` of a reference and null for an optional file.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.openapi.messages import is_text

if TYPE_CHECKING:
    from typesig.openapi.documents import Document, Place

#: Schemas that are visited for one shape; what stands behind them is left out.
_MOST = 1_000

#: Branches of one shape.
_MOST_BRANCHES = 100

_CHOICES = ("anyOf", "oneOf")


class Shape(NamedTuple):
    """The resolved alternatives of a schema, and whether null is allowed.

    #: branches: the schemas among which a value chooses, without references, unions and `allOf`
    #: is_nullable: whether null is one of the values
    #: document: where the references of the branches lead, if that is known
    """

    branches: tuple[dict[str, Any], ...]
    is_nullable: bool
    document: Document | None = None

    def find_binary(self) -> dict[str, Any] | None:
        """First branch whose values are bytes, or None."""
        return next((each for each in self.branches if is_binary(each)), None)

    def has_text(self) -> bool:
        """Whether an alternative allows text other than bytes."""
        return any("string" in get_types(each) and not is_binary(each) for each in self.branches)

    def has(self, word: str) -> bool:
        """Whether *word* is true in every branch."""
        return bool(self.branches) and all(each.get(word) is True for each in self.branches)

    def items(self) -> Shape:
        """Return the shape of list items."""
        if self.document is None:
            return ANYTHING
        found = [each["items"] for each in self.branches if isinstance(each.get("items"), dict)]
        return find_shape(self.document, {"anyOf": found}) if found else ANYTHING

    def get_single(self) -> dict[str, Any] | None:
        """The only branch, or None if there are several."""
        return self.branches[0] if len(self.branches) == 1 else None


#: The shape of a schema of which nothing is known.
ANYTHING = Shape((), False)


def is_binary(schema: dict[str, Any]) -> bool:
    """Whether the values of *schema* are bytes, in OpenAPI 3.0 or 3.1 keywords."""
    media = schema.get("contentMediaType")
    is_encoded = "contentEncoding" in schema
    has_bytes = isinstance(media, str) and not is_encoded and not is_text(media)
    return schema.get("format") == "binary" or has_bytes


def get_types(schema: dict[str, Any]) -> list[Any]:
    """Types in the `type` keyword of *schema*."""
    found = schema.get("type", [])
    return found if isinstance(found, list) else [found]


def find_shape(document: Document, schema: object, place: Place = ()) -> Shape:
    """Resolve *schema*, at *place* in *document*, to a shape."""
    branches, is_nullable = _ShapeReader(document, place).read(schema, frozenset())
    return Shape(branches, is_nullable, document)


class _Branches(NamedTuple):
    """Schemas among which a value chooses, and whether null is also allowed."""

    branches: tuple[dict[str, Any], ...]
    is_nullable: bool


class _ShapeReader:
    """Resolver of a schema to its alternatives."""

    def __init__(self, document: Document, place: Place) -> None:
        self._document = document
        self._place = place
        self._left = _MOST

    def read(self, schema: object, above: frozenset[str]) -> _Branches:
        """Resolve *schema* to alternatives; *above* has the references around."""
        self._left -= 1
        if not isinstance(schema, dict) or self._left < 0:
            return _Branches((), False)
        own = {word: value for word, value in schema.items() if word not in _OUTER}
        parts = [_read_own_keywords(own)]
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference not in above:
            found = self._document.schema({"$ref": reference}, self._place)
            parts.append(self.read(found, above | {reference}))
        parts += [self.read(each, above) for each in as_list(schema.get("allOf"))]
        for word in _CHOICES:
            members = as_list(schema.get(word))
            parts += [_join_branches(self.read(each, above) for each in members)] if members else []
        whole = reduce(_intersect_branches, parts)
        return whole._replace(is_nullable=whole.is_nullable or schema.get("nullable") is True)


#: The keywords that shapes are seen through.
_OUTER = frozenset({"$ref", "allOf", "nullable", *_CHOICES})


def as_list(value: object) -> list[Any]:
    """Return *value* if it is a list, otherwise an empty list."""
    return value if isinstance(value, list) else []


def _read_own_keywords(schema: dict[str, Any]) -> _Branches:
    """Return the alternatives of *schema* without references and unions."""
    types = get_types(schema)
    if not types:
        values = [schema["const"]] if "const" in schema else schema.get("enum")
        if not isinstance(values, list):
            return _Branches((schema,), True)
        others = [each for each in values if each is not None]
        return _Branches((schema,) if others else (), len(others) < len(values))
    others = [each for each in types if each != "null"]
    branch = {**schema, "type": others[0] if len(others) == 1 else others}
    return _Branches((branch,) if others else (), "null" in types)


def _join_branches(parts: Iterable[_Branches]) -> _Branches:
    """Unite the branches of all *parts*, up to a limit."""
    found = [*parts]
    branches = tuple(branch for part in found for branch in part.branches)
    return _Branches(branches[:_MOST_BRANCHES], any(part.is_nullable for part in found))


def _intersect_branches(one: _Branches, other: _Branches) -> _Branches:
    """Intersect both: merge each branch of *one* with each of *other*."""
    branches = tuple(_merge_schemas(a, b) for a in one.branches for b in other.branches)
    return _Branches(branches[:_MOST_BRANCHES], one.is_nullable and other.is_nullable)


def _merge_schemas(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Merge the keywords of both schemas; *one*, the outer schema, takes precedence."""
    out = {**other, **one}
    mine, theirs = one.get("properties"), other.get("properties")
    if isinstance(mine, dict) and isinstance(theirs, dict):
        shared = {name: {"allOf": [mine[name], theirs[name]]} for name in mine.keys() & theirs}
        out["properties"] = {**theirs, **mine, **shared}
    if isinstance(one.get("required"), list) and isinstance(other.get("required"), list):
        out["required"] = [*other["required"], *one["required"]]
    return out
