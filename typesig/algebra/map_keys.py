"""The keys that a typed map takes: those of its key type, and texts for its keywords.

JSON has no keywords, so in a key a text stands for one.  `taken_keys` says so as a type, which the
check, proofs and samples share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from typesig.algebra.constructors import both, enum, maybe, negated, one, union
from typesig.algebra.nodes import (
    KEYWORD,
    STRING,
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
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const


def taken_keys(key: Type, named: Callable[[str], Type]) -> Type:
    """Return the type of the keys that a map with keys of *key* takes.

    *named* returns the same for the type of a name.
    """

    def taken(t: Type) -> Type:
        match t:
            case Scalar():
                return _keywords() if t == KEYWORD else t
            case List() | Set() | Tuple() | MapOf() | Record() | Counted():
                return t
            case Maybe(inner):
                return maybe(taken(inner))
            case Enum(values):
                return enum([*values, *[text for value in values for text in _texts(value)]])
            case Union(members):
                return union(map(taken, members))
            case One(members):
                return one(map(taken, members))
            case Both(members):
                return both(map(taken, members))
            case Not(inner):
                return negated(taken(inner))
            case Refined(inner, constraints):
                # All constraints of texts are constraints of keywords too.
                return Refined(taken(inner), constraints)
            case Noted(inner):
                return taken(inner)
            case Ref(name):
                return named(name)
            case _:
                assert_never(t)

    return taken(key)


def _keywords() -> Type:
    """Return the type of keywords and of the texts that stand for one."""
    return Union((KEYWORD, Refined(STRING, (Constraint("pattern", "^[^:]"),))))


def _texts(value: Const) -> list[str]:
    """Return the text that stands for the constant *value*, if it is a keyword that has one."""
    text = str.__str__(value.value) if value.kind == "keyword" else ""
    return [text] if text else []
