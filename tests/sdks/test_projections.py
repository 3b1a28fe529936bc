"""Projections are of the packages' own types, and their converters leave them as they are."""

from __future__ import annotations

import copy
import warnings
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest

from tests.sdks.rows import keys_of
from tests.vendors.documents import Document, Place
from tests.vendors.hostile_toolsets import toolsets
from tests.vendors.options import OPTIONS

if not any(find_spec(name) for name in ("agents", "anthropic", "google", "mcp", "openai")):
    pytest.skip("none of the packages is installed", allow_module_level=True)

TOOLSETS = toolsets()


@cache
def definitions_of(name: str, vendor: str, profile: str) -> tuple[Any, ...]:
    options = OPTIONS[vendor, profile]
    return tuple(TOOLSETS[name].project(vendor, **options).definitions)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", TOOLSETS)
def test_openai_types_and_leaves_its_strict_tools(name: str) -> None:
    pytest.importorskip("openai")
    from openai.lib._pydantic import _ensure_strict_json_schema
    from openai.types.chat import ChatCompletionFunctionToolParam
    from openai.types.responses import FunctionToolParam
    from pydantic import TypeAdapter

    chat = definitions_of(name, "openai", "chat_strict")
    TypeAdapter(list[ChatCompletionFunctionToolParam]).validate_python([*chat], strict=True)
    responses = definitions_of(name, "openai", "responses_strict")
    TypeAdapter(list[FunctionToolParam]).validate_python([*responses], strict=True)
    for definition in responses:
        schema = definition["parameters"]
        made = _ensure_strict_json_schema(copy.deepcopy(schema), path=(), root=schema)
        assert schema == made


@pytest.mark.parametrize("name", TOOLSETS)
def test_the_agents_package_leaves_strict_tools_as_they_are(name: str) -> None:
    convert = pytest.importorskip("agents.strict_schema").ensure_strict_json_schema
    for definition in definitions_of(name, "openai", "responses_strict"):
        assert definition["parameters"] == convert(copy.deepcopy(definition["parameters"]))


@pytest.mark.parametrize("name", TOOLSETS)
def test_pydantic_ai_finds_strict_tools_strict(name: str) -> None:
    profile = pytest.importorskip("pydantic_ai.profiles.openai")
    for definition in definitions_of(name, "openai", "responses_strict"):
        made = profile._OpenAIJsonSchemaTransformer(definition["parameters"], strict=None)
        made.walk()
        assert made.is_strict_compatible


@pytest.mark.parametrize("name", TOOLSETS)
@pytest.mark.parametrize("profile", ["tools", "tools_strict"])
def test_anthropic_types_its_tools(name: str, profile: str) -> None:
    pytest.importorskip("anthropic")
    from anthropic.types import ToolParam
    from pydantic import TypeAdapter

    for definition in definitions_of(name, "anthropic", profile):
        TypeAdapter(ToolParam).validate_python(definition)
        assert set(definition) <= keys_of(ToolParam)


@pytest.mark.parametrize("name", TOOLSETS)
def test_anthropic_moves_nothing_of_strict_tools_to_descriptions(name: str) -> None:
    anthropic = pytest.importorskip("anthropic")
    for definition in definitions_of(name, "anthropic", "tools_strict"):
        schema = definition["input_schema"]
        made = anthropic.transform_schema(copy.deepcopy(schema))
        ours, theirs = _descriptions(schema), _descriptions(made)
        # The transformer has no case for patterns, which the page allows.
        assert ours == {place: theirs.get(place) for place in ours} or "pattern" in str(schema)


def _descriptions(schema: Any) -> dict[str, Any]:
    nodes = Document(schema, Place(None, 0)).nodes
    return {str(node.place): node.get("description") for node in nodes if node.get("description")}


@pytest.mark.parametrize("name", TOOLSETS)
@pytest.mark.parametrize("profile", ["parameters", "json_schema"])
def test_google_types_its_declarations(name: str, profile: str) -> None:
    types = pytest.importorskip("google.genai.types")
    declarations = [*definitions_of(name, "gemini", profile)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of types that it does not know
        tool = types.Tool.model_validate({"functionDeclarations": declarations})

    assert len(declarations) == len(tool.function_declarations)


@pytest.mark.parametrize("name", TOOLSETS)
@pytest.mark.parametrize("profile", ["2025-06-18", "2025-11-25", "2026-07-28"])
def test_mcp_types_its_tools(name: str, profile: str) -> None:
    methods = pytest.importorskip("mcp_types.methods")
    result: dict[str, Any] = {"tools": [*definitions_of(name, "mcp", profile)]}
    if profile == "2026-07-28":
        result |= {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}

    methods.validate_server_result("tools/list", profile, result)
