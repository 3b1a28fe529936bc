"""Records of attrs, pydantic and msgspec, recognized without importing the library.

To add a library, add a predicate, a reader that lists its parts and builds an instance, its row in
`readers.READERS`, and its fields in `objects.get_object_fields`.
"""

from __future__ import annotations

import sys
from functools import partial, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from typesig.algebra.nodes import ANY, Record, Ref, Type, strip_annotations
from typesig.algebra.rows.frozen import NAMES, RECORDS
from typesig.extraction.callables.hint_resolver import resolve_if_text
from typesig.extraction.callables.scopes import get_class_scope
from typesig.extraction.docstrings.docs import read_field_texts
from typesig.extraction.hints import record_hints
from typesig.extraction.hints.choice_hints import is_sentinel
from typesig.extraction.hints.container_hints import make_tuple_type
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.fields import MISSING, FieldSource
from typesig.extraction.libraries.objects import (
    NO_DEFAULT,
    get_output_name,
    is_left_out_by_default,
    list_computed_fields,
    list_struct_fields,
)
from typesig.extraction.libraries.pydantic_dumps import (
    find_media_fields,
    find_serialized_fields,
    find_unstated_fields,
    get_config,
    get_field_hint,
    get_input_name,
    get_output_hint,
    has_own_serializer,
    is_unstated_whole,
    list_plain_defaults,
    map_other_names,
)
from typesig.extraction.libraries.pydantic_field_validators import make_judge
from typesig.extraction.libraries.pydantic_types import (
    get_validation,
    is_usual,
    read_unstated,
    read_whole,
    validate_by_pydantic,
)
from typesig.extraction.python_types.decoders import DictFactory, LeafDecoder
from typesig.extraction.python_types.encoders import make_root as encoder_of_root
from typesig.extraction.python_types.plan_decoder import decode_by_plan


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


def read_pydantic(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the record of a model or dataclass of pydantic, or the type of a root model."""
    cls = record_hints.get_class(hint, origin)
    build: Any = get_validation(cls)
    is_root = getattr(cls, "__pydantic_root_model__", False)
    if context.output and (has_own_serializer(cls) or (is_root and find_serialized_fields(cls))):
        if find_media_fields(cls):
            reason = "a serializer of the model writes its media as text"
            context.warn(cls, reason, "write serializers of the other fields only")
        if is_unstated_whole(cls):
            return read_unstated(context, cls)
        return read_whole(context, cls)
    if is_root:
        inner = context.for_record(cls, arguments, {}, context.scope)
        if get_config(cls).get("strict") is True and not context.output:
            context.add_strict_place()
        found = inner.read(get_field_hint(cls.__pydantic_fields__["root"]))
        return HostType(
            found.type,
            LeafDecoder(
                lambda value: validate_by_pydantic(build, decode_by_plan(found.decode, value), cls),
                False,
                found.decode,
            ),
            encode=encoder_of_root(cls, found.encode) if context.output else None,
        )
    config = get_config(cls)

    def read_extra(inner: HintContext) -> HostType | None:
        if config.get("extra") == "forbid":
            return None
        if config.get("extra") == "allow":
            return record_hints.read_extras(inner, _get_extra_hint(cls))
        return HostType(ANY)

    found = record_hints.read_record(
        context,
        cls,
        arguments,
        partial(_list_model_fields, context, cls),
        _make_factory(cls, build),
        read_extra,
    )
    t, definitions = found.type, context.findings.definitions
    t = strip_annotations(definitions.get(t.name, t) if isinstance(t, Ref) else t)
    _add_strict_fields(context, cls, t)
    others = {} if context.output else map_other_names(cls)
    if others and isinstance(t, Record):
        context.findings.spellings[t] = {**context.findings.spellings.get(t, {}), **others}
    return found


def _add_strict_fields(context: HintContext, cls: Any, t: Type) -> None:
    """Record the fields of *cls*, a strict pydantic model, as not coerced.

    The models within it say for themselves whether they are strict.
    """
    if get_config(cls).get("strict") is not True or not isinstance(t, Record) or context.output:
        return
    infos = {
        get_input_name(cls, name, info): info for name, info in cls.__pydantic_fields__.items()
    }
    for field in t.fields:
        marks = [getattr(mark, "strict", None) for mark in infos[field.name].metadata]
        if not field.type.flags & (NAMES | RECORDS) and False not in marks:
            context.for_step(field.name).add_strict_place()


def _make_factory(cls: Any, build: Any) -> DictFactory:
    """Make the factory of pydantic class *cls*; *build* validates, None for a dataclass."""
    defaults = [(get_input_name(cls, name, info), info) for name, info in list_plain_defaults(cls)]

    def without_defaults(values: dict[str, Any]) -> dict[str, Any]:
        for name, info in defaults:
            # A model does not validate its own defaults, which the check has filled in.
            if name in values and _is_same(values[name], info.default):
                del values[name]
        return values

    def make(values: dict[str, Any]) -> Any:
        return validate_by_pydantic(
            build or (lambda given: cls(**given)), without_defaults(values), cls
        )

    judge = make_judge(cls)
    return DictFactory(
        make, cls if is_usual(cls) else None, lambda values: judge(without_defaults(values))
    )


def _list_model_fields(context: HintContext, cls: Any) -> list[FieldSource]:
    """List the fields of the pydantic model *cls*, for arguments or for results."""
    out, texts = [], read_field_texts(cls)
    own = find_serialized_fields(cls) if context.output else frozenset()
    unstated = find_unstated_fields(cls) if own else frozenset()
    for name, info in cls.__pydantic_fields__.items():
        if context.output and info.exclude:
            continue
        shown = get_output_name(info, name) if context.output else get_input_name(cls, name, info)
        if shown is None:
            context.warn(name, "its alias is a path, so it is left out", "give it a name")
            continue
        default, factory = MISSING, False
        if not context.output and not info.is_required():
            if info.default_factory is None:
                default = info.default
            else:
                default, factory = record_hints.read_factory_default(info.default_factory)
        text = info.description or texts.get(name)
        required = not (context.output and getattr(info, "exclude_if", None))
        hint = get_output_hint(cls, shown) if name in own else get_field_hint(info)
        if name in unstated:
            hint = _fall_back_to_any(context.for_step(shown), info.annotation)
        out.append(FieldSource(shown, hint, required, default, factory, text=text))
    for name, info in list_computed_fields(cls) if context.output else ():
        shown = info.alias or name
        hint = get_output_hint(cls, shown) if name in own else info.return_type
        if name in unstated:
            hint = _fall_back_to_any(context.for_step(shown), info.return_type)
        out.append(FieldSource(shown, hint, text=info.description))
    return out


def _fall_back_to_any(context: HintContext, hint: Any) -> Any:
    """Return Any, with a warning, for a field whose serializer has no result hint."""
    read_unstated(context, hint)
    return Any


def _is_same(value: Any, default: Any) -> bool:
    """Whether *value* and *default* are equal and of the same class."""
    return type(value) is type(default) and bool(value == default)


def _get_extra_hint(cls: Any) -> Any:
    """Return the hint of a model's undeclared fields: `__pydantic_extra__: dict[str, T]`."""
    hint, owner = record_hints.collect_hints(cls).get("__pydantic_extra__", (Any, cls))
    held = get_args(resolve_if_text(hint, get_class_scope(owner)))
    return held[1] if len(held) == 2 and held[1] is not type(None) else Any


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
