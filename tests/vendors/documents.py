"""JSON Schemas as providers walk them: nodes with places, references, and cycles.

Every walk has a stack of its own and a budget, so that no schema ends in a RecursionError or keeps
a test from ending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import unquote

#: The most nodes that one walk visits.
MOST_NODES = 200_000

#: Keywords whose value is a map of schemas, a list of schemas, or a schema.
MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
SINGLE = (
    "items",
    "additionalProperties",
    "additionalItems",
    "contains",
    "contentSchema",
    "else",
    "if",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
DEFINITIONS = ("$defs", "definitions")


class TooLargeToJudge(Exception):
    """A definition has more than MOST_NODES nodes."""


class Missing:
    """What a reference without a target resolves to."""


MISSING = Missing()


@dataclass(frozen=True, slots=True)
class Place:
    """A key and the place that it is in; as text, a JSON pointer."""

    parent: Place | None
    key: str | int

    def __truediv__(self, key: str | int) -> Place:
        return Place(self, key)

    def __str__(self) -> str:
        keys: list[str] = []
        here: Place | None = self
        while here is not None:
            keys.append(str(here.key).replace("~", "~0").replace("/", "~1"))
            here = here.parent
        return "/" + "/".join(reversed(keys))


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A schema within a document.

    *role* is the keyword that it stands under, *name* its key there if that is a map, and *level*
    the number of objects around it, itself included, within its definition.
    """

    schema: Any
    place: Place
    role: str
    name: str
    parent: Node | None
    level: int

    @property
    def is_root(self) -> bool:
        return self.parent is None

    def keywords(self) -> set[str]:
        """Return the keywords of the schema."""
        return set(self.schema) if isinstance(self.schema, dict) else set()

    def get(self, keyword: str) -> Any:
        """Return the value of *keyword*, None if the schema does not have it."""
        return self.schema.get(keyword) if isinstance(self.schema, dict) else None

    def types(self) -> tuple[Any, ...]:
        """Return the schema's types, none if it names none."""
        named = self.get("type")
        return tuple(named) if isinstance(named, list) else () if named is None else (named,)

    @property
    def is_object(self) -> bool:
        return is_object(self.schema)


def is_object(schema: Any) -> bool:
    """Return whether *schema* describes objects: by its type, or by having properties."""
    if not isinstance(schema, dict):
        return False
    named = schema.get("type")
    return (
        named == "object"
        or (isinstance(named, list) and "object" in named)
        or "properties" in schema
    )


@dataclass(frozen=True)
class Document:
    """A schema with all the schemas in it; *enters* are the keywords that hold schemas."""

    schema: Any
    place: Place
    enters: frozenset[str] = frozenset((*MAPS, *LISTS, *SINGLE))
    nodes: tuple[Node, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", tuple(walk(self.schema, self.place, self.enters)))

    @property
    def root(self) -> Node:
        return self.nodes[0]

    @cached_property
    def _anchors(self) -> dict[str, Any]:
        return {
            anchor: node.schema
            for node in reversed(self.nodes)
            if isinstance(anchor := node.get("$anchor"), str)
        }

    def resolve(self, reference: Any) -> Any:
        """Return what *reference* names in this document, MISSING if it names nothing in it."""
        if not isinstance(reference, str):
            return MISSING
        base, _, fragment = reference.partition("#")
        own = self.schema.get("$id") if isinstance(self.schema, dict) else None
        if base and base != str(own).partition("#")[0]:
            return MISSING
        fragment = unquote(fragment)
        if not fragment or fragment.startswith("/"):
            return value_at(self.schema, fragment)
        return self._anchors.get(fragment, MISSING)

    def cycle(self, follows: Callable[[Node], bool] = lambda node: True) -> Node | None:
        """Return a node of a cycle of references, None if there is none.

        Only children that *follows* admits are entered, and no definition is entered from the
        schema that has it.
        """
        by_id = {id(node.schema): node for node in reversed(self.nodes)}
        children: dict[int, list[Node]] = {}
        for node in self.nodes:
            if node.parent is not None and node.role not in DEFINITIONS and follows(node):
                children.setdefault(id(node.parent.schema), []).append(node)

        def next_of(node: Node) -> Iterator[Node]:
            yield from (by_id[id(child.schema)] for child in children.get(id(node.schema), ()))
            if "$ref" in node.keywords():
                target = by_id.get(id(self.resolve(node.get("$ref"))))
                if target is not None:
                    yield target

        done: set[int] = set()
        for start in self.nodes:
            found = _cycle_from(start, next_of, done)
            if found is not None:
                return found
        return None


def _cycle_from(
    start: Node, next_of: Callable[[Node], Iterator[Node]], done: set[int]
) -> Node | None:
    """Return a node that is reached from itself, walking from *start*; adds to *done*."""
    if id(start.schema) in done:
        return None
    open_now = {id(start.schema)}
    stack = [(start, next_of(start))]
    while stack:
        node, rest = stack[-1]
        after = next(rest, None)
        if after is None:
            stack.pop()
            open_now.discard(id(node.schema))
            done.add(id(node.schema))
        elif id(after.schema) in open_now and isinstance(after.schema, dict):
            return after
        elif id(after.schema) not in done:
            open_now.add(id(after.schema))
            stack.append((after, next_of(after)))
    return None


def value_at(value: Any, pointer: str) -> Any:
    """Return what JSON pointer *pointer* names within *value*, else MISSING."""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return MISSING
    return value


def walk(schema: Any, place: Place, enters: frozenset[str]) -> Iterator[Node]:
    """Yield *schema* and the schemas in it, each before those in it.

    Raises TooLargeToJudge after MOST_NODES nodes.
    """
    left = [Node(schema, place, "", "", None, int(is_object(schema)))]
    visited = 0
    while left:
        node = left.pop()
        visited += 1
        if visited > MOST_NODES:
            raise TooLargeToJudge(f"{place} has more than {MOST_NODES} schemas")
        yield node
        left.extend(reversed(list(_children(node, enters))))


def _children(node: Node, enters: frozenset[str]) -> Iterator[Node]:
    if not isinstance(node.schema, dict):
        return
    for keyword, value in node.schema.items():
        place = node.place / keyword
        if keyword not in enters:
            continue
        if keyword in MAPS and isinstance(value, dict):
            for name, child in value.items():
                yield _child(node, child, place / name, keyword, name)
        elif isinstance(value, list) and (keyword in LISTS or keyword == "items"):
            for index, child in enumerate(value):
                yield _child(node, child, place / index, keyword, "")
        elif keyword in SINGLE:
            yield _child(node, value, place, keyword, "")


def _child(parent: Node, schema: Any, place: Place, role: str, name: str) -> Node:
    around = 0 if role in DEFINITIONS else parent.level
    return Node(schema, place, role, name, parent, around + is_object(schema))
