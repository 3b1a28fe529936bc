"""Pydantic without importing it: whether it is loaded, and `Field` as a default."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any

#: The default is made for each call.
MADE = object()


def is_loaded() -> bool:
    """Whether pydantic is loaded."""
    return "pydantic" in sys.modules


def is_field(default: Any) -> bool:
    """Whether *default* is a `Field` of pydantic."""
    fields = sys.modules.get("pydantic.fields")
    return fields is not None and isinstance(default, fields.FieldInfo)


#: What a `Field` in `Annotated` states only in a model, by its attributes.
_OF_MODELS = {
    "alias": ("alias", "validation_alias", "serialization_alias"),
    "default": ("default_factory",),
    "exclusion": ("exclude", "exclude_if"),
}


def list_unused_settings(item: Any) -> list[str]:
    """Name the options of *item*, if a `Field`, that only apply in a model."""
    if not is_field(item):
        return []
    stated = {
        word for word, names in _OF_MODELS.items() if any(getattr(item, n, None) for n in names)
    }
    return sorted(stated if item.is_required() else stated | {"default"})


def add_field_metadata(hint: Any, field: Any) -> Any:
    """Return *hint* with the constraints and the description of *field*."""
    beside = (*field.metadata, *filter(None, [field.description]))
    return Annotated[(hint, *beside)] if beside else hint


def get_field_default(field: Any, empty: Any) -> tuple[Any, Callable[[], Any] | None]:
    """Return the default of *field*, or *empty*, and the function that makes it."""
    if field.is_required():
        return empty, None

    def make() -> Any:
        return field.get_default(call_default_factory=True, validated_data={})

    if field.default_factory is None:
        return field.default, make
    known = field.default_factory in (list, dict, set)
    return (field.default_factory() if known else MADE), make
