"""JSON's six kinds of values, and which of our kinds are which of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from typesig.algebra.constructors import find_kinds, make_union, record
from typesig.algebra.nodes import ANY, BOOL, FLOAT, NIL, STRING, List, Not, Type
from typesig.algebra.rows.values import Kind

JsonKind: TypeAlias = Literal["null", "boolean", "number", "string", "array", "object"]

#: The kinds, in the order in which a union of all of them is written.
KINDS: tuple[JsonKind, ...] = ("null", "boolean", "number", "string", "array", "object")

ALL = frozenset(KINDS)

#: JSON's kind for each of ours, except "object", the values that JSON has no form for.
JSON_KINDS: dict[Kind, JsonKind] = {
    "nil": "null", "bool": "boolean", "int": "number", "float": "number", "string": "string",
    "keyword": "string", "datetime": "string", "list": "array", "set": "array", "map": "object",
}  # fmt: skip

#: The type that any value of a kind conforms to.
WHOLE: dict[JsonKind, Type] = {
    "null": NIL,
    "boolean": BOOL,
    "number": FLOAT,
    "string": STRING,
    "array": List(ANY),
    "object": record([]),
}

#: The type that no value conforms to.
NEVER: Type = Not(ANY)


def find_json_kinds(t: Type) -> frozenset[JsonKind]:
    """Return JSON's kinds of the values that may conform to *t*, or all if they are unknown."""
    kinds = find_kinds(t)
    return ALL if kinds is None else frozenset(JSON_KINDS[kind] for kind in kinds)


def make_union_of_kinds(kinds: Iterable[JsonKind]) -> Type:
    """Return the type of all JSON values of the *kinds*."""
    return make_union([WHOLE[kind] for kind in KINDS if kind in kinds])
