"""Data as a model sees it: without firewalled values, at every depth.

This saves a model's context; it is not an access control.
"""

from __future__ import annotations

import json
from typing import Any, assert_never

from typesig.algebra.nodes import (
    Both,
    Enum,
    Field,
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
from typesig.validation.excerpt import FIREWALLED
from typesig.validation.keys import KeyPlan
from typesig.validation.plain import plain


def render_data(value: object, type: Signature | None = None) -> str:
    """Return *value* as JSON text for a model, with `<Firewalled>` in place of firewalled values.

    With *type*, names are firewalled as in its result; without, those with a leading underscore.

    >>> render_data({"summary": "two mails", "_ids": [7, 9]})
    '{"summary": "two mails", "_ids": <Firewalled>}'
    """
    data = plain(value)
    if type is None:
        return _text(data, None, _Levels({}))
    return _text(data, type.returns, _Levels(type.names))


class _Levels:
    """What types say about the value that they judge; each type is looked at once."""

    def __init__(self, names: dict[str, Type]) -> None:
        self.names = names
        self.parts: dict[Type, tuple[Type, ...]] = {}
        self.fields: dict[Record, tuple[KeyPlan, dict[str | None, Field]]] = {}

    def of(self, t: Type) -> tuple[Type, ...]:
        """Return the shapes that judge the same value as *t*."""
        found = self.parts.get(t)
        if found is None:
            found = self.parts[t] = tuple(level(t, self.names))
        return found

    def field(self, record: Record, key: str) -> Field | None:
        """Return the field of *record* that *key* stands for, or None."""
        found = self.fields.get(record)
        if found is None:
            by_name: dict[str | None, Field] = {field.name: field for field in record.fields}
            found = self.fields[record] = KeyPlan(record.fields), by_name
        plan, fields = found
        return fields.get(plan.declared(key))


def _text(value: Any, t: Type | None, names: _Levels) -> str:
    if isinstance(value, list):
        texts = [_text(item, _item(t, place, names), names) for place, item in enumerate(value)]
        return f"[{', '.join(texts)}]"
    if isinstance(value, dict):
        pairs = []
        for key, item in value.items():
            hidden, inner = _entry(key, t, names)
            shown = FIREWALLED if hidden else _text(item, inner, names)
            pairs.append(f"{json.dumps(key, ensure_ascii=False)}: {shown}")
        return f"{{{', '.join(pairs)}}}"
    return json.dumps(value, ensure_ascii=False, default=str)


def _item(t: Type | None, place: int, names: _Levels) -> Type | None:
    """Return the type of the item at *place*, or None if it is not known."""
    for part in () if t is None else names.of(t):
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


def _entry(key: str, t: Type | None, names: _Levels) -> tuple[bool, Type | None]:
    """Return whether the value under *key* is firewalled, and its type or None if unknown."""
    for part in () if t is None else names.of(t):
        match part:
            case Record():
                field = names.field(part, key)
                if field is not None:
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
