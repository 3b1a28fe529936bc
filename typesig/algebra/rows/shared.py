"""Values that hold other values at several places.

A list such as `a = [a, a]`, repeated forty times, takes little memory and has more places than any
walk can visit.  A walk counts what it visits; where that is much, a `VisitBudget` looks once at the
whole value, at each list and map in it once, and counts the places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from typesig.algebra.rows.values import to_builtin
from typesig.errors import TooLarge
from typesig.limits import MAX_UNWATCHED, MAX_VALUE_DEPTH, MAX_VALUES


class TooManyValues(TooLarge):
    """Error for a value with more than `MAX_VALUES` nested values, or inside itself."""

    def __init__(self) -> None:
        super().__init__(
            f"the value has more than {MAX_VALUES} values, each counted where it stands, or is "
            "inside itself"
        )


#: The classes of which values never have parts.
_PLAIN = frozenset({str, int, float, bool, type(None)})

#: Returns the parts of a value, or None if it has none.
Parts = Callable[[Any], Iterable[Any] | None]


def get_data_parts(value: Any) -> Iterable[Any] | None:
    """Items of a list or set, or values of a map; None for other values."""
    cls = type(value)
    if issubclass(cls, dict):
        return to_builtin(value).values()  # type: ignore[no-any-return]
    return to_builtin(value) if issubclass(cls, list | tuple | set | frozenset) else None


class VisitBudget:
    """Counter of the values visited in *whole*, which stops an endless traversal.

    #: left: how many values may be visited before something is done about it
    """

    __slots__ = ("_parts", "_whole", "left")

    def __init__(self, whole: Any, parts: Parts = get_data_parts) -> None:
        self.left: float = MAX_UNWATCHED
        self._whole = whole
        self._parts = parts

    def visit(self, count: float) -> None:
        """Count *count* more visited values; raise `TooManyValues` if too many."""
        self.left -= count
        if self.left < 0:
            if count_places(self._whole, self._parts) > MAX_VALUES:
                raise TooManyValues
            # A check may visit a value once for each branch of a union.
            self.left = float("inf")


def count_places(whole: Any, parts: Parts = get_data_parts) -> float:
    """Return the number of values nested in *whole*; shared values count repeatedly.

    A value that is inside itself has infinitely many.
    """
    is_flat = type(whole) is dict and _PLAIN.issuperset(map(type, whole.values()))
    if is_flat and parts is get_data_parts:
        return 1 + len(whole)
    known: dict[int, float] = {}
    path, ids, counts = [iter((whole,))], [0], [0.0]
    # What is known by its id is kept alive.
    kept: list[Any] = []
    while True:
        for value in path[-1]:
            counts[-1] += 1
            if type(value) in _PLAIN:
                continue
            counts[-1] += known.get(id(value), 0)
            inner = None if id(value) in known else parts(value)
            if inner is not None and len(path) <= 2 * MAX_VALUE_DEPTH:
                kept.append(value)
                known[id(value)] = float("inf")
                path.append(iter(inner))
                ids.append(id(value))
                counts.append(0)
                break
        else:
            path.pop()
            count = counts.pop()
            if not path:
                return count
            counts[-1] += count
            known[ids.pop()] = count
