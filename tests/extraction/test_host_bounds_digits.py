"""The digits of decimals, which pydantic's `Field` bounds: said in the text, and checked."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

import pydantic
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from typesig import extract, tools_of

Price = Annotated[Decimal, pydantic.Field(max_digits=6, decimal_places=2)]
TEXT = ':string[decimal] "at most 6 digits, 2 decimal places"'


class Model(pydantic.BaseModel):
    price: Price
    prices: list[Price] = []


@dataclass
class Record:
    price: Price


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"max_digits": 6, "decimal_places": 2}, "at most 6 digits, 2 decimal places"),
        ({"max_digits": 1}, "at most 1 digit"),
        ({"decimal_places": 1}, "at most 1 decimal place"),
        ({"decimal_places": 0, "gt": 0}, "above 0, at most 0 decimal places"),
        ({"max_digits": 3, "description": "the price"}, "the price, at most 3 digits"),
    ],
)
def test_the_text_says_the_digits(options: dict[str, Any], text: str) -> None:
    def pay(price: Any) -> None: ...

    pay.__annotations__["price"] = Annotated[Decimal, pydantic.Field(**options)]
    found = extract(pay)
    assert found.signature is not None
    assert found.signature.render() == f'(price :string[decimal] "{text}") -> :nil'
    assert found.warnings == ()


def test_digits_are_said_wherever_the_decimal_stands() -> None:
    def pay(
        a: Price | None,
        b: list[Price],
        c: Model,
        d: Record,
        e: pydantic.condecimal(max_digits=6, decimal_places=2),  # type: ignore[valid-type]
    ) -> Price:
        return Decimal("1.234")

    found = extract(pay)
    assert found.signature is not None
    assert found.signature.render().count(TEXT) == 7
    assert found.warnings == ()
    sent = {"a": None, "b": ["1"], "c": {"price": "1"}, "d": {"price": "1"}, "e": "1"}
    errors = tools_of([pay])["pay"].call(sent).errors
    assert [str(error) for error in errors] == ["expected at most 6 digits, 2 decimal places"]


def test_digits_of_another_class_are_warned_of() -> None:
    def pay(
        a: Annotated[float, pydantic.Field(max_digits=2)],
        b: Annotated[Any, pydantic.Field(decimal_places=2)],
    ) -> None: ...

    found = extract(pay)
    assert str(found.signature) == "(a :float, b :any) -> :nil"
    assert [each.reason for each in found.warnings] == ["a value of it has no digits"] * 2


NUMBERS = st.one_of(
    st.decimals(-2000, 2000, allow_nan=False, places=3),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.builds(
        lambda digits, exponent: Decimal((0, digits, exponent)),
        st.lists(st.integers(0, 9), min_size=1, max_size=6).map(tuple),
        st.integers(-6, 6),
    ),
)


@example(Decimal("154443893620894213170926830.67901"), (None, 1))
@example(Decimal("1000000000000000000000000000000.50"), (None, 1))
@settings(max_examples=300, deadline=None)
@given(
    number=NUMBERS,
    most=st.tuples(st.none() | st.integers(1, 6), st.none() | st.integers(0, 4)).filter(any),
)
def test_a_decimal_passes_as_it_does_in_pydantic(
    number: Decimal, most: tuple[int | None, int | None]
) -> None:
    digits, places = most
    hint = Annotated[Decimal, pydantic.Field(max_digits=digits, decimal_places=places)]

    def pay(price: Any) -> Any:
        return price

    pay.__annotations__["price"] = hint
    outcome = tools_of([pay])["pay"].call({"price": str(number)})
    try:
        expected = pydantic.TypeAdapter(hint).validate_python(str(number))
    except pydantic.ValidationError:
        assert outcome.errors
    else:
        assert not outcome.errors, (number, most)
        assert Decimal(str(outcome.result)) == expected
