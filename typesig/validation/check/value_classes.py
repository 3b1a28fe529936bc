"""What a type tells of its values before one is there: their classes, their number, their keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import SMALL, ConstKind, Kind
from typesig.algebra.traversal import get_declared_parts
from typesig.limits import MAX_GENERATED, MAX_UNWATCHED
from typesig.validation.check.scalar_checks import find_format_conversions
from typesig.validation.policy import Policy

Names = Mapping[str, nodes.Type]

#: The classes of JSON data of constants, by kind; other constants are compared by the check.
CONSTANT_CLASSES: dict[ConstKind, type] = {
    "string": str,
    "int": int,
    "bool": bool,
    "nil": type(None),
}

#: The classes of JSON data that a scalar takes; None for those that read others with a warning.
_SCALARS: dict[ScalarName, frozenset[type] | None] = {
    "string": frozenset({str}),
    "int": frozenset({int}),
    "float": frozenset({float, int}),
    "bool": frozenset({bool}),
    "nil": frozenset({type(None)}),
    "datetime": frozenset({str}),
    "map": frozenset({dict}),
    "any": None,
    "keyword": None,
}
_LIST = frozenset({list})
_MAP = frozenset({dict})


def find_classes(t: nodes.Type, names: Names, policy: Policy) -> frozenset[type] | None:
    """Return the classes of JSON data that conform to *t*; None if other classes may conform."""
    while isinstance(t, nodes.Ref | nodes.Annotation):
        t = names[t.name] if isinstance(t, nodes.Ref) else t.inner
    match t:
        case nodes.Scalar(name):
            return _SCALARS[name]
        case nodes.Enum(values):
            known = [CONSTANT_CLASSES.get(value.kind) for value in values]
            return None if None in known else frozenset([cls for cls in known if cls is not None])
        case nodes.Maybe(inner):
            found = find_classes(inner, names, policy)
            return None if found is None else found | {type(None)}
        case nodes.Refinement(inner, constraints):
            return (
                None
                if find_format_conversions(constraints, policy)
                else find_classes(inner, names, policy)
            )
        case nodes.List() | nodes.Tuple() | nodes.Set():
            return _LIST
        case nodes.Record() | nodes.MapOf():
            return _MAP
        case nodes.Container() | nodes.Through() | nodes.Not():
            return None
        case _:
            assert_never(t)


class LengthLimit(NamedTuple):
    """How many values are read at most.

    #: most: in one list or map, each of which stands at few places; 0 if they may be within others
    #: is_flat: whether the type alone bounds the number of values by this
    """

    most: int
    is_flat: bool


def find_length_limit(t: nodes.Type, limit: int) -> LengthLimit:
    """Find the length of lists and maps of *t* at which no value has more than *limit* values.

    Where lists or maps are within others, one may stand at many places.
    """
    pending, width, is_loose = [(t, 0)], 0, False
    while pending:
        current, depth = pending.pop()
        width += 1
        if isinstance(current, nodes.Scalar) and width <= MAX_GENERATED:
            # Values of `:any` are not looked into, but counted.
            is_loose |= current.name in ("any", "map")
            continue
        depth += isinstance(current, nodes.List | nodes.Set | nodes.MapOf) or (
            isinstance(current, nodes.Tuple) and current.rest is not None
        )
        if depth > 1 or width > MAX_GENERATED or isinstance(current, nodes.Ref):
            return LengthLimit(0, False)
        pending += [(part, depth) for part in get_declared_parts(current)]
    return LengthLimit((MAX_UNWATCHED if is_loose else limit) // (width + 1), True)


class TagTable(NamedTuple):
    """A key with a different constant in each record, and the records' indices by constant."""

    tag: str
    places: Mapping[Any, int]


def find_tag(records: Sequence[nodes.Record]) -> TagTable | None:
    """Find the key with a different constant in each of *records*; None if there is no such key."""
    for field in records[0].fields:
        places = dict[Any, int]()
        count = 0
        for place, each in enumerate(records):
            types = [strip_annotations(f.type) for f in each.fields if f.name == field.name]
            constants = types[0].values if types and isinstance(types[0], nodes.Enum) else ()
            if not constants or any(value.kind not in ("string", "int") for value in constants):
                break
            places.update({value.value: place for value in constants})
            count += len(constants)
        else:
            # Each constant is of one record.
            if len(places) == count:
                return TagTable(field.name, places)
    return None


# --- Tests of scalars by their class ---

#: Whether a value, or each value of a list, conforms; all are of one class, which is known.
ScalarTest: TypeAlias = Callable[[Any], object]


def find_scalar_test(t: nodes.Type, cls: type, many: bool = False) -> ScalarTest | None:
    """Return a test of values of *cls*, a class of JSON scalars; None if only the check knows one.

    A value for which the test is true is one of *t* that the check does not change; other values
    may conform, too.  *many* is whether the test takes a list of values.
    """
    match t:
        case nodes.Scalar(name):
            return _SCALAR_TESTS.get((name, cls), _NO_TESTS)[many]
        case nodes.Enum(values):
            constants = frozenset([v.value for v in values if CONSTANT_CLASSES.get(v.kind) is cls])
            return (constants.issuperset if many else constants.__contains__) if constants else None
        case nodes.Maybe(inner):
            return takes_all if cls is type(None) else find_scalar_test(inner, cls, many)
        case nodes.Annotation(inner):
            return find_scalar_test(inner, cls, many)
        case nodes.Refinement(inner, constraints):
            test = find_scalar_test(inner, cls, many)
            return None if test is None else _find_refined_test(test, constraints, cls, many)
        case nodes.Union(members):
            found = [find_scalar_test(member, cls, many) for member in members]
            known = [test for test in found if test is not None]
            if len(known) > 1 and takes_all not in known:
                return lambda value: any(test(value) for test in known)
            return takes_all if takes_all in known else next(iter(known), None)
        case nodes.Container() | nodes.Ref() | nodes.One() | nodes.Both() | nodes.Not():
            return None
        case _:
            assert_never(t)


def _find_refined_test(
    test: ScalarTest, constraints: tuple[Constraint, ...], cls: type, many: bool
) -> ScalarTest | None:
    """Return *test* with that of *constraints*; see `find_scalar_test`."""
    kind = _KINDS.get(cls)
    if kind is None or any(each.name == "format" for each in constraints):
        return None
    known = [each for each in constraints if kind in each.row.kinds]
    tests = [each.test() for each in known]
    if not many:
        return lambda value: test(value) and all(each(value) for each in tests)
    if cls is str or not all(each.name in _BOUNDS for each in known):
        return lambda values: test(values) and all(all(map(each, values)) for each in tests)
    return lambda values: (
        test(values) and all(each(end) for end in (min(values), max(values)) for each in tests)
    )


#: The constraints that all numbers between two that meet them meet, too.
_BOUNDS = frozenset({"at_least", "above", "at_most", "below"})


def takes_all(_value: Any) -> bool:
    """Return True: each value of a class conforms."""
    return True


def _is_short(value: int) -> bool:
    return -SMALL <= value <= SMALL


def _are_short(values: list[int]) -> bool:
    return min(values) >= -SMALL and max(values) <= SMALL


def _are_finite(values: list[float]) -> bool:
    return all(map(isfinite, values))


_NO_TESTS = (None, None)

#: The tests of a value and of a list, by the name of the type and the class of the values.
_SCALAR_TESTS: dict[tuple[ScalarName, type], tuple[ScalarTest, ScalarTest]] = {
    ("string", str): (takes_all, takes_all),
    ("bool", bool): (takes_all, takes_all),
    ("nil", type(None)): (takes_all, takes_all),
    ("int", int): (_is_short, _are_short),
    ("float", float): (isfinite, _are_finite),
}

_KINDS: dict[type, Kind] = {str: "string", int: "int", float: "float"}


class ItemsTest(dict[type, "ScalarTest | None"]):
    """Whether the check finds nothing in items of a list, and changes none.

    It looks at the items of each class at once; False means that it does not know.  The tests of
    items are made when such items are first looked at.
    """

    def __init__(self, t: nodes.Type) -> None:
        super().__init__()
        self._type = t

    def __missing__(self, cls: type) -> ScalarTest | None:
        if cls not in _CLASSES:
            return None
        test = self[cls] = find_scalar_test(self._type, cls, many=True)
        return test

    @property
    def knows_some(self) -> bool:
        """Whether there are items other than null of which it knows."""
        return any(self[cls] for cls in _CLASSES[:-1])

    def __call__(self, items: Collection[Any]) -> bool:
        """Whether all *items* surely conform, and stay as they are."""
        classes = set(map(type, items))
        for cls in classes:
            test = self[cls]
            if test is None:
                return False
            if test is not takes_all:
                same = items if len(classes) == 1 else [x for x in items if type(x) is cls]
                if not test(same):
                    return False
        return True


_CLASSES = (str, int, float, bool, type(None))
