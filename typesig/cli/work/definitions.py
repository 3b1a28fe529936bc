"""The definitions of tools for a provider, as `typesig list --to` prints them."""

from __future__ import annotations

import json
from typing import Any

from typesig.algebra.loss import Loss
from typesig.errors import TypesigError
from typesig.notations.texts.quoting import encodable
from typesig.providers.projection.budgets import Finding
from typesig.providers.projection.projection import project
from typesig.tools.toolset import Toolset

#: The schemas themselves, without a provider's form.
JSON_SCHEMA = "json_schema"


def definitions_of(
    tools: Toolset, target: str, options: dict[str, Any]
) -> tuple[str, list[Loss], list[Finding]]:
    """Return the definitions of *tools* as JSON text, what these do not say, and what is wrong.

    Raises `TypesigError` for an option that the provider lacks.
    """
    if target == JSON_SCHEMA:
        if options:
            raise TypesigError("--strict and --api are for a provider")
        losses = [loss.below(one.name) for one in tools for loss in one.signature.schema_losses()]
        return _text([_schemas_of(one) for one in tools]), losses, []
    made = project(tools, target, options)
    return _text(list(made.definitions)), [*made.losses], [*made.check()]


def _schemas_of(one: Any) -> dict[str, Any]:
    described = {} if one.description is None else {"description": one.description}
    schemas = {"input": one.signature.input_schema(), "output": one.signature.to_json_schema()}
    return {"name": one.name, **described, **schemas}


def _text(definitions: list[dict[str, Any]]) -> str:
    return encodable(json.dumps(definitions, ensure_ascii=False, indent=2))
