"""Defaults as constants, if reading them has no side effects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typesig.algebra.rows.values import Const, Keyword, to_const
from typesig.extraction.encoder import encode
from typesig.extraction.hosts.decoders import HostError
from typesig.extraction.hosts.enums import is_enum
from typesig.extraction.libraries.pydantic_dumps import is_masked
from typesig.limits import MAX_DEFAULT, MAX_VALUE_DEPTH


def make_constant(default: Any) -> Const:
    """Convert the Python *default* to a constant; raise if it has no JSON form."""
    from typesig.validation.plain_data import to_plain

    value = encode(_check_side_effects(default))
    return to_const(value if isinstance(value, Keyword) else to_plain(value))


def _is_large(value: Any) -> bool:
    """Whether the collection *value* has too many items to be written as a default."""
    try:
        return len(value) > MAX_DEFAULT
    except OverflowError:
        # A range can be longer than the largest length.
        return True


def _check_side_effects(value: Any) -> Any:
    """Return *value*; raise `HostError` if iterating it consumes it or runs user code.

    Iterators are used up, and a lazy collection may ask a database for its items.
    """
    level, count, depth = [value], 0, 0
    while level and depth <= MAX_VALUE_DEPTH:
        level, depth = [item for each in level for item in _get_items(each)], depth + 1
        count += len(level)
        if count > MAX_DEFAULT:
            # A list that is shared is written at each of its places.
            raise HostError(f"it has more than {MAX_DEFAULT} values")
    return value


def _get_items(value: Any) -> Iterable[Any]:
    """Return the items of collection *value*; raise `HostError` if that runs user code."""
    cls: Any = type(value)
    if is_enum(cls):
        # A flag is a collection of its members, and a constant all the same.
        return ()
    if is_masked(cls):
        # Its JSON, filled in where the model leaves it out, would not be the default.
        raise HostError(f"a {cls.__qualname__} is not written as it is read")
    # hasattr would also find the attributes of a metaclass, such as that of enums.
    made = {name for c in cls.__mro__ if c.__module__ != "builtins" for name in vars(c)}
    known = made | {name for c in cls.__mro__ for name in vars(c)}
    if made & {"__dataclass_fields__", "__attrs_attrs__"}:
        return vars(value).values() if hasattr(value, "__dict__") else ()
    if "__iter__" not in known or isinstance(value, str | bytes | bytearray):
        return ()
    plain = cls.__module__ in ("builtins", "collections", "types")
    own = made & {"__iter__", "__len__", "items", "values"}
    if "__next__" in known or (own and not plain):
        raise HostError(f"a value of {cls.__qualname__} has no JSON form")
    if _is_large(value):
        raise HostError(f"it has more than {MAX_DEFAULT} values")
    return value.values() if isinstance(value, dict) else value
