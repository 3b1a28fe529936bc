"""How objects are made of their fields, and whether that runs functions of others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.extraction.onepass.plain_classes import is_plain, is_stored, is_struct
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
from typesig.validation.plan.read_records import ObjectMaker

#: The factories of defaults that run nothing of others.
_FACTORIES = frozenset({list, dict, set, tuple, frozenset})

#: The flags of code that takes `*args` or `**kwargs`.
_VARIADIC = 0x04 | 0x08


def make_maker(build: Any, names: list[str]) -> tuple[ObjectMaker, bool]:
    """Return how *build* makes objects of the fields *names*, and whether it is pure."""
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
    """Return what *cls* may be given in place of arguments that are left out, by name.

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
    """Return the factories of the fields *names* of *cls*, which is plain."""
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
    """Whether *function*, which makes a collection, is one of Python or of this library."""
    home = str(getattr(function, "__module__", ""))
    return function is None or home in ("builtins", "collections")


def is_pure(decode: Decode) -> bool:
    """Whether decoding by *decode* runs no function of others."""
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
                if build is not None and not make_maker(build, names)[1]:
                    return False
                pending += [*[field.decode for field in fields], rest]
            case LazyDecoder(known, key):
                pending.append(known[key])
            case _:
                assert_never(plan)
    return True


def match_branches(members: tuple[nodes.Type, ...], decode: Decode) -> list[Decode] | None:
    """Return the decode plan of each of *members* of a union; None if it is not known."""
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
