"""Records of other libraries: attrs, pydantic, msgspec, known by their marks and never imported.

To add a library, add a test, a reader that lists its parts and what builds an instance, its row in
`hints.readers`, and its fields in `fields_of_object`.
"""

from __future__ import annotations

import sys
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from typesig.algebra.nodes import ANY
from typesig.extraction.containers import in_order
from typesig.extraction.hints import read
from typesig.extraction.plans import HostError, refused
from typesig.extraction.reading import Read, Reading
from typesig.extraction.records import (
    MISSING,
    Part,
    extras,
    made_default,
    opened,
    own_hints,
    record_of,
    scoped_hint,
)
from typesig.extraction.resolve import scope_of_class
from typesig.extraction.texts import field_texts


def _class(hint: Any, origin: Any) -> Any:
    return hint if origin is None else origin


def is_attrs(hint: Any, origin: Any) -> bool:
    """Tell whether *hint* is a class of attrs."""
    cls = _class(hint, origin)
    return isinstance(cls, type) and "__attrs_attrs__" in cls.__dict__


def attrs(reading: Reading, hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Read:
    """Return the record of a class of attrs."""
    cls = _class(hint, origin)
    nothing = sys.modules["attr"].NOTHING

    def parts() -> list[Part]:
        written, texts, out = own_hints(cls), field_texts(cls), []
        for field in cls.__attrs_attrs__:
            if not field.init and not reading.output:
                continue
            kind, owner = written.get(field.name, (field.type or Any, cls))
            kind = scoped_hint(kind, owner, cls)
            kind = _limited(kind, field.validator)
            default, factory = field.default, False
            if reading.output or default is nothing:
                default = MISSING
            elif type(default).__name__ == "Factory":
                default, factory = (
                    (MISSING, True) if default.takes_self else made_default(default.factory)
                )
            text = field.metadata.get("description") or texts.get(field.name)
            out.append(Part(field.alias, kind, True, default, factory, text=text))
        return out

    return record_of(reading, cls, arguments, parts, cls)


def _limited(hint: Any, validator: Any) -> Any:
    """Return *hint* with what a validator of attrs says of values."""
    name = type(validator).__name__
    if type(validator).__module__ not in ("attr.validators", "attr._make"):
        return hint
    if name == "_AndValidator":
        for each in validator._validators:
            hint = _limited(hint, each)
    elif name == "_InValidator" and all(type(o) in (str, int, bool) for o in validator.options):
        return Literal[tuple(validator.options)]
    elif name == "_OptionalValidator":
        inner = _limited(hint, validator.validator)
        # The values of in_() stand in the hint's place, its None too.
        return inner | None if get_origin(inner) is Literal else inner
    elif name != "_InstanceOfValidator":
        return Annotated[hint, validator]
    return hint


def is_pydantic(hint: Any, origin: Any) -> bool:
    """Tell whether *hint* is a model or dataclass of pydantic."""
    cls = _class(hint, origin)
    return isinstance(cls, type) and "__pydantic_fields__" in cls.__dict__


def pydantic(reading: Reading, hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Read:
    """Return the record of a model or dataclass of pydantic, or what a root model holds."""
    cls = _class(hint, origin)
    build = getattr(cls, "model_validate", None)
    if getattr(cls, "__pydantic_root_model__", False):
        found = read(reading, _field_hint(cls.__pydantic_fields__["root"]))
        return Read(
            found.type,
            lambda value: _checked(build, value if found.decode is None else found.decode(value)),
        )
    config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {}
    texts = field_texts(cls)

    def parts() -> list[Part]:
        out = []
        for name, info in cls.__pydantic_fields__.items():
            if reading.output and info.exclude:
                continue
            if not reading.output and _path(info):
                reading.warn(name, "its alias is a path, so it is left out", "give it a name alone")
                continue
            default, factory = MISSING, False
            if not reading.output and not info.is_required():
                if info.default_factory is None:
                    default = info.default
                else:
                    default, factory = made_default(info.default_factory)
            text = info.description or texts.get(name)
            shown = _alias(info, name, reading.output)
            there = not (reading.output and getattr(info, "exclude_if", None))
            out.append(Part(shown, _field_hint(info), there, default, factory, text=text))
        if reading.output:
            out.extend(
                Part(info.alias or name, info.return_type, text=info.description)
                for name, info in _computed(cls)
            )
        return out

    def extra() -> Read | None:
        if config.get("extra") == "forbid":
            return None
        return extras(reading, _extra_hint(cls)) if config.get("extra") == "allow" else Read(ANY)

    def make(**values: Any) -> Any:
        return (
            _checked(build, values) if build is not None else _checked(lambda v: cls(**v), values)
        )

    return record_of(reading, cls, arguments, parts, make, extra)


def _computed(cls: Any) -> list[tuple[str, Any]]:
    """Return the computed fields of a model, which its results alone have, by name."""
    found = cls.__pydantic_decorators__.computed_fields.items()
    return [(name, decorator.info) for name, decorator in found]


def _extra_hint(cls: Any) -> Any:
    """Return what a model says that undeclared fields hold: `__pydantic_extra__: dict[str, T]`."""
    hint, owner = own_hints(cls).get("__pydantic_extra__", (Any, cls))
    held = get_args(opened(hint, scope_of_class(owner)))
    return held[1] if len(held) == 2 and held[1] is not type(None) else Any


def _names(info: Any) -> list[Any]:
    """Return the aliases that a field of a model is read by: names, and paths to lists."""
    given = info.validation_alias
    given = getattr(given, "choices", [given] if given else [])
    steps = [getattr(each, "path", [each]) for each in given]
    return [each[0] if len(each) == 1 else each for each in steps]


def _path(info: Any) -> bool:
    """Tell whether a field of a model is read by paths alone, and by no name."""
    names = _names(info)
    return bool(names) and not any(isinstance(name, str) for name in names)


def _alias(info: Any, name: str, output: bool) -> str:
    given = [info.serialization_alias] if output else _names(info)
    return next((each for each in given if isinstance(each, str)), info.alias or name)


def _field_hint(info: Any) -> Any:
    metadata = tuple(info.metadata)
    return Annotated[info.annotation, *metadata] if metadata else info.annotation


def _checked(build: Any, values: Any) -> Any:
    """Return what *build* makes of *values*, a refusal where its validators refuse."""
    try:
        return build(values)
    except ValueError as error:
        details: Any = getattr(error, "errors", None)
        if details is None:
            raise refused(error) from error
        first = details()[0]
        problem = HostError(first["msg"])
        problem.steps.extend(reversed(first["loc"]))
        raise problem from error


def _of_model(cls: Any, value: Any) -> dict[str, Any]:
    out = {}
    for name, info in cls.__pydantic_fields__.items():
        held, leaves_out = getattr(value, name, None), getattr(info, "exclude_if", None)
        if not (info.exclude or (leaves_out and leaves_out(held))):
            out[_alias(info, name, True)] = held
    out.update(getattr(value, "__pydantic_extra__", None) or {})
    out.update((info.alias or name, getattr(value, name)) for name, info in _computed(cls))
    return out


def is_struct(hint: Any, origin: Any) -> bool:
    """Tell whether *hint* is a struct of msgspec."""
    cls = _class(hint, origin)
    return isinstance(cls, type) and hasattr(cls, "__struct_config__")


def struct(reading: Reading, hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Read:
    """Return the record of a struct of msgspec, or the tuple of one that is `array_like`."""
    cls = _class(hint, origin)
    config = cls.__struct_config__

    def parts() -> list[Part]:
        return _struct_parts(reading, cls)

    def build(**values: Any) -> Any:
        if config.tag is not None:
            values.pop(config.tag_field)
        return cls(**values)

    def extra() -> Read | None:
        return None if config.forbid_unknown_fields else Read(ANY)

    return record_of(
        reading, cls, arguments, parts, build, extra, in_order if config.array_like else None
    )


def _struct_parts(reading: Reading, cls: Any) -> list[Part]:
    config, texts, written = cls.__struct_config__, field_texts(cls), own_hints(cls)
    out = []
    if config.tag is not None:
        out.append(Part(config.tag_field, Literal[config.tag], True))
    for name, shown, default in _struct_fields(cls):
        kind, owner = written[name]
        kind, told = _told(opened(scoped_hint(kind, owner, cls), scope_of_class(owner)))
        required = told and not (reading.output and _leaves_out(cls, default))
        factory = False
        if reading.output or not told or default is _NO_DEFAULT:
            default, factory = MISSING, not required
        elif type(default).__name__ == "Factory":
            default, factory = made_default(default.factory)
        text = texts.get(name)
        out.append(Part(shown, kind, True, default, factory, text=text, attribute=name))
    return out


#: No default of a struct's field.
_NO_DEFAULT = object()


def _struct_fields(cls: Any) -> list[tuple[str, str, Any]]:
    """Return the fields of a struct: the name, the one that is shown, the default."""
    names, shown, known = (
        cls.__struct_fields__,
        cls.__struct_encode_fields__,
        cls.__struct_defaults__,
    )
    known = [_NO_DEFAULT if repr(default) == "NODEFAULT" else default for default in known]
    defaults = [_NO_DEFAULT] * (len(names) - len(known)) + known
    return list(zip(names, shown, defaults, strict=True))


def _told(hint: Any) -> tuple[Any, bool]:
    """Return *hint* without `UnsetType`, and whether it had none: such a field may be absent."""
    if get_origin(hint) not in (Union, UnionType):
        return hint, True
    known = get_args(hint)
    kept = [branch for branch in known if getattr(branch, "__name__", "") != "UnsetType"]
    return (hint, True) if len(kept) == len(known) else (reduce(or_, kept), False)


def _leaves_out(cls: Any, default: Any) -> bool:
    """Tell whether a field of this default is left out of what a struct is written as."""
    config = cls.__struct_config__
    return config.omit_defaults and not config.array_like and default is not _NO_DEFAULT


def fields_of_object(value: Any) -> Any:
    """Return what an object of these libraries holds, by the names that are shown."""
    cls: Any = type(value)
    if hasattr(cls, "__attrs_attrs__"):
        return {field.alias: getattr(value, field.name) for field in cls.__attrs_attrs__}
    if hasattr(cls, "__pydantic_fields__"):
        if getattr(cls, "__pydantic_root_model__", False):
            return value.root
        return _of_model(cls, value)
    return _of_struct(cls, value)


def _of_struct(cls: Any, value: Any) -> Any:
    config, fields = cls.__struct_config__, _struct_fields(cls)
    tag = {} if config.tag is None else {config.tag_field: config.tag}
    if config.array_like:
        return [*tag.values(), *(getattr(value, name) for name, _, _ in fields)]
    held = [(shown, getattr(value, name), default) for name, shown, default in fields]
    return tag | {
        shown: part
        for shown, part, default in held
        if type(part).__name__ != "UnsetType"
        and not (_leaves_out(cls, default) and _is_default(part, default))
    }


def _is_default(part: Any, default: Any) -> bool:
    """Tell whether msgspec takes *part* for its default: the same object, or as empty."""
    if type(default).__name__ == "Factory":
        return type(part) is default.factory and type(part) in (list, dict, set) and not part
    return part is default
