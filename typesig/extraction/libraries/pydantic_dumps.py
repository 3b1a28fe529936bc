"""Results of pydantic's models: the parts that a model writes itself, by its serializers.

The other parts are written by typesig, by the class of each object.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from typesig.algebra.rows.names import folded
from typesig.extraction.callables.resolve import scope_of_class
from typesig.extraction.hints import record_hints
from typesig.extraction.hints.fields import resolve_if_text
from typesig.extraction.hints.media_hints import parts_with_media
from typesig.extraction.hints.metadata import said_by_field
from typesig.extraction.libraries import pydantic_types
from typesig.extraction.libraries.pydantic_schemas import (
    is_serializer,
    is_unstated,
    unstated_fields,
)

#: The options of a model's configuration by which it writes values in a way of its own.
_OPTIONS = (
    "json_encoders", "ser_json_bytes", "ser_json_temporal", "ser_json_timedelta",
)  # fmt: skip

#: What tells the records that are no models.
_RECORDS = (
    record_hints.is_dataclass, record_hints.is_typed_dict, record_hints.is_named_tuple,
)  # fmt: skip


def writes_itself(cls: Any) -> bool:
    """Return whether a model or dataclass of pydantic writes its objects as a whole."""
    if cls.__pydantic_decorators__.model_serializers:
        return True
    # These options are not for media.
    return _has_options(cls) and not media_fields(cls)


def _has_options(cls: Any) -> bool:
    config = config_of(cls)
    return any(config.get(option) for option in _OPTIONS)


def media_fields(cls: Any) -> frozenset[str]:
    """Return the names of the fields of a model that have media at any place."""
    # The validator of a model is made again when the model is rebuilt.
    return _media_fields(cls, getattr(cls, "__pydantic_validator__", None))


@lru_cache(maxsize=512)
def _media_fields(cls: Any, _validator: Any) -> frozenset[str]:
    hints = {name: field_hint(info) for name, info in cls.__pydantic_fields__.items()}
    for name, decorator in cls.__pydantic_decorators__.computed_fields.items():
        hints[name] = decorator.info.return_type
    return frozenset([name for name, hint in hints.items() if _has_media(hint)])


def _has_media(hint: Any) -> bool:
    """Return whether *hint* has media, in the fields of models and other records too."""
    seen: set[int] = set()
    left = [hint]
    while left:
        for part in parts_with_media(left.pop()):
            if part is True:
                return True
            if id(part) not in seen:
                seen.add(id(part))
                left.extend(_hints_in(part))
    return False


def _hints_in(cls: Any) -> list[Any]:
    """Return the hints of the fields of *cls*, if it is a model or another record."""
    if hasattr(cls, "__pydantic_fields__"):
        return [field_hint(info) for info in cls.__pydantic_fields__.values()]
    if not any(fits(cls, None) for fits in _RECORDS):
        return []
    hints = record_hints.own_hints(cls).values()
    return [resolve_if_text(hint, scope_of_class(owner)) for hint, owner in hints]


def own_fields(cls: Any) -> frozenset[str]:
    """Return the names of the fields of a model that serializers of its own write."""
    fields, decorators = cls.__pydantic_fields__, cls.__pydantic_decorators__
    found = {name for d in decorators.field_serializers.values() for name in d.info.fields}
    if "*" in found:
        found |= {*fields, *decorators.computed_fields}
    if _has_options(cls):
        found |= {*fields, *decorators.computed_fields} - media_fields(cls)
    found |= {name for name, info in fields.items() if pydantic_types.dumps(field_hint(info))}
    found |= {
        n for n, d in decorators.computed_fields.items() if pydantic_types.dumps(d.info.return_type)
    }
    return frozenset(found)


def names_read(cls: Any, name: str, info: Any) -> list[str]:
    """Return the names by which a model reads the field *name*, the first of which is shown."""
    config = config_of(cls)
    given = info.validation_alias
    given = getattr(given, "choices", [given] if given else [])
    steps = [getattr(each, "path", [each]) for each in given]
    aliases = [each[0] for each in steps if len(each) == 1]
    by_name = config.get("populate_by_name") or config.get("validate_by_name") or not given
    if config.get("validate_by_alias") is False:
        aliases = []
    return [*aliases, *([name] if by_name and name not in aliases else [])]


def name_read(cls: Any, name: str, info: Any) -> str | None:
    """Return the name that the model sees for the field *name*, or None if it has only paths."""
    return next(iter(names_read(cls, name, info)), None)


def other_names(cls: Any) -> dict[str, str]:
    """Return the shown name of a field by each other name that a model reads it by."""
    out: dict[str, str] = {}
    for name, info in cls.__pydantic_fields__.items():
        shown, *others = names_read(cls, name, info) or [""]
        out |= {folded(other): shown for other in others}
    return out


def is_masked(cls: Any) -> bool:
    """Return whether objects of *cls* are written as JSON that they may not be read from."""
    if hasattr(cls, "__pydantic_fields__"):
        return writes_itself(cls) or bool(own_fields(cls))
    return pydantic_types.is_asked(cls, None) and pydantic_types.has_secrets(cls)


def config_of(cls: Any) -> Any:
    """Return the configuration of a model or dataclass of pydantic."""
    return getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {}


def plain_defaults(cls: Any) -> list[tuple[str, Any]]:
    """Return the fields of a model that have a default which is not validated, by name."""
    config = config_of(cls)
    validates = bool(config.get("validate_default"))
    return [
        (name, info)
        for name, info in cls.__pydantic_fields__.items()
        if not info.is_required()
        and info.default_factory is None
        and not (validates if info.validate_default is None else info.validate_default)
    ]


def field_hint(info: Any) -> Any:
    """Return the hint of a field of a model, with its metadata."""
    metadata: tuple[Any, ...] = tuple(info.metadata)
    if info.title is not None or info.examples:
        metadata = (*metadata, said_by_field(info))
    return Annotated[info.annotation, *metadata] if metadata else info.annotation


def unstated_of(cls: Any) -> frozenset[str]:
    """Return the names of the fields of a model whose serializers do not state their results."""
    fields, decorators = cls.__pydantic_fields__, cls.__pydantic_decorators__
    known = {name for d in decorators.field_serializers.values() for name in d.info.fields}
    known |= {name for name, info in fields.items() if any(map(is_serializer, info.metadata))}
    if not known:
        return frozenset()
    found = unstated_fields(pydantic_types.adapter_of(cls).core_schema)
    return found if "*" in known else found & known


def is_unstated_whole(cls: Any) -> bool:
    """Return whether a serializer that does not state its result writes a model as a whole."""
    decorators = cls.__pydantic_decorators__
    return bool(decorators.model_serializers) and is_unstated(
        pydantic_types.adapter_of(cls).core_schema
    )


def hint_of_written(cls: Any, shown: str) -> Any:
    """Return the hint of the field that a model writes as *shown*, by the model's own schema."""
    schema = pydantic_types.schema_of(cls, output=True)
    if isinstance(schema, Exception):
        return Any
    defs = schema.get("$defs", {})
    root = defs.get(schema.get("$ref", "").rpartition("/")[2], schema)
    found = root.get("properties", {}).get(shown, {})
    return pydantic_types.SchemaHint({**found, "$defs": defs} if defs else found)


def dump_of_object(value: Any, own: frozenset[str] | None = None) -> Any:
    """Return the JSON that an object of a model or dataclass of pydantic writes itself.

    Only the fields *own* are written, if it is not None: pydantic cannot write each of the others.
    """
    write = type(value).__pydantic_serializer__.to_python
    return pydantic_types.dumped(
        lambda: write(
            value,
            mode="json",
            by_alias=True,
            warnings=False,
            include=None if own is None else {*own},
        )
    )
