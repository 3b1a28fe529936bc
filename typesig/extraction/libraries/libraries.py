"""Hints of other libraries: tests for them, and readers that are loaded on first use.

Most programs have no such hint, and decorating functions should load nothing for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any

from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.record_hints import make_class_test


def _load(module: str) -> Any:
    """Import *module* of this package, which only hints of its library need."""
    from importlib import import_module

    return import_module(f"{__package__}.{module}")


def _make_reader(module: str, name: str) -> Callable[[HintContext, Any, Any, Any], HostType]:
    """Make a reader that imports *module* and calls its reader *name* on first use."""

    def read(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
        found: HostType = getattr(_load(module), name)(context, hint, origin, arguments)
        return found

    return read


read_asked = _make_reader("pydantic_types", "read_asked")
read_pydantic = _make_reader("pydantic_models", "read_pydantic")
read_attrs = _make_reader("classes", "read_attrs")
read_struct = _make_reader("classes", "read_struct")
read_structured = _make_reader("classes", "read_structured")


def is_read_by_pydantic(hint: Any, origin: Any) -> bool:
    """Whether *hint* is left to pydantic, which determines its JSON Schema."""
    if not is_loaded() and type(hint).__name__ != "SchemaHint":
        return False
    return bool(_load("pydantic_types").is_read_by_pydantic(hint, origin))


#: Whether a hint is a model or dataclass of pydantic, a class of attrs, or a struct of msgspec.
is_pydantic = make_class_test(lambda cls: "__pydantic_fields__" in cls.__dict__)
is_attrs = make_class_test(lambda cls: "__attrs_attrs__" in cls.__dict__)
is_struct = make_class_test(lambda cls: hasattr(cls, "__struct_config__"))


def is_structured(hint: Any, origin: Any) -> bool:
    """Whether a structure hook is registered with cattrs for the class *hint*."""
    if "cattrs" not in sys.modules:
        return False
    return bool(_load("classes").is_structured(hint, origin))


# --- Fields of pydantic, and whether it is loaded ---

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


def warn_of_unused(context: HintContext, hint: Any) -> None:
    """Warn of options of a `Field` in *hint* that only apply in a model."""
    for item in getattr(hint, "__metadata__", ()):
        for word in list_unused_settings(item):
            remedy = "write it in a model of pydantic"
            context.warn(hint, f"the {word} of its Field is not used here", remedy)


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
