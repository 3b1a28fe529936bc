"""Schemas of pydantic for JSON text, derived from strict schemas for data.

Such a schema is made of one that accepts only what the check accepts; see `pydantic_strict`.  In
JSON text, pydantic takes an integer for a float, and knows no objects of other classes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from typesig.extraction.libraries.pydantic_strict import (
    SCALARS,
    NoStrictSchemaError,
    make_validator,
    require_exact,
)


def make_text_validator(schema: dict[str, Any]) -> Callable[[str], Any]:
    """Make a validator of JSON text for the strict *schema*; it raises for misfits.

    It does not see keys that are undeclared or stand twice, and takes numbers of any length.
    Raises `NoStrictSchemaError` if it would differ for any other text.
    """
    if not _is_exact():
        raise NoStrictSchemaError
    validate: Callable[[str], Any] = make_validator(_convert_schema(schema)).validate_json
    return validate


def _convert_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Convert the strict *schema* of data to a schema of JSON text."""
    match schema:
        case {"type": "any"}:
            # The keys of any value are not known.
            raise NoStrictSchemaError
        case {"type": "union", "choices": [part, _]}:
            return _convert_schema(part)
        case {"type": "float"}:
            return require_exact(schema)
        case {"type": "int"} if schema.items() >= _WIDE.items():
            # Integers of a text whose numbers are not long are within the limits of the check.
            return {name: part for name, part in schema.items() if name not in _WIDE}
        case {"steps": steps}:
            return {**schema, "steps": [_convert_schema(step) for step in steps]}
        case {"fields": fields}:
            within = {name: _convert_schema(field) for name, field in fields.items()}
            return {**schema, "fields": within}
        case _:
            parts = {name: _convert_schema(schema[name]) for name in _PARTS if name in schema}
            return {**schema, **parts}


#: The bounds of integers that have no bounds of their own.
_WIDE = SCALARS["int"].stated

#: The keys of a schema that have a schema of a part.
_PARTS = ("schema", "items_schema", "keys_schema", "values_schema")


#: Texts of a kind, and the values that are read from them; None for a text that is refused.
_KNOWN: tuple[tuple[str, str, Any], ...] = (
    ("bool", "true", True), ("bool", "1", None), ("bool", '"true"', None), ("bool", "null", None),
    ("float", "1e-400", 0.0), ("float", "2.50", 2.5), ("float", "9007199254740993.0", 2.0**53),
    ("float", "1", None), ("float", '"1.5"', None), ("float", "NaN", None),
    ("float", "-Infinity", None), ("float", "1e999", None), ("int", "-0", 0),
    ("int", "7" * 400, int("7" * 400)), ("int", "01", None), ("int", "1.0", None),
    ("int", "1e2", None), ("int", "true", None), ("int", '"1"', None),
    ("str", r'"\ud83d\ude00"', "\U0001f600"), ("str", "1", None), ("str", r'"\ud800"', None),
    ("str", '"\ud800"', None), ("str", '"\n"', None),
)  # fmt: skip


@lru_cache(maxsize=1)
def _is_exact() -> bool:
    """Whether pydantic's core parses known JSON texts to the expected values."""
    return all(repr(_read(kind, text)) == repr(value) for kind, text, value in _KNOWN)


def _read(kind: str, text: str) -> Any:
    """Parse the JSON *text* strictly as a scalar *kind*; None if pydantic refuses it."""
    try:
        return make_validator(_convert_schema(SCALARS[kind].make_schema(kind, {}))).validate_json(
            text
        )
    except Exception:
        # An older version does not take the options.
        return None
