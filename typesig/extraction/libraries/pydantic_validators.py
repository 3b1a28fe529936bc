"""Validators of pydantic's core that accept a scalar, in data or in JSON text, only as it is.

The strict schemas of models are made of these scalars; see `pydantic_strict`.  In JSON text,
pydantic takes an integer for a float, and knows no objects of other classes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from typesig.algebra import nodes
from typesig.algebra.rows.constraints import ConstraintName
from typesig.algebra.rows.values import Keyword


class NoStrictSchemaError(Exception):
    """No strict schema is known for the model."""


class _InexactValueError(Exception):
    """A value is refused since pydantic would convert it."""


def make_data_validator(schema: dict[str, Any]) -> Callable[[Any], Any]:
    """Make a validator of Python data for the strict *schema*; it raises for misfits."""
    validate: Callable[[Any], Any] = make_validator(schema).validate_python
    return validate


def make_validator(schema: dict[str, Any]) -> Any:
    """Build the validator of *schema*; an older pydantic raises `TypeError`."""
    # Otherwise, the validators that classes have would be taken for the parts.
    return sys.modules["pydantic_core"].SchemaValidator(schema, _use_prebuilt=False)


def _refuse(value: Any) -> NoReturn:
    """Raise `_InexactValueError` for any *value*, as pydantic would convert it."""
    raise _InexactValueError


def require_exact(schema: dict[str, Any]) -> dict[str, Any]:
    """Make *schema* refuse values that pydantic would convert.

    A union looks for a better branch unless the first takes a value exactly as it is.
    """
    refused = {"type": "function-plain", "function": {"type": "no-info", "function": _refuse}}
    return {"type": "union", "mode": "smart", "choices": [schema, refused]}


@lru_cache(maxsize=1)
def is_data_exact() -> bool:
    """Whether pydantic's core accepts exact scalars and refuses all others."""
    taken = [("str", ""), ("int", 1), ("float", 0.5), ("bool", True)]
    refused = [
        ("str", Keyword("a")), ("str", b""), ("int", True), ("int", 1.0), ("int", Decimal(1)),
        ("float", 1), ("float", Decimal(1)), ("float", float("nan")), ("bool", 1),
    ]  # fmt: skip
    try:
        return all(_is_accepted_exactly(*each) for each in taken) and not any(
            _is_accepted_exactly(*each) for each in refused
        )
    except (TypeError, AttributeError):
        # An older version, which takes no such options.
        return False


def _is_accepted_exactly(kind: str, value: Any) -> bool:
    """Whether the strict validator of the scalar *kind* returns the same object *value*."""
    try:
        return make_validator(SCALARS[kind].make_schema(kind, {})).validate_python(value) is value
    except (ValueError, _InexactValueError):
        return False


#: The constraint that each bound of a core schema is.
ORDER_BOUNDS: Mapping[str, ConstraintName] = {
    "ge": "at_least", "gt": "above", "le": "at_most", "lt": "below",
}  # fmt: skip
LENGTH_BOUNDS: Mapping[str, ConstraintName] = {"min_length": "at_least", "max_length": "at_most"}


class _ScalarRow(NamedTuple):
    """A scalar type's core schema options: bounds, bound classes and fixed options.

    #: scalar: its type; bounds: the constraints that its options are; kinds: the classes of these
    #: stated: options that its schema has in any case; those of the model do not matter
    #: is_loose: whether pydantic takes objects of other classes for it
    """

    scalar: nodes.Scalar
    bounds: Mapping[str, ConstraintName]
    kinds: tuple[type, ...]
    stated: Mapping[str, Any]
    is_loose: bool

    def make_schema(self, kind: str, bounds: Mapping[str, Any]) -> dict[str, Any]:
        """Build the core schema of *kind* with *bounds*."""
        made = {"type": kind, "strict": True, **self.stated, **bounds}
        return require_exact(made) if self.is_loose else made


SCALARS: Mapping[str, _ScalarRow] = {
    "bool": _ScalarRow(nodes.BOOL, {}, (), {}, False),
    "float": _ScalarRow(nodes.FLOAT, ORDER_BOUNDS, (int, float), {"allow_inf_nan": False}, True),
    # What pydantic compares fast; larger integers may be too long, which the check tells.
    "int": _ScalarRow(nodes.INT, ORDER_BOUNDS, (int,), {"ge": -(2**63), "le": 2**63 - 1}, False),
    "str": _ScalarRow(nodes.STRING, LENGTH_BOUNDS, (int,), {}, True),
}


def make_text_validator(schema: dict[str, Any]) -> Callable[[str], Any]:
    """Make a validator of JSON text for the strict *schema*; it raises for misfits.

    It does not see keys that are undeclared or stand twice, and takes numbers of any length.
    Raises `NoStrictSchemaError` if it would differ for any other text.
    """
    if not _is_text_exact():
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
def _is_text_exact() -> bool:
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
