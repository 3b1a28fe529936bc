"""Serializers of pydantic in the hints of results: each writes the part that it stands beside."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, NamedTuple, Protocol, TypeVar

import annotated_types as at
import attrs
import msgspec
import pydantic
import pydantic.dataclasses
import pytest
from pydantic_core import core_schema
from typing_extensions import TypeAliasType, TypedDict

import typesig
from typesig import contract, tool
from typesig.extraction.python_types.encoders import LeafEncoder, NullableEncoder, UnionEncoder
from typesig.extraction.serializer import write_by_plan


def shout(text: str) -> str:
    return text.upper()


def plus_one(number: int) -> int:
    return number + 1


def refuse(number: int) -> str:
    raise ValueError(f"no {number}")


def unhinted(number):  # type: ignore[no-untyped-def]
    return str(number)


def around(number, handler):  # type: ignore[no-untyped-def]
    return f"<{handler(number)}>"


Text = Annotated[int, pydantic.PlainSerializer(str)]
Hex = Annotated[int, pydantic.PlainSerializer(hex, return_type=str)]
Wrapped = Annotated[int, pydantic.WrapSerializer(around, return_type=str)]
Loud = Annotated[str, pydantic.PlainSerializer(shout)]
Refusing = Annotated[int, pydantic.PlainSerializer(refuse)]
T = TypeVar("T")


@dataclass
class Line:
    x: Text
    _seen: Any = None
    many: list[Hex] | None = None


@dataclass
class Other:
    x: int


class Item(TypedDict):
    x: Text


class Place(NamedTuple):
    x: Text
    y: int = 0


@attrs.define
class Order:
    x: Text


class Put(msgspec.Struct, tag="put", rename="camel"):
    the_x: Text


class Pair(msgspec.Struct, array_like=True):
    a: int
    b: Text


@dataclass
class Box(Generic[T]):
    content: T


class Named(Protocol):
    x: Text


@dataclass
class Outer:
    line: Line
    items: dict[str, Item]


class Model(pydantic.BaseModel):
    line: Line


class Listed(Model):
    @pydantic.model_serializer
    def _list(self) -> list[int]:
        return [1, 2]


class Extra(TypedDict, extra_items=Hex):
    x: int


class Holding(TypedDict, Generic[T]):
    x: Annotated[T, pydantic.PlainSerializer(str)]


Held = Holding[int]


class Lines(pydantic.RootModel[list[Line]]):
    pass


@dataclass
class Tree:
    size: Text
    below: list[Tree]


@dataclass
class Private:
    size: int
    _size: Refusing


@dataclass
class Chain:
    size: Text
    next: Chain | int | None = None


class Numbers(pydantic.RootModel[list[int]]):
    pass


Wrong = Annotated[int, pydantic.PlainSerializer(str, return_type=int)]
Below = TypeAliasType("Below", "list[Below] | Hex")


def tool_of(hint: Any, value: Any, **options: Any) -> Any:
    """Return the tool that returns *value* as *hint*."""

    def give():  # type: ignore[no-untyped-def]
        return value

    give.__annotations__ = {"return": hint}
    return tool(give, **options)


def shown(hint: Any, **options: Any) -> str:
    return typesig.render(tool_of(hint, None, **options).signature.returns)


RESULTS: list[tuple[Any, Any, str, Any]] = [
    (Line, Line(3, object(), [1]), "{x :string, _seen :any, many [:string]?}",
     {"x": "3", "many": ["0x1"]}),
    (Item, {"x": 3}, "{x :string}", {"x": "3"}),
    (Place, Place(3), "{x :string, y :int}", {"x": "3", "y": 0}),
    (Order, Order(3), "{x :string}", {"x": "3"}),
    (Put, Put(3), '{type :enum["put"], theX :string}', {"type": "put", "theX": "3"}),
    (Pair, Pair(1, 2), "[:int, :string]", {"items": [1, "2"]}),
    (Box[Text], Box(3), "{content :string}", {"content": "3"}),
    (Named, Other(3), "{x :string}", {"x": "3"}),
    (Named, 3, "{x :string}", None),
    (Model, Listed(line=Line(1)), "{line {x :string, _seen :any, many [:string]?}}", None),
    (Extra, {"x": 1, "y": 2}, "{x :int, ** :string}", {"x": 1, "y": "0x2"}),
    (Held, {"x": 1}, "{x :string}", {"x": "1"}),
    (Line, {"x": 3}, "{x :string, _seen :any, many [:string]?}", None),
    (Outer, Outer(Line(1), {"a": {"x": 2}}),
     "{line {x :string, _seen :any, many [:string]?}, items :map[{x :string}]}",
     {"line": {"x": "1"}, "items": {"a": {"x": "2"}}}),
    (Model, Model(line=Line(1)), "{line {x :string, _seen :any, many [:string]?}}",
     {"line": {"x": "1"}}),
    (Lines, Lines([Line(1)]), "[{x :string, _seen :any, many [:string]?}]",
     {"items": [{"x": "1"}]}),
    (Numbers, Numbers([1]), "[:int]", {"items": [1]}),
    (Wrapped, 3, ":string", "<3>"),
    (Wrong | Text, 3, ":int|:string", "3"),
    (Text | None, 3, ":string?", "3"),
    (Text | None, None, ":string?", None),
    (Line | None, None, "{x :string, _seen :any, many [:string]?}?", None),
    (list[Hex], (1,), "[:string]", {"items": ["0x1"]}),
    (Iterator[Hex], iter([1]), "[:string]", {"items": ["0x1"]}),
    (Iterable[Hex], {1}, "[:string]", {"items": ["0x1"]}),
    (set[Hex], {1, 2}, "#{:string}", {"items": ["0x1", "0x2"]}),
    (tuple[int, Hex], (1, 2), "[:int, :string]", {"items": [1, "0x2"]}),
    (tuple[Hex, ...], (1, 2), "[:string]", {"items": ["0x1", "0x2"]}),
    (tuple[int, *tuple[Hex, ...]], (1, 2, 3), "[:int, ** :string]",
     {"items": [1, "0x2", "0x3"]}),
    (dict[str, Hex], {"a": 1}, ":map[:string]", {"a": "0x1"}),
    (Mapping[Hex, int], {1: 1}, ":map[:int]", {"0x1": 1}),
    (Annotated[list[Hex], at.MaxLen(2)], [1], "[:string][..2]", {"items": ["0x1"]}),
    (Hex | str, "a", ":string", "a"),
    (Hex | str, 1, ":string", "0x1"),
    (Annotated[float, pydantic.PlainSerializer(str)] | bool, 1, ":string|:bool", "1"),
    (Annotated[float, pydantic.PlainSerializer(str)] | bool, None, ":string|:bool", None),
    (Annotated[int | str, pydantic.PlainSerializer(str)] | list[int], "1",
     ":string|[:int]", "1"),
    (Annotated[int | str, pydantic.PlainSerializer(str)] | list[int], [1],
     ":string|[:int]", [1]),
    (Annotated[Literal["a"], pydantic.PlainSerializer(str)] | int, "a", ":string|:int", "a"),
    (list[Hex] | Line, Line(3), "[:string]|{x :string, _seen :any, many [:string]?}",
     {"x": "3"}),
    (Other | Line, Line(3), "{x :int}|{x :string, _seen :any, many [:string]?}", {"x": "3"}),
    (Other | Line, Other(3), "{x :int}|{x :string, _seen :any, many [:string]?}", {"x": 3}),
    (Annotated[dt.date, pydantic.PlainSerializer(dt.date.toordinal, return_type=int)] | str,
     "a", ":int|:string", "a"),
    (tuple[Literal["ok"], Hex] | tuple[Literal["error"], Loud], ("ok", 1),
     "{result :string, error :string?}", {"result": "0x1"}),
    (tuple[Literal["ok"], Hex] | tuple[Literal["error"], Loud], ("error", "a"),
     "{result :string, error :string?}", {"result": None, "error": "A"}),
    (pydantic.SerializeAsAny[Other], Other(3), "{x :int}", {"x": 3}),
    (Annotated[Line, pydantic.WrapSerializer(around)], Line(1), ":any", None),
    (Annotated[Place, pydantic.AfterValidator(lambda p: p)], Place(1), "{x :string, y :int}",
     {"x": "1", "y": 0}),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "value", "written", "expected"), RESULTS)
def test_a_serializer_in_the_hint_of_a_result_writes_its_part(hint, value, written, expected):
    give = tool_of(hint, value)
    found = give.call({})

    assert written == typesig.render(give.signature.returns)
    if expected is not None:
        assert expected == found.for_model()


def test_what_a_serializer_of_a_private_field_says_is_not_told():
    found = tool_of(Private, Private(1, 2)).call({})

    assert ["<Firewalled>: this value does not conform"] == [str(error) for error in found.errors]


def test_what_a_serializer_refuses_is_an_error_at_its_place():
    found = tool_of(list[dict[str, Refusing]], [{}, {"a": 3}]).call({})

    (error,) = found.errors
    assert str(error).startswith("[1].a: Error calling function `refuse`: ValueError: no 3")


def test_what_the_serializers_of_a_union_refuse_is_an_error_if_no_branch_takes_it():
    refused = tool_of(Refusing | list[int], 3).call({})
    taken = tool_of(Refusing | Annotated[int, at.Ge(1)], 3).call({})
    formless = tool_of(Annotated[object, pydantic.PlainSerializer(shout)] | int, object()).call({})

    assert str(refused.errors[0]).startswith("Error calling function `refuse`: ")
    assert 3 == taken.for_model()
    assert str(formless.errors[0]).startswith("Error calling function `shout`: ")


def test_serializers_in_records_that_refer_to_themselves_write_each_of_them():
    give = tool_of(Tree, Tree(1, [Tree(2, [])]), recursive=True)

    assert "() -> :Tree where Tree = {size :string, below [:Tree]}" == str(give.signature)
    assert {"size": "1", "below": [{"size": "2", "below": []}]} == give.call({}).for_model()


def test_a_record_within_itself_may_be_one_branch_of_a_union():
    chain = Chain(1, Chain(2, Chain(3, 4)))
    written = tool_of(Chain, chain, recursive=True).call({}).for_model()

    assert {"size": "1", "next": {"size": "2", "next": {"size": "3", "next": 4}}} == written


def test_serializers_in_aliases_that_refer_to_themselves_write_each_of_them():
    give = tool_of(dict[str, Below], {"a": [1, [2]]}, recursive=True)
    twice = tool_of(
        tuple[Below, Below, Tree, Tree], ([1], 2, Tree(1, []), Tree(2, [])), recursive=True
    )

    assert {"a": ["0x1", ["0x2"]]} == give.call({}).for_model()
    tree = {"size": "1", "below": []}
    assert {"items": [["0x1"], "0x2", tree, tree | {"size": "2"}]} == twice.call({}).for_model()


def test_a_recursive_result_without_serializers_is_written_as_before():
    @dataclass
    class Node:
        below: list[Node]

    node = Node([])
    node.below.append(node)
    (error,) = tool_of(Node, node, recursive=True).call({}).errors

    assert str(error).endswith("nested too deep, or inside itself")


def test_the_profile_of_ptc_runner_has_serializers_too():
    hint = dict[str, tuple[int, Hex]]
    give = tool_of(hint, {"a": (1, 2)}, profile="ptc_runner")

    assert ":map" == typesig.render(give.signature.returns)
    assert {"a": [1, "0x2"]} == give.call({}).for_model()


def test_an_explicit_signature_tells_what_is_returned_instead_of_the_hint():
    def give() -> Text:
        return 3

    assert 3 == tool("() -> :int")(give).call({}).for_model()


@pytest.mark.parametrize("cls", [Line, Item, Place, Order, Put])
def test_a_serializer_does_not_concern_what_is_sent(cls):
    assert "x :int" in typesig.render(contract(cls).signature.returns).replace("theX", "x")


@dataclass
class Raised:
    x: Annotated[int, pydantic.AfterValidator(plus_one)]


class RaisedItem(TypedDict):
    x: Annotated[int, pydantic.AfterValidator(plus_one)]


class RaisedPlace(NamedTuple):
    x: Annotated[int, pydantic.AfterValidator(plus_one)]


@attrs.define
class RaisedOrder:
    x: Annotated[int, pydantic.AfterValidator(plus_one)]


@pytest.mark.parametrize("cls", [Raised, RaisedItem, RaisedPlace, RaisedOrder])
def test_a_validator_in_a_field_runs_on_what_is_sent(cls):
    assert cls(x=2) == contract(cls).read('{"x": 1}').result


# what a serializer does not state


@pydantic.dataclasses.dataclass
class Pydantic:
    x: int = 1

    @pydantic.field_serializer("x")
    def _x(self, x):  # type: ignore[no-untyped-def]
        return str(x)


class Unhinted(pydantic.BaseModel):
    x: int = 1
    z: Annotated[int, pydantic.PlainSerializer(unhinted)] = 2
    s: Annotated[int, pydantic.PlainSerializer(str)] = 3
    below: list[Unhinted] = []

    @pydantic.computed_field
    @property
    def y(self) -> int:
        return 1

    @pydantic.field_serializer("x", "y")
    def _x(self, x):  # type: ignore[no-untyped-def]
        return str(x)


class All(pydantic.BaseModel):
    x: int = 1

    @pydantic.field_serializer("*")
    def _all(self, x):  # type: ignore[no-untyped-def]
        return str(x)


class Whole(pydantic.BaseModel):
    x: int = 1

    @pydantic.model_serializer
    def _whole(self):  # type: ignore[no-untyped-def]
        return str(self.x)


class Own:
    """A class that states its JSON, and writes itself by a function."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        write = core_schema.plain_serializer_function_ser_schema(lambda _: "own")
        return core_schema.no_info_after_validator_function(
            lambda _: cls(), core_schema.str_schema(), serialization=write
        )


@pytest.mark.parametrize(
    ("hint", "value", "written", "expected"),
    [
        (Annotated[int, pydantic.PlainSerializer(unhinted)], 3, ":any", "3"),
        (Annotated[Line, pydantic.WrapSerializer(around)], None, ":any", None),
        (list[Annotated[int, pydantic.PlainSerializer(unhinted)]], [3], "[:any]", {"items": ["3"]}),
        (Pydantic, Pydantic(), "{x :any}", {"x": "1"}),
        (All, All(), "{x :any}", {"x": "1"}),
        (Whole, Whole(), ":any", "1"),
    ],
)
def test_what_a_serializer_without_a_stated_result_returns_is_any_with_a_warning(
    hint, value, written, expected
):
    give = tool_of(hint, value)

    assert written == typesig.render(give.signature.returns)
    assert ["its serializer does not state what it returns, so it became :any"] == [
        warning.reason for warning in give.warnings
    ]
    if expected is not None:
        assert expected == give.call({}).for_model()


def test_each_field_whose_serializer_states_nothing_is_told_of():
    give = tool_of(Unhinted, Unhinted(), recursive=True)

    assert "{x :any, z :any, s :string, below [:Unhinted], y :any}" in str(give.signature)
    assert ["returns.x", "returns.z", "returns.y"] == [warning.place for warning in give.warnings]


class Opaque:
    """A class without a form."""


def test_a_serializer_of_what_a_variable_stands_for_is_told_of_if_pydantic_cannot_read_it():
    give = tool_of(Holding[Opaque], {"x": Opaque()})

    assert give.warnings[0].reason.startswith("pydantic has no schema for it: Unable to generate")
    assert ["x: a value of Opaque has no JSON form"] == [str(e) for e in give.call({}).errors]


def test_a_text_or_a_tuple_of_another_length_stays_as_it_is():
    assert ['expected list, got string "a"'] == [
        str(error) for error in tool_of(list[Hex], "a").call({}).errors
    ]
    assert not tool_of(tuple[int, Hex], (1,)).call({}).ok
    assert not tool_of(list[Hex], Place(1)).call({}).ok


def test_a_set_is_written_as_a_list_if_its_items_become_maps():
    as_map = pydantic.PlainSerializer(lambda n: {"n": n}, return_type=dict[str, int])

    assert {"items": [{"n": 1}, {"n": 2}]} == tool_of(set[Annotated[int, as_map]], {2, 1}).call(
        {}
    ).for_model()


def test_a_class_that_states_its_json_is_believed():
    assert ":string" == shown(Own)
    assert "own" == tool_of(Own, Own()).call({}).for_model()


@dataclass
class Kept:
    x: int
    _y: int


def kept(value: Any, handler: Any) -> Kept:
    return handler(value)


def test_a_schema_of_pydantic_has_the_firewall_of_hints_in_results():
    give = tool_of(Annotated[Kept, pydantic.WrapSerializer(kept)], Kept(1, 2))

    assert "{x :int, _y :int}" == typesig.render(give.signature.returns)
    assert "give() -> {x :int}" == give.prompt().strip()
    assert {"x": 1} == give.call({}).for_model()


@dataclass
class Decorated:
    x: int
    y: int = 1
    _z: int = 2

    @pydantic.field_serializer("x")
    def _text(self, x: int) -> str:
        return f"<{x}>"

    @pydantic.field_validator("x")
    @classmethod
    def _positive(cls, x: int) -> int:
        if x < 0:
            raise ValueError("expected a positive number")
        return x


class Inherits(Decorated):
    pass


Inherits = dataclass(Inherits)  # type: ignore[misc]


@pytest.mark.parametrize("cls", [Decorated, Inherits])
def test_methods_of_a_dataclass_that_pydantic_knows_validate_and_serialize(cls):
    asked, give = contract(cls), tool_of(list[cls], [cls(3)])

    assert "{x :int, y :int = 1, _z :int = 2}" == typesig.render(asked.signature.returns)
    assert cls(2) == asked.read('{"x": 2}').result
    assert ["x: Value error, expected a positive number (got int -1)"] == [
        str(error) for error in asked.read('{"x": -1}').errors
    ]
    assert "give() -> [{x :string, y? :int}]" == give.prompt().strip()
    assert {"items": [{"x": "<3>", "y": 1}]} == give.call({}).for_model()


def test_the_branch_of_a_union_that_writes_a_value_may_be_a_union_or_nullable() -> None:
    texts = LeafEncoder(lambda value: isinstance(value, str), str.upper)
    inner = UnionEncoder([(lambda written: isinstance(written, str), texts), (bool, None)])
    plan = UnionEncoder([(lambda written: written is None, NullableEncoder(inner)), (bool, inner)])

    assert write_by_plan(plan, "a") == "A"
    assert write_by_plan(plan, None) is None
    assert write_by_plan(plan, 3) == 3
