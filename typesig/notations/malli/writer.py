"""An image to Malli data: one form for each shape, its properties in a fixed order."""

from __future__ import annotations

from typing import Any, assert_never

from typesig.algebra.constraints import NUMBERS, Constraint
from typesig.algebra.constructors import kinds_of
from typesig.algebra.nodes import (
    ANY,
    KEYWORD,
    MAP,
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
from typesig.algebra.signature import Signature
from typesig.algebra.values import Const
from typesig.notations.malli.names import WRITTEN
from typesig.notations.malli.spelling import Spelling


class Writer:
    """Writes images in one spelling."""

    def __init__(self, spelling: Spelling) -> None:
        self.word = spelling.keyword

    def whole(self, signature: Signature, named: bool) -> Any:
        """Return the form of a function, its parameters in `:catn` where they are *named*."""
        kw = self.word
        params = [kw("catn" if named else "cat")]
        for field in signature.params:
            form = self.param(field)
            params.append([self.key(field), form] if named else form)
        returns = self.of(signature.returns)
        return self.registered([kw("=>"), params, returns], signature)

    def registered(self, form: Any, signature: Signature) -> Any:
        """Return *form* within the registry of the types that *signature* names."""
        if not signature.definitions:
            return form
        names = {d.name: self.of(d.type) for d in signature.definitions}
        return [self.word("schema"), {self.word("registry"): names}, form]

    def of(self, t: Type) -> Any:
        """Return the form of *t*, which is an image."""
        kw = self.word
        match t:
            case Scalar():
                return [kw("map-of"), kw("keyword"), kw("any")] if t == MAP else kw(WRITTEN[t])
            case List(item):
                return [kw("vector"), self.of(item)]
            case Set(item):
                return [kw("set"), self.of(item)]
            case Tuple(items, rest):
                if rest is None:
                    return [kw("tuple"), *map(self.of, items)]
                behind = [kw("*"), self.place(rest)]
                return [kw("cat"), *map(self.place, items), behind]
            case MapOf(key, value):
                return self.map_of(key, value)
            case Record(fields, extra):
                closed = [] if extra is not None else [{kw("closed"): True}]
                return [kw("map"), *closed, *map(self.entry, fields)]
            case Maybe(inner):
                return [kw("maybe"), self.of(inner)]
            case Enum(values):
                return self.enum(values)
            case Union(members):
                return [kw("or"), *map(self.of, members)]
            case Both(members):
                return [kw("and"), *map(self.of, members)]
            case Refined(inner, constraints):
                return self.refined(t, inner, constraints)
            case Noted():
                return self.noted(t)
            case Ref(name):
                return [kw("ref"), name]
            case Not():
                return kw(WRITTEN[t])
            case One():  # pragma: no cover - the image of one is a union
                raise AssertionError(t)
            case _:
                assert_never(t)

    def place(self, t: Type) -> Any:
        """Return the form of *t* at a place of a sequence, which a sequence would be part of."""
        form = self.of(t)
        if type(form) is list and form[0] == self.word("cat"):
            return [self.word("schema"), form]
        return form

    def map_of(self, key: Type, value: Type) -> Any:
        """Return the form of a map by its keys and values."""
        keys = self.of(key)
        if key == KEYWORD and value == ANY:
            # Bare, it would be the seed's form of a map with text keys.
            keys = [self.word("schema"), keys]
        return [self.word("map-of"), keys, self.of(value)]

    # properties

    def noted(self, t: Noted) -> Any:
        """Return the form of a type with its title and description."""
        words = {"title": t.title, "description": t.text}
        given = {self.word(name): text for name, text in words.items() if text is not None}
        return self.beside(self.of(t.inner), given)

    def beside(self, form: Any, given: dict[Any, Any]) -> Any:
        """Return *form* with more properties; where it has one of them, with *form* within."""
        if type(form) is not list:
            return [form, given]
        head, *parts = form
        if not parts or type(parts[0]) is not dict:
            return [head, given, *parts]
        if parts[0].keys() & given.keys():
            return [self.word("schema"), given, form]
        return [head, {**parts[0], **given}, *parts[1:]]

    # fields

    def key(self, field: Field) -> Any:
        """Return the name of *field*: a keyword, or text where it is to the letter."""
        return field.name if field.exact else self.word(field.name)

    def entry(self, field: Field) -> Any:
        """Return the entry of a map that *field* is."""
        if field.default is not None:
            given = {self.word("default"): self.value(field.default)}
        elif not field.required:
            given = {self.word("optional"): True}
        else:
            return [self.key(field), self.of(field.type)]
        return [self.key(field), given, self.of(field.type)]

    def param(self, field: Field) -> Any:
        """Return the form of a parameter at its place."""
        form = self.place(field.type)
        if field.default is not None:
            form = self.beside(form, {self.word("default"): self.value(field.default)})
        return form if field.required else [self.word("?"), form]

    # values

    def enum(self, values: tuple[Const, ...]) -> Any:
        """Return the form of an enum; a map or nil at its head would be its properties."""
        first: list[Any] = [{}] if values[0].kind in ("map", "nil") else []
        return [self.word("enum"), *first, *map(self.value, values)]

    def value(self, value: Const) -> Any:
        """Return a constant as data."""
        match value.kind:
            case "keyword":
                return self.word(str.__str__(value.value))
            case "list":
                return [self.value(item) for item in value.value]
            case "map":
                return {pair.name: self.value(pair.const) for pair in value.value}
            case _:
                return value.value

    # constraints

    def refined(self, t: Type, inner: Type, constraints: tuple[Constraint, ...]) -> Any:
        """Return the form of a refinement: properties, or members of `:and`."""
        kw = self.word
        if t in WRITTEN:
            return kw(WRITTEN[t])
        if (kinds_of(inner) or frozenset()) <= NUMBERS:
            limits = [[kw(_SIGNS[c.name]), c.argument.value] for c in constraints]
            return [kw("and"), self.of(inner), *limits]
        given = {kw(_SIZES[c.name]): c.argument.value for c in constraints if c.name in _SIZES}
        formats = [c.argument.value for c in constraints if c.name == "format"]
        patterns = [[kw("re"), c.argument.value] for c in constraints if c.name == "pattern"]
        if formats:
            given[kw("format")] = formats[0] if len(formats) == 1 else formats
        named = WRITTEN.get(Refined(inner, (constraints[-1],)))
        form = self.of(inner)
        if named is not None and len(given) == len(formats) == 1:
            form = kw(named)
        elif given:
            form = self.beside(form, given)
        return [kw("and"), form, *patterns] if patterns else form


_SIZES = {"at_least": "min", "at_most": "max"}
_SIGNS = {"at_least": ">=", "above": ">", "at_most": "<=", "below": "<"}
