"""The repr of a value, bounded in depth and length, for developers."""

from __future__ import annotations

from collections import OrderedDict
from reprlib import Repr
from typing import Any

from typesig.algebra.rows.values import to_builtin
from typesig.errors import format_value

#: The built-ins' own functions of repr, and whether they write the name of a subclass.
_NAMES_CLASS: dict[Any, bool] = {
    list.__repr__: False,
    tuple.__repr__: False,
    dict.__repr__: False,
    set.__repr__: True,
    frozenset.__repr__: True,
    OrderedDict.__repr__: True,
}


class _BoundedRepr(Repr):
    """A `reprlib.Repr` that survives errors in the methods of the objects it shows."""

    def repr1(self, x: Any, level: int) -> str:
        """Write the bounded repr of *x*, or its class name if `__repr__` raises."""
        try:
            return self._read(x, level)
        except Exception:
            # An object of others, whose methods may raise anything.
            return f"<{type(x).__name__} object>"

    def _read(self, x: Any, level: int) -> str:
        """Write the bounded repr of *x*, without calling a subclass's `__iter__`."""
        cls, plain = type(x), to_builtin(x)
        if plain is x or cls.__repr__ not in _NAMES_CLASS:
            return str.__str__(super().repr1(x, level))
        # Those functions call the `__iter__` of the subclass, which may not end.
        text = super().repr1(plain, level)
        return f"{cls.__name__}({text})" if _NAMES_CLASS[cls.__repr__] else text

    def repr_int(self, x: int, level: int) -> str:
        """Write the integer *x*, without the digits of very long integers."""
        return format_value(x, 200)


def shorten_repr(value: object) -> str:
    """Return the repr of *value*, bounded in depth and length.

    >>> shorten_repr(list(range(30)))
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, ...]'
    >>> shorten_repr(OrderedDict(a=1)), shorten_repr(type("Tags", (set,), {})([1]))
    ("OrderedDict({'a': 1})", 'Tags({1})')
    """
    writer = _BoundedRepr()
    writer.maxdict = writer.maxlist = writer.maxtuple = writer.maxset = writer.maxfrozenset = 20
    writer.maxstring = writer.maxlong = writer.maxother = 200
    return writer.repr(value)
