"""What a model sees of a type and of data: firewalled names left out, at every depth.

It saves a model's context; it is not an access control.
"""

from __future__ import annotations

import json
from typing import Any

from typesig.algebra.nodes import Field, MapOf, Record, Type
from typesig.algebra.signature import Definition, Signature, mapped
from typesig.algebra.traversal import level, transform
from typesig.validation.excerpt import FIREWALLED
from typesig.validation.plain import plain


def visible(signature: Signature) -> Signature:
    """Return *signature* without the params and fields that are firewalled."""
    shown = mapped(signature, visible_type)
    params = tuple(field for field in shown.params if not field.firewalled)
    reached = _reached(params, shown)
    kept = [Definition(d.name, d.type) for d in shown.definitions if d.name in reached]
    return Signature(params, shown.returns, kept, shown.extra, shown.io)


def _reached(params: tuple[Field, ...], signature: Signature) -> set[str]:
    """Return the names that are still used once what is firewalled is gone."""
    from typesig.algebra.traversal import references

    names = signature.names
    pending = [field.type for field in params] + [signature.returns]
    if signature.extra is not None:
        pending.append(signature.extra)
    reached: set[str] = set()
    while pending:
        for name in references(pending.pop()) - reached:
            reached.add(name)
            pending.append(names[name])
    return reached


def visible_type(t: Type) -> Type:
    """Return *t* without the fields that are firewalled."""

    def step(part: Type) -> Type:
        if isinstance(part, Record) and any(field.firewalled for field in part.fields):
            return Record(tuple(f for f in part.fields if not f.firewalled), part.extra)
        return part

    return transform(t, step)


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
        return f"[{', '.join(_text(item, _items(t, names), names) for item in value)}]"
    if isinstance(value, dict):
        pairs = []
        for key, item in value.items():
            hidden, inner = _entry(key, t, names)
            shown = FIREWALLED if hidden else _text(item, inner, names)
            pairs.append(f"{json.dumps(key, ensure_ascii=False)}: {shown}")
        return f"{{{', '.join(pairs)}}}"
    return json.dumps(value, ensure_ascii=False, default=str)


def _items(t: Type | None, names: dict[str, Type]) -> Type | None:
    from typesig.algebra.nodes import List, Set

    if t is None:
        return None
    return next((part.item for part in level(t, names) if isinstance(part, List | Set)), None)


def _entry(key: str, t: Type | None, names: dict[str, Type]) -> tuple[bool, Type | None]:
    """Return whether the value under *key* is hidden, and its type where it is known."""
    if t is not None:
        for part in level(t, names):
            if isinstance(part, Record):
                for field in part.fields:
                    if field.name == key:
                        return field.firewalled, field.type
            if isinstance(part, MapOf):
                return False, part.value
    return key.startswith("_"), None
