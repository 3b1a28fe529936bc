"""Outcomes whose value is the object that was checked: plain data, as their type tells.

Where a predicate finds the built-in classes in a value and no undeclared keys, nothing in it has to
be rewritten.  The keys of a record are then equal to declared names; whether they are of the class
`str` itself, and no keywords, is asked when the value is read or shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, count
from operator import attrgetter
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.frozen import RECORDS, sealed
from typesig.limits import MAX_GENERATED
from typesig.validation.outcome.about import About, AboutWhole
from typesig.validation.outcome.outcome import Outcome, Passed
from typesig.validation.outcome.told import Notes
from typesig.validation.rows.plain import plain
from typesig.validation.rows.subject import Subject

#: The scalars, and the kinds of constants of one enum, whose values are of one built-in class.
_SCALARS = frozenset({nodes.STRING, nodes.INT, nodes.FLOAT, nodes.BOOL, nodes.NIL})
_KINDS = ({"string"}, {"int"})

#: The class of keys, and those of values with parts.
_TEXT = frozenset({str})
_CONTAINERS = frozenset({dict, list, tuple})


class AboutKept(AboutWhole):
    """What outcomes share whose value has built-in classes only, and declared keys."""

    def has_own_keys(self, value: Any) -> bool:
        """Return whether the keys of the records in *value* are of `str` itself."""
        if not self.type.flags & RECORDS or type(value) not in _CONTAINERS:
            return True
        return has_own_keys(value)

    def value_of(self, result: Any, _notes: Notes | None) -> Any:
        """Return *result*, or its plain form if a key has to be rewritten."""
        return result if self.has_own_keys(result) else plain(result)

    def subject(self, value: Any) -> Subject:
        """Return the subject of the check of *value*, which is whole if its keys are of `str`."""
        return super().subject(value)._replace(is_whole=self.has_own_keys(value))


class Kept(Passed[Any]):
    """An outcome whose value is its result, if that has no keys of another class."""

    __slots__ = ()


@sealed
class KeptWhole(Kept):
    """An outcome whose value is its result, in which all keys are known to be of `str` itself."""

    __slots__ = ()
    # A getter of C takes a third of the time of a method.
    value = property(attrgetter("_result"), doc=Outcome.value.__doc__)  # pyright: ignore[reportIncompatibleMethodOverride]


#: Names in generated source: tells whether all classes of keys are `str`; the items of all lists
#: that are in one, or are given.
OWN_KEYS = {"own": _TEXT.issuperset, "chained": chain.from_iterable, "joined": chain}


def kept_class(t: nodes.Type) -> type[Kept]:
    """Return the class of outcomes of *t* whose value was kept.

    If `keys_condition` of *t* has no text, its keys are looked at when the value is read.
    """
    is_known = not t.flags & RECORDS or keys_condition(t, "x", lambda name: "C") != ""
    made: type[Kept] = KeptWhole if is_known else Kept
    return made


def keys_condition(t: nodes.Type, x: str, bound: Callable[[object], str]) -> str:
    """Return an expression that is true if all keys in the value *x* of *t* are of `str`.

    It has the names in `OWN_KEYS`; *bound* returns the name of a constant.  It is empty if there
    are no keys, and beyond `_MOST_LEVELS` or in a tuple, where an expression would be long.
    """
    return _condition(_keys(t, x, bound, count(), 0, ""))


def _condition(keys: _Keys | None) -> str:
    """Return the expression of *keys*, which is empty if there are none."""
    if keys is None:
        return ""
    maps, conditions = keys
    if maps:
        all_maps = maps[0] if len(maps) == 1 else f"joined({', '.join(maps)})"
        conditions = [f"own(map(type, {all_maps}))", *conditions]
    return conditions[0] if len(conditions) == 1 else f"({' and '.join(conditions)})"


class _Keys(NamedTuple):
    """Where the keys of a value are.

    #: maps: expressions of maps whose keys are looked at first, all at once
    #: conditions: expressions that are true if the other keys are of `str`
    """

    maps: list[str]
    conditions: list[str]


def _keys(
    t: nodes.Type,
    x: str,
    bound: Callable[[object], str],
    numbers: Iterator[int],
    level: int,
    part: str,
) -> _Keys | None:
    """Return where the keys of the value *x* of *t* are, None if there is no short expression.

    A variable *x* that is not set yet is set to *part* where it is first read.
    """
    first = f"({x} := {part})" if part else x
    match t:
        case nodes.Maybe(inner):
            below = _condition(_keys(inner, x, bound, numbers, level, ""))
            return _Keys([], [f"({first} is None or {below})"]) if below else None
        case nodes.Noted(inner) | nodes.Refined(inner):
            return _keys(inner, x, bound, numbers, level, part)
        case nodes.List(item) if _is_flat(nodes.bare(item)):
            return _Keys([], [f"own(map(type, chained({part or x})))"])
        case nodes.List(item) | nodes.MapOf(_, item) if level < _MOST_LEVELS:
            one, held = f"k{level}", part or x
            parts = held if isinstance(t, nodes.List) else f"{held}.values()"
            below = _condition(_keys(item, one, bound, numbers, level + 1, ""))
            return _Keys([], [f"all([{below} for {one} in {parts}])"]) if below else None
        case nodes.Record(fields) if level < _MOST_LEVELS:
            maps, conditions = [first], []
            for field in [field for field in fields if field.type.flags & RECORDS]:
                name, own = bound(field.name), f"n{next(numbers)}"
                keys = _keys(field.type, own, bound, numbers, level + 1, f"{x}[{name}]")
                if keys is None:
                    return None
                if field.required:
                    maps += keys.maps
                    conditions += keys.conditions
                else:
                    conditions.append(f"({name} not in {x} or {_condition(keys)})")
            return _Keys(maps, conditions)
        case _:
            return None


#: Records and lists within each other.
_MOST_LEVELS = 30


def _is_flat(t: nodes.Type) -> bool:
    """Tell whether *t* is a record without records in it."""
    return isinstance(t, nodes.Record) and not any(f.type.flags & RECORDS for f in t.fields)


def about_kept(about: About) -> AboutKept | None:
    """Return *about* for outcomes whose value is plain, None if the type does not tell.

    It does if each value of it has built-in classes only, where there are no undeclared keys.
    Where what is wrong is only warned of, an outcome may have any other value.
    """
    is_of_type = about.policy.on_issue == "fail"
    return AboutKept(*about) if is_of_type and is_kept(about.type) else None


def is_kept(t: nodes.Type) -> bool:
    """Tell whether values of *t* are plain if they have its classes and no undeclared keys."""
    pending, visited = [t], 0
    while pending:
        parts = _parts(pending.pop())
        visited += 1
        # A type that shares its parts is longer than it looks.
        if parts is None or visited > MAX_GENERATED:
            return False
        pending.extend(parts)
    return True


def _parts(t: nodes.Type) -> list[nodes.Type] | None:
    """Return the types of the parts of a value of *t*, None if it may be of another class."""
    match t:
        case nodes.Scalar():
            return [] if t in _SCALARS else None
        case nodes.Enum(values):
            return [] if {value.kind for value in values} in _KINDS else None
        case nodes.Maybe(inner) | nodes.Noted(inner) | nodes.Refined(inner) | nodes.List(inner):
            return [inner]
        case nodes.MapOf(key, value):
            return [value] if key == nodes.STRING else None
        case nodes.Tuple(items, rest):
            return [*items, *([] if rest is None else [rest])]
        case nodes.Union(members):
            # The branches of other unions have functions of their own.
            leaves = all(isinstance(member, nodes.Scalar | nodes.Enum) for member in members)
            return [*members] if leaves else None
        case nodes.Record(fields, extra, matching):
            is_closed = extra in (nodes.ANY, None) and not matching
            return [field.type for field in fields] if is_closed else None
        case nodes.Set() | nodes.One() | nodes.Both() | nodes.Not() | nodes.Counted() | nodes.Ref():
            return None
        case _:
            assert_never(t)


def has_own_keys(value: Any) -> bool:
    """Tell whether the keys of the maps in *value*, plain data, are all of `str` itself."""
    level = [value]
    while level:
        maps = [part for part in level if type(part) is dict]
        # All that is done for each key is done in C.
        if maps and not _TEXT.issuperset(map(type, chain.from_iterable(maps))):
            return False
        rows = [part.values() if type(part) is dict else part for part in level]
        level = [item for item in chain.from_iterable(rows) if type(item) in _CONTAINERS]
    return True
