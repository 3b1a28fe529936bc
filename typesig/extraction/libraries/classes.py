"""Records of other libraries: attrs, pydantic, msgspec, known by their marks and never imported.

To add a library, add a predicate, a reader that lists its parts and builds an instance, its row in
`hints.READERS`, and its fields in `objects.fields_of_object`.
"""

from __future__ import annotations

import sys
from functools import partial, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from typesig.algebra.nodes import ANY, Record, Ref, Type, bare
from typesig.algebra.rows.frozen import NAMES, RECORDS
from typesig.extraction.callables.resolve import scope_of_class
from typesig.extraction.docstrings.field_texts import field_texts
from typesig.extraction.hints import record_hints
from typesig.extraction.hints.container_hints import tuple_of_fields
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.fields import MISSING, Part, resolve_if_text
from typesig.extraction.hints.sentinels import is_sentinel
from typesig.extraction.hosts.decoded import decoded
from typesig.extraction.hosts.decoders import Leaf, OfMap
from typesig.extraction.hosts.encoders import root as encoder_of_root
from typesig.extraction.libraries.objects import (
    NO_DEFAULT,
    computed_fields,
    is_left_out_by_default,
    shown_name,
    struct_fields,
)
from typesig.extraction.libraries.pydantic_dumps import (
    config_of,
    field_hint,
    hint_of_written,
    is_unstated_whole,
    media_fields,
    name_read,
    other_names,
    own_fields,
    plain_defaults,
    unstated_of,
    writes_itself,
)
from typesig.extraction.libraries.pydantic_parts import judge_of
from typesig.extraction.libraries.pydantic_types import (
    is_usual,
    read_unstated,
    read_whole,
    refused_by,
    validation_of,
)


def read_attrs(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a class of attrs."""
    cls = record_hints.class_of(hint, origin)
    nothing = sys.modules["attr"].NOTHING

    def parts() -> list[Part]:
        written, texts, out = record_hints.own_hints(cls), field_texts(cls), []
        for field in cls.__attrs_attrs__:
            if not field.init and not context.output:
                continue
            kind, owner = written.get(field.name, (field.type or Any, cls))
            kind = record_hints.scoped_hint(kind, owner, cls)
            if field.validator is not None:
                kind = _limited(resolve_if_text(kind, scope_of_class(owner)), field.validator)
            default, factory = field.default, False
            if context.output or default is nothing:
                default = MISSING
            elif type(default).__name__ == "Factory":
                default, factory = (
                    (MISSING, True)
                    if default.takes_self
                    else record_hints.default_of_factory(default.factory)
                )
            text = field.metadata.get("description") or texts.get(field.name)
            out.append(Part(field.alias, kind, True, default, factory, text=text))
        return out

    return record_hints.record_of(context, cls, arguments, parts, cls)


def _limited(hint: Any, validator: Any) -> Any:
    """Return *hint* with the constraints of a validator of attrs."""
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
        # The values of in_() replace the hint, and the hint's None with it.
        return inner | None if get_origin(inner) is Literal else inner
    elif name != "_InstanceOfValidator":
        return Annotated[hint, validator]
    return hint


def read_pydantic(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the record of a model or dataclass of pydantic, or the type of a root model."""
    cls = record_hints.class_of(hint, origin)
    build: Any = validation_of(cls)
    is_root = getattr(cls, "__pydantic_root_model__", False)
    if context.output and (writes_itself(cls) or (is_root and own_fields(cls))):
        if media_fields(cls):
            reason = "a serializer of the model writes its media as text"
            context.warn(cls, reason, "write serializers of the other fields only")
        if is_unstated_whole(cls):
            return read_unstated(context, cls)
        return read_whole(context, cls)
    if is_root:
        inner = context.within_record(cls, arguments, {}, context.scope)
        if config_of(cls).get("strict") is True and not context.output:
            context.add_strict_place()
        found = inner.read(field_hint(cls.__pydantic_fields__["root"]))
        return HostType(
            found.type,
            Leaf(
                lambda value: refused_by(build, decoded(found.decode, value), cls),
                False,
                found.decode,
            ),
            encode=encoder_of_root(cls, found.encode) if context.output else None,
        )
    config = config_of(cls)

    def extra(inner: HintContext) -> HostType | None:
        if config.get("extra") == "forbid":
            return None
        if config.get("extra") == "allow":
            return record_hints.read_extras(inner, _extra_hint(cls))
        return HostType(ANY)

    found = record_hints.record_of(
        context,
        cls,
        arguments,
        partial(_pydantic_parts, context, cls),
        _maker_of(cls, build),
        extra,
    )
    t, definitions = found.type, context.findings.definitions
    t = bare(definitions.get(t.name, t) if isinstance(t, Ref) else t)
    _add_strict_fields(context, cls, t)
    others = {} if context.output else other_names(cls)
    if others and isinstance(t, Record):
        context.findings.spellings[t] = {**context.findings.spellings.get(t, {}), **others}
    return found


def _add_strict_fields(context: HintContext, cls: Any, t: Type) -> None:
    """Note the places of the fields of *cls*, a model with the type *t*, if it is strict.

    The models within it say for themselves whether they are strict.
    """
    if config_of(cls).get("strict") is not True or not isinstance(t, Record) or context.output:
        return
    infos = {name_read(cls, name, info): info for name, info in cls.__pydantic_fields__.items()}
    for field in t.fields:
        marks = [getattr(mark, "strict", None) for mark in infos[field.name].metadata]
        if not field.type.flags & (NAMES | RECORDS) and False not in marks:
            context.at(field.name).add_strict_place()


def _maker_of(cls: Any, build: Any) -> OfMap:
    """Return what makes a model *cls* of its fields; *build* validates, None for a class."""
    defaults = [(name_read(cls, name, info), info) for name, info in plain_defaults(cls)]

    def without_defaults(values: dict[str, Any]) -> dict[str, Any]:
        for name, info in defaults:
            # A model does not validate its own defaults, which the check has filled in.
            if name in values and _is_same(values[name], info.default):
                del values[name]
        return values

    def make(values: dict[str, Any]) -> Any:
        return refused_by(build or (lambda given: cls(**given)), without_defaults(values), cls)

    judge = judge_of(cls)
    return OfMap(
        make, cls if is_usual(cls) else None, lambda values: judge(without_defaults(values))
    )


def _pydantic_parts(context: HintContext, cls: Any) -> list[Part]:
    out, texts = [], field_texts(cls)
    own = own_fields(cls) if context.output else frozenset()
    unstated = unstated_of(cls) if own else frozenset()
    for name, info in cls.__pydantic_fields__.items():
        if context.output and info.exclude:
            continue
        shown = shown_name(info, name) if context.output else name_read(cls, name, info)
        if shown is None:
            context.warn(name, "its alias is a path, so it is left out", "give it a name")
            continue
        default, factory = MISSING, False
        if not context.output and not info.is_required():
            if info.default_factory is None:
                default = info.default
            else:
                default, factory = record_hints.default_of_factory(info.default_factory)
        text = info.description or texts.get(name)
        required = not (context.output and getattr(info, "exclude_if", None))
        hint = hint_of_written(cls, shown) if name in own else field_hint(info)
        if name in unstated:
            hint = _unstated(context.at(shown), info.annotation)
        out.append(Part(shown, hint, required, default, factory, text=text))
    for name, info in computed_fields(cls) if context.output else ():
        shown = info.alias or name
        hint = hint_of_written(cls, shown) if name in own else info.return_type
        if name in unstated:
            hint = _unstated(context.at(shown), info.return_type)
        out.append(Part(shown, hint, text=info.description))
    return out


def _unstated(context: HintContext, hint: Any) -> Any:
    """Return the hint of a field whose serializer states no result: Any, with a warning."""
    read_unstated(context, hint)
    return Any


def _is_same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)


def _extra_hint(cls: Any) -> Any:
    """Return the hint of a model's undeclared fields: `__pydantic_extra__: dict[str, T]`."""
    hint, owner = record_hints.own_hints(cls).get("__pydantic_extra__", (Any, cls))
    held = get_args(resolve_if_text(hint, scope_of_class(owner)))
    return held[1] if len(held) == 2 and held[1] is not type(None) else Any


def read_struct(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a struct of msgspec, or the tuple of one that is `array_like`."""
    cls = record_hints.class_of(hint, origin)
    config = cls.__struct_config__

    def build_tagged(**values: Any) -> Any:
        values.pop(config.tag_field)
        return cls(**values)

    def extra(inner: HintContext) -> HostType | None:
        return None if config.forbid_unknown_fields else HostType(ANY)

    build = cls if config.tag is None else build_tagged
    return record_hints.record_of(
        context,
        cls,
        arguments,
        partial(_struct_parts, context, cls),
        build,
        extra,
        tuple_of_fields if config.array_like else None,
    )


def _struct_parts(context: HintContext, cls: Any) -> list[Part]:
    config, texts, written = cls.__struct_config__, field_texts(cls), record_hints.own_hints(cls)
    out = []
    if config.tag is not None:
        out.append(Part(config.tag_field, Literal[config.tag], True))
    for name, shown, default in struct_fields(cls):
        kind, owner = written[name]
        kind, is_set = _without_unset(resolve_if_text(kind, scope_of_class(owner)))
        required = is_set and not (context.output and is_left_out_by_default(cls, default))
        factory = False
        if context.output or not is_set or default is NO_DEFAULT:
            default, factory = MISSING, not required
        elif type(default).__name__ == "Factory":
            default, factory = record_hints.default_of_factory(default.factory)
        text = texts.get(name)
        out.append(Part(shown, kind, True, default, factory, text=text, attribute=name))
    return out


def _without_unset(hint: Any) -> tuple[Any, bool]:
    """Return *hint* without `UnsetType`, and whether it had none, so that it is required."""
    if get_origin(hint) not in (Union, UnionType):
        return hint, True
    known = get_args(hint)
    kept = [branch for branch in known if not is_sentinel(branch)]
    return (hint, True) if len(kept) == len(known) else (reduce(or_, kept), False)
