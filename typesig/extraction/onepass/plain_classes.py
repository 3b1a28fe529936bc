"""Classes whose objects are made by storing values, which generated code may do itself."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import FunctionType, MemberDescriptorType
from typing import Any, cast

#: The name of a constructor that dataclasses have written.
_WRITTEN = "__create_fn__.<locals>.__init__"

#: How the name of the file of such a constructor begins that attrs has written.
_WRITTEN_BY_ATTRS = "<attrs generated "


def is_plain(cls: Any) -> bool:
    """Whether objects of *cls* are made by storing values: no function of the user's runs.

    It is a dataclass, a struct, or a class of attrs.  All its fields are given, in order.
    """
    if cls.__new__ is not object.__new__ and not is_struct(cls):
        return False
    if hasattr(cls, "__post_init__"):
        return False
    if is_struct(cls):
        return bool(cls.__init__ is object.__init__)
    init, kind = cls.__init__, cast("object", type(cls))
    if kind is not type or not isinstance(init, FunctionType):
        return False
    if init is not cls.__dict__.get("__init__"):
        return False
    if "__attrs_attrs__" in cls.__dict__:
        return _is_plain_of_attrs(cls, init)
    if init.__code__.co_qualname != _WRITTEN:
        return False
    return _sets_attributes(cls, cls.__dataclass_params__.frozen, cls.__dataclass_fields__)


def _is_plain_of_attrs(cls: Any, init: FunctionType) -> bool:
    """Return the same of a class of attrs, which has *init*."""
    hooks = hasattr(cls, "__attrs_pre_init__") or hasattr(cls, "__attrs_post_init__")
    if hooks or not init.__code__.co_filename.startswith(_WRITTEN_BY_ATTRS):
        return False
    parts = cls.__attrs_attrs__
    if not all(part.init and part.validator is None and part.converter is None for part in parts):
        return False
    # What attrs writes for frozen classes is not called by their constructors.
    is_frozen = getattr(cls.__setattr__, "__module__", None) == "attr._make"
    return _sets_attributes(cls, is_frozen, [part.name for part in parts])


def is_stored(cls: Any, names: list[str]) -> bool:
    """Whether the constructor of *cls*, which is plain, only sets the attributes *names*."""
    if not hasattr(cls, "__dataclass_params__") or cls.__dataclass_params__.frozen:
        return False
    # Without the arguments that a dataclass takes and does not keep.
    return [field.name for field in sys.modules["dataclasses"].fields(cls)] == names


def is_struct(cls: Any) -> bool:
    """Whether *cls* is a struct of msgspec."""
    return type(cls).__name__ == "StructMeta" and type(cls).__module__.startswith("msgspec")


def _sets_attributes(cls: Any, is_frozen: bool, names: Iterable[str]) -> bool:
    """Whether setting *names* of objects of *cls* runs no function of the user's.

    Those of a class that *is_frozen* are set by `object` itself.
    """
    spaces = [vars(each) for each in cls.__mro__]
    held = [space[name] for space in spaces for name in names if name in space]
    # A slot is set by a descriptor; a default is no descriptor that sets.
    return (is_frozen or cls.__setattr__ is object.__setattr__) and all(
        type(each) is MemberDescriptorType or not hasattr(type(each), "__set__") for each in held
    )
