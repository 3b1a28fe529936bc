"""Defaults as constants: what can be looked at without using it up or running code of its own."""

from __future__ import annotations

from typing import Any

from typesig.algebra.values import Const, Keyword, const
from typesig.extraction import plans
from typesig.extraction.plans import HostError
from typesig.limits import MAX_DEFAULT, MAX_VALUE_DEPTH


def constant_of(default: Any) -> Const:
    """Return *default* as a constant; raise `HostError` or `TypesigError` where it has no form."""
    from typesig.validation.plain import plain

    value = plans.encode(_still(default))
    return const(value if isinstance(value, Keyword) else plain(value))


def _is_large(value: Any) -> bool:
    try:
        return len(value) > MAX_DEFAULT
    except OverflowError:
        # A range may have more items than a length can say.
        return True


def _still(value: Any, depth: int = 0) -> Any:
    """Return *value*; raise `HostError` where looking at it would use it up or run code of its own.

    Iterators are used up, and a lazy collection may ask a database for its items.
    """
    cls: Any = type(value)
    # hasattr would find what the metaclass of an enum has.
    made = {name for c in cls.__mro__ if c.__module__ != "builtins" for name in vars(c)}
    known = made | {name for c in cls.__mro__ for name in vars(c)}
    fields = bool(made & {"__dataclass_fields__", "__attrs_attrs__"})
    inner: Any = vars(value).values() if fields and hasattr(value, "__dict__") else ()
    if "__iter__" in known and not fields and not isinstance(value, str | bytes | bytearray):
        plain = cls.__module__ in ("builtins", "collections", "types")
        own = made & {"__iter__", "__len__", "items", "values"}
        if "__next__" in known or (own and not plain):
            raise HostError(f"a value of {cls.__qualname__} has no JSON form")
        if _is_large(value):
            raise HostError(f"it has more than {MAX_DEFAULT} items")
        inner = value.values() if isinstance(value, dict) else value
    if depth < MAX_VALUE_DEPTH:
        for item in inner:
            _still(item, depth + 1)
    return value
