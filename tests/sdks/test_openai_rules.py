"""The rules of OpenAI, beside the types and the strict converters of its packages."""

from __future__ import annotations

import copy
from typing import Any

import pytest

openai = pytest.importorskip("openai")

from openai.lib._pydantic import _ensure_strict_json_schema  # noqa: E402
from openai.types.chat import ChatCompletionFunctionToolParam  # noqa: E402
from openai.types.responses import (  # noqa: E402
    FunctionToolParam,
    ResponseFormatTextJSONSchemaConfigParam,
)
from openai.types.shared_params import (  # noqa: E402
    FunctionDefinition,
    ResponseFormatJSONSchema,
)
from openai.types.shared_params.response_format_json_schema import JSONSchema  # noqa: E402
from pydantic import TypeAdapter  # noqa: E402

from tests.sdks.rows import is_accepted, keys_of, rows_of  # noqa: E402
from tests.vendors.cases import Row  # noqa: E402
from tests.vendors.openai import PROFILES, STRICT  # noqa: E402

#: The type of a definition and, if it has an object within, its key and type.
TYPES: dict[tuple[str, bool], tuple[Any, str, Any]] = {
    ("chat", True): (ChatCompletionFunctionToolParam, "function", FunctionDefinition),
    ("chat", False): (ResponseFormatJSONSchema, "json_schema", JSONSchema),
    ("responses", True): (FunctionToolParam, "", None),
    ("responses", False): (ResponseFormatTextJSONSchemaConfigParam, "", None),
}


def judge_type(profile: str, definition: Any) -> None:
    """Raise if *definition* is not of the package's type, or has a key that the type has not."""
    form = PROFILES[profile]
    outer, key, inner = TYPES[form.api, form.is_tool]
    TypeAdapter(outer).validate_python(definition, strict=True)
    assert set(definition) <= keys_of(outer)
    if key:
        assert set(definition[key]) <= keys_of(inner)


def schema_of(profile: str, definition: Any) -> Any:
    form = PROFILES[profile]
    body = definition[TYPES[form.api, form.is_tool][1]] if form.api == "chat" else definition
    return body.get("parameters" if form.is_tool else "schema")


def named(row: Row) -> str:
    return f"{row.rule.id}-{row.profile}"


@pytest.mark.parametrize("row", rows_of("openai"), ids=named)
def test_what_the_rules_accept_is_of_the_packages_types(row: Row) -> None:
    for definition in row.accepted:
        judge_type(row.profile, definition)


# `schema` is optional in the type of Chat's format, though there is no format without it.
LAX = [("chat_format", {"schema"}), ("chat_format_strict", {"schema"})]


@pytest.mark.parametrize("row", rows_of("openai", "O-shape"), ids=named)
def test_the_packages_types_refuse_what_the_rule_of_shapes_refuses(row: Row) -> None:
    refused = not is_accepted(lambda each: judge_type(row.profile, each), row.rejected)
    inner = row.rejected[0].get("json_schema") if isinstance(row.rejected[0], dict) else None
    lacks = {"schema"} - set(inner) if isinstance(inner, dict) else None

    assert refused is ((row.profile, lacks) not in LAX)


def is_kept(schema: Any, convert: Any) -> bool:
    """Return whether *convert*, which makes schemas strict, leaves *schema* as it is."""
    ours = copy.deepcopy(schema)
    try:
        return bool(convert(copy.deepcopy(schema)) == ours)
    except Exception:  # each package has its own
        return False


def made_strict(schema: Any) -> Any:
    return _ensure_strict_json_schema(schema, path=(), root=schema)


#: Rules whose refused schemas the package's own converter rewrites, all or some.
REWRITTEN = ("OS-ref-alone",)
SOMETIMES_REWRITTEN = ("OS-closed", "OS-required", "OS-composition", "OS-default")


@pytest.mark.parametrize("row", rows_of("openai", profiles=tuple(STRICT)), ids=named)
def test_the_package_leaves_strict_schemas_that_the_rules_accept_as_they_are(row: Row) -> None:
    schemas = [schema_of(row.profile, each) for each in row.accepted]

    assert all(is_kept(schema, made_strict) for schema in schemas if schema is not None)


@pytest.mark.parametrize("rule", [*REWRITTEN, *SOMETIMES_REWRITTEN])
def test_the_package_rewrites_what_rules_refuse(rule: str) -> None:
    rows = rows_of("openai", rule, profiles=("chat_strict",))
    kept = [is_kept(schema_of("chat_strict", row.rejected[0]), made_strict) for row in rows]

    assert False in kept
    assert rule in SOMETIMES_REWRITTEN or not any(kept)


# openai-agents and pydantic-ai know more of what the interfaces refuse

AGENTS_REFUSE = ("OS-closed", "OS-ref-alone", "OS-required", "OS-composition", "O-root-comb")


def test_the_converter_of_the_agents_package_agrees() -> None:
    strict_schema = pytest.importorskip("agents.strict_schema")
    convert = strict_schema.ensure_strict_json_schema
    rows = rows_of("openai", profiles=("chat_strict",))

    for row in rows:
        schema = schema_of("chat_strict", row.accepted[0])
        assert schema is None or is_kept(schema, convert), row
    for rule in AGENTS_REFUSE:
        refused = [
            row
            for row in rows
            if row.rule.id == rule
            and not is_kept(schema_of("chat_strict", row.rejected[0]), convert)
        ]
        assert refused, rule


PYDANTIC_AI_REFUSES = (
    "OS-keywords",
    "OS-format",
    "OS-pattern",
    "OS-depth",
    "OS-properties",
    "OS-closed",
    "OS-typed",
    "OS-composition",
    "OS-ref-target",
)


def test_the_judgement_of_pydantic_ai_agrees() -> None:
    profile = pytest.importorskip("pydantic_ai.profiles.openai")

    def is_strict(schema: Any) -> bool:
        try:
            made = profile._OpenAIJsonSchemaTransformer(copy.deepcopy(schema), strict=None)
            made.walk()
        except profile.UserError:
            return False
        return bool(made.is_strict_compatible)

    rows = rows_of("openai", profiles=("chat_strict",))
    for rule in PYDANTIC_AI_REFUSES:
        # It does not tell character classes from groups.
        of_rule = [row for row in rows if row.rule.id == rule and "[(?" not in str(row.accepted)]
        accepted = [is_strict(schema_of("chat_strict", row.accepted[0])) for row in of_rule]
        rejected = [is_strict(schema_of("chat_strict", row.rejected[0])) for row in of_rule]

        assert False in rejected, rule
        assert (rule, True) == (rule, all(accepted))
