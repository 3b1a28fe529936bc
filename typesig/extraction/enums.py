"""Enum classes and their members, known without importing enum."""

from __future__ import annotations

from functools import lru_cache
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
    return const(member.value if _have_constants(cls) else member.name)


@lru_cache(maxsize=512)
def _have_constants(cls: Any) -> bool:
    """Return whether each member of *cls* has a constant value of its own."""
    try:
        values = [const(each.value) for each in cls]
    except TypesigError:
        return False
    return len(set(values)) == len(values)
