"""Values to plain JSON data, for `Outcome.value`.

An aware datetime becomes RFC 3339 text, a keyword its text, a set a list in a fixed order, a tuple
a list, and the keys of a map text.  A value that is already plain is not copied.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from typesig.algebra.rows.values import Kind, exact, is_text, kind_of
from typesig.limits import MAX_UNWATCHED, MAX_VALUE_DEPTH

_PLAIN = frozenset({str, int, float, bool, type(None)})


class _Walk:
    """What a walk over one value has visited.

    #: left: how many values may be visited before what is made of lists and maps is remembered
    #: known: lists, sets and maps, and what was made of them, by id
    """

    __slots__ = ("known", "left")

    def __init__(self) -> None:
        self.left = MAX_UNWATCHED
        self.known: dict[int, tuple[Any, Any]] = {}


def plain(value: Any) -> Any:
    """Return *value* as plain JSON data, or *value* itself if it is plain.

    A value that JSON has no form for is returned as it is.

    >>> from typesig.algebra import Keyword
    >>> plain({"a": {3, 1, 2}, "b": Keyword("x")})
    {'a': [1, 2, 3], 'b': 'x'}
    """
    return value if type(value) in _PLAIN else _made(value, 0, _Walk())


def _made(value: Any, depth: int, walk: _Walk) -> Any:
    cls = type(value)
    if cls in _PLAIN or depth > 2 * MAX_VALUE_DEPTH:
        return value
    if type(cls).__name__ in ("EnumMeta", "EnumType"):
        # A member of an Enum is a keyword, whose plain form is a text.
        return value.value if type(value.value) in _PLAIN else value.name
    walk.left -= 1
    if walk.left >= 0:
        return _CONVERSIONS[kind_of(value)](value, depth + 1, walk)
    # Lists that share lists take little memory, but exponential time to walk.
    found = walk.known.get(id(value))
    if found is None:
        # The value is kept alive, so that its id stays its own.
        found = value, _CONVERSIONS[kind_of(value)](value, depth + 1, walk)
        walk.known[id(value)] = found
    return found[1]


def _same(value: Any, _depth: int, _walk: _Walk) -> Any:
    return value


def _scalar(value: Any, _depth: int, _walk: _Walk) -> Any:
    return exact(value)


def _list(value: Any, depth: int, walk: _Walk) -> Any:
    out = [_made(item, depth, walk) for item in exact(value)]
    same = type(value) is list and all(a is b for a, b in zip(out, value, strict=True))
    return value if same else out


def _set(value: Any, depth: int, walk: _Walk) -> Any:
    return sorted([_made(item, depth, walk) for item in exact(value)], key=sort_key)


def sort_key(item: Any) -> tuple[str, Any]:
    """Return the key by which the items of a set are ordered in JSON."""
    if type(item) in (int, float):
        return "", item
    return kind_of(item), dumped(item)


def _map(value: Any, depth: int, walk: _Walk) -> Any:
    out = {key_text(key): _made(item, depth, walk) for key, item in exact(value).items()}
    same = type(value) is dict and all(
        type(key) is str and item is out[key] for key, item in value.items()
    )
    return value if same else out


def key_text(key: Any) -> str:
    """Return *key* as the text that JSON has for it."""
    if is_text(key):
        return str.__str__(key)
    part = plain(key)
    return part if is_text(part) else dumped(part)


def dumped(value: Any) -> str:
    """Return *value* as JSON text by which it can be sorted; never raises."""
    try:
        return json.dumps(value, sort_keys=True, default=str)
    except Exception:
        # `str` of an object of others may raise anything.
        # Python limits the digits of decimal text, but not those of hexadecimal text.
        return hex(value) if type(value) is int else f"{type(value).__name__} of long numbers"


def _datetime(value: Any, _depth: int, _walk: _Walk) -> str:
    text: str = exact(value).isoformat()
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def _keyword(value: Any, _depth: int, _walk: _Walk) -> str:
    return str.__str__(value)


_CONVERSIONS: dict[Kind, Callable[[Any, int, _Walk], Any]] = {
    "nil": _same, "bool": _same, "int": _scalar, "float": _scalar, "string": _scalar,
    "keyword": _keyword, "list": _list, "map": _map, "set": _set, "datetime": _datetime,
    "object": _same,
}  # fmt: skip
