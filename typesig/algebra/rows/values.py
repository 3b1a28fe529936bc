"""Values: their kinds, keywords, and the constants inside types.

A kind is the word that a message uses for a value; the names of Python's classes never appear.
To add a kind, add its name to `Kind` and its classes to `KINDS`; if constants can be of that kind,
add it to `ConstKind` too.  The type checker then points at each `match` over kinds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from enum import Enum as PythonEnum
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias, assert_never

from typesig.algebra.rows.frozen import (
    FOREIGN,
    HIDDEN,
    NestedValue,
    check_depth,
    make_unsealed_factory,
    set_part,
)
from typesig.errors import TooDeep, TypesigError, format_value
from typesig.limits import MAX_DEPTH, MAX_DIGITS, MAX_VALUE_DEPTH

if TYPE_CHECKING:
    from typing_extensions import TypeIs

#: The kinds of values, as messages name them; `object` is any value that JSON has no form for.
Kind: TypeAlias = Literal[
    "nil", "bool", "int", "float", "string", "keyword", "list", "map", "set", "datetime", "object"
]

#: The kinds of constants.
ConstKind: TypeAlias = Literal["nil", "bool", "int", "float", "string", "keyword", "list", "map"]


class Keyword(str):
    """A name used as a value, `:pending` in a signature; its text has no colon.

    >>> Keyword("pending")
    Keyword('pending')
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Keyword:
        """Return the keyword *text*; raise `TypesigError` if it begins with a colon."""
        if text.startswith(":"):
            raise TypesigError(
                f"a keyword's text has no colon: write Keyword({format_value(text[1:])})"
            )
        return super().__new__(cls, text)

    def __repr__(self) -> str:
        return f"Keyword({str.__repr__(self)})"


#: The kinds by class, a class before the one that it descends from.  The class of datetimes is
#: known by its name, since its module takes long to import; any other class is an `object`.
KINDS: dict[type, Kind] = {
    type(None): "nil",
    Keyword: "keyword",
    str: "string",
    bool: "bool",
    int: "int",
    float: "float",
    list: "list",
    tuple: "list",
    dict: "map",
    set: "set",
    frozenset: "set",
}

#: The flags of a constant of each kind: JSON has no form for a keyword.
_FLAGS: dict[ConstKind, int] = {
    "nil": 0,
    "bool": 0,
    "int": 0,
    "float": 0,
    "string": 0,
    "keyword": FOREIGN,
    "list": 0,
    "map": 0,
}


def get_kind(value: object) -> Kind:
    """Return the kind of *value*; an instance of a subclass has the kind of the base class.

    >>> [get_kind(v) for v in (True, 1, 1.0, "a", None, [], {})]
    ['bool', 'int', 'float', 'string', 'nil', 'list', 'map']
    """
    cls = type(value)
    found = KINDS.get(cls)
    if found is not None:
        return found
    if _is_datetime(cls):
        return "datetime"
    for known, kind in KINDS.items():
        if issubclass(cls, known):
            return kind
    return "datetime" if any(map(_is_datetime, cls.__mro__)) else "object"


def _is_datetime(cls: type) -> bool:
    """Whether *cls* is called `datetime` in a module `datetime`, without importing it."""
    return cls.__name__ == "datetime" == cls.__module__


def is_text(value: object) -> TypeIs[str]:
    """Whether *value* is text, by its class.

    `isinstance` also asks the value itself, and an object of others may raise or lie then.

    >>> is_text("a"), is_text(1)
    (True, False)
    """
    return issubclass(type(value), str)


#: The built-in classes of which `to_builtin` returns values as they are.
_EXACT = frozenset(
    {type(None), bool, str, bytes, int, float, Keyword, list, tuple, dict, set, frozenset}
)


def to_builtin(value: Any) -> Any:
    """Return *value*, converted to the built-in class if its class is a subclass of one.

    The built-in's own methods read it, since those of the subclass may raise, lie or not end.  A
    member of an `Enum` stays what it is, and so does an object of any other class.

    >>> class Endless(list):
    ...     def __iter__(self):
    ...         return iter(int, 1)
    >>> to_builtin(Endless([1]))
    [1]
    """
    cls = type(value)
    if cls in _EXACT:
        return value
    if _is_datetime(cls):
        return _to_builtin_datetime(value)
    for base, read in _READERS:
        if issubclass(cls, base):
            return value if issubclass(cls, PythonEnum) else read(value)
    return _to_builtin_datetime(value) if get_kind(value) == "datetime" else value


#: Those of which a value can be a key, whatever it contains.
_ATOMS = frozenset({type(None), bool, str, bytes, int, float, Keyword})


def dict_with_plain_keys(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Build a dict of *pairs*, its keys converted to built-in values.

    Raises `TypesigError` for a key whose hash cannot be read, and for two keys that become one.

    >>> dict_with_plain_keys([("a", 1)])
    {'a': 1}
    """
    out: dict[Any, Any] = {}
    for count, (key, item) in enumerate(pairs):
        try:
            out[key if type(key) in _ATOMS else _to_builtin_key(key)] = item
        except Exception as error:
            # The key is an object of others, whose methods may raise anything.
            why = f"its hash raises {type(error).__name__}"
            raise TypesigError(f"a key of {type(key).__name__} cannot be read: {why}") from None
        if len(out) <= count:
            raise TypesigError(f"two keys of a map are {format_value(to_builtin(key))}")
    return out


def _to_builtin_key(key: Any) -> Any:
    """Convert the map key *key* to a built-in type that is hashable."""
    made = to_builtin(key)
    if get_kind(made) not in ("list", "map", "set"):
        return made
    # A list or a map of a subclass with a hash, or within a tuple, has none as a built-in.
    return make_hashable(made)


def _to_builtin_dict(value: Any) -> dict[Any, Any]:
    """Copy *value*, of a dict subclass, to a plain dict, bypassing overridden methods."""
    return dict_with_plain_keys(dict.items(value))


def _to_builtin_ordered(value: Any) -> dict[Any, Any]:
    """Copy *value*, of an `OrderedDict` subclass, to a plain dict in its own order."""
    # Its own `items` reads the values by methods that a subclass may have changed.
    held = {id(key): (key, item) for key, item in dict.items(value)}
    try:
        order = [held[id(key)] for key in OrderedDict.__iter__(value)]
    except Exception:
        # The keys are objects of others too, whose hashes may raise: then the order is not read.
        return _to_builtin_dict(value)
    return dict_with_plain_keys(order)


def _to_builtin_datetime(value: Any) -> Any:
    """Convert *value* to a plain `datetime`; drop a time zone whose offset raises."""
    from datetime import datetime, timezone

    if not issubclass(type(value), datetime):
        # Another class of this name.
        return value
    if type(value) is not datetime:
        value = datetime.combine(datetime.date(value), datetime.timetz(value))
    if value.tzinfo is None or type(value.tzinfo) is timezone:
        return value
    try:
        value.utcoffset()
    except Exception:
        # A time zone of others may raise anything, and one that cannot be read is none.
        return value.replace(tzinfo=None)
    return value


#: What reads a value of a subclass of each built-in class, a class before the one that it
#: descends from.
_READERS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (Keyword, lambda value: str.__new__(Keyword, str.__str__(value))),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (int, int.__int__),
    (float, float.__float__),
    (OrderedDict, _to_builtin_ordered),
    (dict, _to_builtin_dict),
    (list, list.copy),
    (tuple, lambda value: tuple.__getitem__(value, slice(None))),
    (set, lambda value: set().union(value)),
    (frozenset, lambda value: frozenset().union(value)),
)


class HashableMap(dict[Any, Any]):
    """A dict that can be a member of a set: hashable and immutable.

    >>> len({HashableMap(a=1), HashableMap({"a": 1})})
    1
    """

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[HashableMap], tuple[dict[Any, Any]]]:
        return HashableMap, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        """Raise `TypeError`, since the map must not change while it is in a set."""
        raise TypeError("a map in a set cannot be changed; change a copy, dict(…)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = _refuse  # pyright: ignore[reportAssignmentType]
    pop = popitem = clear = _refuse


#: The classes of most values, which can be hashed as they are.
_HASHED = frozenset({str, int, float, bool, type(None)})


def make_hashable(value: Any, visit: Callable[[int], None] | None = None, depth: int = 0) -> Any:
    """Convert lists in *value* to tuples, sets to frozensets and maps to `HashableMap`.

    A value that nests too deep or is of another class stays as it is.  *visit* is told how many
    parts each collection has.

    >>> make_hashable([{"a": [1]}, {2}])
    ({'a': (1,)}, frozenset({2}))
    """
    if type(value) in _HASHED or depth > MAX_VALUE_DEPTH:
        return value
    kind = get_kind(value)
    if kind not in ("list", "set", "map"):
        return value
    data = to_builtin(value)
    if visit is not None:
        visit(len(data))
    depth += 1
    if kind == "map":
        return HashableMap({k: make_hashable(v, visit, depth) for k, v in data.items()})
    made = [make_hashable(item, visit, depth) for item in data]
    return tuple(made) if kind == "list" else frozenset(made)


class Const(NestedValue):
    """A JSON value or a keyword inside a type; `1`, `1.0` and `True` are three constants.

    #: kind: nil, bool, int, float, string, keyword, list or map
    #: value: the scalar, a tuple of constants, or a tuple of `Pair`s
    """

    __slots__ = ("kind", "value")
    __match_args__ = ("kind", "value")
    kind: ConstKind
    value: Any

    def __new__(cls, kind: ConstKind, value: Any) -> Const:
        """Return the constant *value* of *kind*."""
        made = _new_const()
        made.kind, made.value = kind, value
        depth, flags = 1, _FLAGS[kind]
        if type(value) is tuple:
            for inner in value:
                depth, flags = max(depth, inner.depth + 1), flags | inner.flags
            check_depth(depth)
        made.depth, made.flags = depth, flags
        made._hash = hash(("Const", kind, value))
        made.__class__ = Const
        return made  # type: ignore[no-any-return]

    def thaw(self) -> Any:
        """Return the constant as a new Python value."""
        match self.kind:
            case "nil" | "bool" | "int" | "float" | "string" | "keyword":
                return self.value
            case "list":
                return [item.thaw() for item in self.value]
            case "map":
                return {pair.name: pair.const.thaw() for pair in self.value}
            case _:
                assert_never(self.kind)


_new_const = make_unsealed_factory(Const)


class Pair(NestedValue):
    """An entry of a constant map: a name and a constant."""

    __slots__ = ("const", "name")
    __match_args__ = ("name", "const")
    _DEPTH = 0
    name: str
    const: Const

    def __init__(self, name: str, const: Const) -> None:
        self._fill(name, const)
        if name.startswith("_"):
            set_part(self, "flags", self.flags | HIDDEN)


def to_const(value: object) -> Const:
    """Return *value* as a constant; raise `TypesigError` if JSON has no form for it.

    >>> to_const(1) == to_const(True)
    False
    >>> to_const({"b": 1, "a": [2]}).thaw()
    {'a': [2], 'b': 1}
    """
    if type(value) is Const:
        return value
    return _make_const(value, ())


#: An integer of at most so many bits has few digits; `MAX_DIGITS` is far above that.
_FEW_BITS = 64


def is_long(number: int) -> bool:
    """Whether the integer *number* has more than `MAX_DIGITS` digits.

    >>> is_long(10**399), is_long(-(10**400))
    (False, True)
    """
    return int.bit_length(number) > _FEW_BITS and not -LONG < int.__int__(number) < LONG


#: The least positive integer of more digits than `MAX_DIGITS`.
LONG = 10**MAX_DIGITS

#: Python compares integers up to this one fast, so they are told from others first.
SMALL = 2**30 - 1

#: What messages say of an integer with more of them.
TOO_LONG = f"a number has at most {MAX_DIGITS} digits; write it as text"


def _make_const(value: Any, above: tuple[int, ...]) -> Const:
    """Build a constant from the JSON *value* inside containers of the ids *above*."""
    kind = get_kind(value)
    match kind:
        case "nil" | "bool" | "keyword":
            return Const(kind, to_builtin(value))
        case "int":
            whole = int.__int__(value)
            if is_long(whole):
                raise TypesigError(f"a number in a type may have {MAX_DIGITS} digits")
            return Const(kind, whole)
        case "float":
            number = float.__float__(value)
            if number - number != 0:
                raise TypesigError(f"JSON has no form for {number}")
            # Adding 0.0 drops the sign of a zero, which no comparison tells apart: equal
            # constants must have equal texts.
            return Const(kind, number + 0.0)
        case "string":
            return Const(kind, str.__str__(value))
        case "list":
            above = _enter_container(value, above)
            return Const(kind, tuple([_make_const(item, above) for item in to_builtin(value)]))
        case "map":
            return _make_const_map(value, _enter_container(value, above))
        case "set" | "datetime" | "object":
            raise TypesigError(f"JSON has no form for a value of {type(value).__name__}")
        case _:
            assert_never(kind)


def _enter_container(value: Any, above: tuple[int, ...]) -> tuple[int, ...]:
    """Append the id of *value* to *above*; raise if *value* contains itself."""
    if id(value) in above:
        raise TypesigError("a constant cannot contain itself")
    if len(above) >= MAX_DEPTH:
        raise TooDeep(f"a constant may nest {MAX_DEPTH} levels, this one has more")
    return (*above, id(value))


def _make_const_map(value: Any, above: tuple[int, ...]) -> Const:
    """Build a constant from the map *value*, its pairs sorted by name."""
    items = [(to_builtin(name), item) for name, item in to_builtin(value).items()]
    if not all(issubclass(type(name), str) for name, _ in items):
        raise TypesigError("the keys of a constant map must be text")
    # Sorted, since the order of a JSON object carries no meaning.
    items.sort(key=itemgetter(0))
    return Const("map", tuple([Pair(str(name), _make_const(each, above)) for name, each in items]))


def keywords_to_text(value: Const) -> Const:
    """Return *value* with its keywords turned into text, as JSON has them."""
    match value.kind:
        case "nil" | "bool" | "int" | "float" | "string":
            return value
        case "keyword":
            return Const("string", str.__str__(value.value))
        case "list":
            return Const("list", tuple([keywords_to_text(item) for item in value.value]))
        case "map":
            pairs = [Pair(pair.name, keywords_to_text(pair.const)) for pair in value.value]
            return Const("map", tuple(pairs))
        case _:
            assert_never(value.kind)
