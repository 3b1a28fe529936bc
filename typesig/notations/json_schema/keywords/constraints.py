"""Constraints as keywords of JSON Schema, each of which applies to one kind of values.

To add a constraint, add its row to `KEYWORDS`.  The row is empty if JSON Schema has no keyword for
the constraint; then `to_json_constraint` returns another constraint in its place, or the constraint
is lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil, floor
from typing import Any

from typesig.algebra.constructors import make_refined, make_union
from typesig.algebra.nodes import Type
from typesig.algebra.rows.constraints import Constraint, ConstraintName, sort_constraints
from typesig.notations.json_schema.keywords.formats import BY_PATTERN, SPELLINGS
from typesig.notations.json_schema.keywords.kinds import KINDS, WHOLE, JsonKind

#: The keyword of each constraint, by the kind of values that the keyword applies to.
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


def to_json_constraint(constraint: Constraint) -> Constraint | None:
    """Return *constraint* in JSON Schema's form, or None if it cannot be expressed.

    >>> from typesig.notations.json_schema.keywords.formats import SPELLINGS
    >>> to_json_constraint(Constraint("pattern", SPELLINGS["base64"]["pattern"])).argument.value
    'base64'
    """
    if constraint.name == "pattern" and constraint.argument.value in BY_PATTERN:
        return Constraint("format", BY_PATTERN[constraint.argument.value])
    return constraint if KEYWORDS[constraint.name] else None


def get_keywords(constraint: Constraint, kind: JsonKind) -> dict[str, Any]:
    """Return the keywords that express *constraint* for values of *kind*."""
    word = KEYWORDS[constraint.name].get(kind)
    if word is None:
        return {}
    if constraint.name == "format":
        return dict(SPELLINGS[constraint.argument.value])
    return {word: constraint.argument.thaw()}


def write_keywords(constraints: Iterable[Constraint], kinds: frozenset[JsonKind]) -> dict[str, Any]:
    """Return the keywords that express *constraints* on values of *kinds*."""
    found: dict[str, Any] = {}
    for constraint in constraints:
        for kind in KINDS:
            if kind in kinds:
                found.update(get_keywords(constraint, kind))
    return found


def list_keywords(constraint: Constraint) -> Collection[str]:
    """Return the names of the keywords that express *constraint* on values of any kind."""
    if constraint.name == "format":
        return SPELLINGS[constraint.argument.value].keys()
    return KEYWORDS[constraint.name].values()


def _limit_to_kind(constraint: Constraint, kind: JsonKind) -> tuple[Constraint, ...]:
    """Return the constraints of JSON Schema for *constraint* on values of *kind*."""
    if kind not in KEYWORDS[constraint.name]:
        return ()
    argument = constraint.argument.value
    if constraint.row.sort != "size" or kind == "number":
        return (constraint,)
    if constraint.name == "at_least":
        return (Constraint("at_least", max(0, ceil(argument))),)
    if argument < 0:
        # No size is negative, which JSON Schema can only express as a contradiction.
        return Constraint("at_least", 1), Constraint("at_most", 0)
    return (Constraint("at_most", floor(argument)),)


def group_by_kind(
    constraints: Iterable[Constraint], kinds: Iterable[JsonKind]
) -> dict[JsonKind, tuple[Constraint, ...]]:
    """Group *constraints* by the *kinds* of values that they limit."""
    given = tuple(constraints)
    return {
        kind: sort_constraints([f for c in given for f in _limit_to_kind(c, kind)])
        for kind in kinds
    }


def merge_limits(
    limits: Mapping[JsonKind, Sequence[Constraint]], kinds: frozenset[JsonKind]
) -> tuple[Constraint, ...] | None:
    """Return the constraints that put *limits* on a type of *kinds*, or None if none do.

    None do if *limits* are on other kinds as well, or if one constraint would have two arguments.
    """
    if any(found and kind not in kinds for kind, found in limits.items()):
        return None
    joined = dict.fromkeys(c for kind in KINDS for c in limits.get(kind, ()))
    for kind in kinds:
        wanted = set(limits.get(kind, ()))
        if {c for c in joined if kind in KEYWORDS[c.name]} != wanted:
            return None
    words = [word for c in joined for word in list_keywords(c)]
    return tuple(joined) if len(set(words)) == len(words) else None


def make_limited_kinds(limits: Mapping[JsonKind, Sequence[Constraint]]) -> Type:
    """Return the union of all JSON kinds, each limited by its constraints in *limits*."""
    return make_union([make_refined(WHOLE[kind], limits.get(kind, ())) for kind in KINDS])
