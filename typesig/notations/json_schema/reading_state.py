"""What the readers of keywords share: the document, the losses, and the way to a schema inside.

`SchemaReading` is one run over a document; `Keywords` are those of one of its schemas.  The modules
that
read keywords take them as arguments, and know nothing of the reader, which imports these modules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import Field, Type
from typesig.errors import TooLarge, Unsupported
from typesig.limits import MAX_SCHEMAS
from typesig.notations.json_schema import references
from typesig.notations.json_schema.keywords import ALL, JsonKind
from typesig.notations.json_schema.references import Place, Pointer

R = TypeVar("R")


class SchemaReading(ABC):
    """Base class of a run that reads a document: its state, definitions and losses."""

    def __init__(
        self,
        root: Any,
        resources: Mapping[str, Any],
        lossy: bool,
        losses: list[Loss],
        trusts_names: bool = True,
    ) -> None:
        self.document = references.Document(root, resources)
        # The dynamic anchors on the path to the schema that is read.
        self.scope: references.Scope = ()
        self.root_scope = self.document.extend_scope(self.document.places[()], ())
        self.lossy = lossy
        self.losses = losses
        # Whether a name may be used in a negation before it is known that its definition is read
        # exactly: a definition that is widened would narrow the whole there.
        self.trusts_names = trusts_names
        self.negations = 0
        # While a schema of keys is read, whose references are replaced by what they lead to: the
        # places of the schemas around it.
        self.key_places: tuple[references.Pointer, ...] | None = None
        # How often a schema was looked at; some schemas are read more than once.
        self.count = 0
        # The types that were read and their losses, by the place and all else that they depend on.
        self.read_before: dict[
            tuple[references.Pointer, frozenset[JsonKind], references.Scope, bool],
            tuple[Type, Losses],
        ] = {}
        # What the schemas evaluate of every value: the business of `unevaluated`.
        self.evaluated: dict[tuple[str, references.Pointer, references.Scope], Any] = {}
        # A definition is what a schema means on a path with these dynamic anchors.
        self.names: dict[tuple[references.Pointer, references.Scope], str] = {}
        self.taken: set[str] = set()
        self.pending: list[tuple[references.Place, references.Scope]] = []
        self.definitions: dict[str, Type] = {}
        self.negated_names: set[str] = set()
        self.widened_names: set[str] = set()
        # The places of properties, whose defaults become those of fields.
        self.properties: set[references.Pointer] = set()
        # The places of defaults outside of properties that some property has.
        self.used_defaults: set[references.Pointer] = set()
        # The fields with defaults, by the places of the defaults.
        self.defaults: dict[references.Pointer, Field] = {}

    @abstractmethod
    def read(self, place: references.Place, kinds: frozenset[JsonKind] = ALL) -> Type:
        """Return the type of the schema at *place*, limited to values of *kinds*."""

    @abstractmethod
    def read_definitions(self, root: Type) -> None:
        """Read all referenced definitions; *root* is the document's type."""

    def read_keys(self, place: references.Place, kinds: frozenset[JsonKind]) -> Type:
        """Return the type of map keys that the schema at *place* describes."""
        before, self.key_places = self.key_places, (*(self.key_places or ()), place.pointer)
        try:
            return self.read(place, kinds)
        finally:
            self.key_places = before

    @contextmanager
    def enter_place(self, place: references.Place, scope: references.Scope) -> Iterator[None]:
        """Extend the dynamic scope to *place* while the context is active."""
        before, self.scope = self.scope, self.document.extend_scope(place, scope)
        try:
            yield
        finally:
            self.scope = before

    def get_inner_place(self, place: references.Place, *steps: str) -> references.Place:
        """Return the place of the subschema at the path *steps* in *place*."""
        pointer = (*place.pointer, *steps)
        known = self.document.places.get(pointer)
        if known is not None:
            return known
        value = place.schema
        for step in steps:
            value = value[int(step)] if isinstance(value, list) else value[step]
        return references.Place(pointer, value, place.address, place.dialect)

    def resolve_reference(self, place: references.Place, word: str = "$ref") -> references.Place:
        """Return the target of the reference keyword *word* at *place*."""
        ref = place.schema[word]
        if not isinstance(ref, str):
            raise self.make_refusal(place.pointer, word, f"it must be a string, not {ref!r}")
        try:
            if word == "$ref":
                return self.document.find(place, ref)
            return self.document.find_dynamic(place, ref, word, self.scope)
        except references.MissingTarget as missing:
            raise self.make_refusal(place.pointer, word, str(missing)) from None

    def read_size(self, place: references.Place, word: str) -> int:
        """Return the whole number in the keyword *word* of the schema at *place*."""
        given = place.schema[word]
        whole = isinstance(given, float) and given.is_integer()
        if isinstance(given, bool) or not (isinstance(given, int) or whole) or given < 0:
            why = f"it must be a whole number of at least 0, not {given!r}"
            raise self.make_refusal(place.pointer, word, why)
        return int(given)

    def count_schema(self) -> None:
        """Count a visited schema; raise `TooLarge` if there are too many."""
        self.count += 1
        if self.count > 4 * MAX_SCHEMAS:
            raise TooLarge(f"a JSON Schema may hold {MAX_SCHEMAS} schemas, this one has more")

    def make_refusal(self, pointer: references.Pointer, word: str, why: str) -> Unsupported:
        """Build the error that refuses the keyword *word* at *pointer*."""
        where = "".join(f"/{s.replace('~', '~0').replace('/', '~1')}" for s in pointer)
        message = f"{where or 'the root'}: {word + ': ' if word else ''}{why}"
        return Unsupported(message, pointer, word, why)

    def omit(self, path: references.Pointer, what: str, why: str) -> None:
        """Record that a keyword at *path* was skipped, as it does not constrain values."""
        self.losses.append(Loss("omitted", path, what, why))

    def widen(self, path: references.Pointer, what: str, why: str, became: str) -> None:
        """Record that a construct at *path* was widened to *became*."""
        self.losses.append(Loss("widened", path, what, why, became))

    def attempt(self, place: references.Place, word: str, make: Callable[[], R]) -> R | None:
        """Call *make*; if lossy, widen an unsupported keyword and return None."""
        if not self.lossy or self.negations:
            return make()
        try:
            return make()
        except Unsupported as error:
            what = f"the keyword {error.shape}" if error.shape else "the schema"
            path = (*error.path, error.shape) if error.shape else error.path
            self.widen(path, what, error.why, "anything")
            return None

    def read_in_negation(self, make: Callable[[], R]) -> R:
        """Run *make* without widening, which would narrow a negated type."""
        self.negations += 1
        try:
            return make()
        finally:
            self.negations -= 1


class Keywords:
    """The keywords of a schema at a place, for reading."""

    def __init__(
        self, reading: SchemaReading, place: references.Place, schema: dict[str, Any]
    ) -> None:
        self.reading = reading
        self.place = place
        self.schema = schema

    def has(self, word: str) -> bool:
        """Whether the schema has *word*, and *word* is a keyword of its draft."""
        return word in self.schema and self.place.dialect.is_keyword(word)

    def get(self, word: str, default: Any = None) -> Any:
        """Return the value of the keyword *word*, or *default* if the schema has none."""
        return self.schema[word] if self.has(word) else default

    def make_refusal(self, word: str, why: str) -> Unsupported:
        """Build the error that refuses the keyword *word* for the reason *why*."""
        return self.reading.make_refusal(self.place.pointer, word, why)

    def get_inner_place(self, *steps: str) -> references.Place:
        """Return the place of the subschema at the path *steps*."""
        return self.reading.get_inner_place(self.place, *steps)

    def attempt(self, word: str, make: Callable[[], R]) -> R | None:
        """Call *make*; if lossy, widen the unsupported keyword *word* and return None."""
        return self.reading.attempt(self.place, word, make)


# --- The default of a property ---


class StatedDefault(NamedTuple):
    """A default value, and the pointer to the schema that states it."""

    value: Any
    pointer: Pointer


#: The schemas that are searched for the default of one property.
_MOST = 100


def find_default(reading: SchemaReading, place: Place) -> StatedDefault | None:
    """Return the default of the property at *place*, or None.

    Its own counts first, then that of what it refers to, then the first in its `allOf`, and last
    that of its alternatives, if these state only one.  The places of defaults that are found are
    kept in `reading.used_defaults`.
    """
    found = _Search(reading).find(place)
    if found is not None and found.pointer != place.pointer:
        reading.used_defaults.add((*found.pointer, "default"))
    return found


class _Search:
    """A search for the default that a schema or its parts state."""

    def __init__(self, reading: SchemaReading) -> None:
        self._reading = reading
        self._seen: set[Pointer] = set()

    def find(self, place: Place) -> StatedDefault | None:
        """Find the only default of the schema at *place*, its target or its parts."""
        schema = place.schema
        if not isinstance(schema, dict) or place.pointer in self._seen:
            return None
        if len(self._seen) == _MOST:
            return None
        self._seen.add(place.pointer)
        if "default" in schema:
            return StatedDefault(schema["default"], place.pointer)
        if isinstance(schema.get("$ref"), str):
            found = self._find_behind_reference(place)
            if found is not None or place.dialect.lonely_refs:
                return found
        for part in self._get_parts(place, "allOf"):
            found = self.find(part)
            if found is not None:
                return found
        return self._of_choices(place)

    def _find_behind_reference(self, place: Place) -> StatedDefault | None:
        """Find the default in the target of the `$ref` at *place*."""
        try:
            return self.find(self._reading.resolve_reference(place))
        except Unsupported:
            # The reader of the reference tells it.
            return None

    def _of_choices(self, place: Place) -> StatedDefault | None:
        """Find the default that only one branch of `anyOf` or `oneOf` states."""
        found: list[StatedDefault] = []
        for word in ("anyOf", "oneOf"):
            stated = [self.find(part) for part in self._get_parts(place, word)]
            found += [each for each in stated if each is not None]
        return found[0] if len(found) == 1 else None

    def _get_parts(self, place: Place, word: str) -> list[Place]:
        """List the places of the schemas in the list keyword *word* of *place*."""
        parts = place.schema.get(word)
        if not isinstance(parts, list) or not place.dialect.is_keyword(word):
            return []
        return [self._reading.get_inner_place(place, word, str(at)) for at in range(len(parts))]
