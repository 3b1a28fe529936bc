"""The kinds of values that a type without parts accepts or refuses.

To add a scalar, add its row to `WHOLE_KINDS`.
"""

from __future__ import annotations

from typing import assert_never, get_args

from typesig.algebra import nodes
from typesig.algebra.constructors import kinds_of
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


def find_accepted_kinds(atom: nodes.Type) -> frozenset[Kind]:
    """Kinds with a value that *atom* accepts; may list more."""
    if atom == nodes.KEYWORD:
        return MEMBERS
    is_known = isinstance(atom, nodes.Leaf | nodes.Container)
    return (kinds_of(atom) if is_known else None) or ALL


def find_refused_kinds(atom: nodes.Type) -> frozenset[Kind]:
    """Kinds with a value that *atom* refuses; may list more."""
    match atom:
        case nodes.Scalar(name):
            return ALL - WHOLE_KINDS[name]
        case nodes.Refined(inner, (constraint,)) if inner == nodes.Scalar("any"):
            return constraint.row.kinds
        case nodes.Enum() | nodes.Container() | nodes.Through() | nodes.Not():
            return ALL
        case _:
            assert_never(atom)


def has_own_test(atom: nodes.Type, kind: Kind) -> bool:
    """Whether *atom* is a scalar that accepts some values of *kind* and refuses others."""
    if not isinstance(atom, nodes.Scalar):
        return False
    return kind in SCALARS[atom.name].kinds and kind not in WHOLE_KINDS[atom.name]
