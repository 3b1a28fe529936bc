"""Results of pydantic models: the parts that serializers of the model write.

The other parts are written by typesig, by the class of each object.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from typesig.algebra.rows.names import fold_name
from typesig.extraction.callables.hint_resolver import resolve_if_text
from typesig.extraction.callables.scopes import get_class_scope
from typesig.extraction.hints import record_hints
from typesig.extraction.hints.metadata import read_field_details
from typesig.extraction.hints.result_hints import iter_media_parts
from typesig.extraction.libraries import pydantic_types
from typesig.extraction.libraries.pydantic_schemas import (
    is_serializer,
    is_unstated,
    list_unstated_fields,
)

#: The options of a model's configuration by which it writes values in a way of its own.
_OPTIONS = (
    "json_encoders", "ser_json_bytes", "ser_json_temporal", "ser_json_timedelta",
)  # fmt: skip

#: What tells the records that are no models.
_RECORDS = (
    record_hints.is_dataclass, record_hints.is_typed_dict, record_hints.is_named_tuple,
)  # fmt: skip


def has_own_serializer(cls: Any) -> bool:
    """Whether a pydantic class has a model serializer or options for serialization."""
    if cls.__pydantic_decorators__.model_serializers:
        return True
    # These options are not for media.
    return _has_options(cls) and not find_media_fields(cls)


def _has_options(cls: Any) -> bool:
    """Whether the config of the model *cls* changes how values are serialized."""
    config = get_config(cls)
    return any(config.get(option) for option in _OPTIONS)


def find_media_fields(cls: Any) -> frozenset[str]:
    """Return the names of the fields of a model that contain media."""
    # The validator of a model is made again when the model is rebuilt.
    return _find_media_fields(cls, getattr(cls, "__pydantic_validator__", None))


@lru_cache(maxsize=512)
def _find_media_fields(cls: Any, _validator: Any) -> frozenset[str]:
    """Find the fields and computed fields of the model *cls* that hold media; cached."""
    hints = {name: get_field_hint(info) for name, info in cls.__pydantic_fields__.items()}
    for name, decorator in cls.__pydantic_decorators__.computed_fields.items():
        hints[name] = decorator.info.return_type
    return frozenset([name for name, hint in hints.items() if _has_media(hint)])


def _has_media(hint: Any) -> bool:
    """Whether *hint* contains media, directly or in fields of a record in it."""
    seen: set[int] = set()
    left = [hint]
    while left:
        for part in iter_media_parts(left.pop()):
            if part is True:
                return True
            if id(part) not in seen:
                seen.add(id(part))
                left.extend(_list_hints(part))
    return False


def _list_hints(cls: Any) -> list[Any]:
    """Return the hints of the fields of *cls*, if it is a model or another record."""
    if hasattr(cls, "__pydantic_fields__"):
        return [get_field_hint(info) for info in cls.__pydantic_fields__.values()]
    if not any(fits(cls, None) for fits in _RECORDS):
        return []
    hints = record_hints.collect_hints(cls).values()
    return [resolve_if_text(hint, get_class_scope(owner)) for hint, owner in hints]


def find_serialized_fields(cls: Any) -> frozenset[str]:
    """Return the names of pydantic model fields that have serializers of their own."""
    fields, decorators = cls.__pydantic_fields__, cls.__pydantic_decorators__
    found = {name for d in decorators.field_serializers.values() for name in d.info.fields}
    if "*" in found:
        found |= {*fields, *decorators.computed_fields}
    if _has_options(cls):
        found |= {*fields, *decorators.computed_fields} - find_media_fields(cls)
    found |= {
        name for name, info in fields.items() if pydantic_types.has_serializer(get_field_hint(info))
    }
    found |= {
        n
        for n, d in decorators.computed_fields.items()
        if pydantic_types.has_serializer(d.info.return_type)
    }
    return frozenset(found)


def list_input_names(cls: Any, name: str, info: Any) -> list[str]:
    """List the input names of the pydantic field *name*, the preferred one first."""
    config = get_config(cls)
    given = info.validation_alias
    given = getattr(given, "choices", [given] if given else [])
    steps = [getattr(each, "path", [each]) for each in given]
    aliases = [each[0] for each in steps if len(each) == 1]
    by_name = config.get("populate_by_name") or config.get("validate_by_name") or not given
    if config.get("validate_by_alias") is False:
        aliases = []
    return [*aliases, *([name] if by_name and name not in aliases else [])]


def get_input_name(cls: Any, name: str, info: Any) -> str | None:
    """Return the preferred input name of pydantic field *name*; None for alias paths."""
    return next(iter(list_input_names(cls, name, info)), None)


def map_other_names(cls: Any) -> dict[str, str]:
    """Map each alternative input name of a model to the visible name of its field."""
    out: dict[str, str] = {}
    for name, info in cls.__pydantic_fields__.items():
        shown, *others = list_input_names(cls, name, info) or [""]
        out |= {fold_name(other): shown for other in others}
    return out


def is_masked(cls: Any) -> bool:
    """Whether JSON dumped from the pydantic class *cls* may be no valid input for it."""
    if hasattr(cls, "__pydantic_fields__"):
        return has_own_serializer(cls) or bool(find_serialized_fields(cls))
    return pydantic_types.is_read_by_pydantic(cls, None) and pydantic_types.has_secrets(cls)


def get_config(cls: Any) -> Any:
    """Return the configuration of a model or dataclass of pydantic."""
    return getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {}


def list_plain_defaults(cls: Any) -> list[tuple[str, Any]]:
    """Return the fields of a model that have an unvalidated default, by name."""
    config = get_config(cls)
    validates = bool(config.get("validate_default"))
    return [
        (name, info)
        for name, info in cls.__pydantic_fields__.items()
        if not info.is_required()
        and info.default_factory is None
        and not (validates if info.validate_default is None else info.validate_default)
    ]


def get_field_hint(info: Any) -> Any:
    """Return the hint of a field of a model, with its metadata."""
    metadata: tuple[Any, ...] = tuple(info.metadata)
    if info.title is not None or info.examples:
        metadata = (*metadata, read_field_details(info))
    return Annotated[info.annotation, *metadata] if metadata else info.annotation


def find_unstated_fields(cls: Any) -> frozenset[str]:
    """Return the pydantic fields with serializers without a result hint."""
    fields, decorators = cls.__pydantic_fields__, cls.__pydantic_decorators__
    known = {name for d in decorators.field_serializers.values() for name in d.info.fields}
    known |= {name for name, info in fields.items() if any(map(is_serializer, info.metadata))}
    if not known:
        return frozenset()
    found = list_unstated_fields(pydantic_types.get_adapter(cls).core_schema)
    return found if "*" in known else found & known


def is_unstated_whole(cls: Any) -> bool:
    """Whether a pydantic class has a model serializer without a result hint."""
    decorators = cls.__pydantic_decorators__
    return bool(decorators.model_serializers) and is_unstated(
        pydantic_types.get_adapter(cls).core_schema
    )


def get_output_hint(cls: Any, shown: str) -> Any:
    """Return the output field *shown* of pydantic class *cls* as a JSON Schema hint."""
    schema = pydantic_types.get_schema(cls, output=True)
    if isinstance(schema, Exception):
        return Any
    defs = schema.get("$defs", {})
    root = defs.get(schema.get("$ref", "").rpartition("/")[2], schema)
    found = root.get("properties", {}).get(shown, {})
    return pydantic_types.SchemaHint({**found, "$defs": defs} if defs else found)


def dump_object(value: Any, own: frozenset[str] | None = None) -> Any:
    """Dump an object of a pydantic class to JSON data, only its fields *own* if given.

    Only the fields *own* are written, if it is not None: pydantic cannot write each of the others.
    """
    write = type(value).__pydantic_serializer__.to_python
    return pydantic_types.run_dump(
        lambda: write(
            value,
            mode="json",
            by_alias=True,
            warnings=False,
            include=None if own is None else {*own},
        )
    )
