"""Plain JSON data: of values, for `Outcome.value`, and numbers with the digits of their text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from typesig.algebra.rows.values import SMALL, Kind, get_kind, is_text, make_hashable, to_builtin
from typesig.limits import MAX_UNWATCHED, MAX_VALUE_DEPTH

# --- Values to plain JSON data, for `Outcome.value` ---
# An aware datetime becomes RFC 3339 text, a keyword its text, a set a list in a fixed order, a
# tuple a list, and the keys of a map text.  A value that is already plain is not copied.

#: Writes a text as `json.dumps` does.
encode_text = json.encoder.encode_basestring_ascii

_PLAIN = frozenset({str, int, float, bool, type(None)})


class _Traversal:
    """Visit count and cached results of one conversion to plain data.

    #: left: how many values may be visited before what is made of lists and maps is remembered
    #: known: lists, sets and maps, and what was made of them, by id
    """

    __slots__ = ("known", "left")

    def __init__(self) -> None:
        self.left = MAX_UNWATCHED
        self.known: dict[int, tuple[Any, Any]] = {}


def to_plain(value: Any) -> Any:
    """Return *value* as plain JSON data, or *value* itself if it is plain.

    A value that JSON has no form for is returned as it is.

    >>> from typesig.algebra import Keyword
    >>> to_plain({"a": {3, 1, 2}, "b": Keyword("x")})
    {'a': [1, 2, 3], 'b': 'x'}
    """
    return value if type(value) in _PLAIN else _convert(value, 0, _Traversal())


def _convert(value: Any, depth: int, walk: _Traversal) -> Any:
    """Convert *value*, at nesting level *depth*, to plain JSON data."""
    cls = type(value)
    if cls in _PLAIN or depth > 2 * MAX_VALUE_DEPTH:
        return value
    if type(cls).__name__ in ("EnumMeta", "EnumType"):
        # A member of an Enum is a keyword, whose plain form is a text.
        return value.value if type(value.value) in _PLAIN else value.name
    walk.left -= 1
    if walk.left >= 0:
        return _CONVERSIONS[get_kind(value)](value, depth + 1, walk)
    # Lists that share lists take little memory, but exponential time to walk.
    found = walk.known.get(id(value))
    if found is None:
        # The value is kept alive, so that its id stays its own.
        found = value, _CONVERSIONS[get_kind(value)](value, depth + 1, walk)
        walk.known[id(value)] = found
    return found[1]


def _return_same(value: Any, _depth: int, _walk: _Traversal) -> Any:
    """Return *value* unchanged; conversion of a kind that is plain already."""
    return value


_TEXTS = frozenset({str})


def _convert_scalar(value: Any, _depth: int, _walk: _Traversal) -> Any:
    """Convert *value*, of a subclass of a builtin scalar, to the builtin class."""
    return to_builtin(value)


def _list(value: Any, depth: int, walk: _Traversal) -> Any:
    """Convert the items of *value* to a list, or return *value* if nothing changes."""
    if type(value) is list and _PLAIN.issuperset(map(type, value)):
        return value
    out = [_convert(item, depth, walk) for item in to_builtin(value)]
    same = type(value) is list and all(a is b for a, b in zip(out, value, strict=True))
    return value if same else out


def _set(value: Any, depth: int, walk: _Traversal) -> Any:
    """Convert the set *value* to a sorted list of plain items."""
    return sorted([_convert(item, depth, walk) for item in to_builtin(value)], key=get_sort_key)


def get_sort_key(item: Any) -> tuple[str, Any]:
    """Return the sort key of *item* of a set in JSON."""
    if type(item) in (int, float):
        return "", item
    if type(item) is str:
        return "string", encode_text(item)
    return get_kind(item), write_sort_text(item)


def _map(value: Any, depth: int, walk: _Traversal) -> Any:
    """Convert the map *value* to a dict with text keys, or return it if nothing changes."""
    if type(value) is dict and _TEXTS.issuperset(map(type, value)):
        made = value
        for key, item in value.items():
            if type(item) in _PLAIN:
                continue
            new = _convert(item, depth, walk)
            if new is not item:
                made = dict(value) if made is value else made
                made[key] = new
        return made
    return {write_key(key): _convert(item, depth, walk) for key, item in to_builtin(value).items()}


def write_key(key: Any) -> str:
    """Write the map *key* as the text of a JSON key."""
    if is_text(key):
        return str.__str__(key)
    if type(key) is int and -SMALL <= key <= SMALL:
        return int.__repr__(key)
    part = to_plain(key)
    return part if is_text(part) else write_sort_text(part)


def write_sort_text(value: Any) -> str:
    """Return *value* as JSON text for sorting; never raises."""
    try:
        return json.dumps(value, sort_keys=True, default=str)
    except Exception:
        # `str` of an object of others may raise anything.
        # Python limits the digits of decimal text, but not those of hexadecimal text.
        return hex(value) if type(value) is int else f"{type(value).__name__} of long numbers"


def _write_datetime(value: Any, _depth: int, _walk: _Traversal) -> str:
    """Write the datetime *value* in ISO 8601, with "Z" for UTC."""
    text: str = to_builtin(value).isoformat()
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


_CONVERSIONS: dict[Kind, Callable[[Any, int, _Traversal], Any]] = {
    "nil": _return_same, "bool": _return_same, "int": _convert_scalar, "float": _convert_scalar,
    "string": _convert_scalar,
    "keyword": lambda value, *_: str.__str__(value), "list": _list, "map": _map, "set": _set,
    "datetime": _write_datetime, "object": _return_same,
}  # fmt: skip


# --- Numbers with the digits that a JSON text has, for types that keep them ---
# A float has some 16 digits.  Where a type keeps more, the reader of the text makes a
# `WrittenFloat`, which the check turns into what the type asks for; what is left becomes an
# ordinary float.


class WrittenFloat(float):
    """The float that is nearest to a number of a JSON text, with the *digits* of that text.

    >>> WrittenFloat("1.10"), WrittenFloat("1.10").digits
    (1.1, '1.10')
    """

    __slots__ = ("digits",)
    digits: str

    def __new__(cls, digits: str) -> WrittenFloat:
        """Return the float of *digits*."""
        made = super().__new__(cls, digits)
        made.digits = digits
        return made

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]  # text, as `__new__` takes
        return (self.digits,)


def get_digits(number: float) -> str:
    """Write *number* with its original digits if known, else as Python does."""
    return number.digits if type(number) is WrittenFloat else float.__repr__(number)


def replace_written_floats(value: Any) -> Any:
    """Return *value*, or a copy of it in which each `WrittenFloat` is an ordinary float.

    >>> replace_written_floats([WrittenFloat("1.10"), {"a": 1}])
    [1.1, {'a': 1}]
    """
    return float(value) if type(value) is WrittenFloat else _replace_floats(value, 0, {})


def _replace_floats(value: Any, depth: int, known: dict[int, Any]) -> Any:
    """Return *value* with ordinary floats; *known* maps container ids to results."""
    if type(value) in _SCALARS or depth > 2 * MAX_VALUE_DEPTH:
        return value
    if type(value) is WrittenFloat:
        return float(value)
    if id(value) in known:
        return known[id(value)]
    # Within itself, it stays as it is.
    known[id(value)] = value
    data = to_builtin(value)
    made: Any = value
    cls = type(data)
    if cls is dict:
        parts = {key: _replace_floats(item, depth + 1, known) for key, item in data.items()}
        made = parts if any(parts[key] is not data[key] for key in parts) else value
    elif cls in _COLLECTIONS:
        items = [_replace_floats(item, depth + 1, known) for item in data]
        same = all(a is b for a, b in zip(items, data, strict=True))
        # A set contains no dict: its maps stay such that it can.
        kept = map(make_hashable, items) if cls in (set, frozenset) else items
        made = value if same else cls(kept)
    known[id(value)] = made
    return made


_SCALARS = frozenset({str, int, float, bool, type(None)})

#: By the class itself: an object of others may raise or lie when it is asked for its own.
_COLLECTIONS = frozenset({list, tuple, set, frozenset})
