"""Projections: what each provider is told of a type, how values travel, and what is lost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypedDict

import pytest

import typesig
from typesig import Signature, Tool, tool, tools_of
from typesig.algebra.constructors import make_noted, make_refined
from typesig.algebra.naming import sort_by_dependency
from typesig.algebra.nodes import ANY, BOOL, INT, NIL, Field, Maybe, Record, Tuple, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.providers.projection.projection import ProjectedTool
from typesig.providers.projection.tool_projection import find_faults
from typesig.providers.registry.provider import ProviderName
from typesig.providers.registry.vendor import ProfileOptions
from typesig.providers.vendors.registry import VENDORS
from typesig.validation.check_state import CheckState
from typesig.validation.issues.words import write_type
from typesig.validation.policy import get_first_policy

CHAT: ProfileOptions = {}
STRICT: ProfileOptions = {"strict": True}


def projected(
    signature: str, provider: ProviderName = "openai", options: ProfileOptions = STRICT
) -> ProjectedTool:
    made = one(signature).project(provider, **options)
    return made.tools["run"]


def one(signature: str, name: str = "run") -> Tool[..., Any]:
    @tool(signature, name=name, description="Run.")
    def run(**given: Any) -> Any:
        return given

    return run


def losses(made: ProjectedTool) -> list[tuple[str, str]]:
    return [(loss.kind, ".".join(loss.path[1:])) for loss in made.losses]


FIRST_KEY = (
    'objects of one union begin with the same key "kind", which Azure and older models refuse'
)
WITHIN = (
    'the type "T" contains itself in what is required, which Gemini is documented to take in '
    "optional properties only"
)
STRING = {"type": "string"}
NULL = {"type": "null"}


def pairs(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": closed(key=STRING, value=dict(value))}


def closed(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


ANY_TEXT = {"type": "string", "description": "any value, as JSON text"}

#: A type of a parameter for OpenAI's strict mode: what is sent of it, the kinds of the losses, and
#: a value with how it is sent.
STRICT_ROWS: list[tuple[str, Any, list[str], Any, Any]] = [
    (":string", STRING, [], "a", "a"),
    (":int[1..5]", {"type": "integer", "minimum": 1, "maximum": 5}, [], 3, 3),
    (":int?", {"anyOf": [{"type": "integer"}, NULL]}, ["rewritten"], 3, 3),
    (":any", ANY_TEXT, ["rewritten"], {"a": [1]}, '{"a":[1]}'),
    (":map", pairs(ANY_TEXT), ["rewritten"] * 2, {"a": 1}, [{"key": "a", "value": "1"}]),
    (
        ":map[:int]",
        pairs({"type": "integer"}),
        ["rewritten"],
        {"a": 1},
        [{"key": "a", "value": 1}],
    ),
    (
        ':map[:enum["x"] :int]',
        {
            "type": "array",
            "items": closed(key={"type": "string", "const": "x"}, value={"type": "integer"}),
        },
        ["rewritten"],
        {"x": 1},
        [{"key": "x", "value": 1}],
    ),
    (
        "{a :int, b? :string}!",
        closed(a={"type": "integer"}, b={"anyOf": [STRING, NULL]}),
        ["rewritten"],
        {"a": 1},
        {"a": 1, "b": None},
    ),
    (
        "{a :int}",
        closed(a={"type": "integer"}),
        ["narrowed"],
        {"a": 1},
        {"a": 1},
    ),
    (
        "{a :int, ** :string}",
        closed(a={"type": "integer"}, additional_properties=pairs(STRING)),
        ["rewritten"],
        {"a": 1, "b": "x"},
        {"a": 1, "additional_properties": [{"key": "b", "value": "x"}]},
    ),
    (
        "{additional_properties :int, ** :string}",
        closed(additional_properties={"type": "integer"}, additional_properties_=pairs(STRING)),
        ["rewritten"],
        {"additional_properties": 1, "b": "x"},
        {"additional_properties": 1, "additional_properties_": [{"key": "b", "value": "x"}]},
    ),
    (
        "[:int, :string]",
        {
            "type": "array",
            "items": {"anyOf": [{"type": "integer"}, STRING]},
            "minItems": 2,
            "maxItems": 2,
            "description": "(in order: integer, string)",
        },
        ["widened"],
        [1, "a"],
        [1, "a"],
    ),
    (
        "[:float, :float]",
        {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
        [],
        [1, 2.5],
        [1, 2.5],
    ),
    (
        "[:any, :int]",
        {
            "type": "array",
            "items": {"anyOf": [ANY_TEXT, {"type": "integer"}]},
            "minItems": 2,
            "maxItems": 2,
            "description": "(in order: string, integer)",
        },
        ["rewritten", "widened"],
        [None, 1],
        ["null", 1],
    ),
    (
        ':enum["a" 1 nil]',
        {
            "anyOf": [
                {"type": "string", "const": "a"},
                {"type": "integer", "const": 1},
                NULL,
            ]
        },
        [],
        None,
        None,
    ),
    (
        ":enum[[1] {}]",
        {"type": "string", "enum": ["[1]", "{}"]},
        ["rewritten"],
        [1],
        "[1]",
    ),
    (
        ":string[uri]",
        {"type": "string", "description": "(format: uri)"},
        ["widened"],
        "a:b",
        "a:b",
    ),
    (
        ":string[uuid]",
        {"type": "string", "format": "uuid"},
        [],
        "123e4567-e89b-12d3-a456-426614174000",
        "123e4567-e89b-12d3-a456-426614174000",
    ),
    (
        ":string[/a(?=b)/]",
        {"type": "string", "description": '(pattern: "a(?=b)")'},
        ["widened"],
        "ab",
        "ab",
    ),
    (
        "#{:int}",
        {
            "type": "array",
            "items": {"type": "integer"},
            "description": "(uniqueItems: true)",
        },
        ["widened"],
        [1],
        [1],
    ),
    (
        ":map[:int][1..2]",
        {**pairs({"type": "integer"}), "minItems": 1, "maxItems": 2},
        ["rewritten"],
        {"a": 1},
        [{"key": "a", "value": 1}],
    ),
    (
        ":any[1..2]",
        {
            "type": "string",
            "description": "JSON text of any value (minimum/minLength/minItems/minProperties 1, maximum/maxLength/maxItems/maxProperties 2)",
        },
        ["rewritten"],
        1,
        "1",
    ),
    (":not[:int]", ANY_TEXT, ["widened", "rewritten"], "a", '"a"'),
    (
        ":one[:int, :string]",
        {"anyOf": [{"type": "integer"}, STRING]},
        ["widened"],
        1,
        1,
    ),
    (
        "{a :int} & {b :string}",
        closed(a={"type": "integer"}, b=STRING),
        ["widened", "narrowed"],
        {"a": 1, "b": "x"},
        {"a": 1, "b": "x"},
    ),
    (
        ":string|:map[:string]",
        {"anyOf": [STRING, pairs(STRING)]},
        ["rewritten"],
        {"a": "b"},
        [{"key": "a", "value": "b"}],
    ),
    (
        "[{key :string, value :string}]|:map[:string]",
        {
            "anyOf": [
                closed(choice_1={"type": "array", "items": closed(key=STRING, value=STRING)}),
                closed(choice_2=pairs(STRING)),
            ]
        },
        ["rewritten", "narrowed", "rewritten"],
        {"a": "b"},
        {"choice_2": [{"key": "a", "value": "b"}]},
    ),
    (
        ":int|:any",
        ANY_TEXT,
        ["rewritten"],
        "a",
        '"a"',
    ),
]


@pytest.mark.parametrize("row", STRICT_ROWS, ids=lambda row: row[0])
def test_what_openai_is_told_of_a_type_in_strict_mode(
    row: tuple[str, Any, list[str], Any, Any],
) -> None:
    t, schema, kinds, value, sent = row
    made = projected(f"(p {t}) -> :nil")

    assert made.schema["properties"]["p"] == schema
    assert [kind for kind, _ in losses(made)] == kinds
    assert made.encode_arguments({"p": value}) == {"p": sent}
    assert made.decode({"p": sent}) == {"p": value}
    text = json.dumps({"p": sent})
    assert made.decode(text) == (text if made.codec is None else {"p": value})


#: The same for other profiles; the value is sent as it is where there is no other.
OTHER_ROWS: list[tuple[ProviderName, ProfileOptions, str, Any, list[str], Any, Any]] = [
    ("openai", CHAT, ":int?", {"type": "integer"}, [], 3, 3),
    ("openai", CHAT, ":not[:int]", {"not": {"type": "integer"}}, [], "a", "a"),
    (
        "openai",
        CHAT,
        ":one[:int, [:int, :int]]",
        {
            "anyOf": [
                {"type": "integer"},
                {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
            ]
        },
        ["widened"],
        [1, 2],
        [1, 2],
    ),
    (
        "openai",
        CHAT,
        ":one[:int, :string]",
        {"oneOf": [{"type": "integer"}, STRING]},
        [],
        1,
        1,
    ),
    (
        "openai",
        CHAT,
        ":not[[:int, :int]]",
        {},
        ["widened"],
        "a",
        "a",
    ),
    (
        "openai",
        CHAT,
        "{a :int} & {b :string}",
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
                {"type": "object", "properties": {"b": STRING}, "required": ["b"]},
            ]
        },
        [],
        {"a": 1, "b": "x"},
        {"a": 1, "b": "x"},
    ),
    (
        "openai",
        CHAT,
        "{a :int, /^x/ :string}",
        {
            "type": "object",
            "properties": {"a": {"type": "integer"}},
            "required": ["a"],
            "patternProperties": {"^x": STRING},
        },
        [],
        {"a": 1, "xy": "x"},
        {"a": 1, "xy": "x"},
    ),
    (
        "openai",
        STRICT,
        "{a :int, /^x/ :string}!",
        closed(a={"type": "integer"}, additional_properties=pairs(STRING)),
        ["rewritten", "widened"],
        {"a": 1, "xy": "x"},
        {"a": 1, "additional_properties": [{"key": "xy", "value": "x"}]},
    ),
    (
        "anthropic",
        STRICT,
        "[:int][2..3]",
        {
            "type": "array",
            "items": {"type": "integer"},
            "minItems": 1,
            "description": "(minItems: 2; maxItems: 3)",
        },
        ["widened"],
        [1, 2],
        [1, 2],
    ),
    (
        "anthropic",
        STRICT,
        ":string[decimal]",
        {
            "type": "string",
            "pattern": r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?$",
        },
        [],
        "1.5",
        "1.5",
    ),
    (
        "anthropic",
        CHAT,
        '{"a b" :int}!',
        {
            "type": "object",
            "properties": {"a_b": {"type": "integer"}},
            "required": ["a_b"],
            "additionalProperties": False,
        },
        ["renamed"],
        {"a b": 1},
        {"a_b": 1},
    ),
    (
        "anthropic",
        CHAT,
        ':map[{"a b" :int}!]',
        {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {"a_b": {"type": "integer"}},
                "required": ["a_b"],
                "additionalProperties": False,
            },
        },
        ["renamed"],
        {"k": {"a b": 1}},
        {"k": {"a_b": 1}},
    ),
    (
        "anthropic",
        CHAT,
        '{"a b" :int}! & {c? :int}',
        {
            "type": "string",
            "description": 'JSON text of {"a b": integer} and {"c": integer (optional)}',
        },
        ["rewritten"],
        {"a b": 1},
        '{"a b":1}',
    ),
    (
        "anthropic",
        CHAT,
        '{/^x/ {"a b" :int}!}!',
        {"type": "object", "properties": {}},
        ["renamed", "widened"],
        {"x": {"a b": 1}},
        {"x": {"a b": 1}},
    ),
    ("gemini", {}, ":int[>0]", {"type": "integer", "minimum": 1}, [], 1, 1),
    ("gemini", {}, ":int[<9]", {"type": "integer", "maximum": 8}, [], 1, 1),
    (
        "gemini",
        {},
        ":float[>0]",
        {"type": "number", "description": "(exclusiveMinimum: 0)"},
        ["widened"],
        1.5,
        1.5,
    ),
    (
        "gemini",
        {},
        ":int[0..18446744073709551615]",
        {
            "type": "string",
            "pattern": "^-?[0-9]+$",
            "description": "(minimum: 0; maximum: 18446744073709551615)",
        },
        ["rewritten"],
        2**60,
        str(2**60),
    ),
    (
        "gemini",
        {},
        ":enum[1 2]",
        {"type": "string", "enum": ["1", "2"]},
        ["rewritten"],
        2,
        "2",
    ),
    (
        "gemini",
        {},
        ':enum["" "a"]',
        {"type": "string", "enum": ['""', "a"]},
        ["rewritten"],
        "",
        '""',
    ),
    (
        "gemini",
        {},
        ':enum["1" 1]',
        {"type": "string", "enum": ['"1"', "1"]},
        ["rewritten"],
        1,
        "1",
    ),
    (
        "gemini",
        {},
        ':enum["" nil]',
        {"type": "string", "enum": ['""'], "nullable": True},
        ["rewritten"],
        None,
        None,
    ),
    ("gemini", {}, ":enum[true false]", {"type": "boolean"}, [], True, True),
    ("gemini", {}, ":enum[nil]", NULL, [], None, None),
    (
        "gemini",
        {},
        "{}!",
        {"type": "string", "description": "JSON text of {}"},
        ["rewritten"],
        {},
        "{}",
    ),
    (
        "gemini",
        {},
        ":string|:int[1..2]",
        {"anyOf": [STRING, {"type": "integer", "minimum": 1, "maximum": 2}]},
        [],
        1,
        1,
    ),
    (
        "gemini",
        {"api": "json"},
        ":map[:string[/^a/] :int]",
        {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "description": '(keys: string (pattern "^a"))',
        },
        ["widened"],
        {"ab": 1},
        {"ab": 1},
    ),
    (
        "gemini",
        {"api": "json"},
        ":map[:string[/^a/] :any]",
        {"type": "object", "description": '(keys: string (pattern "^a"))'},
        ["widened"],
        {"ab": 1},
        {"ab": 1},
    ),
]


@pytest.mark.parametrize("row", OTHER_ROWS, ids=lambda row: f"{row[0]} {row[2]}")
def test_what_other_profiles_are_told_of_a_type(
    row: tuple[ProviderName, ProfileOptions, str, Any, list[str], Any, Any],
) -> None:
    provider, options, t, schema, kinds, value, sent = row
    made = projected(f"(p {t}) -> :nil", provider, options)

    assert made.schema["properties"]["p"] == schema
    assert [kind for kind, _ in losses(made)] == kinds
    assert made.encode_arguments({"p": value}) == {"p": sent}
    assert made.decode({"p": sent}) == {"p": value}


def test_null_stands_for_an_absent_field_only_where_it_is_not_a_value() -> None:
    made = projected("(a? :int, b? :int|:nil, c :int|:nil, d :int? = 3, e :int = 4) -> :nil")

    sent = made.encode_arguments({"c": None})

    assert sent == {"a": None, "b": None, "c": None, "d": 3, "e": None}
    assert made.decode(sent) == {"c": None, "d": 3}
    assert made.decode({"a": None, "b": None, "c": None, "d": None, "e": None}) == {
        "c": None,
        "d": None,
    }
    assert losses(made) == [
        ("rewritten", "params.a"),
        ("rewritten", "params.b"),
        ("omitted", "params.d"),
        ("narrowed", "params.d"),
        ("omitted", "params.e"),
        ("rewritten", "params.e"),
    ]


def test_null_and_absence_are_apart_where_any_value_is_json_text() -> None:
    made = projected("(a? :any) -> :nil")

    assert made.encode_arguments({}) == {"a": None}
    assert made.encode_arguments({"a": None}) == {"a": "null"}
    assert made.decode({"a": None}) == {}
    assert made.decode({"a": "null"}) == {"a": None}


def test_a_null_of_an_optional_field_is_left_out_where_the_schema_has_none() -> None:
    made = projected("(a :int?) -> :nil", options=CHAT)

    assert made.schema == {"type": "object", "properties": {"a": {"type": "integer"}}}
    assert made.encode_arguments({"a": None}) == {}


def test_a_default_is_kept_as_it_is_sent_or_moved_into_the_description() -> None:
    kept = projected('(a {"x y" :int}! = {"x y": 1}) -> :nil', "anthropic", CHAT)
    moved = projected("(a :int = 3) -> :nil", "gemini", {})
    sent = projected('(a :map[:int] = {"k": 1}) -> :nil', "gemini", {})

    assert kept.schema["properties"]["a"]["default"] == {"x_y": 1}
    assert moved.schema["properties"]["a"] == {"type": "integer", "description": "(default: 3)"}
    words = sent.schema["properties"]["a"]["description"]
    assert words == '(default: [{"key":"k","value":1}])'


TREE = "where Tree = {v :int, kids [:Tree]}!"


def test_named_types_are_kept_or_written_in_their_places() -> None:
    strict = projected(f"(t :Tree) -> :nil {TREE}")
    claude = projected(f"(t :Tree) -> :nil {TREE}", "anthropic")
    gemini = projected("(t :P) -> :nil where P = {x :int}!", "gemini", {})
    value = {"t": {"v": 1, "kids": [{"v": 2, "kids": []}]}}

    assert strict.schema["properties"]["t"] == {"$ref": "#/$defs/Tree"}
    assert strict.encode_arguments(value) == value
    kids = claude.schema["properties"]["t"]["properties"]["kids"]
    assert kids == {"type": "array", "items": ANY_TEXT}
    sent = claude.encode_arguments(value)
    assert sent == {"t": {"v": 1, "kids": ['{"v":2,"kids":[]}']}}
    assert claude.decode(sent) == value
    assert "$defs" not in gemini.schema


def test_what_a_named_type_contains_is_rewritten_within_itself() -> None:
    made = projected("(t :Tree) -> :nil where Tree = {v? :int, m :map[:Tree], kids [:Tree]}!")
    value = {"t": {"m": {"a": {"m": {}, "kids": []}}, "kids": [{"v": 1, "m": {}, "kids": []}]}}

    assert made.decode(made.encode_arguments(value)) == value


def test_a_union_of_named_types_is_told_apart_by_what_they_are() -> None:
    made = projected(
        '(s :A|:B) -> :nil where A = {kind :enum["a"], x? :int}!, '
        'B = {kind :enum["b"], x :int?, next :A|:B|:nil}!'
    )
    value = {"s": {"kind": "b", "next": {"kind": "a"}}}

    assert "choice_1" not in json.dumps(made.schema)
    assert made.decode(made.encode_arguments(value)) == value


def test_a_description_beside_a_reference_is_not_lost() -> None:
    made = projected(f'(t (:Tree "the root")) -> :nil {TREE}')

    assert made.schema["properties"]["t"] == {
        "anyOf": [{"$ref": "#/$defs/Tree"}],
        "description": "the root",
    }


def test_constraints_of_a_named_type() -> None:
    text = "(a :L[1..2]) -> :nil where L = [:int]"
    recursive = "(a :L[1..2]) -> :nil where L = [:L]"

    assert projected(text).schema["properties"]["a"]["minItems"] == 1
    beside = projected(text, options=CHAT).schema["properties"]["a"]
    assert (beside["$ref"], beside["minItems"], beside["maxItems"]) == ("#/$defs/L", 1, 2)
    assert projected(recursive).schema["properties"]["a"]["description"].startswith("(min")


def test_constraints_that_do_not_apply_to_a_member_are_not_said_of_it() -> None:
    made = projected("(a (:string|:int)[1..2], b (:int|:nil)[1..]) -> :nil")

    assert made.schema["properties"]["a"]["anyOf"][1] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 2,
    }
    assert made.schema["properties"]["b"]["anyOf"][0] == {"type": "integer", "minimum": 1}


def test_an_object_deeper_than_the_limit_is_json_text() -> None:
    deep = ":int"
    for _ in range(12):
        deep = f"{{a {deep}}}!"
    made = projected(f"(p {deep}, q :map[{deep}]) -> :nil")
    value: Any = 1
    for _ in range(12):
        value = {"a": value}

    sent = made.encode_arguments({"p": value, "q": {"k": value}})

    assert made.counts["levels"] == 10
    assert made.decode(sent) == {"p": value, "q": {"k": value}}


def test_a_map_deeper_than_the_limit_is_json_text() -> None:
    made = one("(p :map[:map[:int]]) -> :nil").project("openai", strict=True, limits={"levels": 2})
    run = made.tools["run"]

    assert run.encode_arguments({"p": {"a": {"b": 1}}}) == {"p": [{"key": "a", "value": '{"b":1}'}]}


def test_undeclared_arguments_travel_where_the_function_takes_them() -> None:
    @tool
    def run(a: int, **others: float) -> None:
        """Run."""

    made = run.project("openai", strict=True).tools["run"]
    sent = {"a": 1, "additional_properties": [{"key": "b", "value": 2.5}]}

    assert made.encode_arguments({"a": 1, "b": 2.5}) == sent
    assert made.decode(sent) == {"a": 1, "b": 2.5}
    # What is no such list, or names a declared key, is left for the check to refuse.
    for hostile in ([{"key": "a", "value": 2}], 3, [{"key": "b"}], [{"key": 1, "value": 2}]):
        assert made.decode({"a": 1, "additional_properties": hostile}) == {
            "a": 1,
            "additional_properties": hostile,
        }
    assert made.decode({"a": 1, "additional_properties": None}) == {"a": 1}


def test_two_values_for_one_key_are_left_for_the_check_to_refuse() -> None:
    made = projected("(m :map[:int]) -> :nil")
    twice = [{"key": "a", "value": 1}, {"key": "a", "value": 2}]

    assert made.decode({"m": twice}) == {"m": twice}
    assert not made.tool.call(made.decode({"m": twice})).ok


TWICE = [{"key": "a", "value": 1}, {"key": "b", "value": 2}, {"key": "a", "value": "3"}]


@pytest.mark.parametrize(
    ("signature", "sent", "error", "complaint"),
    [
        (
            "(m :map[:int]) -> :nil",
            {"m": TWICE},
            'm.a: the key "a" is sent twice',
            '"key": "a",  // the key "a" is sent twice',
        ),
        (
            "(u [{m :map[:int]}!]?, n :int) -> :nil",
            {"u": [{"m": []}, {"m": TWICE}], "n": 1},
            'u[1].m.a: the key "a" is sent twice',
            '"key": "a",  // the key "a" is sent twice',
        ),
        (
            "(m :map[:map[:int]]) -> :nil",
            {"m": [{"key": "k", "value": TWICE}]},
            'm.k.a: the key "a" is sent twice',
            '"key": "a",  // the key "a" is sent twice',
        ),
        (
            "(u :map[:int]|:map[:string]) -> :nil",
            {"u": TWICE[:2] + TWICE[:1]},
            'u.a: the key "a" is sent twice',
            '"key": "a",  // the key "a" is sent twice',
        ),
        (
            "(u :T) -> :nil where T = {m :map[:int], next? :T}!",
            {"u": {"m": [], "next": {"m": TWICE, "next": None}}},
            'u.next.m.a: the key "a" is sent twice',
            '"key": "a",  // the key "a" is sent twice',
        ),
        (
            "(r {a :int, ** :int}) -> :nil",
            {"r": {"a": 1, "additional_properties": TWICE}},
            'r.a: given twice, as a field and as a key in "additional_properties"',
            '// given twice, as a field and as a key in "additional_properties"',
        ),
        (
            "(r {a :int, ** :int}) -> :nil",
            {"r": {"a": 1, "additional_properties": [*TWICE[1:2] * 2]}},
            'r.b: the key "b" is sent twice',
            '"key": "b",  // the key "b" is sent twice',
        ),
    ],
)
def test_a_key_that_is_sent_twice_is_named_at_its_place(
    signature: str, sent: Any, error: str, complaint: str
) -> None:
    made = projected(signature)
    outcome = made.call(sent)

    assert error in map(str, outcome.errors)
    assert complaint in made.feedback(sent, outcome)


def test_a_key_that_is_sent_twice_is_a_warning_where_errors_are() -> None:
    made = projected("(m :map[:int]) -> :nil")
    outcome = made.read({"m": TWICE}, "warn_only")

    assert outcome.result == {"m": {"a": 1, "b": 2}}
    assert list(map(str, outcome.warnings)) == ['m.a: the key "a" is sent twice']
    assert made.read({"m": TWICE}, "disabled").result == {"m": TWICE}


def test_a_declared_field_among_the_undeclared_keys_is_that_field() -> None:
    made = projected("(r {a? :int, ** :int}) -> :any")
    sent = {"r": {"a": None, "additional_properties": [{"key": "a", "value": 1}]}}

    assert made.call(sent).ok
    assert made.decode(sent) == {"r": {"a": 1}}


ANTHROPIC: tuple[ProviderName, ProfileOptions] = ("anthropic", CHAT)


def test_the_own_name_of_a_renamed_field_stands_for_it() -> None:
    made = projected('("a b" :int, c :int?) -> :any', *ANTHROPIC)

    assert list(made.schema["properties"]) == ["a_b", "c"]
    assert made.decode({"a_b": 1}) == made.decode({"a b": 1}) == {"a b": 1}
    assert made.call({"a b": "1"}).ok


def test_two_names_for_one_field_are_an_error() -> None:
    made = projected('("a b" :int, c :int?) -> :nil', *ANTHROPIC)
    sent = {"a b": 2, "a_b": 1}
    outcome = made.call(sent)

    assert ['["a b"]: given twice, as "a_b" and "a b"'] == list(map(str, outcome.errors))
    assert '"a_b": 1  // given twice, as "a_b" and "a b"' in made.feedback(sent, outcome)
    assert made.decode(sent) == {"a_b": 2, "a b": 1}


@pytest.mark.parametrize(
    "signature",
    [
        '(r {"a b" :int}) -> :nil',
        '(r {"a b"? :int, ** :int}) -> :nil',
        '(r {"a b"? :int, /^x/ :int}) -> :nil',
    ],
)
def test_an_undeclared_key_with_the_new_name_of_a_field_is_kept_apart_from_it(
    signature: str,
) -> None:
    made = projected(signature, *ANTHROPIC)
    value = {"r": {"a b": 1, "a_b": 2, "c": 3}}
    sent = made.encode_arguments(value)

    assert sent == {"r": {"a_b": 1, "a b": 2, "c": 3}}
    assert made.decode(sent) == value


def test_where_undeclared_keys_are_meant_the_own_name_of_a_field_is_one() -> None:
    made = projected('("a b"? :int, ** :int) -> :nil', *ANTHROPIC)
    value = {"a_b": 2}

    assert made.encode_arguments(value) == {"a b": 2}
    assert made.decode({"a b": 2}) == value


def test_members_that_read_other_names_differently_are_told_apart() -> None:
    """Both read the field alike, and the undeclared key of its own name not."""
    made = projected('(u {"a b"? :int}|{"a b"? :int, ** :int}) -> :nil', *ANTHROPIC)

    assert [list(each["properties"]) for each in made.schema["properties"]["u"]["anyOf"]] == [
        ["choice_1"],
        ["choice_2"],
    ]


def counted() -> ProjectedTool:
    def run(m: dict[str, int], note: str | None = None) -> int:
        return sum(m.values())

    return tool(run).project("openai", strict=True).tools["run"]


def test_arguments_in_a_wrapper_are_decoded_too() -> None:
    made = counted()
    inside = {"m": [{"key": "a", "value": 1}], "note": None}

    for name in ("arguments", "input", "parameters", "run"):
        assert made.decode({name: inside}) == {"m": {"a": 1}}
        assert made.decode(json.dumps({name: inside})) == {"m": {"a": 1}}
        assert ["the arguments were taken out of " + json.dumps(name)] == [
            str(each) for each in made.call({name: inside}).warnings
        ]
    assert "" == made.feedback(inside, made.call(inside))
    bad = {"arguments": {"m": [{"key": "a", "value": "x"}], "note": None}}
    assert '"value": "x"  // expected int' in made.feedback(bad, made.call(bad))


def test_a_parameter_with_the_name_of_a_wrapper_is_none() -> None:
    made = projected("(arguments :map[:int]) -> :nil")

    assert made.decode({"arguments": [{"key": "m", "value": 1}]}) == {"arguments": {"m": 1}}


def test_what_was_mended_before_decoding_is_told_and_counted() -> None:
    made = counted()
    text = '```json\n{"m": [{"key": "a", "value": "1"}], "note": null}\n```'
    expected = [
        "removed a code fence (line 1 column 1)",
        'm.a: coerced string "1" to int',
    ]
    ledger = typesig.Ledger()
    called, read = made.call(text, ledger=ledger), made.read(text, ledger=ledger)

    assert expected == list(map(str, called.warnings)) == list(map(str, read.warnings))
    assert {"m": {"a": 1}} == read.result
    assert [("code_fence", "run", 2), ("int_from_string", "run", 2)] == [
        (row.id, row.tool, row.times) for row in ledger.rows()
    ]
    assert not made.call(text, mode="strict").ok
    bad = text.replace('"1"', '"x"')
    assert '"value": "x"  // expected int' in made.feedback(bad, made.call(bad))


def test_a_text_without_arguments_is_read_as_none_are() -> None:
    made = projected("(note :string?) -> :any")

    assert made.call("").ok
    assert not made.call("[1]").ok
    assert made.decode("[1]") == "[1]"


@pytest.mark.parametrize(
    "sent",
    [{"a": "not json", "m": 3, "u": 4, "t": [1]}, {"u": {"choice_9": 1}}, 7, "{", b"\xff", None],
)
def test_decoding_leaves_what_has_another_form_as_it_is(sent: Any) -> None:
    made = projected("(a :any, m :map[:int], u [:map]|:map, t [:any]) -> :nil")

    assert made.decode(sent) == sent


def test_decoding_reads_the_plain_form_of_a_map_too() -> None:
    made = projected("(m :map[:any]) -> :nil")

    assert made.decode({"m": {"a": "[1]"}}) == {"m": {"a": [1]}}


def test_decoding_mends_text_as_a_call_does() -> None:
    made = projected("(m :map[:int]) -> :nil")

    assert made.decode('```json\n{"m": []}\n```') == {"m": {}}


def test_data_nested_beyond_the_stack_is_left_as_it_is() -> None:
    made = projected("(t :T) -> :nil where T = {m :map, next :T?}!")
    deep: Any = {"m": []}
    for _ in range(5_000):
        deep = {"m": [], "next": deep}
    sent = {"t": deep}

    assert made.decode(sent) is sent


def test_a_value_of_no_member_is_read_as_the_nearest() -> None:
    made = projected("(u :map[:any]|:string, v {a :any, b :int}!|{c :any, d :int}!) -> :nil")

    assert made.decode({"u": [{"key": "a", "value": "1"}], "v": {"c": "[1]", "d": "x"}}) == {
        "u": {"a": 1},
        "v": {"c": [1], "d": "x"},
    }
    assert made.decode({"u": 5, "v": {"e": 1}}) == {"u": 5, "v": {"e": 1}}


def test_a_union_of_objects_that_read_alike_is_sent_as_it_is() -> None:
    made = projected("(u {a? :int, b :string[/^x/]}!|{a? :int, b :string}!) -> :nil")

    assert made.decode(made.encode_arguments({"u": {"b": "y"}})) == {"u": {"b": "y"}}
    assert "choice_1" not in json.dumps(made.schema)


@pytest.mark.parametrize(
    "t",
    [
        # A null means absence in one, a value in the other.
        "{a? :int, b :string}!|{a :int|:nil, b :string[/^x/]}!",
        "{a :any, b :int[1..]}!|{a :string, b :int}!",
        "{a :map[:int], ** [:map]}|{a :map[:int], ** :string}",
        "[{b? :int}!]|[{b :int|:nil, c? :int}!]",
        "(:map[:int]|:nil)|[{key :string, value :int}!]",
        '{k :enum["a" "b"], x :any}!|{k :enum["b" "c"], x :string}!',
        "{k :int|:nil, x :any}!|{k :int, x :string}!",
        "{k [:int], x :any}!|{k [:string], x :string}!",
        "{k :int|:string, x :any}!|{k :string|:bool, x :string}!",
    ],
)
def test_members_that_what_is_sent_does_not_tell_apart_become_objects(t: str) -> None:
    made = projected(f"(u {t}) -> :nil")

    assert "choice_2" in json.dumps(made.schema)
    assert made.decode({"u": {"choice_9": 1}}) == {"u": {"choice_9": 1}}


@pytest.mark.parametrize(
    "t",
    [
        '{k :enum["a" "b"], x :any}!|{k :enum["c"], x :string}!',
        "{k :int|:string, x :any}!|{k :bool|[:int], x :string}!",
        '{k :int, x :any}!|{k (:string[/a/] "t"), x :string}!',
        "{k :P, x :any}!|{k :int, x :string}!",
    ],
)
def test_members_that_a_field_tells_apart_are_sent_as_they_are(t: str) -> None:
    made = projected(f'(u {t}) -> :nil where P = :enum["p"]')

    assert "choice_1" not in json.dumps(made.schema)


@pytest.mark.parametrize(
    ("t", "schema"),
    [
        (":any[1..] & :int", {"type": "integer", "minimum": 1}),
        (":any[/a/] & :int", {"type": "integer"}),
        (":int & :not[:enum[1]]", {"type": "integer"}),
        ('(:int "a number") & :any', {"type": "integer", "description": "a number"}),
        (
            ":any[1..] & :any[/a/]",
            {
                "type": "string",
                "description": 'JSON text of any value (minimum/minLength/minItems/minProperties 1, pattern "a")',
            },
        ),
        (":int[1..] & :float", {"type": "integer", "minimum": 1}),
        (
            "{a :int}! & {b :int}!",
            {"type": "string", "description": 'JSON text of {"a": integer} and {"b": integer}'},
        ),
        (
            "[:int] & [:any]",
            {
                "type": "string",
                "description": "JSON text of array of integer and array of any value",
            },
        ),
        (
            "{a? :int} & :P",
            closed(a={"type": "integer"}, b={"type": "integer"}),
        ),
    ],
)
def test_an_intersection_becomes_one_type_or_json_text(t: str, schema: Any) -> None:
    made = projected(f"(p {t}) -> :nil where P = {{a :int, b :int}}")

    assert made.schema["properties"]["p"] == schema


def test_the_title_is_the_description_where_there_is_no_other() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "title": "A count"},
            "b": {"type": "integer", "title": "B", "description": "words"},
        },
    }
    signature = typesig.from_json_schema(schema, {})

    @tool(signature)
    def run(**given: Any) -> None:
        """Run."""

    claude = run.project("anthropic").tools["run"].schema["properties"]
    mcp = run.project("mcp").tools["run"].schema["properties"]

    assert claude["a"] == {"type": "integer", "description": "A count"}
    assert claude["b"] == {"type": "integer", "description": "words"}
    assert mcp["b"] == {"type": "integer", "title": "B", "description": "words"}


def test_what_has_no_form_in_utf_8_is_not_sent() -> None:
    made = projected(
        '(a (:string "x\\ud800"), b :enum["\\ud800" "c"], c :string[/\ud800/]) -> :nil'
    )
    shown = made.schema["properties"]

    assert shown["a"]["description"] == "x\ufffd"
    json.dumps(made.definition, ensure_ascii=False).encode()


def test_tuples_where_positions_are_said() -> None:
    made = projected('(p [:int, {"a b" :int}!], q [:int, ** :any]) -> :nil', "anthropic", CHAT)
    value = {"p": [1, {"a b": 2}], "q": [1, "x"]}

    assert made.schema["properties"]["q"]["prefixItems"] == [{"type": "integer"}]
    assert made.decode(made.encode_arguments(value)) == value
    assert made.decode({"p": 3}) == made.encode_arguments({"p": 3}) == {"p": 3}


def test_an_open_list_by_position_has_no_upper_bound() -> None:
    made = projected("(q [:int, ** :int]) -> :nil")

    assert made.schema["properties"]["q"] == {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 1,
    }


def test_values_of_another_type_are_encoded_as_they_are() -> None:
    made = projected("(m :map[:int], e :enum[[1]], r {x? :int}!, u :map|:int, t [:any]) -> :nil")
    odd = {"m": 3, "e": object, "r": 4, "u": "x", "t": 5}

    assert made.encode_arguments(odd) == odd
    assert made.encode_arguments({**odd, "e": 2})["e"] == 2


def test_digits_that_are_no_integer_are_left_as_they_are() -> None:
    made = projected("(n :int[0..18446744073709551615]) -> :nil", "gemini", {})

    assert made.decode({"n": "x"}) == {"n": "x"}
    assert made.decode({"n": "9" * 5000}) == {"n": "9" * 5000}
    assert made.decode({"n": 5}) == {"n": 5}


def test_words_of_long_types_are_left_out() -> None:
    long = ", ".join(f"field_number_{n} :string" for n in range(20))
    many = ", ".join(f"f{n} :int" for n in range(60))
    made = projected(f"(a [{{{long}}}!] & [:any], b [{{{many}}}!] & [:any]) -> :nil")

    assert made.schema["properties"]["a"]["description"] == "any value, as JSON text"
    assert made.schema["properties"]["b"]["description"] == "any value, as JSON text"


def test_an_exact_field_keeps_its_null_where_other_types_judge_it() -> None:
    made = projected("(r {a :int?, /^a/ :int|:nil}!) -> :nil", options=CHAT)

    assert made.schema["properties"]["r"]["properties"]["a"] == {
        "anyOf": [{"type": "integer"}, NULL]
    }


def test_a_key_that_cannot_be_sent_makes_the_keys_any() -> None:
    made = projected('(m :map[:enum["\\ud800"] :int]) -> :nil', "mcp", {})

    assert made.schema["properties"]["m"]["additionalProperties"] == {"type": "integer"}


def test_a_pattern_with_a_word_boundary_is_described() -> None:
    made = projected(r"(a :string[/\bx/], b :string[/^(?:a|b+c)$/]) -> :nil")
    shown = made.schema["properties"]

    assert "pattern" not in shown["a"]
    assert "pattern" in shown["b"]


def test_a_constraint_of_several_kinds_of_constants_is_described() -> None:
    made = projected('(a :enum["a" 5][1..]) -> :nil')

    assert made.schema["properties"]["a"]["description"].startswith("(minimum: 1")


def test_a_refined_choice_is_refined_in_each_member() -> None:
    made = projected(
        '(a (:one[:int, :P]|:string)[1..], b (:int "n")[1..]) -> :nil where P = :float'
    )

    assert made.schema["properties"]["b"] == {
        "type": "integer",
        "minimum": 1,
        "description": "n",
    }


def test_names_of_types_are_legal_in_references() -> None:
    made = projected('(t :"a b") -> :nil where "a b" = {v? :int, kids [:"a b"]}!')

    assert made.schema["properties"]["t"] == {"$ref": "#/$defs/a_b"}
    assert made.decode(made.encode_arguments({"t": {"kids": [{"v": 1, "kids": []}]}})) == {
        "t": {"kids": [{"v": 1, "kids": []}]}
    }


def test_named_members_that_read_alike_are_sent_as_they_are() -> None:
    made = projected(
        "(u :A|:B) -> :nil where A = {a? :int, b :string[/^x/]}!, B = {a? :int, b :string}!"
    )

    assert "choice_1" not in json.dumps(made.schema)
    assert made.decode({"u": {"a": None, "b": 5}}) == {"u": {"b": 5}}


def test_constants_with_parts_are_kept_where_they_may_be() -> None:
    plain = projected(":enum[[1] {} true 1.5 nil]".join(("(p ", ") -> :nil")), options=CHAT)
    odd = projected('(p :enum[["\ud800"]]) -> :nil', options=CHAT)

    assert plain.schema["properties"]["p"] == {"enum": [[1], {}, True, 1.5, None]}
    assert odd.schema["properties"]["p"]["type"] == "string"
    assert odd.decode({"p": "?"}) == {"p": "?"}


def test_constraints_are_described_where_constants_are_texts() -> None:
    made = projected("(p :enum[[1]][1..2]) -> :nil")

    assert made.schema["properties"]["p"]["description"] == "(minItems: 1; maxItems: 2)"


def test_constraints_are_said_only_of_the_members_that_they_apply_to() -> None:
    made = projected("(p (:string|:bool)[1..2]) -> :nil", options=CHAT)

    assert made.schema["properties"]["p"] == {
        "anyOf": [{"type": "string", "minLength": 1, "maxLength": 2}, {"type": "boolean"}]
    }


def test_a_format_that_is_a_pattern_is_described_where_there_are_none() -> None:
    made = projected("(p :string[decimal]) -> :nil", "gemini", {"api": "json"})

    assert made.schema["properties"]["p"]["description"] == "(format: decimal)"


def test_a_format_that_is_a_pattern_stands_beside_one_that_has_a_name() -> None:
    made = projected("(p :string[uuid, base64]) -> :nil", options=CHAT)

    sent = made.schema["properties"]["p"]
    assert sent.keys() == {"type", "format", "pattern", "contentEncoding"}
    assert "uuid" == sent["format"]


def test_constraints_that_share_a_keyword_are_said_or_described() -> None:
    made = projected("(p :string[/a/, /b/]) -> :nil")
    bounded = projected("(p :int[1.., >3]) -> :nil", "gemini", {"api": "json"})

    assert made.schema["properties"]["p"] == {
        "type": "string",
        "pattern": "a",
        "description": '(pattern: "b")',
    }
    assert [("widened", "params.p")] == losses(made)
    assert bounded.schema["properties"]["p"] == {"type": "integer", "minimum": 4}
    assert [] == losses(bounded)


def test_a_pattern_with_a_lone_surrogate_is_sent_with_an_escape() -> None:
    made = projected("(p :string[/\ud800/]) -> :nil", options=CHAT)

    assert made.schema["properties"]["p"]["pattern"] == r"\ud800"


def test_a_note_of_a_member_is_kept_with_the_constraints_of_the_whole() -> None:
    made = projected('(p ((:int "n")|:string)[1..]) -> :nil')

    assert made.schema["properties"]["p"]["anyOf"][0] == {
        "type": "integer",
        "minimum": 1,
        "description": "n",
    }


def test_a_note_within_a_constraint_is_kept() -> None:
    t = make_refined(make_noted(INT, "words"), [Constraint("at_least", 1)])

    @tool(Signature([Field("p", t)], NIL))
    def run(**given: Any) -> None:
        """Run."""

    shown = run.project("openai").tools["run"].schema["properties"]["p"]
    assert shown == {"type": "integer", "minimum": 1, "description": "words"}


def test_a_member_in_an_object_of_its_own_is_read() -> None:
    made = projected("(u [:map]|:map, n {a :N|:string}!) -> :nil where N = [{b? :int}!]|:map[:int]")
    value = {"u": {"a": 1}, "n": {"a": {"k": 2}}}

    assert made.decode(made.encode_arguments(value)) == value
    assert made.decode({"u": {"choice_1": 3, "choice_2": 4}}) == {
        "u": {"choice_1": 3, "choice_2": 4}
    }


def test_an_object_that_no_named_member_accepts_is_read_as_the_nearest() -> None:
    made = projected("(u :A|:B) -> :nil where A = {a :any, k :int}!, B = {b :any, l :int}!")

    assert made.decode({"u": {"b": "[1]", "l": "x"}}) == {"u": {"b": [1], "l": "x"}}


def test_a_constraint_of_a_choice_stands_beside_it() -> None:
    made = projected("(p (:one[:int, :P]|:string)[1..]) -> :nil where P = [:P]", options=CHAT)

    assert made.schema["properties"]["p"]["anyOf"][1] == {"type": "string", "minLength": 1}


def test_equality_of_names_decides_twice_for_a_type_within_itself() -> None:
    made = projected("(p :not[:P]) -> :nil where P = {kids [:P]}", options=CHAT)

    assert made.schema["properties"]["p"] == {"not": {"$ref": "#/$defs/P"}}


def test_a_map_that_is_sent_as_an_object_is_read_within_a_union_too() -> None:
    made = projected("(u :map[:any]|:string) -> :nil")

    assert made.decode({"u": {"a": "[1]"}}) == {"u": {"a": [1]}}


def test_a_field_whose_nulls_are_left_out_does_not_tell_members_apart() -> None:
    made = projected("(u {b :int, c? :int}!|{a :int?, b :int}!) -> :nil", "gemini", {})

    assert "choice_1" not in json.dumps(made.schema)


def test_a_type_within_itself_beside_a_map_is_told_apart() -> None:
    made = projected("(t :T) -> :nil where T = {next :T|:map[:int]|:nil}!")
    value = {"t": {"next": {"next": None}}}

    assert "choice_1" not in json.dumps(made.schema)
    assert made.decode(made.encode_arguments(value)) == value


def test_what_a_name_refers_to_is_defined_too() -> None:
    made = projected("(a :string|:A) -> :nil where A = {n :B?}!, B = {v [:B]}!")

    assert sorted(made.schema["$defs"]) == ["A", "B"]


def test_a_default_of_a_named_type_has_the_form_in_which_it_is_sent() -> None:
    made = projected(
        '(a :M = {"k": 1}, t :T) -> :nil where M = :map[:int], '
        'T = {m :M, list [:T] = [{"m": {}, "list": []}]}!'
    )

    words = made.schema["properties"]["a"]["description"]
    assert words == '(default: [{"key":"k","value":1}])'
    # Within the definition of its own type, it has the form of the signature.
    inner = made.schema["$defs"]["T"]["properties"]["list"]["description"]
    assert inner == '(default: [{"list":[],"m":{}}])'


def test_types_of_keys_by_pattern_are_widened_where_objects_are_closed() -> None:
    signature = typesig.parse("(p {a :int, /^x-/ :int, ** :bool})! -> :any")

    def f(p: Any) -> Any: ...

    made = typesig.tools_of([typesig.tool(signature)(f)]).project("openai", strict=True)

    assert [
        ("rewritten", "undeclared keys"),
        ("widened", "types of keys by pattern"),
    ] == [(loss.kind, loss.what) for loss in made.losses]


def test_names_within_themselves_are_found_at_once() -> None:
    names = typesig.parse(
        ":A where A = {b :B?, x :X}, B = {c [:C]}, C = {a :A?}, D = {d :D?}, X = {c :Y}, "
        "Y = {n :int}, Z = {a :A}"
    ).names

    assert sort_by_dependency(names)[1] == {"A", "B", "C", "D"}
    assert sort_by_dependency({})[1] == set()


def test_a_repeated_key_within_another_is_not_lost_where_only_data_is_returned() -> None:
    made = projected("(m :map[:map[:int]]) -> :nil")
    inner = [{"key": "a", "value": 1}, {"key": "a", "value": 2}]

    assert made.decode({"m": [{"key": "k", "value": inner}]}) == {"m": {"k": inner}}


def test_feedback_on_what_nests_beyond_the_stack_is_that_of_the_check() -> None:
    made = projected("(t :T) -> :nil where T = {m :map[:int], next :T?}!")
    deep: Any = {"m": [*TWICE]}
    for _ in range(5_000):
        deep = {"m": [], "next": deep}
    sent = {"t": deep}

    assert "nested too deep" in made.feedback(sent, made.call(sent))


def test_nothing_is_found_twice_in_what_ends_the_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(*_: object) -> None:
        raise RecursionError

    run = CheckState(10)
    monkeypatch.setattr("typesig.providers.projection.tool_projection.decode_value", end)
    find_faults(None, {"m": [*TWICE]}, run, get_first_policy(None))

    assert ([], 0) == (run.found, run.unseen)


def test_feedback_on_what_cannot_be_read_is_that_of_the_tool() -> None:
    made = projected("(m :map[:int]) -> :nil")

    assert "not valid JSON" in made.feedback('{"m": ', made.call('{"m": '))
    assert "expected named arguments" in made.feedback("[1]", made.call("[1]"))


def test_feedback_on_what_only_the_tool_refuses_is_that_of_the_tool() -> None:
    made = projected("(n :int[1..5], m :map[:int]) -> :nil", "anthropic", STRICT)
    sent = {"n": 9, "m": []}
    told = made.feedback(sent, made.call(sent))

    assert '"n": 9,  // expected integer (minimum 1, maximum 5), got integer 9' in told


KINDS = "(u {kind :enum[a], x :int}!|{kind :enum[b]}!) -> :nil"
IN_NAMES = (
    "(u :A|:B?) -> :nil where A = {kind :enum[a]}!, B = {kind :enum[b], more :C}, C = {n :int}"
)
LOOP = "(t :T) -> :nil where T = {next :U}, U = {back [:T]}"


@pytest.mark.parametrize(
    ("signature", "provider", "options", "reason"),
    [
        (KINDS, "openai", STRICT, FIRST_KEY),
        (IN_NAMES, "openai", STRICT, FIRST_KEY),
        ("(u {a :int}!|{b :int}!|:int) -> :nil", "openai", STRICT, None),
        (KINDS, "openai", CHAT, None),
        (
            KINDS,
            "gemini",
            CHAT,
            "a union of 2 types has no type itself, which Vertex AI may refuse",
        ),
        ("(u {a :int?}) -> :nil", "gemini", CHAT, None),
        (LOOP, "gemini", {"api": "json"}, WITHIN),
        (
            "(t :T) -> :nil where T = {next? :T, m [:U]}, U = {a :int}",
            "gemini",
            {"api": "json"},
            None,
        ),
        ("(t :T) -> :nil where T = {** :T}", "gemini", {"api": "json"}, WITHIN),
        ("(t :T) -> :nil where T = {next? :T, n :int}|:int", "gemini", {"api": "json"}, None),
    ],
)
def test_what_is_against_advice_is_told(
    signature: str, provider: ProviderName, options: ProfileOptions, reason: str | None
) -> None:
    found = one(signature).project(provider, **options).check()

    assert [each.message for each in found] == ([] if reason is None else [f"run: {reason}"])
    assert {each.limit for each in found} <= {"advice"}
    assert not any(each.is_left_out for each in found)


def test_advice_on_an_answer_is_told() -> None:
    found = typesig.contract("[{kind :enum[a]}!|{kind :enum[b]}!]").project("openai").check()

    assert [each.message for each in found] == [f"answer: {FIRST_KEY}"]


def test_advice_has_a_date_and_a_page() -> None:
    profiles = [each for vendor in VENDORS.values() for each in vendor.profiles]
    advice = [row for profile in profiles for row in profile.advice]

    assert advice
    assert all(row.date and row.page for row in advice)


@pytest.mark.parametrize(
    ("signature", "sent", "value", "read"),
    [
        ("(m :map[:int]) -> :any", {"m": '[{"key": "a", "value": 1}]'}, {"m": {"a": 1}}, "m"),
        ("(m :map[:int]) -> :any", {"m": '{"a": 1}'}, {"m": {"a": 1}}, "m"),
        (
            "(l [:map[:int]]) -> :any",
            {"l": ['"[{\\"key\\": \\"a\\", \\"value\\": 1}]"']},
            {"l": [{"a": 1}]},
            "l[0]",
        ),
        ("(l [:map[:int]]) -> :any", {"l": "[[]]"}, {"l": [{}]}, "l"),
        ("(r {a :int, b :int?}!?) -> :any", {"r": '{"a": 1, "b": null}'}, {"r": {"a": 1}}, "r"),
        (
            "(t :T) -> :any where T = {m :map, next? :T}!",
            {"t": '{"m": [], "next": null}'},
            {"t": {"m": {}}},
            "t",
        ),
        ("(u :map[:int]|:int) -> :any", {"u": "[]"}, {"u": {}}, "u"),
        ("(u [:map]|:map) -> :any", {"u": '{"choice_2": []}'}, {"u": {}}, "u"),
        (
            "(u [:map]|:map) -> :any",
            {"u": {"choice_2": '[{"key": "a", "value": "2"}]'}},
            {"u": {"a": 2}},
            "u",
        ),
        (
            "(r {a :int, ** :int}) -> :any",
            {"r": {"a": 1, "additional_properties": '[{"key": "b", "value": 2}]'}},
            {"r": {"a": 1, "b": 2}},
            "r",
        ),
    ],
)
def test_the_json_text_of_a_form_is_read_where_no_text_is_meant(
    signature: str, sent: Any, value: Any, read: str
) -> None:
    made = projected(signature)
    outcome = made.read(sent)

    assert outcome.value == value
    assert any(str(each).startswith(f"{read}: JSON text read as ") for each in outcome.warnings)
    assert made.decode(sent) == value
    assert not made.read(sent, "strict").ok


def test_text_that_may_be_meant_is_not_read() -> None:
    made = projected("(u :map[:int]|:string, v :map[:int]|:T) -> :any where T = {a :string}!")

    assert made.decode({"u": "[]", "v": '{"a": "x"}'}) == {"u": "[]", "v": {"a": "x"}}
    assert made.decode({"u": "[]", "v": "x"})["v"] == "x"


def test_a_fault_in_text_is_named_at_its_place() -> None:
    made = projected("(m :map[:int]) -> :any")
    sent = {"m": json.dumps(TWICE)}
    outcome = made.call(sent)

    assert ['m.a: the key "a" is sent twice'] == [str(each) for each in outcome.errors]
    assert '[2].key: the key "a" is sent twice' in made.feedback(sent, outcome)


def test_the_text_of_an_answer_in_an_answer_is_read() -> None:
    made = typesig.contract("[:map[:int]]").project("openai")
    outcome = made.read({"items": '[[{"key": "a", "value": 1}]]'})

    assert outcome.result == [{"a": 1}]
    assert [str(each) for each in outcome.warnings] == ["JSON text read as list"]


def test_an_answer_that_is_text_of_its_text_is_read() -> None:
    made = typesig.contract("[:map[:int]]").project("openai")
    outcome = made.read(json.dumps(json.dumps({"items": [[{"key": "a", "value": 1}]]})))

    assert outcome.result == [{"a": 1}]
    assert [str(each) for each in outcome.warnings] == ["JSON text read as map"]


def test_a_value_that_travels_as_text_is_read_under_a_near_name_too() -> None:
    def find(user_id: Any, inner: dict[str, Any] | None = None) -> Any:
        return [user_id, inner]

    made = tools_of([find]).project("gemini").tools["find"]
    for name in ("user_id", "userId", "USER_ID", "user-id"):
        assert [{"a": 1}, None] == made.call({name: '{"a": 1}'}).value
    # A mode that does not read near names reads hyphens all the same.
    strict = made.call({"userId": "[1]"}, mode="strict")
    assert not strict.ok
    assert [[1], None] == made.call({"user-id": "[1]"}, mode="strict").value


def test_a_value_under_a_name_that_is_no_field_stays_as_it_is() -> None:
    def find(inner: Inner) -> Any:
        return inner

    made = tools_of([find]).project("gemini").tools["find"]
    sent = {"a_b": "[1]", "other": "[1]"}

    assert {"a_b": [1], "other": "[1]"} == made.decode({"inner": sent})["inner"]


class Inner(TypedDict, total=False):
    """An open record."""

    a_b: Any


def test_what_definitions_lose_is_told_in_the_same_order_on_every_run() -> None:
    params = ", ".join(f"{name.lower()} :{name}" for name in "FBDACE")
    names = ", ".join(f"{name} = {{x :int}}" for name in "FBDACE")
    made = projected(f"({params}) -> :nil where {names}")

    assert list("ABCDEF") == [loss.path[2] for loss in made.losses]


def told_of(t: str | Type) -> str:
    signature = f"(p {t}) -> :any" if isinstance(t, str) else Signature((Field("p", t),), ANY)

    @tool(signature)
    def f(p: Any) -> Any: ...

    (made,) = tools_of([f]).project("openai", strict=True).definitions
    return made["function"]["parameters"]["properties"]["p"].get("description", "")


@pytest.mark.parametrize(
    ("t", "expected"),
    [
        ("[:bool, :map[:int]]", '(in order: boolean, array of {"key": string, "value": integer})'),
        (Tuple((INT,), Maybe(BOOL)), "(in order: integer, then any number of (boolean or null))"),
        ("[{a :int, b? :string}, :int]", '(in order: {"a": integer, "b": string or null}, integer)'),
        # One that would be long is left out.
        (f"[{', '.join([f'{{key_{n} :int}}' for n in range(30)])}]", ""),
        (f"[:string, :int, {{{'k' * 60} :int, {'q' * 60} :int, {'r' * 60} :int, {'s' * 60} :int}}]", ""),
    ],
)  # fmt: skip
def test_the_order_of_a_list_is_told_in_the_types_that_are_sent(
    t: str | Type, expected: str
) -> None:
    assert expected == told_of(t)


def test_an_object_without_properties_is_an_object() -> None:
    assert "object" == write_type(Record((), ANY))
