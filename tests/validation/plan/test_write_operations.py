"""Operations that write values: both forms of each do the same, also for wrong values."""

from __future__ import annotations

import datetime as dt
import decimal
import ipaddress
import random
import uuid
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AnyUrl, HttpUrl

import typesig
from tests.calls.generated.test_quick_results import NOW, Pair, Part, Private, Side
from tests.fast_pairs import plain_type, plain_value
from tests.generators import LAW
from typesig.algebra import nodes
from typesig.algebra.rows.formats import FORMATS
from typesig.calls.generated.fast_results import make_host_access
from typesig.extraction.encoder import encode
from typesig.limits import MAX_VALUES
from typesig.validation.check.check import get_compiler
from typesig.validation.plain_data import to_plain
from typesig.validation.plan import (
    leaf_rows,
    write_classes,
    write_items,
    write_leaves,
    write_objects,
)
from typesig.validation.plan.operations import Mismatch, Operation
from typesig.validation.plan.write_plan import WritePlanner
from typesig.validation.policy import ENABLED

POLICY = ENABLED.for_output()
HOSTS = make_host_access((), POLICY)
OBJECTS: list[Any] = [Part(1, ["a"]), Part(1, [3]), Part("x", []), Pair(1, "a"), Private(1)]  # type: ignore[arg-type, list-item]
for each in OBJECTS:
    encode(each)


def operation_of(text: str, fresh: bool = True) -> Operation:
    signature = typesig.parse(text)
    t, definitions = signature.returns, signature.definitions
    hosts = make_host_access(definitions, POLICY)
    return WritePlanner(get_compiler(t, definitions, POLICY), hosts).plan(t, fresh)


def nest(depth: int) -> dict[str, Any]:
    """Return dicts within each other."""
    found: dict[str, Any] = {}
    for _ in range(depth):
        found = {"next": found, "kids": []}
    return found


def nest_lists(depth: int) -> list[Any]:
    """Return lists within each other."""
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


def record_operations(text: str, *classes: type) -> list[tuple[Operation, list[Any]]]:
    """Return the operations of classes whose objects are written as the record *text*."""
    t = typesig.parse(text).returns
    assert isinstance(t, nodes.Record)
    planner = WritePlanner(get_compiler(t, (), POLICY), HOSTS)
    found = [planner._find_record(t, cls is dict, cls) for cls in classes]
    assert None not in found
    return [
        (operation, [value for value in [*OBJECTS, *DICTS] if type(value) is cls])
        for operation, cls in zip(found, classes, strict=True)
        if operation is not None
    ]


DICTS: list[dict[str, Any]] = [
    {"id": 1, "tags": ["a"], "kind": "x"}, {"id": 1, "tags": ["a"]}, {"id": "x", "tags": []},
    {"id": 1, "tags": ("a",)}, {"tags": []}, {"id": 1, "tags": [], "kind": Side.LEFT}, {},
    {"id": 1, "tags": [], "more": 1}, {"left": 1, "right": "a"}, {"left": 1, "right": Side.LEFT},
]  # fmt: skip
SCALARS: list[Any] = [
    1, -5, 2**70, 10**401, True, 1.5, float("nan"), "a", "\ud800", None, NOW, NOW.date(), dt.time(1),
    NOW.replace(tzinfo=None), dt.timedelta(1), decimal.Decimal("1.5"), uuid.UUID(int=7), Side.LEFT,
    b"", b"abc", bytearray(b"abcdef"), ipaddress.ip_address("1.2.3.4"), AnyUrl("https://a.b/c"),
    ipaddress.ip_address("fe80::1%a"), AnyUrl("s:a|b"), AnyUrl("https://a.b/" + "c" * 30),
]  # fmt: skip
PARTS: list[Any] = [
    *SCALARS, [], [1], ["a", 1], (1, "a"), (1, "a", 2, NOW), [1, "a", "b"], {1, 2}, frozenset("ab"),
    {"a", Side.LEFT}, {"left", Side.LEFT}, {(1, "a")}, {}, {"a": 1}, {1: "a"}, {1: "a", "1": "b"},
    {"a": [NOW]}, {"a": {"b": (1,)}}, object(), [[1], [2]], [(1,)], *OBJECTS, *DICTS,
    nest(1), nest(3), nest(20), nest(200), {"kids": [nest(1), {"kids": [3]}]}, [nest(2)],
    deque([1]), deque(["a", 1]), [deque([NOW])], deque([[1], deque([2])]), {1: 1, 2: "a"},
    dict.fromkeys(range(6), 1), dict.fromkeys("abcdef", 1),
    {1: 1, **dict.fromkeys("abcdef", 1)}, {None: 1, **dict.fromkeys("abcdef", 1)},
    {1: 1, 2: 2}, {2**70: 1}, {None: 1}, {1.5: 2}, nest_lists(2), nest_lists(40), nest_lists(90),
]  # fmt: skip

#: Operations, and values for them.
OPERATIONS: list[tuple[Operation, list[Any]]] = [
    *[
        (operation_of(text, fresh), PARTS)
        for fresh in (True, False)
        for text in (
            ":int", ":string?", ":float", ":datetime", ":string[date]", ":string[1..4, base64]",
            ":string[..30, uri]", ":string[ipv4]?", ":string[..9, date]",
            ":string[3..9] | :string[ipv6]",
            ':enum["a" "left"]',
            "[:int]", "[:string?]", "[:datetime]", "[[:int]]", "[:any]", "[:map]",
            "[:int, :string]", "[:int, :string, ** :any]", "#{:string}", "#{:any}", "#{:int}",
            ":map[:any]", ":map[:int :string]", ":map[:any :int]", ":map[:int :int]",
            ":map[:string? :int]",
            ":map[:int [:int]]",
            ":map[:int [:int][1..2]]", "[[:int][1..]]", "[[:int][..1]][2..4]",
            ":map[[:datetime]]", ":any", ":map", "[:int]?",
            "[:int][2..]", ":map[:int][1..1]", "[:int] | :string | {left :int, right :string}",
            "[[:int]] | [[:string]]", ":one[:int, :string]", "[:int][unique]",
            "{id :int, tags [:string], kind? :string?}", "[{left :int, right :string}]",
            ":T where T = {next? :T, kids? [:T]}", "[:T] where T = {next? :T, kids? [:T]}",
            ":T | :int where T = {next? :T, kids? [:T]}", ":T where T = :int",
            ":T where T = [:T]",
        )
    ],
    *record_operations("{id :int, tags [:string], kind? :string?}", Part, dict),
    *record_operations("{left :int, right :string}", Pair, dict),
    *record_operations("{id :int}", Private),
]  # fmt: skip


#: The operations that are given objects of one class only.
OF_ONE_CLASS = (
    write_objects.WriteAttributes, write_objects.WriteDict, write_objects.WriteTupleFields,
)  # fmt: skip


def run(write: Callable[..., Any], value: Any, room: int = MAX_VALUES) -> tuple[Any, ...]:
    """Return the result, or that there is none, and the places that were counted."""
    left = [room, 50]
    try:
        made = write(value, left)
    except Mismatch:
        return ("mismatch",)
    return repr(made), made is value, left


@pytest.mark.generated
@pytest.mark.parametrize("place", range(len(OPERATIONS)))
def test_both_forms_of_an_operation_do_the_same(place: int) -> None:
    operation, values = OPERATIONS[place]
    source = operation.compile(", left")
    for _ in range(2):
        closure = operation.closure()
        for value in values:
            several = value if isinstance(operation, OF_ONE_CLASS) else [value] * 20
            for room in (MAX_VALUES, 1):
                assert run(closure, value, room) == run(source, value, room)
                assert run(closure, several, room) == run(source, several, room)


@settings(LAW)
@given(st.from_regex(leaf_rows._USUAL_URL.replace("++", "+").replace("*+", "*"), fullmatch=True))
def test_a_usual_url_conforms_to_its_format(text: str) -> None:
    assert FORMATS["uri"](text)


def test_usual_objects_are_written_without_the_check() -> None:
    def refuse(_type: nodes.Type, _value: Any) -> Any:
        raise AssertionError

    hosts = HOSTS._replace(write=refuse)
    values: dict[str, list[Any]] = {
        ":string[..4, base64]": [b"abc", bytearray(b"abc")],
        ":string[ipv4]": [ipaddress.ip_address("1.2.3.4")],
        ":string[ipv6-network]": [ipaddress.ip_network("::/8")],
        ":string[1.., uri]": [AnyUrl("https://a.b:81/c?d=%20&e#f"), HttpUrl("https://u:p@a.b")],
        "[:int][1..5]": [[1, 2], deque([1])],
        "[[:int]] | :int": [deque([[1], deque([2])])],
        ":map[:int :int]": [{-1: 1, 2: 3}],
    }
    for text, several in values.items():
        t = typesig.parse(text).returns
        run = WritePlanner(get_compiler(t, (), POLICY), hosts).plan(t).closure()

        assert [to_plain(encode(value)) for value in several] == [
            run(value, [9, 9]) for value in several
        ]


def test_a_union_of_lists_is_known_from_the_first_item() -> None:
    operation = operation_of("[[:int] | [:string] | :map[:int] | :map[:string]]")
    values = [[1], ["a"], [], (2,), ("b",), {"a": 1}, {"a": "b"}, {}, [1], [1, "a"]]
    for write in (operation.closure(), operation.compile(", left")):
        for _ in range(30):
            assert encode(values[:-1]) == write(values[:-1], [99, 9])
            with pytest.raises(Mismatch):
                write(values, [99, 9])


def test_each_operation_has_a_row() -> None:
    modules = (write_classes, write_classes, write_items, write_leaves, write_objects)
    parts = [part for module in modules for part in vars(module).values() if isinstance(part, type)]
    found, pending = set[type](), [operation for operation, _ in OPERATIONS]
    seen = set[int]()
    while pending:
        operation = pending.pop()
        if id(operation) in seen:
            # A named type refers to itself.
            continue
        seen.add(id(operation))
        found.add(type(operation))
        names = [*getattr(operation, "__slots__", ())]
        pending += [
            part for name in names if isinstance(part := getattr(operation, name), Operation)
        ]
    # These two are made for objects whose class has several types, or fills a list.
    made_later = {write_classes.WriteFirst, write_classes._WriteSame}
    bases = {Operation, write_leaves.WriteOperation}

    assert found | made_later == {part for part in parts if issubclass(part, Operation)} - bases


@settings(LAW)
@given(st.integers(0, 2**32))
def test_both_forms_do_the_same_for_drawn_types(number: int) -> None:
    rng = random.Random(number)
    t = plain_type(rng, 3)
    operation = WritePlanner(get_compiler(t, (), POLICY), HOSTS).plan(t, rng.random() < 0.5)
    closure, source = operation.closure(), operation.compile(", left")
    for _ in range(10):
        value = plain_value(t, rng) if rng.random() < 0.8 else rng.choice(PARTS)
        assert run(closure, value) == run(source, value)


def test_an_operation_has_a_closure_of_its_own() -> None:
    with pytest.raises(NotImplementedError):
        Operation().closure()
