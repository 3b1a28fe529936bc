"""Models of pydantic: aliases, serializers, validators, secrets, and `Field` as a default."""

# ruff: noqa: B008 - what a call in a default means is what is tested
from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any

import pydantic
import pydantic.dataclasses
import pytest

import typesig
from typesig import contract, tool


class Card(pydantic.BaseModel):
    number: str
    owner: str = "a"
    since: datetime | None = None

    @pydantic.field_serializer("number")
    def _masked(self, number: str) -> str:
        return "*" * (len(number) - 4) + number[-4:]


class Priced(pydantic.BaseModel):
    cents: int

    @pydantic.field_serializer("cents")
    def _text(self, cents: int) -> str:
        return f"{cents / 100:.2f}"


class Login(pydantic.BaseModel):
    name: str
    password: pydantic.SecretStr


class Flat(pydantic.BaseModel):
    x: int
    y: int

    @pydantic.model_serializer
    def _pair(self) -> list[int]:
        return [self.x, self.y]


class Wait(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(ser_json_timedelta="float")

    span: timedelta


class Tagged(pydantic.BaseModel):
    tags: list[Annotated[int, pydantic.PlainSerializer(str, return_type=str)]]


@pydantic.dataclasses.dataclass
class Area:
    width: int

    @pydantic.field_serializer("width")
    def _metres(self, width: int) -> str:
        return f"{width} m"


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        (
            Card(number="1234567890"),
            "{number :string, owner :string, since :datetime?}",
            {"number": "******7890", "owner": "a", "since": None},
        ),
        (Priced(cents=150), "{cents :string}", {"cents": "1.50"}),
        (
            Login(name="a", password="hunter2"),  # type: ignore[arg-type]
            "{name :string, password :string}",
            {"name": "a", "password": "**********"},
        ),
        (Flat(x=1, y=2), "[:int]", [1, 2]),
        (Wait(span=timedelta(seconds=1.5)), "{span :float}", {"span": 1.5}),
        (Tagged(tags=[1]), "{tags [:string]}", {"tags": ["1"]}),
        (Area(2), "{width :string}", {"width": "2 m"}),
    ],
)
@pytest.mark.parametrize("listed", [False, True])
def test_a_model_is_written_by_its_own_serializers(value, text, expected, listed):
    def give():  # type: ignore[no-untyped-def]
        return [value] if listed else value

    cls: Any = type(value)
    give.__annotations__ = {"return": list[cls] if listed else cls}
    found = tool(give)

    assert () == found.warnings
    assert f"() -> {f'[{text}]' if listed else text}" == str(found.signature)
    outcome = found.call({})
    assert [] == [str(error) for error in outcome.errors]
    assert ([expected] if listed else expected) == outcome.value


def plus_one(value: int) -> int:
    return value + 1


class Counted(pydantic.BaseModel):
    count: Annotated[int, pydantic.AfterValidator(plus_one)]
    all: list[Annotated[int, pydantic.AfterValidator(plus_one)]] = []


def test_a_validator_in_a_model_runs_once():
    assert (
        Counted.model_construct(count=2, all=[3])
        == contract(Counted).read({"count": 1, "all": [2]}).result
    )


class Tidy(pydantic.BaseModel):
    name: Annotated[str, pydantic.StringConstraints(to_lower=True, strip_whitespace=True)]


def test_a_model_changes_texts_as_it_says():
    assert Tidy.model_construct(name="ab") == contract(Tidy).read({"name": " Ab "}).result


class Booking(pydantic.BaseModel):
    start: int
    end: int
    seats: int = 1

    @pydantic.field_validator("start", "seats")
    @classmethod
    def _even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("it is odd")
        return value

    @pydantic.model_validator(mode="after")
    def _order(self) -> Booking:
        if self.end < self.start:
            raise ValueError("it ends before it starts")
        return self


class Account(pydantic.BaseModel):
    owner: Login
    bookings: list[Booking] = []


def test_validators_of_models_are_reported_together_at_their_own_paths():
    def take(a: Account, b: Booking, n: int) -> None: ...

    errors = tool(take).call({
        "a": {
            "owner": {"name": "x", "password": "hunter2"},
            "bookings": [{"start": 4, "end": 2}, {"start": 1, "end": 2, "seats": 3}],
        },
        "b": {"start": 3, "end": 4},
        "n": "x",
    }).errors  # fmt: skip

    assert [
        # A value at a wrong place may be the password, so it is not shown.
        "n: expected int, got string",
        "a.bookings[0]: Value error, it ends before it starts",
        "a.bookings[1].start: Value error, it is odd",
        "a.bookings[1].seats: Value error, it is odd",
        "b.start: Value error, it is odd",
    ] == [str(error) for error in errors]


def made() -> int:
    return 7


def search(
    query: str = pydantic.Field(description="what to look for", min_length=2),
    limit: int = pydantic.Field(10, ge=1, le=50, alias="lim"),
    tags: list[str] = pydantic.Field(default_factory=list),
    seed: int = pydantic.Field(default_factory=made),
    page: int = pydantic.Field(..., gt=0),
) -> list[Any]:
    return [query, limit, tags, seed, page]


def test_a_field_as_the_default_of_a_parameter_means_what_it_says():
    found = tool(search)

    assert (
        "(query :string[2..], limit :int[1..50] = 10, tags [:string] = [], seed? :int, "
        "page :int[>0]) -> [:any]"
    ) == str(found.signature)
    assert (
        "what to look for" == found.signature.input_schema()["properties"]["query"]["description"]
    )
    assert ["ab", 10, [], 7, 1] == found.call({"query": "ab", "page": 1}).value
    assert ["ab", 5, ["t"], 8, 2] == found.call(
        {"query": "ab", "limit": 5, "tags": ["t"], "seed": 8, "page": 2}
    ).value
    assert ["ab", 10, [], 7, 1] == found.call({"query": "ab", "page": 1}, mode="disabled").value
    assert ["page: expected int[>0], got nil (missing)"] == [
        str(error) for error in found.call({"query": "ab"}).errors
    ]


def test_a_field_as_a_default_that_is_made_is_new_for_each_call():
    def take(tags: list[str] = pydantic.Field(default_factory=list)) -> list[str]:
        tags.append("x")
        return tags

    found = tool(take)

    assert [["x"], ["x"]] == [found.call({}).value, found.call({}).value]


def test_a_field_as_the_default_of_a_parameter_without_a_hint_is_its_default():
    def take(limit=pydantic.Field(5)) -> Any:  # type: ignore[no-untyped-def]
        return limit

    assert "(limit :any = 5) -> :any" == str(tool(take).signature)
    assert 5 == tool(take).call({}).value
    assert "a" == tool(take).call({"limit": "a"}).value


def test_a_field_as_the_default_of_an_injected_parameter_is_filled_in():
    def take(user: typesig.Injected[str] = pydantic.Field("ann")) -> str:
        return user

    assert "ann" == tool(take).call({}).value


class Person(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(populate_by_name=True)

    first_name: str = pydantic.Field("none", alias="firstName")
    age: int = pydantic.Field(
        0, validation_alias=pydantic.AliasChoices("age", "years", pydantic.AliasPath("a", 0))
    )
    friends: list[Person] = []


class ByNameOnly(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(validate_by_name=True, validate_by_alias=False)

    size: int = pydantic.Field(alias="sizeOf")


class ByAliasOnly(pydantic.BaseModel):
    size: int = pydantic.Field(0, alias="sizeOf")


@pytest.mark.parametrize(
    ("hint", "sent", "expected"),
    [
        (Person, {"first_name": "Ann"}, Person(first_name="Ann")),
        (Person, {"first-name": "Ann", "years": 3}, Person(first_name="Ann", age=3)),
        (Person, {"firstName": "Ann", "first_name": "Bob"}, Person(first_name="Ann")),
        (list[Person], [{"first_name": "Ann"}], [Person(first_name="Ann")]),
        (dict[str, Person], {"a": {"years": 3}}, {"a": Person(age=3)}),
        (Person | None, {"first_name": "Ann"}, Person(first_name="Ann")),
        (tuple[int, Person], [1, {"years": 3}], (1, Person(age=3))),
        (int | Person, {"first_name": "Ann"}, Person(first_name="Ann")),
        (list[Person] | Person, {"first_name": "Ann"}, Person(first_name="Ann")),
        (Person | list[Person], [{"years": 3}], [Person(age=3)]),
        (dict[str, Person] | list[Person], [{"years": 3}], [Person(age=3)]),
        (ByNameOnly, {"size": 1}, ByNameOnly(size=1)),  # type: ignore[call-arg]
    ],
)
def test_a_model_takes_the_other_names_of_its_fields(hint, sent, expected):
    got: list[Any] = []

    def take(value):  # type: ignore[no-untyped-def]
        got.append(value)

    take.__annotations__ = {"value": hint, "return": None}

    assert tool(take).call({"value": sent}).ok
    assert [expected] == got
    assert expected == contract(hint).read(sent).result


def test_the_name_of_a_field_that_only_its_alias_fills_is_refused():
    def take(value):  # type: ignore[no-untyped-def]
        pass

    take.__annotations__ = {"value": ByAliasOnly, "return": None}
    called = tool(take).call({"value": {"size": 1}})
    read = contract(ByAliasOnly).read({"size": 1})

    assert ["value.size: unexpected key (did you mean sizeOf?)"] == [str(e) for e in called.errors]
    assert ["size: unexpected key (did you mean sizeOf?)"] == [str(e) for e in read.errors]


def test_the_other_names_reach_the_values_of_keys_that_are_no_text():
    found = contract(dict[int, Person])

    assert {1: Person(age=3)} == found.read({1: {"years": 3}}).result


def test_the_other_names_reach_a_model_that_refers_to_itself():
    found = contract(Person, recursive=True)

    assert (
        Person(friends=[Person(first_name="Ann")])
        == found.read({"friends": [{"first_name": "Ann"}]}).result
    )


class Guarded(pydantic.BaseModel):
    password: pydantic.SecretStr = pydantic.SecretStr("hunter2")


def test_a_secret_default_is_not_shown_and_stays_as_it_is():
    found = contract(Guarded)

    assert "() -> {password? :string}" == str(found.signature)
    assert ["the default is not shown: a SecretStr is not written as it is read"] == [
        warning.reason for warning in found.warnings
    ]
    assert "hunter2" == found.read({}).result.password.get_secret_value()

    def take(a: pydantic.SecretStr = pydantic.SecretStr("x"), b: Area = Area(3)) -> list[Any]:
        return [a.get_secret_value(), b.width]

    assert "(a? :string, b? {width :int}) -> [:any]" == str(tool(take).signature)
    assert ["x", 3] == tool(take).call({}).value
