"""The keys that a typed map takes: those of its key type, and texts for its keywords.

JSON has no keywords, so in a key a text stands for one.  `taken_keys` says so as a type, which the
check, proofs and samples share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import both, enum, maybe, negated, one, union
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const


def taken_keys(key: nodes.Type, named: Callable[[str], nodes.Type]) -> nodes.Type:
    """Return the type of the keys that a map with keys of *key* takes.

    *named* returns the same for the type of a name.
    """

    def taken(t: nodes.Type) -> nodes.Type:
        match t:
            case nodes.Scalar():
                return _keywords() if t == nodes.KEYWORD else t
            case nodes.Container():
                return t
            case nodes.Maybe(inner):
                return maybe(taken(inner))
            case nodes.Enum(values):
                return enum([*values, *[text for value in values for text in _texts(value)]])
            case nodes.Union(members):
                return union(map(taken, members))
            case nodes.One(members):
                return one(map(taken, members))
            case nodes.Both(members):
                return both(map(taken, members))
            case nodes.Not(inner):
                return negated(taken(inner))
            case nodes.Refined(inner, constraints):
                # All constraints of texts are constraints of keywords too.
                return nodes.Refined(taken(inner), constraints)
            case nodes.Noted(inner):
                return taken(inner)
            case nodes.Ref(name):
                return named(name)
            case _:
                assert_never(t)

    return taken(key)


def _keywords() -> nodes.Type:
    """Return the type of keywords and of the texts that stand for one."""
    return nodes.Union(
        (nodes.KEYWORD, nodes.Refined(nodes.STRING, (Constraint("pattern", "^[^:]"),)))
    )


def _texts(value: Const) -> list[str]:
    """Return the text that stands for the constant *value*, if it is a keyword that has one."""
    text = str.__str__(value.value) if value.kind == "keyword" else ""
    return [text] if text else []
