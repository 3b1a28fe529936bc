"""The keywords for kinds of values, for their constraints and for formats."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil, floor
from typing import Any, Literal, TypeAlias

from typesig.algebra.constructors import find_kinds, make_refined, make_union, record
from typesig.algebra.nodes import ANY, BOOL, FLOAT, NIL, STRING, List, Not, Type
from typesig.algebra.rows.constraints import Constraint, ConstraintName, sort_constraints
from typesig.algebra.rows.values import Kind

# --- How JSON Schema writes each format: by a name in `format`, or as a pattern ---
# `SPELLINGS` has a row for each format of `typesig.algebra.rows.formats`; to add a format, add its
# row.  A name in `format` that no row has is an annotation.

_SECONDS = r"[0-9]+(?:\.[0-9]+)?S"
_TIME = f"T(?:[0-9]+H(?:[0-9]+M)?(?:{_SECONDS})?|[0-9]+M(?:{_SECONDS})?|{_SECONDS})"

_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"(?:{_BYTE}\.){{3}}{_BYTE}"
_GROUP = "[0-9A-Fa-f]{1,4}"
_LAST = f"(?:{_GROUP}:{_GROUP}|{_IPV4})"
# RFC 3986: one run of groups of zeros may be left out, at any position.
#: An address of version 6, as a pattern.
IPV6 = "|".join(
    [f"(?:{_GROUP}:){{6}}{_LAST}", f"::(?:{_GROUP}:){{5}}{_LAST}"]
    + [f"(?:(?:{_GROUP}:){{0,{n}}}{_GROUP})?::(?:{_GROUP}:){{{4 - n}}}{_LAST}" for n in range(5)]
    + [f"(?:(?:{_GROUP}:){{0,5}}{_GROUP})?::{_GROUP}", f"(?:(?:{_GROUP}:){{0,6}}{_GROUP})?::"]
)
_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"

_BASE64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"

#: The keywords that express each format.  A pattern accepts the same strings as the format does;
#: it stands where JSON Schema has no name for the format, or gives the name another meaning.
SPELLINGS: dict[str, dict[str, str]] = {
    "base64": {"pattern": _BASE64, "contentEncoding": "base64"},
    "complex": {"pattern": rf"^(?:[+-]?{_NUMBER}(?:[+-]{_NUMBER}j)?|[+-]?{_NUMBER}j)$"},
    "date": {"format": "date"},
    "date-time": {"format": "date-time"},
    "decimal": {"pattern": r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?$"},
    # Without lookahead, which not every engine has: each part in turn may be the first one.
    "duration": {"pattern": f"^-?P(?:[0-9]+W|[0-9]+D(?:{_TIME})?|{_TIME})$"},
    "email": {"format": "email"},
    "fraction": {"pattern": r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+|[0-9]+/0*[1-9][0-9]*)$"},
    "hostname": {"format": "hostname"},
    "ipv4": {"format": "ipv4"},
    "ipv4-network": {"pattern": rf"^{_IPV4}/(?:[0-9]|[12][0-9]|3[0-2])$"},
    "ipv6": {"format": "ipv6"},
    "ipv6-network": {"pattern": f"^(?:{IPV6})/(?:[0-9]|[1-9][0-9]|1[01][0-9]|12[0-8])$"},
    "json-pointer": {"format": "json-pointer"},
    "offset-time": {"format": "time"},
    "regex": {"format": "regex"},
    "relative-json-pointer": {"format": "relative-json-pointer"},
    "time": {
        "pattern": (
            r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
            r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?$"
        )
    },
    "uri": {"format": "uri"},
    "uri-reference": {"format": "uri-reference"},
    "uuid": {"format": "uuid"},
    "whole-duration": {"format": "duration"},
}

#: Our format for each name that JSON Schema has in `format`.
BY_NAME: dict[str, str] = {
    words["format"]: name for name, words in SPELLINGS.items() if "format" in words
}

#: The names in JSON Schema's drafts that we have no format for.
NOT_ASSERTED = frozenset({"idn-email", "idn-hostname", "iri", "iri-reference", "uri-template"})

#: Our format for each pattern that expresses one.
BY_PATTERN: dict[str, str] = {
    words["pattern"]: name for name, words in SPELLINGS.items() if "pattern" in words
}


def is_base64_encoding(schema: dict[str, Any]) -> bool:
    """Whether *schema* has the pattern of base64, which repeats `contentEncoding`."""
    return schema.get("pattern") == _BASE64


# --- JSON's six kinds of values, and which of our kinds are which of them ---

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


# --- Constraints as keywords of JSON Schema, each of which applies to one kind of values ---
# To add a constraint, add its row to `KEYWORDS`.  The row is empty if JSON Schema has no keyword
# for the constraint; then `to_json_constraint` returns another constraint in its place, or the
# constraint is lost.

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

    >>> from typesig.notations.json_schema.keywords import SPELLINGS
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
