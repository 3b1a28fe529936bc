"""What fits the schema that was shown is accepted, and results fit the schema that was listed."""

from __future__ import annotations

import dataclasses
import datetime
import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, fields_of, lone_signatures, signatures
from tests.judge import CHECKER, JUDGE
from tests.sent import as_floats, is_told, sent
from typesig.algebra.nodes import STRING
from typesig.algebra.signature import Signature
from typesig.contracts.rehearsals.rehearsal import call_of

PROFILES: list[tuple[Any, dict[str, Any]]] = [
    ("openai", {}),
    ("openai", {"strict": True}),
    ("openai", {"api": "responses"}),
    ("anthropic", {}),
    ("anthropic", {"strict": True}),
    ("gemini", {}),
    ("gemini", {"api": "json"}),
    ("mcp", {}),
]

#: Where a definition has its schema.
PLACES = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema")


def shown(definition: Any) -> Any:
    """Return the schema of the arguments in *definition*; Gemini takes none without parameters."""
    definition = definition.get("function", definition)
    found = [definition[place] for place in PLACES if place in definition]
    return found[0] if found else {"type": "object", "maxProperties": 0}


def as_meant(provider: Any, schema: Any) -> Any:
    """Return *schema* as *provider* means it: Gemini, which has no word for it, closes objects."""
    if provider != "gemini" or not isinstance(schema, dict):
        return schema
    made = {key: as_meant(provider, part) for key, part in schema.items()}
    if "properties" in made:
        made["properties"] = {
            name: as_meant(provider, part) for name, part in schema["properties"].items()
        }
        made.setdefault("additionalProperties", False)
    for key in ("anyOf", "prefixItems"):
        if key in made:
            made[key] = [as_meant(provider, part) for part in made[key]]
    return made


def tool_of(signature: Signature) -> typesig.Tool:
    """Return a tool that takes the arguments of *signature*."""

    @typesig.tool(Signature(signature.params, STRING, signature.names, signature.extra), name="f")
    def run(**sent: Any) -> str:
        return "ran"

    return run


public = signatures().filter(lambda s: not any(f.firewalled for f in fields_of(s)))


@LAW
@given(st.data())
def test_arguments_that_fit_the_schema_of_a_tool_are_accepted(data: st.DataObject) -> None:
    tool = tool_of(data.draw(public))
    schema = tool.signature.input_schema()
    value = data.draw(sent(schema))
    if not is_told(schema, value):
        return
    value = data.draw(as_floats(value))
    given_as = data.draw(st.sampled_from([value, json.dumps(value)]))

    assert () == tool.call(given_as).errors


@LAW
@given(st.data())
def test_an_answer_that_fits_the_schema_of_a_contract_is_accepted(data: st.DataObject) -> None:
    s = data.draw(lone_signatures().filter(lambda s: not any(f.firewalled for f in fields_of(s))))
    schema = typesig.contract(s).to_json_schema()
    value = data.draw(sent(schema))
    if not is_told(schema, value):
        return
    value = data.draw(as_floats(value))

    assert () == typesig.contract(s).read(json.dumps(value)).errors


@pytest.mark.parametrize("profile", PROFILES, ids=str)
@LAW
@given(data=st.data())
def test_arguments_that_fit_what_a_provider_was_sent_are_accepted(
    profile: Any, data: st.DataObject
) -> None:
    provider, options = profile
    projection = typesig.tools_of([tool_of(data.draw(public))]).project(provider, **options)
    if projection.losses:
        # What is sent may take more then, and the loss says so.
        return
    for name, definition in zip(projection.tools, projection.definitions, strict=True):
        schema = shown(definition)
        if "parametersJsonSchema" not in definition:
            schema = as_meant(provider, schema)
        value = data.draw(sent(schema))
        if not is_told(schema, value):
            return
        value = data.draw(as_floats(value))
        message = call_of(projection.provider, projection.profile.api, name, value)
        [answer] = projection.handle(message)

        assert '"ran"' in json.dumps(answer, ensure_ascii=False), answer


# Numbers


@pytest.mark.parametrize(
    ("hint", "sent", "read"),
    [
        (int, 2.0, 2),
        (list[int], [1, -0.0], [1, 0]),
        (Literal[1, 2], 2.0, 2),
        (dict[str, int] | None, {"a": 1e3}, {"a": 1000}),
    ],
    ids=str,
)
def test_a_whole_float_is_an_int_where_a_schema_was_shown(hint: Any, sent: Any, read: Any) -> None:
    @typesig.tool
    def f(x: hint) -> str:
        return repr(x)

    called = f.call({"x": sent})
    answered = typesig.contract(hint).read(json.dumps(sent))

    assert (repr(read), 1) == (called.value, len(called.warnings))
    assert (read, 1) == (answered.value, len(answered.warnings))
    for provider in ("openai", "anthropic", "gemini"):
        projection = typesig.tools_of([f]).project(provider)
        message = call_of(provider, projection.profile.api, "f", {"x": sent})
        assert json.dumps(repr(read))[1:-1] in json.dumps(projection.handle(message))


def test_a_whole_float_is_an_int_in_part_of_a_constant() -> None:
    read = typesig.contract('() -> :enum[[1, 2] {"a": 1}]').read

    assert ([1, 2], 1) == (read("[1.0, 2]").value, len(read("[1.0, 2]").warnings))
    assert {"a": 1} == read('{"a": 1.0}').value
    assert not read("[1.5, 2]").ok


@pytest.mark.parametrize("mode", ["strict", "json"])
def test_a_mode_without_coercion_refuses_a_whole_float(mode: Any) -> None:
    assert not typesig.contract(int).read("2.0", mode=mode).ok


def test_the_table_of_a_policy_is_not_changed() -> None:
    s = typesig.parse("(n :int) -> :int")

    assert not s.validate_input({"n": 2.0}).ok
    assert not s.validate_and_coerce({"n": 2.0}).ok
    assert not typesig.coerce(2.0, ":int").ok


# Classes without fields


@dataclasses.dataclass
class Nothing:
    pass


@pytest.mark.parametrize(
    ("provider", "options"),
    [("openai", {"strict": True}), ("anthropic", {"strict": True})],
)
def test_a_class_without_fields_is_sent_as_an_object_without_properties(
    provider: Any, options: Any
) -> None:
    @typesig.tool
    def f(e: Nothing, d: dict[str, Any]) -> str:
        return f"{e} {d}"

    projection = typesig.tools_of([f]).project(provider, **options)
    [definition] = projection.definitions
    properties = shown(definition)["properties"]
    closed = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    sent = {"e": {}, "d": [{"key": "a", "value": "1"}]}
    [answer] = projection.handle(call_of(provider, projection.profile.api, "f", sent))

    assert (closed, "array") == (properties["e"], properties["d"]["type"])
    assert "Nothing() {'a': 1}" in json.dumps(answer)
    assert [("f", "params", "d"), ("f", "params", "d", "values")] == [
        loss.path for loss in projection.losses
    ]


def test_an_answer_has_a_class_without_fields_as_an_object_without_properties() -> None:
    @dataclasses.dataclass
    class Holder:
        e: Nothing

    projection = typesig.contract(Holder).project("openai", strict=True)

    assert Holder(Nothing()) == projection.read({"e": {}}).result
    assert () == projection.losses


def test_a_record_that_was_written_without_fields_takes_any_keys() -> None:
    @typesig.tool("(e {}) -> :any")
    def f(e: Any) -> Any:
        return e

    [definition] = typesig.tools_of([f]).project("openai", strict=True).definitions

    assert "array" == shown(definition)["properties"]["e"]["type"]


# Results


RESULTS = st.recursive(
    st.sampled_from([
        (int, st.integers()),
        (datetime.datetime, st.datetimes()),
        (datetime.datetime, st.datetimes(timezones=st.just(datetime.UTC))),
        (datetime.date, st.dates()),
        (bytes, st.binary()),
        (float, st.floats(allow_nan=False, allow_infinity=False)),
        (type(None), st.none()),
    ]),
    lambda inner: st.one_of(
        inner.map(lambda made: (list[made[0]], st.lists(made[1], max_size=2))),
        inner.map(lambda made: (made[0] | None, st.none() | made[1])),
        inner.map(lambda made: (dict[str, made[0]], st.dictionaries(st.text(), made[1]))),
        inner.map(lambda made: (made[0] | str, st.text() | made[1])),
    ),
    max_leaves=3,
)  # fmt: skip


@pytest.mark.parametrize("api", ["2025-11-25", "2026-07-28"])
@LAW
@given(data=st.data())
def test_what_is_sent_of_a_result_fits_the_schema_that_was_listed(
    api: Any, data: st.DataObject
) -> None:
    hint, values = data.draw(RESULTS)
    value = data.draw(values)

    @typesig.tool
    def f() -> hint:
        return value

    projection = typesig.tools_of([f]).project("mcp", api=api)
    [definition] = projection.definitions
    [sent] = projection.handle({"name": "f", "arguments": {}})

    assert "isError" not in sent or not sent["isError"]
    JUDGE(definition["outputSchema"], format_checker=CHECKER).validate(sent["structuredContent"])
