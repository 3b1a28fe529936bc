"""Calls of the type table's tools, as each provider spells them, are the calls themselves."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from tests.type_table import rows
from tests.type_table.table import TAKEN
from tests.vendors import refusals
from tests.vendors.options import OPTIONS
from typesig import Toolset

PROFILES = (
    ("openai", "chat_strict"),
    ("anthropic", "tools_strict"),
    ("gemini", "parameters"),
    ("gemini", "json_schema"),
)
#: Rows whose calls do not come back alike, and why.
OTHERWISE = {
    "TypedDict NotRequired": "an optional field that is null may be sent as absent",
    "msgspec UNSET": "the same",
    "TypedDict inheritance": "optional fields are sent in the order of the type",
    "lru_cache": "the function is called once for equal arguments",
    "methods below decorators": "the same",
}


def _schema(definition: Any) -> Any:
    body = definition.get("function", definition)
    keys = {"parameters", "input_schema", "parametersJsonSchema"} & set(body)
    return body[keys.pop()] if keys else {"maxProperties": 0}


@pytest.mark.once
@pytest.mark.parametrize(("vendor", "profile"), PROFILES)
def test_what_a_provider_is_sent_comes_back_as_the_arguments(vendor: Any, profile: str) -> None:
    problems = []
    for row in TAKEN:
        toolset = Toolset([rows._made(row)])
        projection = toolset.project(vendor, **OPTIONS[vendor, profile])
        problems += [str(each) for each in refusals(vendor, profile, projection.definitions)]
        (projected,) = projection.tools.values()
        is_closed = any("undeclared keys" in str(loss) for loss in projected.losses)
        for arguments, expected in row.takes:
            sent = json.loads(json.dumps(projected.encode_arguments(arguments)))
            if profile != "parameters":
                judge = jsonschema.Draft202012Validator(_schema(projected.definition))
                if not judge.is_valid(sent) and not is_closed:
                    problems.append(f"{row.noun}: the schema refuses {sent!r}")
            if row.noun in OTHERWISE or expected is rows.BUILTIN:
                continue
            rows._called(projected.tool, projected.decode(sent), row)
            received = rows.taken_out()
            if not received or not rows._is(expected, received[0]):
                problems.append(f"{row.noun}: {arguments!r} as {sent!r} is received as {received}")

    assert [] == problems
