"""Records of the standard library: TypedDict, dataclass, NamedTuple, protocol.

To add a kind of record, write a reader that lists its parts and add its row to `hints.READERS`.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable
from functools import partial
from typing import Any

from typesig.algebra.constructors import maybe, noted, record
from typesig.algebra.nodes import ANY, Field, Type
from typesig.extraction.callables.aliases import key_of
from typesig.extraction.callables.generics import BARE, LITERAL, UNIONS, inherited, parameters_of
from typesig.extraction.callables.resolve import annotations_of, scope_of_class
from typesig.extraction.docstrings.field_texts import UNREAD, field_texts, unread_texts
from typesig.extraction.hints.context import AROUND, HintContext, HostType
from typesig.extraction.hints.fields import (
    MISSING,
    TEXT,
    Part,
    fields_of,
    qualifier_of,
    resolve_if_text,
)
from typesig.extraction.hints.notes import class_text, class_title
from typesig.extraction.hints.recursion import within_itself
from typesig.extraction.hosts import decoders, encoders
from typesig.extraction.hosts.decoders import Decode, FieldPlan, Leaf, OfMap
from typesig.extraction.hosts.encoders import Encode
from typesig.limits import MAX_RECORDS, MAX_SIGNATURE


def record_of(
    context: HintContext,
    cls: Any,
    arguments: tuple[Any, ...],
    parts: Callable[[], list[Part]],
    build: Callable[..., Any] | OfMap | None,
    extra: Callable[[HintContext], HostType | None] | None = None,
    shape: Callable[[HintContext, Any, tuple[Field, ...], Decode], HostType] | None = None,
) -> HostType:
    """Return the record of *cls*; `:any` with a warning within itself or beyond `max_depth`.

    *extra* reads the type of undeclared keys, in the context of the record, or returns None if
    there can be none.  *shape* makes another type than a record of the fields.
    """
    if arguments:
        arguments = tuple([context.bound(argument) for argument in arguments])
    findings, key = context.findings, key_of(cls, arguments)
    if key in findings.named:
        return findings.named[key]
    if (cls, arguments) in context.records:
        return within_itself(context, cls, key)
    beyond = _beyond_a_limit(context, cls)
    if beyond is not None:
        return beyond
    given = dict(zip(parameters_of(cls), arguments, strict=False)) if arguments else {}
    variables = inherited(cls, given)
    inner = context.within_record(cls, arguments, variables, scope_of_class(cls, context.scope))
    start = len(findings.counted)
    fields, plans, width = fields_of(inner, parts())
    rest = _OPEN if extra is None else extra(inner)
    for text in unread_texts(cls):
        context.warn(text, *UNREAD)
    t: Type = record(fields, None if rest is None else rest.type)
    decode = decoders.named(plans, build, None if rest is None else rest.decode)
    if shape is not None:
        t, decode = shape(context, cls, fields, decode)[:2]
    encode = _encoder(cls, plans, rest) if context.output else None
    if shape is not None or (rest is not None and rest.type is not ANY):
        width = UNKNOWN
    if not findings.count_record(t, width + AROUND, start):
        return context.too_long(cls)
    found = HostType(noted(t, class_text(context, cls), class_title(cls)), decode, encode=encode)
    if key not in findings.recursive:
        return found
    findings.define(key, found)
    return findings.named[key]


#: In place of the most characters of the fields of a record: its text has to be measured.
UNKNOWN = MAX_SIGNATURE


def _encoder(cls: Any, plans: tuple[FieldPlan, ...], rest: HostType | None) -> Encode:
    """Return how the serializers in the fields of *cls* write them."""
    if (rest is None or rest.encode is None) and not [1 for plan in plans if plan.encode]:
        return None
    made = dict if is_typed_dict(cls, None) else cls
    return encoders.named(
        None if made.__dict__.get("_is_protocol") else made,
        {plan.name: plan.encode for plan in plans},
        None if rest is None else rest.encode,
    )


def _beyond_a_limit(context: HintContext, cls: Any) -> HostType | None:
    """Return `:any`, with a warning, if the record of *cls* is beyond a limit; else count it."""
    findings = context.findings
    if len(context.records) >= context.options.max_depth:
        reason = f"it is more than {context.options.max_depth} records deep"
        return context.fall_back(cls, reason, "write a larger max_depth")
    if findings.written > MAX_SIGNATURE:
        return context.too_long(cls)
    findings.records += 1
    if findings.records > MAX_RECORDS:
        reason = f"{MAX_RECORDS} records are written out already"
        return context.fall_back(cls, reason, "write a smaller max_depth, or a flatter type")
    return None


def class_of(hint: Any, origin: Any) -> Any:
    """Return the class that *hint* names, with or without type arguments."""
    return hint if origin is None else origin


def own_hints(cls: Any) -> dict[str, tuple[Any, type]]:
    """Return the hints of *cls* and its ancestors, each with the class that it is written in."""
    out: dict[str, tuple[Any, type]] = {}
    for owner in reversed(cls.__mro__):
        for name, hint in annotations_of(owner).items():
            out[name] = hint, owner
    return out


def scoped_hint(hint: Any, owner: type, cls: type) -> Any:
    """Return *hint*, resolved in the scope of *owner* if that is not *cls* itself."""
    return hint if owner is cls else resolve_if_text(hint, scope_of_class(owner))


def is_typed_dict(hint: Any, origin: Any) -> bool:
    """Return whether *hint* is a TypedDict, of typing or typing_extensions."""
    cls = class_of(hint, origin)
    return isinstance(cls, type) and issubclass(cls, dict) and hasattr(cls, "__total__")


def read_typed_dict(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a TypedDict."""
    cls = class_of(hint, origin)

    def extra(inner: HintContext) -> HostType | None:
        stated = cls.__dict__
        if stated.get("__closed__"):
            return None
        items = stated.get("__extra_items__", MISSING)
        none = getattr(sys.modules.get("typing_extensions"), "NoExtraItems", MISSING)
        return _OPEN if items in (MISSING, none, None) else read_extras(inner, items)

    return record_of(context, cls, arguments, partial(_typed_dict_parts, cls), None, extra)


_OPEN = HostType(ANY)


def read_extras(context: HintContext, hint: Any) -> HostType:
    """Return the type of undeclared keys' values in a record that asks for such keys."""
    found = context.read(hint)
    # An open record drops undeclared keys; `** :any?` keeps them.
    welcome = maybe(ANY) if found.type == ANY else found.type
    return found._replace(type=welcome, decode=found.decode or _KEPT)


#: Decodes what stays as it is, and is not left out.
_KEPT = Leaf(lambda value: value)


def _typed_dict_parts(cls: Any) -> list[Part]:
    """Return the fields of a TypedDict, with qualifiers read in every position."""
    required: frozenset[str] = getattr(cls, "__required_keys__", frozenset())
    out = []
    texts = field_texts(cls)
    for name, written in annotations_of(cls).items():
        resolved, needed = written, name in required
        if type(written) in _UNQUALIFIED or isinstance(written, type):
            # Such a hint is no text, and has no qualifier.
            part = (name, written, needed, MISSING, False, needed, texts.get(name), "")
            out.append(_new_part(Part, part))
            continue
        if isinstance(written, TEXT):
            resolved = resolve_if_text(written, scope_of_class(_owner(cls, name)))
        # In postponed annotations, qualifiers are text that TypedDict itself does not read.
        while mark := qualifier_of(resolved):
            needed = {"Required": True, "NotRequired": False}.get(mark, needed)
            # Text within a qualifier has the names of the module that it is written in.
            owner = _owner(cls, name)
            resolved = scoped_hint(typing.get_args(resolved)[0], owner, cls)
        # `note: NotRequired[str | None]` may be absent, so None is not put there.
        out.append(Part(name, resolved, needed, nil=needed, text=texts.get(name)))
    return out


#: The classes of hints that are neither text nor qualifiers.
_UNQUALIFIED = frozenset({*BARE, LITERAL, *UNIONS})

#: Makes a part of all that it has, faster than by its name.
_new_part: Callable[[Any, tuple[Any, ...]], Part] = tuple.__new__


def fields_of_unpack(context: HintContext, hint: Any) -> list[tuple[Field, FieldPlan]] | None:
    """Return the fields of the TypedDict in `Unpack[TD]`, or None if *hint* is another."""
    hint = resolve_if_text(hint, context.scope)
    form = typing.get_origin(hint)
    name = getattr(form, "_name", None) or getattr(form, "__name__", "")
    cls = resolve_if_text(typing.get_args(hint)[0], context.scope) if name == "Unpack" else None
    if cls is None or not is_typed_dict(cls, None):
        return None
    inner = context._replace(scope=scope_of_class(cls))
    fields, plans, _ = fields_of(inner, _typed_dict_parts(cls))
    return list(zip(fields, plans, strict=True))


def _owner(cls: Any, name: str) -> type:
    """Return the class, *cls* or an ancestor, whose body has the field *name*."""
    for base in getattr(cls, "__orig_bases__", ()):
        origin = typing.get_origin(base) or base
        if hasattr(origin, "__total__") and name in annotations_of(origin):
            return _owner(origin, name)
    return cls  # type: ignore[no-any-return]


def is_dataclass(hint: Any, origin: Any) -> bool:
    """Return whether *hint* is a dataclass."""
    cls = class_of(hint, origin)
    return isinstance(cls, type) and "__dataclass_fields__" in cls.__dict__


def read_dataclass(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a dataclass."""
    cls = class_of(hint, origin)
    missing = sys.modules["dataclasses"].MISSING

    def parts() -> list[Part]:
        written = own_hints(cls)
        out = []
        texts = field_texts(cls)
        for name, entry in cls.__dataclass_fields__.items():
            kind = entry._field_type.name
            if kind == "_FIELD_CLASSVAR" or (kind == "_FIELD_INITVAR" and context.output):
                continue
            if not entry.init and not context.output:
                continue
            hint, owner = written.get(name, (entry.type, cls))
            hint = scoped_hint(hint, owner, cls)
            if kind == "_FIELD_INITVAR" and type(hint).__name__ == "InitVar":
                hint = hint.type
            default = MISSING if entry.default is missing else entry.default
            factory = entry.default_factory is not missing
            if factory and not context.output:
                default, factory = default_of_factory(entry.default_factory)
            if context.output:
                # An instance has all its fields, whatever the constructor needs.
                default, factory = MISSING, False
            text = _text_of(entry, texts.get(name))
            out.append(Part(name, hint, True, default, factory, text=text))
        return out

    return record_of(context, cls, arguments, parts, cls)


def _text_of(entry: Any, below: str | None) -> str | None:
    """Return the text that *entry*, a field of a dataclass, states, or else that *below* it."""
    stated = [entry.metadata.get(key) for key in ("description", "doc")] if entry.metadata else []
    for text in (*stated, getattr(entry, "doc", None)):
        if isinstance(text, str):
            return text
    return below


def default_of_factory(factory: Any) -> tuple[Any, bool]:
    """Return the default that *factory* makes, and whether only the host can make it."""
    return (factory(), False) if factory in (list, dict, set) else (MISSING, True)


def is_protocol(hint: Any, origin: Any) -> bool:
    """Return whether *hint* is a protocol that has only attributes."""
    cls = class_of(hint, origin)
    if not (isinstance(cls, type) and cls.__dict__.get("_is_protocol") and own_hints(cls)):
        return False
    from typing_extensions import get_protocol_members

    return get_protocol_members(cls) == own_hints(cls).keys()


def read_protocol(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a protocol's attributes."""
    cls = class_of(hint, origin)

    def parts() -> list[Part]:
        texts = field_texts(cls)
        return [
            Part(name, scoped_hint(kind, owner, cls), text=texts.get(name))
            for name, (kind, owner) in own_hints(cls).items()
        ]

    return record_of(context, cls, arguments, parts, types.SimpleNamespace)


def is_named_tuple(hint: Any, origin: Any) -> bool:
    """Return whether *hint* is a NamedTuple."""
    cls = class_of(hint, origin)
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")


def read_named_tuple(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a NamedTuple."""
    cls = class_of(hint, origin)

    def parts() -> list[Part]:
        written, defaults, texts = own_hints(cls), cls._field_defaults, field_texts(cls)
        out = []
        for name in cls._fields:
            hint, owner = written.get(name, (Any, cls))
            default = MISSING if context.output else defaults.get(name, MISSING)
            hint = scoped_hint(hint, owner, cls)
            out.append(Part(name, hint, True, default, text=texts.get(name)))
        return out

    return record_of(context, cls, arguments, parts, cls)
