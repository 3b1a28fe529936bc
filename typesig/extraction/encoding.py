"""Encoding: host objects to algebra values.

An object is encoded by its own class, since a function often returns more than its hint names.  To
add a host type, add a row to `ENCODERS` in `leaves`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from typesig.algebra.values import Keyword, exact
from typesig.extraction.arrays import is_array
from typesig.extraction.cattrs_types import unstructured
from typesig.extraction.decoders import HostError
from typesig.extraction.enums import constant_of_member, is_enum, is_listed
from typesig.extraction.leaves import ENCODERS
from typesig.extraction.objects import fields_of_object, is_library_object, without_unset
from typesig.extraction.pydantic_types import is_loaded, object_dump
from typesig.limits import MAX_ITEMS, MAX_VALUE_DEPTH


def _member(member: Any) -> Any:
    # A sum of members of a flag is not a member.
    is_sum = isinstance(member.value, int) and not is_listed(member)
    return member.value if is_sum else constant_of_member(member).thaw()


def members_to_keywords(value: Any) -> Any:
    """Return *value* with the members of enums, in its lists and maps too, as keywords."""
    if isinstance(value, dict):
        return {key: members_to_keywords(item) for key, item in exact(value).items()}
    if type(value) in (list, tuple):
        return type(value)(members_to_keywords(item) for item in value)
    text = constant_of_member(value).value if is_enum(type(value)) else None
    return Keyword(text) if isinstance(text, str) else value


def encode(value: Any, depth: int = 0) -> Any:
    """Return the algebra value of a host object: data, keywords, aware datetimes and sets.

    Raises `HostError` with the place of an object that has no JSON form or refers to itself.

    >>> from pathlib import PurePosixPath
    >>> encode({"where": PurePosixPath("a/b"), "size": (1, 2)})
    {'where': 'a/b', 'size': [1, 2]}
    """
    cls = type(value)
    if cls in _SAME:
        if cls is float and value - value != 0:
            raise HostError(f"JSON has no form for {value}")
        return value
    if depth > MAX_VALUE_DEPTH:
        error = HostError("nested too deep, or inside itself")
        error.bottom = value
        raise error
    kind = _KIND.get(cls)
    try:
        return _host(value, depth) if kind is None else kind(value, depth)
    except HostError as error:
        error.unwound(value)
        raise


_SAME = frozenset({str, int, float, bool, type(None), Keyword})


def _list(value: Any, depth: int) -> list[Any]:
    out = []
    for index, item in enumerate(value):
        try:
            out.append(encode(item, depth + 1))
        except HostError as error:
            error.steps.append(index)
            raise
    return out


def _set(value: Any, depth: int) -> Any:
    return set_of([encode(item, depth + 1) for item in value])


def set_of(items: list[Any]) -> Any:
    """Return the set of encoded *items*, or a list if some are maps."""
    out = [_item(item) for item in items]
    try:
        return set(out)
    except TypeError:
        # Maps cannot be in a set: they become a list, in an order that is always the same.
        return sorted(out, key=_order)


def _order(value: Any) -> str:
    from typesig.validation.plain import dumped

    return dumped(value)


def _item(value: Any) -> Any:
    if type(value) is list:
        return tuple([_item(part) for part in value])
    return frozenset(value) if type(value) is set else value


def _dict(value: Any, depth: int) -> dict[Any, Any]:
    out = {}
    for key, item in value.items():
        try:
            out[encode(key, depth + 1)] = encode(item, depth + 1)
        except HostError as error:
            if isinstance(key, str) and key.startswith("_"):
                # Private: no model sees it, so it need not have a JSON form.
                out[key] = item
                continue
            error.steps.append(str(key))
            raise
        except TypeError:
            raise HostError("a key that has no JSON form") from None
    return out


_KIND: dict[type, Callable[[Any, int], Any]] = {
    list: _list,
    tuple: _list,
    set: _set,
    frozenset: _set,
    dict: _dict,
}


#: The fields by which dataclasses are encoded, and whether pydantic was loaded, which may own
#: some.
_FIELDS: WeakKeyDictionary[type, tuple[bool, tuple[str, ...]]] = WeakKeyDictionary()


def _host(value: Any, depth: int) -> Any:
    cls = type(value)
    known = _FIELDS.get(cls)
    if known is not None and known[0] == is_loaded():
        return _dict(without_unset({name: getattr(value, name) for name in known[1]}), depth)
    if isinstance(value, type):
        return value.__name__
    if is_array(cls, None):
        return encode(value.tolist(), depth + 1)
    if is_enum(cls):
        return _member(value)
    dump = object_dump(value)
    if dump is not None:
        return encode(dump(value), depth + 1)
    if is_library_object(cls):
        return encode(fields_of_object(value), depth + 1)
    parts = parts_of_record(value)
    if parts is not None:
        if hasattr(cls, "__dataclass_fields__"):
            names = tuple([f.name for f in sys.modules["dataclasses"].fields(value)])
            _FIELDS[cls] = is_loaded(), names
        return _dict(parts, depth)
    if isinstance(value, tuple):
        return _list(exact(value), depth)
    for ancestor in cls.__mro__:
        if ancestor in _KIND:
            return _KIND[ancestor](exact(value), depth)
        for host, write in ENCODERS.get(ancestor.__name__, ()):
            if ancestor.__module__.partition(".")[0] in host:
                return write(value)
    return _abstract(value, depth)


def _bounded(items: Any) -> Iterator[Any]:
    """Yield *items*, those of a class that is not known to end; raise beyond `MAX_ITEMS`."""
    for count, item in enumerate(items):
        if count == MAX_ITEMS:
            raise HostError(f"it has more than {MAX_ITEMS} items")
        yield item


def parts_of_record(value: Any) -> Any:
    """Return the parts of the record *value* by the names that are written, None if it is none."""
    cls = type(value)
    if is_library_object(cls):
        return fields_of_object(value)
    if hasattr(cls, "__dataclass_fields__"):
        names = [f.name for f in sys.modules["dataclasses"].fields(value)]
        return without_unset({name: getattr(value, name) for name in names})
    if isinstance(value, tuple) and hasattr(cls, "_fields"):
        return dict(zip(cls._fields, exact(value), strict=True))
    return None


def _abstract(value: Any, depth: int) -> Any:
    from collections.abc import Mapping, MappingView, Sequence, Set

    if isinstance(value, Mapping):
        return _dict(dict(_bounded(value.items())), depth)
    if isinstance(value, MappingView):
        return _list(_bounded(value), depth)
    if isinstance(value, Set):
        return _set(_bounded(value), depth)
    if isinstance(value, Sequence | Iterator):
        return _list(_bounded(value), depth)
    made = unstructured(value)
    if made is not value:
        return encode(made, depth + 1)
    raise HostError(f"a value of {type(value).__qualname__} has no JSON form")
