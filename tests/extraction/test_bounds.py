"""Bounds in results of every shape, and what pydantic's schemas and serializers come to."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

import annotated_types as at
import pydantic
import pytest
from pydantic_core import core_schema

import typesig
from typesig import contract, tool
from typesig.algebra.rows.constraints import Constraint
from typesig.extraction.libraries import pydantic_types
from typesig.validation.policy import Policy

Price = Annotated[Decimal, at.Ge(10)]

WARNING = Policy(on_issue="warn")


def tool_of(hint: Any, value: Any, **options: Any) -> Any:
    """Return the tool that returns *value* as *hint*."""

    def give():  # type: ignore[no-untyped-def]
        return value

    give.__annotations__ = {"return": hint}
    return tool(give, **options)


def errors_of(found: Any) -> list[str]:
    return [str(error) for error in found.errors]


def reasons_of(found: Any) -> list[str]:
    return [warning.reason for warning in found.warnings]


@dataclass
class Tree:
    price: Price
    below: list[Tree]


class Even:
    """A class whose schema is the schema of two parts that both hold."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        return core_schema.no_info_after_validator_function(
            lambda _: cls(),
            core_schema.int_schema(),
            serialization=core_schema.plain_serializer_function_ser_schema(lambda _: 4),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: Any, _handler: Any) -> Any:
        return {"allOf": [{"type": "integer", "minimum": 1}, {"type": "integer", "multipleOf": 2}]}


@dataclass
class Pair:
    price: Price
    even: Even


class Closed(pydantic.BaseModel, extra="forbid"):
    price: Price


def test_a_constraint_of_typesig_bounds_the_value():
    found = contract(Annotated[Decimal, Constraint("at_least", 10)])

    assert Decimal(100) == found.read('"100"').result
    assert ['expected at least 10 (got string "9")'] == errors_of(found.read('"9"'))


def test_a_format_does_not_bound_the_value():
    found = contract(Annotated[Decimal, Constraint("format", "decimal")])

    assert Decimal(9) == found.read('"9"').result


def test_a_bound_in_a_result_holds_below_a_name():
    value = Tree(Decimal(20), [Tree(Decimal(30), []), Tree(Decimal(3), [])])

    found = tool_of(Tree, value, recursive=True).call({})

    assert ["below[1].price: expected at least 10"] == errors_of(found)


@pytest.mark.parametrize(
    ("value", "errors"),
    [
        ([Decimal(30)], []),
        ([Decimal(30), Decimal(3)], ["[1]: expected at least 10"]),
        ({"a": Decimal(3)}, ["a: expected at least 10"]),
        (5, []),
    ],
)
def test_a_bound_in_a_result_holds_in_the_member_that_fits(value, errors):
    found = tool_of(list[Price] | dict[str, Price] | int, value).call({})

    assert errors == errors_of(found)


def test_a_bound_in_a_result_holds_beside_a_part_that_has_to_fit_two_types():
    give = tool_of(Pair, Pair(Decimal(3), Even()))

    assert "() -> {price :string[decimal], even :int[1..] & :int[%2]}" == str(give.signature)
    assert ["price: expected at least 10"] == errors_of(give.call({}))
    assert tool_of(Pair, Pair(Decimal(30), Even())).call({}).ok


@pytest.mark.parametrize(
    ("hint", "value", "warnings"),
    [
        (
            tuple[Price, int],
            (Decimal(3), 1, 2),
            ["[0]: expected at least 10", "expected 2 items, got 3"],
        ),
        (
            Closed,
            {"price": Decimal(3), "tax": 1},
            ["price: expected at least 10", "tax: unexpected key"],
        ),
    ],
)
def test_a_part_that_a_result_may_not_have_has_no_bounds(hint, value, warnings):
    found = tool_of(hint, value, mode=WARNING).call({})

    assert warnings == [str(warning) for warning in found.warnings]


def test_a_hint_for_pydantic_may_have_metadata_without_a_hash():
    found = contract(Annotated[pydantic.AwareDatetime, ["when"]])

    assert ":string[date-time]" == typesig.render(found.signature.returns)
    noon = datetime(2030, 1, 2, 12, tzinfo=UTC)
    assert noon == found.read('"2030-01-02T12:00:00Z"').result


def test_a_schema_that_cannot_be_read_is_any_with_a_warning():
    schema: dict[str, Any] = {}
    for _ in range(100):
        schema = {"type": "array", "items": schema}
    found = contract(Annotated[str, pydantic.WithJsonSchema(schema)])

    assert ":any" == typesig.render(found.signature.returns)
    assert [
        "its schema cannot be read: a JSON Schema may nest 64 schemas, this one has more, "
        "so it became :any"
    ] == reasons_of(found)


def kept(value: Any) -> Any:
    return value


def item_of(hint: Any) -> Any:
    """Return a hint whose schema has a definition with the name Item."""
    made: Any = pydantic.create_model("Item", value=(hint, ...))
    return Annotated[list[made], pydantic.AfterValidator(kept)]


def test_definitions_of_schemas_are_names():
    item = item_of(int)

    assert "() -> [[:Item], [:Item]] where Item = {value :int}" == str(
        contract(tuple[item, item]).signature
    )


def test_definitions_of_one_name_that_differ_are_names_of_their_own():
    found = contract(tuple[item_of(int), item_of(str)])

    assert "() -> [[:Item], [:Item2]] where Item = {value :int}, Item2 = {value :string}" == str(
        found.signature
    )
    assert ["[1][0].value: expected string, got int 1"] == errors_of(
        found.read('[[{"value": 1}], [{"value": 1}]]', mode="strict")
    )


def test_a_part_that_is_missing_on_a_path_is_at_its_path():
    class Person(pydantic.BaseModel):
        city: str = pydantic.Field(validation_alias=pydantic.AliasPath("address", "city"))

    found = contract(Person)

    assert ["its alias is a path, so it is left out"] == reasons_of(found)
    assert ["address.city: Field required"] == errors_of(found.read("{}"))


class Opaque:
    pass


def test_a_serializer_of_what_pydantic_cannot_read_is_left_out_with_a_warning():
    hint = Annotated[Opaque, pydantic.PlainSerializer(lambda _: 1)]
    give = tool_of(hint, Opaque())

    assert [
        "the metadata PlainSerializer(func=<function test_a_serializer_of_what_pyd is not understood "
        "and left out",
        "the class has no JSON form of its own, so it became :any",
    ] == reasons_of(give)
    assert ["a value of Opaque has no JSON form"] == errors_of(give.call({}))


def test_what_a_serializer_makes_has_to_have_a_json_form():
    hint = Annotated[Any, pydantic.PlainSerializer(lambda _: Opaque())]

    (error,) = errors_of(tool_of(hint, 1).call({}))

    assert error.startswith("Unable to serialize unknown type: ")


def test_a_serializer_of_all_fields_writes_each_field():
    class Quoted(pydantic.BaseModel):
        count: int = 1
        text: str = "a"

        @pydantic.field_serializer("*")
        def quote(self, value: Any) -> str:
            return f"<{value}>"

    give = tool_of(Quoted, Quoted())

    assert "() -> {count :string, text :string}" == str(give.signature)
    assert '{"count":"<1>","text":"<a>"}' == give.call({}).text()


def test_a_written_field_of_a_model_without_a_schema_is_any():
    class Holder(pydantic.BaseModel, arbitrary_types_allowed=True):
        count: int = 1
        held: Opaque

        @pydantic.field_serializer("count")
        def write(self, value: int) -> str:
            return str(value)

    give = tool_of(Holder, Holder(held=Opaque()))

    assert "() -> {count :any, held :any}" == str(give.signature)


def test_a_warning_of_a_written_field_calls_it_the_field():
    class Odd(pydantic.BaseModel):
        count: int

        @pydantic.field_serializer("count")
        def write(self, value: int) -> Annotated[str, pydantic.WithJsonSchema({"type": "odd"})]:
            return str(value)

    (warning,) = tool_of(Odd, Odd(count=1)).warnings

    assert str(warning).startswith(
        "returns.count: the field: its schema is read without a part: type: "
    )


def test_bounds_are_not_asked_of_a_result_that_does_not_fit():
    @tool
    def amounts() -> list[Annotated[Decimal, at.Ge(10)]]:
        return 5

    out = amounts.call(mode=typesig.Policy(on_issue="warn"))

    assert out.ok
    assert ["expected list, got int 5"] == [str(warning) for warning in out.warnings]


def test_a_schema_of_pydantic_that_leads_nowhere_is_a_warning():
    hint = Annotated[str, pydantic.WithJsonSchema({"$ref": "#/$defs/Nowhere"})]

    assert ":string" == str(typesig.contract(hint).signature).removeprefix("() -> ")
    assert typesig.contract(hint).warnings


def test_pydantic_is_not_asked_where_it_is_not_loaded(monkeypatch):
    monkeypatch.delitem(sys.modules, "pydantic")

    assert not pydantic_types.is_read_by_pydantic(pydantic.SecretStr, None)
    assert not pydantic_types.has_serializer(pydantic.SecretStr)
