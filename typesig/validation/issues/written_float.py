"""Numbers with the digits that a JSON text has, for types that keep them: decimals and integers.

A float has some 16 digits.  Where a type keeps more, the reader of the text makes a `WrittenFloat`,
which the check turns into what the type asks for; what is left becomes an ordinary float.
"""

from __future__ import annotations

from typing import Any

from typesig.algebra.rows.values import make_hashable, to_builtin
from typesig.limits import MAX_VALUE_DEPTH


class WrittenFloat(float):
    """The float that is nearest to a number of a JSON text, with the *digits* of that text.

    >>> WrittenFloat("1.10"), WrittenFloat("1.10").digits
    (1.1, '1.10')
    """

    __slots__ = ("digits",)
    digits: str

    def __new__(cls, digits: str) -> WrittenFloat:
        """Return the float of *digits*."""
        made = super().__new__(cls, digits)
        made.digits = digits
        return made

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]  # text, as `__new__` takes
        return (self.digits,)


def get_digits(number: float) -> str:
    """Write *number* with its original digits if known, else as Python does."""
    return number.digits if type(number) is WrittenFloat else float.__repr__(number)


def replace_written_floats(value: Any) -> Any:
    """Return *value*, or a copy of it in which each `WrittenFloat` is an ordinary float.

    >>> replace_written_floats([WrittenFloat("1.10"), {"a": 1}])
    [1.1, {'a': 1}]
    """
    return float(value) if type(value) is WrittenFloat else _replace_floats(value, 0, {})


def _replace_floats(value: Any, depth: int, known: dict[int, Any]) -> Any:
    """Return *value* with ordinary floats; *known* maps container ids to results."""
    if type(value) in _SCALARS or depth > 2 * MAX_VALUE_DEPTH:
        return value
    if type(value) is WrittenFloat:
        return float(value)
    if id(value) in known:
        return known[id(value)]
    # Within itself, it stays as it is.
    known[id(value)] = value
    data = to_builtin(value)
    made: Any = value
    cls = type(data)
    if cls is dict:
        parts = {key: _replace_floats(item, depth + 1, known) for key, item in data.items()}
        made = parts if any(parts[key] is not data[key] for key in parts) else value
    elif cls in _COLLECTIONS:
        items = [_replace_floats(item, depth + 1, known) for item in data]
        same = all(a is b for a, b in zip(items, data, strict=True))
        # A set contains no dict: its maps stay such that it can.
        kept = map(make_hashable, items) if cls in (set, frozenset) else items
        made = value if same else cls(kept)
    known[id(value)] = made
    return made


_SCALARS = frozenset({str, int, float, bool, type(None)})

#: By the class itself: an object of others may raise or lie when it is asked for its own.
_COLLECTIONS = frozenset({list, tuple, set, frozenset})
