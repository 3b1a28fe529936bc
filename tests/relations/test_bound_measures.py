"""Bounds of other libraries: a length bounds the length, a range the value, and nothing else."""

from __future__ import annotations

import enum
import json
import typing
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, NewType, TypedDict, TypeVar

import annotated_types as at
import attrs
import msgspec
import pydantic
import pydantic_core
import pytest
import typing_extensions as te

import typesig
from typesig import contract, extract
from typesig.algebra.rows.constraints import Constraint

#: Metadata that states a length of at most 3, and how much a value is.
LENGTHS = [
    at.MaxLen(3),
    at.Len(0, 3),
    pydantic.Field(max_length=3),
    msgspec.Meta(max_length=3),
    attrs.validators.max_len(3),
]
RANGES = [
    at.Le(3),
    at.Interval(le=3),
    pydantic.Field(le=3),
    msgspec.Meta(le=3),
    attrs.validators.le(3),
]
OTHERS = [
    (at.Ge(3), "[3..]", "at least 3"),
    (at.Gt(3), "[>3]", "above 3"),
    (at.Lt(3), "[<3]", "below 3"),
    (at.MultipleOf(3), "[%3]", "a multiple of 3"),
]


class Sized(TypedDict):
    a: int


@dataclass
class Held:
    a: int


@attrs.define
class Defined:
    a: int


class Modelled(pydantic.BaseModel):
    a: int


class Structure(msgspec.Struct):
    a: int


class Color(enum.Enum):
    RED = 1


class Size(enum.IntEnum):
    SMALL = 1


class Word(enum.StrEnum):
    HERE = "here"


class IntOrText:
    """A class whose schema has a branch for each of two kinds."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        return pydantic_core.core_schema.any_schema()

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: Any, _handler: Any) -> Any:
        return {"oneOf": [{"type": "integer"}, {"type": "string"}]}


T = TypeVar("T")
C = TypeVar("C", Decimal, int)
B = TypeVar("B", bound=Decimal)
D = te.TypeVar("D", default=Decimal)
Price = NewType("Price", Decimal)
Exclusive = NewType("Exclusive", IntOrText)
Amount = te.TypeAliasType("Amount", Annotated[Decimal | int, at.Ge(1)])
Texted = te.TypeAliasType("Texted", Annotated[Literal[5, "abcd", "a"], "a text"])
Plain = te.TypeAliasType("Plain", "Decimal | int")
Either = te.TypeAliasType("Either", Decimal | T, type_params=(T,))
Lost = te.TypeAliasType("Lost", "Missing")  # type: ignore[name-defined]  # noqa: F821
Looped = te.TypeAliasType("Looped", "Annotated[Looped, at.Ge(3)]")
Tree = te.TypeAliasType("Tree", "int | list[Tree]")


def shown(hint: Any, **options: Any) -> tuple[str, list[str]]:
    """Return the type of a parameter with *hint*, and the warnings."""

    def take(value):  # type: ignore[no-untyped-def]
        raise AssertionError("it is not called")

    take.__annotations__ = {"value": hint, "return": None}
    found = extract(take, **options)
    (field,) = found.signature.params
    shown = typesig.render(field.type if not found.signature.names else found.signature)
    return shown, [warning.reason for warning in found.warnings]


NO_LENGTH = ["a value of it has no length"]
NO_ORDER = ["a value of it has no order"]

#: The hint; what a length of at most 3 makes of it; what a value of at most 3 makes of it.
KINDS = [
    (int, (":int", ["a length does not apply to int"]), (":int[..3]", [])),
    (float, (":float", ["a length does not apply to float or int"]), (":float[..3]", [])),
    (bool, (":bool", ["a length does not apply to bool"]), (":bool", ["a range does not apply to bool"])),
    (str, (":string[..3]", []), (":string", ["a range does not apply to string"])),
    (list[int], ("[:int][..3]", []), ("[:int]", ["a range does not apply to list"])),
    (tuple[int, ...], ("[:int][..3]", []), ("[:int]", ["a range does not apply to list"])),
    (dict[str, int], (":map[:int][..3]", []), (":map[:int]", ["a range does not apply to map"])),
    (set[int], ("#{:int}[..3]", []), ("#{:int}", ["a range does not apply to set"])),
    (Sized, ("{a :int}[..3]", []), ("{a :int}", ["a range does not apply to map"])),
    (Held, ("{a :int}", NO_LENGTH), ("{a :int}", ["a range does not apply to map"])),
    (Defined, ("{a :int}", NO_LENGTH), ("{a :int}", ["a range does not apply to map"])),
    (Modelled, ("{a :int}", NO_LENGTH), ("{a :int}", ["a range does not apply to map"])),
    (Structure, ("{a :int}", NO_LENGTH), ("{a :int}", ["a range does not apply to map"])),
    (Color, (":enum[1]", NO_LENGTH), (":enum[1]", NO_ORDER)),
    (Size, (":enum[1]", NO_LENGTH), (":enum[1][..3]", [])),
    (Word, (':enum["here"][..3]', []), (':enum["here"]', ["a range does not apply to string"])),
    (Literal["abcd", "a", None], (':enum["abcd" "a"][..3]?', []), (':enum["abcd" "a"]?', ["a range does not apply to string"])),
    (Texted, ('(:enum[5 "a"] "a text")', []), ('(:enum["abcd" "a"] "a text")', [])),
    (te.Required[Decimal], (":string[decimal]", NO_LENGTH), ('(:string[decimal] "at most 3")', [])),
    (D, (":string[decimal]", NO_LENGTH), ('(:string[decimal] "at most 3")', [])),
    (
        Exclusive,
        (":one[:int, :string]", ["a length does not apply to int or string"]),
        (":one[:int, :string]", ["a range does not apply to int or string"]),
    ),
    (Literal[5, "abcd", "a"], (':enum[5 "a"]', []), (':enum["abcd" "a"]', [])),
    (
        bytes,
        ('(:string[base64] "at most 3 bytes")', []),
        ('(:string[base64] "at most 3")', []),
    ),
    (Decimal, (":string[decimal]", NO_LENGTH), ('(:string[decimal] "at most 3")', [])),
    (Price, (":string[decimal]", NO_LENGTH), ('(:string[decimal] "at most 3")', [])),
    (date, (":string[date]", NO_LENGTH), ('(:string[date] "at most 3")', [])),
    (Any, ('(:any "at most 3 items or characters")', []), ('(:any "at most 3")', [])),
    (int | None, (":int?", ["a length does not apply to int"]), (":int[..3]?", [])),
    (str | None, (":string[..3]?", []), (":string?", ["a range does not apply to string"])),
    (int | float, (":float", ["a length does not apply to float or int"]), (":float[..3]", [])),
    (int | list[int], (":int|[:int][..3]", []), (":int[..3]|[:int]", [])),
    (int | str | None, ("(:int|:string[..3])?", []), ("(:int[..3]|:string)?", [])),
    (int | Held, (":int|{a :int}", ["a length does not apply to int"]), (":int[..3]|{a :int}", [])),
    (str | Held, (":string[..3]|{a :int}", []), (":string|{a :int}", ["a range does not apply to string"])),
    (
        Decimal | int,
        (":string[decimal]|:int", NO_LENGTH),
        ('(:string[decimal] "at most 3")|:int[..3]', []),
    ),
    (
        int | Decimal | str | None,
        ("(:int|:string[..3]|:string[decimal])?", []),
        ('(:int[..3]|:string|(:string[decimal] "at most 3"))?', []),
    ),
    (Decimal | None, (":string[decimal]?", NO_LENGTH), ('(:string[decimal] "at most 3")?', [])),
    (
        Decimal | list[int],
        (":string[decimal]|[:int][..3]", []),
        ('(:string[decimal] "at most 3")|[:int]', []),
    ),
    (
        Decimal | bytes,
        (':string[decimal]|(:string[base64] "at most 3 bytes")', []),
        ('(:string[decimal] "at most 3")|(:string[base64] "at most 3")', []),
    ),
    (
        Plain,
        (":string[decimal]|:int", NO_LENGTH),
        ('(:string[decimal] "at most 3")|:int[..3]', []),
    ),
    (
        Amount,
        ('(:string[decimal] "at least 1")|:int[1..]', NO_LENGTH),
        ('(:string[decimal] "at least 1, at most 3")|:int[1..3]', []),
    ),
    (
        Either[int],
        (":string[decimal]|:int", NO_LENGTH),
        ('(:string[decimal] "at most 3")|:int[..3]', []),
    ),
    (
        C,
        (":string[decimal]|:int", NO_LENGTH),
        ('(:string[decimal] "at most 3")|:int[..3]', []),
    ),
    (B, (":string[decimal]", NO_LENGTH), ('(:string[decimal] "at most 3")', [])),
    ("Decimal", (":string[decimal]", NO_LENGTH), ('(:string[decimal] "at most 3")', [])),
    ("int | str", (":int|:string[..3]", []), (":int[..3]|:string", [])),
]  # fmt: skip


@pytest.mark.parametrize("item", LENGTHS, ids=repr)
@pytest.mark.parametrize(("hint", "expected", "_other"), KINDS, ids=str)
def test_a_length_bounds_what_has_a_length(item, hint, expected, _other):
    assert expected == shown(Annotated[hint, item])


@pytest.mark.parametrize("item", RANGES, ids=repr)
@pytest.mark.parametrize(("hint", "_other", "expected"), KINDS, ids=str)
def test_a_range_bounds_what_has_a_value(item, hint, _other, expected):
    assert expected == shown(Annotated[hint, item])


@pytest.mark.parametrize(("item", "written", "told"), OTHERS, ids=repr)
def test_each_relation_is_about_the_value(item, written, told):
    assert (f":int{written}", []) == shown(Annotated[int, item])
    assert (f":int{written}|:string", []) == shown(Annotated[int | str, item])
    assert (f'(:string[decimal] "{told}")', []) == shown(Annotated[Decimal, item])
    ((text, (reason,)), (maybe, (other,))) = (
        shown(Annotated[str, item]),
        shown(Annotated[list[int] | None, item]),
    )
    assert (":string", "[:int]?") == (text, maybe)
    assert reason.endswith(" does not apply to string")
    assert other.endswith(" does not apply to list")


def test_a_constraint_of_typesig_means_of_each_kind_what_it_means_in_a_signature():
    item = Constraint("at_most", 3)

    assert ("(:int|:string)[..3]", []) == shown(Annotated[int | str, item])
    assert (":any[..3]", []) == shown(Annotated[Any, item])
    assert ('(:string[base64] "at most 3 bytes")', []) == shown(Annotated[bytes, item])


def outcome(hint: Any, value: Any) -> list[str]:
    return [str(error) for error in contract(hint).read(json.dumps(value)).errors]


@pytest.mark.parametrize(
    ("hint", "inside", "outside"),
    [
        (Annotated[int | list[int], at.MaxLen(3)], [5, [1, 2, 3]], [[1, 2, 3, 4]]),
        (Annotated[int | str, at.Ge(3)], [3, "a"], [2]),
        (Annotated[Decimal | int, at.Ge(10)], ["10", 10], ["9", 9]),
        (Annotated[Decimal | list[int], at.MaxLen(1)], ["100", [1]], [[1, 2]]),
        (Annotated[Any, at.Ge(3)], [3, 4.5], [2, "abc", [1, 2, 3]]),
        (Annotated[Any, at.MaxLen(3)], ["abc", [1], {"a": 1}], ["abcd", [1, 2, 3, 4], 5]),
        (Annotated[Amount, at.Le(3)], ["2", 2], ["0", 0, "4", 4]),
        (Annotated[int, at.Ge(Decimal(3))], [3], [2]),
        (Annotated[float, at.Ge(Decimal("0.1"))], [0.1], [0.09]),
        (Annotated[float, at.Ge(Fraction(1, 2))], [0.5], [0.4]),
        (Annotated[complex, at.Ge(3)], [], ["1+2j"]),
    ],
    ids=str,
)
def test_what_is_within_a_bound_is_read_and_what_is_outside_is_refused(hint, inside, outside):
    assert () == contract(hint).warnings
    assert [[] for _ in inside] == [outcome(hint, value) for value in inside]
    assert all(outcome(hint, value) for value in outside)


def test_a_bound_on_any_value_is_not_checked_in_a_result():
    def give() -> Annotated[Any, at.Ge(3)]:
        return Decimal(5)

    assert "5" == typesig.tool(give).call({}).value


def test_a_literal_without_a_value_within_the_bound_keeps_its_values_and_is_warned_of():
    hint = Annotated[Literal[1, 2], at.Ge(3)]

    assert (":enum[1 2][3..]", []) == shown(hint)
    assert (":enum[true]", []) == shown(Annotated[Literal[1, True], at.Ge(3)])


def test_a_bound_that_is_no_number_does_not_apply_to_a_number():
    third = Fraction(1, 3)

    assert (":int", ["a bound must be a number, not datetime.date(2020, 1, 1)"]) == shown(
        Annotated[int, at.Ge(date(2020, 1, 1))]
    )
    assert (":float", [f"a bound must be a number, not {third!r}"]) == shown(
        Annotated[float, at.Ge(third)]
    )
    assert (":float", [f"a bound must be a number, not {Decimal('NaN')!r}"]) == shown(
        Annotated[float, at.Ge(Decimal("NaN"))]
    )


@pytest.mark.parametrize(
    ("hint", "text"),
    [(Lost, ":any"), (Looped, ":any"), ("Nowhere", ":any"), (T, ":any")],
    ids=str,
)
def test_a_bound_on_a_hint_that_became_any_is_left_out_with_a_warning(hint, text):
    found, reasons = shown(Annotated[hint, at.Ge(3)])

    assert text == found
    assert reasons[-1] == "a range does not apply to any value"


def test_a_bound_applies_to_the_members_of_a_recursive_alias():
    assert ("(value :int[..3]|[:Tree]) -> :nil where Tree = :int|[:Tree]", []) == shown(
        Annotated[Tree, at.Le(3)], recursive=True
    )
    assert ("(value :int|[:Tree][..3]) -> :nil where Tree = :int|[:Tree]", []) == shown(
        Annotated[Tree, at.MaxLen(3)], recursive=True
    )


def test_a_bound_on_an_alias_of_a_name_that_is_not_defined_is_left_out_with_a_warning():
    def missing(_alias: Any) -> Any:
        raise NameError("name 'Missing' is not defined")

    members = {"__value__": property(missing), "__type_params__": (), "__name__": "Absent"}
    alias = type("TypeAliasType", (), members)()

    assert [
        "name 'Missing' is not defined, so it became :any",
        "a range does not apply to any value",
    ] == shown(Annotated[alias, at.Ge(3)])[1]


def test_a_bound_in_a_generic_class_is_about_what_its_variable_stands_for():
    @dataclass
    class Box(typing.Generic[T]):
        value: Annotated[T, at.Le(3)]

    assert ('{value :string[decimal] "at most 3"}', []) == shown(Box[Decimal])
    assert ("{value :int[..3]}", []) == shown(Box[int])


def test_metadata_beside_a_bound_on_a_host_value_is_not_lost():
    hint = Annotated[Decimal, at.Ge(1), at.Predicate(abs)]

    assert ["the metadata Predicate(builtins.abs) is not understood and left out"] == shown(hint)[1]


def test_a_pattern_of_a_library_is_a_pattern_and_one_that_is_refused_is_warned_of():
    # The second is one of Python's alone.
    found, (reason,) = shown(Annotated[str, msgspec.Meta(pattern="(?P<a>x)(?P=a)")])

    assert (":string[/^a$/]", []) == shown(Annotated[str, msgspec.Meta(pattern="^a$")])
    assert ":string" == found
    assert "is not understood and left out" in reason
