"""Seed 004 (the `Signature` module): its types, its functions, and all their examples.

Seed 004's `from_json_schema` returns a type; ours returns a signature without parameters, and where
it says `{:error, reason}`, ours raises. `profile="ptc_runner"` reads to its letter.
"""

from __future__ import annotations

import datetime
from typing import Any

import pytest

import typesig
from typesig import Keyword, Signature, SignatureSyntaxError, Unsupported
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


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


TYPES = [
    # shorthand, the tree (seed: `type()`), values that conform and one that does not
    pytest.param(":string", STRING, ["a", ""], 1, id="004 types :string"),
    pytest.param(":int", INT, [1, -1], "1", id="004 types :int"),
    pytest.param(":float", FLOAT, [1.5, 2], "1.5", id="004 types :float"),
    pytest.param(":bool", BOOL, [True, False], 0, id="004 types :bool"),
    pytest.param(":keyword", KEYWORD, [Keyword("a")], "a", id="004 types :keyword"),
    pytest.param(":map", MAP, [{}, {"a": [1]}], [], id="004 types :map"),
    pytest.param(
        ":datetime", DATETIME, [datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)],
        # decision 12: a result is an aware datetime.
        "2026-01-01T00:00:00Z",
        id="004 types :datetime",
    ),
    pytest.param(":int?", Maybe(INT), [None, 1], "1", id="004 types {:optional, type()}"),
    pytest.param("[:int]", List(INT), [[], [1]], {}, id="004 types {:list, type()}"),
    pytest.param("{x :int}", Record((Field("x", INT),), ANY), [{"x": 1}, {"x": 1, "y": 2}], {}, id="004 types {:map, [field()]}"),
    pytest.param("{x :int}!", Record((Field("x", INT),), None), [{"x": 1}], {"x": 1, "y": 2}, id="004 types {:closed_map, [field()]}"),
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
    # "004 types :any"
    signature = typesig.parse(":any")

    assert Signature((), ANY) == signature
    assert [True] * 4 == [signature.accepts(value) for value in (None, 1, "a", object())]


PARSED = [
    pytest.param(
        "(name :string) -> {greeting :string}",
        Signature((Field("name", STRING),), Record((Field("greeting", STRING),), ANY)),
        id="004 moduledoc, name and greeting",
    ),
    pytest.param("{count :int}", Signature((), Record((Field("count", INT),), ANY)), id="004 moduledoc, shorthand"),
    pytest.param(
        "(id :int) -> {name :string}",
        Signature((Field("id", INT),), Record((Field("name", STRING),), ANY)),
        id="004 parse, id and name",
    ),
    pytest.param("() -> :string", Signature((), STRING), id="004 parse, no parameters"),
    pytest.param("{count :int}", Signature((), Record((Field("count", INT),), ANY)), id="004 parse, result alone"),
    pytest.param(
        "() -> {sentiment :string, score :float}",
        Signature((), Record((Field("sentiment", STRING), Field("score", FLOAT)), ANY)),
        id="004 to_json_schema, its signature",
    ),
    pytest.param("() -> [:int]", Signature((), List(INT)), id="004 to_json_schema, its list"),
    pytest.param(
        "() -> {count :int, items [:string]}",
        Signature((), Record((Field("count", INT), Field("items", List(STRING))), ANY)),
        id="004 validate, its signature",
    ),
    pytest.param("() -> :int", Signature((), INT), id="004 validate, its second signature"),
    # ":type? (nullable field or parameter)": absent and null are two facts, and both are set.
    pytest.param("(name :string?) -> :any", Signature((Field("name", Maybe(STRING), False),), ANY), id="004 optional parameter"),
    pytest.param("{name :string?}", Signature((), Record((Field("name", Maybe(STRING), False),), ANY)), id="004 optional field"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "signature"), PARSED)
def test_a_signature_is_parsed_to_its_tree_and_rendered_back(
    written: str, signature: Signature
) -> None:
    assert signature == typesig.parse(written)
    # A signature is always rendered with its parameter list: decision 32.
    assert (written if "->" in written else f"() -> {written}") == typesig.render(written)


def test_an_invalid_text_is_refused() -> None:
    # "004 parse": an error of the developer raises.
    with pytest.raises(SignatureSyntaxError):
        typesig.parse("invalid")


def test_data_that_fits_has_no_errors() -> None:
    # "004 validate"
    signature = typesig.parse("() -> {count :int, items [:string]}")

    outcome = signature.validate({"count": 5, "items": ["a", "b"]})

    assert outcome.ok
    assert {"count": 5, "items": ["a", "b"]} == outcome.value


def test_data_with_keyword_keys_has_no_errors() -> None:
    # "004 validate": `%{count: 5}` has atoms for keys.
    signature = typesig.parse("() -> {count :int, items [:string]}")

    assert signature.validate({Keyword("count"): 5, Keyword("items"): ["a", "b"]}).ok


def test_an_error_has_a_path_and_a_message() -> None:
    # "004 validate"; decision 3: the value is shown too.
    (error,) = typesig.parse("() -> :int").validate("not an int").errors

    assert () == error.path
    assert 'expected int, got string "not an int"' == error.message


@pytest.mark.parametrize(
    ("value", "path"),
    [
        pytest.param({"items": [{"id": 1}, {"id": "x"}]}, ("items", 1, "id"), id="004 validation_error path"),
        pytest.param({"items": [{}]}, ("items", 0, "id"), id="004 validation_error path of what is missing"),
        pytest.param({}, ("items",), id="004 validation_error path, one step"),
        pytest.param([], (), id="004 validation_error path, the root"),
    ],
)  # fmt: skip
def test_the_path_of_an_error_is_of_names_and_positions(
    value: object, path: tuple[str | int, ...]
) -> None:
    (error,) = typesig.parse("{items [{id :int}]}").validate(value).errors

    assert path == error.path


INPUTS = [
    pytest.param({"id": 1}, [], id="004 validate_input, fits"),
    # decision 1
    pytest.param({"id": "1"}, [], id="004 validate_input, coerced"),
    pytest.param({"id": "x"}, ['id: expected int, got string "x"'], id="004 validate_input, wrong"),
    pytest.param({}, ["id: expected int, got nil (missing)"], id="004 validate_input, missing"),
    pytest.param(
        None, ["id: expected int, got nil (missing)"], id="004 validate_input, none at all"
    ),
]


@pytest.mark.parametrize(("value", "errors"), INPUTS)
def test_parameters_are_checked(value: object, errors: list[str]) -> None:
    assert errors == lines(typesig.parse("(id :int) -> :any").validate_input(value).errors)


@pytest.mark.parametrize("shorthand", ["{x :int}!", "(v {x :int}!) -> :any"])
def test_a_closed_map_rejects_undeclared_fields(shorthand: str) -> None:
    # "004 from_json_schema", what its closed map means
    signature = typesig.parse(shorthand)
    data = {"x": 1, "y": 2}

    outcome = (
        signature.validate_input({"v": data}) if signature.params else signature.validate(data)
    )

    assert ["v.y: unexpected key" if signature.params else "y: unexpected key"] == lines(
        outcome.errors
    )


def test_an_open_map_tolerates_undeclared_fields() -> None:
    # "004 from_json_schema", what its open map means
    assert {"x": 1, "y": 2} == typesig.parse("{x :int}").validate({"x": 1, "y": 2}).value


def test_both_spellings_of_a_key_do_not_slip_by_a_closed_map() -> None:
    # decision 16
    signature = typesig.parse("{user_id :int}!")

    assert ['user_id: given twice, as "user_id" and "user-id"'] == lines(
        signature.validate({"user_id": 1, "user-id": "x"}).errors
    )


SCHEMAS = [
    # signature, its JSON Schema, and whether the result is a list
    pytest.param(
        "() -> {sentiment :string, score :float}",
        {
            "type": "object",
            "properties": {"sentiment": {"type": "string"}, "score": {"type": "number"}},
            "required": ["sentiment", "score"],
            "additionalProperties": False,
        },
        False,
        id="004 to_json_schema, a map",
    ),
    pytest.param(
        "() -> [:int]",
        {
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "integer"}}},
            "required": ["items"],
            "additionalProperties": False,
        },
        True,
        id="004 to_json_schema, a list",
    ),
]


@pytest.mark.parametrize(("written", "schema", "is_list"), SCHEMAS)
def test_a_result_is_shown_to_a_model_as_json_schema(
    written: str, schema: dict[str, Any], is_list: bool
) -> None:
    # "004 to_json_schema", "004 returns_list?"
    signature = typesig.parse(written)

    assert schema == signature.to_json_schema()
    assert is_list == signature.returns_list()


ONE_TYPE = [
    # The inverse of `type_to_json_schema/1`: what is written for a type is read as that type.
    pytest.param(":string", {"type": "string"}, id="004 type_to_json_schema :string"),
    pytest.param(":int", {"type": "integer"}, id="004 type_to_json_schema :int"),
    pytest.param(":float", {"type": "number"}, id="004 type_to_json_schema :float"),
    pytest.param(":bool", {"type": "boolean"}, id="004 type_to_json_schema :bool"),
    pytest.param("[:string]", {"type": "array", "items": {"type": "string"}}, id="004 type_to_json_schema list"),
    pytest.param("{}", {"type": "object"}, id="004 type_to_json_schema :map"),
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
    # JSON Schema, the type that seed 004 gives, the type that is exact (decision 33)
    pytest.param({"type": "integer"}, INT, ":int", id="004 from_json_schema, integer"),
    pytest.param({"type": "array", "items": {"type": "string"}}, List(STRING), "[:string]", id="004 from_json_schema, array"),
    pytest.param(
        {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]},
        Record((Field("count", INT),), ANY), "{count :int}",
        id="004 from_json_schema, object",
    ),
    pytest.param(
        {"type": "object", "properties": {"name": {"type": "string"}}},
        Record((Field("name", Maybe(STRING), False),), ANY), "{name? :string}",
        id="004 from_json_schema, an optional property",
    ),
    pytest.param(
        {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": False},
        Record((Field("x", INT),), None), "{x :int}!",
        id="004 from_json_schema, a closed map",
    ),
    pytest.param(
        {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": True},
        Record((Field("x", INT),), ANY), "{x :int}",
        id="004 from_json_schema, an open map",
    ),
    pytest.param(
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "boolean"}}}}}, "required": ["a"]},
        Record((Field("a", List(Record((Field("b", Maybe(BOOL), False),), ANY))),), ANY), "{a [{b? :bool}]}",
        id="004 from_json_schema, nested",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "tree", "exact"), READ)
def test_json_schema_is_read_to_the_letter_of_the_seed_or_exactly(
    schema: dict[str, Any], tree: Type, exact: str
) -> None:
    assert Signature((), tree) == typesig.from_json_schema(schema, profile="ptc_runner")
    assert f"() -> {exact}" == typesig.render(typesig.from_json_schema(schema))


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"type": "object", "properties": {}, "required": ["missing"]}, id="004 from_json_schema, an undeclared name"),
        pytest.param({"type": "object", "properties": {}, "required": [1]}, id="004 from_json_schema, a name that is no text"),
        pytest.param({"anyOf": [{"type": "string"}, {"type": "integer"}]}, id="004 from_json_schema, combinators"),
        pytest.param({"type": "array", "items": {"$ref": "#"}}, id="004 from_json_schema, $ref"),
        pytest.param({"type": "string", "enum": ["a"]}, id="004 from_json_schema, enum"),
        pytest.param({"type": "string", "pattern": "a"}, id="004 from_json_schema, pattern"),
    ],
)  # fmt: skip
def test_what_the_seed_does_not_read_its_profile_refuses(schema: dict[str, Any]) -> None:
    with pytest.raises(Unsupported):
        typesig.from_json_schema(schema, profile="ptc_runner")


def test_a_required_name_that_is_not_declared_is_read_exactly() -> None:
    # Decision 33: an error to the seed, a fact to JSON Schema.
    schema = {"type": "object", "properties": {}, "required": ["missing"]}

    assert "() -> {missing :any}" == typesig.render(typesig.from_json_schema(schema))
