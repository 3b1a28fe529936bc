"""Hints of collections: lists, sets, tuples and maps, and what the function gets for each.

To add one whose items alone are typed, add its name to `LISTS`, `SETS` or `MAPS`, and to `_BUILD`
where the function needs the very class.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Any

from typesig.algebra.constraints import Constraint
from typesig.algebra.constructors import kinds_of, map_of, refined, union
from typesig.algebra.nodes import ANY, MAP, STRING, Field, List, Maybe, Set, Tuple, Type
from typesig.extraction import plans
from typesig.extraction.hints import read
from typesig.extraction.plans import Decode, HostError
from typesig.extraction.reading import Read, Reading
from typesig.extraction.warnings import hint_text


def class_name(hint: Any, origin: Any) -> str:
    """Return the name of a collection of the standard library, or empty."""
    cls = hint if origin is None else origin
    home = getattr(cls, "__module__", "")
    if home in ("builtins", "collections", "collections.abc", "typing", "_collections_abc"):
        return getattr(cls, "__name__", "") or getattr(cls, "_name", "") or ""
    return ""


def _one(reading: Reading, arguments: Any) -> Read:
    return read(reading, arguments[0]) if arguments else Read(ANY)


def sequence(reading: Reading, hint: Any, origin: Any, arguments: Any) -> Read:
    """Return the type of such a collection."""
    item = _one(reading, arguments)
    name = class_name(hint, origin)
    reading.abstract = reading.abstract or (reading.output and name in ABSTRACT)
    build = _BUILD.get(getattr(origin or hint, "__name__", ""))
    return Read(List(item.type), plans.items(item.decode, build))


def unique(reading: Reading, hint: Any, origin: Any, arguments: Any) -> Read:
    """Return the type of such a collection."""
    item = _one(reading, arguments)
    build: Any = frozenset if getattr(origin or hint, "__name__", "") == "frozenset" else None
    kinds = kinds_of(item.type)
    if reading.ptc_runner:
        return Read(List(item.type), plans.items(item.decode, build or set))
    if kinds is not None and "map" in kinds:
        if item.decode is None:
            reason, remedy = "a set cannot hold dicts, so a list is given", "write list[…]"
            reading.warn(hint, reason, remedy)
            build = list
        # A Python set of algebra values cannot hold maps; the host's own objects it can.
        kind = refined(List(item.type), [Constraint("unique", True)])
        return Read(kind, plans.items(item.decode, build or set))
    if item.decode is not None:
        return Read(Set(item.type), plans.items(item.decode, build or set))
    return Read(Set(item.type), build)


def positions(reading: Reading, hint: Any, _origin: Any, arguments: Any) -> Read:
    """Return the type of such a collection."""
    if not arguments and hint in (tuple, typing.Tuple):  # noqa: UP006
        remedy = "write tuple[A, B], or tuple[T, ...]"
        reading.warn(hint, "the items are not said, so it became [:any]", remedy)
        return Read(List(ANY), tuple)
    if len(arguments) == 2 and arguments[1] is ...:
        item = read(reading, arguments[0])
        return Read(List(item.type), plans.items(item.decode, tuple))
    arguments, inner, at = _opened(_spread(arguments))
    parts = [read(reading, argument) for argument in arguments]
    rest = None if at is None else read(reading, inner)
    decoders = tuple(part.decode for part in parts)
    decode = plans.positions(decoders, tuple, None if rest is None else rest.decode, at)
    if reading.ptc_runner:
        return Read(_no_tuple(reading, hint), decode)
    if rest is not None and at is not None:
        return Read(_with_rest(reading, hint, [part.type for part in parts], rest.type, at), decode)
    return Read(_fixed([part.type for part in parts]), decode)


def _fixed(types: list[Type]) -> Type:
    """Return the type of these positions."""
    if len(types) > 1:
        return Tuple(tuple(types))
    # One position or none: a list of that length.
    size = [Constraint("at_least", len(types)), Constraint("at_most", len(types))]
    return refined(List(types[0] if types else ANY), size)


def _no_tuple(reading: Reading, hint: Any) -> Type:
    return reading.fall_back(hint, 'profile="ptc_runner" has no tuples', "write a record").type


def in_order(reading: Reading, cls: Any, fields: tuple[Field, ...], build: Decode) -> Read:
    """Return the tuple of *fields* by their place; those that may be absent are left out behind."""
    types = [field.type for field in fields]
    last = max((place for place, field in enumerate(fields, 1) if field.required), default=0)
    names = [field.name for field in fields]

    def decode(value: Any) -> Any:
        if not isinstance(value, list) or not last <= len(value) <= len(names):
            raise HostError(f"expected a list of {last} to {len(names)}")
        named = dict(zip(names, value, strict=False))
        return named if build is None else build(named)

    if reading.ptc_runner:
        return Read(_no_tuple(reading, cls), decode)
    return Read(union([_fixed(types[:count]) for count in range(last, len(types) + 1)]), decode)


def _with_rest(reading: Reading, hint: Any, types: list[Type], rest: Type, at: int) -> Type:
    """Return the type of a tuple that has any number of *rest* at position *at*."""
    if at == len(types):
        return Tuple(tuple(types), rest) if types else List(rest)
    behind = union([rest, *types[at:]])
    size = [Constraint("at_least", len(types))]
    became = refined(Tuple(tuple(types[:at]), behind) if at else List(behind), size)
    remedy = "put what there may be any number of last"
    reading.warn(hint, "positions behind it are not told apart from it", remedy)
    return became


def _opened(arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any, int | None]:
    """Return positions without the one of any number, its type, and where it stood (PEP 646)."""
    for place, argument in enumerate(arguments):
        inner = _unpacked(argument)
        if inner is not None and ... in typing.get_args(inner):
            kept = (*arguments[:place], *arguments[place + 1 :])
            return kept, typing.get_args(inner)[0], place
    return arguments, None, None


def _unpacked(argument: Any) -> Any:
    """Return the tuple that *argument* unpacks, None where it unpacks none."""
    inner, found = argument, getattr(argument, "__unpacked__", False)
    if getattr(typing.get_origin(argument), "_name", "") == "Unpack":
        found, inner = True, typing.get_args(argument)[0]
    return inner if found and typing.get_origin(inner) is tuple else None


def _spread(arguments: Any) -> tuple[Any, ...]:
    """Return positions with those of an unpacked tuple in its place (PEP 646)."""
    out: list[Any] = []
    for argument in arguments:
        inner = _unpacked(argument)
        if inner is not None and ... not in typing.get_args(inner):
            out.extend(_spread(typing.get_args(inner)))
        else:
            out.append(argument)
    return tuple(out)


def mapping(reading: Reading, hint: Any, origin: Any, arguments: Any) -> Read:
    """Return the type of such a collection."""
    build = _BUILD.get(class_name(hint, origin))
    if len(arguments) != 2:
        return Read(MAP, None if build is None else plans.mapping(None, None, build))
    key = _key(reading, hint, arguments)
    item = read(reading, arguments[1])
    decode = plans.mapping(key.decode, item.decode, build)
    if reading.ptc_runner:
        return Read(MAP, decode)
    name = STRING if key.type == ANY else key.type
    return Read(map_of(name, item.type), decode)


def _key(reading: Reading, hint: Any, arguments: Any) -> Read:
    """Return the type of a map's keys, text with a warning where no text stands for one."""
    if class_name(arguments[0], None) == "Hashable":
        # The keys of JSON are text, whatever else could be one.
        return Read(STRING)
    with reading.at("keys"):
        key = read(reading, arguments[0])
        kinds = kinds_of(key.type) or frozenset()
        if kinds & {"list", "map", "set"}:
            pair = ", ".join(hint_text(argument) for argument in arguments)
            remedy = f"write list[tuple[{pair}]], a list of pairs, or dict[str, …]"
            reading.warn(arguments[0], "a JSON key is text, so keys became :string", remedy)
            return Read(STRING)
        if "nil" in kinds:
            reason, remedy = "a JSON key is text, so no key is None", "write a word for it"
            reading.warn(arguments[0], reason, remedy)
            return Read(key.type.inner, key.decode) if isinstance(key.type, Maybe) else Read(STRING)
    return key


def items_view(reading: Reading, hint: Any, origin: Any, arguments: Any) -> Read:
    """Return the type of such a collection."""
    if len(arguments) != 2:
        return Read(List(ANY))
    return sequence(reading, hint, origin, (tuple[arguments],))


def default_dict(reading: Reading, hint: Any, origin: Any, arguments: Any) -> Read:
    """Return the type of such a collection."""
    found = mapping(reading, hint, origin, arguments)
    value = arguments[1] if len(arguments) == 2 else None
    factory = typing.get_origin(value) or value
    home, name = getattr(factory, "__module__", ""), getattr(factory, "__name__", "")
    made = home == "collections" and name in _BUILD
    if not made and factory not in (list, dict, set, int, float, str, bool):
        factory = None

    def build(data: Any) -> Any:
        from collections import defaultdict

        return defaultdict(factory, data if found.decode is None else found.decode(data))

    return Read(found.type, build)


def counter(reading: Reading, hint: Any, origin: Any, arguments: Any) -> Read:
    """Return the type of such a collection."""
    return mapping(reading, hint, origin, (*(arguments or (str,)), int)[:2])


#: Collections of which a set is one.
ABSTRACT = ("Collection", "Iterable", "Container")

LISTS = (
    "list",
    "Sequence",
    "MutableSequence",
    "Collection",
    "Iterable",
    "Iterator",
    "Generator",
    "AsyncIterator",
    "AsyncIterable",
    "AsyncGenerator",
    "Reversible",
    "Container",
    "deque",
    "KeysView",
    "ValuesView",
)
SETS = ("set", "frozenset", "Set", "MutableSet", "AbstractSet")
MAPS = ("dict", "Mapping", "MutableMapping", "OrderedDict")


def _collection(name: str) -> Callable[[Any], Any]:
    """Return what makes the class *name* of collections, imported when it is needed."""

    def build(value: Any) -> Any:
        import collections

        return getattr(collections, name)(value)

    return build


_BUILD: dict[str, Callable[[Any], Any]] = {
    "Counter": _collection("Counter"),
    "Iterator": iter,
    "OrderedDict": _collection("OrderedDict"),
    "deque": _collection("deque"),
}


def named(*names: str) -> Callable[[Any, Any], bool]:
    """Return the test that a hint is one of the collections called *names*."""
    return lambda hint, origin: class_name(hint, origin) in names
