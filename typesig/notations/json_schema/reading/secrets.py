"""The secrets of a JSON Schema: what is marked `writeOnly`, or has the format `password`."""

from __future__ import annotations

from typing import Any, NamedTuple


class _Definition(NamedTuple):
    """The place of a definition, which references name."""

    pointer: str


#: Keywords whose values are data, not schemas.
_DATA = ("const", "default", "enum", "example", "examples")


def secret_names(schema: Any) -> frozenset[str]:
    """Return the names of properties that hold secrets; an empty name is the whole value.

    >>> sorted(secret_names({"properties": {"user": {}, "pin": {"writeOnly": True}}}))
    ['pin']
    """
    found: set[str | _Definition] = set()
    users: dict[str, set[str | _Definition]] = {}
    seen: set[tuple[int, str | _Definition]] = set()
    pending: list[tuple[Any, str | _Definition]] = [(schema, "")]
    while pending:
        part, name = pending.pop()
        if not isinstance(part, dict | list) or (id(part), name) in seen:
            continue
        seen.add((id(part), name))
        if isinstance(part, list):
            pending.extend((each, name) for each in part)
            continue
        if part.get("writeOnly") is True or part.get("format") == "password":
            found.add(name)
        if isinstance(part.get("$ref"), str):
            users.setdefault(part["$ref"], set()).add(name)
        for word, value in part.items():
            if word == "properties" and isinstance(value, dict):
                pending.extend((each, str(key)) for key, each in value.items())
            elif word in ("$defs", "definitions") and isinstance(value, dict):
                pending.extend(
                    (each, _Definition(f"#/{word}/{key}")) for key, each in value.items()
                )
            elif word not in _DATA:
                pending.append((value, name))
    return frozenset(name for name in _with_users(found, users) if isinstance(name, str))


def _with_users(
    found: set[str | _Definition], users: dict[str, set[str | _Definition]]
) -> set[str | _Definition]:
    """Return *found* and what refers to a definition in it, directly or through others."""
    pending = list(found)
    while pending:
        name = pending.pop()
        if isinstance(name, _Definition):
            more = users.get(name.pointer, set()) - found
            found |= more
            pending.extend(more)
    return found
