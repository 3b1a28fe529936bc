"""Encoding: host objects to algebra values.

An object is encoded by its own class, since a function often returns more than its hint names.  To
add a host type, add a row to `LEAVES` in `host_leaves`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from typesig.algebra.rows.shared import Watch, parts_of_data
from typesig.algebra.rows.values import SMALL, TOO_LONG, Keyword, exact, hashable, is_long
from typesig.errors import TypesigError, short
from typesig.extraction.callables.warnings import said_by
from typesig.extraction.hints.container_hints import is_array
from typesig.extraction.hosts.decoders import HostError
from typesig.extraction.hosts.enums import constant_of_member, is_enum, is_listed
from typesig.extraction.hosts.host_leaves import ENCODERS
from typesig.extraction.hosts.media import Media, is_image, media_of_image
from typesig.extraction.libraries.cattrs_types import unstructured
from typesig.extraction.libraries.objects import (
    fields_of_object,
    is_library_object,
    plain_parts,
    without_unset,
)
from typesig.extraction.libraries.pydantic_fields import is_loaded
from typesig.limits import MAX_ITEMS, MAX_VALUE_DEPTH
from typesig.validation.rows.plain import key_text


def _member(member: Any) -> Any:
    # A sum of members of a flag is not a member.
    is_sum = isinstance(member.value, int) and not is_listed(member)
    if is_sum and is_long(member.value):
        raise HostError(TOO_LONG)
    return member.value if is_sum else constant_of_member(member).thaw()


def members_to_keywords(value: Any, watch: Watch | None = None) -> Any:
    """Return *value* with the members of enums, in its lists and maps too, as keywords.

    Raises `TooLarge` for a value with more places than `MAX_VALUES`.
    """
    watch = watch or Watch(value)
    watch.visit(1)
    if issubclass(type(value), dict):
        return {key: members_to_keywords(item, watch) for key, item in exact(value).items()}
    if type(value) in (list, tuple):
        return type(value)(members_to_keywords(item, watch) for item in value)
    text = constant_of_member(value).value if is_enum(type(value)) else None
    return Keyword(text) if isinstance(text, str) else value


class _HostWatch(Watch):
    """The watch over one value.

    #: media: keeps the media in it, each with the text for it
    #: in_set: how often each text of media is in the set that is written; None outside of one
    """

    __slots__ = ("in_set", "media")

    def __init__(self, value: Any, media: list[tuple[str, Media]] | None) -> None:
        super().__init__(value, parts_of_host)
        self.media = media
        self.in_set: dict[str, int] | None = None


class Unordered(list[Any]):
    """The items of a set, which cannot be in one before they are encoded."""

    __slots__ = ()


def encode(value: Any, media: list[tuple[str, Media]] | None = None) -> Any:
    """Return the algebra value of a host object: data, keywords, aware datetimes and sets.

    The media in it are texts, which are appended to *media* with what they stand for.
    Raises `HostError` with the place of an object that has no JSON form or refers to itself, and
    `TooLarge` for one with more places than `MAX_VALUES`.

    >>> from pathlib import PurePosixPath
    >>> encode({"where": PurePosixPath("a/b"), "size": (1, 2)})
    {'where': 'a/b', 'size': [1, 2]}
    """
    try:
        return _encoded(value, 0, _HostWatch(value, media))
    except (HostError, TypesigError, RecursionError):
        raise
    except Exception as error:
        # A part is an object of others, whose methods may raise anything.
        raise HostError(f"a part of it cannot be read: it raises {said_by(error)}") from error


def _encoded(value: Any, depth: int, watch: _HostWatch) -> Any:
    cls = type(value)
    if cls in _SAME:
        if cls is float and value - value != 0:
            raise HostError(f"JSON has no form for {value}")
        if cls is int and is_long(value):
            raise HostError(TOO_LONG)
        return value
    if depth > MAX_VALUE_DEPTH:
        error = HostError("nested too deep, or inside itself")
        error.bottom = value
        raise error
    kind = _KIND.get(cls)
    try:
        return _host(value, depth, watch) if kind is None else kind(value, depth, watch)
    except HostError as error:
        error.unwound(value)
        raise


_SAME = frozenset({str, int, float, bool, type(None), Keyword})


#: The classes of `_SAME` whose values all stay as they are.
_KEPT = _SAME - {float, int}


def _list(value: Any, depth: int, watch: _HostWatch) -> list[Any]:
    out: list[Any] = []
    for item in value:
        # The lines of `visit`: a call would take as long as the rest.
        watch.left -= 1
        if watch.left < 0:
            watch.visit(0)
        cls = type(item)
        if cls in _KEPT or (cls is int and not ((item > SMALL or item < -SMALL) and is_long(item))):
            out.append(item)
            continue
        try:
            out.append(_encoded(item, depth + 1, watch))
        except HostError as error:
            error.steps.append(len(out))
            raise
    return out


def _set(value: Any, depth: int, watch: _HostWatch) -> Any:
    around = watch.in_set
    if around is None:
        watch.in_set = {}
    out = set()
    try:
        for item in _in_order(value):
            watch.visit(1)
            out.add(hashable(_encoded(item, depth + 1, watch)))
    finally:
        watch.in_set = around
    return out


def _in_order(items: Any) -> Any:
    """Return the *items* of a set, if they are media in an order that each run has."""
    listed = list(items)
    if listed and all(type(item) is Media for item in listed):
        listed.sort(key=lambda media: (media.type, media.name or "", media.data or b""))
    return listed


def _dict(value: Any, depth: int, watch: _HostWatch) -> dict[Any, Any]:
    out: dict[Any, Any] = {}
    odd = False
    for key, item in value.items():
        watch.left -= 1
        if watch.left < 0:
            watch.visit(0)
        cls = type(item)
        is_kept = cls in _KEPT or (
            cls is int and not ((item > SMALL or item < -SMALL) and is_long(item))
        )
        if is_kept and type(key) is str:
            out[key] = item
        else:
            odd = odd or type(key) is not str
            _put(out, key, item, depth, watch)
    if odd and len(set(map(key_text, out))) < len(value):
        raise HostError("two keys that are the same text in JSON")
    return out


def _put(out: dict[Any, Any], key: Any, item: Any, depth: int, watch: _HostWatch) -> None:
    """Put *key* and *item* of a map at *depth* into *out*, encoded."""
    try:
        name = key if type(key) is str else _encoded(key, depth + 1, watch)
        if name is None:
            raise TypeError  # Python can hash it, but no text stands for it
        out[name] = _encoded(item, depth + 1, watch)
    except HostError as error:
        if isinstance(key, str) and key.startswith("_"):
            # Private: no model sees it, so it need not have a JSON form.
            out[key] = item
            return
        # Python writes no integer of very many digits.
        error.steps.append(str(key) if isinstance(key, str) else short(key, 40))
        raise
    except TypeError:
        raise HostError("a key that has no JSON form") from None


def _fields(value: Any, parts: Mapping[str, str], depth: int, watch: _HostWatch) -> dict[Any, Any]:
    """Return the encoded attributes of an object, *parts* by the names of them, as `_dict` does."""
    out: dict[Any, Any] = {}
    for name, part in [(shown, getattr(value, name)) for shown, name in parts.items()]:
        watch.left -= 1
        if watch.left < 0:
            watch.visit(0)
        cls = type(part)
        is_kept = cls in _KEPT or (
            cls is int and not ((part > SMALL or part < -SMALL) and is_long(part))
        )
        if is_kept or (cls is float and part - part == 0):
            out[name] = part
        elif cls is list and depth < MAX_VALUE_DEPTH and (kept := _kept(part, watch)) is not None:
            out[name] = kept
        elif cls.__name__ != "UnsetType":
            _put(out, name, part, depth, watch)
    return out


def _kept(items: list[Any], watch: _HostWatch) -> list[Any] | None:
    """Return a copy of *items* if all of them stay as they are, else None."""
    kept = [
        item
        for item in items
        if (cls := type(item)) in _KEPT
        or (cls is int and not ((item > SMALL or item < -SMALL) and is_long(item)))
    ]
    if len(kept) < len(items):
        return None
    watch.visit(len(kept))
    return kept


def _media(value: Media, _depth: int, watch: _HostWatch) -> str:
    text = value.shown
    if watch.in_set is not None:
        # Others with the same text would be one item with it.
        count = watch.in_set[text] = watch.in_set.get(text, 0) + 1
        text = text if count == 1 else f"{text} ({count})"
    if watch.media is not None:
        watch.media.append((text, value))
    return text


_KIND: dict[type, Callable[[Any, int, _HostWatch], Any]] = {
    list: _list,
    tuple: _list,
    set: _set,
    frozenset: _set,
    Unordered: _set,
    dict: _dict,
    Media: _media,
}


class _Parts(NamedTuple):
    """How the objects of a class are written: by attributes alone.

    #: loaded: whether pydantic was loaded, which may own some; names: attributes by their names
    #: levels: how many levels an object is deep, beside what is in it
    """

    loaded: bool
    names: Mapping[str, str]
    levels: int


#: The classes that are known to be written so; another class is asked about its objects again.
_PARTS: WeakKeyDictionary[type, _Parts] = WeakKeyDictionary()


def parts_of_class(cls: type) -> Mapping[str, str] | None:
    """Return the attributes by which objects of *cls* are written, by the names of these.

    Returns None if that is not known, as before the first object of it is encoded.
    """
    known = _PARTS.get(cls)
    return known.names if known is not None and known.loaded == is_loaded() else None


def _host(value: Any, depth: int, watch: _HostWatch) -> Any:
    cls = type(value)
    known = _PARTS.get(cls)
    if known is not None and known.loaded == is_loaded():
        try:
            return _fields(value, known.names, depth + known.levels, watch)
        except AttributeError:
            # An attribute is not set, or it raises this itself.
            if not is_library_object(cls):
                raise
            return _encoded(fields_of_object(value), depth + 1, watch)
    if issubclass(cls, type):
        return value.__name__
    if is_array(cls, None):
        return _encoded(value.tolist(), depth + 1, watch)
    if is_enum(cls):
        return _member(value)
    if is_loaded():
        from typesig.extraction.libraries.pydantic_types import object_dump

        dump = object_dump(value)
        if dump is not None:
            return _encoded(dump(value), depth + 1, watch)
    if is_library_object(cls):
        attributes = plain_parts(cls)
        if attributes is not None:
            _PARTS[cls] = _Parts(is_loaded(), attributes, 1)
        return _encoded(fields_of_object(value), depth + 1, watch)
    parts = parts_of_record(value)
    if parts is not None:
        if hasattr(cls, "__dataclass_fields__"):
            names = [f.name for f in sys.modules["dataclasses"].fields(value)]
            _PARTS[cls] = _Parts(is_loaded(), {name: name for name in names}, 0)
        return _dict(parts, depth, watch)
    if issubclass(cls, tuple):
        return _list(exact(value), depth, watch)
    for ancestor in cls.__mro__:
        if ancestor in _KIND:
            return _KIND[ancestor](exact(value), depth, watch)
        if (by_package := ENCODERS.get(ancestor.__name__)) is not None:
            write = by_package.get(ancestor.__module__.partition(".")[0])
            if write is not None:
                return _written(write, exact(value))
    if is_image(cls):
        return _media(media_of_image(value), depth, watch)
    return _abstract(value, depth, watch)


def _written(write: Callable[[Any], Any], value: Any) -> Any:
    """Return what *write* makes of the host object *value*."""
    try:
        made = write(value)
    except ValueError:
        # A fraction of integers that Python does not write.
        raise HostError(TOO_LONG) from None
    if type(made) is int and is_long(made):
        raise HostError(TOO_LONG)
    return made


def parts_of_host(value: Any) -> Iterable[Any] | None:
    """Return the parts of a collection or a record that are its own; None for other objects.

    What a library dumps is made anew each time, so nothing in it is shared.
    """
    try:
        parts = parts_of_record(value)
    except Exception:
        # An attribute of the user's own; encoding it tells what is wrong.
        return None
    return parts_of_data(value if parts is None else parts)


def _bounded(items: Any) -> Iterator[Any]:
    """Yield *items*, those of a class that is not known to end; raise beyond `MAX_ITEMS`."""
    for count, item in enumerate(items):
        if count == MAX_ITEMS:
            raise HostError(f"it has more than {MAX_ITEMS} items")
        yield item


def parts_of_record(value: Any) -> Any:
    """Return the parts of the record *value* by the names that are written, None if it is none."""
    cls: Any = type(value)
    if is_library_object(cls):
        return fields_of_object(value)
    if hasattr(cls, "__dataclass_fields__"):
        names = [f.name for f in sys.modules["dataclasses"].fields(value)]
        return without_unset({name: getattr(value, name) for name in names})
    if issubclass(cls, tuple) and (declared := getattr(cls, "_fields", None)) is not None:
        return dict(zip(declared, exact(value), strict=True))
    return None


def _abstract(value: Any, depth: int, watch: _HostWatch) -> Any:
    from collections.abc import Mapping, MappingView, Sequence, Set

    cls = type(value)
    if issubclass(cls, Mapping):
        return _dict(dict(_bounded(value.items())), depth, watch)
    if issubclass(cls, MappingView):
        return _list(_bounded(value), depth, watch)
    if issubclass(cls, Set):
        return _set(_bounded(value), depth, watch)
    if issubclass(cls, Sequence | Iterator):
        return _list(_bounded(value), depth, watch)
    made = unstructured(value)
    if made is not value:
        return _encoded(made, depth + 1, watch)
    raise HostError(f"a value of {type(value).__qualname__} has no JSON form")
