"""Values: their kinds, keywords, and constants that stand inside types.

A kind is the word that a message uses for a value; Python's names never leak.
Adding a kind is one row of `KINDS`, and a case in `Const` where JSON has a form for it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, TypeAlias

from typesig.algebra.frozen import FOREIGN, HIDDEN, Frozen, set_part
from typesig.errors import TooDeep, TypesigError
from typesig.limits import MAX_DEPTH, MAX_DIGITS

#: The kinds of values, as messages name them; `object` is whatever JSON has no form for.
Kind: TypeAlias = Literal[
    "nil",
    "bool",
    "int",
    "float",
    "string",
    "keyword",
    "list",
    "map",
    "set",
    "datetime",
    "object",
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
        """Make a keyword of *text*; raise `TypesigError` where it begins with a colon."""
        if text.startswith(":"):
            raise TypesigError(f"a keyword's text has no colon: write Keyword({text[1:]!r})")
        return super().__new__(cls, text)

    def __repr__(self) -> str:
        return f"Keyword({str.__repr__(self)})"


KINDS: dict[type, Kind] = {
    type(None): "nil",
    bool: "bool",
    int: "int",
    float: "float",
    str: "string",
    Keyword: "keyword",
    list: "list",
    tuple: "list",
    dict: "map",
    set: "set",
    frozenset: "set",
    datetime: "datetime",
}

# An Enum member is a keyword only where it is nothing else; bool stands before int.
_ORDER = (Keyword, str, bool, int, float, list, tuple, dict, set, frozenset, datetime)


def kind_of(value: object) -> Kind:
    """Return the kind of *value*, a subclass counting as what it descends from.

    >>> [kind_of(v) for v in (True, 1, 1.0, "a", None, [], {})]
    ['bool', 'int', 'float', 'string', 'nil', 'list', 'map']
    """
    cls = type(value)
    found = KINDS.get(cls)
    if found is not None:
        return found
    for known in _ORDER:
        if issubclass(cls, known):
            return KINDS[known]
    return "object"


class Const(Frozen):
    """A JSON value or a keyword inside a type; `1`, `1.0` and `True` are three constants.

    #: kind: nil, bool, int, float, string, keyword, list or map
    #: value: the scalar, the tuple of constants, or the tuple of (name, constant) pairs
    """

    __slots__ = ("kind", "value")
    __match_args__ = ("kind", "value")
    kind: ConstKind
    value: Any

    def __init__(self, kind: ConstKind, value: Any) -> None:
        set_part(self, "kind", kind)
        set_part(self, "value", value)
        depth, flags = 0, FOREIGN if kind == "keyword" else 0
        if type(value) is tuple:
            for inner in value:
                depth, flags = max(depth, inner.depth), flags | inner.flags
        self._seal(depth + 1, flags, hash(("Const", kind, value)))

    def thaw(self) -> Any:
        """Return the plain Python value, made anew."""
        if self.kind == "list":
            return [item.thaw() for item in self.value]
        if self.kind == "map":
            return {pair.name: pair.const.thaw() for pair in self.value}
        return self.value


class Pair(Frozen):
    """One entry of a constant map."""

    __slots__ = ("const", "name")
    __match_args__ = ("name", "const")
    _DEPTH = 0
    name: str
    const: Const

    def __init__(self, name: str, const: Const) -> None:
        self._fill(name, const)
        if name.startswith("_"):
            set_part(self, "flags", self.flags | HIDDEN)


def const(value: object) -> Const:
    """Return *value* as a constant; raise `TypesigError` where JSON has no form for it.

    >>> const(1) == const(True)
    False
    >>> const({"b": 1, "a": [2]}).thaw()
    {'a': [2], 'b': 1}
    """
    if isinstance(value, Const):
        return value
    return _const(value, ())


def _name(item: tuple[str, object]) -> str:
    return item[0]


def _const(value: Any, above: tuple[int, ...]) -> Const:
    kind = kind_of(value)
    if kind in ("nil", "bool"):
        return Const(kind, value)
    if kind == "int":
        if abs(value) >= 10**MAX_DIGITS:
            raise TypesigError(f"a number in a type may have {MAX_DIGITS} digits")
        return Const(kind, int(value))
    if kind == "float":
        number = float(value)
        if number - number != 0:
            raise TypesigError(f"JSON has no form for {number}")
        # Without the sign of a zero, which no comparison sees: equal constants, equal texts.
        return Const(kind, number + 0.0)
    if kind == "string":
        return Const(kind, str.__str__(value))
    if kind == "keyword":
        return Const(kind, value)
    if id(value) in above:
        raise TypesigError("a constant cannot contain itself")
    if len(above) >= MAX_DEPTH:
        raise TooDeep(f"a constant may nest {MAX_DEPTH} levels, this one has more")
    above = (*above, id(value))
    if kind == "list":
        return Const(kind, tuple([_const(item, above) for item in value]))
    if kind == "map":
        items = value.items()
        if not all(isinstance(name, str) for name, _ in items):
            raise TypesigError("the keys of a constant map must be text")
        # Sorted, since the order of a JSON object carries no meaning.
        return Const(
            kind, tuple([Pair(str(n), _const(v, above)) for n, v in sorted(items, key=_name)])
        )
    raise TypesigError(f"JSON has no form for a value of {type(value).__name__}")


def without_keywords(value: Const) -> Const:
    """Return *value* as JSON has it: a keyword as text."""
    match value.kind:
        case "keyword":
            return Const("string", str.__str__(value.value))
        case "list":
            return Const("list", tuple([without_keywords(item) for item in value.value]))
        case "map":
            pairs = [Pair(pair.name, without_keywords(pair.const)) for pair in value.value]
            return Const("map", tuple(pairs))
        case _:
            return value
