"""Models of pydantic as programs have them: aliases by choice, serializers, secrets, own types."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from typing import Annotated, Any

import annotated_types as at
import pydantic

from tests.type_table.rows import Like, Result, Row, keep, param, result


class Named(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(populate_by_name=True)

    user_id: int = pydantic.Field(alias="userId")


class Choosing(pydantic.BaseModel):
    id: int = pydantic.Field(validation_alias=pydantic.AliasChoices("id", "ID"))


class Writing(pydantic.BaseModel):
    size: int

    @pydantic.field_serializer("size")
    def _as_text(self, size: int) -> str:
        return f"{size} cm"


class Flat(pydantic.BaseModel):
    size: int

    @pydantic.model_serializer
    def _as_number(self) -> int:
        return self.size


class Login(pydantic.BaseModel):
    name: str
    key: pydantic.SecretStr


class Even(pydantic.BaseModel):
    size: int

    @pydantic.field_validator("size")
    @classmethod
    def _is_even(cls, size: int) -> int:
        if size % 2:
            raise ValueError("it is odd")
        return size


class Bare(pydantic.BaseModel):
    x: int


class Fuller(pydantic.BaseModel):
    x: int
    y: int


def limited(
    value: int = pydantic.Field(5, ge=1, description="how many"),
    name: str = pydantic.Field("a", max_length=2),
) -> None:
    keep(value, name)


def even(value: Even, size: int = 1) -> None:
    keep(value, size)


Lower = Annotated[str, pydantic.StringConstraints(to_lower=True, min_length=2)]
Long = Annotated[bytes, at.MinLen(2)]
Price = Annotated[Decimal, at.Ge(1)]
Day = Annotated[dt.date, at.Ge(dt.date(2027, 1, 1))]


def _refusals(t: Any) -> list[str]:
    """Return the problems with what a validator's error becomes: an issue at its field."""
    outcome = t.call({"value": {"size": 3}})
    issues = [str(issue) for issue in outcome.errors]
    return [] if outcome.stage == "input" and "it is odd" in issues[0] else issues


_WHEN = dt.datetime(2027, 1, 31, 10, tzinfo=dt.UTC)

ROWS: tuple[Row, ...] = (
    param(
        "pydantic names by choice",
        Named,
        (({"userId": 1}, Named(user_id=1)), ({"userId": 2}, Named(user_id=2))),
        ({"userId": "x"}, {}),
        shorthand="{userId :int}",
    ),
    param(
        "pydantic names by choice",
        Choosing,
        (({"id": 1}, Choosing(id=1)), ({"id": 2}, Choosing(id=2))),
        ({"id": "x"}, {}),
        shorthand="{id :int}",
    ),
    param(
        "pydantic serializers",
        Writing,
        (({"size": 1}, Writing(size=1)), ({"size": 2}, Writing(size=2))),
        ({"size": "1 cm"}, {}),
        shorthand="{size :int}",
    ),
    param(
        "pydantic serializers",
        Flat,
        (({"size": 1}, Flat(size=1)),),
        ({"size": "x"}, 1),
        shorthand="{size :int}",
    ),
    param(
        "pydantic secrets",
        Login,
        tuple(
            (
                {"name": "a", "key": key},
                Like("Login", lambda got, key=key: got.key.get_secret_value() == key),
            )
            for key in ("k", "")
        ),
        ({"name": "a"}, {"name": "a", "key": 1}),
        shorthand="{name :string, key :string}",
    ),
    Row(
        "pydantic Field as a default",
        limited,
        (({}, (5, "a")), ({"value": 1, "name": "bc"}, (1, "bc"))),
        ({"value": 0}, {"name": "abc"}),
        texts={"value": "how many"},
    ),
    param(
        "pydantic changes of text",
        Lower,
        (("AB", "ab"), ("cd", "cd")),
        ("a", 1),
        shorthand=":string[2..]",
        ptc_runner=":string",
    ),
    Row(
        "pydantic validators",
        even,
        (({"value": {"size": 2}}, (Even(size=2), 1)), ({"value": {"size": 4}}, (Even(size=4), 1))),
        ({"value": {"size": "x"}}, {"value": {}}),
        also=_refusals,
    ),
    param(
        "pydantic types of its own",
        pydantic.AwareDatetime,
        (("2027-01-31T10:00:00Z", _WHEN),),
        ("2027-01-31", 1),
        shorthand=":string[date-time]",
        ptc_runner=":string",
    ),
    param(
        "pydantic types of its own",
        pydantic.IPvAnyAddress,
        (("10.0.0.1", IPv4Address("10.0.0.1")), ("::1", IPv6Address("::1"))),
        (1, None),
        shorthand=":string",
    ),
    param(
        "pydantic types of its own",
        pydantic.Json[list[int]],
        (("[1]", [1]), ("[]", [])),
        (1, None),
        shorthand=":string",
    ),
    param(
        "bounds of types that JSON has as text",
        Price,
        (("1.5", Decimal("1.5")), ("2", Decimal(2))),
        ("x", None),
        shorthand=":string[decimal]",
        ptc_runner=":string",
    ),
    param(
        "bounds of types that JSON has as text",
        Long,
        (("aGk=", b"hi"),),
        ("!", 1),
        shorthand=":string[base64]",
        ptc_runner=":string",
    ),
    param(
        "bounds of types that JSON has as text",
        Day,
        (("2027-01-31", dt.date(2027, 1, 31)),),
        ("x", 1),
        shorthand=":string[date]",
        ptc_runner=":string",
    ),
    param(
        "unions of records that share fields",
        Bare | Fuller,
        (({"x": 1}, Bare(x=1)), ({"x": 1, "y": 2}, Fuller(x=1, y=2))),
        ({"y": 2}, {"x": "a"}),
        shorthand="{x :int}|{x :int, y :int}",
    ),
)

RESULTS: tuple[Result, ...] = (
    result(
        "pydantic serializers",
        Writing,
        ((Writing(size=1), {"size": "1 cm"}),),
        ({"size": 1}, 1),
        shorthand="{size :string}",
    ),
    result(
        "pydantic serializers",
        Flat,
        ((Flat(size=1), 1),),
        ({"size": 1}, "x"),
        shorthand=":int",
    ),
    result(
        "pydantic secrets",
        Login,
        ((Login(name="a", key=pydantic.SecretStr("k")), {"name": "a", "key": "**********"}),),
        ({"name": "a"}, 1),
        shorthand="{name :string, key :string}",
    ),
)
