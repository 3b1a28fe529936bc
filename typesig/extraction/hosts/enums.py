"""Enum classes and their members, known without importing enum."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from typesig.algebra.rows.values import Const, const
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
    # aenum can add members to a class later.
    own = _have_own_values(cls, len(cls.__members__))
    return const(member.value if own else member.name)


@lru_cache(maxsize=256)
def _have_own_values(cls: Any, _count: int) -> bool:
    """Return whether each member of the enum class *cls* has a constant value of its own.

    Known for each class, since every member of a class asks for it.
    """
    try:
        values = [const(member.value) for member in cls]
    except TypesigError:
        return False
    return len(set(values)) == len(values)


def is_listed(member: Any) -> bool:
    """Return whether the enum's *member* is one that its class names, not a sum of a flag's."""
    return type(member).__members__.get(member.name) is member
