"""The scalars, one row each.

A row carries the whole meaning of its scalar; each notation has its own table of spellings.
To add a scalar, add its name to `ScalarName` and its row to `SCALARS`.  The type checker then
points at each `match` over names, and a test at each table keyed by them.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.rows.values import TOO_LONG, Kind, is_long
from typesig.limits import MAX_DIGITS

if TYPE_CHECKING:
    from typing_extensions import TypeIs

ScalarName: TypeAlias = Literal[
    "string", "int", "float", "bool", "keyword", "any", "nil", "datetime", "map"
]


class ScalarRow(NamedTuple):
    """Definition of a scalar type: its kinds of values, its test and its messages.

    #: kinds: the kinds of the values that may conform; empty for any kind
    #: fits: tells whether a value of one of the kinds conforms; None if each of them does
    #: flaw: the hint of a message about a value of such a kind that does not conform
    #: format: the format of its text, whose form a hint shows; or empty
    #: itself: the hint about a value of another kind where nothing is read from text; or empty
    #: json: whether JSON has a form of its own for it, which reads back as this scalar
    #: also: tells whether a value conforms whatever its kind; None if the kind decides
    #: nearly: tells whether a text of another form has only the flaw; None if no text does
    #: word: the word for it in messages of a bare `coerce`; its name if empty
    """

    name: ScalarName
    kinds: frozenset[Kind]
    fits: Callable[[Any], bool] | None = None
    flaw: str = ""
    format: str = ""
    itself: str = ""
    json: bool = True
    also: Callable[[object], bool] | None = None
    nearly: Callable[[str], bool] | None = None
    word: str = ""


def _is_finite(value: Any) -> bool:
    """Whether the number *value* is finite; an integer must not have too many digits."""
    return _is_short(value) if isinstance(value, int) else bool(value - value == 0)


def _is_short(value: Any) -> bool:
    """Whether the integer *value* has no more than the allowed number of digits."""
    return not is_long(value)


def _has_many_digits(text: str) -> bool:
    """Whether *text* is an integer literal of more than `MAX_DIGITS` characters."""
    return len(text) > MAX_DIGITS and text.isascii() and text.removeprefix("-").isdigit()


def _is_aware(value: Any) -> bool:
    """Whether the datetime or time *value* has a UTC offset."""
    return value.utcoffset() is not None


def _has_text_keys(value: Any) -> bool:
    """Whether all keys of the map *value* are strings."""
    # A loop, since a generator takes longer than what it does here.
    for key in value:  # noqa: SIM110
        if type(key) is not str and not isinstance(key, str):
            return False
    return True


def _is_member(value: object) -> bool:
    """Whether *value* is a member of an `Enum`, even if it is also text or a number."""
    # A member of an Enum is a keyword, even if it is text or a number too.
    return issubclass(type(value), Enum)


SCALARS: dict[ScalarName, ScalarRow] = {
    row.name: row
    for row in (
        ScalarRow("string", frozenset({"string"})),
        ScalarRow("int", frozenset({"int"}), _is_short, TOO_LONG, nearly=_has_many_digits,
                  word="integer"),
        ScalarRow("float", frozenset({"float", "int"}), _is_finite, "JSON has no such number"),
        ScalarRow("bool", frozenset({"bool"}), word="boolean"),
        ScalarRow("keyword", frozenset({"keyword"}), json=False, also=_is_member),
        ScalarRow("any", frozenset()),
        ScalarRow("nil", frozenset({"nil"})),
        ScalarRow("datetime", frozenset({"datetime"}), _is_aware, format="date-time",
                  itself="give the datetime itself, with an offset, not its text", json=False),
        ScalarRow("map", frozenset({"map"}), _has_text_keys, "the keys are text", json=False),
    )
}  # fmt: skip


def is_scalar_name(text: str) -> TypeIs[ScalarName]:
    """Whether *text* is the name of a scalar."""
    return text in SCALARS
