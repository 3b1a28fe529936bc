"""Results of ordinary servers: dates and times as they write them, and null where it is said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.openapi_shop import answer, document, parameter
from typesig import Outcome
from typesig.openapi import Request, Response, tools_from


def text(name: str) -> dict[str, Any]:
    return {"type": "string", "format": name}


def called(
    schema: Any, value: Any, version: str = "3.1.0", mode: Any = None, **schemas: Any
) -> Any:
    made = document(
        {"/x": {"get": {"operationId": "g", "responses": answer(schema)}}},
        version,
        components={"schemas": schemas},
    )
    body = json.dumps(value).encode()
    response = Response(200, {"content-type": "application/json"}, body)
    return tools_from(made, base="http://h", send=lambda _: response).call("g", mode=mode)


#: What pydantic writes for a naive datetime, a time and a timedelta of 1.5 seconds, and others.
OTHERS = [
    ("date-time", "2027-01-01T10:00:00"),
    ("time", "10:00:00"),
    ("duration", "PT1.5S"),
    ("date", "2027-1-1"),
    ("uuid", "no uuid"),
    ("uri", "/relative"),
    ("email", "me"),
    ("ipv4", "1.2.3"),
]


@pytest.mark.parametrize("mode", [None, "strict", "json", "lenient", "warn_only"])
@pytest.mark.parametrize(("name", "value"), OTHERS)
def test_a_result_in_another_format_passes_with_a_warning(name: str, value: str, mode: Any) -> None:
    for schema, sent in (
        (text(name), value),
        ({"type": "array", "items": text(name)}, [value]),
        ({"anyOf": [text(name), {"type": "null"}]}, value),
        ({"oneOf": [text(name), {"type": "integer"}]}, value),
        ({"oneOf": [text(name), text("hostname")]}, value),
        ({"allOf": [text(name), {"maxLength": 99}]}, value),
        ({"type": "object", "properties": {"a": text(name)}, "required": ["a"]}, {"a": value}),
    ):
        outcome: Outcome[Any] = called(schema, sent, mode=mode)

        assert outcome.ok, (schema, outcome.report())
        assert sent == outcome.value
        assert outcome.for_model() in (sent, {"items": sent}, {"result": sent})


@pytest.mark.parametrize(("name", "value"), OTHERS)
def test_the_warning_says_which_format_it_is(name: str, value: str) -> None:
    [warning] = called({"type": "object", "properties": {"a": text(name)}}, {"a": value}).warnings

    assert ("refined", "other_format", ("a",)) == (warning.code, warning.rule, warning.path)
    assert value in str(warning)


def test_what_is_wrong_besides_is_an_error_still() -> None:
    short = {"type": "string", "format": "date-time", "maxLength": 3}

    assert ['expected string[..3, date-time], got string "2027-01-01"'] == [
        str(error) for error in called(short, "2027-01-01").errors
    ]
    assert not called(text("date-time"), 3).ok
    assert not called({"not": text("date")}, "2027-01-01").ok
    assert called({"not": text("date")}, "2027").ok


def test_a_value_in_the_right_format_is_not_warned_of() -> None:
    schema = {"anyOf": [text("date-time"), text("date"), {"type": "string"}]}

    for value in ("2027-01-01", "2027-01-01T10:00:00Z", "then"):
        assert () == called(schema, value).warnings


def test_an_argument_in_another_format_is_sent_with_a_warning() -> None:
    seen: list[str] = []

    def send(request: Request) -> Response:
        seen.append(request.url)
        return Response(204)

    given = [parameter("d", "query", text("duration")), parameter("t", "query", text("date-time"))]
    made = document({"/x": {"get": {"operationId": "g", "parameters": given, "responses": {}}}})
    tools = tools_from(made, base="http://h", send=send)
    outcome = tools.call("g", {"d": "PT1.5S", "t": "2027-01-01T10:00:00"})

    assert ["http://h/x?d=PT1.5S&t=2027-01-01T10%3A00%3A00"] == seen
    assert ["d", "t"] == [warning.path[0] for warning in outcome.warnings]
    assert "add an offset" in str(outcome.warnings[1])


P = {"type": "string", "enum": ["a", "b"]}


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/components/schemas/P", "nullable": True},
        {"allOf": [{"$ref": "#/components/schemas/P"}], "nullable": True},
        {"oneOf": [{"$ref": "#/components/schemas/P"}, {"type": "integer"}], "nullable": True},
        {"enum": ["a"], "nullable": True},
        {"type": "string", "nullable": True},
    ],
)
def test_null_is_taken_where_a_schema_is_nullable(schema: Any, version: str) -> None:
    for whole, value in (
        (schema, None),
        (schema, "a"),
        ({"type": "object", "properties": {"p": schema}}, {"p": None}),
        ({"type": "array", "items": schema}, [None, "a"]),
    ):
        outcome = called(whole, value, version, P=P)

        assert outcome.ok, outcome.report()
        assert () == outcome.warnings


def test_a_reference_that_is_not_nullable_takes_no_null() -> None:
    for schema in (
        {"$ref": "#/components/schemas/P"},
        {"$ref": "#/components/schemas/P", "nullable": False},
    ):
        assert not called(schema, None, "3.0.3", P=P).ok
