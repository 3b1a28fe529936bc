"""Lists of dataclasses to JSON text, by a library that is loaded: no dict is made of an object.

The library writes an object by its fields, as typesig does of a class that has nothing of its own.
The first text of a class is compared with that of dicts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import MemberDescriptorType
from typing import Any

from typesig import json_backends

#: Makes the text, as bytes, of objects of one class, or raises.
WriteObjects = Callable[[list[Any]], bytes]


def objects_writer(
    cls: Any, names: Mapping[str, str], items: list[Any], values: list[Any]
) -> WriteObjects | None:
    """Return what writes lists of objects of *cls* by the attributes *names*, None without one.

    It is tried with *items*, whose *values* are known.
    """
    codec = json_backends.find_loaded_codec()
    if codec is None or codec.objects is None or not _is_plain(cls, names):
        return None
    try:
        write = codec.objects(cls, list(names))
        return write if write(items) == codec.dumps(values) else None
    except Exception:
        # A version of the library that has other names, or a text with a surrogate.
        return None


def _is_plain(cls: Any, names: Mapping[str, str]) -> bool:
    """Whether *cls* is a dataclass whose fields are what *names* tells, kept as they are."""
    if not hasattr(cls, "__dataclass_fields__") or hasattr(cls, "__pydantic_fields__"):
        return False
    if [field.name for field in sys.modules["dataclasses"].fields(cls)] != list(names.values()):
        return False
    spaces = [vars(each) for each in cls.__mro__]
    own = [space[name] for space in spaces for name in names if name in space]
    # A slot is read by a descriptor; any other may be of a property.
    has_slots = {type(each) for each in own if hasattr(type(each), "__get__")}
    is_kept = has_slots <= {MemberDescriptorType} and not (has_slots and has_dict(cls))
    has_methods = hasattr(cls, "__getattr__") or cls.__getattribute__ is not object.__getattribute__
    return is_kept and not has_methods and list(names) == list(names.values())


def has_dict(cls: Any) -> bool:
    """Whether objects of *cls*, of which none has slots as well, have a dict."""
    return cls.__dictoffset__ != 0  # type: ignore[no-any-return]
