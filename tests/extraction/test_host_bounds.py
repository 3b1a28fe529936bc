"""Bounds on host types that JSON spells as text: they bound the value, not its text."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, NewType

import annotated_types as at
import attrs
import msgspec
import pydantic
import pytest

import typesig
from typesig import contract, extract, tool


class Money(Decimal):
    pass


LEAST = uuid.UUID(int=5)
NOON = datetime(2030, 1, 2, 12, tzinfo=UTC)

#: The hint, what its description tells, JSON within the bounds and outside, and the same objects.
BOUNDED = [
    (Annotated[Decimal, at.Ge(10)], "at least 10", "100", "9.99"),
    (Annotated[Decimal, at.MultipleOf(Decimal("0.05"))], "a multiple of 0.05", "0.15", "0.12"),
    (Annotated[Decimal, pydantic.Field(gt=1, description="a price")], "a price, above 1", "2", "1"),
    (Annotated[Decimal, msgspec.Meta(le=3)], "at most 3", "3", "4"),
    (Annotated[bytes, at.MaxLen(3)], "at most 3 bytes", "YWJj", "YWJjZA=="),
    (Annotated[bytes, at.Len(2, 3)], "at least 2 bytes, at most 3 bytes", "YWI=", "YQ=="),
    (Annotated[date, at.Ge(date(2020, 1, 1))], "at least 2020-01-01", "2020-01-01", "2019-12-31"),
    (
        Annotated[datetime, at.Lt(NOON)],
        "below 2030-01-02T12:00:00+00:00",
        "2030-01-02T11:00:00+00:00",
        "2030-01-02T13:00:00+00:00",
    ),
    (Annotated[timedelta, at.Gt(timedelta(hours=1))], "above PT1H", "PT61M", "PT60M"),
    (Annotated[Fraction, at.Interval(ge=0, le=1)], "at least 0, at most 1", "1/2", "3/2"),
    (Annotated[uuid.UUID, at.Ge(LEAST)], f"at least {LEAST}", str(uuid.UUID(int=6)), str(uuid.UUID(int=4))),
    (Annotated[Path, at.Ge(Path("b"))], "at least b", "c", "a"),
    (Annotated[NewType("Price", Decimal), at.Ge(10)], "at least 10", "10", "9"),
    (Annotated[Money, at.Ge(10)], "at least 10", "10", "9"),
    (Annotated[Decimal | None, at.Ge(10)], "at least 10", "10", "9"),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "told", "inside", "outside"), BOUNDED)
def test_a_bound_is_checked_on_the_value_and_told_in_the_description(hint, told, inside, outside):
    found = contract(hint)

    assert () == found.warnings
    assert f"'description': '{told}'" in str(found.to_json_schema(exact=True))
    assert found.read(f'"{inside}"').ok
    (error,) = found.read(f'"{outside}"').errors
    assert str(error).startswith("expected ")
    assert f'(got string "{outside}")' in str(error) or "datetime" in str(error)


@pytest.mark.parametrize(("hint", "told", "inside", "outside"), BOUNDED)
@pytest.mark.parametrize("shape", ["whole", "list", "map", "tuple", "record"])
def test_a_bound_in_a_result_is_checked_on_the_object(hint, told, inside, outside, shape):
    @dataclass
    class Held:
        value: Any

    Held.__annotations__["value"] = hint
    hints: dict[str, Any] = {
        "whole": hint,
        "list": list[hint],
        "map": dict[str, hint],
        "tuple": tuple[int, hint],
        "record": Held,
    }
    places = {"whole": "", "list": "[0]: ", "map": "k: ", "tuple": "[1]: ", "record": "value: "}
    plain = contract(hint.__origin__)

    def outcome(text: str) -> Any:
        value = plain.read(f'"{text}"').result

        def give():  # type: ignore[no-untyped-def]
            return {
                "whole": value,
                "list": [value],
                "map": {"k": value},
                "tuple": (1, value),
                "record": Held(value),
            }[shape]

        give.__annotations__ = {"return": hints[shape]}
        return tool(give).call({})

    assert outcome(inside).ok
    (error,) = outcome(outside).errors
    assert str(error).startswith(f"{places[shape]}expected ")


def test_a_bound_of_a_validator_of_attrs_is_on_the_value():
    @attrs.define
    class Priced:
        price: Decimal = attrs.field(validator=attrs.validators.ge(Decimal(10)))
        key: bytes = attrs.field(default=b"", validator=attrs.validators.max_len(2))

    found = contract(Priced)

    assert Priced(Decimal(100), b"ab") == found.read({"price": "100", "key": "YWI="}).result
    assert [
        'price: expected at least 10 (got string "9")',
        'key: expected at most 2 bytes (got string "YWJj")',
    ] == [str(error) for error in found.read({"price": "9", "key": "YWJj"}).errors]


def test_a_length_of_a_value_that_has_none_is_left_out_with_a_warning():
    found = contract(Annotated[Decimal, at.MinLen(3)])

    assert ":string[decimal]" == typesig.render(found.signature.returns)
    assert ["a value of it has no length"] == [warning.reason for warning in found.warnings]


def test_bounds_are_left_out_in_the_ptc_runner_profile():
    def take(value: Annotated[Decimal, at.Ge(10)]) -> None: ...

    found = extract(take, profile="ptc_runner")

    assert "(value :string) -> :nil" == str(found.signature)
    assert "has no bounds" in str(found.warnings[0])
