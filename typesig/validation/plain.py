"""Algebra values to plain JSON data: what `Outcome.value` holds.

An aware datetime becomes RFC 3339 text, a keyword its text, a set a list in a fixed order, a tuple
a list, a map's keys text.  What is plain already is returned as it is, not copied.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from typesig.algebra.values import kind_of
from typesig.limits import MAX_VALUE_DEPTH

_PLAIN = frozenset({str, int, float, bool, type(None)})


def plain(value: Any, depth: int = 0) -> Any:
    """Return *value* as plain JSON data, the same object where it is plain.

    What JSON has no form for stays as it is.

    >>> from typesig import Keyword
    >>> plain({"a": {3, 1, 2}, "b": Keyword("x")})
    {'a': [1, 2, 3], 'b': 'x'}
    """
    cls = type(value)
    if cls in _PLAIN or depth > 2 * MAX_VALUE_DEPTH:
        return value
    if type(cls).__name__ in ("EnumMeta", "EnumType"):
        # A member stands for its text, as a keyword does.
        return value.value if type(value.value) in _PLAIN else value.name
    kind = kind_of(value)
    convert = _CONVERT.get(kind)
    return value if convert is None else convert(value, depth + 1)


def _list(value: Any, depth: int) -> Any:
    out = [plain(item, depth) for item in value]
    same = type(value) is list and all(a is b for a, b in zip(out, value, strict=True))
    return value if same else out


def _set(value: Any, depth: int) -> Any:
    return sorted([plain(item, depth) for item in value], key=_sort_key)


def _sort_key(item: Any) -> tuple[str, Any]:
    if type(item) in (int, float):
        return "", item
    return kind_of(item), dumped(item)


def _map(value: Any, depth: int) -> Any:
    out = {key_text(key): plain(item, depth) for key, item in value.items()}
    same = type(value) is dict and all(
        type(key) is str and item is out[key] for key, item in value.items()
    )
    return value if same else out


def key_text(key: Any) -> str:
    """Return *key* as JSON writes it: text."""
    if isinstance(key, str):
        return str.__str__(key)
    part = plain(key)
    return part if isinstance(part, str) else dumped(part)


def dumped(value: Any) -> str:
    """Return *value* as JSON text that orders and names it, whatever it holds."""
    try:
        return json.dumps(value, sort_keys=True, default=str)
    except ValueError:
        # A number of more digits than Python writes; in another base it writes any.
        return hex(value) if isinstance(value, int) else f"{type(value).__name__} of long numbers"


def _datetime(value: Any, _depth: int) -> str:
    text: str = value.isoformat()
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def _keyword(value: Any, _depth: int) -> str:
    return str.__str__(value)


_CONVERT: dict[str, Callable[[Any, int], Any]] = {
    "list": _list,
    "set": _set,
    "map": _map,
    "datetime": _datetime,
    "keyword": _keyword,
}
