"""Validation by pydantic: of models, of the fields of a model alone, and of exact values."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from typesig.algebra import nodes
from typesig.algebra.rows.constraints import ConstraintName
from typesig.algebra.rows.values import Keyword
from typesig.extraction.libraries.pydantic_schemas import (
    get_user_errors,
    has_secrets,
    read_class_schema,
)
from typesig.extraction.python_types.decoders import LOST, HostError, to_host_error


def is_usual(cls: Any) -> bool:
    """Whether *cls* is a model of pydantic that does not replace its `model_validate`."""
    validate = getattr(cls, "model_validate", None)
    usual = getattr(sys.modules.get("pydantic"), "BaseModel", None)
    return usual is not None and (
        getattr(validate, "__func__", None) is usual.model_validate.__func__
    )


def get_validation(cls: Any) -> Any:
    """Return the function that validates Python data as pydantic model *cls*, or None."""
    if not is_usual(cls):
        return getattr(cls, "model_validate", None)
    # What `model_validate` does; the validator of a model is made again when it is rebuilt.
    return lambda given: cls.__pydantic_validator__.validate_python(given)


def validate_by_pydantic(build: Callable[[Any], Any], value: Any, hint: Any, but: str = "") -> Any:
    """Call the pydantic validation *build* with *value*; raise errors as `HostError`.

    Raise all its errors, except those of the type *but*, as one `HostError`, which does not show
    the values of a hint with secrets.  Return `LOST` if there are no others.
    """
    try:
        return build(value)
    except ValueError as error:
        details: Any = getattr(error, "errors", None)
        if not callable(details):
            problem = to_host_error(error)
            problem.shows = False
            raise problem from error
        secret = has_secrets(hint)
        found: Any = details(include_url=False)
        problems = [_make_error(each, value, secret) for each in found if each["type"] != but]
        if not problems:
            return LOST
        problems[0].more.extend(problems[1:])
        raise problems[0] from None


def _make_error(detail: Any, value: Any, secret: bool) -> HostError:
    """Convert the pydantic error *detail* to a `HostError` with its path in *value*."""
    steps, part, held = [], value, True
    for step in detail["loc"]:
        # The names of branches and of validators are steps that data does not have.
        if held and _has(part, step):
            part = part[step]
        elif detail["type"] == "missing":
            held = False
        else:
            continue
        steps.append(step)
    problem = HostError(detail["msg"])
    problem.steps.extend(reversed(steps))
    # The message of a model's validator is about the model, not about a value.
    problem.shows = held and not secret and type(part) in (str, int, float, bool)
    return problem


def _has(data: Any, step: str | int) -> bool:
    """Whether *data*, a dict or list, has the key or index *step*."""
    if isinstance(data, dict):
        return step in data
    return isinstance(data, list | tuple) and isinstance(step, int) and step < len(data)


# --- Validate the remaining fields of a model after others were refused ---
# What pydantic says of the other fields is told together with what the check said, so that a model
# of language learns all in one go.  Pydantic validates the fields by its own core schema, in which
# a refused field has no value, as if pydantic itself had refused it.  What is about the whole model
# is not run: validators of the model, and its own constructor.

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
        found = _make_fields_schema(cls)
        if found is None:
            return None
        schema, config = found
        validate: Callable[[Any], Any] = (
            sys.modules["pydantic_core"].SchemaValidator(schema, config).validate_python
        )
    except get_user_errors():
        return None
    return validate


def _make_fields_schema(cls: Any) -> tuple[dict[str, Any], Any] | None:
    """Make a core schema of the fields of a pydantic class alone; None if not possible."""
    core, known = read_class_schema(cls)
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
        schema = {"type": "definitions", "schema": schema, "definitions": [*known.values()]}
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


# --- Scalars that are accepted, in data or in JSON text, only as they are ---
# The strict schemas of models are made of these; see `pydantic_strict`.  In JSON text, pydantic
# takes an integer for a float, and knows no objects of other classes.


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
