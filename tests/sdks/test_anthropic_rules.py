"""The rules of Anthropic, beside the types and the schema transformer of its package."""

from __future__ import annotations

import copy
from typing import Any

import pytest

anthropic = pytest.importorskip("anthropic")

from anthropic import transform_schema  # noqa: E402
from anthropic.types import JSONOutputFormatParam, ToolParam  # noqa: E402
from anthropic.types.tool_param import InputSchemaTyped  # noqa: E402
from pydantic import TypeAdapter  # noqa: E402

from tests.sdks.rows import is_accepted, keys_of, rows_of, without  # noqa: E402
from tests.vendors.anthropic import STRICT  # noqa: E402
from tests.vendors.cases import Row  # noqa: E402
from tests.vendors.documents import Document, Place  # noqa: E402


def named(row: Row) -> str:
    return f"{row.rule.id}-{row.profile}"


def judge_type(profile: str, definition: Any) -> None:
    """Raise if *definition* is not of the package's type, or has a key that the type has not."""
    typed: Any = JSONOutputFormatParam if profile == "format" else ToolParam
    TypeAdapter(typed).validate_python(definition)
    assert set(definition) <= keys_of(typed)


def schema_of(definition: Any) -> Any:
    return definition["schema"] if "schema" in definition else definition["input_schema"]


@pytest.mark.parametrize("row", rows_of("anthropic"), ids=named)
def test_what_the_rules_accept_is_of_the_packages_types(row: Row) -> None:
    for definition in row.accepted:
        judge_type(row.profile, definition)


@pytest.mark.parametrize("row", rows_of("anthropic", "A-shape"), ids=named)
def test_the_packages_types_refuse_what_the_rule_of_shapes_refuses(row: Row) -> None:
    assert not is_accepted(lambda each: judge_type(row.profile, each), row.rejected)


@pytest.mark.parametrize("row", rows_of("anthropic", "A-root"), ids=named)
def test_the_package_types_the_root_of_input_schemas(row: Row) -> None:
    judge = TypeAdapter(InputSchemaTyped).validate_python

    assert is_accepted(judge, [schema_of(each) for each in row.accepted])
    assert not is_accepted(judge, [schema_of(each) for each in row.rejected])


def is_kept(schema: Any) -> bool:
    """Return whether the transformer moves nothing of *schema* to descriptions, and adds nothing.

    It leaves the type out beside enum and const, in some places, and adds empty properties.
    """

    def unimportant(node: dict[str, Any]) -> set[str]:
        lax = {"type"} if node.keys() & {"enum", "const", "anyOf", "allOf"} else set()
        return lax | ({"properties"} if node.get("properties") == {} else set())

    try:
        made = transform_schema(copy.deepcopy(schema))
    except (ValueError, TypeError, AttributeError, AssertionError):
        return False
    return bool(without(made, unimportant) == without(schema, unimportant))


REWRITTEN = (
    "AS-closed",
    "AS-number",
    "AS-length",
    "AS-items",
    "AS-keywords",
    "AS-format",
    "AS-ref-alone",
    "AS-enum",
    "AS-typed",
    "AS-annotation",
)


@pytest.mark.parametrize("row", rows_of("anthropic", *REWRITTEN), ids=named)
def test_the_transformer_rewrites_what_strict_rules_refuse(row: Row) -> None:
    assert not all(is_kept(schema_of(each)) for each in row.rejected)


def is_beyond(schema: Any) -> bool:
    """Return whether *schema* has what the page allows and the transformer has no case for."""
    nodes = Document(schema, Place(None, 0)).nodes
    return any(isinstance(node.get("type"), list) or node.get("pattern") for node in nodes)


@pytest.mark.parametrize("row", rows_of("anthropic", profiles=tuple(STRICT)), ids=named)
def test_the_transformer_keeps_what_strict_rules_accept(row: Row) -> None:
    for each in row.accepted:
        assert is_kept(schema_of(each)) is not is_beyond(schema_of(each))
