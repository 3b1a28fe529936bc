"""Outcomes whose value is the object that was checked: plain data, as their type tells.

Where a predicate finds the built-in classes in a value and no undeclared keys, nothing in it has to
be rewritten.  The keys of a record are then equal to declared names; whether they are of the class
`str` itself, and no keywords, is asked when the value is read or shown.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from operator import attrgetter
from typing import Any, assert_never

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


@sealed("an outcome cannot be changed")
class KeptWhole(Kept):
    """An outcome whose value is its result, in which all keys are known to be of `str` itself."""

    __slots__ = ()
    # A getter of C takes a third of the time of a method.
    value = property(attrgetter("_result"), doc=Outcome.value.__doc__)  # pyright: ignore[reportIncompatibleMethodOverride]


#: Names in generated source: tells whether all classes of keys are `str`; the items of all lists.
OWN_KEYS = {"own": _TEXT.issuperset, "chained": chain.from_iterable}


def kept_class(t: nodes.Type) -> type[Kept]:
    """Return the class of outcomes of *t* whose value was kept.

    If `keys_condition` of *t* has no text, its keys are looked at when the value is read.
    """
    is_known = not t.flags & RECORDS or keys_condition(t, "x", lambda name: "C") != ""
    made: type[Kept] = KeptWhole if is_known else Kept
    return made


def keys_condition(t: nodes.Type, x: str, bound: Callable[[object], str], level: int = 0) -> str:
    """Return an expression that is true if all keys in the value *x* of *t* are of `str`.

    It has the names in `OWN_KEYS`; *bound* returns the name of a constant.  It is empty if there
    are no keys, and beyond `_MOST_LEVELS` or in a tuple, where an expression would be long.
    """
    match t:
        case nodes.Maybe(inner):
            below = keys_condition(inner, x, bound, level)
            return below and f"({x} is None or {below})"
        case nodes.Noted(inner) | nodes.Refined(inner):
            return keys_condition(inner, x, bound, level)
        case nodes.List(item) if _is_flat(nodes.bare(item)):
            return f"own(map(type, chained({x})))"
        case nodes.List(item) | nodes.MapOf(_, item) if level < _MOST_LEVELS:
            one, parts = f"k{level}", x if isinstance(t, nodes.List) else f"{x}.values()"
            below = keys_condition(item, one, bound, level + 1)
            return below and f"all([{below} for {one} in {parts}])"
        case nodes.Record(fields) if level < _MOST_LEVELS:
            conditions = [f"own(map(type, {x}))"]
            for field in [field for field in fields if field.type.flags & RECORDS]:
                name = bound(field.name)
                below = keys_condition(field.type, f"{x}[{name}]", bound, level + 1)
                if not below:
                    return ""
                conditions.append(below if field.required else f"({name} not in {x} or {below})")
            return f"({' and '.join(conditions)})"
        case _:
            return ""


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
