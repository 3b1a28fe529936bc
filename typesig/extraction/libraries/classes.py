"""Classes of attrs and msgspec, and those with hooks of cattrs: their records and their objects.

The libraries are recognized without importing them; the modules for pydantic are loaded by the
first object of its classes.  To add a library, add a predicate and a reader that lists its parts
and builds an instance, its row in `readers.READERS`, its mark to `_MARKS` and its fields to
`get_object_fields`.
"""

from __future__ import annotations

import sys
from functools import partial, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from typesig.algebra.nodes import ANY
from typesig.extraction.callables.hint_resolver import resolve_if_text
from typesig.extraction.callables.scopes import get_class_scope
from typesig.extraction.docstrings.docs import read_field_texts
from typesig.extraction.hints import record_hints
from typesig.extraction.hints.choice_hints import is_sentinel
from typesig.extraction.hints.container_hints import make_tuple_type
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.fields import MISSING, FieldSource
from typesig.extraction.python_types.decoders import (
    HostError,
    LeafDecoder,
    to_host_error,
)


def read_attrs(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a class of attrs."""
    cls = record_hints.get_class(hint, origin)
    nothing = sys.modules["attr"].NOTHING

    def parts() -> list[FieldSource]:
        written, texts, out = record_hints.collect_hints(cls), read_field_texts(cls), []
        for field in cls.__attrs_attrs__:
            if not field.init and not context.output:
                continue
            kind, owner = written.get(field.name, (field.type or Any, cls))
            kind = record_hints.resolve_in_owner(kind, owner, cls)
            if field.validator is not None:
                kind = _add_validator_bounds(
                    resolve_if_text(kind, get_class_scope(owner)), field.validator
                )
            default, factory = field.default, False
            if context.output or default is nothing:
                default = MISSING
            elif type(default).__name__ == "Factory":
                default, factory = (
                    (MISSING, True)
                    if default.takes_self
                    else record_hints.read_factory_default(default.factory)
                )
            text = field.metadata.get("description") or texts.get(field.name)
            out.append(FieldSource(field.alias, kind, True, default, factory, text=text))
        return out

    return record_hints.read_record(context, cls, arguments, parts, cls)


def _add_validator_bounds(hint: Any, validator: Any) -> Any:
    """Return *hint* with the constraints of a validator of attrs."""
    name = type(validator).__name__
    if type(validator).__module__ not in ("attr.validators", "attr._make"):
        return hint
    if name == "_AndValidator":
        for each in validator._validators:
            hint = _add_validator_bounds(hint, each)
    elif name == "_InValidator" and all(type(o) in (str, int, bool) for o in validator.options):
        return Literal[tuple(validator.options)]
    elif name == "_OptionalValidator":
        inner = _add_validator_bounds(hint, validator.validator)
        # The values of in_() replace the hint, and the hint's None with it.
        return inner | None if get_origin(inner) is Literal else inner
    elif name != "_InstanceOfValidator":
        return Annotated[hint, validator]
    return hint


def read_struct(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a msgspec struct, or the tuple of an `array_like` struct."""
    cls = record_hints.get_class(hint, origin)
    config = cls.__struct_config__

    def build_tagged(**values: Any) -> Any:
        values.pop(config.tag_field)
        return cls(**values)

    def read_extra(inner: HintContext) -> HostType | None:
        return None if config.forbid_unknown_fields else HostType(ANY)

    build = cls if config.tag is None else build_tagged
    return record_hints.read_record(
        context,
        cls,
        arguments,
        partial(_list_struct_fields, context, cls),
        build,
        read_extra,
        make_tuple_type if config.array_like else None,
    )


def _list_struct_fields(context: HintContext, cls: Any) -> list[FieldSource]:
    """List the fields of the msgspec struct *cls*, with its tag field first."""
    config, texts, written = (
        cls.__struct_config__,
        read_field_texts(cls),
        record_hints.collect_hints(cls),
    )
    out = []
    if config.tag is not None:
        out.append(FieldSource(config.tag_field, Literal[config.tag], True))
    for name, shown, default in list_struct_fields(cls):
        kind, owner = written[name]
        kind, is_set = _drop_unset(resolve_if_text(kind, get_class_scope(owner)))
        required = is_set and not (context.output and is_left_out_by_default(cls, default))
        factory = False
        if context.output or not is_set or default is NO_DEFAULT:
            default, factory = MISSING, not required
        elif type(default).__name__ == "Factory":
            default, factory = record_hints.read_factory_default(default.factory)
        text = texts.get(name)
        out.append(FieldSource(shown, kind, True, default, factory, text=text, attribute=name))
    return out


def _drop_unset(hint: Any) -> tuple[Any, bool]:
    """Return *hint* without `UnsetType`, and whether the field is required."""
    if get_origin(hint) not in (Union, UnionType):
        return hint, True
    known = get_args(hint)
    kept = [branch for branch in known if not is_sentinel(branch)]
    return (hint, True) if len(kept) == len(known) else (reduce(or_, kept), False)


# --- Objects ---

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
        from typesig.extraction.libraries.pydantic_models import read_model

        return read_model(value)
    return _read_struct(cls, value)


def get_plain_attributes(cls: Any) -> dict[str, str] | None:
    """Map output names to attributes of the library class *cls*; None if not fixed.

    Returns None if these attributes are not all that is written, or not always.
    """
    if hasattr(cls, "__attrs_attrs__"):
        return {field.alias: field.name for field in cls.__attrs_attrs__}
    if hasattr(cls, "__pydantic_fields__"):
        from typesig.extraction.libraries.pydantic_models import get_plain_names

        return get_plain_names(cls)
    config = cls.__struct_config__
    if config.array_like or config.omit_defaults or config.tag is not None:
        return None
    return {shown: name for name, shown, _ in list_struct_fields(cls)}


def drop_unset(held: dict[str, Any]) -> dict[str, Any]:
    """Drop the fields whose value is msgspec's UNSET from *held*."""
    for part in held.values():
        if type(part).__name__ == "UnsetType":
            return {n: part for n, part in held.items() if type(part).__name__ != "UnsetType"}
    return held


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


# --- Classes with hooks of cattrs, which decode and encode their objects ---
# cattrs is asked only if it is loaded, by its global converter, and only about what has no other
# reader.

#: What a hook raises for data of another shape.
_REFUSALS = (TypeError, ValueError, LookupError, AttributeError)


def is_structured(hint: Any, origin: Any) -> bool:
    """Whether a structure hook is registered with cattrs for the class *hint*."""
    cls = hint if origin is None else origin
    if not isinstance(cls, type):
        return False
    cattrs = sys.modules["cattrs"]
    # What a new converter reads too has no hook of its own.
    return _has_hook(cattrs.global_converter, hint) and not _has_hook(cattrs.Converter(), hint)


def _has_hook(converter: Any, hint: Any) -> bool:
    """Whether the cattrs *converter* can structure values of *hint*."""
    try:
        converter.get_structure_hook(hint)
    except sys.modules["cattrs"].errors.StructureHandlerNotFoundError:
        return False
    return True


def read_structured(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Return `:any`, with a warning, for *hint*, which cattrs decodes."""
    reason = "cattrs reads it, but does not tell what its JSON is"
    found = context.fall_back(hint, reason, "give an explicit signature")
    return found._replace(decode=LeafDecoder(lambda value: _build_object(value, hint)))


def _build_object(value: Any, hint: Any) -> Any:
    """Build an object of *hint* from the data *value* with the global cattrs converter."""
    cattrs = sys.modules["cattrs"]
    try:
        return cattrs.global_converter.structure(value, hint)
    except cattrs.errors.BaseValidationError as error:
        first, *more = [HostError(text) for text in cattrs.transform_error(error)]
        first.more.extend(more)
        raise first from error
    except _REFUSALS as error:
        problem = to_host_error(error)
        if isinstance(error, LookupError):
            # Its text is only the key.
            problem = HostError(f"{type(error).__name__}: {error}")
        raise problem from error


def dump_by_hook(value: Any) -> Any:
    """Return the data that cattrs writes for *value*; *value* if it has no hook."""
    cattrs = sys.modules.get("cattrs")
    return value if cattrs is None else cattrs.global_converter.unstructure(value)
