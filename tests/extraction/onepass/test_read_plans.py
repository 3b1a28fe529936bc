"""Plans that read data: what they make is what the check and the decoder make."""

from __future__ import annotations

import json
import pickle
import threading
from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

import pytest
from annotated_types import Ge, MaxLen, MinLen
from hypothesis import example, given, settings
from hypothesis import strategies as st

import typesig
from tests.extraction.onepass.test_read_records import POLICY, apart, state
from tests.generators import LAW
from typesig import TypesigError
from typesig.calls.decoding import build_checked_decoder
from typesig.extraction.onepass.plan_reader import make_plain_plan, make_read_plan
from typesig.extraction.python_types.text_readers import (
    PARSERS,
    find_parser,
    make_moment_parser,
)
from typesig.json_backends import UNREAD
from typesig.validation.plan.read_leaves import CheckReader
from typesig.validation.policy import LENIENT, STRICT, Policy


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(Enum):
    LOW = 1
    HIGH = 2
    NAMED = "top"


@dataclass
class Item:
    id: int
    price: float = 1
    tags: list[str] = field(default_factory=list)


@dataclass
class Cat:
    kind: Literal["cat"]
    lives: int


@dataclass
class Dog:
    kind: Literal["dog", "hound"]
    born: date | None = None


@dataclass
class Circle:
    radius: float


@dataclass
class Square:
    side: float
    at: datetime | None = None


@dataclass
class Named:
    id: int
    name: str = "x"


@dataclass
class Sized:
    id: int
    size: float = 1
    named: Named | None = None
    names: list[Named] = field(default_factory=list)


@dataclass
class Whole:
    id: int
    name: str
    born: date


class Point(NamedTuple):
    x: int
    y: float = 0


@dataclass
class Checked:
    n: int

    def __post_init__(self) -> None:
        if self.n < 0:
            raise ValueError("n is below 0")


@dataclass
class Node:
    value: int
    children: list[Node]
    other: Node | None = None


#: Hints, with data that conforms to each.
HINTS: dict[Any, list[Any]] = {
    int: [1], str: ["a"], float: [1, 2.5], bool: [True], Any: [1, {"a": [1.5]}],
    date: ["2026-01-31", "2024-02-29"], time: ["10:00:00", "10:00:00.5Z"],
    datetime: ["2026-01-31T10:00:00Z", "2026-01-31t10:00:00.25+01:30", "2026-01-31 10:00:00z"],
    timedelta: ["P1DT2H", "PT1H5S", "P2W", "PT0.5S"],
    UUID: ["12345678-1234-5678-1234-567812345678"], Decimal: ["1.50", 3, "1e5"],
    bytes: ["aGVsbG8="], Path: ["a/b"], PurePosixPath: ["a"], Colour: ["red"], Level: [1, "top"],
    Literal["a", 1]: ["a", 1], Item: [{"id": 1}, {"id": 1, "price": 2, "tags": ["a"]}],
    Point: [{"x": 1}, {"x": 1, "y": 2}], Checked: [{"n": 1}], Cat | Dog: [
        {"kind": "cat", "lives": 9}, {"kind": "hound", "born": "2026-01-31"}, {"kind": "dog"}],
    Circle | Square: [{"radius": 1}, {"side": 2, "at": "2026-01-31T10:00:00Z"}],
    Item | None: [None, {"id": 1}], int | str: [1, "1"], Item | str | list[int]: ["a", [1], {"id": 1}],
    date | str: ["2026-01-31", "x"], float | Colour: [1, "red"], Cat | dict[str, int]: [{"a": 1}],
    Annotated[int, Ge(1)]: [1], Annotated[float, Ge(1)]: [1, 1.5],
    Annotated[str, MinLen(1), MaxLen(3)]: ["a"], Annotated[list[float], MinLen(1)]: [[1]],
    Annotated[dict[str, float], MaxLen(2)]: [{"a": 1}], Annotated[set[int], MinLen(1)]: [[1, 2]],
    Annotated[tuple[int, ...], MinLen(1)]: [[1]], Annotated[Decimal, Ge(Decimal(1))]: ["1.5", 2],
    dict[str, Any]: [{"a": [1]}], dict[int, str]: [{"1": "a"}, {"01": "b", "-3": "c"}],
    dict[date, int]: [{"2026-01-31": 1}], dict[Colour, int]: [{"red": 1}], dict[bool, int]: [{"true": 1}],
    dict[Level, int]: [{"1": 1, "top": 2}], dict[UUID, date]: [
        {"12345678-1234-5678-1234-567812345678": "2026-01-31"}],
    OrderedDict[str, float]: [{"a": 1}], defaultdict[str, float]: [{"a": 1}], deque[date]: [["2026-01-31"]],
    tuple[int, str]: [[1, "a"]], tuple[float, ...]: [[], [1, 2.5]], tuple[()]: [[]],
    tuple[int, *tuple[date, ...]]: [[1], [1, "2026-01-31"]],
    tuple[int, *tuple[str, ...], int]: [[1, "a", 2]], tuple[Item, Cat]: [
        [{"id": 1}, {"kind": "cat", "lives": 1}]],
    set[int]: [[1, 2], []], frozenset[str]: [["a"]], set[float]: [[1, 2.5]], set[date]: [["2026-01-31"]],
    frozenset[Colour]: [["red"]], set[Point]: [[{"x": 1}]], list[Item]: [[{"id": 1}] * 3],
    list[datetime | None]: [["2026-01-31T10:00:00Z", None]], dict[str, list[Cat | Dog]]: [
        {"a": [{"kind": "cat", "lives": 1}]}],
    list[Checked]: [[{"n": 1}, {"n": 2}]],
    Named | Sized: [{"id": 1}, {"id": 1, "name": "a"}, {"id": 1, "size": 2, "names": [{"id": 1}]}],
    Whole | Named | Sized | int: [{"id": 1, "name": "a", "born": "2026-01-31"}, {"id": 1, "size": 2}, 1],
    list[Named | Whole]: [[{"id": 1, "name": "a", "born": "2026-01-31"}, {"id": 1, "name": "a"}]],
    dict[str, Sized | Named | None]: [{"a": {"id": 1}, "b": {"id": 1, "name": "a"}, "c": None}],
    list[list[int] | list[str]]: [[[1], ["a"], []]], list[int] | list[bool] | dict[str, int]: [
        [1], [True], [], {"a": 1}], dict[str, int] | dict[str, str]: [{"a": 1}, {"a": "b"}, {}],
    list[date | str]: [["2026-01-31", "x", "2026-02-31"]], UUID | date | int: ["2026-01-31", 1],
    Decimal | str | None: ["1.5", "x", None, 3], Path | Colour: ["a", "red"], datetime | str: [
        "2026-01-31T10:00:00Z", "x"], bytes | str: ["aGVsbG8=", "?"],
    list[float] | list[str]: [[1], ["a"]], Named | dict[str, int]: [{"id": 1}, {"a": 1}],
}  # fmt: skip
POLICIES = ["enabled", "strict", "lenient", "json", "warn_only", Policy(naive_datetime="UTC")]


@cache
def contract_of(hint: Any, mode: Any) -> Any:
    return typesig.contract(hint, mode=mode, recursive=True)


def told(outcome: Any) -> Any:
    """Return all that *outcome* tells."""
    result = state(outcome.result) if outcome.ok else None
    value = repr(outcome.value) if outcome.ok else repr(outcome.rejected)
    return outcome.errors, outcome.warnings, outcome.text(), value, result


def assert_same(hint: Any, data: Any, mode: Any) -> None:
    """Assert that *data*, and its text, are read as by the check and the decoder."""
    contract = contract_of(hint, mode)
    plan = contract._quick.find_plan(POLICY)
    if not isinstance(data, str):
        # Text is read as JSON.
        with apart():
            expected = told(contract._with_mode(mode).read(data))

        assert expected == told(contract.read(data))
        plan.compile()
        made = plan.read(data)
        assert made is UNREAD or mode != "enabled" or state(made) == expected[4]
    text = json.dumps(data)
    with apart():
        expected = told(contract._with_mode(mode).read(text))
    assert expected == told(contract.read(text))


@pytest.mark.parametrize("hint", HINTS, ids=str)
def test_data_that_conforms_is_read_by_the_plan(hint: Any) -> None:
    contract = contract_of(hint, "enabled")
    signature = contract.signature
    plan = make_read_plan(signature.returns, signature.definitions, contract._host.returns, POLICY)
    for data in HINTS[hint]:
        with apart():
            expected = contract_of(hint, "enabled")._with_mode("enabled").read(json.dumps(data))

        assert state(expected.result) == state(plan.read(data))
        assert_same(hint, data, "enabled")
    for wrong in (None, [], {}, "x", -1, 1e400, [[]], {"a": 1.0}):
        assert_same(hint, wrong, "enabled")


@pytest.mark.parametrize(
    "hint",
    [
        Named | Sized,
        list[Named | Whole],
        list[list[int] | list[str]],
        dict[str, int] | dict[str, str],
    ],
    ids=str,
)
def test_unions_of_what_has_no_tag_are_read_without_the_check(
    hint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: CheckReader) -> Any:
        return lambda value: pytest.fail(f"the check was asked for {value!r}")

    monkeypatch.setattr(CheckReader, "closure", refuse)
    signature = contract_of(hint, "enabled").signature
    host = contract_of(hint, "enabled")._host.returns
    run = make_read_plan(signature.returns, signature.definitions, host, POLICY).operation.closure()

    assert len([run(data) for data in HINTS[hint]]) == len(HINTS[hint])


@pytest.mark.generated
@pytest.mark.parametrize("hint", HINTS, ids=str)
def test_a_compiled_plan_reads_data_that_conforms(hint: Any) -> None:
    contract = contract_of(hint, "enabled")
    signature = contract.signature
    plan = make_read_plan(signature.returns, signature.definitions, contract._host.returns, POLICY)
    for data in HINTS[hint]:
        cold = plan.read(data)
        plan.compile()

        assert plan.compile() is plan.run
        assert state(cold) == state(plan.read(data))
        for mode in POLICIES:
            assert_same(hint, data, mode)


mistakes = st.sampled_from(
    [None, True, 0, -1, 3, 2.0, 1e400, "", "1", "x", "red", "RED", "2026-01-31", [], {}, [1], {"a": 1},
     {"id": "1"}, {"kind": "cat"}, ["a", "a"], "12345678-1234-5678-1234-5678123456_8", "+1.5", " 1",
     "P", "PT", "T10:00:00", "20260131", "2026-W05-6", "2026-01-31T24:00:00Z", "aGVsbG9="]
)  # fmt: skip


def change(data: Any, places: list[int], mistake: Any) -> Any:
    """Return *data* with *mistake* at one of its parts."""
    if places and isinstance(data, list) and data:
        at = places[0] % len(data)
        return [*data[:at], change(data[at], places[1:], mistake), *data[at + 1 :]]
    if places and isinstance(data, dict):
        names = [*data, "other"]
        name = names[places[0] % len(names)]
        return {**data, name: change(data.get(name), places[1:], mistake)}
    return mistake


@settings(LAW)
@given(
    st.sampled_from(list(HINTS)),
    st.integers(0, 9),
    st.lists(st.integers(0, 9), max_size=3),
    mistakes,
    st.sampled_from(POLICIES),
)
@example(Item, 0, [0], "1", "enabled")
@example(list[Checked], 0, [1, 0], -1, "enabled")
def test_any_data_is_read_as_by_the_check_and_the_decoder(
    hint: Any, number: int, places: list[int], mistake: Any, mode: Any
) -> None:
    samples = HINTS[hint]
    assert_same(hint, change(samples[number % len(samples)], places, mistake), mode)


@pytest.mark.parametrize("name", ["date", "time", "timedelta", "UUID", "Decimal", "bytes"])
def test_texts_that_are_parsed_at_once_are_read_as_others(name: str) -> None:
    hint = next(hint for hint in HINTS if getattr(hint, "__name__", "") == name)
    odd = [
        "2026-1-31", "２０２６-01-31", "0000-01-01", "2026-02-30", "10:00", "10:00:60", "10:00:00z",
        "10:00:00,5", "10:00:00+24:00", "-P1D", "P1Y", "PT", "P", "P1DT", "PT1.5S", "P9999999999D",
        "{12345678-1234-5678-1234-567812345678}", "12345678-1234-5678-1234-56781234567 ",
        "1_0", "NaN", "1" * 60, "1e3", ".5", "5.", "aGVsbG9=", "====", "aGVsbG8", "a b=", "é",
    ]  # fmt: skip
    for text in odd:
        assert_same(hint, json.dumps(text), "enabled")


def test_a_parser_is_known_for_the_usual_classes_only() -> None:
    for (format_name, cls_name), make in PARSERS.items():
        assert make is not None
        assert format_name
        assert cls_name
    assert find_parser((), str) is None
    parse = make_moment_parser().parse
    assert parse("2026-01-31T10:00:00Z") == datetime.fromisoformat("2026-01-31T10:00:00Z")


def nest(depth: int) -> Any:
    """Return a node that is *depth* levels deep."""
    made: dict[str, Any] = {"value": 1, "children": []}
    for _ in range(depth):
        made = {"value": 1, "children": [made], "other": None}
    return made


def test_types_that_contain_themselves_are_read_up_to_the_depth_of_the_check() -> None:
    for depth in (0, 3, 30, 50, 60, 90, 120, 150):
        assert_same(Node, nest(depth), "enabled")
    assert_same(Node, {"value": "1", "children": [nest(2)]}, "enabled")


def test_a_list_at_many_places_is_counted() -> None:
    shared: Any = [1.5]
    for _ in range(30):
        shared = [shared, shared]
    hint: Any = float
    for _ in range(31):
        hint = list[hint]

    assert contract_of(hint, "enabled").read(shared).errors


CALLS = []


@dataclass
class Counting:
    n: int

    def __post_init__(self) -> None:
        CALLS.append(self.n)


def test_a_plan_calls_constructors_only_if_all_data_conforms() -> None:
    contract = typesig.contract(list[Counting])
    CALLS.clear()
    assert contract._quick.read([{"n": 1}, {"n": "x"}], POLICY) is UNREAD
    assert [] == CALLS
    assert contract._quick.read([{"n": 1}, {"n": 2}], POLICY) is not UNREAD
    assert [1, 2] == CALLS


@pytest.mark.needs_process
def test_plans_are_made_by_several_threads() -> None:
    contract, found = typesig.contract(list[Item]), []

    def read() -> None:
        found.append(contract.read([{"id": n} for n in range(60)]).result)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [[Item(n) for n in range(60)]] * 4 == found


def test_the_plain_value_is_that_of_the_check() -> None:
    contract = typesig.contract(dict[datetime, set[float]])
    data = {"2026-01-31T10:00:00+00:00": [2, 1]}
    for _ in range(30):
        outcome = contract.read(json.dumps(data))
    with apart():
        expected = contract._with_mode("enabled").read(json.dumps(data))

    assert expected.value == outcome.value == {"2026-01-31T10:00:00Z": [1.0, 2.0]}
    assert expected.text() == outcome.text()
    signature = typesig.contract("{a :int = 3, b [:int] = [], c [:int] = [1]}").signature
    plan = make_plain_plan(signature.returns, signature.definitions, typesig.Policy())
    assert {"a": 3, "b": [], "c": [2]} == plan.read({"c": [2]})
    assert plan.read({}) is UNREAD


def test_texts_of_numbers_keep_their_digits() -> None:
    contract = typesig.contract(list[Decimal])
    for _ in range(30):
        outcome = contract.read("[1.50, 2, 0.1]")

    assert ["1.50", "2", "0.1"] == [str(each) for each in outcome.result]
    mixed = typesig.contract(dict[str, Decimal | dict[str, Any] | None])
    for _ in range(30):
        mixed.read('{"a": {"b": 1.5}, "c": "2"}')
    outcome = mixed.read('{"a": {"b": 1.50}, "c": "2"}')
    assert type(outcome.result["a"]["b"]) is float


def test_keys_that_stand_twice_are_refused() -> None:
    for hint in (Item, Cat | Dog, dict[str, Cat | Dog], list[Item | str], set[int], Node):
        contract = typesig.contract(hint, recursive=True)
        for data in HINTS.get(hint, [])[:1]:
            for _ in range(30):
                assert contract.read(json.dumps(data)).ok
        assert contract.read('{"id": 1, "id": 2}').errors
        assert contract.read('{"kind": "cat", "lives": 1, "lives": 1}').errors
        assert contract.read('{"a": {"kind": "cat", "lives": 1, "lives": 1}}').errors


def test_arguments_that_have_passed_the_check_are_decoded() -> None:
    contract = typesig.contract(dict[str, Cat | datetime])
    parts = contract.signature.returns, contract.signature.definitions
    decode = build_checked_decoder(*parts, contract._host.returns, POLICY)
    now = datetime.fromisoformat("2026-01-31T10:00:00Z")

    assert {"a": Cat("cat", 1), "b": now} == decode({"a": {"kind": "cat", "lives": 1}, "b": now})
    assert {} == decode(OrderedDict())


def test_a_policy_with_more_warnings_is_left_to_the_check() -> None:
    contract = typesig.contract(datetime, mode=Policy(verbose=True))

    assert contract.read('"2026-01-31T10:00:00Z"').warnings
    assert contract._quick.find_plan(Policy(verbose=True)) is None
    with pytest.raises(TypesigError):
        contract.read("1").result  # noqa: B018
    assert STRICT != LENIENT


@pytest.mark.parametrize(
    ("hint", "data"),
    [
        (int, "1"),
        (list[int], ["1", 2, "3"] * 60),
        (Item, {"id": "1", "price": 2}),
        (list[Item], [{"id": "1"}, {"ID": 2, "tags": ["a"]}]),
        (dict[datetime, Checked], {"2026-01-31T10:00:00Z": {"n": "1"}}),
        (list[Checked], [{"n": "-1"}]),
        (set[int], ["1", 2]),
        (list[date], ["2026-02-31"]),
        (Item, {"id": "x"}),
    ],
)
def test_data_that_is_coerced_often_is_read_as_once(hint: Any, data: Any) -> None:
    contract = typesig.contract(hint)
    once = told(contract._with_mode("enabled").read(json.dumps(data)))
    fenced = told(contract._with_mode("enabled").read(f"```json\n{json.dumps(data)}\n```"))
    for _ in range(30):
        outcome = contract.read(json.dumps(data))

    assert once == told(outcome)
    assert once == told(contract.read(json.dumps(data)))
    assert outcome.unseen == contract._with_mode("enabled").read(json.dumps(data)).unseen
    assert fenced == told(contract.read(f"```json\n{json.dumps(data)}\n```"))
    if outcome.ok:
        assert state(outcome.result) == state(pickle.loads(pickle.dumps(outcome)).result)


def test_a_text_in_a_format_with_bounds_is_read_by_the_check() -> None:
    amounts = typesig.contract("{a :string[decimal, 2..]}")
    for _ in range(3):
        assert amounts.read('{"a": "1.5"}').value == {"a": "1.5"}
        assert [str(error) for error in amounts.read('{"a": "1"}').errors] == [
            'a: expected string[2.., decimal], got string "1"'
        ]
