"""The scalars: what each stands for, one row each.

A row carries the whole meaning of its scalar; how a notation writes it is the notation's own.
To add one, add its name to `ScalarName` and its row to `SCALARS`.  The type checker then points at
each `match` over names, and the test of tables at each table keyed by them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.values import Kind

if TYPE_CHECKING:
    from typing_extensions import TypeIs

ScalarName: TypeAlias = Literal[
    "string", "int", "float", "bool", "keyword", "any", "nil", "datetime", "map"
]


class ScalarRow(NamedTuple):
    """What a scalar stands for.

    #: kinds: the kinds of the values that may conform; empty for any kind
    #: word: the word that a bare `coerce` uses for it
    #: fits: tells whether a value of one of the kinds conforms; None where each of them does
    #: flaw: what a message says of one that does not
    #: form: what a message says of a value of another kind: how the scalar is written; or empty
    #: json: whether JSON has a form of its own for it, which reads back as this scalar
    """

    name: ScalarName
    kinds: frozenset[Kind]
    word: str
    fits: Callable[[Any], bool] | None = None
    flaw: str = ""
    form: str = ""
    json: bool = True


def _finite(value: Any) -> bool:
    return bool(value - value == 0)


def _aware(value: Any) -> bool:
    return value.utcoffset() is not None


def _text_keys(value: Any) -> bool:
    return all(isinstance(key, str) for key in value)


def _kinds(*kinds: Kind) -> frozenset[Kind]:
    return frozenset(kinds)


SCALARS: dict[ScalarName, ScalarRow] = {
    row.name: row
    for row in (
        ScalarRow("string", _kinds("string"), "string"),
        ScalarRow("int", _kinds("int"), "integer"),
        ScalarRow("float", _kinds("float", "int"), "float", _finite, "JSON has no such number"),
        ScalarRow("bool", _kinds("bool"), "boolean"),
        ScalarRow("keyword", _kinds("keyword"), "keyword", json=False),
        ScalarRow("any", _kinds(), "any"),
        ScalarRow("nil", _kinds("nil"), "nil"),
        ScalarRow(
            "datetime",
            _kinds("datetime"),
            "datetime",
            _aware,
            "add an offset, as in 2026-01-31T10:00:00Z",
            "write it as 2026-01-31T10:00:00Z",
            json=False,
        ),
        ScalarRow("map", _kinds("map"), "map", _text_keys, "the keys are text", json=False),
    )
}


def is_scalar_name(text: str) -> TypeIs[ScalarName]:
    """Tell whether *text* is the name of a scalar."""
    return text in SCALARS
