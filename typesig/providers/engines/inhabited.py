"""Which named types have a value at all: a type that always contains itself has none."""

from __future__ import annotations

from collections.abc import Container, Mapping

from typesig.algebra import nodes
from typesig.algebra.traversal import references
from typesig.notations.json_schema.keywords.kinds import NEVER


def inhabited(names: Mapping[str, nodes.Type]) -> frozenset[str]:
    """Return those of *names* that have a value, which ends after a number of steps.

    >>> from typesig.algebra.nodes import Maybe, Ref, Tuple
    >>> sorted(inhabited({"a": Maybe(Ref("b")), "b": Tuple((Ref("b"), Ref("a")))}))
    ['a']
    """
    users: dict[str, list[str]] = {}
    for name, t in names.items():
        for used in references(t):
            users.setdefault(used, []).append(name)
    found: set[str] = set()
    pending = list(names)
    while pending:
        name = pending.pop()
        if name not in found and _has_value(names[name], found):
            found.add(name)
            pending += users.get(name, [])
    return frozenset(found)


def _has_value(t: nodes.Type, found: Container[str]) -> bool:
    """Tell whether *t*, a settled type, has a value if the names *found* have one."""
    match t:
        case nodes.Ref(name):
            return name in found
        case nodes.Union(members):
            return any(_has_value(member, found) for member in members)
        case nodes.Record(fields):
            return all(_has_value(field.type, found) for field in fields if field.required)
        case nodes.Tuple(items):
            return all(_has_value(item, found) for item in items)
        case nodes.Refined(nodes.List(item), constraints):
            needs = any(each.name == "at_least" for each in constraints)
            return not needs or _has_value(item, found)
        case nodes.Refined(inner):
            return _has_value(inner, found)
        case _:
            # Null, a scalar, a constant, an empty list.
            return t != NEVER
