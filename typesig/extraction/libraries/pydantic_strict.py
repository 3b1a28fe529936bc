"""Pydantic schemas that accept only values that pass the check unchanged.

Such a schema is made of the core schema of a model and of the type that was read from the model's
hints, which are walked together.  Each kind of core schema has a row in `_ROWS`; what has no row,
or has options that the row does not name, has no such schema.  To add a kind, add its row.

Unlike the schema of the model, it refuses what the check coerces or warns of: an int for a float,
objects of other classes than JSON's, NaN.  Fields that are absent get the model's own defaults.
It does not run functions of the user, so it can be tried before the check is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra import nodes
from typesig.algebra.constructors import split_constraints
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.extraction.libraries.pydantic_models import list_plain_defaults
from typesig.extraction.libraries.pydantic_schemas import read_class_schema
from typesig.extraction.libraries.pydantic_validators import (
    LENGTH_BOUNDS,
    SCALARS,
    NoStrictSchemaError,
    is_data_exact,
    is_usual,
    require_exact,
)
from typesig.extraction.python_types.decoders import (
    Decode,
    ItemsDecoder,
    LeafDecoder,
    MapDecoder,
    NullableDecoder,
    RecordDecoder,
)
from typesig.extraction.python_types.leaves import is_enum
from typesig.extraction.python_types.text_readers import find_text_parser
from typesig.sentinels import ABSENT


class ModelDefault(NamedTuple):
    """A default of a pydantic model field that is not validated.

    #: name: of the field; key: its key in data; value: the default
    #: sent: the form of the default in data; ABSENT if it has several
    """

    name: str
    key: str
    value: Any
    sent: Any


class ValueShape(NamedTuple):
    """The nesting of lists, maps and models in a value, to check keys and defaults.

    #: kind: a value or None, a list, a map, or a model
    #: inner: the shape of the other value, or of the parts of the list or map, if they have one
    #: parts: the fields of a model that have a shape, by key, name and shape
    #: size: the number of fields of a model; defaults: theirs
    """

    kind: Literal["maybe", "list", "map", "model"]
    inner: ValueShape | None = None
    parts: tuple[tuple[str, str, ValueShape], ...] = ()
    size: int = 0
    defaults: tuple[ModelDefault, ...] = ()

    @property
    def children(self) -> list[ValueShape]:
        """The shapes directly inside this shape."""
        return [*([] if self.inner is None else [self.inner]), *[part[2] for part in self.parts]]

    @property
    def has_models(self) -> bool:
        """Whether this shape is a model or contains models."""
        return self.kind == "model" or any(part.has_models for part in self.children)

    @property
    def depth(self) -> int:
        """The number of nested shapes, including this shape."""
        return 1 + max([part.depth for part in self.children], default=0)


class StrictSchema(NamedTuple):
    """A core schema for pydantic that only accepts values in no need of conversion.

    #: schema: for pydantic's core; shape: that of its values, None if they have no keys
    #: places: the most values that it accepts, each counted where it stands
    """

    schema: dict[str, Any]
    shape: ValueShape | None
    places: float


class _SchemaBuilder:
    """A builder of the strict schema of a pydantic model and the models in it.

    #: limit: the most items of a list or map that are accepted
    #: known: the schemas that core schemas refer to, by reference
    #: validators: the classes that were met, with their validators
    """

    __slots__ = ("_around", "known", "limit", "validators")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.known: Mapping[str, Any] = {}
        self.validators: dict[Any, Any] = {}
        self._around: list[Any] = []

    def read(self, t: nodes.Type, core: Any, decode: Decode) -> StrictSchema:
        """Build the schema of *core* for *t*, whose data is decoded by *decode*.

        Raises `NoStrictSchemaError` if there is none.
        """
        while core["type"] == "definition-ref":
            _check_keys(core, "schema_ref")
            core = self.known[core["schema_ref"]]
        row = _ROWS.get(core["type"])
        if row is None:
            raise NoStrictSchemaError
        return row(self, nodes.strip_annotations(t), core, decode)

    def build_model(self, t: nodes.Type, cls: Any, decode: Decode) -> StrictSchema:
        """Return the schema of the model *cls* for the record *t*, decoded by *decode*."""
        if (
            cls in self._around
            or not isinstance(t, nodes.Record)
            or not isinstance(decode, RecordDecoder)
            or t.matching
            or not _is_plain(cls)
        ):
            raise NoStrictSchemaError
        outer = self.known
        core, known = read_class_schema(cls)
        self.known = known or outer
        self._around.append(cls)
        self.validators[cls] = cls.__pydantic_validator__
        made = _build_fields(self, t, core, decode)
        self._around.pop()
        self.known = outer
        return made


def build_strict_model(
    t: nodes.Type, cls: Any, decode: Decode, limit: int
) -> tuple[StrictSchema, tuple[tuple[Any, Any], ...]]:
    """Build the strict schema of the pydantic model *cls* with type *t*, decoded by *decode*.

    Its lists and maps have *limit* items at most.  It holds while each class has the validator that
    it is returned with.  Raises `NoStrictSchemaError` if there is no such schema, or pydantic is
    too old.
    """
    _expect(is_data_exact())
    walk = _SchemaBuilder(limit)
    return walk.build_model(nodes.strip_annotations(t), cls, decode), tuple(walk.validators.items())


def _is_plain(cls: Any) -> bool:
    """Whether pydantic makes objects of *cls* without running user code."""
    known = sys.modules["pydantic_core"].SchemaValidator
    return (
        is_usual(cls)
        and type(cls.__dict__.get("__pydantic_validator__")) is known
        and cls.__new__ is object.__new__
        and not issubclass(cls, dict | list | str)
    )


#: Keys of core schemas that say nothing about which values are accepted.
_SILENT = frozenset({"metadata", "ref", "serialization", "strict", "type"})


def _check_keys(core: Any, *names: str) -> None:
    """Raise `NoStrictSchemaError` if *core* has relevant keys other than *names*."""
    if not core.keys() <= _SILENT.union(names):
        raise NoStrictSchemaError


def _expect(holds: bool) -> None:
    """Raise `NoStrictSchemaError` unless *holds*."""
    if not holds:
        raise NoStrictSchemaError


#: Bounds up to this size are the same number as an int and as a float.
_LARGEST = 2**53


def _build_scalar(_walk: _SchemaBuilder, t: nodes.Type, core: Any, _decode: Decode) -> StrictSchema:
    """Build the strict schema for the scalar *t* from the core schema *core*."""
    row = SCALARS[core["type"]]
    _check_keys(core, *row.bounds, *row.stated)
    inner, known = split_constraints(t)
    _expect(nodes.strip_annotations(inner) == row.scalar)
    bounds = _read_bounds(core, row.bounds, known, row.kinds)
    return StrictSchema(row.make_schema(core["type"], bounds), None, 1)


def _read_bounds(
    core: Any,
    names: Mapping[str, ConstraintName],
    known: tuple[Constraint, ...],
    kinds: tuple[type, ...],
) -> dict[str, Any]:
    """Return the bounds of *core*; raise unless they equal the constraints *known*."""
    kept = {name: core[name] for name in names if core.get(name) is not None}
    _expect(all(type(b) in kinds and abs(b) <= _LARGEST for b in kept.values()))
    stated = {names[name]: bound for name, bound in kept.items()}
    _expect(stated == {each.name: each.argument.value for each in known})
    return kept


_TEXT = SCALARS["str"].make_schema("str", {})


def _build_any(_walk: _SchemaBuilder, t: nodes.Type, core: Any, _decode: Decode) -> StrictSchema:
    """Build the strict schema for any value, if *t* is the type of any value."""
    _check_keys(core)
    _expect(
        t == nodes.ANY
        or (isinstance(t, nodes.Maybe) and nodes.strip_annotations(t.inner) == nodes.ANY)
    )
    return StrictSchema({"type": "any"}, None, 1)


def _build_literal(
    _walk: _SchemaBuilder, t: nodes.Type, core: Any, _decode: Decode
) -> StrictSchema:
    """Build the strict schema for a `Literal` of the strings that enum *t* lists."""
    _check_keys(core, "expected")
    _expect(_is_text_enum(t, core["expected"]))
    return StrictSchema(
        _make_text_first({"type": "literal", "expected": core["expected"]}), None, 1
    )


def _build_enum(_walk: _SchemaBuilder, t: nodes.Type, core: Any, _decode: Decode) -> StrictSchema:
    """Build the strict schema for a Python enum whose values are those in enum *t*."""
    _check_keys(core, "cls", "members", "sub_type", "missing")
    members = core["members"]
    _expect(is_enum(core["cls"]) and _is_text_enum(t, [member.value for member in members]))
    # Without the function that finds members for other values.
    kept = {name: core[name] for name in ("type", "cls", "members")}
    return StrictSchema(_make_text_first(kept), None, 1)


def _is_text_enum(t: nodes.Type, values: list[Any]) -> bool:
    """Whether *t* is the enum of the strings *values*."""
    if not isinstance(t, nodes.Enum) or {each.kind for each in t.values} != {"string"}:
        return False
    return {*map(type, values)} == {str} and {each.value for each in t.values} == {*values}


def _make_text_first(schema: dict[str, Any]) -> dict[str, Any]:
    """Make a schema that checks for a string before it applies *schema*."""
    return {"type": "chain", "steps": [_TEXT, schema]}


def _build_nullable(walk: _SchemaBuilder, t: nodes.Type, core: Any, decode: Decode) -> StrictSchema:
    """Build the strict schema for a value or None from the core schema *core*."""
    _check_keys(core, "schema")
    _expect(isinstance(t, nodes.Maybe))
    part = decode.inner if isinstance(decode, NullableDecoder) else decode
    made = walk.read(t.inner, core["schema"], part)  # type: ignore[union-attr]
    shape = None if made.shape is None else ValueShape("maybe", made.shape)
    return StrictSchema({"type": "nullable", "schema": made.schema}, shape, made.places)


def _build_list(walk: _SchemaBuilder, t: nodes.Type, core: Any, decode: Decode) -> StrictSchema:
    """Build the strict schema for the list type *t*, with a limit on its length."""
    _check_keys(core, "items_schema", "fail_fast", *LENGTH_BOUNDS)
    inner, known = split_constraints(t)
    inner = nodes.strip_annotations(inner)
    _expect(isinstance(inner, nodes.List) and "items_schema" in core)
    kept = _read_bounds(core, LENGTH_BOUNDS, known, (int,))
    part = decode.item if isinstance(decode, ItemsDecoder) else None
    made = walk.read(inner.item, core["items_schema"], part)  # type: ignore[union-attr]
    most = kept["max_length"] = min(walk.limit, kept.get("max_length", walk.limit))
    is_union = made.schema["type"] == "union"
    items = made.schema["choices"][0] if is_union else made.schema
    schema = {"type": "list", "strict": True, "items_schema": items, **kept}
    if is_union:
        # One union around the list takes less time than one for each item.
        schema = require_exact(schema)
    shape = None if made.shape is None else ValueShape("list", made.shape)
    return StrictSchema(schema, shape, 1 + most * made.places)


def _build_dict(walk: _SchemaBuilder, t: nodes.Type, core: Any, decode: Decode) -> StrictSchema:
    """Build the strict schema for the map type *t*, with a limit on its length."""
    _check_keys(core, "keys_schema", "values_schema")
    _expect(core.get("keys_schema", {}).get("type") == "str")
    _check_keys(core["keys_schema"])
    if t == _MAP:
        _expect(core.get("values_schema", {}).get("type") == "any")
        t = nodes.MapOf(nodes.STRING, nodes.ANY)
    _expect(
        isinstance(t, nodes.MapOf)
        and nodes.strip_annotations(t.key) == nodes.STRING
        and "values_schema" in core
    )
    part = decode.item if isinstance(decode, MapDecoder) else None
    made = walk.read(t.value, core["values_schema"], part)  # type: ignore[union-attr]
    schema = {
        "type": "dict", "strict": True, "keys_schema": _TEXT, "values_schema": made.schema,
        "max_length": walk.limit,
    }  # fmt: skip
    return StrictSchema(schema, ValueShape("map", made.shape), 1 + walk.limit * made.places)


_MAP = nodes.Scalar("map")


def _build_text(_walk: _SchemaBuilder, t: nodes.Type, core: Any, decode: Decode) -> StrictSchema:
    """Build the strict schema for a text in a usual form, decoded before the model validates it."""
    parse = find_text_parser(t, decode.make) if isinstance(decode, LeafDecoder) else None
    _expect(parse is not None)
    made = {"type": "function-plain", "function": {"type": "no-info", "function": parse}}
    # The bounds of the field hold for what is decoded.
    own = {name: part for name, part in core.items() if name not in _UNUSED}
    return StrictSchema({"type": "chain", "steps": [_TEXT, made, own]}, None, 1)


#: The kinds of core schemas of texts that are decoded before a model gets them.
_TEXTS = ("bytes", "date", "datetime", "decimal", "time", "timedelta", "uuid")

#: The keys of a core schema that do not matter when a value is validated.
_UNUSED = ("metadata", "ref", "serialization")

_Row: TypeAlias = Callable[[_SchemaBuilder, nodes.Type, Any, Decode], StrictSchema]

_ROWS: Mapping[str, _Row] = {
    "any": _build_any,
    "dict": _build_dict,
    "enum": _build_enum,
    "list": _build_list,
    "literal": _build_literal,
    "model": lambda walk, t, core, decode: walk.build_model(t, core["cls"], decode),
    "nullable": _build_nullable,
    **dict.fromkeys(SCALARS, _build_scalar),
    **dict.fromkeys(_TEXTS, _build_text),
}

#: The options of a configuration that do not matter here; undeclared fields may not be allowed.
_OPTIONS = frozenset({
    "extra_fields_behavior", "frozen", "hide_input_in_errors", "loc_by_alias", "strict", "title",
})  # fmt: skip


def _build_fields(
    walk: _SchemaBuilder, t: nodes.Record, core: Any, decode: RecordDecoder
) -> StrictSchema:
    """Build the schema of a model from its own core schema *core*."""
    _check_keys(
        core, "cls", "schema", "config", "custom_init", "root_model", "generic_origin", "frozen"
    )
    _expect(core["type"] == "model" and not core.get("custom_init") and not core.get("root_model"))
    config = core.get("config", {})
    _expect(config.keys() <= _OPTIONS)
    _expect(config.get("extra_fields_behavior", "ignore") in ("ignore", "forbid"))
    inside = core["schema"]
    _check_keys(inside, "fields", "model_name", "computed_fields")
    _expect(inside["type"] == "model-fields")
    cls = core["cls"]
    declared = {field.name: field for field in t.fields}
    plans = {plan.name: plan.decode for plan in decode.fields}
    known = {name: info.default for name, info in list_plain_defaults(cls)}
    fields: dict[str, Any] = {}
    parts: list[tuple[str, str, ValueShape]] = []
    defaults: list[ModelDefault] = []
    places = 1.0
    for name, each in inside["fields"].items():
        _check_keys(each, "schema", "validation_alias", "serialization_alias",
              "serialization_exclude", "serialization_exclude_if", "frozen")  # fmt: skip
        key = each.get("validation_alias", name)
        _expect(isinstance(key, str) and key in declared)
        made = _build_field(walk, declared[key], each["schema"], plans.get(key))
        fields[name] = {"type": "model-field", "schema": made.schema}
        if key != name:
            fields[name]["validation_alias"] = key
        if made.shape is not None:
            parts.append((key, name, made.shape))
        if name in known:
            defaults.append(_make_default(name, key, known[name]))
        places += made.places
    _expect(len(fields) == len(declared))
    body = {"type": "model-fields", "fields": fields, "strict": True}
    shape = ValueShape("model", None, tuple(parts), len(fields), tuple(defaults))
    return StrictSchema({"type": "model", "cls": cls, "schema": body}, shape, places)


def _build_field(
    walk: _SchemaBuilder, field: nodes.Field, core: Any, decode: Decode
) -> StrictSchema:
    """Build the schema of *field*, required unless the check leaves it absent."""
    _expect(not field.firewalled)
    if core["type"] != "default":
        return walk.read(field.type, core, decode)
    _check_keys(core, "schema", *_DEFAULTS)
    made = walk.read(field.type, core["schema"], decode)
    if "default" not in core:
        return made
    # A tag has to be sent.
    _expect(not field.required)
    if core["default"] is None and field.default is None:
        _expect(isinstance(nodes.strip_annotations(field.type), nodes.Maybe))
    schema = {"type": "default", "schema": made.schema, "default": core["default"]}
    return made._replace(schema=schema)


#: The options of a default that is not validated.
_DEFAULTS = ("copy_default", "default", "default_factory", "default_factory_takes_data")

#: The classes of values that are decoded from texts, of which each has several.
_DECODED = frozenset({
    ("builtins", "bytes"), ("datetime", "date"), ("datetime", "datetime"),
    ("datetime", "time"), ("datetime", "timedelta"), ("decimal", "Decimal"), ("uuid", "UUID"),
})  # fmt: skip


def _make_default(name: str, key: str, value: Any) -> ModelDefault:
    """Return the default *value*; raise if its copies may differ from the sent value."""
    kind = type(value)
    if is_enum(kind):
        return ModelDefault(name, key, value, value.value)
    if (kind.__module__, kind.__name__) in _DECODED:
        return ModelDefault(name, key, value, ABSENT)
    _expect(kind in (type(None), bool, int, float, str) or (kind in (list, dict) and not value))
    return ModelDefault(name, key, value, value)
