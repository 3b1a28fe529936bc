"""Classes whose constructors only store their arguments, and run nothing of the user's."""

from __future__ import annotations

import sys
from types import FunctionType, MemberDescriptorType
from typing import Any

#: The name of a constructor that dataclasses have written.
_WRITTEN = "__create_fn__.<locals>.__init__"


def is_plain(cls: Any) -> bool:
    """Return whether *cls* is a dataclass or a struct whose objects are made by storing values.

    All its fields are given, in order.
    """
    if cls.__new__ is not object.__new__ and not _is_struct(cls):
        return False
    if hasattr(cls, "__post_init__"):
        return False
    if _is_struct(cls):
        return bool(cls.__init__ is object.__init__)
    init = cls.__init__
    return (
        type(cls) is type
        and isinstance(init, FunctionType)
        and init.__code__.co_qualname == _WRITTEN
        and init is cls.__dict__.get("__init__")
        and _sets_attributes(cls)
    )


def is_stored(cls: Any, names: list[str]) -> bool:
    """Return whether the constructor of *cls*, which is plain, only sets the attributes *names*."""
    if _is_struct(cls) or cls.__dataclass_params__.frozen:
        return False
    # Without the arguments that a dataclass takes and does not keep.
    return [field.name for field in sys.modules["dataclasses"].fields(cls)] == names


def nil_by_default(cls: Any) -> frozenset[str]:
    """Return the names of the fields of *cls*, which is plain, that have None as their default."""
    if _is_struct(cls):
        names, known = cls.__struct_fields__, cls.__struct_defaults__
    else:
        code, known = cls.__init__.__code__, cls.__init__.__defaults__ or ()
        names = code.co_varnames[1 : code.co_argcount]
    tail = names[len(names) - len(known) :]
    return frozenset(name for name, each in zip(tail, known, strict=True) if each is None)


def _is_struct(cls: Any) -> bool:
    return type(cls).__name__ == "StructMeta" and type(cls).__module__.startswith("msgspec")


def _sets_attributes(cls: Any) -> bool:
    """Return whether setting the fields of the dataclass *cls* runs no function of the user's."""
    is_own = cls.__dataclass_params__.frozen or cls.__setattr__ is object.__setattr__
    spaces = [vars(each) for each in cls.__mro__]
    held = [space[name] for space in spaces for name in cls.__dataclass_fields__ if name in space]
    # A slot is set by a descriptor; a default is no descriptor that sets.
    return is_own and all(
        type(each) is MemberDescriptorType or not hasattr(type(each), "__set__") for each in held
    )
