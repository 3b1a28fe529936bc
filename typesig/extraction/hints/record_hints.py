"""Records of the standard library: TypedDict, dataclass, NamedTuple, protocol.

To add a kind of record, write a reader that lists its parts and add its row to `readers.READERS`.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable
from functools import partial
from typing import Any

from typesig.algebra.constructors import make_maybe, make_noted, record
from typesig.algebra.nodes import ANY, Field, Ref, Type
from typesig.algebra.traversal import iter_same_value_types
from typesig.extraction.callables.generics import (
    BARE,
    LITERAL,
    UNIONS,
    collect_inherited,
    get_parameters,
    make_key,
)
from typesig.extraction.callables.hint_resolver import TEXT, HintScope, resolve_if_text
from typesig.extraction.callables.scopes import get_annotations, get_class_scope
from typesig.extraction.docstrings.docs import UNREAD, find_unread_texts, read_field_texts
from typesig.extraction.hints.context import AROUND, HintContext, HostType
from typesig.extraction.hints.fields import MISSING, FieldSource, get_qualifier, read_fields
from typesig.extraction.hints.metadata import get_class_text, get_class_title
from typesig.extraction.python_types import decoders, encoders
from typesig.extraction.python_types.decoders import Decode, DictFactory, FieldPlan, LeafDecoder
from typesig.extraction.python_types.encoders import Encode
from typesig.limits import MAX_RECORDS, MAX_SIGNATURE


def read_record(
    context: HintContext,
    cls: Any,
    arguments: tuple[Any, ...],
    parts: Callable[[], list[FieldSource]],
    build: Callable[..., Any] | DictFactory | None,
    extra: Callable[[HintContext], HostType | None] | None = None,
    shape: Callable[[HintContext, Any, tuple[Field, ...], Decode], HostType] | None = None,
) -> HostType:
    """Return the record of *cls*; `:any`, with a warning, if recursive or too deep.

    *extra* reads the type of undeclared keys, in the context of the record, or returns None if
    there can be none.  *shape* makes another type than a record of the fields.
    """
    if arguments:
        arguments = tuple([context.substitute_variables(argument) for argument in arguments])
    findings, key = context.findings, make_key(cls, arguments)
    if key in findings.named:
        return findings.named[key]
    if (cls, arguments) in context.records:
        return read_recursive_use(context, cls, key)
    beyond = _check_limits(context, cls)
    if beyond is not None:
        return beyond
    given = dict(zip(get_parameters(cls), arguments, strict=False)) if arguments else {}
    variables = collect_inherited(cls, given)
    inner = context.for_record(cls, arguments, variables, get_class_scope(cls, context.scope))
    start = len(findings.counted)
    fields, plans, width = read_fields(inner, parts())
    rest = _OPEN if extra is None else extra(inner)
    for text in find_unread_texts(cls):
        context.warn(text, *UNREAD)
    t: Type = record(fields, None if rest is None else rest.type)
    decode = decoders.make_record(plans, build, None if rest is None else rest.decode)
    if shape is not None:
        t, decode = shape(context, cls, fields, decode)[:2]
    encode = _make_encoder(cls, plans, rest) if context.output else None
    if shape is not None or (rest is not None and rest.type is not ANY):
        width = UNKNOWN
    if not findings.count_record(t, width + AROUND, start):
        return context.fall_back_at_size_limit(cls)
    found = HostType(
        make_noted(t, get_class_text(context, cls), get_class_title(cls)), decode, encode=encode
    )
    if key not in findings.recursive:
        return found
    findings.define(key, found)
    return findings.named[key]


#: In place of the most characters of the fields of a record: its text has to be measured.
UNKNOWN = MAX_SIGNATURE


def _make_encoder(cls: Any, plans: tuple[FieldPlan, ...], rest: HostType | None) -> Encode:
    """Make the encode plan of the record class *cls* from the encoders of its fields."""
    if (rest is None or rest.encode is None) and not [1 for plan in plans if plan.encode]:
        return None
    made = dict if is_typed_dict(cls, None) else cls
    return encoders.make_record(
        None if made.__dict__.get("_is_protocol") else made,
        {plan.name: plan.encode for plan in plans},
        None if rest is None else rest.encode,
    )


def _check_limits(context: HintContext, cls: Any) -> HostType | None:
    """Return `:any`, with a warning, if the record of *cls* is beyond a limit; else count it."""
    findings = context.findings
    if len(context.records) >= context.options.max_depth:
        reason = f"it is more than {context.options.max_depth} records deep"
        return context.fall_back(cls, reason, "write a larger max_depth")
    if findings.written > MAX_SIGNATURE:
        return context.fall_back_at_size_limit(cls)
    findings.records += 1
    if findings.records > MAX_RECORDS:
        reason = f"{MAX_RECORDS} records are written out already"
        return context.fall_back(cls, reason, "write a smaller max_depth, or a flatter type")
    return None


def get_class(hint: Any, origin: Any) -> Any:
    """Return the class in *hint*, with or without type arguments."""
    return hint if origin is None else origin


def collect_hints(cls: Any) -> dict[str, tuple[Any, type]]:
    """Return the hints of *cls* and its ancestors, each with the class that defines it."""
    out: dict[str, tuple[Any, type]] = {}
    for owner in reversed(cls.__mro__):
        for name, hint in get_annotations(owner).items():
            out[name] = hint, owner
    return out


def resolve_in_owner(hint: Any, owner: type, cls: type) -> Any:
    """Resolve *hint*, inherited by *cls*, in the scope of *owner*, which declares it."""
    return hint if owner is cls else resolve_if_text(hint, get_class_scope(owner))


def make_class_test(is_one: Callable[[Any], bool]) -> Callable[[Any, Any], bool]:
    """Build the test for hints of classes, with or without type arguments, that pass *is_one*."""

    def fits(hint: Any, origin: Any) -> bool:
        cls = hint if origin is None else origin
        return isinstance(cls, type) and is_one(cls)

    return fits


#: Whether a hint is a TypedDict, of typing or typing_extensions.
is_typed_dict = make_class_test(lambda cls: issubclass(cls, dict) and hasattr(cls, "__total__"))


def read_typed_dict(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a TypedDict."""
    cls = get_class(hint, origin)

    def extra(inner: HintContext) -> HostType | None:
        stated = cls.__dict__
        if stated.get("__closed__"):
            return None
        items = stated.get("__extra_items__", MISSING)
        none = getattr(sys.modules.get("typing_extensions"), "NoExtraItems", MISSING)
        return _OPEN if items in (MISSING, none, None) else read_extras(inner, items)

    return read_record(context, cls, arguments, partial(_list_typed_dict_fields, cls), None, extra)


_OPEN = HostType(ANY)


def read_extras(context: HintContext, hint: Any) -> HostType:
    """Read *hint* as the value type of undeclared keys, for a record that allows them."""
    found = context.read(hint)
    # An open record drops undeclared keys; `** :any?` keeps them.
    welcome = make_maybe(ANY) if found.type == ANY else found.type
    return found._replace(type=welcome, decode=found.decode or _KEPT)


#: Decodes what stays as it is, and is not left out.
_KEPT = LeafDecoder(lambda value: value)


def _list_typed_dict_fields(cls: Any) -> list[FieldSource]:
    """Return the fields of a TypedDict, with qualifiers read in every position."""
    required: frozenset[str] = getattr(cls, "__required_keys__", frozenset())
    out = []
    texts = read_field_texts(cls)
    scopes: dict[type, HintScope] = {}
    for name, written in get_annotations(cls).items():
        resolved, needed = written, name in required
        if type(written) in _UNQUALIFIED or isinstance(written, type):
            # Such a hint is no text, and has no qualifier.
            part = (name, written, needed, MISSING, False, needed, texts.get(name), "")
            out.append(_new_part(FieldSource, part))
            continue
        if isinstance(written, TEXT):
            owner = _find_owner(cls, name)
            if owner not in scopes:
                scopes[owner] = get_class_scope(owner)
            resolved = resolve_if_text(written, scopes[owner])
        # In postponed annotations, qualifiers are text that TypedDict itself does not read.
        while mark := get_qualifier(resolved):
            needed = {"Required": True, "NotRequired": False}.get(mark, needed)
            # Text within a qualifier has the names of the module that it is written in.
            owner = _find_owner(cls, name)
            resolved = resolve_in_owner(typing.get_args(resolved)[0], owner, cls)
        # `note: NotRequired[str | None]` may be absent, so None is not put there.
        out.append(FieldSource(name, resolved, needed, nil=needed, text=texts.get(name)))
    return out


#: The classes of hints that are neither text nor qualifiers.
_UNQUALIFIED = frozenset({*BARE, LITERAL, *UNIONS})

#: Makes a part of all that it has, faster than by its name.
_new_part: Callable[[Any, tuple[Any, ...]], FieldSource] = tuple.__new__


def read_unpacked_fields(context: HintContext, hint: Any) -> list[tuple[Field, FieldPlan]] | None:
    """Return the fields of the TypedDict in `Unpack[TD]`, or None for other hints."""
    hint = resolve_if_text(hint, context.scope)
    form = typing.get_origin(hint)
    name = getattr(form, "_name", None) or getattr(form, "__name__", "")
    cls = resolve_if_text(typing.get_args(hint)[0], context.scope) if name == "Unpack" else None
    if cls is None or not is_typed_dict(cls, None):
        return None
    inner = context._replace(scope=get_class_scope(cls))
    fields, plans, _ = read_fields(inner, _list_typed_dict_fields(cls))
    return list(zip(fields, plans, strict=True))


def _find_owner(cls: Any, name: str) -> type:
    """Return the class, *cls* or an ancestor, whose body has the field *name*."""
    for base in getattr(cls, "__orig_bases__", ()):
        origin = typing.get_origin(base) or base
        if hasattr(origin, "__total__") and name in get_annotations(origin):
            return _find_owner(origin, name)
    return cls  # type: ignore[no-any-return]


is_dataclass = make_class_test(lambda cls: "__dataclass_fields__" in cls.__dict__)


def read_dataclass(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a dataclass."""
    cls = get_class(hint, origin)
    missing = sys.modules["dataclasses"].MISSING

    def parts() -> list[FieldSource]:
        written = collect_hints(cls)
        out = []
        texts = read_field_texts(cls)
        for name, entry in cls.__dataclass_fields__.items():
            kind = entry._field_type.name
            if kind == "_FIELD_CLASSVAR" or (kind == "_FIELD_INITVAR" and context.output):
                continue
            if not entry.init and not context.output:
                continue
            hint, owner = written.get(name, (entry.type, cls))
            hint = resolve_in_owner(hint, owner, cls)
            if kind == "_FIELD_INITVAR" and type(hint).__name__ == "InitVar":
                hint = hint.type
            default = MISSING if entry.default is missing else entry.default
            factory = entry.default_factory is not missing
            if factory and not context.output:
                default, factory = read_factory_default(entry.default_factory)
            if context.output:
                # An instance has all its fields, whatever the constructor needs.
                default, factory = MISSING, False
            text = _get_text(entry, texts.get(name))
            out.append(FieldSource(name, hint, True, default, factory, text=text))
        return out

    return read_record(context, cls, arguments, parts, cls)


def _get_text(entry: Any, below: str | None) -> str | None:
    """Return the description of the dataclass field *entry*, else the text *below*."""
    stated = [entry.metadata.get(key) for key in ("description", "doc")] if entry.metadata else []
    for text in (*stated, getattr(entry, "doc", None)):
        if isinstance(text, str):
            return text
    return below


def read_factory_default(factory: Any) -> tuple[Any, bool]:
    """Return the default of *factory*, if list, dict or set, and whether it is unknown."""
    return (factory(), False) if factory in (list, dict, set) else (MISSING, True)


def is_protocol(hint: Any, origin: Any) -> bool:
    """Whether *hint* is a protocol that has only attributes."""
    cls = get_class(hint, origin)
    if not (isinstance(cls, type) and cls.__dict__.get("_is_protocol") and collect_hints(cls)):
        return False
    from typing_extensions import get_protocol_members

    return get_protocol_members(cls) == collect_hints(cls).keys()


def read_protocol(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a protocol's attributes."""
    cls = get_class(hint, origin)

    def parts() -> list[FieldSource]:
        texts = read_field_texts(cls)
        return [
            FieldSource(name, resolve_in_owner(kind, owner, cls), text=texts.get(name))
            for name, (kind, owner) in collect_hints(cls).items()
        ]

    return read_record(context, cls, arguments, parts, types.SimpleNamespace)


is_named_tuple = make_class_test(lambda cls: issubclass(cls, tuple) and hasattr(cls, "_fields"))


def read_named_tuple(
    context: HintContext, hint: Any, origin: Any, arguments: tuple[Any, ...]
) -> HostType:
    """Return the record of a NamedTuple."""
    cls = get_class(hint, origin)

    def parts() -> list[FieldSource]:
        written, defaults, texts = collect_hints(cls), cls._field_defaults, read_field_texts(cls)
        out = []
        for name in cls._fields:
            hint, owner = written.get(name, (Any, cls))
            default = MISSING if context.output else defaults.get(name, MISSING)
            hint = resolve_in_owner(hint, owner, cls)
            out.append(FieldSource(name, hint, True, default, text=texts.get(name)))
        return out

    return read_record(context, cls, arguments, parts, cls)


# --- Recursive hints: a named type, or `:any` where the recursion closes ---


def read_recursive_use(context: HintContext, hint: object, key: Any) -> HostType:
    """Return a reference to the named type *key* for *hint*, if `recursive` is set."""
    if not context.options.recursive:
        remedy = "write recursive=True to keep it by name"
        return context.fall_back(hint, "it refers to itself", remedy)
    findings = context.findings
    findings.recursive.add(key)
    decode = decoders.LazyDecoder(findings.decoders, key)
    encode = encoders.LazyEncoder(findings.encoders, key)
    return HostType(Ref(findings.get_name(key)), decode, encode=encode)


def read_recursive(
    context: HintContext, hint: Any, key: Any, read: Callable[[HintContext], HostType]
) -> HostType:
    """Read *hint* with *read*; if it contains itself, define it as a named type.

    Within itself it is that name if `recursive` asks for it, else `:any` with a warning.
    """
    findings = context.findings
    if key in findings.named:
        return findings.named[key]
    if key in context.aliases or key in findings.recursive:
        return read_recursive_use(context, hint, key)
    found = read(context.for_alias(key))
    if key not in findings.recursive:
        return found
    name = findings.get_name(key)
    if _is_only_itself(name, found.type, findings.definitions):
        reason, remedy = "it is defined only by itself", "put a list, a map or a record in between"
        found = context.fall_back(hint, reason, remedy)
        findings.define(key, found)
        return found
    findings.define(key, found)
    return findings.named[key]


def _is_only_itself(name: str, t: Type, definitions: dict[str, Type]) -> bool:
    """Whether *t* leads back to *name* without a list, map or record in between."""
    seen: set[str] = set()
    pending = [t]
    while pending:
        for part in iter_same_value_types(pending.pop(), {}, negations=True):
            if isinstance(part, Ref) and part.name not in seen:
                seen.add(part.name)
                pending.extend([definitions[part.name]] if part.name in definitions else [])
    return name in seen
