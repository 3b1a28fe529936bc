"""Observations: counts and values seen at each place of the samples.

All records at one place are merged at once, so the memory used grows with the number of different
places, not with the number of samples.  `inferring` makes a type of the observations.
A new kind of values needs a row in `DETAILS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, NamedTuple

from typesig.algebra.rows.constraints import NUMBERS
from typesig.algebra.rows.values import KINDS, TOO_LONG, Kind, get_kind, is_long, to_builtin
from typesig.errors import TooDeep, TooLarge, TypesigError
from typesig.limits import (
    MAX_NAMES,
    MAX_PLACES,
    MAX_POSITIONS,
    MAX_SAMPLE,
    MAX_UNWATCHED,
    MAX_VALUE_DEPTH,
    MAX_WORD,
)
from typesig.relations.sampling.text_samples import RECOGNIZERS
from typesig.validation.plain_data import write_key

_TEXT: frozenset[Kind] = frozenset({"string"})


class Options(NamedTuple):
    """Options of an inference; see `infer`."""

    enums: int | None = None
    maps: int | None = None
    tuples: bool = False
    formats: bool = False
    closed: bool = False


class BadSample(Exception):
    """The error for a sample that has no type, with the path to the value."""

    def __init__(self, error: type[TypesigError], why: str) -> None:
        super().__init__(why)
        self.error = error
        self.why = why
        self.steps: list[str | int] = []


class Budget:
    """Options of one inference, and the places and values that its limits leave.

    #: places: how many more places may be distinguished
    #: values: how many more values the current sample may have
    #: keys: the budget for keys of maps, which never become an enum or a format
    #: known: the lists and maps of a large sample, by the place where they were observed
    """

    __slots__ = ("keys", "known", "options", "places", "values")

    def __init__(self, options: Options) -> None:
        self.options = options
        self.places = MAX_PLACES
        self.values = MAX_SAMPLE
        self.known: dict[tuple[int, int], object] = {}
        self.keys = self if options == Options() else Budget(Options())

    def begin(self) -> None:
        """Reset the limits per sample for a new sample."""
        for budget in (self, self.keys):
            budget.values = MAX_SAMPLE
            budget.known = {}

    def count_places(self, count: int = 1) -> None:
        """Count *count* new places; raise `BadSample` if there are too many."""
        self.places -= count
        if self.places < 0:
            raise BadSample(
                TooLarge,
                f"there are more than {MAX_PLACES} names and lists; with maps=20, for example, "
                "a map of more than 20 keys with values of one type counts once",
            )

    def count_items(self, place: PlaceObservations, value: Any, depth: int) -> bool:
        """Count the items of a list, set or map; return whether to observe them."""
        if depth >= MAX_VALUE_DEPTH:
            raise BadSample(
                TooDeep, f"a sample may nest {MAX_VALUE_DEPTH} levels, this one has more"
            )
        if self.values < MAX_SAMPLE - MAX_UNWATCHED:
            # Lists that share lists take little memory, but exponential time to walk.
            key = id(place), id(value)
            if key in self.known:
                return False
            # Both are kept alive, so that their ids are not reused during this sample.
            self.known[key] = place, value
        self.values -= len(value)
        if self.values < 0:
            raise BadSample(
                TooLarge, f"one sample may have {MAX_SAMPLE} values; give its rows one by one"
            )
        return True

    def kind(self, value: object) -> Kind:
        """Return the kind of *value*, of a subclass or an enum; refuse other classes."""
        kind = get_kind(value)
        if kind != "object":
            return kind
        if issubclass(type(value), Enum):
            return "keyword"
        raise BadSample(
            TypesigError,
            f"a value of {type(value).__name__} has no type; give plain data, such as text, "
            "numbers, lists and dicts",
        )


class PlaceObservations:
    """Counts, kinds and details of the values at one place of the samples.

    #: count: the number of values; kinds: their kinds
    #: texts, lists, sets, maps: details of the values of that kind, or None
    """

    __slots__ = ("count", "kinds", "lists", "maps", "sets", "texts")

    def __init__(self) -> None:
        self.count = 0
        self.kinds: frozenset[Kind] = frozenset()
        self.texts: Texts | None = None
        self.lists: Lists | None = None
        self.sets: PlaceObservations | None = None
        self.maps: Maps | None = None

    def add(self, value: Any, budget: Budget, depth: int = 0) -> None:
        """Observe *value*, which lies within *depth* lists and maps."""
        kind = KINDS.get(type(value)) or budget.kind(value)
        self.count += 1
        if kind not in self.kinds:
            self.kinds |= frozenset((kind,))
        observe = DETAILS[kind]
        if observe is not None:
            observe(self, value, budget, depth)

    def merge(self, other: PlaceObservations) -> None:
        """Add the observations of *other*, which does not change."""
        self.count += other.count
        self.kinds |= other.kinds
        if other.texts is not None:
            self.texts = self.texts or Texts(other.texts.most, other.texts.formats)
            self.texts.merge(other.texts)
        for name, make in (("lists", Lists), ("sets", PlaceObservations), ("maps", Maps)):
            theirs: Any = getattr(other, name)
            if theirs is not None:
                setattr(self, name, getattr(self, name) or make())
                getattr(self, name).merge(theirs)

    def _add_int(self, value: Any, budget: Budget, depth: int) -> None:
        """Refuse the int *value* if it has too many digits."""
        if is_long(value):
            raise BadSample(TypesigError, TOO_LONG)

    def _add_float(self, value: Any, budget: Budget, depth: int) -> None:
        """Refuse the float *value* if it is infinite or NaN."""
        if value - value != 0:
            raise BadSample(
                TypesigError, f"JSON has no number {float(value)}; leave it out, or null"
            )

    def _add_datetime(self, value: Any, budget: Budget, depth: int) -> None:
        """Refuse the datetime *value* if it has no UTC offset."""
        if value.utcoffset() is None:
            raise BadSample(
                TypesigError, f"the datetime {value.isoformat()} has no offset; give it a timezone"
            )

    def _add_text(self, value: Any, budget: Budget, depth: int) -> None:
        """Add the text *value* to the observed texts, if enums or formats need it."""
        options = budget.options
        if options.enums is None and not options.formats:
            return
        if self.texts is None:
            self.texts = Texts(options.enums or 0, tuple(RECOGNIZERS) if options.formats else ())
        self.texts.add(str.__str__(value))

    def _list(self, value: Any, budget: Budget, depth: int) -> None:
        """Add the list *value* and its items to the observed lists."""
        if self.lists is None:
            budget.count_places()
            self.lists = Lists()
        if budget.count_items(self, value, depth):
            self.lists.add(value, budget, depth + 1)

    def _set(self, value: Any, budget: Budget, depth: int) -> None:
        """Add the items of the set *value* to the observed items of sets."""
        if self.sets is None:
            budget.count_places()
            self.sets = PlaceObservations()
        for item in to_builtin(value) if budget.count_items(self, value, depth) else ():
            self.sets.add(item, budget, depth + 1)

    def _map(self, value: Any, budget: Budget, depth: int) -> None:
        """Add the dict *value*, its keys and its values to the observed maps."""
        if self.maps is None:
            self.maps = Maps()
        if budget.count_items(self, value, depth):
            self.maps.add(value, budget, depth + 1)


#: For each kind, what observes its values beyond their number, or checks them.
DETAILS: dict[Kind, Callable[[PlaceObservations, Any, Budget, int], None] | None] = {
    "nil": None,
    "bool": None,
    "int": PlaceObservations._add_int,
    "float": PlaceObservations._add_float,
    "string": PlaceObservations._add_text,
    "keyword": None,
    "list": PlaceObservations._list,
    "map": PlaceObservations._map,
    "set": PlaceObservations._set,
    "datetime": PlaceObservations._add_datetime,
    # `Budget.kind` refuses such values.
    "object": None,
}


class Texts:
    """Observations of the texts at one place: different texts and common formats.

    #: words: the different texts, or None if there are more than *most*
    #: formats: the names of the formats that all texts have
    """

    __slots__ = ("count", "formats", "most", "words")

    def __init__(self, most: int, formats: tuple[str, ...]) -> None:
        self.count = 0
        self.most = most
        self.words: set[str] | None = set() if most else None
        self.formats = formats

    def add(self, text: str) -> None:
        """Record *text*, and drop the formats that *text* does not have."""
        self.count += 1
        short = len(text) <= MAX_WORD
        if self.formats:
            kept = [name for name in self.formats if short and RECOGNIZERS[name](text)]
            self.formats = tuple(kept)
        if self.words is not None and text not in self.words:
            self._add_words([text] if short else None)

    def merge(self, other: Texts) -> None:
        """Add the observations of *other*, the texts of another place."""
        self.count += other.count
        self.formats = tuple([name for name in self.formats if name in other.formats])
        self._add_words(other.words)

    def _add_words(self, words: Iterable[str] | None) -> None:
        """Add *words* to the different texts; None or too many words discards them all."""
        if self.words is None or words is None:
            self.words = None
            return
        self.words.update(words)
        if len(self.words) > self.most:
            self.words = None


class Lists:
    """Observations of the lists at one place: their items, also by position.

    #: item: their items; positions: their items by position, while all lists have one length
    """

    __slots__ = ("count", "item", "positions")

    def __init__(self) -> None:
        self.count = 0
        self.item = PlaceObservations()
        self.positions: list[PlaceObservations] | None = None

    def add(self, value: Any, budget: Budget, depth: int) -> None:
        """Observe the items of the list *value*."""
        value = to_builtin(value)
        if not self.count and budget.options.tuples and 2 <= len(value) <= MAX_POSITIONS:
            budget.count_places(len(value))
            self.positions = [PlaceObservations() for _ in value]
        elif self.positions is not None and len(value) != len(self.positions):
            self._merge_items()
        self.count += 1
        places = self.positions
        item = self.item
        for index, element in enumerate(value):
            try:
                (item if places is None else places[index]).add(element, budget, depth)
            except BadSample as refused:
                refused.steps.append(index)
                raise

    def merge(self, other: Lists) -> None:
        """Add the observations of *other*, the lists of another place."""
        if not self.count and other.positions is not None:
            self.positions = [PlaceObservations() for _ in other.positions]
        elif self.positions is not None and len(self.positions) != len(other.positions or ()):
            self._merge_items()
        self.count += other.count
        theirs = [other.item] if other.positions is None else other.positions
        for index, part in enumerate(theirs):
            (self.item if self.positions is None else self.positions[index]).merge(part)

    def _merge_items(self) -> None:
        """Merge the items of all positions for good: positions no longer count."""
        self.item = self.merge_positions()
        self.positions = None

    def merge_positions(self) -> PlaceObservations:
        """Return the merged observations of the items at all positions."""
        if self.positions is None:
            return self.item
        return merge_observations(self.positions)


class Maps:
    """Observations of the maps at one place: their keys and values, also by name.

    #: fields: the values by name, while names are distinguished
    #: keys: the keys; values: the values of all keys, once names are no longer distinguished
    #: merged: whether names are no longer distinguished
    #: odd: whether a key was not plain text
    """

    __slots__ = ("count", "fields", "keys", "merged", "odd", "values")

    def __init__(self) -> None:
        self.count = 0
        self.fields: dict[str, PlaceObservations] = {}
        self.keys = PlaceObservations()
        self.values = PlaceObservations()
        self.merged = False
        self.odd = False

    def add(self, value: Any, budget: Budget, depth: int) -> None:
        """Observe the keys and values of the map *value*."""
        self.count += 1
        for key, item in to_builtin(value).items():
            try:
                found = self.fields.get(key)
                if found is None or self.odd or type(key) is not str:
                    found = self._observe_key(key, budget, depth)
                found.add(item, budget, depth)
            except BadSample as refused:
                refused.steps.append(write_key(key))
                raise

    def _observe_key(self, key: Any, budget: Budget, depth: int) -> PlaceObservations:
        """Observe *key*, and return the place of its values."""
        if type(key) is str:
            self.keys.kinds |= _TEXT
        else:
            self.odd = True
            self.keys.add(key, budget.keys, depth)
            if not isinstance(key, str):
                self._merge_fields()
        if self.merged:
            return self.values
        name = str.__str__(key)
        found = self.fields.get(name)
        if found is None:
            budget.count_places()
            found = self.fields[name] = PlaceObservations()
            if len(self.fields) == MAX_NAMES + 1 and budget.options.maps is not None:
                if not self.has_uniform_values(MAX_NAMES):
                    return found
                self._merge_fields()
                return self.values
        return found

    def merge(self, other: Maps) -> None:
        """Add the observations of *other*, the maps of another place."""
        self.count += other.count
        self.odd = self.odd or other.odd
        self.keys.merge(other.keys)
        if other.merged:
            self._merge_fields()
            self.values.merge(other.values)
        for name, theirs in other.fields.items():
            if self.merged:
                self.values.merge(theirs)
            else:
                self.fields.setdefault(name, PlaceObservations()).merge(theirs)

    def _merge_fields(self) -> None:
        """Merge the values of all fields for good: names no longer count."""
        self.values = self.merge_values()
        self.fields = {}
        self.merged = True

    def merge_values(self) -> PlaceObservations:
        """Return the merged observations of the values at all keys."""
        return self.values if self.merged else merge_observations(self.fields.values())

    def has_uniform_values(self, most: int) -> bool:
        """Whether the maps have more than *most* varying names and values of one type.

        If there is only one map, its names count as coming and going.
        """
        if len(self.fields) <= most:
            return False
        steady = all(field.count == self.count for field in self.fields.values())
        kinds = {kind for field in self.fields.values() for kind in field.kinds} - {"nil"}
        return (self.count == 1 or not steady) and (len(kinds) <= 1 or kinds <= NUMBERS)


def merge_observations(parts: Iterable[PlaceObservations]) -> PlaceObservations:
    """Merge *parts* into new observations; the parts do not change."""
    whole = PlaceObservations()
    for part in parts:
        whole.merge(part)
    return whole


def includes_observations(place: PlaceObservations, other: PlaceObservations) -> bool:
    """Whether *other* has no names and lists that are new to *place*."""
    if other.sets is not None and (
        place.sets is None or not includes_observations(place.sets, other.sets)
    ):
        return False
    return _includes_lists(place.lists, other.lists) and _includes_maps(place.maps, other.maps)


def _includes_lists(ours: Lists | None, theirs: Lists | None) -> bool:
    """Whether the lists *theirs* have no names, lists or lengths new to *ours*."""
    if theirs is None or ours is None:
        return theirs is None
    if ours.positions is None or theirs.positions is None:
        return ours.positions is theirs.positions and includes_observations(ours.item, theirs.item)
    same = len(ours.positions) == len(theirs.positions)
    return same and all(map(includes_observations, ours.positions, theirs.positions))


def _includes_maps(ours: Maps | None, theirs: Maps | None) -> bool:
    """Whether the maps *theirs* have no names or lists that are new to *ours*."""
    if theirs is None or ours is None:
        return theirs is None
    if theirs.odd or theirs.merged:
        return False
    if ours.merged:
        return all(includes_observations(ours.values, field) for field in theirs.fields.values())
    return all(
        name in ours.fields and includes_observations(ours.fields[name], field)
        for name, field in theirs.fields.items()
    )
