"""Construction of objects from their fields, whether it runs user code, and choices of unions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, MemberDescriptorType
from typing import Any, assert_never, cast

from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.rows.frozen import NAMES
from typesig.extraction.python_types.decoders import (
    Decode,
    DictFactory,
    ItemsDecoder,
    LazyDecoder,
    LeafDecoder,
    MapDecoder,
    MembersDecoder,
    NullableDecoder,
    RecordDecoder,
    TupleDecoder,
    UnionDecoder,
    can_call_by_position,
)
from typesig.validation.check.record_branches import get_record, may_overlap
from typesig.validation.check.value_classes import find_tag
from typesig.validation.plan.read_choices import (
    FirstChoice,
    KeyBranch,
    KeyChoice,
    TagChoice,
    UsualReader,
)
from typesig.validation.plan.read_leaves import TextReader, ValueReader
from typesig.validation.plan.read_records import ObjectMaker

# --- Classes whose objects are made by storing values, which generated code may do itself ---

#: The name of a constructor that dataclasses have written.
_WRITTEN = "__create_fn__.<locals>.__init__"

#: How the name of the file of such a constructor begins that attrs has written.
_WRITTEN_BY_ATTRS = "<attrs generated "


def is_plain(cls: Any) -> bool:
    """Whether objects of *cls* are made by storing values: no function of the user's runs.

    It is a dataclass, a struct, or a class of attrs.  All its fields are given, in order.
    """
    if cls.__new__ is not object.__new__ and not is_struct(cls):
        return False
    if hasattr(cls, "__post_init__"):
        return False
    if is_struct(cls):
        return bool(cls.__init__ is object.__init__)
    init, kind = cls.__init__, cast("object", type(cls))
    if kind is not type or not isinstance(init, FunctionType):
        return False
    if init is not cls.__dict__.get("__init__"):
        return False
    if "__attrs_attrs__" in cls.__dict__:
        return _is_plain_of_attrs(cls, init)
    if init.__code__.co_qualname != _WRITTEN:
        return False
    return _sets_attributes(cls, cls.__dataclass_params__.frozen, cls.__dataclass_fields__)


def _is_plain_of_attrs(cls: Any, init: FunctionType) -> bool:
    """Whether objects of *cls*, an attrs class, are made by storing values by *init*."""
    hooks = hasattr(cls, "__attrs_pre_init__") or hasattr(cls, "__attrs_post_init__")
    if hooks or not init.__code__.co_filename.startswith(_WRITTEN_BY_ATTRS):
        return False
    parts = cls.__attrs_attrs__
    if not all(part.init and part.validator is None and part.converter is None for part in parts):
        return False
    # What attrs writes for frozen classes is not called by their constructors.
    is_frozen = getattr(cls.__setattr__, "__module__", None) == "attr._make"
    return _sets_attributes(cls, is_frozen, [part.name for part in parts])


def is_stored(cls: Any, names: list[str]) -> bool:
    """Whether the constructor of *cls*, which is plain, only sets the attributes *names*."""
    if not hasattr(cls, "__dataclass_params__") or cls.__dataclass_params__.frozen:
        return False
    # Without the arguments that a dataclass takes and does not keep.
    return [field.name for field in sys.modules["dataclasses"].fields(cls)] == names


def is_struct(cls: Any) -> bool:
    """Whether *cls* is a struct of msgspec."""
    return type(cls).__name__ == "StructMeta" and type(cls).__module__.startswith("msgspec")


def _sets_attributes(cls: Any, is_frozen: bool, names: Iterable[str]) -> bool:
    """Whether setting the attributes *names* of objects of *cls* runs no user code.

    The attributes of a class that *is_frozen* are set by `object` itself.
    """
    spaces = [vars(each) for each in cls.__mro__]
    held = [space[name] for space in spaces for name in names if name in space]
    # A slot is set by a descriptor; a default is no descriptor that sets.
    return (is_frozen or cls.__setattr__ is object.__setattr__) and all(
        type(each) is MemberDescriptorType or not hasattr(type(each), "__set__") for each in held
    )


#: The factories of defaults that run nothing of others.
_FACTORIES = frozenset({list, dict, set, tuple, frozenset})

#: The flags of code that takes `*args` or `**kwargs`.
_VARIADIC = 0x04 | 0x08


def make_object_maker(build: Any, names: list[str]) -> tuple[ObjectMaker, bool]:
    """Make the maker of objects of the fields *names* by *build*, and whether it is pure."""
    if isinstance(build, DictFactory):
        return ObjectMaker(build.make, takes_dict=True), False
    if _is_named_tuple(build):
        is_whole = build._fields == tuple(names)
        return ObjectMaker(build, False, dict(build._field_defaults), is_whole), True
    is_safe, defaults = is_plain(build), find_defaults(build)
    positions = can_call_by_position(build, tuple(names))
    if not is_safe:
        return ObjectMaker(build, False, defaults, positions), False
    makes = _find_factories(build, names)
    are_usual = all(type(make) is type and make in _FACTORIES for make in makes.values())
    stored = are_usual and is_stored(build, names)
    return ObjectMaker(
        build, False, defaults, positions, stored, makes if stored else {}
    ), are_usual


def _is_named_tuple(cls: Any) -> bool:
    """Whether *cls* is a named tuple that has no constructor of its own."""
    return (
        isinstance(cls, type)
        and cls.__bases__ == (tuple,)
        and getattr(cls.__new__, "__module__", "") == f"namedtuple_{cls.__name__}"
    )


def find_defaults(cls: Any) -> Mapping[str, Any] | None:
    """Find the default arguments of *cls* by name.

    A factory of a dataclass or of attrs has a sentinel.  Returns None if that is not known.
    """
    if is_struct(cls):
        names, known = cls.__struct_fields__, cls.__struct_defaults__
        pairs = list(zip(names[len(names) - len(known) :], known, strict=True))
        return {name: each for name, each in pairs if type(each) in _UNCHANGING}
    init = getattr(cls, "__init__", None)
    if type(cls) is not type or not isinstance(init, FunctionType):
        return None
    makes: object = cls.__new__
    code = init.__code__
    if makes is not object.__new__ or code.co_flags & _VARIADIC:
        return None
    names, given = code.co_varnames[1 : code.co_argcount], init.__defaults__ or ()
    found = dict(zip(names[len(names) - len(given) :], given, strict=True))
    return {**found, **(init.__kwdefaults__ or {})}


#: The classes of defaults of structs that are not copied.
_UNCHANGING = frozenset({str, int, float, bool, type(None)})


def _find_factories(cls: Any, names: list[str]) -> dict[str, Callable[[], Any]]:
    """Find the factories of the fields *names* of *cls*, which is plain."""
    if is_struct(cls):
        return {
            name: each.factory
            for name, each in zip(
                reversed(cls.__struct_fields__), reversed(cls.__struct_defaults__), strict=False
            )
            if type(each).__name__ == "Factory"
        }
    if "__attrs_attrs__" in cls.__dict__:
        return {
            each.alias: each.default if each.default.takes_self else each.default.factory
            for each in cls.__attrs_attrs__
            if type(each.default).__name__ == "Factory"
        }
    missing = sys.modules["dataclasses"].MISSING
    fields = cls.__dataclass_fields__
    return {
        name: fields[name].default_factory
        for name in names
        if name in fields and fields[name].default_factory is not missing
    }


def is_pure_function(function: Any) -> bool:
    """Whether *function*, which makes a collection, is from Python or this library."""
    home = str(getattr(function, "__module__", ""))
    return function is None or home in ("builtins", "collections")


def is_pure(decode: Decode) -> bool:
    """Whether decoding by *decode* runs no user code."""
    pending: list[Decode] = [decode]
    seen: set[int] = set()
    while pending:
        plan = pending.pop()
        if id(plan) in seen:
            continue
        seen.add(id(plan))
        match plan:
            case None | MembersDecoder():
                pass
            case LeafDecoder(make, is_known, inner):
                if not (is_known or is_pure_function(make)):
                    return False
                pending.append(inner)
            case NullableDecoder(inner):
                pending.append(inner)
            case ItemsDecoder(item, build):
                if not is_pure_function(build):
                    return False
                pending.append(item)
            case TupleDecoder(parts, build, rest):
                pending += [*parts, rest]
            case MapDecoder(key, item, build):
                if not is_pure_function(build):
                    return False
                pending += [key, item]
            case UnionDecoder(branches):
                pending += [branch for _, branch in branches]
            case RecordDecoder(fields, build, rest):
                names = [field.attribute for field in fields]
                if build is not None and not make_object_maker(build, names)[1]:
                    return False
                pending += [*[field.decode for field in fields], rest]
            case LazyDecoder(known, key):
                pending.append(known[key])
            case _:
                assert_never(plan)
    return True


def match_branches(members: tuple[nodes.Type, ...], decode: Decode) -> list[Decode] | None:
    """Match the decoders of a union to *members*; None if they are not known."""
    if decode is None:
        unread: list[Decode] = [None]
        return unread * len(members)
    if not isinstance(decode, UnionDecoder):
        return None
    plans: dict[nodes.Type, Decode] = {}
    for t, (_, plan) in zip(decode.types, decode.branches, strict=False):
        if isinstance(t, nodes.Maybe):
            t, plan = t.inner, plan.inner if isinstance(plan, NullableDecoder) else plan
        if t in plans:
            return None
        plans[t] = plan
    if plans.keys() != set(members):
        return None
    return [plans[member] for member in members]


# --- Choices among the branches of a union ---


def make_record_choice(
    branches: list[tuple[nodes.Type, ValueReader]],
    names: Mapping[str, nodes.Type],
    checked: ValueReader,
) -> ValueReader | None:
    """Return the operation of records with declared keys only; None for others.

    *checked* reads a map that may be of several records.
    """
    records = [get_record(t, names) for t, _ in branches]
    known = [each for each in records if each is not None and is_usual_record(each)]
    if len(known) < len(branches):
        return None
    tags = find_tag(known)
    if tags is not None:
        return TagChoice(tags.tag, {v: branches[at][1] for v, at in tags.places.items()})
    choice = KeyChoice(tuple([
        KeyBranch(
            frozenset([f.name for f in each.fields if f.required and f.default is None]),
            frozenset([f.name for f in each.fields]),
            read,
        )
        for each, (_, read) in zip(known, branches, strict=True)
    ]))  # fmt: skip
    # Of records inside themselves, each level would be read again.
    is_deep = any(t.flags & NAMES for t, _ in branches)
    return choice if is_deep or not may_overlap(known) else UsualReader(choice, checked)


def make_first_choice(branches: list[tuple[nodes.Type, ValueReader]]) -> ValueReader | None:
    """Return the operation that tries *branches* in order; None for others than it knows.

    They are texts, or lists or maps of scalars that do not change.
    """
    if all(_is_exact_text(t, read) for t, read in branches):
        return FirstChoice(tuple([read for _, read in branches]))
    for t, read in branches:
        inner = strip_annotations(t)
        if not (isinstance(inner, nodes.List | nodes.MapOf) and read.keeps):
            return None
        item = strip_annotations(inner.item if isinstance(inner, nodes.List) else inner.value)
        if not isinstance(item, nodes.Leaf) or item in (nodes.ANY, nodes.MAP):
            return None
    return FirstChoice(tuple([read for _, read in branches]))


def _is_exact_text(t: nodes.Type, read: ValueReader) -> bool:
    """Whether *read* accepts the same texts as the check of *t* accepts without a change."""
    inner = strip_annotations(t)
    if isinstance(inner, nodes.Refinement):
        return inner.inner == nodes.STRING and isinstance(read, TextReader)
    return inner == nodes.STRING


def is_usual_record(t: nodes.Record) -> bool:
    """Whether *t* has declared keys only, all of them visible."""
    is_closed = t.extra in (nodes.ANY, None) and not t.matching
    return is_closed and not any(field.firewalled for field in t.fields)
