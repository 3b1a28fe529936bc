"""The methods of a signature, on the examples of PtcRunner's `Signature` module.

PtcRunner's `from_json_schema` returns a type; ours returns a signature without parameters, and
raises an error where PtcRunner returns one.  `profile="ptc_runner"` reads exactly what PtcRunner
reads.
"""

from __future__ import annotations

import copy
import datetime
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import typesig
from typesig import Signature
from typesig.algebra import Keyword
from typesig.algebra.loss import select_changing
from typesig.algebra.nodes import (
    ANY,
    BOOL,
    DATETIME,
    FLOAT,
    INT,
    KEYWORD,
    MAP,
    STRING,
    Field,
    List,
    Maybe,
    Record,
    Type,
)
from typesig.errors import SignatureSyntaxError, Unsupported


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


TYPES = [
    # shorthand, the type, values that conform and one that does not
    pytest.param(":string", STRING, ["a", ""], 1, id="string"),
    pytest.param(":int", INT, [1, -1], "1", id="int"),
    pytest.param(":float", FLOAT, [1.5, 2], "1.5", id="float"),
    pytest.param(":bool", BOOL, [True, False], 0, id="bool"),
    pytest.param(":keyword", KEYWORD, [Keyword("a")], "a", id="keyword"),
    pytest.param(":map", MAP, [{}, {"a": [1]}], [], id="map"),
    pytest.param(
        ":datetime", DATETIME, [datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)],
        # A result is an aware datetime; only input is decoded from text.
        "2026-01-01T00:00:00Z",
        id="datetime",
    ),
    pytest.param(":int?", Maybe(INT), [None, 1], "1", id="nullable"),
    pytest.param("[:int]", List(INT), [[], [1]], {}, id="list"),
    pytest.param("{x :int}", Record((Field("x", INT),), ANY), [{"x": 1}, {"x": 1, "y": 2}], {}, id="open map"),
    pytest.param("{x :int}!", Record((Field("x", INT),), None), [{"x": 1}], {"x": 1, "y": 2}, id="closed map"),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "tree", "conforming", "other"), TYPES)
def test_each_type_is_parsed_rendered_and_checked(
    shorthand: str, tree: Type, conforming: list[object], other: object
) -> None:
    signature = typesig.parse(shorthand)

    assert Signature((), tree) == signature
    assert shorthand == typesig.render(tree)
    assert f"() -> {shorthand}" == typesig.render(signature)
    assert [True] * len(conforming) == [signature.accepts(value) for value in conforming]
    assert not signature.accepts(other)


def test_any_takes_every_value() -> None:
    signature = typesig.parse(":any")

    assert Signature((), ANY) == signature
    assert [True] * 4 == [signature.accepts(value) for value in (None, 1, "a", object())]


PARSED = [
    pytest.param(
        "(name :string) -> {greeting :string}",
        Signature((Field("name", STRING),), Record((Field("greeting", STRING),), ANY)),
        id="a parameter and a record",
    ),
    pytest.param("{count :int}", Signature((), Record((Field("count", INT),), ANY)), id="a record only"),
    pytest.param("() -> :string", Signature((), STRING), id="no parameters"),
    pytest.param(
        "() -> {sentiment :string, score :float}",
        Signature((), Record((Field("sentiment", STRING), Field("score", FLOAT)), ANY)),
        id="two fields",
    ),
    pytest.param("() -> [:int]", Signature((), List(INT)), id="a list"),
    pytest.param(
        "() -> {count :int, items [:string]}",
        Signature((), Record((Field("count", INT), Field("items", List(STRING))), ANY)),
        id="a list in a field",
    ),
    pytest.param("() -> :int", Signature((), INT), id="a scalar"),
    # `T?` on a field or a parameter makes it both optional and nullable.
    pytest.param("(name :string?) -> :any", Signature((Field("name", Maybe(STRING), False),), ANY), id="an optional parameter"),
    pytest.param("{name :string?}", Signature((), Record((Field("name", Maybe(STRING), False),), ANY)), id="an optional field"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "signature"), PARSED)
def test_a_signature_is_parsed_to_its_tree_and_rendered_back(
    written: str, signature: Signature
) -> None:
    assert signature == typesig.parse(written)
    # A signature is always rendered with its parameter list.
    assert (written if "->" in written else f"() -> {written}") == typesig.render(written)


def test_an_invalid_text_is_refused() -> None:
    with pytest.raises(SignatureSyntaxError):
        typesig.parse("invalid")


def test_data_that_fits_has_no_errors() -> None:
    signature = typesig.parse("() -> {count :int, items [:string]}")

    outcome = signature.validate({"count": 5, "items": ["a", "b"]})

    assert outcome.ok
    assert {"count": 5, "items": ["a", "b"]} == outcome.value


def test_data_with_keyword_keys_has_no_errors() -> None:
    signature = typesig.parse("() -> {count :int, items [:string]}")

    assert signature.validate({Keyword("count"): 5, Keyword("items"): ["a", "b"]}).ok


def test_an_error_has_a_path_and_shows_the_value() -> None:
    (error,) = typesig.parse("() -> :int").validate("not an int").errors

    assert () == error.path
    assert 'expected int, got string "not an int"' == error.message


@pytest.mark.parametrize(
    ("value", "path"),
    [
        pytest.param({"items": [{"id": 1}, {"id": "x"}]}, ("items", 1, "id"), id="three steps"),
        pytest.param({"items": [{}]}, ("items", 0, "id"), id="a missing key"),
        pytest.param({}, ("items",), id="one step"),
        pytest.param([], (), id="the root"),
    ],
)  # fmt: skip
def test_the_path_of_an_error_has_names_and_positions(
    value: object, path: tuple[str | int, ...]
) -> None:
    (error,) = typesig.parse("{items [{id :int}]}").validate(value).errors

    assert path == error.path


INPUTS = [
    pytest.param({"id": 1}, [], id="fits"),
    pytest.param({"id": "1"}, [], id="coerced"),
    pytest.param({"id": "x"}, ['id: expected int, got string "x"'], id="wrong"),
    pytest.param({}, ["id: expected int, got nil (missing)"], id="missing"),
    pytest.param(None, ["id: expected int, got nil (missing)"], id="no arguments"),
]


@pytest.mark.parametrize(("value", "errors"), INPUTS)
def test_parameters_are_checked(value: object, errors: list[str]) -> None:
    assert errors == lines(typesig.parse("(id :int) -> :any").validate_input(value).errors)


@pytest.mark.parametrize("shorthand", ["{x :int}!", "(v {x :int}!) -> :any"])
def test_a_closed_map_rejects_undeclared_fields(shorthand: str) -> None:
    signature = typesig.parse(shorthand)
    data = {"x": 1, "y": 2}

    outcome = (
        signature.validate_input({"v": data}) if signature.params else signature.validate(data)
    )

    assert ["v.y: unexpected key" if signature.params else "y: unexpected key"] == lines(
        outcome.errors
    )


def test_an_open_map_tolerates_undeclared_fields() -> None:
    assert {"x": 1, "y": 2} == typesig.parse("{x :int}").validate({"x": 1, "y": 2}).value


def test_a_closed_map_rejects_a_key_in_both_spellings() -> None:
    signature = typesig.parse("{user_id :int}!")

    assert ['user_id: given twice, as "user_id" and "user-id"'] == lines(
        signature.validate({"user_id": 1, "user-id": "x"}).errors
    )


ONE_TYPE = [
    pytest.param(":string", {"type": "string"}, id="string"),
    pytest.param(":int", {"type": "integer"}, id="int"),
    pytest.param(":float", {"type": "number"}, id="float"),
    pytest.param(":bool", {"type": "boolean"}, id="bool"),
    pytest.param("[:string]", {"type": "array", "items": {"type": "string"}}, id="list"),
    pytest.param("{}", {"type": "object"}, id="map"),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "schema"), ONE_TYPE)
def test_a_type_is_written_as_json_schema_and_read_back(
    shorthand: str, schema: dict[str, Any]
) -> None:
    type_ = typesig.parse(shorthand).returns

    assert schema == typesig.render(type_, "json_schema")
    assert type_ == typesig.from_json_schema(schema).returns
    assert type_ == typesig.from_json_schema(schema, profile="ptc_runner").returns


READ = [
    # JSON Schema, the type in profile ptc_runner, the exact type
    pytest.param({"type": "integer"}, INT, ":int", id="integer"),
    pytest.param({"type": "array", "items": {"type": "string"}}, List(STRING), "[:string]", id="array"),
    pytest.param(
        {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]},
        Record((Field("count", INT),), ANY), "{count :int}",
        id="object",
    ),
    pytest.param(
        {"type": "object", "properties": {"name": {"type": "string"}}},
        Record((Field("name", Maybe(STRING), False),), ANY), "{name? :string}",
        id="an optional property",
    ),
    pytest.param(
        {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": False},
        Record((Field("x", INT),), None), "{x :int}!",
        id="a closed map",
    ),
    pytest.param(
        {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": True},
        Record((Field("x", INT),), ANY), "{x :int}",
        id="an open map",
    ),
    pytest.param(
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "boolean"}}}}}, "required": ["a"]},
        Record((Field("a", List(Record((Field("b", Maybe(BOOL), False),), ANY))),), ANY), "{a [{b? :bool}]}",
        id="nested",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "tree", "exact"), READ)
def test_json_schema_is_read_as_the_profile_has_it_or_exactly(
    schema: dict[str, Any], tree: Type, exact: str
) -> None:
    assert Signature((), tree) == typesig.from_json_schema(schema, profile="ptc_runner")
    assert f"() -> {exact}" == typesig.render(typesig.from_json_schema(schema))


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"type": "object", "properties": {}, "required": ["missing"]}, id="an undeclared name"),
        pytest.param({"type": "object", "properties": {}, "required": [1]}, id="a name that is no text"),
        pytest.param({"anyOf": [{"type": "string"}, {"type": "integer"}]}, id="combinators"),
        pytest.param({"type": "array", "items": {"$ref": "#"}}, id="$ref"),
        pytest.param({"type": "string", "enum": ["a"]}, id="enum"),
        pytest.param({"type": "string", "pattern": "a"}, id="pattern"),
    ],
)  # fmt: skip
def test_profile_ptc_runner_refuses_what_ptc_runner_does_not_read(schema: dict[str, Any]) -> None:
    with pytest.raises(Unsupported):
        typesig.from_json_schema(schema, profile="ptc_runner")


def test_a_required_name_that_is_not_declared_is_read_exactly() -> None:
    # Profile ptc_runner refuses such a name; in JSON Schema it is valid.
    schema = {"type": "object", "properties": {}, "required": ["missing"]}

    assert "() -> {missing :any}" == typesig.render(typesig.from_json_schema(schema))


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_losses_are_kept_beside_what_is_compared(again: Callable[[Any], Any]) -> None:
    schema = {"type": "integer", "minimum": "1"}
    lossy = typesig.from_json_schema(schema, lossy=True)
    exact = typesig.parse(":int")
    made = again(lossy)

    assert [("minimum",)] == [loss.path for loss in made.losses]
    assert (exact, hash(exact)) == (made, hash(made))


def test_losses_of_both_schemas_are_those_of_a_tools_signature() -> None:
    schema = {"properties": {"pin": {"type": "string", "writeOnly": True, "minLength": -1}}}
    signature = typesig.from_json_schema(schema, {"type": "integer", "minimum": "1"}, lossy=True)

    assert [("input", "properties", "pin", "minLength"), ("output", "minimum")] == [
        loss.path for loss in select_changing(signature.losses)
    ]
    assert {"pin"} == signature.secrets


def test_what_a_tool_has_no_schema_of_is_anything() -> None:
    assert "() -> :any" == str(typesig.from_json_schema(None, None))
    assert "() -> :int" == str(typesig.from_json_schema({}, {"type": "integer"}))
    with pytest.raises(Unsupported, match="a schema is an object, true or false"):
        typesig.from_json_schema(None)


def test_a_result_is_validated_by_one_function_of_two_names() -> None:
    assert vars(Signature)["validate_output"] is vars(Signature)["validate"]
