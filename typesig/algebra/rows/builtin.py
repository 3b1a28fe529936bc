"""Values of subclasses as built-in values, and values that are held at several places."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Collection, Iterable
from enum import Enum
from itertools import islice
from typing import Any

from typesig.algebra.rows.values import Keyword, dict_with_plain_keys, get_kind, to_builtin
from typesig.errors import TooLarge, TypesigError
from typesig.limits import MAX_UNWATCHED, MAX_VALUE_DEPTH, MAX_VALUES

# --- Convert values of subclasses to built-in values, at every depth ---
# A subclass of `str` or `dict` may change any method: one that raises, lies or never ends is data,
# too.  What takes data from outside turns it into built-in values where it enters, by the
# built-ins' own methods.  What it does after that then needs no care.

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


class _ConversionState:
    """State of the conversion of one value: the objects visited and their results.

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
        """Whether *cls* overrides no built-in method that reading a value calls."""
        found = self.tame.get(id(cls))
        if found is None:
            found = self.tame[id(cls)] = _is_own(cls) or (not self.strangers and _is_tame(cls))
        return found


def _is_own(cls: type) -> bool:
    """Whether *cls* is of this library, such as a symbol of EDN."""
    return str(_NAMESPACE(cls).get("__module__")).startswith("typesig.")


def _is_tame(cls: type) -> bool:
    """Whether *cls* overrides no method of its built-in base that reading values calls."""
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
    """Convert subclass instances inside *value* that override methods to built-in values.

    A value without such a part is returned as it is.  Raises `TypesigError` for keys of a map that
    cannot be read.

    >>> class Loud(str):
    ...     def __len__(self):
    ...         raise ValueError("loud")
    >>> as_builtin({"a": [Loud("b")]})
    {'a': ['b']}
    """
    return _start_conversion(value, _ConversionState())


class OpaqueObject:
    """Placeholder for an object that is not data and might raise on any access."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object>"


def as_data(value: Any) -> Any:
    """Convert *value* like `as_builtin`; make objects that are no data opaque.

    This is for what takes only JSON data, and tells that an object is none.  Objects of the
    standard library stay.

    >>> as_data([1, type("Shy", (), {"__module__": "shop"})()])
    [1, <Shy object>]
    """
    return _start_conversion(value, _ConversionState(strangers=True))


def _start_conversion(value: Any, walk: _ConversionState) -> Any:
    """Convert *value* to built-in types, or return it unchanged if it nests too deeply."""
    try:
        return value if _is_exact(value) else _convert_value(value, 0, walk)
    except RecursionError:
        # What reads the value next meets the end of the stack too, and tells it in its own words.
        return value


def _is_exact(value: Any) -> bool:
    """Whether *value* is of bounded size and built only of JSON's own classes."""
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


def _make_opaque(value: Any) -> Any:
    """Replace an object *value* of a foreign class by an opaque object."""
    cls = type(value)
    is_known = _NAMESPACE(cls).get("__module__", "builtins") in _KNOWN_MODULES
    if is_known or _is_own(cls) or issubclass(cls, type):
        return value
    return type(cls.__name__, (OpaqueObject,), {"__slots__": ()})()


def read_mapping(given: Any) -> dict[Any, Any]:
    """Return the items of *given*, a dict or another `Mapping`, as a dict.

    Raises `TypesigError` if it cannot be read, and `TooLarge` beyond `MAX_VALUES` items.

    >>> from types import MappingProxyType
    >>> read_mapping(MappingProxyType({"a": 1}))
    {'a': 1}
    """
    if issubclass(type(given), dict):
        made: dict[Any, Any] = to_builtin(given)
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
    return dict_with_plain_keys(pairs)


def _convert_value(value: Any, depth: int, walk: _ConversionState) -> Any:
    """Convert *value*, nested *depth* levels deep, to built-in types."""
    cls = type(value)
    if cls in _PLAIN or depth > 2 * MAX_VALUE_DEPTH:
        return value
    # A member of an enum is what it is.
    read = _OF_BUILTINS.get(cls)
    if read is None:
        kind = get_kind(value)
        if issubclass(cls, Enum) or kind not in _READERS:
            return _make_opaque(value) if walk.strangers and kind == "object" else value
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


def _convert_scalar(value: Any, _depth: int, walk: _ConversionState) -> Any:
    """Convert the scalar *value* to its built-in type unless its subclass is harmless."""
    return value if walk.is_tame(type(value)) else to_builtin(value)


def _convert_items(value: Any, depth: int, walk: _ConversionState) -> Any:
    """Convert the items of the list, tuple or set *value*, copying it only if needed."""
    items = to_builtin(value)
    # Most values have no such part, and nothing is made of them.
    changed: dict[int, Any] = {}
    for place, item in enumerate(items):
        if type(item) not in _PLAIN:
            new = _convert_value(item, depth, walk)
            if new is not item:
                changed[place] = new
    if not changed:
        return _keep_if_unchanged(value, items, walk)
    made = [changed.get(place, item) for place, item in enumerate(items)]
    if not isinstance(items, set | frozenset):
        return made if isinstance(items, list) else tuple(made)
    return type(items)(dict_with_plain_keys([(item, None) for item in made]))


def _map(value: Any, depth: int, walk: _ConversionState) -> Any:
    """Convert the keys and values of the map *value*, copying it only if needed."""
    items = value if type(value) is dict else to_builtin(value)
    changed: dict[int, tuple[Any, Any]] = {}
    for place, (key, item) in enumerate(items.items()):
        if type(key) is not str or type(item) not in _PLAIN:
            known = key if type(key) is str else _convert_value(key, depth, walk)
            new = _convert_value(item, depth, walk)
            if new is not item or known is not key:
                changed[place] = known, new
    if not changed:
        return _keep_if_unchanged(value, items, walk)
    # A pair is never empty.
    return dict_with_plain_keys(
        [changed.get(place) or pair for place, pair in enumerate(items.items())]
    )


def _keep_if_unchanged(value: Any, items: Any, walk: _ConversionState) -> Any:
    """Return *value* if it needs no conversion, else its built-in copy *items*."""
    return value if value is items or walk.is_tame(type(value)) else items


_READERS: dict[str, Callable[[Any, int, _ConversionState], Any]] = {
    "int": _convert_scalar,
    "float": _convert_scalar,
    "string": _convert_scalar,
    "keyword": _convert_scalar,
    "datetime": lambda value, _depth, _walk: to_builtin(value),
    "list": _convert_items,
    "map": _map,
    "set": _convert_items,
}

#: The same by class, for the classes of most values.
_OF_BUILTINS: dict[type, Callable[[Any, int, _ConversionState], Any]] = {
    dict: _map,
    list: _convert_items,
}


# --- Values that hold other values at several places ---
# A list such as `a = [a, a]`, repeated forty times, takes little memory and has more places than
# any walk can visit.  A walk counts what it visits; where that is much, a `VisitBudget` looks once
# at the whole value, at each list and map in it once, and counts the places.


class TooManyValues(TooLarge):
    """Error for a value with more than `MAX_VALUES` nested values, or inside itself."""

    def __init__(self) -> None:
        super().__init__(
            f"the value has more than {MAX_VALUES} values, each counted where it stands, or is "
            "inside itself"
        )


#: The classes of which values never have parts.
_WITHOUT_PARTS = frozenset({str, int, float, bool, type(None)})

_BUILTIN_LISTS = frozenset({list, tuple, set, frozenset})

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


def _count_few(whole: Any) -> int | None:
    """Count the values nested in *whole*, one level after the other.

    None if they are many or deep, or if methods of their classes may answer for their parts.
    """
    count, level = 1, [whole]
    for _ in range(MAX_VALUE_DEPTH):
        below: list[Any] = []
        for value in level:
            cls = type(value)
            if cls is dict:
                inner: Collection[Any] = value.values()
            elif cls in _BUILTIN_LISTS:
                inner = value
            elif issubclass(cls, dict | list | tuple | set | frozenset):
                return None
            else:
                continue
            count += len(inner)
            if count > MAX_UNWATCHED:
                return None
            below += [each for each in inner if type(each) not in _WITHOUT_PARTS]
        if not below:
            return count
        level = below
    return None


def count_places(whole: Any, parts: Parts = get_data_parts) -> float:
    """Return the number of values nested in *whole*; shared values count repeatedly.

    A value that is inside itself has infinitely many.
    """
    if parts is get_data_parts:
        if type(whole) is dict and _WITHOUT_PARTS.issuperset(map(type, whole.values())):
            return 1 + len(whole)
        if (few := _count_few(whole)) is not None:
            return few
    known: dict[int, float] = {}
    path, ids, counts = [iter((whole,))], [0], [0.0]
    # What is known by its id is kept alive.
    kept: list[Any] = []
    while True:
        for value in path[-1]:
            counts[-1] += 1
            if type(value) in _WITHOUT_PARTS:
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
