"""What a model sees of a type and of data: firewalled names left out, at every depth.

It saves a model's context; it is not an access control.
"""

from __future__ import annotations

import json
from typing import Any

from typesig.algebra.nodes import Field, List, MapOf, Record, Set, Tuple, Type, folded
from typesig.algebra.signature import Definition, Signature, mapped
from typesig.algebra.traversal import level, transform
from typesig.algebra.values import Const, Pair
from typesig.validation.excerpt import FIREWALLED
from typesig.validation.plain import plain


def visible(signature: Signature) -> Signature:
    """Return *signature* without the params and fields that are firewalled."""
    shown = mapped(signature, visible_type)
    params = _shown(shown.params)
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
        if isinstance(part, Record):
            return Record(_shown(part.fields), part.extra, part.matching)
        return part

    return transform(t, step)


def _shown(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the fields that a model sees, their defaults without what it does not see."""
    return tuple(
        Field(f.name, f.type, f.required, _visible_default(f.default), f.exact)
        for f in fields
        if not f.firewalled
    )


def _visible_default(value: Const | None) -> Const | None:
    if value is None or value.kind not in ("list", "map"):
        return value
    if value.kind == "list":
        return Const("list", tuple([_visible_default(item) for item in value.value]))
    kept = [pair for pair in value.value if not pair.name.startswith("_")]
    pairs = [Pair(pair.name, _visible_default(pair.const) or pair.const) for pair in kept]
    return Const("map", tuple(pairs))


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
