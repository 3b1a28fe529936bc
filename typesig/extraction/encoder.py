"""Encode Python objects as algebra values.

An object is encoded by its own class, since a function often returns more than its hint names.  To
add a host type, add a row to `LEAVES` in `leaves`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, MappingView, Sequence, Set
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from typesig.algebra.rows.builtin import VisitBudget, get_data_parts
from typesig.algebra.rows.values import (
    SMALL,
    TOO_LONG,
    Const,
    Keyword,
    is_long,
    make_hashable,
    to_builtin,
    to_const,
)
from typesig.errors import TypesigError, format_value
from typesig.extraction.callables.warnings import get_exception_message
from typesig.extraction.hints.container_hints import is_array
from typesig.extraction.libraries.classes import (
    drop_unset,
    dump_by_hook,
    get_object_fields,
    get_plain_attributes,
    is_library_object,
)
from typesig.extraction.libraries.libraries import is_loaded
from typesig.extraction.python_types.decoders import HostError
from typesig.extraction.python_types.leaves import ENCODERS, get_member_constant, is_enum, is_listed
from typesig.extraction.python_types.media import Media, is_image, to_image_media
from typesig.limits import MAX_DEFAULT, MAX_ITEMS, MAX_VALUE_DEPTH
from typesig.validation.plain_data import to_plain, write_key


def _encode_member(member: Any) -> Any:
    """Encode the enum *member* as its constant, or a sum of flags as its number."""
    # A sum of members of a flag is not a member.
    is_sum = isinstance(member.value, int) and not is_listed(member)
    if is_sum and is_long(member.value):
        raise HostError(TOO_LONG)
    return member.value if is_sum else get_member_constant(member).thaw()


def convert_enum_members(value: Any, watch: VisitBudget | None = None) -> Any:
    """Convert enum members in *value*, and in its lists and maps, to keywords.

    Raises `TooLarge` for a value with more places than `MAX_VALUES`.
    """
    watch = watch or VisitBudget(value)
    watch.visit(1)
    if issubclass(type(value), dict):
        return {key: convert_enum_members(item, watch) for key, item in to_builtin(value).items()}
    if type(value) in (list, tuple):
        return type(value)(convert_enum_members(item, watch) for item in value)
    text = get_member_constant(value).value if is_enum(type(value)) else None
    return Keyword(text) if isinstance(text, str) else value


class _EncodeState(VisitBudget):
    """The state of one `encode` call: visit budget, media found, and texts in a set.

    #: media: keeps the media in it, each with the text for it
    #: in_set: how often each text of media is in the set that is written; None outside of one
    #: iterates: whether iterators are read
    """

    __slots__ = ("in_set", "iterates", "media")

    def __init__(
        self, value: Any, media: list[tuple[str, Media]] | None, iterates: bool = True
    ) -> None:
        super().__init__(value, get_object_parts)
        self.media = media
        self.iterates = iterates
        self.in_set: dict[str, int] | None = None


class SetItems(list[Any]):
    """The items of a set, which may be unhashable until they are encoded."""

    __slots__ = ()


def encode(value: Any, media: list[tuple[str, Media]] | None = None, iterates: bool = True) -> Any:
    """Encode a host object as data, keywords, aware datetimes and sets.

    The media in it are texts, which are appended to *media* with what they stand for.  Without
    *iterates*, iterators, which can be read only once, are left as they are, and refused.
    Raises `HostError` with the place of an object that has no JSON form or refers to itself, and
    `TooLarge` for one with more places than `MAX_VALUES`.

    >>> from pathlib import PurePosixPath
    >>> encode({"where": PurePosixPath("a/b"), "size": (1, 2)})
    {'where': 'a/b', 'size': [1, 2]}
    """
    try:
        return _encode_part(value, 0, _EncodeState(value, media, iterates))
    except (HostError, TypesigError, RecursionError):
        raise
    except Exception as error:
        # A part is an object of others, whose methods may raise anything.
        raise HostError(
            f"a part of it cannot be read: it raises {get_exception_message(error)}"
        ) from error


def _encode_part(value: Any, depth: int, watch: _EncodeState) -> Any:
    """Encode *value*, at nesting level *depth*, as data that JSON can represent."""
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
        return _encode_object(value, depth, watch) if kind is None else kind(value, depth, watch)
    except HostError as error:
        error.shorten_loop(value)
        raise


_SAME = frozenset({str, int, float, bool, type(None), Keyword})

#: The classes of `_SAME` whose values all stay as they are.
_KEPT = _SAME - {float, int}


def _encode_list(value: Any, depth: int, watch: _EncodeState) -> list[Any]:
    """Encode the items of the iterable *value* as a list; errors carry the item's index."""
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
            out.append(_encode_part(item, depth + 1, watch))
        except HostError as error:
            error.steps.append(len(out))
            raise
    return out


def _encode_set(value: Any, depth: int, watch: _EncodeState) -> Any:
    """Encode the items of *value* as a set; equal media texts in it are numbered."""
    out, items = set(), list(value)
    if items and all(type(item) is Media for item in items):
        # An order that is the same in each run.
        items.sort(key=lambda media: (media.type, media.name or "", media.data or b""))
    around = watch.in_set
    if around is None:
        watch.in_set = {}
    try:
        for item in items:
            watch.visit(1)
            out.add(make_hashable(_encode_part(item, depth + 1, watch)))
    finally:
        watch.in_set = around
    return out


def _encode_dict(value: Any, depth: int, watch: _EncodeState) -> dict[Any, Any]:
    """Encode the items of the dict *value*; keys with the same JSON text are refused."""
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
            _put_entry(out, key, item, depth, watch)
    if odd and len(set(map(write_key, out))) < len(value):
        raise HostError("two keys that are the same text in JSON")
    return out


def _put_entry(out: dict[Any, Any], key: Any, item: Any, depth: int, watch: _EncodeState) -> None:
    """Add the encoded *key* and *item* of a map at *depth* to *out*."""
    try:
        name = key if type(key) is str else _encode_part(key, depth + 1, watch)
        if name is None:
            raise TypeError  # Python can hash it, but no text stands for it
        out[name] = _encode_part(item, depth + 1, watch)
    except HostError as error:
        if isinstance(key, str) and key.startswith("_"):
            # Private: no model sees it, so it need not have a JSON form.
            out[key] = item
            return
        # Python writes no integer of very many digits.
        error.steps.append(str(key) if isinstance(key, str) else format_value(key, 40))
        raise
    except TypeError:
        raise HostError("a key that has no JSON form") from None


def _encode_fields(
    value: Any, parts: Mapping[str, str], depth: int, watch: _EncodeState
) -> dict[Any, Any]:
    """Encode the attributes of the object *value* in *parts*, a map from output names."""
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
        elif (
            cls is list
            and depth < MAX_VALUE_DEPTH
            and (kept := _copy_if_unchanged(part, watch)) is not None
        ):
            out[name] = kept
        elif cls.__name__ != "UnsetType":
            _put_entry(out, name, part, depth, watch)
    return out


def _copy_if_unchanged(items: list[Any], watch: _EncodeState) -> list[Any] | None:
    """Return a copy of the list *items* if no item needs encoding, else None."""
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


def _encode_media(value: Media, _depth: int, watch: _EncodeState) -> str:
    """Encode *value* as its media text, numbered if the set already contains the text."""
    text = value.shown
    if watch.in_set is not None:
        # Others with the same text would be one item with it.
        count = watch.in_set[text] = watch.in_set.get(text, 0) + 1
        text = text if count == 1 else f"{text} ({count})"
    if watch.media is not None:
        watch.media.append((text, value))
    return text


_KIND: dict[type, Callable[[Any, int, _EncodeState], Any]] = {
    list: _encode_list,
    tuple: _encode_list,
    set: _encode_set,
    frozenset: _encode_set,
    SetItems: _encode_set,
    dict: _encode_dict,
    Media: _encode_media,
}


class _ClassAttributes(NamedTuple):
    """The attributes that are encoded for an object of a class, by output name.

    #: loaded: whether pydantic was loaded, which may own some; names: attributes by their names
    #: levels: how many levels an object is deep, beside what is in it
    """

    loaded: bool
    names: Mapping[str, str]
    levels: int


#: The classes that are known to be written so; another class is asked about its objects again.
_PARTS: WeakKeyDictionary[type, _ClassAttributes] = WeakKeyDictionary()


def get_class_attributes(cls: type) -> Mapping[str, str] | None:
    """Return the attributes from which objects of *cls* are encoded, by output name.

    Returns None if that is not known, as before the first object of it is encoded.
    """
    known = _PARTS.get(cls)
    return known.names if known is not None and known.loaded == is_loaded() else None


def _encode_object(value: Any, depth: int, watch: _EncodeState) -> Any:
    """Encode an object of any class other than the builtin data types."""
    cls = type(value)
    known = _PARTS.get(cls)
    if known is not None and known.loaded == is_loaded():
        try:
            return _encode_fields(value, known.names, depth + known.levels, watch)
        except AttributeError:
            # An attribute is not set, or it raises this itself.
            if not is_library_object(cls):
                raise
            return _encode_part(get_object_fields(value), depth + 1, watch)
    if issubclass(cls, type):
        return value.__name__
    if is_array(cls, None):
        return _encode_part(value.tolist(), depth + 1, watch)
    if is_enum(cls):
        return _encode_member(value)
    if is_loaded():
        from typesig.extraction.libraries.pydantic_types import find_dump

        dump = find_dump(value)
        if dump is not None:
            return _encode_part(dump(value), depth + 1, watch)
    if is_library_object(cls):
        attributes = get_plain_attributes(cls)
        if attributes is not None:
            _PARTS[cls] = _ClassAttributes(is_loaded(), attributes, 1)
        return _encode_part(get_object_fields(value), depth + 1, watch)
    parts = get_record_parts(value)
    if parts is not None:
        if hasattr(cls, "__dataclass_fields__"):
            names = [f.name for f in sys.modules["dataclasses"].fields(value)]
            _PARTS[cls] = _ClassAttributes(is_loaded(), {name: name for name in names}, 0)
        return _encode_dict(parts, depth, watch)
    if issubclass(cls, tuple):
        return _encode_list(to_builtin(value), depth, watch)
    for ancestor in cls.__mro__:
        if ancestor in _KIND:
            return _KIND[ancestor](to_builtin(value), depth, watch)
        if (by_package := ENCODERS.get(ancestor.__name__)) is not None:
            write = by_package.get(ancestor.__module__.partition(".")[0])
            if write is not None:
                return _run_encoder(write, to_builtin(value))
    if is_image(cls):
        return _encode_media(to_image_media(value), depth, watch)
    return _encode_collection(value, depth, watch)


def _run_encoder(write: Callable[[Any], Any], value: Any) -> Any:
    """Call the encoder *write* with *value*; raise `HostError` for too long integers."""
    try:
        made = write(value)
    except ValueError:
        # A fraction of integers that Python does not write.
        raise HostError(TOO_LONG) from None
    if type(made) is int and is_long(made):
        raise HostError(TOO_LONG)
    return made


def get_object_parts(value: Any) -> Iterable[Any] | None:
    """Return the parts that a collection or record stores itself, else None.

    What a library dumps is made anew each time, so nothing in it is shared.
    """
    try:
        parts = get_record_parts(value)
    except Exception:
        # An attribute of the user's own; encoding it tells what is wrong.
        return None
    return get_data_parts(value if parts is None else parts)


def _iter_bounded(items: Any) -> Iterator[Any]:
    """Yield *items* of a class that may be infinite; raise beyond `MAX_ITEMS`."""
    for count, item in enumerate(items):
        if count == MAX_ITEMS:
            raise HostError(f"it has more than {MAX_ITEMS} items")
        yield item


def get_record_parts(value: Any) -> Any:
    """Return the parts of the record *value* by output name, or None if not a record."""
    cls: Any = type(value)
    if is_library_object(cls):
        return get_object_fields(value)
    if hasattr(cls, "__dataclass_fields__"):
        names = [f.name for f in sys.modules["dataclasses"].fields(value)]
        return drop_unset({name: getattr(value, name) for name in names})
    if issubclass(cls, tuple) and (declared := getattr(cls, "_fields", None)) is not None:
        return dict(zip(declared, to_builtin(value), strict=True))
    return None


def _encode_collection(value: Any, depth: int, watch: _EncodeState) -> Any:
    """Encode a mapping, set, sequence or iterator, or an object with a dump hook."""
    cls = type(value)
    if issubclass(cls, Mapping):
        return _encode_dict(dict(_iter_bounded(value.items())), depth, watch)
    if issubclass(cls, MappingView):
        return _encode_list(_iter_bounded(value), depth, watch)
    if issubclass(cls, Set):
        return _encode_set(_iter_bounded(value), depth, watch)
    if issubclass(cls, Sequence) or (watch.iterates and issubclass(cls, Iterator)):
        return _encode_list(_iter_bounded(value), depth, watch)
    made = dump_by_hook(value)
    if made is not value:
        return _encode_part(made, depth + 1, watch)
    raise HostError(f"a value of {type(value).__qualname__} has no JSON form")


# --- Defaults as constants, if reading them has no side effects ---


def make_constant(default: Any) -> Const:
    """Convert the Python *default* to a constant; raise if it has no JSON form."""
    value = encode(_check_side_effects(default))
    return to_const(value if isinstance(value, Keyword) else to_plain(value))


def _check_side_effects(value: Any) -> Any:
    """Return *value*; raise `HostError` if iterating it consumes it or runs user code.

    Iterators are used up, and a lazy collection may ask a database for its items.
    """
    level, count, depth = [value], 0, 0
    while level and depth <= MAX_VALUE_DEPTH:
        level, depth = [item for each in level for item in _get_items(each)], depth + 1
        count += len(level)
        if count > MAX_DEFAULT:
            # A list that is shared is written at each of its places.
            raise HostError(f"it has more than {MAX_DEFAULT} values")
    return value


def _get_items(value: Any) -> Iterable[Any]:
    """Return the items of collection *value*; raise `HostError` if that runs user code."""
    cls: Any = type(value)
    if is_enum(cls):
        # A flag is a collection of its members, and a constant all the same.
        return ()
    if is_loaded():
        from typesig.extraction.libraries.pydantic_models import is_masked

        if is_masked(cls):
            # Its JSON, filled in where the model leaves it out, would not be the default.
            raise HostError(f"a {cls.__qualname__} is not written as it is read")
    # hasattr would also find the attributes of a metaclass, such as that of enums.
    made = {name for c in cls.__mro__ if c.__module__ != "builtins" for name in vars(c)}
    known = made | {name for c in cls.__mro__ for name in vars(c)}
    if made & {"__dataclass_fields__", "__attrs_attrs__"}:
        return vars(value).values() if hasattr(value, "__dict__") else ()
    if "__iter__" not in known or isinstance(value, str | bytes | bytearray):
        return ()
    plain = cls.__module__ in ("builtins", "collections", "types")
    own = made & {"__iter__", "__len__", "items", "values"}
    if "__next__" in known or (own and not plain):
        raise HostError(f"a value of {cls.__qualname__} has no JSON form")
    try:
        is_large = len(value) > MAX_DEFAULT
    except OverflowError:
        # A range can be longer than the largest length.
        is_large = True
    if is_large:
        raise HostError(f"it has more than {MAX_DEFAULT} values")
    return value.values() if isinstance(value, dict) else value
