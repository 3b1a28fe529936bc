"""The tightest sensible type of some samples.

`evidence` gathers what was seen; here it becomes a type.  A new kind of values needs a row in
`_MAKERS`, whose order is that of the members of a union.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typesig.algebra.constraints import Constraint
from typesig.algebra.constructors import enum, map_of, maybe, record, refined, union
from typesig.algebra.nodes import (
    ANY,
    BOOL,
    DATETIME,
    FLOAT,
    INT,
    KEYWORD,
    NIL,
    STRING,
    Field,
    List,
    Set,
    Tuple,
    Type,
    folded,
    is_plain,
)
from typesig.algebra.signature import Signature, lone
from typesig.errors import TooDeep, TypesigError
from typesig.relations.observations import BadSample, Budget, Lists, Maps, Observed, Options
from typesig.validation.issues import path_text

#: Times that each word of an enum is seen at least, one with another.
REPEATS = 2


def infer(
    *samples: Any,
    enums: int | None = None,
    maps: int | None = None,
    tuples: bool = False,
    formats: bool = False,
    closed: bool = False,
) -> Signature:
    """Return the tightest sensible type that accepts all of *samples*, as a lone signature.

    Samples are plain data and what else `Signature.accepts` takes: keywords, aware datetimes,
    sets, tuples.  A name that some records lack may be absent, a place where nil stands may be
    nil, and the two stay apart; ints and floats are floats, other kinds make a union.

    With *enums*, at most so many differing texts at one place, each seen twice on average, are an
    enum; with *maps*, a record of more than so many names that come and go, all holding one type,
    is a map of that type; with *tuples*, lists of one length (2 to 16), that are two or more or
    hold unlike items, are tuples; with *formats*, texts that are all dates, times, durations,
    UUIDs, addresses of mail, web or network say so; *closed* records take no other names.

    Raises `TypesigError` with the path of what is no data (NaN, a naive datetime, an object), and
    where there is no sample; `TooDeep`; `TooLarge`.  Source: seed 000, "Schema Inference".

    >>> print(infer([{"id": 1, "name": "Ann"}, {"id": 2, "name": None, "tags": []}]))
    () -> [{id :int, name :string|:nil, tags? [:any]}]
    >>> print(infer({"at": "2027-01-31"}, {"at": "2027-02-01"}, formats=True))
    () -> {at :string[date]}
    """
    found = Inference(enums=enums, maps=maps, tuples=tuples, formats=formats, closed=closed)
    for sample in samples:
        found.add(sample)
    return found.signature()


class Inference:
    """Samples that come one after the other; the options are those of `infer`.

    What is kept grows with the names and lists that the samples have, not with their number.

    >>> found = Inference()
    >>> for line in ({"id": 1}, {"id": 2.5}):
    ...     found.add(line)
    >>> print(found.signature())
    () -> {id :float}
    """

    __slots__ = ("_seen", "_watch", "count")

    #: How many samples there were.
    count: int

    def __init__(
        self,
        *,
        enums: int | None = None,
        maps: int | None = None,
        tuples: bool = False,
        formats: bool = False,
        closed: bool = False,
    ) -> None:
        for name, most in (("enums", enums), ("maps", maps)):
            if most is not None and (type(most) is not int or most < 1):
                raise TypesigError(f"{name} is a number from 1 up, or None; not {most!r}")
        self._watch = Budget(Options(enums, maps, tuples, formats, closed))
        self._seen = Observed()
        self.count = 0

    def add(self, sample: Any) -> None:
        """See *sample*; raise as `infer` does, after which the inference is of no more use."""
        self._watch.begin()
        try:
            self._seen.add(sample, self._watch)
        except BadSample as refused:
            where = path_text(("samples", self.count, *reversed(refused.steps)))
            raise refused.error(f"{where}: {refused.why}") from None
        except RecursionError:
            raise TooDeep(_STACK) from None
        self.count += 1

    def signature(self) -> Signature:
        """Return the type of the samples so far; raise `TypesigError` where there is none."""
        if not self.count:
            raise TypesigError("there is no sample; give one or more, such as infer({'id': 1})")
        try:
            return lone(_type(self._seen, self._watch.options))
        except RecursionError:
            raise TooDeep(_STACK) from None


_STACK = "a sample nests deeper than the stack of the caller leaves"


def _type(seen: Observed, options: Options) -> Type:
    """Return the type of what was *seen*."""
    kinds = seen.kinds
    if not kinds:
        return ANY
    if "float" in kinds:
        # An int conforms to a float.
        kinds = kinds - {"int"}
    members = [make(seen, options) for kind, make in _MAKERS.items() if kind in kinds]
    if not members:
        return NIL
    whole = union(members)
    return maybe(whole) if "nil" in kinds else whole


def _always(t: Type) -> Callable[[Observed, Options], Type]:
    return lambda seen, options: t


def _string(seen: Observed, options: Options) -> Type:
    texts = seen.texts
    if texts is None:
        return STRING
    if texts.formats:
        return refined(STRING, [Constraint("format", texts.formats[0])])
    if texts.words is not None and texts.count >= REPEATS * len(texts.words):
        return enum(sorted(texts.words))
    return STRING


def _list(seen: Observed, options: Options) -> Type:
    lists = seen.lists
    assert isinstance(lists, Lists)
    if lists.positions is not None:
        items = tuple([_type(place, options) for place in lists.positions])
        # Numbers are alike, and nil is like anything.
        families = {_family(place) for place in lists.positions} - {frozenset()}
        if lists.count > 1 or len(families) > 1:
            return Tuple(items)
    return List(_type(lists.whole(), options))


def _family(place: Observed) -> frozenset[str]:
    return frozenset("float" if kind == "int" else kind for kind in place.kinds) - {"nil"}


def _set(seen: Observed, options: Options) -> Type:
    assert isinstance(seen.sets, Observed)
    return Set(_type(seen.sets, options))


def _map(seen: Observed, options: Options) -> Type:
    maps = seen.maps
    assert isinstance(maps, Maps)
    if maps.loose or (options.maps is not None and maps.alike(options.maps)):
        return map_of(_type(maps.keys, options), _type(maps.whole(), options))
    spelt: dict[str, int] = {}
    for name in maps.fields:
        spelt[folded(name)] = spelt.get(folded(name), 0) + 1
    return record(
        [
            Field(
                name,
                _type(place, options),
                required=place.count >= maps.count,
                # A plain name would be hidden from models, or mean another one's key too.
                exact=is_plain(name) and (name.startswith("_") or spelt[folded(name)] > 1),
            )
            for name, place in maps.fields.items()
        ],
        None if options.closed else ANY,
    )


_MAKERS: dict[str, Callable[[Observed, Options], Type]] = {
    "bool": _always(BOOL),
    "int": _always(INT),
    "float": _always(FLOAT),
    "string": _string,
    "keyword": _always(KEYWORD),
    "datetime": _always(DATETIME),
    "list": _list,
    "set": _set,
    "map": _map,
}
