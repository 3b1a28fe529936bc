"""Infers the tightest sensible type of some samples.

`observations` collects what the samples contain; this module makes a type of it.  A new kind of
values needs a row in `TYPE_MAKERS`, whose order is that of the members of a union.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.constructors import (
    make_enum,
    make_maybe,
    make_refined,
    make_union,
    map_of,
    record,
)
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.constraints import NUMBERS, Constraint
from typesig.algebra.rows.names import fold_name, is_plain
from typesig.algebra.rows.values import Kind
from typesig.algebra.signature import Signature, make_type_signature
from typesig.errors import TooDeep, TypesigError
from typesig.relations import observations
from typesig.validation.issues.issues import write_path

#: How often each value of an enum must occur on average.
REPEATS = 2


def infer(
    *samples: Any,
    enums: int | None = None,
    maps: int | None = None,
    tuples: bool = False,
    formats: bool = False,
    closed: bool = False,
) -> Signature:
    """Return the tightest sensible type that accepts all *samples*, as a lone signature.

    Samples are plain data or other values that `Signature.accepts` takes: keywords, aware
    datetimes, sets, tuples. A name that some records lack is optional, and a place with a nil is
    nullable; a name can be both. Ints and floats at one place become floats; other different kinds
    become a union.

    - *enums*: texts at one place are an enum if at most this many differ, and each occurs twice on
      average;
    - *maps*: a record of more than this many names that come and go, with values of one type, is a
      map;
    - *tuples*: lists of one length (2 to 16) are tuples, if there are two or more or if their items
      differ in kind;
    - *formats*: texts that are all dates, times, durations, UUIDs, or addresses of mail, web or
      network have that format;
    - *closed*: records accept no other names.

    Raises `TypesigError`, with the path, for a value that is not data (NaN, a naive datetime, an
    object), and if there is no sample; `TooDeep` and `TooLarge` beyond the limits.

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
    """Inference of a type from samples added one by one, with the options of `infer`.

    The memory used grows with the different names and lists of the samples, not with their number.

    >>> found = Inference()
    >>> for line in ({"id": 1}, {"id": 2.5}):
    ...     found.add(line)
    >>> print(found.signature())
    () -> {id :float}
    """

    __slots__ = ("_budget", "_observed", "count")

    #: The number of samples so far.
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
                raise TypesigError(f"{name} must be an int of at least 1, or None; not {most!r}")
        self._budget = observations.Budget(
            observations.Options(enums, maps, tuples, formats, closed)
        )
        self._observed = observations.PlaceObservations()
        self.count = 0

    def add(self, sample: Any) -> None:
        """Add *sample*. Raises the errors of `infer`; after an error, the inference is unusable."""
        self._budget.begin()
        try:
            self._observed.add(as_builtin(sample), self._budget)
        except observations.BadSample as refused:
            where = write_path(("samples", self.count, *reversed(refused.steps)))
            raise refused.error(f"{where}: {refused.why}") from None
        except RecursionError:
            raise TooDeep(_STACK) from None
        self.count += 1

    def take(self, other: Inference) -> bool:
        """Merge the samples of *other*, and return whether that was possible.

        It is possible if *other* has no new names or lists. The type is then the same as after
        adding the samples one by one. Otherwise nothing changes, since new names may exceed a
        limit, and their order depends on the samples.

        >>> found, other, new = Inference(), Inference(), Inference()
        >>> found.add({"id": 1}), other.add({"id": 2.5}), new.add({"name": "Ann"})
        (None, None, None)
        >>> found.take(other), found.take(new), str(found.signature())
        (True, False, '() -> {id :float}')
        """
        if self._budget.options != other._budget.options:
            raise TypesigError("the options of the two inferences differ; give both the same")
        if not observations.includes_observations(self._observed, other._observed):
            return False
        self._observed.merge(other._observed)
        self.count += other.count
        return True

    def __getstate__(self) -> object:
        # What remains of the last sample is not sent to another process.
        self._budget.begin()
        return object.__getstate__(self)

    def signature(self) -> Signature:
        """Return the type of the samples so far; raise `TypesigError` if there are none."""
        if not self.count:
            raise TypesigError("there is no sample; give one or more, such as infer({'id': 1})")
        try:
            return make_type_signature(infer_type(self._observed, self._budget.options))
        except RecursionError:
            raise TooDeep(_STACK) from None


_STACK = "a sample nests deeper than the rest of the call stack allows"


def infer_type(
    observed: observations.PlaceObservations, options: observations.Options
) -> nodes.Type:
    """Return the type of the values that were *observed* at one place."""
    kinds = observed.kinds
    if not kinds:
        return nodes.ANY
    if "float" in kinds:
        # An int conforms to a float.
        kinds = kinds - {"int"}
    makers = [make for kind, make in TYPE_MAKERS.items() if kind in kinds and make is not None]
    members = [make(observed, options) for make in makers]
    if not members:
        return nodes.NIL
    whole = make_union(members)
    return make_maybe(whole) if "nil" in kinds else whole


def _make_constant(
    t: nodes.Type,
) -> Callable[[observations.PlaceObservations, observations.Options], nodes.Type]:
    """Build the type maker that returns *t* for any observations."""
    return lambda observed, options: t


def _infer_string(
    observed: observations.PlaceObservations, options: observations.Options
) -> nodes.Type:
    """Infer a string type from the texts of *observed*: a format, an enum or string."""
    texts = observed.texts
    if texts is None:
        return nodes.STRING
    if texts.formats:
        return make_refined(nodes.STRING, [Constraint("format", texts.formats[0])])
    if texts.words is not None and texts.count >= REPEATS * len(texts.words):
        return make_enum(sorted(texts.words))
    return nodes.STRING


def _list(observed: observations.PlaceObservations, options: observations.Options) -> nodes.Type:
    """Infer a tuple or list type from the lists of *observed*."""
    lists = observed.lists
    assert isinstance(lists, observations.Lists)
    if lists.positions is not None:
        items = tuple([infer_type(place, options) for place in lists.positions])
        # Numbers are of one family, and nil is of every family.
        families = {_get_family(place) for place in lists.positions} - {frozenset()}
        if lists.count > 1 or len(families) > 1:
            return nodes.Tuple(items)
    return nodes.List(infer_type(lists.merge_positions(), options))


def _get_family(place: observations.PlaceObservations) -> frozenset[Kind]:
    """Collect the value kinds at *place*, without nil; int and float count as one."""
    kinds = place.kinds | NUMBERS if place.kinds & NUMBERS else place.kinds
    return kinds - {"nil"}


def _set(observed: observations.PlaceObservations, options: observations.Options) -> nodes.Type:
    """Infer a set type from the sets of *observed*."""
    assert isinstance(observed.sets, observations.PlaceObservations)
    return nodes.Set(infer_type(observed.sets, options))


def _map(observed: observations.PlaceObservations, options: observations.Options) -> nodes.Type:
    """Infer a record or map type from the maps of *observed*."""
    maps = observed.maps
    assert isinstance(maps, observations.Maps)
    if maps.merged or (options.maps is not None and maps.has_uniform_values(options.maps)):
        return map_of(infer_type(maps.keys, options), infer_type(maps.merge_values(), options))
    spellings: dict[str, int] = {}
    for name in maps.fields:
        spellings[fold_name(name)] = spellings.get(fold_name(name), 0) + 1
    return record(
        [
            nodes.Field(
                name,
                infer_type(place, options),
                required=place.count >= maps.count,
                # As a plain name it would be firewalled, or also accept the key of another field.
                exact=is_plain(name) and (name.startswith("_") or spellings[fold_name(name)] > 1),
            )
            for name, place in maps.fields.items()
        ],
        None if options.closed else nodes.ANY,
    )


TYPE_MAKERS: dict[
    Kind, Callable[[observations.PlaceObservations, observations.Options], nodes.Type] | None
] = {
    "bool": _make_constant(nodes.BOOL),
    "int": _make_constant(nodes.INT),
    "float": _make_constant(nodes.FLOAT),
    "string": _infer_string,
    "keyword": _make_constant(nodes.KEYWORD),
    "datetime": _make_constant(nodes.DATETIME),
    "list": _list,
    "set": _set,
    "map": _map,
    # Makes the whole type nullable.
    "nil": None,
    # Is refused when it is observed.
    "object": None,
}
