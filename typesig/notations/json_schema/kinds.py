"""JSON's six kinds of values, and which keywords of constraints speak of which.

To add a constraint, add its row to `KEYWORDS`: the keyword for each kind of value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor
from typing import Any, Literal, TypeAlias

from typesig.algebra.constraints import Constraint, ConstraintName, canonical
from typesig.algebra.constructors import kinds_of, record, refined, union
from typesig.algebra.nodes import ANY, BOOL, FLOAT, NIL, STRING, List, Type
from typesig.algebra.values import Kind
from typesig.notations.json_schema.formats import PATTERNS

JsonKind: TypeAlias = Literal["null", "boolean", "number", "string", "array", "object"]

#: The kinds, in the order in which a union of all of them is written.
KINDS: tuple[JsonKind, ...] = ("null", "boolean", "number", "string", "array", "object")

ALL = frozenset(KINDS)

#: The kinds that ranges and the like speak of.
RANGED: tuple[JsonKind, ...] = ("number", "string", "array", "object")

#: Our kinds of values and JSON's.
OURS: dict[Kind, JsonKind] = {
    "nil": "null",
    "bool": "boolean",
    "int": "number",
    "float": "number",
    "string": "string",
    "keyword": "string",
    "datetime": "string",
    "list": "array",
    "set": "array",
    "map": "object",
}

#: The keyword of each constraint, by the kind that it speaks of.
KEYWORDS: dict[ConstraintName, dict[JsonKind, str]] = {
    "at_least": {
        "number": "minimum",
        "string": "minLength",
        "array": "minItems",
        "object": "minProperties",
    },
    "above": {"number": "exclusiveMinimum"},
    "at_most": {
        "number": "maximum",
        "string": "maxLength",
        "array": "maxItems",
        "object": "maxProperties",
    },
    "below": {"number": "exclusiveMaximum"},
    "multiple_of": {"number": "multipleOf"},
    "pattern": {"string": "pattern"},
    "format": {"string": "format"},
    "unique": {"array": "uniqueItems"},
}

#: Any value of a kind.
WHOLE: dict[JsonKind, Type] = {
    "null": NIL,
    "boolean": BOOL,
    "number": FLOAT,
    "string": STRING,
    "array": List(ANY),
    "object": record([]),
}


def json_kinds(t: Type) -> frozenset[JsonKind]:
    """Return JSON's kinds of the values that *t* can have, all where it is not known."""
    kinds = kinds_of(t)
    return ALL if kinds is None else frozenset(OURS[kind] for kind in kinds)


def fitted(constraint: Constraint, kind: JsonKind) -> tuple[Constraint, ...]:
    """Return what *constraint* says of values of *kind*, in JSON's terms: sizes are whole."""
    if kind not in KEYWORDS[constraint.name]:
        return ()
    argument = constraint.argument.value
    if kind == "number" or constraint.name not in ("at_least", "at_most"):
        return (constraint,)
    if constraint.name == "at_least":
        return (Constraint("at_least", max(0, ceil(argument))),)
    if argument < 0:
        # No size is negative, and JSON Schema has no word for that but a contradiction.
        return Constraint("at_least", 1), Constraint("at_most", 0)
    return (Constraint("at_most", floor(argument)),)


def by_kind(
    constraints: Iterable[Constraint], kinds: Iterable[JsonKind]
) -> dict[JsonKind, tuple[Constraint, ...]]:
    """Return what *constraints* say of values of each of *kinds*."""
    given = tuple(constraints)
    return {kind: canonical([f for c in given for f in fitted(c, kind)]) for kind in kinds}


def shared(
    limits: Mapping[JsonKind, Sequence[Constraint]], kinds: frozenset[JsonKind]
) -> tuple[Constraint, ...] | None:
    """Return the constraints that say of each of *kinds* what *limits* say of it, or None.

    *limits* on other kinds are nothing that one refinement of those kinds can say.
    """
    if any(found and kind not in kinds for kind, found in limits.items()):
        return None
    joined = dict.fromkeys(c for kind in RANGED for c in limits.get(kind, ()))
    for kind in kinds:
        wanted = set(limits.get(kind, ()))
        if {c for c in joined if kind in KEYWORDS[c.name]} != wanted:
            return None
    words = [keyword(c) for c in joined]
    return tuple(joined) if len(set(words)) == len(words) else None


def by_kinds(limits: Mapping[JsonKind, Sequence[Constraint]], kinds: Iterable[JsonKind]) -> Type:
    """Return the union of *kinds*, each within its *limits*."""
    within = [refined(WHOLE[kind], limits.get(kind, ())) for kind in KINDS if kind in kinds]
    return union(within)


def keywords(constraints: Iterable[Constraint], kinds: frozenset[JsonKind]) -> dict[str, Any]:
    """Return *constraints* as keywords, as far as they speak of *kinds*."""
    return {
        KEYWORDS[c.name][kind]: c.argument.thaw()
        for c in constraints
        for kind in RANGED
        if kind in kinds and kind in KEYWORDS[c.name]
    }


def keyword(constraint: Constraint) -> str:
    """Return what *constraint* is written by; some formats are written as patterns."""
    if constraint.name == "format" and constraint.argument.value in PATTERNS:
        return "pattern"
    return constraint.name
