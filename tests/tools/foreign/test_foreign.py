"""Tools that others defined: their texts, their schemas, and how providers get both."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given

from tests import generators
from tests.judge import JUDGE
from typesig import Toolset, TypesigError
from typesig.algebra.nodes import ANY
from typesig.calls.results import ToolResult
from typesig.errors import Unsupported
from typesig.tools.foreign.foreign import ForeignDefinition, foreign_tool
from typesig.tools.foreign.foreign_texts import (
    is_hiding,
    is_plain_name,
    strip_invisible,
    strip_invisible_line,
    strip_schema,
)

OBJECT = {"type": "object", "properties": {"n": {"type": "integer"}}}


def made(
    schema: Any = OBJECT, output: Any = None, result: Any = None, encode: Any = None
) -> Toolset:
    """Return a toolset with the foreign tool `f`, which returns *result*, or its arguments."""

    async def call(**arguments: Any) -> Any:
        return arguments if result is None else result

    return Toolset([foreign_tool(call, ForeignDefinition("f", schema, output), encode)])


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        ("a\x00\x07\x1b[31m\x7f\x9bb", "a[31mb"),
        ("tab\tand\nline\r\n", "tab\tand\nline\n"),
        ("a\u200b\u200c\u200d\u2060\ufeffb", "ab"),
        ("\u202eabc\u2066\u061c\u200f", "abc"),
        ("x\U000e0001\U000e0041\U000e01efy", "xy"),
        ("a\u2028b\u2029c", "a\nb\nc"),
        ("\ud800", "\N{REPLACEMENT CHARACTER}"),
        ("né 日本 🎉 \u0301", "né 日本 🎉 \u0301"),
    ],
)
def test_texts_lose_what_is_not_seen(text: str, seen: str) -> None:
    assert seen == strip_invisible(text)
    assert strip_invisible(seen) == seen


def test_a_line_has_single_blanks() -> None:
    assert "a b c" == strip_invisible_line("a\n b\u200b\t c ")


@pytest.mark.parametrize(
    ("text", "hides", "is_name"),
    [
        ("plain", False, True),
        ("a b", False, True),
        ("a\nb", False, False),
        ("\x1b", False, False),
        ("a\u200db", False, False),
        ("a\U000e0041b", True, False),
        ("日本", False, True),
    ],
)
def test_what_a_value_and_a_name_may_have(text: str, hides: bool, is_name: bool) -> None:
    assert hides is is_hiding(text)
    assert is_name is is_plain_name(text)


def test_only_the_texts_of_schemas_are_changed() -> None:
    schema = {
        "title": "T\u200b",
        "description": {"not": "text"},
        "properties": {
            "description": {"type": "string", "description": "d\u200b", "default": "a\u200d"},
            "enum": {"$comment": "c\u200b"},
        },
        "default": {"description": "x\x1b"},
        "x-more": [1, None, {"title": "t\u2066"}],
    }

    assert {
        "title": "T",
        "description": {"not": "text"},
        "properties": {
            "description": {"type": "string", "description": "d", "default": "a\u200d"},
            "enum": {"$comment": "c"},
        },
        "default": {"description": "x\x1b"},
        "x-more": [1, None, {"title": "t"}],
    } == strip_schema(schema)


def test_a_value_at_the_root_that_hides_something_is_refused() -> None:
    with pytest.raises(Unsupported) as raised:
        strip_schema("\u202e")

    assert "the value has characters that are not seen" == str(raised.value)


def test_schemas_that_nest_too_deep_are_refused() -> None:
    loop: dict[str, Any] = {}
    loop["not"] = loop
    with pytest.raises(TypesigError, match="its schemas nest too deep"):
        made(loop)


def test_a_schema_that_is_no_object_is_written_anew_for_mcp() -> None:
    tools = made({"properties": {"a": {"$ref": "https://x.org"}}})
    wire = tools.project("mcp")

    assert {"type": "object", "properties": {"a": {}}} == wire.definitions[0]["inputSchema"]
    assert ["f.input.properties.a.$ref"] == [".".join(loss.path) for loss in wire.losses]


@pytest.mark.parametrize(
    ("api", "shown", "sent"),
    [
        ("2025-11-25", {"type": "object", "required": ["items"]}, {"items": [1, 2]}),
        ("2026-07-28", {"type": "array", "items": {"type": "integer"}}, [1, 2]),
    ],
)
def test_a_result_that_is_no_object_is_wrapped_where_it_has_to_be(
    api: str, shown: dict[str, Any], sent: Any
) -> None:
    output = {"type": "array", "items": {"type": "integer"}}
    wire = made(output=output, result=[1, 2]).project("mcp", api=api)
    [result] = asyncio.run(wire.ahandle({"name": "f", "arguments": {}}))

    assert shown.items() <= wire.definitions[0]["outputSchema"].items()
    assert sent == result["structuredContent"]
    assert "[1,2]" == result["content"][0]["text"]


def test_all_keys_of_an_outcome_are_encoded_for_mcp_only() -> None:
    tools = made(output=OBJECT, result={"n": 1, "more": 2})
    outcome = asyncio.run(tools.acall("f"))

    assert {"n": 1, "more": 2} == tools.project("mcp").tools["f"].encode(outcome)
    assert {"n": 1, "more": 2} == tools.project("mcp").tools["f"].encode({"n": 1, "more": 2})
    assert {"n": 1} == outcome.for_model()


def test_lone_surrogates_of_a_result_are_escaped_for_mcp() -> None:
    tools = made(output=OBJECT, result={"n": 1, "more": "\ud800"})
    [result] = asyncio.run(tools.project("mcp").ahandle({"name": "f", "arguments": {}}))

    assert {"n": 1} == {k: v for k, v in result["structuredContent"].items() if k == "n"}
    result["structuredContent"]["more"].encode()


@pytest.mark.parametrize("encode", [None, ToolResult.data])
def test_without_checks_a_result_is_what_was_returned(encode: Any) -> None:
    result = {"n": "x"} if encode is None else ToolResult((), {"n": "x"}, True)
    outcome = asyncio.run(
        made(output=OBJECT, result=result, encode=encode).acall("f", mode="disabled")
    )

    assert ({"n": "x"}, result) == (outcome.value, outcome.result)


def test_an_explicit_signature_beside_a_hint_that_a_library_writes() -> None:
    import typesig

    @typesig.tool("() -> {a :int}")
    def plain() -> ToolResult:
        return {"a": 1}  # type: ignore[return-value]

    assert {"a": 1} == plain.call().value


WORDS = st.sampled_from([
    "type", "properties", "required", "items", "$ref", "$defs", "anyOf", "oneOf", "not", "enum",
    "const", "default", "pattern", "format", "minimum", "additionalProperties", "description", "a",
    "_b", "x-y", "\u200b", "$schema", "$id", "if", "patternProperties", "title",
])  # fmt: skip
VALUES: st.SearchStrategy[Any] = st.sampled_from([
    None, True, False, 0, -1, 1.5, "", "object", "string", ["integer", "null"], "#", "#/$defs/a",
    "https://x.org/a", "(a+)+$", "[", "date-time", "a\u202e", "a\x1b", [], {}, 10**30,
])  # fmt: skip
SCHEMAS = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4)
)


@generators.LAW
@given(st.dictionaries(WORDS, SCHEMAS, max_size=5), SCHEMAS, SCHEMAS)
def test_any_schema_gives_a_tool_or_is_left_out_with_the_reason(
    schema: dict[str, Any], output: Any, sent: Any
) -> None:
    given_ = {**schema, "type": "object"}
    tools, reason = Toolset(), ""
    try:
        tools = made(given_, output, encode=lambda data: data)
    except TypesigError as error:
        reason = str(error)
    if not tools:
        # Only names and values that hide something are refused, and what has no parameters.
        hides = strip_invisible(text := json.dumps([given_, output], ensure_ascii=False)) != text
        assert hides or reason.startswith("its parameters cannot be kept: ")
        return
    [one] = tools
    outcome = asyncio.run(one.acall(sent))

    assert outcome.ok or outcome.report()
    assert strip_invisible(one.prompt()) == one.prompt()
    wire = tools.project("mcp", api="2026-07-28")
    assert wire.definitions[0]["inputSchema"] == strip_schema(given_)
    assert wire.definitions[0].get("outputSchema") == strip_schema(output)
    tools.project("openai", strict=True)


#: Numbers as JSON writes them; each integer stands for its own digits.
NUMBERS = (
    st.sampled_from([0, 7, -3, 2**53 + 1, -(2**53) - 1, 10**30, 1.5, 7.0, -0.5])
    | st.integers()
    | st.floats(-1e9, 1e9)
)
NUMBER_SCHEMAS = st.recursive(
    st.sampled_from([
        {"type": "number"}, {"type": ["number", "null"]}, {"type": ["number", "string"]},
        {"type": "number", "minimum": 0}, {"type": "number", "exclusiveMaximum": 2**60},
        {"type": "number", "multipleOf": 0.5}, {"enum": [1.5, "a"]}, {"const": 7.0},
        {"type": "number", "enum": [7.0, -0.5]}, {"anyOf": [{"type": "number"}, {"type": "null"}]},
        {"oneOf": [{"type": "boolean"}, {"type": "number", "maximum": 10**30}]},
    ]),
    lambda inner: st.one_of(
        inner.map(lambda each: {"type": "array", "items": each}),
        inner.map(lambda each: {"type": "object", "additionalProperties": each}),
        inner.map(lambda each: {"type": "object", "properties": {"n": each}, "required": ["n"]}),
    ),
    max_leaves=3,
)  # fmt: skip


def number_values(schema: Any) -> st.SearchStrategy[Any]:
    """Return values for *schema*, of which some do not fit it."""
    if schema.get("type") == "array":
        return st.lists(number_values(schema["items"]), max_size=3)
    if "additionalProperties" in schema:
        return st.dictionaries(st.sampled_from("ab"), number_values(schema["additionalProperties"]))
    if "properties" in schema:
        return st.fixed_dictionaries({"n": number_values(schema["properties"]["n"])})
    return NUMBERS


@generators.LAW
@given(st.data(), NUMBER_SCHEMAS, st.booleans())
def test_a_number_of_the_schemas_of_others_is_sent_as_it_was_written(
    data: Any, schema: dict[str, Any], as_text: bool
) -> None:
    value = data.draw(number_values(schema))
    whole = {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    assume(JUDGE(whole).is_valid({"x": value}))
    arguments = json.dumps({"x": value}) if as_text else {"x": value}
    outcome = asyncio.run(made(whole).acall("f", arguments))

    assert outcome.ok, outcome.report()
    assert repr({"x": value}) == repr(outcome.value)


@pytest.mark.parametrize(
    ("sent", "passed"),
    [
        (7, "7"), ("7", "7"), (" +7 ", "7"), (9007199254740993, "9007199254740993"),
        ("9007199254740993", "9007199254740993"), ("7.0", "7.0"), ("1e3", "1000.0"),
        (7.0, "7.0"), ("0x7", None), ("07", None),
    ],
)  # fmt: skip
def test_a_number_in_quotes_is_that_without_them(sent: Any, passed: str | None) -> None:
    schema = {"type": "object", "properties": {"x": {"type": "number"}}}
    outcome = asyncio.run(made(schema).acall("f", {"x": sent}))

    assert (None if passed is None else f"{{'x': {passed}}}") == (
        repr(outcome.value) if outcome.ok else None
    )


@pytest.mark.parametrize("sent", [7, 7.0, -0.5])
def test_a_whole_number_among_the_values_of_an_enum_has_two_forms(sent: float) -> None:
    schema = {"type": "object", "properties": {"x": {"enum": [7.0, -0.5, None, "7"]}}}
    [tool] = made(schema)
    outcome = asyncio.run(tool.acall({"x": sent}))

    assert f"{{'x': {sent!r}}}" == repr(outcome.value)
    assert '(x? :enum[7.0 -0.5 nil "7"]) -> :any' == str(tool.signature)


LOOP = {"$ref": "#/$defs/Loop"}


def test_an_argument_that_is_refused_is_widened_alone() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {**LOOP, "description": "Any."}, "b": {"type": "integer"}, "c": LOOP},
        "required": ["a"],
        "$defs": {"Loop": LOOP},
    }
    tool = made(schema)["f"]

    assert "(a :any, b? :int, c? :any)" == str(tool.signature).partition(" ->")[0]
    assert ["input.properties.a", "input.properties.c"] == [each.place for each in tool.warnings]
    assert not tool.signature.validate_input({"a": 1, "b": "x"}).ok


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {f"p{n}": LOOP for n in range(101)}, "$defs": {"Loop": LOOP}},
        {"properties": {"a": {}}, "additionalProperties": LOOP, "$defs": {"Loop": LOOP}},
    ],
)
def test_arguments_that_are_refused_together_keep_their_names(schema: Any) -> None:
    tool = made(schema)["f"]

    assert [*schema["properties"]] == [field.name for field in tool.signature.params]
    assert {ANY} == {field.type for field in tool.signature.params}
    assert {"input"} == {each.place.partition(".")[0] for each in tool.warnings}
