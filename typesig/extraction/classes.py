"""Records of other libraries: attrs, pydantic, msgspec, known by their marks and never imported.

To add a library, add a test, a reader that lists its parts and what builds an instance, its row in
`hints.readers`, and its fields in `fields_of_object`.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal, get_origin

from typesig.extraction.hints import read
from typesig.extraction.plans import HostError, refused
from typesig.extraction.reading import Read, Reading
from typesig.extraction.records import (
    MISSING,
    Part,
    _made,
    _scoped,
    _whole,
    own_hints,
)
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
            kind = _scoped(kind, owner, cls)
            kind = _limited(kind, field.validator)
            default, factory = field.default, False
            if reading.output or default is nothing:
                default = MISSING
            elif type(default).__name__ == "Factory":
                default, factory = (MISSING, True) if default.takes_self else _made(default.factory)
            text = field.metadata.get("description") or texts.get(field.name)
            out.append(Part(field.alias, kind, True, default, factory, text=text))
        return out

    return _whole(reading, cls, arguments, parts, cls)


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
            default, factory = MISSING, False
            if not reading.output and not info.is_required():
                if info.default_factory is None:
                    default = info.default
                else:
                    default, factory = _made(info.default_factory)
            text = info.description or texts.get(name)
            shown = _alias(info, name, reading.output)
            out.append(Part(shown, _field_hint(info), True, default, factory, text=text))
        return out

    def extra() -> Read | None:
        return None if config.get("extra") == "forbid" else Read(_any())

    def make(**values: Any) -> Any:
        return (
            _checked(build, values) if build is not None else _checked(lambda v: cls(**v), values)
        )

    return _whole(reading, cls, arguments, parts, make, extra)


def _any() -> Any:
    from typesig.algebra.nodes import ANY

    return ANY


def _alias(info: Any, name: str, output: bool) -> str:
    given = info.serialization_alias if output else info.validation_alias
    choices = getattr(given, "choices", None)
    given = choices[0] if choices else given
    return given if isinstance(given, str) else info.alias or name


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


def is_struct(hint: Any, origin: Any) -> bool:
    """Tell whether *hint* is a struct of msgspec."""
    cls = _class(hint, origin)
    return isinstance(cls, type) and hasattr(cls, "__struct_config__")


def struct(reading: Reading, hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Read:
    """Return the record of a struct of msgspec."""
    cls = _class(hint, origin)
    config, texts = cls.__struct_config__, field_texts(cls)

    def parts() -> list[Part]:
        written, out = own_hints(cls), []
        if config.tag is not None:
            out.append(Part(config.tag_field, Literal[config.tag], True))
        defaults = (MISSING,) * (len(cls.__struct_fields__) - len(cls.__struct_defaults__))
        defaults = (*defaults, *cls.__struct_defaults__)
        for name, shown, default in zip(
            cls.__struct_fields__, cls.__struct_encode_fields__, defaults, strict=True
        ):
            kind, owner = written[name]
            kind, text = _scoped(kind, owner, cls), texts.get(name)
            factory = False
            if reading.output or repr(default) == "NODEFAULT":
                default = MISSING
            elif type(default).__name__ == "Factory":
                made: Any = default
                default, factory = _made(made.factory)
            out.append(Part(shown, kind, True, default, factory, text=text, attribute=name))
        return out

    def build(**values: Any) -> Any:
        if config.tag is not None:
            values.pop(config.tag_field)
        return cls(**values)

    def extra() -> Read | None:
        return None if config.forbid_unknown_fields else Read(_any())

    return _whole(reading, cls, arguments, parts, build, extra)


def fields_of_object(value: Any) -> Any:
    """Return what an object of these libraries holds, by the names that are shown."""
    cls: Any = type(value)
    if hasattr(cls, "__attrs_attrs__"):
        return {field.alias: getattr(value, field.name) for field in cls.__attrs_attrs__}
    if hasattr(cls, "__pydantic_fields__"):
        if getattr(cls, "__pydantic_root_model__", False):
            return value.root
        fields = cls.__pydantic_fields__.items()
        held = {_alias(info, name, True): getattr(value, name, None) for name, info in fields}
        return {**(getattr(value, "__pydantic_extra__", None) or {}), **held}
    names = zip(cls.__struct_encode_fields__, cls.__struct_fields__, strict=True)
    out = {shown: getattr(value, name) for shown, name in names}
    config = cls.__struct_config__
    return out if config.tag is None else {config.tag_field: config.tag, **out}
