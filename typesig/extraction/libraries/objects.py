"""Objects of attrs, pydantic and msgspec, recognized without importing the library.

The modules for pydantic are loaded by the first object of its classes.
To add a library, add its mark to `_MARKS` and its fields to `get_object_fields`.
"""

from __future__ import annotations

from typing import Any

from typesig.extraction.hints.choice_hints import find_sentinel, is_missing

#: The attributes by which a class of attrs, pydantic and msgspec is known.
_MARKS = ("__attrs_attrs__", "__pydantic_fields__", "__struct_config__")


def is_library_object(cls: type) -> bool:
    """Whether *cls* is a class of attrs, pydantic or msgspec."""
    return any(hasattr(cls, mark) for mark in _MARKS)


def get_object_fields(value: Any) -> Any:
    """Return the fields of an attrs, pydantic or msgspec object by output name."""
    cls: Any = type(value)
    if hasattr(cls, "__attrs_attrs__"):
        held = {field.alias: getattr(value, field.name) for field in cls.__attrs_attrs__}
        return drop_unset(held)
    if hasattr(cls, "__pydantic_fields__"):
        if getattr(cls, "__pydantic_root_model__", False):
            from typesig.extraction.libraries.pydantic_dumps import (
                dump_object,
                find_serialized_fields,
                has_own_serializer,
            )

            own = has_own_serializer(cls) or find_serialized_fields(cls)
            return dump_object(value) if own else value.root
        return _read_model(cls, value)
    return _read_struct(cls, value)


def get_plain_attributes(cls: Any) -> dict[str, str] | None:
    """Map output names to attributes of the library class *cls*; None if not fixed.

    Returns None if these attributes are not all that is written, or not always.
    """
    if hasattr(cls, "__attrs_attrs__"):
        return {field.alias: field.name for field in cls.__attrs_attrs__}
    if not hasattr(cls, "__pydantic_fields__"):
        config = cls.__struct_config__
        if config.array_like or config.omit_defaults or config.tag is not None:
            return None
        return {shown: name for name, shown, _ in list_struct_fields(cls)}
    from typesig.extraction.libraries.pydantic_dumps import (
        find_serialized_fields,
        get_config,
        has_own_serializer,
    )

    fields = cls.__pydantic_fields__
    leaves_out = any(
        i.exclude or getattr(i, "exclude_if", None) or find_sentinel(i.annotation)
        for i in fields.values()
    )
    is_open = get_config(cls).get("extra") == "allow" or list_computed_fields(cls)
    is_root = getattr(cls, "__pydantic_root_model__", False)
    if leaves_out or is_open or is_root or has_own_serializer(cls) or find_serialized_fields(cls):
        return None
    return {get_output_name(info, name): name for name, info in fields.items()}


def drop_unset(held: dict[str, Any]) -> dict[str, Any]:
    """Drop the fields whose value is msgspec's UNSET from *held*."""
    for part in held.values():
        if type(part).__name__ == "UnsetType":
            return {n: part for n, part in held.items() if type(part).__name__ != "UnsetType"}
    return held


def _read_model(cls: Any, value: Any) -> Any:
    """Read *value*, an object of the pydantic model *cls*, under its output names."""
    from typesig.extraction.libraries.pydantic_dumps import (
        dump_object,
        find_serialized_fields,
        has_own_serializer,
    )

    if has_own_serializer(cls):
        return dump_object(value)
    own = find_serialized_fields(cls)
    dumped = dump_object(value, own) if own else {}
    out = {}
    for name, info in cls.__pydantic_fields__.items():
        held, leaves_out = getattr(value, name, None), getattr(info, "exclude_if", None)
        if not (info.exclude or is_missing(held) or (leaves_out and leaves_out(held))):
            shown = get_output_name(info, name)
            out[shown] = dumped.get(shown) if name in own else held
    out.update(getattr(value, "__pydantic_extra__", None) or {})
    for name, info in list_computed_fields(cls):
        shown = info.alias or name
        out[shown] = dumped.get(shown) if name in own else getattr(value, name)
    return out


def get_output_name(info: Any, name: str) -> str:
    """Return the name of the field *name* in the output of a model."""
    return info.serialization_alias or info.alias or name


def list_computed_fields(cls: Any) -> list[tuple[str, Any]]:
    """Return the computed fields of a model, which only results have, by name."""
    found = cls.__pydantic_decorators__.computed_fields.items()
    return [(name, decorator.info) for name, decorator in found]


def _read_struct(cls: Any, value: Any) -> Any:
    """Read *value*, an object of the msgspec struct *cls*, as a dict or a list."""
    config, fields = cls.__struct_config__, list_struct_fields(cls)
    tag = {} if config.tag is None else {config.tag_field: config.tag}
    if config.array_like:
        return [*tag.values(), *(getattr(value, name) for name, _, _ in fields)]
    held = [(shown, getattr(value, name), default) for name, shown, default in fields]
    return tag | {
        shown: part
        for shown, part, default in held
        if type(part).__name__ != "UnsetType"
        and not (is_left_out_by_default(cls, default) and _is_default(part, default))
    }


def _is_default(part: Any, default: Any) -> bool:
    """Whether msgspec omits *part* as equal to *default*: same object, or both empty."""
    if type(default).__name__ == "Factory":
        return type(part) is default.factory and type(part) in (list, dict, set) and not part
    return part is default


#: The field of a struct has no default.
NO_DEFAULT = object()


def list_struct_fields(cls: Any) -> list[tuple[str, str, Any]]:
    """List the fields of a msgspec struct as name, output name and default."""
    names, shown, known = (
        cls.__struct_fields__,
        cls.__struct_encode_fields__,
        cls.__struct_defaults__,
    )
    known = [NO_DEFAULT if repr(default) == "NODEFAULT" else default for default in known]
    defaults = [NO_DEFAULT] * (len(names) - len(known)) + known
    return list(zip(names, shown, defaults, strict=True))


def is_left_out_by_default(cls: Any, default: Any) -> bool:
    """Whether msgspec struct *cls* omits a field in JSON that equals its *default*."""
    config = cls.__struct_config__
    return config.omit_defaults and not config.array_like and default is not NO_DEFAULT
