"""Each hint that msgspec supports and has a JSON Schema for is read without its help."""

from __future__ import annotations

import collections.abc as cabc
import datetime
import decimal
import enum
import sys
import typing
import uuid
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, Literal, NamedTuple, NewType, TypeVar

import attrs
import msgspec
import pytest
from typing_extensions import TypedDict

import typesig
from typesig import contract, tool

T = TypeVar("T")


class Struct(msgspec.Struct):
    a: int


class Box(msgspec.Struct, Generic[T]):
    a: T


class First(msgspec.Struct, tag=True):
    a: int


class Second(msgspec.Struct, tag=True):
    b: int


class Shade(enum.Enum):
    DARK = "dark"


class Size(enum.IntEnum):
    SMALL = 1


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Item(TypedDict):
    a: int


class Place(NamedTuple):
    a: int


@dataclass
class Point:
    a: int


@attrs.define
class Order:
    a: int


#: The hints of msgspec's page of supported types, each with its type.
SUPPORTED: list[tuple[Any, str]] = [
    (None, ":nil"),
    (bool, ":bool"),
    (int, ":int"),
    (float, ":float"),
    (str, ":string"),
    (bytes, ":string[base64]"),
    (bytearray, ":string[base64]"),
    (memoryview, ":string[base64]"),
    (list, "[:any]"),
    (list[int], "[:int]"),
    (tuple[int, ...], "[:int]"),
    (tuple[int, str], "[:int, :string]"),
    (set, "#{:any}"),
    (frozenset[int], "#{:int}"),
    (dict, ":map"),
    (dict[int, str], ":map[:int :string]"),
    (dict[datetime.date, int], ":map[:string[date] :int]"),
    (datetime.datetime, ":datetime"),
    (datetime.date, ":string[date]"),
    (datetime.time, ":string[time]"),
    (datetime.timedelta, ":string[duration]"),
    (Annotated[datetime.datetime, msgspec.Meta(tz=True)], ":datetime"),
    (uuid.UUID, ":string[uuid]"),
    (decimal.Decimal, ":string[decimal]"),
    (Shade, ':enum["dark"]'),
    (Size, ":enum[1]"),
    (Access, '(:enum[0 1 2 3] "a sum of 1 READ, 2 WRITE")'),
    (Item, "{a :int}"),
    (Place, "{a :int}"),
    (Point, "{a :int}"),
    (Order, "{a :int}"),
    (Struct, "{a :int}"),
    (Box[int], "{a :int}"),
    (First | Second, '{type :enum["First"], a :int}|{type :enum["Second"], b :int}'),
    (Any, ":any"),
    (msgspec.Raw, ":any"),
    (Literal[1, "a", None], ':enum[1 "a"]?'),
    (NewType("Id", int), ":int"),
    (Final[int], ":int"),
    (int | msgspec.UnsetType, ":int"),
    (int | None | msgspec.UnsetType, ":int?"),
    (cabc.Collection[int], "[:int]"),
    (cabc.Sequence[int], "[:int]"),
    (cabc.MutableSequence[int], "[:int]"),
    (cabc.Set[int], "#{:int}"),
    (cabc.MutableSet[int], "#{:int}"),
    (cabc.Mapping[str, int], ":map[:int]"),
    (cabc.MutableMapping[str, int], ":map[:int]"),
    (Annotated[str, msgspec.Meta(pattern="^a")], ":string[/^a/]"),
    (Annotated[dict[str, int], msgspec.Meta(min_length=1)], ":map[:int][1..]"),
    (Annotated[int, msgspec.Meta(ge=1, description="count")], '(:int[1..] "count")'),
]


@pytest.mark.parametrize(("hint", "expected"), SUPPORTED, ids=[repr(row[0]) for row in SUPPORTED])
def test_a_hint_that_msgspec_has_a_schema_for_is_read_without_a_warning(hint, expected):
    found = contract(hint)

    assert msgspec.json.schema(hint) is not None
    assert (expected, ()) == (typesig.render(found.signature.returns), found.warnings)


@pytest.mark.parametrize("hint", [msgspec.msgpack.Ext, msgspec.UnsetType, range, typing.Pattern])
def test_msgspec_has_no_schema_for_other_types_of_its_own(hint):
    with pytest.raises(TypeError):
        msgspec.json.schema(hint)


def test_what_is_unset_in_a_result_is_told_of():
    def give() -> int | msgspec.UnsetType:
        return msgspec.UNSET

    (error,) = tool(give).call({}).errors
    assert "a value of UnsetType has no JSON form" == str(error)


def test_a_parameter_that_is_unset_by_default_is_left_to_its_default():
    @tool
    def give(x: int | msgspec.UnsetType = msgspec.UNSET) -> str:
        return repr(x)

    assert "(x? :int) -> :string" == str(give.signature)
    assert ["UNSET", "3"] == [give.call(sent).value for sent in ({}, {"x": 3})]


@dataclass
class Patch:
    a: int
    b: int | msgspec.UnsetType = msgspec.UNSET


@attrs.define
class Change:
    a: int
    b: int | msgspec.UnsetType = msgspec.UNSET


@pytest.mark.parametrize("cls", [Patch, Change])
def test_a_field_that_is_unset_is_left_out_of_a_result_as_msgspec_does(cls):
    def give() -> list[cls]:  # type: ignore[valid-type]
        return [cls(1), cls(1, 2)]

    give.__annotations__ = {"return": list[cls]}
    made = tool(give)

    assert "() -> [{a :int, b? :int}]" == str(made.signature)
    assert ([{"a": 1}, {"a": 1, "b": 2}], ()) == (made.call({}).for_model()["items"], made.warnings)
    assert [{"a": 1}, {"a": 1, "b": 2}] == msgspec.to_builtins(give())


def test_no_field_is_unset_if_msgspec_is_not_loaded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(sys.modules, "msgspec")

    def give() -> Point:
        return Point(1)

    assert "() -> {a :int}" == str(tool(give).signature)
