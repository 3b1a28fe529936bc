"""Calls that take the short way have the outcomes of those that take the long way."""

from __future__ import annotations

import asyncio
import enum
import inspect
import pickle
import random
import traceback
from collections.abc import AsyncIterator, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from typing import Annotated, Any, Literal, NotRequired

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, SecretStr
from typing_extensions import TypedDict

import typesig
from tests.fast_pairs import plain_type, plain_value
from tests.generators import LAW, OddText
from typesig import Injected, ToolError, TypesigError, tool
from typesig.algebra import Keyword
from typesig.algebra.nodes import ANY, INT, STRING, Field, Record
from typesig.algebra.rows.values import to_const
from typesig.algebra.signature import Signature
from typesig.calls.generated.fast_path import get_fast_path
from typesig.calls.results import find_max_places, is_plain
from typesig.extraction.encoder import encode
from typesig.extraction.python_types.decoders import HostError
from typesig.limits import MAX_VALUE_DEPTH
from typesig.validation.issues.ledger import Ledger
from typesig.validation.policy import MODES, get_policy


class Order(enum.Enum):
    UP = "up"
    DOWN = "down"


class Row(TypedDict):
    id: int
    note: NotRequired[str | None]


@dataclass
class Point:
    x: int
    y: float = 0.0
    tags: list[str] = field(default_factory=list)


def add(a: int, b: int = 2) -> int:
    return a + b


def listed(a: list[int] = [1]) -> list[int]:  # noqa: B006 - what users write
    # The function gets its own default, which it must not change.
    return [*a, 2]


def sorted_by(order: Order = Order.UP) -> str:
    return order.name


def since(at: datetime = datetime(2026, 1, 31, tzinfo=UTC)) -> datetime:
    return at


def found(query: str, after: str | None) -> list[Row]:
    return [{"id": 1, "note": after}, {"id": 2}] if query else []


def moved(point: Point, by: float) -> Point:
    return Point(point.x, point.y + by, point.tags)


def anything(value: Any) -> Any:
    return {"nan": float("nan"), "point": Point(1), "set": {1, 2}, "same": value}.get(value, value)


def wrong(value: int) -> str:
    return value  # type: ignore[return-value]


def priced(price: Decimal) -> Decimal:
    if price == 13:
        raise ValueError("unlucky")
    return price * 2


def colours(names: set[str]) -> set[str]:
    return names


class Range:
    """An iterator whose text does not differ."""

    def __init__(self, count: int) -> None:
        self.left = count

    def __iter__(self) -> Range:
        return self

    def __next__(self) -> int:
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.left

    def __repr__(self) -> str:
        return "Range"


def counted(count: int) -> Iterator[int]:
    return Range(count)


def failing(text: str) -> str:
    if text != "t":
        raise ToolError(f"no {text}")
    return text


def others(a: int, **rest: int) -> dict[str, int]:
    return {"a": a, **rest}


def placed(a: int, /, *more: int) -> int:
    return a + sum(more)


def hidden(a: int, _key: str = "k") -> str:
    return f"{a}{_key}"


def told(a: int, key: Annotated[str, Injected] = "k") -> str:
    return f"{a}{key}"


def paired(a: int) -> tuple[Literal["ok"], int] | tuple[Literal["error"], str]:
    return ("ok", a) if a else ("error", "zero")


def named(word: Keyword) -> Keyword:
    return word


def wrapped(arguments: dict[str, int]) -> int:
    return sum(arguments.values())


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def nothing() -> None:
    return None


@dataclass
class Positive:
    x: int

    def __post_init__(self) -> None:
        if self.x == -1:
            raise ValueError("it is negative")


def positive(a: Positive) -> int:
    return a.x


def absent(a: Positive | None) -> Positive:
    return a or Positive("x")  # type: ignore[arg-type]


FORMLESS = object()


def formless(a: int) -> Any:
    return FORMLESS if a else 0


def keyed(a: int) -> Keyword:
    return Order.UP if a else Keyword("k")  # type: ignore[return-value]


class Found(TypedDict):
    """A record whose values are all plain."""

    id: int
    share: float
    kind: Literal["a", "b"] | None
    level: Literal[1, 2]


def records(count: int, extra: bool = False) -> list[Found]:
    found: Any = {"id": count, "share": 1.5, "kind": None, "level": 1}
    return [{**found, "more": {1, 2}}] if extra else [found] * count


def mixed(a: int, names: list[str] = ["x"], b: float = 1.0) -> list[Any]:  # noqa: B006
    return [a, names, b]


def shut(door: Literal["front", "back"] = "front", n: int = 1) -> str:
    return door


def placed_at(point: Point, far: bool = False) -> Point:
    if far:
        raise ToolError("too far")
    return Point(point.x, point.y, [1] if point.x == 13 else point.tags)  # type: ignore[list-item]


def summed(a: int, b: Decimal = Decimal(5), *, c: int = 7) -> str:
    return f"{a + b + c}"


def perhaps(n: int, a: Positive | None = None) -> int:
    return n if a is None else a.x


def hushed(a: int, password: SecretStr) -> int:
    return a


def scored(scores: dict[str, int]) -> int:
    return sum(scores.values())


#: Functions and what models send to them.
CALLS: list[tuple[Any, Any]] = [
    *[(add, sent) for sent in ({"a": 1}, {"a": 1, "b": 3}, {"a": "1"}, {"b": 1}, {"a": 1, "c": 2})],
    *[(add, sent) for sent in ('{"a": 1}', '{"a": ', "[1]", "null", None, [], 3, b'{"a": 1}')],
    *[(add, sent) for sent in ({"arguments": {"a": 1}}, {"add": {"a": 1}}, {"A": 1}, {"a": None})],
    *[(listed, sent) for sent in ({}, {"a": [3]}, {"a": ["3"]})],
    *[(sorted_by, sent) for sent in ({}, {"order": "down"}, {"order": "left"})],
    *[(since, sent) for sent in ({}, {"at": "2026-01-31T10:00:00Z"}, {"at": "now"})],
    *[(found, sent) for sent in ({"query": "a"}, {"query": "a", "after": "b"}, {"query": ""})],
    *[(moved, {"point": point, "by": 1.5}) for point in ({"x": 1}, {"x": 1, "y": 2}, {"y": 1})],
    (moved, {"point": {"x": 1, "y": 2.5, "tags": ["a"]}, "by": 1.5}),
    *[(anything, {"value": value}) for value in (1, [1], {"a": None}, "nan", "point", "set")],
    *[(wrong, sent) for sent in ({"value": 1}, {"value": "a"})],
    *[(priced, {"price": price}) for price in ("1.5", 1.5, "13", "x")],
    *[(colours, {"names": names}) for names in (["a"], ["a", "a"])],
    (counted, {"count": 3}),
    (failing, {"text": "luck"}),
    *[(others, sent) for sent in ({"a": 1}, {"a": 1, "b": 2}, {"a": 1, "b": "x"})],
    *[(placed, sent) for sent in ({"a": 1}, {"a": 1, "more": [2]})],
    *[(hidden, sent) for sent in ({"a": 1}, {"a": 1, "_key": "x"})],
    *[(told, sent) for sent in ({"a": 1}, {"a": 1, "key": "x"})],
    *[(paired, {"a": a}) for a in (1, 0)],
    *[(named, {"word": word}) for word in ("a", Keyword("a"))],
    *[(wrapped, {"arguments": held}) for held in ({"a": 1}, {"a": "1"})],
    *[(deep, {"levels": levels}) for levels in (1, 500)],
    (nothing, {}),
    *[(positive, sent) for sent in ({"a": {"x": 1}}, {"a": {"x": -1}})],
    *[(formless, {"a": a}) for a in (0, 1)],
    *[(absent, sent) for sent in ({}, {"a": {"x": 1}}, {"a": None})],
    *[(keyed, {"a": a}) for a in (0, 1)],
    *[(records, {"count": n, "extra": extra}) for n in (1, "2") for extra in (False, "true")],
    *[(mixed, sent) for sent in ({"a": "1"}, {"a": "1", "names": ["y"]}, {"a": "1", "b": None})],
    *[(mixed, sent) for sent in ({"A": "1", "c": 2}, {"a": "1", "names": [1]}, {"a": "1", "c": 2})],
    *[
        (mixed, sent)
        for sent in ({"a": "x", "b": "y"}, {"b": "1", "zq": 1}, {"names": "x", "B": 1})
    ],
    *[(mixed, {"a": "x", "names": ["y"] * 3 + [n] * 300}) for n in (1, "z")],
    *[(shut, sent) for sent in ({"door": "frnt", "n": "x"}, {"door": "side", "n": "1"}, {"n": 1})],
    *[(placed_at, {"point": {"x": x}, "far": far}) for x in ("1", 13) for far in (False, "true")],
    *[(placed_at, {"point": point}) for point in ({"x": "1", "y": "2", "tags": "[]"}, '{"x": 1}')],
    *[(hushed, {"a": a, "password": word}) for a in (1, "1", "x") for word in ("p", 1)],
    *[(positive, {"a": {"x": x}}) for x in ("-1", "1")],
    *[(perhaps, {"n": n}) for n in (1, "1")],
    (summed, {"a": 1, "b": OddText("2")}),
    *[(mixed, sent) for sent in ({"a": "1"}, {"a": "1", "b": 2}, '{"a": 1, "b": 2.50}')],
    *[(summed, sent) for sent in ({"a": "1"}, {"a": "1", "b": "2"}, '{"a": 1, "b": 1.50}')],
]


def told_of(call: Any) -> Any:
    """Return all that a call tells, or the exception that passes through."""
    try:
        return told_by(call())
    except Exception as error:
        return type(error), str(error)


def told_by(outcome: Any) -> str:
    told = [outcome.stage, outcome.ok, outcome.report(), repr(outcome), outcome.rejected]
    told += [outcome.errors, outcome.warnings, outcome.unseen, outcome.feedback(), outcome.tree()]
    told += [] if outcome.ok else [outcome.text(), outcome._subject]
    if outcome.ok:
        told += [outcome.value, outcome.result, outcome.text(), outcome.left_out()]
        told += [outcome.for_model(), outcome.for_model(exact=True)]
    return repr(told)


#: Arguments that make the short way ready, if the function returns.
READYING = {
    "password": "p",
    "count": 1,
    "a": 1,
    "value": 1,
    "price": "1",
    "text": "t",
    "query": "q",
}


@pytest.mark.parametrize(("function", "sent"), CALLS)
@pytest.mark.parametrize("mode", ["enabled", "strict", "lenient", "warn_only", "disabled", "json"])
def test_a_call_has_the_same_outcome_each_time(function: Any, sent: Any, mode: Any) -> None:
    made = tool(function, mode=mode)
    for _ in range(4):
        told_of(lambda: made.call({"a": {"x": 1}} if function in (positive, absent) else READYING))
    # A ledger keeps a call from the short way.
    long = told_of(lambda: tool(function).call(deepcopy(sent), mode=mode, ledger=Ledger()))
    calls = [told_of(lambda: made.call(deepcopy(sent))) for _ in range(5)]
    assert [long] * 5 == calls
    other = tool(function)
    assert [long] * 4 == [told_of(lambda: other.call(deepcopy(sent), mode=mode)) for _ in range(4)]


#: Calls of which some wrap, are null, or have text where the form that is sent has other names.
SENT: list[tuple[Any, Any]] = [
    *[each for each in CALLS if each[0] not in (others, placed, hidden, told)],
    *[(add, sent) for sent in ({"a": 1, "b": None}, {"a": "1", "b": None}, '{"a": 1, "b": null}')],
    *[(add, {"parameters": sent}) for sent in ({"a": 1}, {"a": 1, "b": None}, "{}")],
    *[(found, {"query": sent, "after": None}) for sent in ("a", 1, None)],
    *[(scored, {"scores": sent}) for sent in ([{"key": "a", "value": 1}], {"a": "1"}, [1])],
    (scored, {"scores": [{"key": "a", "value": 1}, {"key": "a", "value": 2}]}),
    (scored, {"scores": '[{"key": "a", "value": 1}]'}),
]


@pytest.mark.parametrize(("function", "sent"), SENT)
def test_a_call_in_another_form_has_the_same_outcome_each_time(function: Any, sent: Any) -> None:
    def projected() -> Any:
        made = tool(function).project("openai", strict=True).tools
        return made.get(function.__name__)

    made = projected()
    if made is None:
        # The provider does not take it.
        return
    for _ in range(4):
        told_of(lambda: made.call({"a": {"x": 1}} if function in (positive, absent) else READYING))
    long = told_of(lambda: projected().call(deepcopy(sent), ledger=Ledger()))

    assert [long] * 5 == [told_of(lambda: made.call(deepcopy(sent))) for _ in range(5)]


def test_projected_calls_take_the_short_way() -> None:
    strict = tool(add).project("openai", strict=True).tools["add"]
    mcp = tool(add).project("mcp").tools["add"]
    for _ in range(5):
        assert 3 == strict.call({"a": 1, "b": None}).result == mcp.call({"a": 1}).result
        assert 3 == mcp.call({"a": 1}, mode="strict").result
        assert 3 == asyncio.run(mcp.acall({"a": 1}, given={"unknown": 1})).result

    assert {"call"} == strict.called._shared.keys()
    assert {"call", "acall", ("call", "strict")} == mcp.called._shared.keys()


@tool(name="a.b")
def dotted(a: int, b: int = 2) -> int:
    return a + b


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini", "mcp"])
def test_a_tool_of_each_provider_is_pickled(provider: Any) -> None:
    [made] = dotted.project(provider).tools.values()

    assert made.definition == pickle.loads(pickle.dumps(made)).definition


def test_a_projected_tool_is_pickled_with_its_name_and_its_form() -> None:
    [made] = dotted.project("openai", strict=True).tools.values()
    other = pickle.loads(pickle.dumps(made))

    assert made.name == other.name == other.called.name != dotted.name
    assert [3] * 4 == [other.call({"a": 1, "b": None}).result for _ in range(4)]
    assert made.feedback({}, made.call({})) == other.feedback({}, other.call({}))


def test_a_tool_of_another_name_knows_its_own_wrapper() -> None:
    one = tool(listed)
    for _ in range(4):
        assert [3, 2] == one.call({"a": [3]}).result
    other = typesig.tools_of([one]).prefixed("my_")["my_listed"]

    assert [[3, 2]] * 4 == [other.call({"my_listed": {"a": [3]}}).result for _ in range(4)]


def test_some_modes_have_a_short_way_of_their_own() -> None:
    made = tool(add)
    policies = [get_policy("enabled").changed(max_issues=n) for n in range(1, 12)]

    assert [3] * 11 == [made.call({"a": 1}, mode=policy).result for policy in policies]
    assert 8 == len(made._shared)
    for wrong_mode in ("none", [1]):
        with pytest.raises(TypesigError, match="mode"):
            made.call({"a": 1}, mode=wrong_mode)  # type: ignore[arg-type]


def test_a_function_with_very_many_parameters_has_no_generated_code() -> None:
    signature = Signature([Field(f"p{n}", INT, False) for n in range(120)], INT)

    def counts(**given: Any) -> int:
        return len(given)

    counts.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(f"p{n}", inspect.Parameter.KEYWORD_ONLY, default=None)
            for n in range(120)
        ]
    )
    made: Any = tool(signature)(counts)

    assert [2] * 5 == [made.call({"p1": 1, "p3": 3}).result for _ in range(5)]


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_an_argument_that_its_class_refuses_takes_the_long_way(calls: int) -> None:
    made = tool(positive)
    for _ in range(calls):
        assert 1 == made.call({"a": {"x": 1}}).result
    told = told_by(made.call({"a": {"x": -1}}))

    assert told == told_by(tool(positive).call({"a": {"x": -1}}))
    assert "it is negative" in told


def test_a_result_that_is_one_of_several_is_plain() -> None:
    @tool
    def either(a: int) -> Found | None:
        return records(a)[0] if a else None

    results = [either.call({"a": a}).result for a in (0, 1, 0, 1, 0)]

    assert [None, records(1)[0], None, records(1)[0], None] == results


def test_an_absent_argument_without_a_default_is_left_out() -> None:
    def summed(a: int, b: Decimal = Decimal(5), *, c: int = 7) -> str:
        return f"{a} {b} {c}"

    made: Any = tool("(a :int, b? :string[decimal], c? :int) -> :string")(summed)
    sent = [{"a": 1}, {"a": 1, "b": "2"}, {"a": 1, "c": 3}, {"a": 1, "b": "2", "c": "3"}]
    told = ["1 5 7", "1 2 7", "1 5 3", "1 2 3"]

    assert [told] * 5 == [[made.call(each).result for each in sent] for _ in range(5)]


class Numbers(Range):
    """An iterator that fails."""

    def __next__(self) -> int:
        if self.left == 13:
            raise ToolError("13")
        return super().__next__()

    def __aiter__(self) -> Numbers:
        return self

    async def __anext__(self) -> int:
        try:
            return next(self)
        except StopIteration:
            raise StopAsyncIteration from None


def test_an_iterator_that_fails_has_the_same_outcome_each_time() -> None:
    def numbers(count: int) -> Iterator[int]:
        if count == 14:
            raise ToolError("14")
        return Numbers(count)

    def stepping(count: int) -> AsyncIterator[int]:
        return Numbers(count)

    async def later(count: int) -> AsyncIterator[int]:
        return Numbers(count)

    plain, stepped, awaited = tool(numbers), tool(stepping), tool(later)
    for count in (14, 2, 14, 14, 2, 14):
        told = told_of(partial(plain.call, {"count": count}))
        assert told == told_of(partial(tool(numbers).call, {"count": count}))
    for count in (2, 2, 13, 13, 2, 13):
        for made in (stepped, awaited):
            told = asyncio.run(told_later(made.acall({"count": count})))
            assert told == asyncio.run(told_later(tool(made.__wrapped__).acall({"count": count})))
        told = told_of(partial(plain.call, {"count": count}))
        assert told == told_of(partial(tool(numbers).call, {"count": count}))


@pytest.mark.generated
def test_an_exception_of_the_function_has_lines_of_the_call() -> None:
    def broken(value: int) -> int:
        raise LookupError(value) if value else ToolError("none")

    made = tool(broken)
    lines = []
    for _ in range(5):
        assert "none" in made.call({"value": 0}).report()
    get_fast_path(made._shared, "call", None, made.binding, get_policy("enabled"), broken)
    for _ in range(4):
        try:
            made.call({"value": 1})
        except LookupError as error:
            lines.append("".join(traceback.format_exception(error)))

    assert "returned = function(value=v0)" not in lines[0]
    assert "returned = function(" in lines[-1]


@pytest.mark.parametrize(("function", "sent"), CALLS)
def test_an_asynchronous_call_has_the_same_outcome_each_time(function: Any, sent: Any) -> None:
    async def waiting(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    waiting.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    waiting.__annotations__ = function.__annotations__
    waiting.__module__ = __name__
    made = tool(waiting, name="waiting")

    async def outcomes() -> list[Any]:
        found = [await told_later(made.acall(deepcopy(sent)))]
        for _ in range(4):
            await told_later(made.acall({"a": {"x": 1}} if function is positive else READYING))
        return [*found, *[await told_later(made.acall(deepcopy(sent))) for _ in range(4)]]

    calls = asyncio.run(outcomes())

    assert [calls[0]] * 5 == calls


async def told_later(call: Any) -> Any:
    try:
        return told_by(await call)
    except Exception as error:
        return type(error), str(error)


def test_a_plain_function_runs_in_a_thread_on_the_short_way_too() -> None:
    async def later(value: int) -> int:
        return value

    def returning(value: int) -> Any:
        if value == 3:
            raise ToolError("three")
        return later(value) if value else value

    made = tool(returning)
    sent = [{"value": value} for value in (1, 0, 0, 0, 1, "1", 3, "x")]

    async def outcomes() -> list[Any]:
        long = [await told_later(tool(returning).acall(x, ledger=Ledger())) for x in sent]
        assert long == [await told_later(made.acall(each)) for each in sent]
        return long

    assert len(sent) == len(asyncio.run(outcomes()))


@pytest.mark.generated
def test_an_outcome_with_warnings_is_pickled_and_has_no_other_parts() -> None:
    made = [tool(add).call({"a": "1"})]
    one = tool(add)
    made += [one.call({"a": "1"}) for _ in range(4)]

    assert [told_by(made[0])] * 5 == [told_by(pickle.loads(pickle.dumps(each))) for each in made]
    with pytest.raises(AttributeError, match="settle"):
        _ = made[-1]._told.settle


def test_types_whose_values_are_plain_are_counted() -> None:
    counts = {
        "{a :int, b :float?}": 4,
        "[:int|:nil]?": None,
        ":enum[1 2]": 1,
        ':enum[1 "a"]': None,
        ":int[1..]|:string": 4,
        "[:int]": None,
        "{a :any}": None,
    }
    counted = {text: find_max_places(typesig.parse(text).returns) for text in counts}

    assert counts == counted
    deep: Any = STRING
    for _ in range(100):
        deep = Record((Field("a", deep), Field("b", deep)))
    assert find_max_places(deep) is None
    assert find_max_places(Record((), INT)) is None


class Shop:
    def __init__(self, stock: int) -> None:
        self.stock = stock

    @tool
    def buy(self, count: int = 1) -> int:
        return self.stock - count

    @tool
    async def sell(self, count: int) -> int:
        return self.stock + count


def test_a_method_has_its_instance_on_the_short_way_too() -> None:
    for stock in range(5):
        assert stock - 1 == Shop(stock).buy.call({}).result
        assert stock + 2 == asyncio.run(Shop(stock).sell.acall({"count": 2})).result
    with pytest.raises(TypesigError, match="has no instance here"):
        Shop.buy.call({})
    with pytest.raises(TypesigError, match="is a coroutine function"):
        Shop(1).sell.call({"count": 2})


def test_a_function_that_returns_an_awaitable_is_refused_each_time() -> None:
    async def later() -> int:
        return 1

    def plain(is_later: bool) -> Any:
        return later() if is_later else 0

    made = tool(plain)
    for _ in range(4):
        assert 0 == made.call({"is_later": False}).result
    for _ in range(3):
        with pytest.raises(TypesigError, match="returned an awaitable"):
            made.call({"is_later": True})


def test_an_exception_of_the_function_passes_through_on_the_short_way() -> None:
    def broken(value: int) -> int:
        return 1 // value

    made = tool(broken)
    for _ in range(4):
        made.call({"value": 1})
    with pytest.raises(ZeroDivisionError):
        made.call({"value": 0})


def test_what_the_host_gives_takes_the_long_way() -> None:
    made = tool(told)
    for key in ("k", "x", "y"):
        assert f"1{key}" == made.call({"a": 1}, given={"key": key}).result


def test_an_explicit_signature_fills_in_its_own_default() -> None:
    made = tool("(a :int, b :int = 5) -> :int")(add)

    assert [6] * 5 == [made.call({"a": 1}).result for _ in range(5)]


def test_a_value_is_plain_if_json_has_it_as_it_is() -> None:
    plain = [1, 1.5, "a", None, True, [], {}, [{"a": [1.5]}]]
    others = [float("nan"), (1,), {1}, {1: 1}, Keyword("a"), [Point(1)], {"a": b""}]

    assert [True] * len(plain) == [is_plain(value) for value in plain]
    assert [False] * len(others) == [is_plain(value) for value in others]
    assert not is_plain(deep(MAX_VALUE_DEPTH + 2))
    shared: list[Any] = []
    for _ in range(40):
        shared = [shared, shared]
    assert not is_plain(shared)


def test_a_dataclass_is_encoded_by_its_fields_each_time() -> None:
    made = typesig.tool(moved)
    values = [made.call({"point": {"x": n}, "by": 1}).value for n in range(5)]

    assert [{"x": n, "y": 1.0, "tags": []} for n in range(5)] == values


def test_a_result_with_too_many_places_is_refused_each_time() -> None:
    @tool
    def shared(levels: int) -> Any:
        value: tuple[Any, ...] = ()
        for _ in range(levels):
            value = (value, value)
        return value

    assert [True] * 4 == [shared.call({"levels": 1}).ok for _ in range(4)]
    assert ["size"] * 2 == [shared.call({"levels": 40}).errors[0].code for _ in range(2)]


@dataclass
class Held:
    part: Any
    _own: Any = None


PARTS: list[Any] = [
    *(1, 1.5, float("nan"), None, "a", [], [1, "a"], [1.5], [float("nan")], [[1], [{}]], (1,)),
    *({"a": [1]}, {1: 2}, {1, 2}, Decimal("1.5"), FORMLESS, [FORMLESS], Order.UP, Keyword("k")),
    *(Held(1), [Held([2])], deep(MAX_VALUE_DEPTH - 2), deep(MAX_VALUE_DEPTH + 1)),
]


@pytest.mark.parametrize("part", PARTS)
def test_a_field_of_a_dataclass_is_encoded_as_the_item_of_a_dict(part: Any) -> None:
    whole = {"part": part, "_own": None}
    own = {"part": 1, "_own": part}

    assert [encoded(whole)] * 2 == [encoded(Held(part)) for _ in range(2)]
    assert [encoded(own)] * 2 == [encoded(Held(1, part)) for _ in range(2)]


def encoded(value: Any) -> str:
    try:
        return repr(encode(value))
    except HostError as error:
        return f"{error.steps} {error.message}"


def test_a_field_that_is_unset_is_left_out_each_time() -> None:
    msgspec = pytest.importorskip("msgspec")

    assert [{"part": 1}] * 3 == [encode(Held(1, msgspec.UNSET)) for _ in range(3)]


def test_an_extra_field_of_a_model_is_given_by_name() -> None:
    class Open(BaseModel, extra="allow"):
        id: int
        level: int = 3

    read = typesig.contract(Open).read({"id": 1, "more": [1]})

    assert {"id": 1, "level": 3, "more": [1]} == read.result.model_dump()


def test_a_model_is_validated_by_its_own_method_if_it_has_one() -> None:
    class Usual(BaseModel):
        id: int

    class Own(Usual):
        @classmethod
        def model_validate(cls, obj: Any, **options: Any) -> Own:
            return super().model_validate({"id": obj["id"] + 1}, **options)

    assert [1, 2] == [typesig.contract(cls).read({"id": 1}).result.id for cls in (Usual, Own)]


@settings(LAW)
@given(st.integers(0, 2**32))
def test_the_short_way_of_any_call_has_the_outcome_of_the_long_way(number: int) -> None:
    def same(a: Any = None, b: Any = None, c: Any = None) -> Any:
        return [a, c] if b == 13 else a

    rng = random.Random(number)
    first, second = plain_type(rng, 2), plain_type(rng, 2)
    fields = [Field("a", first), Field("b", second, rng.random() < 0.5)]
    signature = Signature([*fields, Field("c", INT, False, to_const(3))], rng.choice((first, ANY)))
    mode: Any = rng.choice(("enabled", "strict", "lenient", "warn_only", "json"))
    made: Any = tool(signature, mode=mode)(same)
    get_fast_path(made._shared, "call", None, made.binding, get_policy(mode), same)
    for _ in range(5):
        sent = {"a": plain_value(first, rng), "b": plain_value(second, rng), "c": "4", "C": 1}
        for name in rng.sample(["b", "c", "C", "C", "a"], 3):
            sent.pop(name, None)
        long = told_of(lambda sent=sent: made.call(deepcopy(sent), ledger=Ledger()))
        calls = [told_of(lambda sent=sent: made.call(deepcopy(sent))) for _ in range(3)]
        assert [long] * 3 == calls


@pytest.mark.parametrize(("function", "sent"), CALLS)
def test_a_result_is_shown_the_same_whether_all_was_told_before(function: Any, sent: Any) -> None:
    made = tool(function)
    for _ in range(4):
        told_of(lambda: made.call({"a": {"x": 1}} if function in (positive, absent) else READYING))

    def shown(*names: str) -> Any:
        try:
            outcome = made.call(deepcopy(sent))
            before = [getattr(outcome, name) for name in names]
            assert len(names) == len(before)
            if not outcome.ok:
                return outcome.text()
            return repr([outcome.text(), outcome.for_model(), outcome.for_model(exact=True)])
        except Exception as error:
            return type(error), str(error)

    assert shown() == shown("warnings", "errors")


def test_a_policy_without_defaults_has_the_same_outcome_each_time() -> None:
    policy = MODES["enabled"].changed(defaults=False)
    made = tool(mixed)
    found = [told_of(lambda: made.call({"a": "1"}, mode=policy)) for _ in range(5)]

    assert found[:1] * 5 == found


@pytest.mark.generated
def test_code_is_generated_by_the_fourth_call() -> None:
    made = tool(add)
    ready = []
    for _ in range(5):
        assert 3 == made.call({"a": 1}).result
        ready.append(made._shared["call"]._arguments.plan is not None)

    assert [False, False, False, True, True] == ready
