"""Values as a Python set can contain them: tuples, frozensets and maps that cannot be changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from typesig.algebra.rows.values import exact, kind_of
from typesig.limits import MAX_VALUE_DEPTH


class HashableMap(dict[Any, Any]):
    """A map that a set can contain: it equals a dict with the same items, and cannot be changed.

    >>> len({HashableMap(a=1), HashableMap({"a": 1})})
    1
    """

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[HashableMap], tuple[dict[Any, Any]]]:
        return HashableMap, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a map in a set cannot be changed; change a copy, dict(…)")

    __setitem__ = __delitem__ = __ior__ = update = setdefault = _refuse
    pop = popitem = clear = _refuse


#: The classes of most values, which can be hashed as they are.
_PLAIN = frozenset({str, int, float, bool, type(None)})


def hashable(value: Any, visit: Callable[[int], None] | None = None, depth: int = 0) -> Any:
    """Return *value* with its lists as tuples, its sets as frozensets and its maps as such.

    A value that nests too deep or is of another class stays as it is.  *visit* is told how many
    parts each collection has.

    >>> hashable([{"a": [1]}, {2}])
    ({'a': (1,)}, frozenset({2}))
    """
    if type(value) in _PLAIN or depth > MAX_VALUE_DEPTH:
        return value
    kind = kind_of(value)
    if kind not in ("list", "set", "map"):
        return value
    data = exact(value)
    if visit is not None:
        visit(len(data))
    depth += 1
    if kind == "map":
        return HashableMap({k: hashable(v, visit, depth) for k, v in data.items()})
    made = [hashable(item, visit, depth) for item in data]
    return tuple(made) if kind == "list" else frozenset(made)
