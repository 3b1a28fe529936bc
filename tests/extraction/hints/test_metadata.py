"""What metadata of pydantic and msgspec says and typesig does not do is told."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

import annotated_types as at
import msgspec
import pydantic
import pytest
from typing_extensions import TypedDict

import typesig
from typesig import contract, extract, tool
from typesig.algebra.rows.constraints import Constraint

FIELD = pydantic.Field(pattern="^1")


def type_of(hint: Any) -> str:
    return typesig.render(contract(hint).signature.returns)


def reasons_of(hint: Any) -> list[str]:
    return [warning.reason for warning in contract(hint).warnings]


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (Annotated[Decimal, FIELD], ":string[decimal]"),
        (Annotated[Decimal | None, FIELD], ":string[decimal]?"),
        (Annotated[Decimal, msgspec.Meta(pattern="^1")], ":string[decimal]"),
        (Annotated[dt.date, FIELD], ":string[date]"),
        (Annotated[uuid.UUID, FIELD], ":string[uuid]"),
        (Annotated[bytes, FIELD], ":string[base64]"),
        (list[Annotated[Decimal, FIELD]], "[:string[decimal]]"),
    ],
)
def test_a_pattern_is_not_about_the_text_of_a_host_type_in_json(hint, expected):
    assert (expected, ["a pattern does not apply to it"]) == (type_of(hint), reasons_of(hint))


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (Annotated[str, FIELD], ":string[/^1/]"),
        (Annotated[str | None, FIELD], ":string[/^1/]?"),
        (Annotated[str | Decimal, FIELD], "(:string|:string[decimal])[/^1/]"),
        (Annotated[Decimal, Constraint("pattern", "^1")], ":string[/^1/, decimal]"),
    ],
)
def test_a_pattern_of_a_text_and_one_of_typesig_are_kept(hint, expected):
    assert (expected, []) == (type_of(hint), reasons_of(hint))


@dataclass
class Aliased:
    x: Annotated[int, pydantic.Field(alias="y")]


class AliasedItem(TypedDict):
    x: Annotated[int, pydantic.Field(serialization_alias="y")]


@dataclass
class Defaulting:
    x: Annotated[int, pydantic.Field(default=3, ge=2)]
    y: Annotated[int, pydantic.Field(default_factory=int, exclude=True)] = 1


@dataclass
class Fields:
    x: int = pydantic.Field(default=3, ge=2)
    y: int = pydantic.Field(4, alias="z")


class Model(pydantic.BaseModel):
    x: Annotated[int, pydantic.Field(alias="y", default=3, exclude=True)]


@pytest.mark.parametrize(
    ("hint", "reasons"),
    [
        (Aliased, ["the alias of its Field is not used here"]),
        (AliasedItem, ["the alias of its Field is not used here"]),
        (
            Defaulting,
            [
                "the default of its Field is not used here",
                "the default of its Field is not used here",
                "the exclusion of its Field is not used here",
            ],
        ),
        (
            Annotated[int, pydantic.Field(default=3), pydantic.AfterValidator(abs)],
            ["the default of its Field is not used here"],
        ),
        (Annotated[int, pydantic.Field(ge=1, description="a", title="b", examples=[1])], []),
        (Model, []),
    ],
)
def test_what_a_field_states_only_in_a_model_is_told_of_elsewhere(hint, reasons):
    assert reasons == reasons_of(hint)


def test_the_alias_of_a_parameter_is_told_of():
    def give(x: Annotated[int, pydantic.Field(alias="y")]) -> None: ...

    (warning,) = extract(give).warnings
    assert ("x", "write it in a model of pydantic") == (warning.place, warning.remedy)


def test_a_dataclass_with_fields_of_pydantic_as_defaults_is_read_by_pydantic():
    found = contract(Fields)

    assert "{x :int[2..] = 3, z :int = 4}" == typesig.render(found.signature.returns)
    assert (3, 5) == (found.read('{"z": 5}').result.x, found.read('{"z": 5}').result.y)
    assert ["x: expected int[2..], got int 1"] == [
        str(error) for error in found.read('{"x": 1}').errors
    ]


class Cents(Decimal):
    """A number of euros that is made from the text of its cents."""

    def __new__(cls, value: Any) -> Cents:
        return super().__new__(cls, Decimal(value) / 100)

    def __str__(self) -> str:
        return super().__str__()


@pytest.mark.parametrize("swapped", [False, True])
def test_classes_whose_texts_and_bounds_are_equal_have_checks_of_their_own(swapped):
    hints = [Annotated[Decimal, at.Ge(10)], Annotated[Cents, at.Ge(10)]]
    first, second = reversed(hints) if swapped else hints

    def give(value):  # type: ignore[no-untyped-def]
        return value

    give.__annotations__ = {"value": Any, "return": tuple[first, second]}
    made = tool(give)

    assert made.call({"value": ["1000", "20"]}).ok
    assert not made.call({"value": ["9", "1000"]}).ok
