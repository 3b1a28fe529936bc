"""Operations that write one value: scalars, and objects that are written as scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.builtin import count_places
from typesig.algebra.traversal import iter_types
from typesig.limits import MAX_VALUES
from typesig.validation.check.check import Compiler
from typesig.validation.check.value_classes import (
    ItemsTest,
    find_classes,
    find_scalar_test,
    takes_all,
)
from typesig.validation.check_state import Checker, CheckState
from typesig.validation.generated.conditions import NAMES, Place, build_condition
from typesig.validation.plan.leaf_rows import (
    Write,
    find_row,
    find_sizes,
    make_datetime_writer,
    make_sized_writer,
)
from typesig.validation.plan.operations import Mismatch, Operation, Run, Source

#: The classes for which one part of a plan has code.
MOST_CLASSES = 16

#: The classes of scalars of JSON.
JSON_SCALARS: frozenset[type] = frozenset({str, int, float, bool, type(None)})


#: What is done with datetimes without an offset where one is asked for.
NaiveRule: TypeAlias = Literal["refuse", "write", "keep"]


class HostAccess(NamedTuple):
    """What is known of Python classes, and the reference implementation.

    #: get_attributes: the attributes that are written for objects of a class, by output name; None
    #:     if that is not known
    #: get_items: the names of the items of a class of named tuples, or None for another class
    #: get_members: the constants of the members of an enum class, by their values; None for a class
    #:     that is not an enum, or whose members are not written by their values
    #: leaves: the classes, by module and name, whose objects a library writes later; a plan that
    #:     makes values has none
    #: naive: what is done with datetimes without an offset; to keep them, all datetimes are kept
    #: write: plain data of a value of a type, if the check finds nothing; else raises `Mismatch`
    """

    get_attributes: Callable[[type], Mapping[str, str] | None]
    get_items: Callable[[type], tuple[str, ...] | None]
    get_members: Callable[[type], Mapping[Any, Any] | None]
    write: Callable[[nodes.Type, Any], Any]
    leaves: frozenset[tuple[str, str]] = frozenset()
    naive: NaiveRule = "refuse"


def _return_unchanged(value: Any) -> Any:
    """Return *value* unchanged."""
    return value


def _refuse(_value: Any) -> Any:
    """Raise `Mismatch`."""
    raise Mismatch


def _leave_objects(write: Write, is_kept: Callable[[Any], bool] | None) -> Write:
    """Return what leaves objects to a library, and writes those that are not *is_kept*."""
    if is_kept is None:
        return _return_unchanged
    return lambda value: value if is_kept(value) else write(value)


#: The items that are written one by one, which takes as long as the set of their classes.
FEW = 4


class LeafWriters(dict[type, Write]):
    """What writes scalars of one type, by the class of the object; made when one is first written.

    The type is a scalar, an enum, or a refinement or union of these.
    """

    def __init__(self, t: nodes.Type, compiler: Compiler, hosts: HostAccess) -> None:
        super().__init__()
        self._type = t
        self._compiler = compiler
        self._hosts = hosts
        self._conform = ItemsTest(t)

    def __missing__(self, cls: type) -> Write:
        write = self._make(cls)
        if len(self) < MOST_CLASSES:
            self[cls] = write
        return write

    def write_items(self, items: Sequence[Any]) -> list[Any]:
        """Write *items*, which are mostly of one class."""
        if len(items) <= FEW:
            return [self[type(item)](item) for item in items]
        if type(items[0]) in JSON_SCALARS and self._conform(items):
            return [*items]
        classes = set(map(type, items))
        if len(classes) != 1:
            return [self[type(item)](item) for item in items]
        write = self[classes.pop()]
        return [*items] if write is _return_unchanged else [*map(write, items)]

    def _make(self, cls: type) -> Write:
        """Return what writes objects of *cls*."""
        if cls in JSON_SCALARS:
            return self._make_check(cls)
        row, hosts = find_row(cls), self._hosts
        sizes = None if row is None else find_sizes(self._type, row.type)
        if row is not None and sizes is not None:
            write = row.make(cls, self._write_odd)
            if sizes:
                return make_sized_writer(write, sizes, self._write_odd)
            if row.type == nodes.DATETIME and hosts.naive != "refuse":
                takes_all = make_datetime_writer(self._write_odd, True)
                return _return_unchanged if hosts.naive == "keep" else takes_all
            is_left = (cls.__module__, cls.__qualname__) in hosts.leaves
            return _leave_objects(write, row.is_kept) if is_left else write
        members = hosts.get_members(cls)
        return self._write_odd if members is None else self._make_member_writer(members)

    def _write_odd(self, value: Any) -> Any:
        if type(value) is datetime and value.tzinfo is None:
            # The check has a warning or an error.
            raise Mismatch
        return self._hosts.write(self._type, value)

    def _make_check(self, cls: type) -> Write:
        """Return what raises `Mismatch` unless a scalar of JSON, one of *cls*, conforms."""
        compiler = self._compiler
        classes = find_classes(self._type, compiler.names, compiler.policy)
        if classes is not None and cls not in classes:
            return _refuse
        test, checks = find_scalar_test(self._type, cls), list[Checker]()
        if test is takes_all:
            return _return_unchanged

        def write(value: Any) -> Any:
            if test is None or not test(value):
                if not checks:
                    checks.append(compiler.checker(self._type))
                state = CheckState(1)
                if checks[0](value, state) is not value or state.found:
                    raise Mismatch
            return value

        return write

    def _make_member_writer(self, members: Mapping[Any, Any]) -> Write:
        """Return what writes the members of an enum, whose values have the constants *members*."""
        known: dict[Any, Any] = {}
        for value, data in members.items():
            try:
                known[value] = self._make_check(type(data))(data)
            except Mismatch:
                continue

        def write(member: Any) -> Any:
            try:
                return known[member._value_]
            except (KeyError, TypeError):
                raise Mismatch from None

        return write


def is_json_leaf(t: nodes.Type) -> bool:
    """Whether each value of *t* is a scalar of JSON, which is written unchanged."""
    return all(map(_is_json_part, iter_types(t)))


def _is_json_part(t: nodes.Type) -> bool:
    """Whether *t* is a scalar of JSON, or a type of other types of the same value."""
    if isinstance(t, nodes.Enum):
        # Among other kinds, a value of another class may be equal.
        return {value.kind for value in t.values} in ({"string"}, {"int"})
    return t in _UNCHANGED or isinstance(t, nodes.Wrapper | nodes.Union)


_UNCHANGED = frozenset({nodes.STRING, nodes.INT, nodes.FLOAT, nodes.BOOL, nodes.NIL})


def is_leaf(t: nodes.Type) -> bool:
    """Whether all values of *t* are scalars."""
    match t:
        case nodes.Scalar(name):
            return name not in ("any", "map")
        case nodes.Enum(values):
            return all(value.kind not in ("list", "map") for value in values)
        case nodes.Maybe(inner) | nodes.Annotation(inner) | nodes.Refinement(inner):
            return is_leaf(inner)
        case nodes.Union(members):
            return all(map(is_leaf, members))
        case nodes.Container() | nodes.Through() | nodes.Not():
            return False
        case _:
            assert_never(t)


class WriteOperation(Operation):
    """An operation that writes values; its parts are given in the order of its annotations."""

    __slots__ = ()

    def __init__(self, *parts: Any) -> None:
        for name, part in zip(type(self).__annotations__, parts, strict=True):
            setattr(self, name, part)


class WriteScalar(WriteOperation):
    """A scalar of JSON, which is tested in place, or an object that is written as one."""

    __slots__ = ("compiler", "type", "writers")

    type: nodes.Type
    compiler: Compiler
    writers: LeafWriters

    def closure(self) -> Run:
        """Return the form that asks the class of the value."""
        writers = self.writers
        kept = frozenset([c for c in JSON_SCALARS if find_scalar_test(self.type, c) is takes_all])

        def run(value: Any, _left: list[int]) -> Any:
            cls = type(value)
            return value if cls in kept else writers[cls](value)

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add the test of the value; all others are looked up by their class."""
        out = source.variable()
        source.add(f"{out} = {var}")
        with source.open_block(f"if {self.get_test(source, var)}:"):
            source.add(f"{out} = {source.constants.bind(self.writers)}[type({var})]({var})")
        return out

    def get_test(self, source: Source, var: str) -> str:
        """Return the expression that is true for a value that may not conform."""
        source.constants.namespace.update(NAMES)
        test = build_condition(self.type, Place(var, self.compiler), source.constants)
        assert test is not None
        return test


class WriteLeaf(WriteOperation):
    """An object that is written as a scalar, by its class."""

    __slots__ = ("writers",)

    writers: LeafWriters

    def closure(self) -> Run:
        """Return the form that asks the class of the value."""
        writers = self.writers
        return lambda value, _left: writers[type(value)](value)

    def emit(self, source: Source, var: str) -> str:
        """Return the expression that does the same."""
        return f"{source.constants.bind(self.writers)}[type({var})]({var})"


class WriteCarefully(WriteOperation):
    """A value of any type, which is written by the reference implementation."""

    __slots__ = ("hosts", "type")

    type: nodes.Type
    hosts: HostAccess

    def closure(self) -> Run:
        """Return the form that counts what is written."""
        hosts, t = self.hosts, self.type

        def run(value: Any, left: list[int]) -> Any:
            data = hosts.write(t, value)
            if type(data) not in JSON_SCALARS:
                left[0] -= int(min(count_places(data), MAX_VALUES + 1))
                if left[0] < 0:
                    raise Mismatch
            return data

        return run
