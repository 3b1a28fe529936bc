"""The kinds of values that an atom accepts or refuses.

To add a scalar, add its row to `WHOLE_KINDS`.
"""

from __future__ import annotations

from typing import assert_never, get_args

from typesig.algebra.nodes import (
    KEYWORD,
    Both,
    Counted,
    Enum,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.rows.scalars import SCALARS, ScalarName
from typesig.algebra.rows.values import Kind

ALL: frozenset[Kind] = frozenset(get_args(Kind))

#: The kinds of the members of Python enums, which are keywords whatever else they are.
MEMBERS: frozenset[Kind] = ALL - {"nil", "bool"}

#: The kinds of which every value conforms to the scalar.
WHOLE_KINDS: dict[ScalarName, frozenset[Kind]] = {
    "string": frozenset({"string"}),
    "int": frozenset({"int"}),
    # Among the floats are nan and the infinite ones.
    "float": frozenset({"int"}),
    "bool": frozenset({"bool"}),
    "keyword": frozenset({"keyword"}),
    "any": ALL,
    "nil": frozenset({"nil"}),
    # A datetime may lack an offset, and a map may have keys other than text.
    "datetime": frozenset(),
    "map": frozenset(),
}


def kinds_accepted(atom: Type) -> frozenset[Kind]:
    """Return the kinds of which *atom* accepts some value, and maybe more."""
    match atom:
        case Scalar():
            return MEMBERS if atom == KEYWORD else SCALARS[atom.name].kinds or ALL
        case List() | Tuple() | Counted():
            return frozenset({"list"})
        case Set():
            return frozenset({"set"})
        case MapOf() | Record():
            return frozenset({"map"})
        case Enum(values):
            return frozenset([value.kind for value in values])
        case Refined() | Maybe() | Union() | One() | Both() | Not() | Noted() | Ref():
            return ALL
        case _:
            assert_never(atom)


def kinds_refused(atom: Type) -> frozenset[Kind]:
    """Return the kinds of which *atom* refuses some value, and maybe more."""
    match atom:
        case Scalar(name):
            return ALL - WHOLE_KINDS[name]
        case Refined(inner, (constraint,)) if inner == Scalar("any"):
            return constraint.row.kinds
        case Refined() | List() | Counted() | Tuple() | Set() | MapOf() | Record() | Enum():
            return ALL
        case Maybe() | Union() | One() | Both() | Not() | Noted() | Ref():
            return ALL
        case _:
            assert_never(atom)


def has_own_test(atom: Type, kind: Kind) -> bool:
    """Tell whether *atom* is a scalar that accepts some values of *kind* and refuses others."""
    if not isinstance(atom, Scalar):
        return False
    return kind in SCALARS[atom.name].kinds and kind not in WHOLE_KINDS[atom.name]
