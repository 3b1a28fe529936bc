"""Operations that read values: the closure and the source of each do the same."""

from __future__ import annotations

import datetime as dt
from collections import deque
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.generators import LAW
from typesig.algebra.rows.constraints import Constraint
from typesig.sentinels import ABSENT
from typesig.validation.plan import read_leaves as leaves
from typesig.validation.plan.operations import Mismatch
from typesig.validation.plan.read_choices import (
    ClassChoice,
    Depth,
    KeyBranch,
    KeyChoice,
    NullableReader,
    ReferenceReader,
    TagChoice,
    UsualReader,
)
from typesig.validation.plan.read_leaves import (
    BoundsReader,
    ClassReader,
    FloatReader,
    IntReader,
    MemberReader,
    ValueReader,
)
from typesig.validation.plan.read_lists import ListReader, MapReader, SetReader, TupleReader
from typesig.validation.plan.read_records import FieldReader, ObjectMaker, RecordReader


@dataclass
class Pair:
    a: Any
    b: Any = 3


@dataclass
class Listed:
    a: Any
    b: Any = field(default_factory=list)


class Named(NamedTuple):
    a: Any
    b: Any = 3


INT, STR, FLOAT = IntReader(), ClassReader(str), FloatReader()
DATE = leaves.TextReader(dt.date.fromisoformat, INT)
NEGATIVE = leaves.ResultReader(INT, lambda value: -value)
FIELDS = (FieldReader("a", "a", INT, True), FieldReader("b", "b", FLOAT, False))
FILLED = (FIELDS[0], FieldReader("b", "b", FLOAT, False, lambda: 7))
NULL_FILLED = (FIELDS[0], FieldReader("b", "b", STR, False, type(None)))
OTHER = (FieldReader("a", "b", STR, False), FieldReader("c", "a", NEGATIVE, True))
KEPT = RecordReader((FIELDS[0], FieldReader("b", "b", STR, False)))
STORED = ObjectMaker(Pair, False, {"b": 3}, True, True)
LISTED = ObjectMaker(Listed, False, {"b": None}, True, True, {"b": list})
LIMITS = (Constraint("at_least", 1), Constraint("at_most", 2))


def make_tree() -> ValueReader:
    """Return the operation of a list of such lists."""
    tree = ReferenceReader(30, Depth())
    tree.inner = ListReader(tree)
    return tree


def make_check() -> Any:
    """Return a check that adds one to ints, and warns of texts."""

    def check(value: Any, state: Any) -> Any:
        if isinstance(value, str):
            state.add_coercion("int", value, "int_from_string")
        return value + 1 if type(value) is int else value

    return check


OPERATIONS: dict[str, ValueReader] = {
    "any": leaves.AnyReader(),
    "text": STR,
    "bool": ClassReader(bool),
    "nil": ClassReader(type(None)),
    "int": INT,
    "float": FLOAT,
    "float or int": FloatReader(keeps_ints=True),
    "parsed": DATE,
    "converted": NEGATIVE,
    "number": leaves.NumberReader(str, STR),
    "checked": leaves.CheckReader(make_check),
    "checked and made": leaves.CheckReader(make_check, lambda value: [value], lambda: 3),
    "twice": leaves.TwoPassReader(ListReader(INT), ListReader(NEGATIVE)),
    "member": MemberReader({str: {"a": 1, "b": 2}}, keeps=False),
    "constant": MemberReader({str: {"a": "a"}}, keeps=True),
    "constants": MemberReader({int: {1: 1, 2: 2}}, keeps=True),
    "members": MemberReader({str: {"a": 1}, int: {1: "x"}, bool: {True: 0}}, keeps=False),
    "bounds": BoundsReader(INT, "int", LIMITS),
    "bounds of floats": BoundsReader(FLOAT, "float", LIMITS, on_result=True),
    "sizes": BoundsReader(ListReader(FLOAT), "list", LIMITS),
    "pattern": BoundsReader(STR, "string", (Constraint("pattern", "^a"),)),
    "list": ListReader(STR),
    "list of calls": ListReader(DATE),
    "list of checked": ListReader(leaves.CheckReader(make_check)),
    "list of constants": ListReader(MemberReader({str: {"a": "a"}, int: {1: 1}}, keeps=True)),
    "list of floats": ListReader(FLOAT),
    "list of records": ListReader(RecordReader(FIELDS, STORED)),
    "short list": ListReader(INT, None, 2),
    "deque": ListReader(NEGATIVE, deque),
    "tuple": TupleReader((INT, STR), tuple),
    "no tuple": TupleReader((), tuple),
    "tuple as list": TupleReader((INT, FLOAT), None),
    "tuple that stays": TupleReader((INT, STR), None),
    "tuple with rest": TupleReader((INT,), tuple, FLOAT),
    "tuple with a rest that stays": TupleReader((FLOAT,), tuple, STR),
    "only a rest that stays": TupleReader((INT,), None, STR),
    "short tuple": TupleReader((INT,), list, STR, 2),
    "tuple of another class": TupleReader((INT, NEGATIVE), deque),
    "set": SetReader(INT, set),
    "frozen set": SetReader(INT, frozenset),
    "set of others": SetReader(NEGATIVE, set, INT),
    "short set of floats": SetReader(FLOAT, set, FLOAT, 2),
    "map": MapReader(STR, INT),
    "map of others": MapReader(STR, NEGATIVE),
    "map of keys": MapReader(leaves.TextReader(int, INT), STR, dict),
    "short map": MapReader(STR, leaves.AnyReader(), None, 1),
    "map of checked": MapReader(STR, MemberReader({str: {"a": "a"}, int: {1: 1}}, keeps=True)),
    "stored": RecordReader(FIELDS, STORED),
    "stored with a factory": RecordReader(FIELDS, LISTED),
    "by position": RecordReader(FIELDS, ObjectMaker(Pair, False, {"b": 3}, True)),
    "by keyword": RecordReader(OTHER, ObjectMaker(Pair, False, {"b": 3})),
    "defaults not known": RecordReader(FIELDS, ObjectMaker(Pair)),
    "named tuple": RecordReader(FIELDS, ObjectMaker(Named, False, {"b": 3}, True)),
    "of a dict": RecordReader(FIELDS, ObjectMaker(dict, True)),
    "of a whole dict": RecordReader(FILLED, ObjectMaker(dict, True, {})),
    "filled": RecordReader(FILLED, STORED),
    "filled with null": RecordReader(NULL_FILLED, ObjectMaker(Pair)),
    "record": RecordReader(FIELDS),
    "record that stays": KEPT,
    "record that is filled": RecordReader(NULL_FILLED),
    "record of checked": RecordReader((FieldReader("a", "a", ListReader(leaves.CheckReader(make_check)), True),)),
    "wide record": RecordReader(tuple(FieldReader(f"f{n}", f"f{n}", INT, False) for n in range(70))),
    "nullable": NullableReader(INT),
    "nullable that changes": NullableReader(NEGATIVE),
    "nullable constants": NullableReader(MemberReader({str: {"a": "a"}, int: {1: 1}}, keeps=True)),
    "by class": ClassChoice({str: STR, bool: ClassReader(bool)}),
    "by class with parts": ClassChoice({str: STR, list: ListReader(FLOAT), int: NEGATIVE}),
    "by class without texts": ClassChoice({list: ListReader(FLOAT), int: INT}),
    "tagged": TagChoice("a", {1: RecordReader(FIELDS, STORED), "x": RecordReader(OTHER, STORED)}),
    "first": KeyChoice((
        KeyBranch(frozenset({"a"}), frozenset("ab"), RecordReader(FIELDS, STORED)),
        KeyBranch(frozenset({"c"}), frozenset("ac"), RecordReader(OTHER, ObjectMaker(Pair))),
    )),
    "usually": UsualReader(INT, STR),
    "reference": make_tree(),
    "reference in a list": ListReader(make_tree()),
}  # fmt: skip

scalars = st.sampled_from(
    [
        None, True, False, 0, 1, 2, 3, -1, 2**53 + 1, 10**400, 0.0, -0.0, 1.0, 1.5, float("nan"),
        float("inf"), "", "a", "b", "ab", "1", "2026-01-31", "x",
    ]
)  # fmt: skip
keys = st.sampled_from(["a", "b", "c", "1", "f3", 1])
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=6,
)


def run(function: Any, value: Any) -> Any:
    """Return what *function* makes of *value*, or the class of what it raises."""
    try:
        made = function(value)
    except Exception as error:
        return type(error)
    return repr(made), made is value


PLAIN: list[Any] = [
    1, "a", 1.5, 2, True, None, [], [1], ["a"], [1, "a"], [1, 2, 3], [1, 1], [1.5, "a"], ["x", "y"],
    [1, 2.5, 3], {"a": 1}, {"a": 1, "b": 2.5}, {"a": 1, "b": "x"}, {"a": 1, "c": 2}, {"a": "x"},
    {"a": "x", "c": 2}, {"c": 2}, {"1": "a", "2": "b"}, {"1": "a", 1: "b"}, {"f3": 1}, [[]], [[[]]],
    [{"a": 1}], {"a": [1]}, {"a": {}}, 2**60, "2026-01-31", ["2026-01-31"], {"a": []}, 10**400, ["b"],
    {"a": 1, "b": 2.5, "c": 3}, {"a": 1, "b": None}, [None],
]  # fmt: skip


@pytest.mark.generated
@pytest.mark.parametrize("name", OPERATIONS)
def test_the_forms_of_an_operation_do_the_same(name: str) -> None:
    operation = OPERATIONS[name]
    closure, compiled = operation.closure(), operation.compile()
    taken = 0
    for value in PLAIN:
        found = run(closure, value)

        assert found == run(compiled, value)
        taken += isinstance(found, tuple)
        if operation.keeps and isinstance(found, tuple):
            assert found[1]
    assert 0 < taken


@pytest.mark.generated
@settings(LAW)
@given(st.sampled_from(sorted(OPERATIONS)), values)
@example("record", {"a": 1, "b": 2.5})
def test_the_forms_of_an_operation_do_the_same_for_any_value(name: str, value: Any) -> None:
    operation = OPERATIONS[name]

    assert run(operation.closure(), value) == run(operation.compile(), value)


@pytest.mark.parametrize("is_compiled", [False, pytest.param(True, marks=pytest.mark.generated)])
def test_a_value_inside_too_many_types_is_left_to_the_check(is_compiled: bool) -> None:
    tree = make_tree()
    read = tree.compile() if is_compiled else tree.closure()
    value: Any = []
    for _ in range(12):
        value = [value]

    assert value == read(value)
    with pytest.raises(Mismatch):
        read([value])
    # The count is what it was.
    assert value == read(value)


@pytest.mark.generated
def test_a_reference_that_another_thread_compiles_is_read_by_its_closure() -> None:
    tree = make_tree()
    tree._is_compiled = True  # type: ignore[attr-defined]

    assert [[]] == ListReader(tree).compile()([[]])


def test_what_is_absent_is_no_value() -> None:
    assert ABSENT is not None
