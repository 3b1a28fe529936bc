"""The quick reader of shorthand, which needs no lark.

It reads every text without a mistake, unless its types nest so deep that Python's stack ends.  For
any other text it returns None; then `reader` reads the text and reports the mistake.  A law
compares the two: only the grammar defines what a text means.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from typesig.algebra.constructors import (
    both,
    enum,
    map_of,
    maybe,
    negated,
    noted,
    one,
    refined,
    union,
)
from typesig.algebra.nodes import (
    ANY,
    STRING,
    Field,
    List,
    Matching,
    Record,
    Ref,
    Scalar,
    Set,
    Tuple,
    Type,
)
from typesig.algebra.scalars import SCALARS
from typesig.algebra.signature import Signature
from typesig.algebra.values import Const, const
from typesig.errors import TypesigError
from typesig.notations.quick_values import (
    END,
    LETTERS,
    NUMBER,
    PATTERN,
    REFINE,
    TEXT,
    Unknown,
    constraints,
    literal,
    pattern,
    reversed_tokens,
    take,
    takes,
    text,
    unquoted,
)
from typesig.notations.shorthand.names import ALSO_READ

_TOKENS = re.compile(
    rf"[A-Za-z_][A-Za-z0-9_-]*+|[ \t\n\r]++|:(?:[A-Za-z_][A-Za-z0-9_-]*+|{TEXT})?\[?|{TEXT}"
    rf"|{NUMBER}|->|;[^\n]*+|{PATTERN}"
    r"|[]})!]\[?|#\{|[<>]=?|\.\.|\*\*|[\[{(,=?|&%]"
)
#: What blanks and comments begin with.
_IGNORED = " \t\n\r;"

#: The types of the names, as tokens.
_SCALARS: dict[str, Type] = {
    f":{name}": Scalar(ALSO_READ.get(name, name))  # type: ignore[arg-type]
    for name in (*SCALARS, *ALSO_READ)
}

#: What a type begins with.
_TYPES = frozenset(":[{#(")


def read(source: str) -> Signature | None:
    """Return the signature that *source* describes, or None if the grammar has to read it."""
    try:
        left = reversed_tokens(source, _TOKENS, _IGNORED)
        found = _signature(left)
    except (Unknown, TypesigError, RecursionError):
        return None
    return found if left[-1] is END else None


def _signature(left: list[str]) -> Signature:
    params: tuple[Field, ...] = ()
    extra: Type | None = ANY
    # A parenthesis before a type is a group.
    is_function = left[-1] == "(" and left[-2][:1] not in _TYPES
    if is_function:
        left.pop()
        params, matching, extra = _closed(left, *_fields(left, ")"))
        if matching:
            raise Unknown
    if is_function or left[-1] == "->":
        take(left, "->")
        returns = noted(_type(left)[0], text(left))
    else:
        returns = _type(left)[0]
    return Signature(params, returns, _definitions(left) if left[-1] == "where" else (), extra)


def _definitions(left: list[str]) -> dict[str, Type]:
    """Take `where`, which is next, and the definitions; return the types by name."""
    found: dict[str, Type] = {}
    left.pop()
    while True:
        name = _name(left)[0]
        take(left, "=")
        if name in found:
            raise Unknown
        found[name] = _type(left)[0]
        if not takes(left, ","):
            return found


def _name(left: list[str]) -> tuple[str, bool]:
    """Take a name, and tell whether it is quoted."""
    token = left.pop()
    if token[:1] == '"':
        return unquoted(token), True
    if token[:1] not in LETTERS:
        raise Unknown
    return token, False


_Fields = tuple[tuple[Field, ...], tuple[Matching, ...], Type | None]


def _fields(left: list[str], end: str) -> _Fields:
    """Take the fields up to the bracket *end*: also those of key patterns, and of other names."""
    fields: list[Field] = []
    if takes(left, end):
        return (), (), None
    while True:
        start = left[-1]
        if start == "**" or start[:1] == "/":
            matching, extra = _others(left)
            take(left, end)
            return tuple(fields), matching, extra
        name, exact = _name(left)
        required = not takes(left, "?")
        t, optional = _type(left)
        default: Const | None = const(literal(left)) if takes(left, "=") else None
        described = text(left)
        if described:
            t = noted(t, described)
        fields.append(Field(name, t, required and not optional, default, exact))
        if not takes(left, ","):
            take(left, end)
            return tuple(fields), (), None


def _others(left: list[str]) -> tuple[tuple[Matching, ...], Type | None]:
    """Take the types of key patterns, and that of other names, which end the fields."""
    matching: list[Matching] = []
    while True:
        token = left.pop()
        if token == "**":
            return tuple(matching), _type(left)[0]
        if token[:1] != "/":
            raise Unknown
        matching.append(Matching(pattern(token), noted(_type(left)[0], text(left))))
        if not takes(left, ","):
            return tuple(matching), None


def _closed(
    left: list[str],
    fields: tuple[Field, ...],
    matching: tuple[Matching, ...],
    extra: Type | None,
) -> _Fields:
    """Take a `!` if one is next, and return the fields, with the type of undeclared names."""
    if not takes(left, "!"):
        return fields, matching, ANY if extra is None else extra
    if extra is not None:
        raise Unknown
    return fields, matching, None


def _type(left: list[str]) -> tuple[Type, bool]:
    """Take a type, and tell whether it ends with a `?` that belongs to the whole type."""
    t, optional = _postfix(left)
    following = left[-1]
    if following != "|" and following != "&":
        return t, optional
    members = [_intersection(left, t)]
    while takes(left, "|"):
        members.append(_intersection(left, _postfix(left)[0]))
    return (union(members) if members[1:] else members[0]), False


def _intersection(left: list[str], first: Type) -> Type:
    if left[-1] != "&":
        return first
    members = [first]
    while takes(left, "&"):
        members.append(_postfix(left)[0])
    return both(members)


def _postfix(left: list[str]) -> tuple[Type, bool]:
    token = left.pop()
    t = _SCALARS.get(token)
    if t is None:
        t = _COMPOUNDS[token](left) if token in _COMPOUNDS else _named(token, left)
    if left[-1] == REFINE:
        left.pop()
        if token == ":map" and left[-1][:1] in _TYPES:
            t = _map(left)
            if takes(left, REFINE):
                t = refined(t, constraints(left))
        else:
            t = refined(t, constraints(left))
    if left[-1] != "?":
        return t, False
    left.pop()
    return maybe(t), True


def _named(token: str, left: list[str]) -> Type:
    """Return the type whose name is *token*, with what its brackets hold."""
    if token[:1] != ":":
        raise Unknown
    if token in _BRACKETED and takes(left, REFINE):
        return _BRACKETED[token](left)
    name = unquoted(token[1:]) if token[1:2] == '"' else token[1:]
    if not name:
        raise Unknown
    return Ref(name)


def _list(left: list[str]) -> Type:
    items = [_type(left)[0]]
    rest: Type | None = None
    while takes(left, ","):
        if takes(left, "**"):
            rest = _type(left)[0]
            break
        items.append(_type(left)[0])
    take(left, "]")
    return List(items[0]) if rest is None and not items[1:] else Tuple(tuple(items), rest)


def _record(left: list[str]) -> Type:
    found = (_entries(left), (), None) if left[-1][:1] == ":" else _fields(left, "}")
    fields, matching, extra = _closed(left, *found)
    return Record(fields, extra, matching)


def _entries(left: list[str]) -> tuple[Field, ...]:
    """Take the fields of a record in Clojure's style, and the closing bracket."""
    fields: list[Field] = []
    while True:
        token = left.pop()
        if token[:1] != ":" or token == ":":
            raise Unknown
        exact = token[1] == '"'
        t, optional = _type(left)
        name = unquoted(token[1:]) if exact else token[1:]
        fields.append(Field(name, t, not optional, None, exact))
        if takes(left, "}"):
            return tuple(fields)
        takes(left, ",")


def _set(left: list[str]) -> Type:
    item = _type(left)[0]
    take(left, "}")
    return Set(item)


def _group(left: list[str]) -> Type:
    t = noted(_type(left)[0], text(left))
    take(left, ")")
    return t


def _map(left: list[str]) -> Type:
    first = _type(left)[0]
    second = None if left[-1] == "]" else _type(left)[0]
    take(left, "]")
    return map_of(STRING, first) if second is None else map_of(first, second)


def _enum(left: list[str]) -> Type:
    values = [literal(left, is_bare_text=True)]
    while not takes(left, "]"):
        takes(left, ",")
        values.append(literal(left, is_bare_text=True))
    return enum(values)


def _one(left: list[str]) -> Type:
    members = [_type(left)[0]]
    while takes(left, ","):
        members.append(_type(left)[0])
    take(left, "]")
    if not members[1:]:
        raise Unknown
    return one(members)


def _not(left: list[str]) -> Type:
    inner = _type(left)[0]
    take(left, "]")
    return negated(inner)


#: What reads the rest of a type, by its first token.
_COMPOUNDS: dict[str, Callable[[list[str]], Type]] = {
    "[": _list,
    REFINE: _list,
    "{": _record,
    "#{": _set,
    "(": _group,
}

#: What reads the rest of a type whose name is followed directly by a bracket.
_BRACKETED: dict[str, Callable[[list[str]], Type]] = {":enum": _enum, ":one": _one, ":not": _not}
