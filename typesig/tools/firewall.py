"""Data as a model sees it: without firewalled values, at every depth.

This saves a model's context; it is not an access control.
"""

from __future__ import annotations

import json
from typing import Any, assert_never

from typesig.algebra.nodes import (
    Both,
    Enum,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
    folded,
)
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import level
from typesig.errors import TooDeep
from typesig.limits import MAX_VALUE_DEPTH
from typesig.validation.excerpt import FIREWALLED
from typesig.validation.plain import plain


def render_data(value: object, type: Signature | None = None) -> str:
    """Return *value* as JSON text for a model, with `<Firewalled>` in place of firewalled values.

    With *type*, names are firewalled as in its result; without, those with a leading underscore.
    Raises `TooDeep` beyond `MAX_VALUE_DEPTH`.

    >>> render_data({"summary": "two mails", "_ids": [7, 9]})
    '{"summary": "two mails", "_ids": <Firewalled>}'
    """
    data = plain(value)
    if type is None:
        return _text(data, None, {})
    return _text(data, type.returns, type.names)


def _text(value: Any, t: Type | None, names: dict[str, Type], depth: int = 0) -> str:
    if depth > MAX_VALUE_DEPTH:
        raise TooDeep(f"the data nests more than {MAX_VALUE_DEPTH} levels, or is inside itself")
    if isinstance(value, list):
        texts = [
            _text(item, _item(t, place, names), names, depth + 1)
            for place, item in enumerate(value)
        ]
        return f"[{', '.join(texts)}]"
    if isinstance(value, dict):
        pairs = []
        for key, item in value.items():
            hidden, inner = _entry(key, t, names)
            shown = FIREWALLED if hidden else _text(item, inner, names, depth + 1)
            pairs.append(f"{json.dumps(key, ensure_ascii=False)}: {shown}")
        return f"{{{', '.join(pairs)}}}"
    return json.dumps(value, ensure_ascii=False, default=str)


def _item(t: Type | None, place: int, names: dict[str, Type]) -> Type | None:
    """Return the type of the item at *place*, or None if it is not known."""
    for part in () if t is None else level(t, names):
        match part:
            case List(item) | Set(item):
                return item
            case Tuple(items, rest):
                return items[place] if place < len(items) else rest
            case Maybe() | Union() | One() | Both() | Refined() | Noted() | Ref():
                continue  # `level` yields the types within, too
            case Scalar() | MapOf() | Record() | Enum() | Not():
                continue
            case _:
                assert_never(part)
    return None


def _entry(key: str, t: Type | None, names: dict[str, Type]) -> tuple[bool, Type | None]:
    """Return whether the value under *key* is firewalled, and its type or None if unknown."""
    for part in () if t is None else level(t, names):
        match part:
            case Record(fields):
                for field in fields:
                    if field.name == key or (not field.exact and field.key == folded(key)):
                        return field.firewalled, field.type
            case MapOf(_, value):
                return False, value
            case Maybe() | Union() | One() | Both() | Refined() | Noted() | Ref():
                continue  # `level` yields the types within, too
            case Scalar() | List() | Set() | Tuple() | Enum() | Not():
                continue
            case _:
                assert_never(part)
    return folded(key).startswith("_"), None
