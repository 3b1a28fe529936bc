"""Hints of collections: lists, sets, tuples and maps, and their decode plans.

To add a collection, add its name to `LISTS`, `SETS` or `MAPS`, and to `_BUILDERS` if the function
needs an object of exactly that class.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable
from typing import Any

from typesig.algebra.constructors import (
    find_kinds,
    make_fixed_list,
    make_refined,
    make_union,
    map_of,
)
from typesig.algebra.nodes import ANY, MAP, STRING, Field, List, Maybe, Ref, Set, Tuple, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Kind
from typesig.algebra.signature import make_unique_name
from typesig.extraction.callables.warnings import format_hint
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.python_types import decoders, encoders
from typesig.extraction.python_types.decoders import (
    Decode,
    HostError,
    LeafDecoder,
    build_or_refuse,
)
from typesig.extraction.python_types.plan_decoder import decode_by_plan


def get_collection_name(hint: Any, origin: Any) -> str:
    """Return the name of a collection of the standard library, or empty."""
    cls = hint if origin is None else origin
    home = getattr(cls, "__module__", "")
    if home in ("builtins", "collections", "collections.abc", "typing", "_collections_abc"):
        return getattr(cls, "__name__", "") or getattr(cls, "_name", "") or ""
    return ""


def _read_item(context: HintContext, arguments: Any) -> HostType:
    """Read the item type from the first of *arguments*, or any value without arguments."""
    return context.read(arguments[0]) if arguments else HostType(ANY)


def read_list(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the type of an ordered collection: a list."""
    item = _read_item(context, arguments)
    if context.output and get_collection_name(hint, origin) in ABSTRACT:
        context.findings.abstract = True
    build = _BUILDERS.get(getattr(origin or hint, "__name__", ""))
    return HostType(
        List(item.type),
        decoders.make_items(item.decode, build),
        encode=encoders.make_items(item.encode),
    )


def is_list_protocol(hint: Any, origin: Any) -> bool:
    """Whether *hint* is a protocol of iterables that `list` implements."""
    cls = hint if origin is None else origin
    if not (isinstance(cls, type) and cls.__dict__.get("_is_protocol")):
        return False
    from typing_extensions import get_protocol_members

    members = get_protocol_members(cls)
    has_one = len(getattr(cls, "__parameters__", ())) == 1
    return has_one and "__iter__" in members and members <= {*dir(list)}


def read_set(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the type of a set."""
    item = _read_item(context, arguments)
    found = _set_of(context, hint, origin, item)
    return found._replace(encode=encoders.make_items(item.encode))


def _set_of(context: HintContext, hint: Any, origin: Any, item: HostType) -> HostType:
    """Build the type of a set or frozenset *hint* whose items have the host type *item*."""
    build: Any = frozenset if getattr(origin or hint, "__name__", "") == "frozenset" else None
    kinds = find_kinds(item.type)
    if context.ptc_runner:
        return HostType(List(item.type), decoders.make_items(item.decode, build or set))
    if kinds is not None and "map" in kinds:
        if item.decode is None:
            reason, remedy = (
                "a set cannot contain dicts, so the function gets a list",
                "write list[…]",
            )
            context.warn(hint, reason, remedy)
            build = list
        # A Python set can contain the host's own objects, but not maps.  A result is sorted.
        context.findings.abstract = context.findings.abstract or context.output
        kind = make_refined(List(item.type), [Constraint("unique", True)])
        return HostType(kind, decoders.make_items(item.decode, build or set))
    if item.decode is not None:
        return HostType(Set(item.type), decoders.make_items(item.decode, build or set))
    return HostType(Set(item.type), None if build is None else decoders.LeafDecoder(build))


def read_tuple(context: HintContext, hint: Any, _origin: Any, arguments: Any) -> HostType:
    """Return the type of a tuple."""
    if not arguments and hint in (tuple, typing.Tuple):  # noqa: UP006
        remedy = "write tuple[A, B], or tuple[T, ...]"
        context.warn(hint, "the hint gives no item types, so it became [:any]", remedy)
        return HostType(List(ANY), decoders.LeafDecoder(tuple, True))
    if len(arguments) == 2 and arguments[1] is ...:
        item = context.read(arguments[0])
        decode, encode = decoders.make_items(item.decode, tuple), encoders.make_items(item.encode)
        return HostType(List(item.type), decode, encode=encode)
    arguments, inner, at = _split_rest(_with_unpacked(arguments))
    parts = [context.read(argument) for argument in arguments]
    rest = None if at is None else context.read(inner)
    decode = decoders.TupleDecoder(
        tuple(part.decode for part in parts), tuple, None if rest is None else rest.decode, at
    )
    encode = encoders.make_tuple(
        [part.encode for part in parts], None if rest is None else rest.encode, at
    )
    types = [part.type for part in parts]
    if context.ptc_runner:
        t = _fall_back_from_tuple(context, hint)
    elif rest is not None and at is not None:
        t = _with_rest(context, hint, types, rest.type, at)
    else:
        t = make_fixed_list(types)
    return HostType(t, decode, encode=encode)


def _fall_back_from_tuple(context: HintContext, hint: Any) -> Type:
    """Return the fallback type of a tuple *hint* in the profile without tuples."""
    return context.fall_back(hint, 'profile="ptc_runner" has no tuples', "write a record").type


def make_tuple_type(
    context: HintContext, cls: Any, fields: tuple[Field, ...], plan: Decode
) -> HostType:
    """Return the tuple of *fields* by position; optional ones at the end may be absent."""
    types = [field.type for field in fields]
    last = max((place for place, field in enumerate(fields, 1) if field.required), default=0)
    names = [field.name for field in fields]

    def make(value: Any) -> Any:
        if not isinstance(value, list) or not last <= len(value) <= len(names):
            raise HostError(f"expected a list of {last} to {len(names)}")
        return decode_by_plan(plan, dict(zip(names, value, strict=False)))

    decode = decoders.LeafDecoder(make)
    if context.ptc_runner:
        return HostType(_fall_back_from_tuple(context, cls), decode)
    return HostType(
        make_union([make_fixed_list(types[:count]) for count in range(last, len(types) + 1)]),
        decode,
    )


def _with_rest(context: HintContext, hint: Any, types: list[Type], rest: Type, at: int) -> Type:
    """Return a tuple type with any number of *rest* items at index *at* among *types*."""
    if at == len(types):
        return Tuple(tuple(types), rest) if types else List(rest)
    behind = make_union([rest, *types[at:]])
    size = [Constraint("at_least", len(types))]
    became = make_refined(Tuple(tuple(types[:at]), behind) if at else List(behind), size)
    remedy = "put the items of any number last"
    context.warn(hint, "the positions after the unpacked items are merged with them", remedy)
    return became


def _split_rest(arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any, int | None]:
    """Split tuple arguments into fixed ones, the repeated hint and its index, or None.

    The hint and its place are None if all positions are fixed.
    """
    for place, argument in enumerate(arguments):
        held = typing.get_args(argument)
        if len(held) == 1 and type(held[0]).__name__ == "TypeVarTuple":
            # `*Ts` stands for any number of items of any type.
            argument = typing.Unpack[tuple[Any, ...]]
        inner = _get_unpacked_tuple(argument)
        if inner is not None and ... in typing.get_args(inner):
            kept = (*arguments[:place], *arguments[place + 1 :])
            return kept, typing.get_args(inner)[0], place
    return arguments, None, None


def _get_unpacked_tuple(argument: Any) -> Any:
    """Return the tuple that *argument* unpacks, or None."""
    inner, found = argument, getattr(argument, "__unpacked__", False)
    if getattr(typing.get_origin(argument), "_name", "") == "Unpack":
        found, inner = True, typing.get_args(argument)[0]
    return inner if found and typing.get_origin(inner) is tuple else None


def _with_unpacked(arguments: Any) -> tuple[Any, ...]:
    """Replace each unpacked tuple in *arguments* by its own arguments (PEP 646)."""
    out: list[Any] = []
    for argument in arguments:
        inner = _get_unpacked_tuple(argument)
        if inner is not None and ... not in typing.get_args(inner):
            out.extend(_with_unpacked(typing.get_args(inner)))
        else:
            out.append(argument)
    return tuple(out)


def read_map(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the type of a mapping."""
    build = _BUILDERS.get(get_collection_name(hint, origin))
    if len(arguments) != 2:
        return HostType(MAP, None if build is None else decoders.make_map(None, None, build))
    key = _read_key(context, hint, arguments)
    item = context.read(arguments[1])
    decode = decoders.make_map(key.decode, item.decode, build)
    encode = encoders.make_map(key.encode, item.encode)
    if context.ptc_runner:
        return HostType(MAP, decode, encode=encode)
    name = STRING if key.type == ANY else key.type
    return HostType(map_of(name, item.type), decode, encode=encode)


def _read_key(context: HintContext, hint: Any, arguments: Any) -> HostType:
    """Return the type of a map's keys: `:string` with a warning if text cannot be a key."""
    if get_collection_name(arguments[0], None) == "Hashable":
        # Other values can be hashed too, but the keys of JSON are text.
        return HostType(STRING)
    at_keys = context.for_step("keys")
    key = at_keys.read(arguments[0])
    kinds = find_kinds(key.type) or frozenset()
    if any(_IS_COLLECTION[kind] for kind in kinds):
        pair = ", ".join(format_hint(argument) for argument in arguments)
        remedy = f"write list[tuple[{pair}]], a list of pairs, or dict[str, …]"
        at_keys.warn(arguments[0], "a JSON key is text, so keys became :string", remedy)
        return HostType(STRING)
    if "nil" in kinds:
        reason, remedy = "a JSON key is text, so it cannot be None", "use a text instead"
        at_keys.warn(arguments[0], reason, remedy)
        inner = key.type.inner if isinstance(key.type, Maybe) else None
        return HostType(STRING) if inner is None else key._replace(type=inner)
    return key


#: Whether values of a kind contain others, so that they cannot be written as a key, which is text.
_IS_COLLECTION: dict[Kind, bool] = {
    "nil": False, "bool": False, "int": False, "float": False, "string": False, "keyword": False,
    "list": True, "map": True, "set": True, "datetime": False, "object": False,
}  # fmt: skip


def read_items_view(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the type of the items of a mapping: a list of pairs."""
    if len(arguments) != 2:
        return HostType(List(ANY))
    return read_list(context, hint, origin, (tuple[arguments],))


def read_default_dict(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the type of a `defaultdict`."""
    found = read_map(context, hint, origin, arguments)
    value = arguments[1] if len(arguments) == 2 else None
    factory = typing.get_origin(value) or value
    home, name = getattr(factory, "__module__", ""), getattr(factory, "__name__", "")
    made = home == "collections" and name in _BUILDERS
    if not made and factory not in (list, dict, set, int, float, str, bool):
        factory = None

    def build(data: Any) -> Any:
        from collections import defaultdict

        return defaultdict(factory, decode_by_plan(found.decode, data))

    return found._replace(decode=decoders.LeafDecoder(build))


def read_counter(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the type of a `Counter`."""
    return read_map(context, hint, origin, (*(arguments or (str,)), int)[:2])


#: Abstract collections that a set is an instance of.
ABSTRACT = ("Collection", "Iterable", "Container")

LISTS = (
    "list", "Sequence", "MutableSequence", "Collection", "Iterable", "Iterator", "Generator",
    "AsyncIterator", "AsyncIterable", "AsyncGenerator", "Reversible", "Container", "deque",
    "KeysView", "ValuesView",
)  # fmt: skip
SETS = ("set", "frozenset", "Set", "MutableSet", "AbstractSet")
MAPS = ("dict", "Mapping", "MutableMapping", "OrderedDict")


def _make_builder(name: str) -> Callable[[Any], Any]:
    """Build a function that makes a `collections` object of the class *name*."""

    def build(value: Any) -> Any:
        import collections

        return getattr(collections, name)(value)

    return build


_BUILDERS: dict[str, Callable[[Any], Any]] = {
    "Counter": _make_builder("Counter"),
    "Iterator": iter,
    "OrderedDict": _make_builder("OrderedDict"),
    "deque": _make_builder("deque"),
}


def is_named(*names: str) -> Callable[[Any, Any], bool]:
    """Make a predicate for hints of the standard library collections *names*."""
    return lambda hint, origin: get_collection_name(hint, origin) in names


def is_array(hint: Any, origin: Any) -> bool:
    """Whether *hint* is an array of numpy."""
    cls = hint if origin is None else origin
    if not isinstance(cls, type):
        return False
    return any(c.__name__ == "ndarray" and c.__module__ == "numpy" for c in cls.__mro__)


def read_array(context: HintContext, _hint: Any, _origin: Any, arguments: Any) -> HostType:
    """Return the type of an array: lists as deep as its shape says, or of any depth."""
    shape, dtype = (*arguments, Any, Any)[:2]
    scalar = next(iter(typing.get_args(dtype)), Any)
    scalar = Any if isinstance(scalar, typing.TypeVar) else scalar
    item = ANY if scalar is Any else context.read(scalar).type
    options = {} if scalar is Any else {"dtype": scalar}

    def make(value: Any) -> Any:
        return sys.modules["numpy"].array(value, **options)

    return HostType(
        _make_list_type(context, item, shape),
        LeafDecoder(lambda value: build_or_refuse(make, value)),
    )


def _make_list_type(context: HintContext, item: Type, shape: Any) -> Type:
    """Return the type of nested lists of *item*, as a named type if the depth is open."""
    sizes = typing.get_args(shape)
    if sizes and Ellipsis not in sizes:
        for _ in sizes:
            item = List(item)
        return item
    if item == ANY or context.ptc_runner:
        return List(ANY)
    definitions = context.findings.definitions
    for name, known in definitions.items():
        if known == List(make_union([item, Ref(name)])):
            return Ref(name)
    taken = {*definitions, *context.findings.names.values()}
    name = make_unique_name("Array", taken) if "Array" in taken else "Array"
    definitions[name] = List(make_union([item, Ref(name)]))
    return Ref(name)
