"""The key types of typed maps: a keyword key may also be its text.

JSON has no keywords, so in a key a text stands for one.  `get_map_key_type` says so as a type,
which the check, proofs and samples share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import (
    make_both,
    make_enum,
    make_maybe,
    make_not,
    make_one,
    make_union,
)
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const


def get_map_key_type(key: nodes.Type, named: Callable[[str], nodes.Type]) -> nodes.Type:
    """Return the type of the keys that a map with the key type *key* accepts.

    *named* returns the same for the type of a name.
    """

    def taken(t: nodes.Type) -> nodes.Type:
        match t:
            case nodes.Scalar():
                return _make_keyword_type() if t == nodes.KEYWORD else t
            case nodes.Container():
                return t
            case nodes.Maybe(inner):
                return make_maybe(taken(inner))
            case nodes.Enum(values):
                return make_enum(
                    [*values, *[text for value in values for text in _get_keyword_texts(value)]]
                )
            case nodes.Union(members):
                return make_union(map(taken, members))
            case nodes.One(members):
                return make_one(map(taken, members))
            case nodes.Both(members):
                return make_both(map(taken, members))
            case nodes.Not(inner):
                return make_not(taken(inner))
            case nodes.Refinement(inner, constraints):
                # All constraints of texts are constraints of keywords too.
                return nodes.Refinement(taken(inner), constraints)
            case nodes.Annotation(inner):
                return taken(inner)
            case nodes.Ref(name):
                return named(name)
            case _:
                assert_never(t)

    return taken(key)


def _make_keyword_type() -> nodes.Type:
    """Build the type of keywords and of strings that keywords can be written as."""
    return nodes.Union(
        (nodes.KEYWORD, nodes.Refinement(nodes.STRING, (Constraint("pattern", "^[^:]"),)))
    )


def _get_keyword_texts(value: Const) -> list[str]:
    """Return the text of the constant *value* if it is a keyword with a text form."""
    text = str.__str__(value.value) if value.kind == "keyword" else ""
    return [text] if text else []
