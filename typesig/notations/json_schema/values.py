"""What the keywords of a schema say of each kind of values."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, assert_never

from typesig.algebra.constraints import Constraint, ConstraintName
from typesig.algebra.constructors import both, kinds_of, refined, union
from typesig.algebra.formats import FORMATS
from typesig.algebra.nodes import BOOL, FLOAT, INT, NIL, STRING, Enum, Type
from typesig.algebra.values import Const, const
from typesig.errors import TypesigError
from typesig.notations.json_schema import arrays, objects
from typesig.notations.json_schema.formats import BY_PATTERN, PATTERNS, READ
from typesig.notations.json_schema.kinds import ALL, KEYWORDS, KINDS, OURS, JsonKind, shared
from typesig.notations.json_schema.rewriting import NEVER

if TYPE_CHECKING:
    from typesig.notations.json_schema.reader import Reader
    from typesig.notations.json_schema.references import Place

#: What `type` may say, and the kind of values it means.
TYPES: dict[str, JsonKind] = {**{str(kind): kind for kind in KINDS}, "integer": "number"}

#: The keyword of each limit, the constraint, and the kind that it speaks of.
LIMITS: dict[str, tuple[ConstraintName, JsonKind]] = {
    word: (name, kind) for name, words in KEYWORDS.items() for kind, word in words.items()
}

#: The keywords that speak of lists and of maps in more than limits.
SHAPES: dict[JsonKind, frozenset[str]] = {"array": arrays.WORDS, "object": objects.WORDS}


class Values:
    """The keywords of one schema that speak of kinds of values."""

    WORDS: ClassVar[frozenset[str]] = frozenset(
        {"type", "enum", "const", "nullable", *LIMITS, *arrays.WORDS, *objects.WORDS}
    )

    def __init__(
        self, reader: Reader, place: Place, schema: dict[str, Any], kinds: frozenset[JsonKind]
    ) -> None:
        self.reader = reader
        self.place = place
        self.schema = schema
        self.asked = kinds
        self.types = reader.attempt(place, "type", self._types)
        self.values = reader.attempt(place, "enum", self._values)
        self._limits: dict[JsonKind, tuple[Constraint, ...]] | None = None
        self._kinds = self._open()

    def report(self) -> None:
        """Report the keywords that speak of no kind of values that the schema may take."""
        if "nullable" in self.schema and self.types is None:
            path = (*self.place.pointer, "nullable")
            self.reader.omit(path, "the keyword nullable", "it speaks of the type beside it alone")
        for word in self.schema:
            kind = KINDS_OF.get(word)
            if kind is not None and kind not in self._kinds and kind in self.asked:
                path = (*self.place.pointer, word)
                self.reader.omit(path, f"the keyword {word}", "it says nothing of such values")

    def has(self, word: str) -> bool:
        """Tell whether the schema has *word*, a keyword of its draft."""
        return word in self.schema and self.reader.knows(word)

    def refuse(self, word: str, why: str) -> TypesigError:
        """Return the error for the keyword *word*."""
        return self.reader.refusal(self.place.pointer, word, why)

    def _types(self) -> frozenset[str] | None:
        said = self.schema.get("type")
        if "type" not in self.schema:
            return None
        names = [said] if isinstance(said, str) else said
        if not isinstance(names, list) or not names:
            raise self.refuse("type", "it must be the name of a type, or a list of names")
        for name in names:
            if not isinstance(name, str) or name not in TYPES:
                raise self.refuse(
                    "type", f"there is no type {name!r}; there are {', '.join(TYPES)}"
                )
        more = ["null"] if self.schema.get("nullable") is True else []
        return frozenset([*names, *more])

    def _values(self) -> tuple[Const, ...] | None:
        found: list[Const] | None = None
        for word in ("enum", "const"):
            if not self.has(word):
                continue
            given = self.schema[word]
            if word == "enum" and not isinstance(given, list):
                raise self.refuse(word, "it must be a list of values")
            try:
                values = [const(value) for value in (given if word == "enum" else [given])]
            except TypesigError as error:
                raise self.refuse(word, str(error)) from None
            found = values if found is None else [value for value in found if value in values]
        return None if found is None else tuple(filter(self._typed, dict.fromkeys(found)))

    def _typed(self, value: Const) -> bool:
        kind = OURS[value.kind]
        if self.types is None:
            return kind in self.asked
        return kind in self.types or (value.kind == "int" and "integer" in self.types)

    def kinds(self) -> frozenset[JsonKind]:
        """Return the kinds of values that the schema may take, of those that are asked for."""
        return self._kinds

    def _open(self) -> frozenset[JsonKind]:
        kinds = self.asked
        if self.types is not None:
            kinds &= {TYPES[name] for name in self.types}
        if self.values is not None:
            kinds &= {OURS[value.kind] for value in self.values}
        return kinds

    def spoken(self) -> frozenset[JsonKind]:
        """Return the kinds that keywords speak of."""
        words = {word for word in self.schema if self.has(word)}
        return frozenset(kind for kind in self.kinds() if words & KIND_WORDS[kind])

    def shaped(self) -> frozenset[JsonKind]:
        """Return the kinds that keywords say more of than limits."""
        words = {word for word in self.schema if self.has(word)}
        return frozenset(kind for kind in self.kinds() if words & SHAPES.get(kind, frozenset()))

    def bare(self) -> bool:
        """Tell whether the schema names neither types nor values nor shapes: limits at most."""
        return self.types is None and self.values is None and not self.shaped()

    def limits(self) -> dict[JsonKind, tuple[Constraint, ...]]:
        """Return the constraints on values of each kind."""
        if self._limits is None:
            found: dict[JsonKind, list[Constraint]] = {}
            for word in self.schema:
                if word not in LIMITS or not self.has(word):
                    continue
                name, kind = LIMITS[word]
                if kind in self.kinds():
                    step = partial(self._limit, word, name, kind)
                    made = self.reader.attempt(self.place, word, step)
                    found.setdefault(kind, []).extend(made or ())
            self._limits = {kind: tuple(some) for kind, some in found.items()}
        return self._limits

    def _limit(self, word: str, name: ConstraintName, kind: JsonKind) -> tuple[Constraint, ...]:
        argument = self.schema[word]
        if word in ("minimum", "maximum"):
            return self._bound(word, name, argument)
        if word in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(argument, bool):
            # Draft 4: a mark on the bound beside it, which reads it.
            return ()
        if word == "uniqueItems":
            if not isinstance(argument, bool):
                raise self.refuse(word, "it must be true or false")
            return (Constraint(name, True),) if argument else ()
        if word == "format":
            return self._format(argument)
        if word == "pattern" and isinstance(argument, str) and argument in BY_PATTERN:
            return (Constraint("format", BY_PATTERN[argument]),)
        if kind != "number" and word != "pattern":
            argument = self.size(word, argument)
        return (self._constraint(word, name, argument),)

    def _constraint(self, word: str, name: ConstraintName, argument: Any) -> Constraint:
        try:
            return Constraint(name, argument)
        except TypesigError as error:
            raise self.refuse(word, str(error)) from None

    def _bound(self, word: str, name: ConstraintName, argument: Any) -> tuple[Constraint, ...]:
        exclusive = "exclusive" + word[0].upper() + word[1:]
        if self.schema.get(exclusive) is True:
            name = "above" if name == "at_least" else "below"
        return (self._constraint(word, name, argument),)

    def size(self, word: str, argument: Any) -> int:
        """Return the size that *word* gives, a whole number from 0 on."""
        whole = isinstance(argument, float) and argument.is_integer()
        if isinstance(argument, bool) or not (isinstance(argument, int) or whole) or argument < 0:
            raise self.refuse(word, f"it must be a whole number from 0 on, not {argument!r}")
        return int(argument)

    def _format(self, argument: Any) -> tuple[Constraint, ...]:
        name = READ.get(argument, argument) if isinstance(argument, str) else argument
        if isinstance(name, str) and name in FORMATS and name not in OURS_ALONE:
            if argument not in self.reader.dialect.later_formats:
                return (Constraint("format", name),)
            why = f"it is no format of {self.reader.dialect.name}"
        else:
            why = "no validator asserts it"
        self.reader.omit((*self.place.pointer, "format"), f"the format {argument!r}", why)
        return ()

    def type(self) -> Type:
        """Return the type of what the schema says of kinds of values."""
        if self.values is None:
            return self._union()
        if not self.values:
            return NEVER
        base = Enum(self.values)
        if not self.spoken():
            return base
        limits = shared(self.limits(), self.kinds())
        if not self.shaped() and limits is not None:
            return refined(base, limits) if kinds_of(base) else base
        return both([base, self._union()])

    def _union(self) -> Type:
        made = [self._of(kind) for kind in KINDS if kind in self.kinds()]
        return union(made) if made else NEVER

    def _of(self, kind: JsonKind) -> Type:
        limits = self.limits().get(kind, ())
        match kind:
            case "null":
                return NIL
            case "boolean":
                return BOOL
            case "number":
                whole = self.types is not None and "number" not in self.types
                return refined(INT if whole else FLOAT, limits)
            case "string":
                return refined(STRING, limits)
            case "array":
                return arrays.array(self, limits)
            case "object":
                return refined(objects.record_of(self), limits)
            case _:
                assert_never(kind)


#: Formats of ours that JSON Schema has no name for.
OURS_ALONE = frozenset(PATTERNS) - frozenset(READ)

#: The kind that each keyword speaks of.
KINDS_OF: dict[str, JsonKind] = {
    **{word: kind for word, (_, kind) in LIMITS.items()},
    **{word: kind for kind, words in SHAPES.items() for word in words},
}

#: The keywords that speak of each kind.
KIND_WORDS: dict[JsonKind, frozenset[str]] = {
    kind: frozenset(word for word, (_, of) in LIMITS.items() if of == kind)
    | SHAPES.get(kind, frozenset())
    for kind in ALL
}
