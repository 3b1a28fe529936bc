"""The image of a type: what Malli can say of it, which is what reading back gives.

The writer writes images alone, so all that Malli has no form for is decided here: it becomes
something wider, and that is a loss.  The image of an image is itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import is_
from typing import Any, assert_never

from typesig.algebra.constraints import NUMBERS, Constraint
from typesig.algebra.constructors import both, kinds_of, maybe, noted, refined, union
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import (
    ANY,
    KEYWORD,
    MAP,
    NIL,
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
from typesig.algebra.positional import positional_name
from typesig.algebra.signature import Definition, Signature, fresh_name
from typesig.algebra.traversal import rebuild
from typesig.algebra.values import Const
from typesig.notations.malli.spelling import Spelling

Path = tuple[str, ...]


@lru_cache(maxsize=1024)
def expressible_with_losses(
    signature: Signature, spelling: Spelling, named: bool = False
) -> tuple[Signature, Losses]:
    """Return what reading *signature* back from *spelling* gives, and what is lost."""
    made = Rewriter(spelling, [])
    made.rename(d.name for d in signature.definitions)
    made.params = {field.name for field in signature.params}
    params = tuple([made.param(n, f, named) for n, f in enumerate(signature.params, 1)])
    if signature.extra != ANY:
        # The parameters of Malli stand by place.
        what = "other arguments by name" if signature.extra is not None else "no other arguments"
        made.widen(("params", "**"), what, "a function takes its arguments by place", "any of them")
    returns = made.of(signature.returns, ("returns",))
    names = [
        Definition(made.names[d.name], made.of(d.type, ("definitions", d.name)))
        for d in signature.definitions
    ]
    return Signature(params, returns, names), tuple(made.losses)


class Rewriter:
    """Makes images of types that share definitions, and keeps what was lost."""

    def __init__(self, spelling: Spelling, losses: list[Loss]) -> None:
        self.spelling = spelling
        self.losses = losses
        self.names: dict[str, str] = {}
        self.params: set[str] = set()

    def widen(self, at: Path, what: str, why: str, became: str) -> None:
        """Report that *what* became something wider."""
        self.losses.append(Loss("widened", at, what, why, became))

    def renamed(self, at: Path, what: str, why: str, became: str) -> None:
        """Report that the name *what* became another one."""
        self.losses.append(Loss("renamed", at, what, why, became))

    def says(self, text: str) -> bool:
        """Tell whether the notation has a form for *text*."""
        return self.spelling.says(Const("string", text))

    def rename(self, names: Iterable[str]) -> None:
        """Keep what types are called here: a text that is no name of the notation is changed."""
        given = list(names)
        self.names = {name: name for name in given if self.says(name)}
        for name in given:
            if name not in self.names:
                plain = name.lstrip(":") or "Type"
                taken = set(self.names.values())
                self.names[name] = fresh_name(plain, taken) if plain in taken else plain
                became = f"the name {self.names[name]!r}"
                self.renamed(("definitions", name), f"the name {name!r}", self._reason(), became)

    def of(self, t: Type, at: Path) -> Type:
        """Return the image of *t*, which stands at *at*."""
        match t:
            case Scalar():
                return t
            case List(item) | Set(item):
                return rebuild(t, [self.of(item, (*at, "items"))])
            case Tuple(items, rest):
                behind = [] if rest is None else [self.of(rest, (*at, "items"))]
                return rebuild(t, [*self._each(items, at), *behind])
            case MapOf(key, value):
                keys, values = self.of(key, (*at, "keys")), self.of(value, (*at, "values"))
                return rebuild(t, [keys, values])
            case Record():
                return self.record(t, at)
            case Maybe(inner):
                return rebuild(t, [self.of(inner, at)])
            case Enum():
                return self.enum(t, at)
            case Union(members) | Both(members):
                return rebuild(t, self._each(members, at))
            case One(members):
                what, why = "exactly one of several types", "Malli has [:or …], any of them"
                self.widen(at, what, why, "any of them")
                return union(self._each(members, at))
            case Not(inner):
                if inner == NIL:
                    return t
                self.widen(
                    at, "anything but a type", "only :some is read back, anything but nil", ":any"
                )
                return ANY
            case Refined(inner, constraints):
                return self.limited(self.of(inner, at), constraints, at)
            case Noted(inner):
                return rebuild(t, [self.of(inner, at)])
            case Ref(name):
                return t if self.names[name] == name else Ref(self.names[name])
            case _:
                assert_never(t)

    def _each(self, members: tuple[Type, ...], at: Path) -> list[Type]:
        return [self.of(member, (*at, str(place))) for place, member in enumerate(members)]

    # fields

    def param(self, place: int, field: Field, named: bool) -> Field:
        """Return the image of the parameter at *place*, without its name unless *named*."""
        at = ("params", field.name)
        made = self.field(field, at)
        if named and self._has_key(field):
            return made
        name = positional_name(place)
        if named:
            name = fresh_name(name, self.params) if name in self.params else name
            self.params.add(name)
            self.renamed(at, f"the name {field.name!r}", self._reason(), f"the name {name!r}")
        elif field.name != name:
            why = ":cat has no names; named=True writes :catn"
            self.losses.append(Loss("omitted", at, f"the name {field.name!r}", why))
        return Field(name, made.type, made.required, made.default)

    def _has_key(self, field: Field) -> bool:
        return not field.exact or self.says(field.name)

    def field(self, field: Field, at: Path) -> Field:
        """Return the image of *field*."""
        t, default, required = self.of(field.type, at), field.default, field.required
        if default is not None and not self.constant(default):
            self.widen(at, "a default", self._reason(), "a field that may be absent")
            default = None
        if t is field.type and default is field.default:
            return field
        return Field(field.name, t, required, default, field.exact)

    def record(self, t: Record, at: Path) -> Type:
        """Return the image of a record, open where Malli cannot say what its other keys hold."""
        extra = t.extra
        for matching in t.matching:
            what = f"keys that /{matching.pattern}/ is found in"
            self.widen(at, what, "Malli has no patterns of keys beside entries", "any other keys")
            extra = ANY
        if extra is not None and extra != ANY:
            why = "a map is open or closed; [:map-of …] types all its keys"
            self.widen((*at, "**"), "the type of other keys", why, "an open map")
            extra = ANY
        fields = []
        for field in t.fields:
            if self._has_key(field):
                fields.append(self.field(field, (*at, field.name)))
                continue
            self.widen((*at, field.name), f"the key {field.name!r}", self._reason(), "an open map")
            extra = ANY
        same = len(fields) == len(t.fields) and all(map(is_, fields, t.fields))
        return t if same and extra is t.extra and not t.matching else Record(tuple(fields), extra)

    # values

    def constant(self, value: Const) -> bool:
        """Tell whether the notation has a form for *value*."""
        match value.kind:
            case "list":
                return all(self.constant(item) for item in value.value)
            case "map":
                return all(self.says(p.name) and self.constant(p.const) for p in value.value)
            case _:
                return self.spelling.says(value)

    def _reason(self) -> str:
        if self.spelling.name == "edn":
            return "EDN has no keyword of such a name"
        return "text with a leading colon is a keyword in malli"

    def enum(self, t: Enum, at: Path) -> Type:
        """Return the image of an enum: any text for a text that has no form, and so on."""
        kept = [value for value in t.values if self.constant(value)]
        if len(kept) == len(t.values):
            return t
        wide = []
        for value in t.values:
            if value not in kept:
                whole, became = _WIDE[value.kind]
                wide.append(whole)
                self.widen(at, f"the value {value.thaw()!r}", self._reason(), became)
        return union([*([Enum(tuple(kept))] if kept else []), *wide])

    # constraints

    def limited(self, inner: Type, constraints: tuple[Constraint, ...], at: Path) -> Type:
        """Return *inner*, an image, with *constraints*, where Malli has a place for them."""
        if isinstance(inner, Noted):
            return noted(self.limited(inner.inner, constraints, at), inner.text, inner.title)
        if isinstance(inner, Refined):
            return self.limited(inner.inner, inner.constraints + constraints, at)
        kinds = kinds_of(inner)
        if isinstance(inner, Maybe):
            return maybe(self.limited(inner.inner, constraints, at))
        if kinds and kinds <= NUMBERS:
            return refined(inner, self._kept(constraints, _BOUNDS, at))
        if kinds is not None and len(kinds) == 1:
            return self._of_kind(inner, constraints, next(iter(kinds)), at)
        if isinstance(inner, Union):
            parts = [(m, _spoken(m, constraints)) for m in inner.members]
            return union([self.limited(m, spoken, at) if spoken else m for m, spoken in parts])
        self._kept(constraints, frozenset(), at)
        return inner

    def _of_kind(
        self, inner: Type, constraints: tuple[Constraint, ...], kind: str, at: Path
    ) -> Type:
        """Return *inner*, whose values are of one *kind*, with *constraints*.

        What has no place in its own form stands beside it, on all values of the kind.
        """
        if kind not in _WHOLE:
            self._kept(constraints, frozenset(), at)
            return inner
        kept = self._kept(constraints, _SIZES if kind != "string" else _OF_TEXT, at)
        if isinstance(inner, _WHOLE[kind][0]):
            return refined(inner, kept)
        patterns = [c for c in kept if c.name == "pattern"]
        others = [c for c in kept if c.name != "pattern"]
        made = refined(inner, patterns)
        return both([made, refined(_WHOLE[kind][1], others)]) if others else made

    def _kept(
        self, constraints: Iterable[Constraint], known: frozenset[str], at: Path
    ) -> list[Constraint]:
        """Return those of *constraints* that are *known*, and report the others."""
        kept = []
        for constraint in constraints:
            if constraint.name in known:
                kept.append(constraint)
                continue
            words = _WORDS[constraint.name].format(constraint.argument.value)
            self.widen(at, words, _REASONS.get(constraint.name, _HERE), "no constraint")
        return kept


_SIZES = frozenset({"at_least", "at_most"})
_BOUNDS = _SIZES | {"above", "below"}
_OF_TEXT = _SIZES | {"pattern", "format"}

_MAPS = MapOf(ANY, ANY)

# What has a place for constraints of its kind, and what takes all values of that kind.
_WHOLE: dict[str, tuple[type[Any] | tuple[type[Any], ...], Type]] = {
    "string": (Scalar, STRING),
    "list": (List, List(ANY)),
    "set": (Set, Set(ANY)),
    # Of scalars, `:map` alone has values of that kind.
    "map": ((MapOf, Scalar), _MAPS),
}

# What stands for a value that has no form.
_WIDE: dict[str, tuple[Type, str]] = {
    "string": (STRING, "any text"),
    "keyword": (KEYWORD, "any keyword"),
    "list": (List(ANY), "any list"),
    "map": (MAP, "any map"),
}

_HERE = "Malli has no form for it here"

_REASONS = {
    "multiple_of": "Malli has bounds of numbers alone",
    "unique": "Malli has [:set …], whose values are sets",
}

_WORDS = {
    "at_least": "at least {}",
    "above": "above {}",
    "at_most": "at most {}",
    "below": "below {}",
    "multiple_of": "a multiple of {}",
    "pattern": "the pattern /{}/",
    "format": "the format {}",
    "unique": "unique items",
}


def _spoken(t: Type, constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
    """Return those of *constraints* that speak of values of *t*."""
    kinds = kinds_of(t)
    return tuple([c for c in constraints if kinds is None or kinds & c.row.kinds])
