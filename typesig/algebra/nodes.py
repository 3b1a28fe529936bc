"""The shapes: what a type is, a closed set.

Every operation is one `match` over `Type` that ends in `assert_never`, its cases in the order of
this module, so the type checker points at each operation that lacks a new shape.  Make types with
the smart constructors of `typesig.algebra.constructors`, which normalize equivalent forms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, get_args

from typesig.algebra.rows import frozen
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.frozen import (
    FOREIGN,
    RECORDS,
    NestedValue,
    check_depth,
    check_text,
    set_part,
)
from typesig.algebra.rows.names import check_names, fold_name, is_plain
from typesig.algebra.rows.scalars import SCALARS, ScalarName
from typesig.algebra.rows.values import Const, to_const
from typesig.errors import TypesigError
from typesig.limits import MAX_DEPTH


class Leaf(NestedValue):
    """Base class of the types without inner types."""

    __slots__ = ()


class Container(NestedValue):
    """Base class of the types of lists, sets and maps, which have types of items."""

    __slots__ = ()


class Through(NestedValue):
    """Base class of types that apply other types to the same value, or name a type."""

    __slots__ = ()


class Wrapper(Through):
    """Base class of types that add nil, constraints or annotations to one inner type."""

    __slots__ = ()
    inner: Type


class Combination(Through):
    """Base class of types that apply two or more member types to the same value."""

    __slots__ = ("members",)
    __match_args__ = ("members",)
    _FLAG = FOREIGN
    members: tuple[Type, ...]

    def __init__(self, members: tuple[Type, ...]) -> None:
        if len(members) < 2:
            raise TypesigError("two or more types are needed here")
        self._fill(members)


class Scalar(Leaf):
    """A scalar, a row of `typesig.algebra.rows.scalars`."""

    __slots__ = ("name",)
    __match_args__ = ("name",)
    name: ScalarName

    def __init__(self, name: ScalarName) -> None:
        self._fill(name)
        if not SCALARS[name].json:
            set_part(self, "flags", FOREIGN)


class List(Container):
    """Any number of items of one type, in order."""

    __slots__ = ("item",)
    __match_args__ = ("item",)
    item: Type

    def __new__(cls, item: Type) -> List:
        """Return the list of *item*."""
        made = _new_list()
        made.item, made.flags = item, item.flags
        made.depth = item.depth + 1 if item.depth < MAX_DEPTH else check_depth(item.depth + 1)
        made._hash = hash(("List", item._hash))
        made.__class__ = List
        return made  # type: ignore[no-any-return]


class Set(Container):
    """Unique items of one type, a Python set."""

    __slots__ = ("item",)
    __match_args__ = ("item",)
    _FLAG = FOREIGN
    item: Type

    def __init__(self, item: Type) -> None:
        self._fill(item)


class Tuple(Container):
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


class MapOf(Container):
    """A map with keys and values of one type each."""

    __slots__ = ("key", "value")
    __match_args__ = ("key", "value")
    _FLAG = FOREIGN
    key: Type
    value: Type

    def __init__(self, key: Type, value: Type) -> None:
        self._fill(key, value)


class Field(NestedValue):
    """A field of a record, or a parameter: a name, a type and a default.

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

    def __new__(
        cls,
        name: str,
        type: Type,
        required: bool = True,
        default: Const | None = None,
        exact: bool = False,
    ) -> Field:
        """Return the field *name* of *type*."""
        made = _new_field()
        if name.__class__ is not str:
            check_text("a name", name)
        depth, flags = type.depth, type.flags
        if default is not None:
            required = False
            if default.kind == "nil" and isinstance(strip_annotations(type), Maybe):
                # `a :T? = nil` means the same as `a :T?`.
                default = None
            else:
                depth, flags = max(depth, default.depth), flags | default.flags
                if not _fits_without_check(type, default):
                    flags |= frozen.DEFAULTS
        if not (name.isascii() and name.isidentifier()) and not is_plain(name):
            exact = True
        elif exact:
            exact = "_" in name or "-" in name
        if name[:1] == "_" and not exact:
            flags |= frozen.HIDDEN
        made.name, made.type, made.required = name, type, required
        made.default, made.exact = default, exact
        # Its parts are no deeper than a type can be.
        made.depth, made.flags = depth, flags
        hashed = None if default is None else default._hash
        made._hash = hash(("Field", name, type._hash, required, hashed, exact))
        made.__class__ = Field
        return made  # type: ignore[no-any-return]

    @property
    def firewalled(self) -> bool:
        """Whether a model does not see the field: a leading underscore, unless exact."""
        return self.name.startswith("_") and not self.exact

    @property
    def key(self) -> str:
        """Name of the field as compared with keys: hyphens folded, unless exact."""
        return self.name if self.exact else fold_name(self.name)

    def with_type(self, type: Type) -> Field:
        """Return the same field with another type."""
        if type is self.type:
            return self
        return Field(self.name, type, self.required, self.default, self.exact)


def strip_annotations(t: Type) -> Type:
    """Return *t* without the descriptions and titles around it."""
    while isinstance(t, Annotation):
        t = t.inner
    return t


def _fits_without_check(t: Type, default: Const) -> bool:
    """Whether *default* fits *t*, decided without a full check; False if undecided."""
    while type(t) is Annotation or type(t) is Maybe:
        t = t.inner
    if type(t) is Scalar:
        kinds, plain = SCALARS[t.name].kinds, ("string", "int", "float", "bool", "nil")
        # JSON, and so a constant, has no float that is not finite.
        return not kinds or (default.kind in kinds and t.name in plain)
    if isinstance(t, Refinement):
        is_met = all(each.is_within_bound(default) for each in t.constraints)
        return is_met and isinstance(t.inner, Scalar) and _fits_without_check(t.inner, default)
    return default in t.values if isinstance(t, Enum) else False


class PatternField(NestedValue):
    """A pattern of keys, and the type of the values of all keys that match the pattern."""

    __slots__ = ("pattern", "type")
    __match_args__ = ("pattern", "type")
    _DEPTH = 0
    pattern: str
    type: Type

    def __init__(self, pattern: str, type: Type) -> None:
        self._fill(Constraint("pattern", pattern).argument.value, type)

    def test(self) -> Callable[[str], bool]:
        """The predicate that checks whether a key matches the pattern."""
        return Constraint("pattern", self.pattern).test()


class Record(Container):
    """A map with named fields.

    #: extra: the type of the values of undeclared keys: `ANY` for an open record, None for a closed
    #: matching: the types of keys that match a pattern; such a key does not count as undeclared
    """

    __slots__ = ("extra", "fields", "matching")
    __match_args__ = ("fields", "extra", "matching")
    fields: tuple[Field, ...]
    extra: Type | None
    matching: tuple[PatternField, ...]

    def __new__(
        cls,
        fields: tuple[Field, ...],
        extra: Type | None = None,
        matching: tuple[PatternField, ...] = (),
    ) -> Record:
        """Return the map with *fields*."""
        made = _new_record()
        check_names(fields)
        depth, flags = 0, RECORDS if fields else RECORDS | FOREIGN
        hashes: list[int] = []
        for field in fields:
            # Faster than `__hash__`, a method of Python.
            hashes.append(field._hash)
            flags |= field.flags
            if matching and field.default is not None:
                # A pattern may say more of the value.
                flags |= frozen.DEFAULTS
            if field.depth > depth:
                depth = field.depth
        if matching:
            kept = sorted([m.pattern for m in matching])
            if twice := [p for at, p in enumerate(kept[1:]) if p == kept[at]]:
                raise TypesigError(f"the pattern /{twice[0]}/ occurs twice")
        for other in matching if extra is None else (extra, *matching):
            depth, flags = max(depth, other.depth), flags | other.flags
        made.fields, made.extra, made.matching = fields, extra, matching
        made.depth, made.flags = check_depth(depth + 1), flags
        rest = None if extra is None else extra._hash
        made._hash = hash(("Record", tuple(hashes), rest, matching))
        made.__class__ = Record
        return made  # type: ignore[no-any-return]


class Maybe(Wrapper):
    """A type whose values are nil and the values of the inner type."""

    __slots__ = ("inner",)
    __match_args__ = ("inner",)
    inner: Type

    def __new__(cls, inner: Type) -> Maybe:
        """Return the type of *inner* or nil."""
        made = _new_maybe()
        made.inner, made.flags = inner, inner.flags
        made.depth = inner.depth + 1 if inner.depth < MAX_DEPTH else check_depth(inner.depth + 1)
        made._hash = hash(("Maybe", inner._hash))
        made.__class__ = Maybe
        return made  # type: ignore[no-any-return]


class Enum(Leaf):
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
        set_part(self, "depth", check_depth(depth + 1))
        set_part(self, "flags", flags)
        set_part(self, "_hash", hash(("Enum", values)))


class Union(Combination):
    """Values of at least one of two or more types; the order matters in coercion."""

    __slots__ = ()


class One(Combination):
    """Values that conform to exactly one of two or more types."""

    __slots__ = ()


class Both(Combination):
    """Values that conform to all of two or more types."""

    __slots__ = ()


class Not(NestedValue):
    """Values that do not conform to the inner type; the values are not coerced."""

    __slots__ = ("inner",)
    __match_args__ = ("inner",)
    _FLAG = frozen.NEGATIONS | FOREIGN
    inner: Type

    def __init__(self, inner: Type) -> None:
        self._fill(inner)


class ItemCount(Container):
    """A list in which *at_least* to *at_most* items conform to a type, without coercion."""

    __slots__ = ("at_least", "at_most", "item")
    __match_args__ = ("item", "at_least", "at_most")
    _FLAG = FOREIGN
    item: Type
    at_least: int
    at_most: int | None

    def __init__(self, item: Type, at_least: int, at_most: int | None = None) -> None:
        if at_least < 0 or (at_most is not None and at_most < at_least):
            raise TypesigError("a count goes from 0 or more to no less than that")
        self._fill(item, at_least, at_most)


class Refinement(Wrapper):
    """A type with constraints."""

    __slots__ = ("constraints", "inner")
    __match_args__ = ("inner", "constraints")
    _FLAG = FOREIGN
    inner: Type
    constraints: tuple[Constraint, ...]

    def __init__(self, inner: Type, constraints: tuple[Constraint, ...]) -> None:
        self._fill(inner, constraints)


class Annotation(Wrapper):
    """A type with a description or a title, which validation ignores.

    #: text: the description, or None
    #: title: a title, or None; shorthand has no form for it
    """

    __slots__ = ("inner", "text", "title")
    __match_args__ = ("inner", "text", "title")
    inner: Type
    text: str | None
    title: str | None

    def __new__(cls, inner: Type, text: str | None = None, title: str | None = None) -> Annotation:
        """Return *inner* with a description and a title."""
        made = _new_noted()
        if text is not None and text.__class__ is not str:
            check_text("a description", text)
        if title is not None:
            check_text("a title", title)
        made.inner, made.text, made.title = inner, text, title
        made.depth = inner.depth + 1 if inner.depth < MAX_DEPTH else check_depth(inner.depth + 1)
        made.flags = inner.flags | frozen.NOTES
        made._hash = hash(("Annotation", inner._hash, text, title))
        made.__class__ = Annotation
        return made  # type: ignore[no-any-return]


class Ref(Through):
    """A reference, by name, to a type that the signature defines."""

    __slots__ = ("name",)
    __match_args__ = ("name",)
    _FLAG = frozen.NAMES
    name: str

    def __init__(self, name: str) -> None:
        check_text("the name of a type", name)
        if not name:
            raise TypesigError("the name of a type cannot be empty")
        self._fill(name)


Type: TypeAlias = (
    Scalar | List | Set | Tuple | MapOf | Record | Maybe | Enum | Union | One | Both | Not |
    ItemCount | Refinement | Annotation | Ref
)  # fmt: skip

SHAPES: tuple[type[Any], ...] = get_args(Type)

_new_list, _new_field = frozen.make_unsealed_factory(List), frozen.make_unsealed_factory(Field)
_new_record, _new_maybe = frozen.make_unsealed_factory(Record), frozen.make_unsealed_factory(Maybe)
_new_noted = frozen.make_unsealed_factory(Annotation)

#: Make a field and a note, given the class first, in three quarters of the time of a call of it.
make_field, make_note = Field.__new__, Annotation.__new__

STRING, INT, FLOAT, BOOL = Scalar("string"), Scalar("int"), Scalar("float"), Scalar("bool")
KEYWORD, DATETIME, MAP = Scalar("keyword"), Scalar("datetime"), Scalar("map")
ANY, NIL = Scalar("any"), Scalar("nil")

NIL_CONST = to_const(None)
