"""Many objects are decoded as few are: models of pydantic, and absent fields."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from typing import Any, SupportsFloat

import attrs
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator, model_validator

import typesig
from tests.generators import LAW

MANY = 50


class Usual(BaseModel):
    id: int
    score: float
    tags: list[str]
    note: str | None = None


class Defaults(BaseModel):
    id: int = 3
    score: float | None = 1.5
    tags: list[str] = []
    names: list[str] = Field(default_factory=list)


class Nullable(BaseModel):
    id: int
    note: str | None


class Refusing(BaseModel):
    id: int
    level: int = Field(default=1, ge=0)

    @field_validator("id")
    @classmethod
    def not_unlucky(cls, value: int) -> int:
        if value == 13:
            raise ValueError("unlucky")
        return value * 2


class Changing(BaseModel):
    id: int

    @model_validator(mode="before")
    @classmethod
    def popped(cls, data: Any) -> Any:
        return {"id": data.pop("id") + 1}


class Whole(BaseModel):
    id: int
    first: Usual | None = None


class Aliased(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)
    first_name: str = Field(alias="firstName")


class Private(BaseModel):
    id: int
    _seen: int = PrivateAttr(7)


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: int


class Own(BaseModel):
    id: int

    def __init__(self, **data: Any) -> None:
        super().__init__(**{**data, "id": data["id"] + 1})


USUAL = {"id": 1, "score": 1.5, "tags": ["a"], "note": "x"}
FEWER = {"id": 1, "score": 1.5, "tags": ["a"]}
#: A class, and rows of which the first are repeated.
CASES: list[tuple[Any, list[Any]]] = [
    (Usual, [USUAL]),
    (Usual, [FEWER]),
    (Usual, [USUAL, FEWER]),
    (Usual, [USUAL, {**USUAL, "note": None}]),
    (Usual, [USUAL, {**USUAL, "score": 2}]),
    (Usual, [USUAL, {**USUAL, "score": 2**53 + 1}]),
    (Usual, [USUAL, {**USUAL, "score": "2.5"}]),
    (Usual, [USUAL, {**USUAL, "more": 1}]),
    (Usual, [USUAL, {**USUAL, "id": "x"}]),
    (Usual, [USUAL, {**USUAL, "Note": "y"}]),
    (Usual, [USUAL, 3]),
    (Defaults, [{"id": 1, "score": 2.5, "tags": ["a"], "names": []}]),
    (Defaults, [{"id": 1}, {"id": 3}, {}, {"score": None}, {"score": 1.5}, {"tags": []}]),
    (Nullable, [{"id": 1, "note": None}, {"id": 1, "note": "x"}, {"id": 1}]),
    (Refusing, [{"id": 1}]),
    (Refusing, [{"id": 1, "level": 2}, {"id": 13, "level": 2}, {"id": 2, "level": 2}]),
    (Refusing, [{"id": 1, "level": 1}, {"id": 13}, {"id": 13}]),
    (Changing, [{"id": 1}]),
    (Whole, [{"id": 1, "first": USUAL}, {"id": 1}, {"id": 1, "first": None}]),
    (Aliased, [{"firstName": " a "}]),
    (Private, [{"id": 1}]),
    (Closed, [{"id": 1}, {"id": 1, "more": 2}]),
    (Own, [{"id": 1}]),
]


@pytest.mark.parametrize(("cls", "rows"), CASES)
@pytest.mark.parametrize("mode", ["enabled", "strict"])
def test_many_models_are_read_as_few(cls: Any, rows: list[Any], mode: Any) -> None:
    many, one = typesig.contract(list[cls], mode=mode), typesig.contract(cls, mode=mode)
    repeated = [dict(rows[0]) for _ in range(MANY)] + rows
    read = many.read(repeated)
    apart = [one.read(row) for row in repeated]

    assert read.ok == all(each.ok for each in apart)
    if read.ok:
        assert [each.result for each in apart] == read.result
        assert [_set_of(each.result) for each in apart] == [_set_of(each) for each in read.result]
    else:
        paths = [(place, *e.path) for place, each in enumerate(apart) for e in each.errors]
        assert paths == [e.path for e in read.errors]


def _set_of(made: Any) -> Any:
    return getattr(made, "model_fields_set", None)


@dataclass
class OfDataclass:
    id: int
    note: str | None = None
    level: int = 3
    share: float | None = None
    last: str | None = None


@attrs.define
class OfAttrs:
    id: int
    note: str | None = None
    level: int = 3
    share: float | None = None
    last: str | None = None


class OfMsgspec(msgspec.Struct):
    id: int
    note: str | None = None
    level: int = 3
    share: float | None = None
    last: str | None = None


class Needy(msgspec.Struct):
    id: int
    note: str | None


@dataclass
class Dated:
    id: int
    on: date | None
    share: SupportsFloat


def test_an_absent_field_with_a_decoder_is_none_among_many() -> None:
    rows = [{"id": 1, "on": "2026-01-31", "share": 1}, {"id": 1, "share": 2.5}] * MANY
    many = typesig.contract(list[Dated]).read(rows)

    assert [Dated(1, date(2026, 1, 31), 1.0), Dated(1, None, 2.5)] * MANY == many.result
    assert {float} == {type(each.share) for each in many.result}


@settings(LAW)
@given(st.integers(0, 2**32))
def test_absent_fields_of_many_are_decoded_as_of_few(number: int) -> None:
    rng = random.Random(number)
    cls: Any = rng.choice((OfDataclass, OfAttrs, OfMsgspec, Needy, Usual, Defaults))
    whole = {"id": 1, "note": "x", "level": 4, "share": 1.5, "last": None, "tags": []}
    names = [name for name in whole if rng.random() < 0.7]
    rows = []
    for _ in range(MANY):
        kept = [name for name in names if rng.random() < 0.9]
        rng.shuffle(kept)
        rows.append({"id": 1, "score": 1.5} | {name: whole[name] for name in kept})
    many, one = typesig.contract(list[cls]), typesig.contract(cls)
    read, apart = many.read(rows), [one.read(row) for row in rows]

    assert read.ok == all(each.ok for each in apart)
    if read.ok:
        assert [each.result for each in apart] == read.result
        assert [_set_of(each.result) for each in apart] == [_set_of(each) for each in read.result]
