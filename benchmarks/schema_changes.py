"""Values of every kind, and small changes to a value, for the programs that judge schemas.

Used by `schema_values.py` and the programs that judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from schema_texts import near

ANYTHING: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 2.5, -0.5, 10**20, "", "a", "aa", "A b", "1", "é", "x" * 70,
    [], [1], ["a", "a"], [[], {}], [1, True], {}, {"a": 1}, {"b": None, "c": ["a"]},
)  # fmt: skip


def kind_of(value: Any) -> str:
    """Return the type of *value*, as named by JSON Schema."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def same(a: Any, b: Any) -> bool:
    """Tell whether two values are the same kind and the same JSON value."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return bool(a == b)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container inside *value* with each of its keys or indexes."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        inner = each.items() if isinstance(each, dict) else enumerate(each)
        for key, held in list(inner):
            yield each, key
            if isinstance(held, dict | list):
                waiting.append(held)


def integral_float(value: Any) -> bool:
    """Tell whether *value* contains an integral float."""
    held = [value] if not isinstance(value, dict | list) else [c[k] for c, k in places(value)]
    return any(isinstance(each, float) and each.is_integer() for each in held)


def changed(value: Any, random: Random) -> Any:
    """Return a copy of *value* with one small change somewhere."""
    box = [copied(value)]
    spots = list(places(box))
    holder, key = random.choice(spots if random.random() < 0.8 else spots[:1])
    old = holder[key]
    choice = random.random()
    if choice < 0.15 and holder is not box:
        del holder[key]
    elif choice < 0.3:
        holder[key] = random.choice(ANYTHING)
    else:
        holder[key] = _beside(old, random)
    return box[0]


def _beside(old: Any, random: Random) -> Any:
    match old:
        case bool() | None:
            return random.choice((not old, None, 0, "true", "null"))
        case int() | float():
            return random.choice((old + 1, old - 1, old + 0.5, -old, str(old), old * 1000, 10**30))
        case str():
            return random.choice((near(old, random), near(old, random), [old], 7))
        case list():
            extra = random.choice(old) if old and random.random() < 0.6 else random.choice(ANYTHING)
            return random.choice((old[1:], [*old, extra], [extra, *old], [], {"0": extra}))
        case _:
            name = random.choice(("undeclared", "a", "", *old))
            kept = {k: v for k, v in old.items() if k != name}
            added = {**old, name: random.choice(ANYTHING)}
            return random.choice((kept, added, added, {f"{name}_": 1, **kept}, list(old)))


def copied(value: Any) -> Any:
    """Return a deep copy of the JSON value *value*."""
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items()}
    return [copied(each) for each in value] if isinstance(value, list) else value
