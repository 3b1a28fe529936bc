"""Values of subclasses to the built-in values that they are, at every depth.

A subclass of `str` or `dict` may change any method: one that raises, lies or never ends is data,
too.  What takes data from outside turns it into built-in values where it enters, by the built-ins'
own methods.  What it does after that then needs no care.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from enum import Enum
from itertools import islice
from typing import Any

from typesig.algebra.rows.values import Keyword, exact, keyed, kind_of
from typesig.errors import TooLarge, TypesigError
from typesig.limits import MAX_UNWATCHED, MAX_VALUE_DEPTH, MAX_VALUES

#: The classes of which values are what they are, and have no parts.
_PLAIN = frozenset({str, int, float, bool, type(None), Keyword})

#: Subclasses of the standard library whose methods are as good as those of the built-in.
_TRUSTED = frozenset({OrderedDict, defaultdict, Counter})

#: The methods that nothing here calls, so that a class may change them.
_UNCALLED = frozenset(
    {
        *("__class_getitem__", "__delattr__", "__dir__", "__doc__", "__getnewargs__"),
        *("__getstate__", "__init__", "__init_subclass__", "__new__", "__reduce__"),
        *("__reduce_ex__", "__setattr__", "__sizeof__", "__subclasshook__"),
    }
)

#: Those of a collection, of which nothing is written as text or changed here.
_UNCALLED_OF_COLLECTIONS = _UNCALLED | {
    *("__delitem__", "__format__", "__iadd__", "__ior__", "__repr__", "__setitem__", "__str__"),
    *("append", "clear", "count", "extend", "index", "insert", "pop", "popitem", "remove"),
    *("reverse", "setdefault", "sort", "update"),
}

_BASES = (str, int, float, dict, list, tuple, set, frozenset)

_COLLECTIONS = frozenset({dict, list, tuple, set, frozenset})


class _Walk:
    """What a walk over one value has visited.

    #: left: how many values may be visited before what is made of collections is remembered
    #: known: collections, and what was made of them, by id
    #: strangers: whether something else stands for objects that are no data
    #: tame: whether the methods of a class can be called, by the id of the class
    """

    __slots__ = ("known", "left", "strangers", "tame")

    def __init__(self, strangers: bool = False) -> None:
        self.strangers = strangers
        self.left = MAX_UNWATCHED
        self.known: dict[int, tuple[Any, Any]] = {}
        self.tame: dict[int, bool] = {}

    def is_tame(self, cls: type) -> bool:
        """Tell whether values of *cls* have the methods of the built-in that it descends from."""
        found = self.tame.get(id(cls))
        if found is None:
            found = self.tame[id(cls)] = _is_own(cls) or (not self.strangers and _is_tame(cls))
        return found


def _is_own(cls: type) -> bool:
    """Tell whether *cls* is of this library, such as a symbol of EDN."""
    return str(_NAMESPACE(cls).get("__module__")).startswith("typesig.")


def _is_tame(cls: type) -> bool:
    # Read past the metaclass, which may be of others as well.
    mro: tuple[type, ...] = _MRO(cls)
    base = next((each for each in mro if each in _BASES), None)
    if base is None:
        # A datetime, whose methods are called in many places.
        return False
    changeable = _UNCALLED_OF_COLLECTIONS if base in _COLLECTIONS else _UNCALLED
    methods = {*dir(base), "__getattr__", "__getattribute__"} - changeable
    above = [each for each in mro[: mro.index(base)] if each not in _TRUSTED]
    return not any(methods & _NAMESPACE(each).keys() for each in above)


_MRO: Callable[[type], tuple[type, ...]] = vars(type)["__mro__"].__get__
_NAMESPACE: Callable[[type], Any] = vars(type)["__dict__"].__get__


def as_builtin(value: Any) -> Any:
    """Return *value* with built-in values for those of subclasses that change a method.

    A value without such a part is returned as it is.  Raises `TypesigError` for keys of a map that
    cannot be read.

    >>> class Loud(str):
    ...     def __len__(self):
    ...         raise ValueError("loud")
    >>> as_builtin({"a": [Loud("b")]})
    {'a': ['b']}
    """
    return _begun(value, _Walk())


class Stranger:
    """What stands for an object that is no data, and that could raise whatever it is asked."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object>"


def as_data(value: Any) -> Any:
    """Return `as_builtin` of *value* with a `Stranger` of the same class name for other objects.

    This is for what takes only JSON data, and tells that an object is none.  Objects of the
    standard library stay.

    >>> as_data([1, type("Shy", (), {"__module__": "shop"})()])
    [1, <Shy object>]
    """
    return _begun(value, _Walk(strangers=True))


def _begun(value: Any, walk: _Walk) -> Any:
    try:
        return value if _is_exact(value) else _made(value, 0, walk)
    except RecursionError:
        # What reads the value next meets the end of the stack too, and tells it in its own words.
        return value


def _is_exact(value: Any) -> bool:
    """Tell whether *value* is seen to have no part but those of JSON's own classes."""
    level, left = [value], MAX_UNWATCHED
    for _ in range(MAX_VALUE_DEPTH):
        # One loop for all at one depth: a call for each part takes longer than its work.
        below: list[Any] = []
        for part in level:
            cls = type(part)
            if cls in _PLAIN:
                continue
            if cls is dict:
                for key in part:
                    if type(key) is not str:
                        return False
            elif cls is not list:
                return False
            left -= len(part) + 1
            if left < 0:
                return False
            below += part if cls is list else part.values()
        if not below:
            return True
        level = below
    return False


#: The modules of which objects are as good as data: bytes, dates, decimals.
_KNOWN_MODULES = frozenset({"builtins", "datetime", "decimal", "fractions", "pathlib", "uuid"})


def _stranger(value: Any) -> Any:
    cls = type(value)
    is_known = _NAMESPACE(cls).get("__module__", "builtins") in _KNOWN_MODULES
    if is_known or _is_own(cls) or issubclass(cls, type):
        return value
    return type(cls.__name__, (Stranger,), {"__slots__": ()})()


def read_mapping(given: Any) -> dict[Any, Any]:
    """Return the dict that *given*, a dict or another `Mapping`, has the items of.

    Raises `TypesigError` if it cannot be read, and `TooLarge` beyond `MAX_VALUES` items.

    >>> from types import MappingProxyType
    >>> read_mapping(MappingProxyType({"a": 1}))
    {'a': 1}
    """
    if issubclass(type(given), dict):
        made: dict[Any, Any] = exact(given)
        return made
    try:
        pairs = [(key, item) for key, item in islice(given.items(), MAX_VALUES + 1)]
    except RecursionError:
        # What reads documents tells that they are too deep.
        raise
    except Exception as error:
        # An object of others, whose methods may raise anything.
        name, why = type(given).__name__, type(error).__name__
        raise TypesigError(f"the items of {name} cannot be read: it raises {why}") from None
    if len(pairs) > MAX_VALUES:
        raise TooLarge(f"{type(given).__name__} has more than {MAX_VALUES} items")
    return keyed(pairs)


def _made(value: Any, depth: int, walk: _Walk) -> Any:
    cls = type(value)
    if cls in _PLAIN or depth > 2 * MAX_VALUE_DEPTH:
        return value
    # A member of an enum is what it is.
    read = _OF_BUILTINS.get(cls)
    if read is None:
        kind = kind_of(value)
        if issubclass(cls, Enum) or kind not in _READERS:
            return _stranger(value) if walk.strangers and kind == "object" else value
        read = _READERS[kind]
    walk.left -= 1
    if walk.left >= 0:
        return read(value, depth + 1, walk)
    # Lists that share lists take little memory, but exponential time to walk.
    found = walk.known.get(id(value))
    if found is None:
        # The value is kept alive, so that its id stays its own.
        found = walk.known[id(value)] = value, read(value, depth + 1, walk)
    return found[1]


def _scalar(value: Any, _depth: int, walk: _Walk) -> Any:
    return value if walk.is_tame(type(value)) else exact(value)


def _items(value: Any, depth: int, walk: _Walk) -> Any:
    items = exact(value)
    # Most values have no such part, and nothing is made of them.
    changed: dict[int, Any] = {}
    for place, item in enumerate(items):
        if type(item) not in _PLAIN:
            new = _made(item, depth, walk)
            if new is not item:
                changed[place] = new
    if not changed:
        return _unchanged(value, items, walk)
    made = [changed.get(place, item) for place, item in enumerate(items)]
    if not isinstance(items, set | frozenset):
        return made if isinstance(items, list) else tuple(made)
    return type(items)(keyed([(item, None) for item in made]))


def _map(value: Any, depth: int, walk: _Walk) -> Any:
    items = value if type(value) is dict else exact(value)
    changed: dict[int, tuple[Any, Any]] = {}
    for place, (key, item) in enumerate(items.items()):
        if type(key) is not str or type(item) not in _PLAIN:
            known = key if type(key) is str else _made(key, depth, walk)
            new = _made(item, depth, walk)
            if new is not item or known is not key:
                changed[place] = known, new
    if not changed:
        return _unchanged(value, items, walk)
    # A pair is never empty.
    return keyed([changed.get(place) or pair for place, pair in enumerate(items.items())])


def _unchanged(value: Any, items: Any, walk: _Walk) -> Any:
    """Return *value*, no part of which is changed, or *items*, the built-in that it is."""
    return value if value is items or walk.is_tame(type(value)) else items


def _datetime(value: Any, _depth: int, _walk: _Walk) -> Any:
    return exact(value)


_READERS: dict[str, Callable[[Any, int, _Walk], Any]] = {
    "int": _scalar,
    "float": _scalar,
    "string": _scalar,
    "keyword": _scalar,
    "datetime": _datetime,
    "list": _items,
    "map": _map,
    "set": _items,
}

#: The same by class, for the classes of most values.
_OF_BUILTINS: dict[type, Callable[[Any, int, _Walk], Any]] = {dict: _map, list: _items}
