"""Hints that pydantic reads: its schema is the type, its validation decodes, its dump encodes."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from ipaddress import IPv4Address
from typing import Annotated, Any, Generic, TypedDict, TypeVar

import pydantic
import pydantic_core
import pytest

import typesig
from typesig import contract, tool

T = TypeVar("T")


class Point:
    """A class that describes itself to pydantic."""

    def __init__(self, x: int, y: int) -> None:
        self.x, self.y = x, y

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        schema = pydantic_core.core_schema
        pair = schema.tuple_positional_schema([schema.int_schema(), schema.int_schema()])
        return schema.no_info_after_validator_function(
            lambda parts: cls(*parts),
            pair,
            serialization=schema.plain_serializer_function_ser_schema(
                lambda point: [point.x, point.y], return_schema=pair
            ),
        )


class Opaque:
    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        return pydantic_core.core_schema.no_info_plain_validator_function(lambda value: value)


def shout(text: str) -> str:
    return text.upper()


def in_list(value: Any) -> Any:
    return [value]


def even(value: int) -> int:
    if value % 2:
        raise ValueError("it is odd")
    return value


Shouted = Annotated[str, pydantic.AfterValidator(shout)]
Even = Annotated[int, pydantic.AfterValidator(even)]


def received(hint: Any, sent: Any) -> Any:
    """Return what a function with a parameter of *hint* gets for *sent*."""
    got: list[Any] = []

    def take(value):  # type: ignore[no-untyped-def]
        got.append(value)

    take.__annotations__ = {"value": hint, "return": None}
    outcome = tool(take).call({"value": sent})
    assert outcome.ok, [str(error) for error in outcome.errors]
    return got[0]


def errors_of(hint: Any, sent: Any) -> list[str]:
    """Return the errors of a function with a parameter of *hint* for *sent*."""

    def take(value):  # type: ignore[no-untyped-def]
        raise AssertionError("it is not called")

    take.__annotations__ = {"value": hint, "return": None}
    return [str(error) for error in tool(take).call({"value": sent}).errors]


def returned(hint: Any, value: Any) -> Any:
    """Return the JSON of a function that returns *value* as *hint*."""

    def give():  # type: ignore[no-untyped-def]
        return value

    give.__annotations__ = {"return": hint}
    outcome = tool(give).call({})
    assert outcome.ok, [str(error) for error in outcome.errors]
    return outcome.value


NOON = datetime(2030, 1, 2, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hint", "text", "sent", "expected"),
    [
        (Point, "[:int, :int]", [1, 2], Point(1, 2)),
        (list[Point], "[[:int, :int]]", [[1, 2]], [Point(1, 2)]),
        (pydantic.HttpUrl, ":string[1..2083, uri]", "http://a.b", pydantic.HttpUrl("http://a.b")),
        (pydantic.SecretStr, ":string", "abc", pydantic.SecretStr("abc")),
        (pydantic.AwareDatetime, ":string[date-time]", "2030-01-02T12:00:00Z", NOON),
        (
            pydantic.NaiveDatetime,
            '(:string "a date and time without an offset")',
            "2030-01-02T12:00:00",
            NOON.replace(tzinfo=None),
        ),
        (pydantic.PastDate, ":string[date]", "2020-01-02", date(2020, 1, 2)),
        (pydantic.Json, '(:string "JSON text")', "[1]", [1]),
        (pydantic.Json[list[int]], '(:string "JSON text")', '["1"]', [1]),
        (
            pydantic.IPvAnyAddress,
            '(:string "an IPv4 or IPv6 address")',
            "1.2.3.4",
            IPv4Address("1.2.3.4"),
        ),
        (pydantic.conint(gt=3), ":int[>3]", 4, 4),
        (Shouted, ":string", "abc", "ABC"),
        (Shouted | None, ":string?", None, None),
        (dict[str, Shouted], ":map[:string]", {"a": "b"}, {"a": "B"}),
        (Annotated[str, pydantic.BeforeValidator(shout)], ":string", "abc", "ABC"),
        (
            Annotated[Decimal, pydantic.AfterValidator(abs)],
            ":float|:string",
            "-1.50",
            Decimal("1.50"),
        ),
        (
            Annotated[str, pydantic.StringConstraints(to_lower=True, strip_whitespace=True)],
            ":string",
            " Ab ",
            "ab",
        ),
        (pydantic.ByteSize, None, "2kB", 2000),
    ],
)
def test_a_parameter_of_a_type_of_pydantic_is_read_by_pydantic(hint, text, sent, expected):
    found = contract(hint)

    assert () == found.warnings
    assert text is None or text == typesig.render(found.signature.returns)
    assert expected == received(hint, sent)


@pytest.mark.parametrize(
    ("hint", "sent", "errors"),
    [
        (Even, 3, ["value: Value error, it is odd (got int 3)"]),
        (
            list[Even],
            [1, 2, 3],
            [
                "value[0]: Value error, it is odd (got int 1)",
                "value[2]: Value error, it is odd (got int 3)",
            ],
        ),
        (pydantic.PastDate, "2999-01-01", ['value: Date should be in the past (got string "2999-01-01")']),
        (
            pydantic.Json[list[int]],
            '["a"]',
            [
                "value: Input should be a valid integer, unable to parse string as an integer "
                '(got string "[\\"a\\"]")'
            ],
        ),
        (pydantic.IPvAnyAddress, "x", ['value: value is not a valid IPv4 or IPv6 address (got string "x")']),
    ],
)  # fmt: skip
def test_errors_of_pydantic_are_issues_at_their_own_paths(hint, sent, errors):
    assert errors == errors_of(hint, sent)


def long(secret: pydantic.SecretStr) -> pydantic.SecretStr:
    if len(secret) < 8:
        raise ValueError("it is too short")
    return secret


def test_a_secret_is_in_no_message():
    checked = Annotated[pydantic.SecretStr, pydantic.AfterValidator(long)]

    assert ["value: Value error, it is too short"] == errors_of(checked, "hunter2")

    bounded = Annotated[pydantic.SecretStr, pydantic.Field(min_length=8)]

    assert ["value: Value should have at least 8 items after validation, not 7"] == errors_of(
        bounded, "hunter2"
    )
    assert ':string "at least 8 characters"' == contract(bounded).signature.render().removeprefix(
        "() -> "
    )


@pytest.mark.parametrize(
    ("hint", "value", "expected"),
    [
        (Point, Point(1, 2), [1, 2]),
        (list[Point], [Point(1, 2)], [[1, 2]]),
        (pydantic.HttpUrl, pydantic.HttpUrl("http://a.b"), "http://a.b/"),
        (dict[str, pydantic.SecretStr], {"a": pydantic.SecretStr("x")}, {"a": "**********"}),
        (pydantic.AwareDatetime, NOON, "2030-01-02T12:00:00Z"),
        (pydantic.PastDate, date(2020, 1, 2), "2020-01-02"),
        (Shouted, "abc", "abc"),
        (list[Annotated[int, pydantic.PlainSerializer(str, return_type=str)]], [1], ["1"]),
        (Annotated[datetime, pydantic.AfterValidator(lambda v: v)], NOON, "2030-01-02T12:00:00Z"),
        (pydantic.Base64Str, "abc", "YWJj"),
    ],
)
def test_a_result_of_a_type_of_pydantic_is_written_by_pydantic(hint, value, expected):
    assert expected == returned(hint, value)


def test_a_type_that_pydantic_has_no_schema_for_is_any_with_a_warning():
    found = contract(Opaque)

    assert ":any" == typesig.render(found.signature.returns)
    assert ("Opaque: pydantic has no schema for it: Cannot generate a JsonSchema for ") in str(
        found.warnings[0]
    )


class Held(TypedDict, Generic[T]):
    value: Annotated[T, pydantic.AfterValidator(in_list)]


def test_a_type_variable_in_a_hint_for_pydantic_stands_for_its_argument():
    assert "{value :int}" == typesig.render(contract(Held[int]).signature.returns)
    assert {"value": [1]} == received(Held[int], {"value": 1})


def test_a_part_of_a_schema_that_cannot_be_read_is_a_warning():
    hint = Annotated[
        str, pydantic.WithJsonSchema({"type": "string", "pattern": "^(?:(a+)+)+$(?!b)"})
    ]
    found = contract(hint)

    assert ":string" == typesig.render(found.signature.returns)
    assert "its schema is read without a part: pattern: " in str(found.warnings[0])
