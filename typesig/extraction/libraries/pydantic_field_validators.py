"""Validate the remaining fields of a pydantic model after others were refused.

What pydantic says of the other fields is told together with what the check said, so that a model of
language learns all in one go.  Pydantic validates the fields by its own core schema, in which a
refused field has no value, as if pydantic itself had refused it.  What is about the whole model is
not run: validators of the model, and its own constructor.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from typesig.extraction.libraries.pydantic_types import (
    get_user_errors,
    is_usual,
    validate_by_pydantic,
)
from typesig.extraction.python_types.decoders import LOST

#: The type of pydantic's errors for fields that were refused before.
_LOST_FIELD = "typesig_lost"

#: What a validator raises for data that its author did not expect, such as a field without a value.
_FLAWS = (TypeError, AttributeError, LookupError, ArithmeticError)


def make_judge(cls: Any) -> Callable[[dict[str, Any]], None]:
    """Build the function that validates the fields of *cls* that are not `LOST`.

    Any other exception of a validator passes through, except those that tell of a mistake in it:
    they say nothing of the fields.
    """
    # Made for the first such value; the validator of a model is made again when it is rebuilt.
    known: list[tuple[Any, Callable[[Any], Any] | None]] = []

    def judge(values: dict[str, Any]) -> None:
        own = getattr(cls, "__pydantic_validator__", None)
        if not known or known[-1][0] is not own:
            known[:] = [(own, _make_fields_validator(cls))]
        validate = known[-1][1]
        if validate is None:
            return
        try:
            validate_by_pydantic(validate, values, cls, _LOST_FIELD)
        except _FLAWS:
            pass

    return judge


def _make_fields_validator(cls: Any) -> Callable[[Any], Any] | None:
    """Make a validator of a dict of the fields of *cls*; None if not possible."""
    if not (is_usual(cls) or hasattr(cls, "__dataclass_fields__")):
        return None
    try:
        found = _make_fields_schema(cls.__pydantic_core_schema__)
        if found is None:
            return None
        schema, config = found
        validate: Callable[[Any], Any] = (
            sys.modules["pydantic_core"].SchemaValidator(schema, config).validate_python
        )
    except get_user_errors():
        return None
    return validate


def _make_fields_schema(core: Any) -> tuple[dict[str, Any], Any] | None:
    """Make a core schema of the fields of a pydantic class alone; None if not possible."""
    whole, known = core, {each["ref"]: each for each in core.get("definitions", ())}
    core = core["schema"] if core["type"] == "definitions" else core
    core = known[core["schema_ref"]] if core["type"] == "definition-ref" else core
    # Validators that run after all fields.
    while core["type"] == "function-after":
        core = core["schema"]
    if core["type"] not in ("model", "dataclass") or core.get("custom_init"):
        return None
    inside = core["schema"]
    match inside["type"]:
        case "model-fields":
            fields = inside["fields"]
        case "dataclass-args":
            listed = [each for each in inside["fields"] if each.get("init", True)]
            fields = {each["name"]: each for each in listed}
        case _:
            # A validator before the fields may make other data of them.
            return None
    made = {name: _make_field_schema(each) for name, each in fields.items()}
    schema = {"type": "model-fields", "fields": made}
    if known:
        schema = {"type": "definitions", "schema": schema, "definitions": whole["definitions"]}
    return schema, core.get("config")


def _make_field_schema(field: Any) -> dict[str, Any]:
    """Make the core schema of a pydantic *field* that refuses `LOST`."""
    outer, inner = {}, field["schema"]
    if inner["type"] == "default":
        outer, inner = inner, inner["schema"]
    function = {"type": "no-info", "function": _refuse_lost}
    schema = {"type": "function-wrap", "function": function, "schema": inner}
    made = {"type": "model-field", "schema": {**outer, "schema": schema} if outer else schema}
    if field.get("validation_alias") is not None:
        made["validation_alias"] = field["validation_alias"]
    return made


def _refuse_lost(value: Any, validate: Callable[[Any], Any]) -> Any:
    """Call *validate* with *value*; raise if *value* is `LOST`, a refused field."""
    if value is LOST:
        raise sys.modules["pydantic_core"].PydanticCustomError(_LOST_FIELD, "refused before")
    return validate(value)
