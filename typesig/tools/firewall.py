"""What a model sees of data: firewalled values left out, at every depth.

It saves a model's context; it is not an access control.
"""

from __future__ import annotations

import json
from typing import Any

from typesig.algebra.nodes import List, MapOf, Record, Set, Tuple, Type, folded
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import level
from typesig.validation.excerpt import FIREWALLED
from typesig.validation.plain import plain


def render_data(value: object, type: Signature | None = None) -> str:
    """Return *value* as JSON text for a model, `<Firewalled>` where a value is not shown.

    With *type*, its result says which names are firewalled; without, a leading underscore does.

    >>> render_data({"summary": "two mails", "_ids": [7, 9]})
    '{"summary": "two mails", "_ids": <Firewalled>}'
    """
    data = plain(value)
    if type is None:
        return _text(data, None, {})
    return _text(data, type.returns, type.names)


def _text(value: Any, t: Type | None, names: dict[str, Type]) -> str:
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


def _item(t: Type | None, place: int, names: dict[str, Type]) -> Type | None:
    """Return the type of the item at *place*, where it is known."""
    for part in () if t is None else level(t, names):
        if isinstance(part, List | Set):
            return part.item
        if isinstance(part, Tuple):
            return part.items[place] if place < len(part.items) else part.rest
    return None


def _entry(key: str, t: Type | None, names: dict[str, Type]) -> tuple[bool, Type | None]:
    """Return whether the value under *key* is hidden, and its type where it is known."""
    if t is not None:
        for part in level(t, names):
            if isinstance(part, Record):
                for field in part.fields:
                    if field.name == key or (not field.exact and field.key == folded(key)):
                        return field.firewalled, field.type
            if isinstance(part, MapOf):
                return False, part.value
    return folded(key).startswith("_"), None
