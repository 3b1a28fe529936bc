"""Discriminators: the values of a property by which the branches of a union are told apart.

A discriminator decides between branches; it does not refuse what they take.  A branch that has
constants of its own for the property keeps them, wherever they stand in it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from typesig.network_limits import MAX_TAGGED_PARTS
from typesig.openapi.documents import Document, component_name

#: The keywords of the parts of which a schema consists, or among which its values choose.
_CHOICES = ("anyOf", "oneOf")
_PARTS = ("allOf", *_CHOICES)


class _Branch(NamedTuple):
    """What a branch says of a property.

    #: is_told: whether it has constants for it, or takes no text; or is too large to be searched
    #: has_place: whether objects of the branch can have it
    #: is_union: whether it has branches itself
    """

    is_told: bool
    has_place: bool
    is_union: bool


class Discriminators:
    """Reads the discriminators of *document*."""

    __slots__ = ("_document", "_known")

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[tuple[str, str], _Branch] = {}

    def values(self, said: dict[str, Any], name: str, branches: list[Any]) -> list[list[str]]:
        """Return the values of *name* by which the discriminator *said* tells each of *branches*.

        There are none for a branch that says them itself, and for one that has no place for them.
        """
        found = [self._branch(branch, name) for branch in branches]
        mapping = said.get("mapping")
        mapped = [*mapping.items()] if isinstance(mapping, dict) else []
        # What a document says in constants is not said by the names of its schemas as well; and
        # where there is a default, every other value leads to a branch.
        has_names = "defaultMapping" not in said and not any(each.is_told for each in found)
        out: list[list[str]] = []
        for branch, each in zip(branches, found, strict=True):
            reference = self._reference(branch)
            if reference is None or each.is_told or not each.has_place:
                out.append([])
                continue
            own = component_name(reference)
            values = [value for value, target in mapped if self._leads(target, reference, own)]
            is_named = has_names and own != reference and not each.is_union
            out.append(values or ([own] if is_named else []))
        return out

    def _reference(self, schema: object) -> str | None:
        reference = _reference(schema)
        return None if reference is None else self._document.local(reference)

    def _leads(self, target: object, reference: str, name: str) -> bool:
        """Tell whether *target*, of a mapping, is the schema *name* at *reference*."""
        return isinstance(target, str) and (
            target == name or self._document.local(target) == reference
        )

    def _branch(self, branch: object, name: str) -> _Branch:
        reference = self._reference(branch)
        if reference is None:
            return self._searched(branch, name)
        key = (reference, name)
        if key not in self._known:
            self._known[key] = self._searched(branch, name)
        return self._known[key]

    def _searched(self, branch: object, name: str) -> _Branch:
        parts = self._parts(branch)
        if parts is None:
            return _Branch(True, False, False)
        owns = [properties_of(part) for part in parts]
        is_told = any(self._has_values(own[name]) for own in owns if name in own)
        is_closed = any(
            part.get("additionalProperties") is False and name not in own
            for part, own in zip(parts, owns, strict=True)
        )
        is_sealed = any(part.get("unevaluatedProperties") is False for part in parts)
        has_place = not is_closed and (not is_sealed or any(name in own for own in owns))
        return _Branch(is_told, has_place, any(part.keys() & _CHOICES for part in parts))

    def _has_values(self, schema: object) -> bool:
        """Tell whether *schema*, of the property, says its values, or takes no text."""
        parts = self._parts(schema)
        if parts is None:
            return True
        if any(part.keys() & {"const", "enum"} for part in parts):
            return True
        types = [part["type"] for part in parts if "type" in part]
        return bool(types) and not any(
            each == "string" or (isinstance(each, list) and "string" in each) for each in types
        )

    def _parts(self, schema: object) -> list[dict[str, Any]] | None:
        """Return *schema* and the parts of which it consists; None if there are too many."""
        found: dict[int, dict[str, Any]] = {}
        pending = [schema]
        while pending:
            part = pending.pop()
            if not isinstance(part, dict) or id(part) in found:
                continue
            if len(found) == MAX_TAGGED_PARTS:
                return None
            found[id(part)] = part
            if _reference(part) is not None:
                # An empty schema is new in each call; only the document keeps its parts.
                pending.append(self._document.schema(part, ()) or None)
            for word in _PARTS:
                branches = part.get(word)
                pending += branches if isinstance(branches, list) else []
        return [*found.values()]


def properties_of(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of *schema*, none if it has none."""
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _reference(schema: object) -> str | None:
    found = schema.get("$ref") if isinstance(schema, dict) else None
    return found if isinstance(found, str) else None
