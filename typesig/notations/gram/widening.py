"""What a type becomes in gram: itself where gram can say it, else the nearest that takes as much.

`Widener.of` keeps lists and records; `Widener.head` says of a type what one word can, for the path
form, and for types that contain themselves or are too large to be written in their place.
A shape that gram cannot say has a row in `WHY`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar, assert_never

from typesig.algebra.constructors import maybe, record
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    MAP,
    STRING,
    Both,
    Enum,
    Field,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.scalars import ScalarName
from typesig.algebra.traversal import walk
from typesig.algebra.values import Const, ConstKind, without_keywords
from typesig.limits import MAX_DEPTH, MAX_INLINED
from typesig.notations.gram.joining import joined, met
from typesig.notations.gram.spellings import SPELLINGS
from typesig.notations.gram.writer import brief_text, json_text
from typesig.notations.quoting import quoted

Path = tuple[str, ...]
R = TypeVar("R")

#: Characters of a text, a value or a type in a loss.
_SHOWN = 60


class Why(NamedTuple):
    """What a shape is called, and why gram cannot say it and what to use instead."""

    what: str
    why: str


WHY: dict[str, Why] = {
    "Set": Why("a set", "gram has no sets; use a list"),
    "Tuple": Why("a tuple", "gram has no tuples; use a record, or a list of one type"),
    "MapOf": Why("a map of one type", "gram's Object holds anything; use :map, or a record"),
    "Enum": Why("an enum", "gram has no enums; use the type of its values"),
    "Union": Why("a union", "gram has no unions; use one type, or Maybe for null"),
    "One": Why("one of some types", "gram has no unions; use one type"),
    "Both": Why("all of some types", "gram has no intersections; use one record"),
    "Not": Why("a type that values are not of", "gram has none; use the type that they are of"),
    "Refined": Why("a refinement", "gram has no constraints; use the type alone"),
    "Ref": Why("a named type", "gram has no names for types; write the type in its place"),
}

_CLOSED = Why("a closed record", "gram's records are open; leave out the !")
_EXTRA = Why("a type of undeclared names", "gram's records hold anything; leave out the **")
_MATCHING = Why("names told by a pattern", "gram has no patterns; leave them out")
_ABSENT = Why("a name that may be absent, not null", "gram's Maybe says both; use :T?")
_NULLABLE = Why("a name that may be null, not absent", "gram's Maybe says both; use :T?")
_DEFAULT = "gram has defaults in its path form alone, gram_path; use :T?"
_DEEP = Why("what nests deeper", "it would be too deep to be read back")


class Widener:
    """Makes images of types that share definitions, and keeps what was lost.

    #: cut: the levels beyond which one word stands for a type, so that it can be read back
    """

    def __init__(self, names: Mapping[str, Type], losses: list[Loss], cut: int) -> None:
        self.names = names
        self.losses = losses
        self._cut = cut
        self._open: list[str] = []
        self._inlined = 0
        self._heads: dict[str, Type] = {}
        self._texts: dict[str, bool] = {}
        self._level = 0
        self._sizes: dict[str, int] = {}

    def lose(self, at: Path, why: Why, became: str) -> None:
        """Keep that something could not be said at *at*."""
        self.losses.append(Loss("widened", at, why.what, why.why, shortened(became)))

    def lose_notes(self, t: Noted, at: Path) -> None:
        """Keep that the words of *t* are left out, which is no part of a type."""
        for what, text in (("description", t.text), ("title", t.title)):
            if text is not None:
                said = f"{what} {shortened(quoted(text))}"
                self.losses.append(Loss("omitted", at, said, f"gram has no {what}s"))

    def of(self, t: Type, at: Path, depth: int = 0) -> Type:
        """Return the image of *t*, which stands at *at* within *depth* levels."""
        if depth > self._cut and t.depth > 1:
            return self._widened(t, at, _DEEP, self.head(t))
        match t:
            case Scalar(name):
                return self._scalar(name, at)
            case List(item):
                return List(self.of(item, (*at, "items"), depth + 1))
            case Record():
                return self._record(t, at, depth)
            case Maybe(inner):
                return maybe(self.of(inner, at, depth + 1))
            case Noted(inner):
                self.lose_notes(t, at)
                return self.of(inner, at, depth + 1)
            case Refined(inner):
                place = len(self.losses)
                made = self.of(inner, at, depth + 1)
                self.losses.insert(place, Loss("widened", at, *WHY["Refined"], _brief(made)))
                return made
            case Ref(name):
                return self._named(name, at, depth)
            case Set() | Tuple() | MapOf() | Enum() | Union() | One() | Both() | Not():
                return self._widened(t, at, WHY[type(t).__name__], self._nearest(t, depth))
            case _:
                assert_never(t)

    def _widened(self, t: Type, at: Path, why: Why, image: Type) -> Type:
        self.lose(at, why, _brief(image))
        for part in walk(t):
            if isinstance(part, Noted):
                self.lose_notes(part, at)
        return image

    def _scalar(self, name: ScalarName, at: Path) -> Type:
        image = _SCALARS[name]
        if why := SPELLINGS[name].why:
            self.lose(at, Why(f":{name}", why), _brief(image))
        return image

    def _nearest(self, t: Type, depth: int) -> Type:
        """Return the nearest type to *t*, whose parts are not at places of their own any more."""
        kept = len(self.losses)

        def parts(members: tuple[Type, ...]) -> list[Type]:
            return [self.of(member, (), depth + 1) for member in members]

        made: Type = ANY
        match t:
            case Tuple(items, rest):
                made = List(joined(parts(items if rest is None else (*items, rest))))
            case Enum(values):
                # A null in each list of lists would double what they nest.
                made = _of_values(values, depth + 2 * t.depth <= self._cut)
            case Union(members) | One(members):
                made = joined(parts(members))
            case Both(members):
                made = met(parts(members))
            case MapOf():
                made = self.head(t)
        del self.losses[kept:]
        return made

    # records

    def _record(self, t: Record, at: Path, depth: int) -> Type:
        said = [_CLOSED] if t.extra is None else [_EXTRA] if t.extra != ANY else []
        said += [_MATCHING] if t.matching else []
        for why in said:
            self.lose(at, why, "an open record")
        for part in [m.type for m in t.matching] + ([] if t.extra is None else [t.extra]):
            for inner in walk(part):
                if isinstance(inner, Noted):
                    self.lose_notes(inner, at)
        return record([self.field(field, (*at, field.name), depth + 1) for field in t.fields])

    def field(self, field: Field, at: Path, depth: int) -> Field:
        """Return the image of *field*: required, or one that may be absent and null."""
        place = len(self.losses)
        t = self.of(field.type, at, depth + 1)
        nullable = isinstance(t, Maybe)
        t = t if field.required else maybe(t)
        if why := _why_not(field, nullable):
            self.losses.insert(place, Loss("widened", at, *why, _brief(t)))
        return Field(field.name, t, field.required and not nullable, None, field.exact)

    # named types

    def _named(self, name: str, at: Path, depth: int) -> Type:
        """Return the image of what *name* means, in its place as far as that ends."""
        t = self.names[name]
        if name not in self._sizes:
            self._sizes[name] = _size(t)
        size = self._sizes[name]
        if (
            name in self._open
            or depth + t.depth > MAX_DEPTH - 3
            or self._inlined + size > MAX_INLINED
        ):
            image = self.head(t)
            self.lose(at, WHY["Ref"], _brief(image))
            return image
        self._inlined += size
        self._open.append(name)
        place = len(self.losses)
        image = self.of(t, at, depth)
        self._open.pop()
        self.losses.insert(place, Loss("widened", at, *WHY["Ref"], _brief(image)))
        return image

    # one word for a type

    def head(self, t: Type) -> Type:
        """Return what one word can say of *t*: a scalar, a list of anything, or null beside."""
        match t:
            case Scalar(name):
                return _SCALARS[name]
            case List() | Tuple():
                return List(ANY)
            case MapOf(key):
                return MAP if self._of_texts(key) else ANY
            case Record():
                return MAP
            case Maybe(inner):
                return maybe(self.head(inner))
            case Enum(values):
                return _of_values(values, False)
            case Union(members) | One(members):
                return joined([self.head(member) for member in members])
            case Both(members):
                return met([self.head(member) for member in members])
            case Refined(inner) | Noted(inner):
                return self.head(inner)
            case Set() | Not():
                return ANY
            case Ref(name):
                return self._meaning(name, self.head, self._heads, ANY)
            case _:
                assert_never(t)

    def _meaning(self, name: str, step: Callable[[Type], R], known: dict[str, R], beyond: R) -> R:
        """Return what *step* says of the type of *name*: *beyond* where names lead too far."""
        if name not in known:
            t = self.names[name]
            if self._level + t.depth > MAX_DEPTH:
                return beyond
            self._level += t.depth
            known[name] = step(t)
            self._level -= t.depth
        return known[name]

    def _of_texts(self, key: Type) -> bool:
        """Tell whether keys of the type *key* are known to be texts, and so those of any map."""
        match key:
            case Scalar(name):
                return name == "string"
            case Enum(values):
                return all(value.kind == "string" for value in values)
            case Union(members) | One(members):
                return all(self._of_texts(member) for member in members)
            case Both(members):
                return any(self._of_texts(member) for member in members)
            case Refined(inner) | Noted(inner):
                return self._of_texts(inner)
            case Ref(name):
                return self._meaning(name, self._of_texts, self._texts, False)
            case List() | Set() | Tuple() | MapOf() | Record() | Maybe() | Not():
                return False
            case _:
                assert_never(key)


def _why_not(field: Field, nullable: bool) -> Why | None:
    """Return why gram cannot say when the name of *field* may be absent."""
    if field.default is not None:
        return Why(default_of(field.default), _DEFAULT)
    if field.required:
        return _NULLABLE if nullable else None
    return None if nullable else _ABSENT


#: The image of each scalar: itself, or anything.
_SCALARS: dict[ScalarName, Type] = {
    name: ANY if row.why else Scalar(name) for name, row in SPELLINGS.items()
}

_OF_KIND: dict[ConstKind, Type] = {
    "bool": BOOL, "int": INT, "float": FLOAT, "string": STRING, "keyword": ANY, "map": MAP,
}  # fmt: skip


def _of_values(values: tuple[Const, ...], deep: bool) -> Type:
    """Return the nearest type that takes all of *values*; lists of anything unless *deep*."""
    found = [_of_value(value, deep) for value in values if value.kind != "nil"]
    if not found:
        return ANY
    whole = joined(found)
    return maybe(whole) if len(found) < len(values) and whole != ANY else whole


def _of_value(value: Const, deep: bool) -> Type:
    if value.kind == "list":
        return List(_of_values(value.value, True) if deep and value.value else ANY)
    return _OF_KIND[value.kind]


def _size(t: Type) -> int:
    """Return the characters that *t* takes in gram at most, names not followed."""
    names = [f.name for part in walk(t) if isinstance(part, Record) for f in part.fields]
    return sum(8 for _ in walk(t)) + sum(len(quoted(name)) + 2 for name in names)


def default_of(value: Const) -> str:
    """Return what a default is called in a loss."""
    return f"the default {shortened(json_text(without_keywords(value)))}"


def _brief(t: Type) -> str:
    return brief_text(t, _SHOWN)


def shortened(text: str) -> str:
    """Return *text*, its end left out where it is long."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
