"""A value as a message shows it: short, on one line, and with what is firewalled left out."""

from __future__ import annotations

import json
from typing import Any

from typesig.algebra.nodes import folded
from typesig.algebra.values import kind_of
from typesig.limits import MAX_EXCERPT

#: What stands where a value is not shown.
FIREWALLED = "<Firewalled>"


def shown(value: object, limit: int = MAX_EXCERPT) -> str:
    """Return *value* with its kind, as `string "abc"` or `nil`, in about *limit* characters.

    >>> shown("abc"), shown(None), shown([1, {"a": True}])
    ('string "abc"', 'nil', 'list [1, {"a": true}]')
    """
    kind = kind_of(value)
    if kind == "nil":
        return "nil"
    if kind == "object":
        return "a value that JSON has no form for"
    return f"{kind} {bare(value, limit)}"


def bare(value: object, limit: int = MAX_EXCERPT) -> str:
    """Return *value* alone, JSON cut to about *limit* characters."""
    out: list[str] = []
    _write(value, out, limit, 0)
    return "".join(out)


def _write(value: Any, out: list[str], room: int, depth: int) -> int:
    """Append *value* to *out* and return the room that is left; stop where there is none."""
    kind = kind_of(value)
    if kind == "list":
        return _series("[", "]", value, out, room, depth)
    if kind == "set":
        return _series("#{", "}", value, out, room, depth)
    if kind == "map":
        return _map(value, out, room, depth)
    text = _scalar(kind, value, room)
    out.append(text)
    return room - len(text)


def _series(opened: str, closed: str, items: Any, out: list[str], room: int, depth: int) -> int:
    out.append(opened)
    for count, item in enumerate(items):
        if count:
            out.append(", ")
        if room <= 0 or depth > 4:
            out.append("…")
            break
        room = _write(item, out, room - 2, depth + 1)
    out.append(closed)
    return room - 2


def _map(value: Any, out: list[str], room: int, depth: int) -> int:
    out.append("{")
    for count, (key, item) in enumerate(value.items()):
        if count:
            out.append(", ")
        if room <= 0 or depth > 4:
            out.append("…")
            break
        if isinstance(key, str) and folded(key).startswith("_"):
            out.append(FIREWALLED)
            room -= len(FIREWALLED)
            continue
        name = text(key, max(room, 8)) if isinstance(key, str) else bare(key, 20)
        out.append(f"{name}: ")
        room = _write(item, out, room - len(out[-1]), depth + 1)
    out.append("}")
    return room - 2


def _scalar(kind: str, value: Any, room: int) -> str:
    match kind:
        case "nil":
            return "nil"
        case "bool":
            return "true" if value else "false"
        case "int":
            return _digits(value)
        case "float":
            return repr(float(value))
        case "string":
            return text(value, max(room, 8))
        case "keyword":
            return f":{text(value, max(room, 8))[1:-1]}"
        case "datetime":
            return str(value.isoformat())
        case _:
            return "…"


def _digits(value: int) -> str:
    # Python refuses to write very long integers, and a model has no use for their digits.
    if value.bit_length() > 256:
        return f"of {value.bit_length()} bits"
    return str(int(value))


def text(value: str, limit: int = MAX_EXCERPT) -> str:
    """Return *value* as a JSON string on one line, at most about *limit* characters of it."""
    cut = str.__str__(value)[: limit + 1]
    if len(cut) > limit:
        cut = cut[:limit] + "…"
    dumped = json.dumps(cut, ensure_ascii=False)
    if dumped.isprintable():
        return dumped
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in dumped)
