"""The shapes: what a type is, a closed set.

Every operation is one `match` over `Type` that ends in `assert_never`, its cases in the order of
this module, so the type checker points at each operation that lacks a new shape.  Make types with
the smart constructors of `typesig.algebra.constructors`, which normalize equivalent forms.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from typesig.algebra.constraints import Constraint
from typesig.algebra.frozen import (
    DEFAULTS,
    FOREIGN,
    HIDDEN,
    NAMES,
    NEGATIONS,
    NOTES,
    RECORDS,
    Frozen,
    check_text,
    set_part,
)
from typesig.algebra.scalars import SCALARS, ScalarName
from typesig.algebra.values import Const, const
from typesig.errors import TypesigError, short

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def is_plain(name: str) -> bool:
    """Tell whether *name* can be written without quotes in a signature."""
    return (name.isascii() and name.isidentifier()) or _PLAIN.fullmatch(name) is not None


def folded(name: str) -> str:
    """Return *name* as keys are compared: with underscores for hyphens."""
    return name.replace("-", "_")


class Scalar(Frozen):
    """A scalar, a row of `typesig.algebra.scalars`."""

    __slots__ = ("name",)
    __match_args__ = ("name",)
    name: ScalarName

    def __init__(self, name: ScalarName) -> None:
        self._fill(name)
        if not SCALARS[name].json:
            set_part(self, "flags", FOREIGN)


class List(Frozen):
    """Any number of items of one type, in order."""

    __slots__ = ("item",)
    __match_args__ = ("item",)
    item: Type

    def __init__(self, item: Type) -> None:
        set_part(self, "item", item)
        self._seal(item.depth + 1, item.flags, hash(("List", item._hash)))


class Set(Frozen):
    """Unique items of one type, a Python set."""

    __slots__ = ("item",)
    __match_args__ = ("item",)
    _FLAG = FOREIGN
    item: Type

    def __init__(self, item: Type) -> None:
        self._fill(item)


class Tuple(Frozen):
    """Two or more items by position; or one or more, followed by any number of `rest`.

    #: rest: the type of the items after the positions, or None if there are none
    """

    __slots__ = ("items", "rest")
    __match_args__ = ("items", "rest")
    items: tuple[Type, ...]
    rest: Type | None

    def __init__(self, items: tuple[Type, ...], rest: Type | None = None) -> None:
        if len(items) < (2 if rest is None else 1):
            raise TypesigError("a tuple has two or more positions; write [:T] for a list")
        self._fill(items, rest)


class MapOf(Frozen):
    """A map with keys and values of one type each."""

    __slots__ = ("key", "value")
    __match_args__ = ("key", "value")
    _FLAG = FOREIGN
    key: Type
    value: Type

    def __init__(self, key: Type, value: Type) -> None:
        self._fill(key, value)


class Field(Frozen):
    """A named value of a record, or a parameter.

    #: required: whether the name must be present; a field with a default is optional
    #: default: the value that is filled in if the name is absent, or None
    #: exact: whether keys must have exactly this name; such a name is not folded or firewalled
    """

    __slots__ = ("default", "exact", "name", "required", "type")
    __match_args__ = ("name", "type", "required", "default", "exact")
    name: str
    type: Type
    required: bool
    default: Const | None
    exact: bool

    def __init__(
        self,
        name: str,
        type: Type,
        required: bool = True,
        default: Const | None = None,
        exact: bool = False,
    ) -> None:
        check_text("a name", name)
        if default is not None:
            required = False
            if default.kind == "nil":
                inner = type
                while isinstance(inner, Noted):
                    inner = inner.inner
                # `a :T? = nil` means the same as `a :T?`.
                default = None if isinstance(inner, Maybe) else default
        exact = not is_plain(name) or (exact and ("_" in name or "-" in name))
        depth, flags = type.depth, type.flags
        if default is not None:
            depth, flags = max(depth, default.depth), flags | default.flags
            if not _plainly_fits(type, default):
                flags |= DEFAULTS
        if not exact and name.startswith("_"):
            flags |= HIDDEN
        set_part(self, "name", name)
        set_part(self, "type", type)
        set_part(self, "required", required)
        set_part(self, "default", default)
        set_part(self, "exact", exact)
        self._seal(depth, flags, hash(("Field", name, type._hash, required, default, exact)))

    @property
    def firewalled(self) -> bool:
        """Whether a model does not see the field: a leading underscore, unless exact."""
        return self.name.startswith("_") and not self.exact

    @property
    def key(self) -> str:
        """The key by which names are compared."""
        return self.name if self.exact else folded(self.name)

    def with_type(self, type: Type) -> Field:
        """Return the same field with another type."""
        return (
            self
            if type is self.type
            else Field(self.name, type, self.required, self.default, self.exact)
        )


def _plainly_fits(t: Type, default: Const) -> bool:
    """Tell whether *default* fits *t*, as far as it is seen without a check."""
    while isinstance(t, Noted | Maybe):
        t = t.inner
    if isinstance(t, Refined):
        is_met = all(each.bounds(default) for each in t.constraints)
        return is_met and isinstance(t.inner, Scalar) and _plainly_fits(t.inner, default)
    if isinstance(t, Scalar):
        row = SCALARS[t.name]
        # JSON, and so a constant, has no float that is not finite.
        return not row.kinds or (default.kind in row.kinds and t.name in _PLAIN_SCALARS)
    return default in t.values if isinstance(t, Enum) else False


_PLAIN_SCALARS = frozenset({"string", "int", "float", "bool", "nil"})


class Matching(Frozen):
    """A pattern and the type of the values whose keys match it, declared keys included."""

    __slots__ = ("pattern", "type")
    __match_args__ = ("pattern", "type")
    _DEPTH = 0
    pattern: str
    type: Type

    def __init__(self, pattern: str, type: Type) -> None:
        self._fill(Constraint("pattern", pattern).argument.value, type)

    def test(self) -> Callable[[str], bool]:
        """Return the function that tells whether a key matches."""
        return Constraint("pattern", self.pattern).test()


class Record(Frozen):
    """A map with named fields.

    #: extra: the type of the values of undeclared keys: `ANY` for an open record, None for a closed
    #: matching: the types of keys that match a pattern; such a key does not count as undeclared
    """

    __slots__ = ("extra", "fields", "matching")
    __match_args__ = ("fields", "extra", "matching")
    fields: tuple[Field, ...]
    extra: Type | None
    matching: tuple[Matching, ...]

    def __init__(
        self,
        fields: tuple[Field, ...],
        extra: Type | None = None,
        matching: tuple[Matching, ...] = (),
    ) -> None:
        check_names(fields)
        depth, flags = 0, RECORDS if fields else RECORDS | FOREIGN
        for field in fields:
            flags |= field.flags
            if matching and field.default is not None:
                # A pattern may say more of the value.
                flags |= DEFAULTS
            if field.depth > depth:
                depth = field.depth
        if matching:
            patterns = [m.pattern for m in matching]
            if twice := next((p for p in patterns if patterns.count(p) > 1), None):
                raise TypesigError(f"the pattern /{twice}/ occurs twice")
        for other in matching if extra is None else (extra, *matching):
            depth, flags = max(depth, other.depth), flags | other.flags
        set_part(self, "fields", fields)
        set_part(self, "extra", extra)
        set_part(self, "matching", matching)
        self._seal(depth + 1, flags, hash(("Record", fields, extra, matching)))


class Maybe(Frozen):
    """A type, or nil."""

    __slots__ = ("inner",)
    __match_args__ = ("inner",)
    inner: Type

    def __init__(self, inner: Type) -> None:
        set_part(self, "inner", inner)
        self._seal(inner.depth + 1, inner.flags, hash(("Maybe", inner._hash)))


class Enum(Frozen):
    """One of the listed values."""

    __slots__ = ("values",)
    __match_args__ = ("values",)
    values: tuple[Const, ...]

    def __init__(self, values: tuple[Const, ...]) -> None:
        if not values:
            raise TypesigError("an enum has one value or more")
        depth, flags = 0, 0
        for value in values:
            depth, flags = max(depth, value.depth), flags | value.flags
        set_part(self, "values", values)
        self._seal(depth + 1, flags, hash(("Enum", values)))


class Union(Frozen):
    """At least one of two or more types; the order matters if a value is coerced."""

    __slots__ = ("members",)
    __match_args__ = ("members",)
    _FLAG = FOREIGN
    members: tuple[Type, ...]

    def __init__(self, members: tuple[Type, ...]) -> None:
        self._fill(_two(members))


class One(Frozen):
    """Exactly one of two or more types."""

    __slots__ = ("members",)
    __match_args__ = ("members",)
    _FLAG = FOREIGN
    members: tuple[Type, ...]

    def __init__(self, members: tuple[Type, ...]) -> None:
        self._fill(_two(members))


class Both(Frozen):
    """All of two or more types."""

    __slots__ = ("members",)
    __match_args__ = ("members",)
    _FLAG = FOREIGN
    members: tuple[Type, ...]

    def __init__(self, members: tuple[Type, ...]) -> None:
        self._fill(_two(members))


class Not(Frozen):
    """Any value that does not conform to a type; the value is not coerced."""

    __slots__ = ("inner",)
    __match_args__ = ("inner",)
    _FLAG = NEGATIONS | FOREIGN
    inner: Type

    def __init__(self, inner: Type) -> None:
        self._fill(inner)


class Refined(Frozen):
    """A type with constraints."""

    __slots__ = ("constraints", "inner")
    __match_args__ = ("inner", "constraints")
    _FLAG = FOREIGN
    inner: Type
    constraints: tuple[Constraint, ...]

    def __init__(self, inner: Type, constraints: tuple[Constraint, ...]) -> None:
        self._fill(inner, constraints)


class Noted(Frozen):
    """A type with a description for people and models; validation ignores it.

    #: text: the description, or None
    #: title: a title, or None; shorthand has no form for it
    """

    __slots__ = ("inner", "text", "title")
    __match_args__ = ("inner", "text", "title")
    inner: Type
    text: str | None
    title: str | None

    def __init__(self, inner: Type, text: str | None = None, title: str | None = None) -> None:
        check_text("a description", "" if text is None else text)
        check_text("a title", "" if title is None else title)
        set_part(self, "inner", inner)
        set_part(self, "text", text)
        set_part(self, "title", title)
        hashed = hash(("Noted", inner._hash, text, title))
        self._seal(inner.depth + 1, inner.flags | NOTES, hashed)


class Ref(Frozen):
    """A named type, which the signature defines."""

    __slots__ = ("name",)
    __match_args__ = ("name",)
    _FLAG = NAMES
    name: str

    def __init__(self, name: str) -> None:
        check_text("the name of a type", name)
        if not name:
            raise TypesigError("the name of a type cannot be empty")
        self._fill(name)


Type: TypeAlias = (
    Scalar
    | List
    | Set
    | Tuple
    | MapOf
    | Record
    | Maybe
    | Enum
    | Union
    | One
    | Both
    | Not
    | Refined
    | Noted
    | Ref
)

SHAPES: tuple[type[Any], ...] = (
    Scalar,
    List,
    Set,
    Tuple,
    MapOf,
    Record,
    Maybe,
    Enum,
    Union,
    One,
    Both,
    Not,
    Refined,
    Noted,
    Ref,
)

STRING = Scalar("string")
INT = Scalar("int")
FLOAT = Scalar("float")
BOOL = Scalar("bool")
KEYWORD = Scalar("keyword")
ANY = Scalar("any")
NIL = Scalar("nil")
DATETIME = Scalar("datetime")
MAP = Scalar("map")

NIL_CONST = const(None)


def _two(members: tuple[Type, ...]) -> tuple[Type, ...]:
    if len(members) < 2:
        raise TypesigError("two or more types are needed here")
    return members


def check_names(fields: tuple[Field, ...]) -> None:
    """Raise `TypesigError` if two of *fields* have one name, or names that fold to one key."""
    if len({field.name.replace("-", "_") for field in fields}) == len(fields):
        return
    names: set[str] = set()
    keys: dict[str, str] = {}
    for field in fields:
        if field.name in names:
            raise TypesigError(f"the name {short(field.name)} occurs twice")
        names.add(field.name)
        # An exact name is looked up before any folding, so a folded name may be equal to it.
        if not field.exact and keys.setdefault(field.key, field.name) != field.name:
            raise TypesigError(
                f"{short(keys[field.key])} and {short(field.name)} are one name here, since hyphen "
                "and underscore are the same; quote one to keep it exactly"
            )
