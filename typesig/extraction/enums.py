"""Enum classes and their members, known without importing enum."""

from __future__ import annotations

from typing import Any

from typesig.algebra.values import Const, const
from typesig.errors import TypesigError


def is_enum(cls: Any) -> bool:
    """Return whether *cls* is an enum class."""
    return isinstance(cls, type) and type(cls).__name__ in ("EnumMeta", "EnumType")


def is_flag(cls: Any) -> bool:
    """Return whether the enum class *cls* is a flag."""
    return any(base.__name__ == "Flag" and base.__module__ == "enum" for base in cls.__mro__)


def constant_of_member(member: Any) -> Const:
    """Return the constant that stands for an enum's *member*.

    It is the member's value, or its name if not every member has a constant value of its own.
    """
    cls: Any = type(member)
    try:
        values = [const(each.value) for each in cls]
    except TypesigError:
        return const(member.name)
    return const(member.name) if len(set(values)) < len(values) else const(member.value)
