"""Discriminators: the values of a property by which the branches of a union are told apart.

A discriminator decides between branches; it does not refuse what they take.  A branch that has
constants of its own for the property keeps them, wherever they stand in it; values are added where
constants do not tell the branches apart.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

from typesig.network_limits import MAX_TAGGED_PARTS
from typesig.openapi.documents import Document, component_name

#: The keywords of the parts of which a schema consists, or among which its values choose.
_CHOICES = ("anyOf", "oneOf")
_PARTS = ("allOf", *_CHOICES)


class _Branch(NamedTuple):
    """What a branch says of a property.

    #: constants: the texts that it has for it; is_silent: whether it takes any text
    #: has_place: whether objects of the branch can have it
    #: is_union: whether it has branches itself
    """

    constants: frozenset[str]
    is_silent: bool
    has_place: bool = True
    is_union: bool = False


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
        owns = [component_name(self._reference(branch) or "") for branch in branches]
        has_names = "defaultMapping" not in said and _has_names(found, owns)
        out: list[list[str]] = []
        for branch, own, each in zip(branches, owns, found, strict=True):
            values = self._mapped(said, self._reference(branch), own)
            # Constants that several branches have do not tell them apart.
            is_shared = [other.constants for other in found].count(each.constants) > 1
            is_named = has_names and own and "/" not in own and not each.is_union
            if not values and is_named and (each.is_silent or is_shared):
                values = [own]
            if not each.is_silent:
                values = [value for value in values if value in each.constants]
            is_said = not each.has_place or each.constants == {*values}
            out.append([] if is_said else values)
        return out

    def _mapped(self, said: dict[str, Any], reference: str | None, own: str) -> list[str]:
        """Return the values that the mapping of *said* has for the schema *own* at *reference*."""
        mapping = said.get("mapping")
        if reference is None or not isinstance(mapping, dict):
            return []
        return [value for value, to in mapping.items() if self._leads(to, reference, own)]

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
            return _Branch(frozenset(), False)
        owns = [properties_of(part) for part in parts]
        is_closed = any(
            part.get("additionalProperties") is False and name not in own
            for part, own in zip(parts, owns, strict=True)
        )
        is_sealed = any(part.get("unevaluatedProperties") is False for part in parts)
        schemas = [own[name] for own in owns if name in own]
        values = [self._constants(schema) for schema in schemas]
        has_place = not is_closed and (bool(schemas) or not is_sealed)
        is_union = any(part.keys() & _CHOICES for part in parts)
        told = [each for each in values if each]
        # Of all that a branch consists of, each has to fit.
        join = frozenset.union if is_union else frozenset.intersection
        texts = join(*told) if told else frozenset[str]()
        return _Branch(texts, not told and None not in values, has_place, is_union)

    def _constants(self, schema: object) -> frozenset[str] | None:
        """Return the texts that *schema*, of the property, names; None if it takes no text.

        There are none if it takes any text.
        """
        parts = self._parts(schema)
        if parts is None:
            return None
        listed = [part["enum"] for part in parts if isinstance(part.get("enum"), list)]
        values = [*chain(*listed), *(part["const"] for part in parts if "const" in part)]
        types = [part["type"] for part in parts if "type" in part]
        takes_text = not types or any(
            each == "string" or (isinstance(each, list) and "string" in each) for each in types
        )
        texts = frozenset(value for value in values if isinstance(value, str))
        return texts if takes_text and (texts or not values) else None

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


def _has_names(branches: list[_Branch], names: list[str]) -> bool:
    """Tell whether the *names* of the schemas of *branches* are the values of the property.

    What a document says in constants is not said by names as well, unless these are among them.
    """
    return all(
        name in each.constants or each.is_silent for each, name in zip(branches, names, strict=True)
    )


def properties_of(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of *schema*, none if it has none."""
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _reference(schema: object) -> str | None:
    found = schema.get("$ref") if isinstance(schema, dict) else None
    return found if isinstance(found, str) else None
