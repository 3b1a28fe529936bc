"""Enum classes and their members, known without importing enum."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from typesig.algebra.rows.values import Const, to_const
from typesig.errors import TypesigError


def is_enum(cls: Any) -> bool:
    """Whether *cls* is an enum class."""
    return isinstance(cls, type) and type(cls).__name__ in ("EnumMeta", "EnumType")


def is_flag(cls: Any) -> bool:
    """Whether the enum class *cls* is a flag."""
    return any(base.__name__ == "Flag" and base.__module__ == "enum" for base in cls.__mro__)


def get_member_constant(member: Any) -> Const:
    """Return the constant for an enum's *member*.

    It is the member's value, or its name if not every member has a constant value of its own.
    """
    cls: Any = type(member)
    # aenum can add members to a class later.
    own = _have_own_values(cls, len(cls.__members__))
    return to_const(member.value if own else member.name)


@lru_cache(maxsize=256)
def _have_own_values(cls: Any, _count: int) -> bool:
    """Whether each member of the enum class *cls* has a distinct constant value.

    Known for each class, since every member of a class asks for it.
    """
    try:
        values = [to_const(member.value) for member in cls]
    except TypesigError:
        return False
    return len(set(values)) == len(values)


def is_listed(member: Any) -> bool:
    """Whether the enum's *member* is declared in its class, not a combination of flags."""
    return type(member).__members__.get(member.name) is member
