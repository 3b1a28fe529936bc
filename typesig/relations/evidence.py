"""What was seen at each place of some samples, gathered one sample after the other.

Records met at one place are one record from the start, so that what is kept grows with the places
that differ, never with the samples.  What is gathered here is changed as samples come; `inferring`
makes a type of it, which asks no sample again.
To recognise a format, add a row to `FORMATS_TOLD`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, NamedTuple

from typesig.algebra.formats import FORMATS
from typesig.algebra.values import KINDS, kind_of
from typesig.errors import TooDeep, TooLarge, TypesigError
from typesig.limits import (
    MAX_NAMES,
    MAX_PLACES,
    MAX_POSITIONS,
    MAX_SAMPLE,
    MAX_VALUE_DEPTH,
    MAX_WORD,
)
from typesig.limits import MAX_UNWATCHED as _SMALL
from typesig.validation.plain import key_text


class Options(NamedTuple):
    """What is looked for beyond the plain shapes; see `infer`."""

    enums: int | None = None
    maps: int | None = None
    tuples: bool = False
    formats: bool = False
    closed: bool = False


class Refused(Exception):
    """A sample that cannot be told of, its path growing from the inside out."""

    def __init__(self, error: type[TypesigError], why: str) -> None:
        super().__init__(why)
        self.error = error
        self.why = why
        self.steps: list[str | int] = []


class Watch:
    """The options of one inference, and how far it may go on.

    #: places: that may still be told apart; values: that one sample may still have
    #: keys: the watch over keys of maps, which are never words of an enum
    #: known: the lists and maps of a large sample, by the place that saw them
    """

    __slots__ = ("keys", "known", "options", "places", "values")

    def __init__(self, options: Options) -> None:
        self.options = options
        self.places = MAX_PLACES
        self.values = MAX_SAMPLE
        self.known: dict[tuple[int, int], object] = {}
        self.keys = self if options == Options() else Watch(Options())

    def begin(self) -> None:
        """Get ready for another sample."""
        for watch in (self, self.keys):
            watch.values = MAX_SAMPLE
            watch.known = {}

    def place(self, count: int = 1) -> None:
        """Count so many places more."""
        self.places -= count
        if self.places < 0:
            raise Refused(
                TooLarge,
                f"there are more than {MAX_PLACES} names and lists to tell apart; with maps=20, "
                "say, a map of more keys than that, and values of one type, is one place",
            )

    def enter(self, place: Seen, value: Any, depth: int) -> bool:
        """Count the values of a list or map that lies so deep; tell whether to go into it."""
        if depth >= MAX_VALUE_DEPTH:
            raise Refused(TooDeep, f"a sample may nest {MAX_VALUE_DEPTH} levels, this one has more")
        if self.values < MAX_SAMPLE - _SMALL:
            # Lists that share lists are endless to walk, and small in memory.
            key = id(place), id(value)
            if key in self.known:
                return False
            # Both are kept, lest their ids be given to others while the sample is gone through.
            self.known[key] = place, value
        self.values -= len(value)
        if self.values < 0:
            raise Refused(
                TooLarge, f"one sample may have {MAX_SAMPLE} values; give its rows one by one"
            )
        return True

    def kind(self, value: object) -> str:
        """Return the kind of *value*, which is of a class of its own."""
        kind = kind_of(value)
        if kind != "object":
            return kind
        if isinstance(value, Enum):
            return "keyword"
        raise Refused(
            TypesigError,
            f"a value of {type(value).__name__} is not of any type here; give plain data, such as "
            "text, numbers, lists and dicts",
        )


class Seen:
    """What was seen at one place.

    #: count: how many values; kinds: of which kinds they were
    #: texts, lists, sets, maps: more of those, where there were any
    """

    __slots__ = ("count", "kinds", "lists", "maps", "sets", "texts")

    def __init__(self) -> None:
        self.count = 0
        self.kinds: frozenset[str] = frozenset()
        self.texts: Texts | None = None
        self.lists: Lists | None = None
        self.sets: Seen | None = None
        self.maps: Maps | None = None

    def add(self, value: Any, watch: Watch, depth: int = 0) -> None:
        """See *value*, which lies within so many lists and maps."""
        kind = KINDS.get(type(value)) or watch.kind(value)
        self.count += 1
        if kind not in self.kinds:
            self.kinds |= {kind}
        more = _MORE.get(kind)
        if more is not None:
            more(self, value, watch, depth)

    def merge(self, other: Seen) -> None:
        """See all that *other* saw, which stays as it is."""
        self.count += other.count
        self.kinds |= other.kinds
        if other.texts is not None:
            self.texts = self.texts or Texts(other.texts.most, other.texts.formats)
            self.texts.merge(other.texts)
        if other.lists is not None:
            self.lists = self.lists or Lists()
            self.lists.merge(other.lists)
        if other.sets is not None:
            self.sets = self.sets or Seen()
            self.sets.merge(other.sets)
        if other.maps is not None:
            self.maps = self.maps or Maps()
            self.maps.merge(other.maps)

    def _float(self, value: Any, watch: Watch, depth: int) -> None:
        if value - value != 0:
            raise Refused(TypesigError, f"JSON has no number {float(value)}; leave it out, or null")

    def _datetime(self, value: Any, watch: Watch, depth: int) -> None:
        if value.utcoffset() is None:
            raise Refused(
                TypesigError, f"the datetime {value.isoformat()} has no offset; give it a timezone"
            )

    def _text(self, value: Any, watch: Watch, depth: int) -> None:
        options = watch.options
        if options.enums is None and not options.formats:
            return
        if self.texts is None:
            self.texts = Texts(options.enums or 0, tuple(FORMATS_TOLD) if options.formats else ())
        self.texts.add(str.__str__(value))

    def _list(self, value: Any, watch: Watch, depth: int) -> None:
        if self.lists is None:
            watch.place()
            self.lists = Lists()
        if watch.enter(self, value, depth):
            self.lists.add(value, watch, depth + 1)

    def _set(self, value: Any, watch: Watch, depth: int) -> None:
        if self.sets is None:
            watch.place()
            self.sets = Seen()
        for item in value if watch.enter(self, value, depth) else ():
            self.sets.add(item, watch, depth + 1)

    def _map(self, value: Any, watch: Watch, depth: int) -> None:
        if self.maps is None:
            self.maps = Maps()
        if watch.enter(self, value, depth):
            self.maps.add(value, watch, depth + 1)


_MORE: dict[str, Callable[[Seen, Any, Watch, int], None]] = {
    "float": Seen._float,
    "string": Seen._text,
    "datetime": Seen._datetime,
    "list": Seen._list,
    "set": Seen._set,
    "map": Seen._map,
}


def _located(text: str) -> bool:
    # A uri of any scheme would be every word with a colon behind it.
    return "://" in text and FORMATS["uri"](text)


#: The formats that are told of texts, the first of those that fit all.
FORMATS_TOLD: dict[str, Callable[[str], bool]] = {
    "date-time": FORMATS["date-time"],
    "date": FORMATS["date"],
    "time": FORMATS["time"],
    "duration": FORMATS["duration"],
    "uuid": FORMATS["uuid"],
    "email": FORMATS["email"],
    "uri": _located,
    "ipv4": FORMATS["ipv4"],
    "ipv6": FORMATS["ipv6"],
}


class Texts:
    """The texts of one place.

    #: words: those that differ, None where there are more than *most*
    #: formats: the names of those that all texts are in
    """

    __slots__ = ("count", "formats", "most", "words")

    def __init__(self, most: int, formats: tuple[str, ...]) -> None:
        self.count = 0
        self.most = most
        self.words: set[str] | None = set() if most else None
        self.formats = formats

    def add(self, text: str) -> None:
        """See *text*."""
        self.count += 1
        short = len(text) <= MAX_WORD
        if self.formats:
            told = [name for name in self.formats if short and FORMATS_TOLD[name](text)]
            self.formats = tuple(told)
        if self.words is not None and text not in self.words:
            self._more([text] if short else None)

    def merge(self, other: Texts) -> None:
        """See all that *other* saw."""
        self.count += other.count
        self.formats = tuple([name for name in self.formats if name in other.formats])
        self._more(other.words)

    def _more(self, words: Iterable[str] | None) -> None:
        if self.words is None or words is None:
            self.words = None
            return
        self.words.update(words)
        if len(self.words) > self.most:
            self.words = None


class Lists:
    """The lists of one place.

    #: item: what was in them; positions: what was at each, while all are of one length
    """

    __slots__ = ("count", "item", "positions")

    def __init__(self) -> None:
        self.count = 0
        self.item = Seen()
        self.positions: list[Seen] | None = None

    def add(self, value: Any, watch: Watch, depth: int) -> None:
        """See the items of the list *value*."""
        if not self.count and watch.options.tuples and 2 <= len(value) <= MAX_POSITIONS:
            watch.place(len(value))
            self.positions = [Seen() for _ in value]
        elif self.positions is not None and len(value) != len(self.positions):
            self._loosen()
        self.count += 1
        places = self.positions
        item = self.item
        for index, element in enumerate(value):
            try:
                (item if places is None else places[index]).add(element, watch, depth)
            except Refused as refused:
                refused.steps.append(index)
                raise

    def merge(self, other: Lists) -> None:
        """See all that *other* saw."""
        if not self.count and other.positions is not None:
            self.positions = [Seen() for _ in other.positions]
        elif self.positions is not None and len(self.positions) != len(other.positions or ()):
            self._loosen()
        self.count += other.count
        theirs = [other.item] if other.positions is None else other.positions
        for index, part in enumerate(theirs):
            (self.item if self.positions is None else self.positions[index]).merge(part)

    def _loosen(self) -> None:
        self.item = self.whole()
        self.positions = None

    def whole(self) -> Seen:
        """Return what was in the lists at any position."""
        if self.positions is None:
            return self.item
        return merged(self.positions)


class Maps:
    """The maps of one place.

    #: fields: what each name held, by name, while names are told apart
    #: keys: what the keys were; values: what any of them held once they are not told apart
    #: loose: whether that is so; odd: whether a key was other than plain text
    """

    __slots__ = ("count", "fields", "keys", "loose", "odd", "values")

    def __init__(self) -> None:
        self.count = 0
        self.fields: dict[str, Seen] = {}
        self.keys = Seen()
        self.values = Seen()
        self.loose = False
        self.odd = False

    def add(self, value: Any, watch: Watch, depth: int) -> None:
        """See the keys of the map *value* and what they hold."""
        self.count += 1
        for key, item in value.items():
            try:
                found = self.fields.get(key)
                if found is None or self.odd or type(key) is not str:
                    found = self._place(key, watch, depth)
                found.add(item, watch, depth)
            except Refused as refused:
                refused.steps.append(key_text(key))
                raise

    def _place(self, key: Any, watch: Watch, depth: int) -> Seen:
        """Return the place of what *key* holds, and see the key."""
        if type(key) is str:
            self.keys.kinds |= {"string"}
        else:
            self.odd = True
            self.keys.add(key, watch.keys, depth)
            if not isinstance(key, str):
                self._loosen()
        if self.loose:
            return self.values
        name = str.__str__(key)
        found = self.fields.get(name)
        if found is None:
            watch.place()
            found = self.fields[name] = Seen()
            if len(self.fields) == MAX_NAMES + 1 and watch.options.maps is not None:
                return self._crowded(found)
        return found

    def _crowded(self, newest: Seen) -> Seen:
        if not self.alike(MAX_NAMES):
            return newest
        self._loosen()
        return self.values

    def merge(self, other: Maps) -> None:
        """See all that *other* saw."""
        self.count += other.count
        self.odd = self.odd or other.odd
        self.keys.merge(other.keys)
        if other.loose:
            self._loosen()
            self.values.merge(other.values)
        for name, theirs in other.fields.items():
            if self.loose:
                self.values.merge(theirs)
            else:
                self.fields.setdefault(name, Seen()).merge(theirs)

    def _loosen(self) -> None:
        self.values = self.whole()
        self.fields = {}
        self.loose = True

    def whole(self) -> Seen:
        """Return what the maps held under any key."""
        return self.values if self.loose else merged(self.fields.values())

    def alike(self, most: int) -> bool:
        """Tell whether there are more than *most* names, holding one type, that come and go.

        In one map alone no name can come or go; its names count as if they did.
        """
        if len(self.fields) <= most:
            return False
        steady = all(field.count == self.count for field in self.fields.values())
        kinds = {kind for field in self.fields.values() for kind in field.kinds} - {"nil"}
        return (self.count == 1 or not steady) and (len(kinds) <= 1 or kinds == {"int", "float"})


def merged(parts: Iterable[Seen]) -> Seen:
    """Return what was seen at all of *parts*, which stay as they are."""
    whole = Seen()
    for part in parts:
        whole.merge(part)
    return whole
