"""Arguments that a model leaves out: the function gets its own defaults, the very objects."""

from __future__ import annotations

import asyncio
import datetime as dt
import enum
import functools
import inspect
import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import pydantic
import pytest
import typing_extensions
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from typesig import extract, from_json_schema, tool, tools_of
from typesig.calls.call import read_arguments
from typesig.validation.policy import ENABLED


class Sep(enum.Enum):
    UNSET = "UNSET"


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class NotGiven:
    pass


@dataclass
class Point:
    x: int
    y: float = 1


class Item(BaseModel):
    name: str = "a"


ABSENT = typing_extensions.Sentinel("ABSENT")
NOTHING = object()

#: Hints, each with defaults of it.
PAIRS: list[tuple[Any, list[Any]]] = [
    (int, [0, 7, 10**30, True, None, "x"]),
    (float, [3, 1.5, float("inf"), float("nan")]),
    (str, ["", "text", None, b"ab", ABSENT]),
    (bool, [False, 1]),
    (bytes, [b"ab", b""]),
    (Any, [(1, 2), {1: 2}, object(), None, dt.date(2026, 1, 31), Sep.UNSET]),
    (str | dt.date, [dt.date(2027, 1, 1), "2027-01-01"]),
    (list[int] | set[int], [{1}, [1], frozenset()]),
    (list[int], [[], [1], (1, 2), None]),
    (tuple[int, str], [(1, "a")]),
    (dict[str, int], [{}, {"a": 1}]),
    (Decimal, [Decimal("1.50"), 5]),
    (Decimal | str, [Decimal("1.50")]),
    (dt.datetime, [dt.datetime(2026, 1, 31), dt.datetime(2026, 1, 31, tzinfo=dt.UTC)]),
    (dt.timedelta | int, [dt.timedelta(1), 5]),
    (Color, [Color.RED, "red"]),
    (Color | str, [Color.BLUE]),
    (Literal["a", 1], ["a", 1]),
    (str | None | Literal[Sep.UNSET], [Sep.UNSET]),
    (Sep | int, [Sep.UNSET]),
    (int | ABSENT, [ABSENT, 3]),
    (str | NotGiven, [NotGiven()]),
    (int | object, [NOTHING]),
    (Point, [Point(1)]),
    (Point | None, [None, Point(2, 3)]),
    (Item, [Item()]),
    (Item | str, [Item(name="b")]),
]

PARAMETERS = st.sampled_from(PAIRS).flatmap(
    lambda pair: st.tuples(st.just(pair[0]), st.sampled_from(pair[1]))
)


def build(parts: list[tuple[Any, Any]], kinds: tuple[int, int], is_async: bool, wraps: bool) -> Any:
    """Make a function that returns nothing and keeps what it got in its attribute `got`."""
    by_place, by_name = kinds
    names = [f"p{place}" for place in range(len(parts))]
    listed = ["q"] + [f"{name}=d[{place}]" for place, name in enumerate(names)]
    bar = min(by_name + 1, len(listed))
    if bar < len(listed):
        listed.insert(bar, "*")
    listed.insert(min(by_place + 1, bar), "/")
    head = f"{'async ' if is_async else ''}def f({', '.join(listed)}):"
    space: dict[str, Any] = {"d": [default for _, default in parts], "got": []}
    exec(f"{head}\n    got.append(({''.join(f'{name}, ' for name in names)}))", space)
    f = space["f"]
    f.__annotations__ = {"q": int, "return": None}
    f.__annotations__ |= {name: hint for name, (hint, _) in zip(names, parts, strict=True)}
    if wraps:
        inner = f

        @functools.wraps(inner)
        def f(*args: Any, **kwargs: Any) -> Any:
            return inner(*args, **kwargs)

    f.got = space["got"]
    return f


@settings(max_examples=150, deadline=None)
@given(
    st.lists(PARAMETERS, max_size=5),
    st.tuples(st.integers(0, 2), st.integers(0, 5)),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["enabled", "strict", "lenient", "warn_only", "json", "disabled"]),
)
def test_a_call_with_the_required_arguments_leaves_all_defaults_to_the_function(
    parts: list[tuple[Any, Any]], kinds: tuple[int, int], is_async: bool, wraps: bool, mode: Any
) -> None:
    f = build(parts, kinds, is_async, wraps)
    made = tool(f, mode=mode)
    # The code of later calls is generated.
    for sent in ({"q": 1}, '{"q": 1}', {"q": 1}, {"q": 1}, '{"q": 1}', {"q": 2}):
        outcome = asyncio.run(made.acall(sent)) if is_async else made.call(sent)
        assert outcome.ok, outcome
    if mode in ("enabled", "lenient"):
        # An argument is coerced.
        outcome = asyncio.run(made.acall({"q": "1"})) if is_async else made.call({"q": "1"})
        assert outcome.ok
        assert outcome.warnings

    defaults = [default for _, default in parts]
    for got in f.got:
        assert all(one is other for one, other in zip(got, defaults, strict=True)), (got, defaults)
    assert len(f.got) >= 6


@settings(max_examples=60, deadline=None)
@given(st.lists(PARAMETERS, max_size=4))
def test_a_providers_call_leaves_all_defaults_to_the_function(
    parts: list[tuple[Any, Any]],
) -> None:
    f = build(parts, (0, 5), False, False)
    tools = tools_of([tool(f, name="f")])
    arguments = {"q": 1}
    projected = tools.project("openai", strict=True)
    [definition] = projected.definitions
    asked = definition["function"]["parameters"]["properties"]
    for sent in [arguments] * 3 + [{**dict.fromkeys(asked), **arguments}] * 3:
        call = {"name": "f", "arguments": json.dumps(sent)}
        message = {"tool_calls": [{"id": "c", "type": "function", "function": call}]}
        [answer] = projected.handle({"role": "assistant", "content": None, **message})
        assert "error" not in answer["content"], answer

    # A null that the hint admits is a value of its own where it is sent without a schema for nulls.
    for got in f.got[:3]:
        assert all(one is default for one, (_, default) in zip(got, parts, strict=True))
    for got in f.got[3:]:
        for one, (hint, default) in zip(got, parts, strict=True):
            assert one is default or (one is None and admits_none(hint)), (hint, one, default)


def admits_none(hint: Any) -> bool:
    return hint is Any or "None" in str(hint)


def test_sentinels_are_not_offered() -> None:
    def f(
        a: str | Literal[Sep.UNSET] | None = Sep.UNSET,
        b: int | ABSENT = ABSENT,
        c: int | ABSENT = 3,
        d: str | object = NOTHING,
        e: Literal["x", Sep.UNSET] = Sep.UNSET,
        g: Sep | int = Sep.UNSET,
        h: Literal["y"] | Literal[Sep.UNSET] | int = Sep.UNSET,
    ) -> None: ...

    shown = '(a :string?, b? :int, c :int = 3, d? :string, e? :enum["x"], g? :int, '
    shown += 'h? :enum["y"]|:int) -> :nil'
    assert (shown, ()) == (str(extract(f).signature), extract(f).warnings)


def test_a_parameter_whose_hint_is_missing_or_a_value_may_be_left_out() -> None:
    def f(a: int | pydantic.MISSING) -> str:  # type: ignore[valid-type]
        return repr(a)

    made = tool(f)

    assert "(a? :int) -> :string" == str(made.signature)
    assert ["MISSING"] * 4 == [made.call({}).result for _ in range(4)]
    assert "3" == made.call({"a": 3}).result


def test_a_field_of_a_model_that_is_missing_is_not_in_the_result() -> None:
    class Part(BaseModel):
        x: int | pydantic.MISSING = pydantic.MISSING  # type: ignore[valid-type]

    def f(part: Part) -> Part:
        return part

    made = tool(f)

    assert "(part {x? :int}) -> {x? :int}" == str(made.signature)
    assert [{}] * 4 == [made.call({"part": {}}).value for _ in range(4)]
    assert {"x": 3} == made.call({"part": {"x": 3}}).value


def test_a_default_of_pydantics_field_is_used_and_not_the_field() -> None:
    def f(a: str | dt.date = Field(default=dt.date(2026, 1, 31))) -> str:  # noqa: B008
        return repr(a)

    made = tool(f)

    assert ["datetime.date(2026, 1, 31)"] * 4 == [made.call({}).result for _ in range(4)]


def test_a_wrapper_may_have_a_default_of_its_own() -> None:
    def f(a: int = 1) -> int:
        return a

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> int:
        kwargs.setdefault("a", 5)
        return f(*args, **kwargs)

    made = tool(wrapper)

    assert [5] * 4 == [made.call({}).result for _ in range(4)]


def test_a_default_that_only_the_signature_has_is_passed() -> None:
    def f(a: float = 1, b: Any = 2, **rest: Any) -> tuple[Any, Any, Any]:
        return a, b, rest

    made = tool("(a :float = 1, b :int = 3, c :int = 4) -> :any")(f)

    for _ in range(4):
        a, b, rest = made.call({}).result
        assert (int, 3, {"c": 4}) == (type(a), b, rest)


def test_a_default_that_cannot_be_read_is_not_that_of_the_signature() -> None:
    class Odd:
        def __iter__(self) -> Any:
            raise RuntimeError

    def f(a: Any = Odd()) -> Any:  # noqa: B008
        return a

    made = tool("(a :int = 3) -> :any")(f)

    assert [3] * 4 == [made.call({}).result for _ in range(4)]


def test_who_reads_arguments_sees_the_defaults() -> None:
    def f(q: int, day: str | dt.date = dt.date(2026, 1, 31)) -> None: ...

    found = read_arguments(tool(f).binding, {"q": 1}, ENABLED)

    assert {"q": 1, "day": "2026-01-31"} == found.value
    assert {"q": 1, "day": dt.date(2026, 1, 31)} == found.result


def test_a_default_of_a_schema_is_passed_to_a_function_that_has_none() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "default": 3}}}

    @tool(from_json_schema(schema, {}))
    def f(**rest: Any) -> Any:
        return rest

    assert [{"a": 3}] * 4 == [f.call({}).result for _ in range(4)]


@pytest.mark.parametrize("mode", ["enabled", "strict", "json"])
def test_a_null_for_an_argument_with_a_default_is_left_out_in_every_mode(mode: Any) -> None:
    default = 10**6

    def f(q: int, n: int = default) -> bool:
        return n is default

    made = tool(f, mode=mode)
    outcomes = [made.call({"q": 1, "n": None}) for _ in range(5)]

    assert [True] * 5 == [each.result for each in outcomes]
    assert [["n: nil taken as absent"]] * 5 == [[str(w) for w in o.warnings] for o in outcomes]


def test_the_signature_of_the_function_stays() -> None:
    f = build([(int, 3)], (0, 5), False, False)

    assert "(q: int, /, p0: int = 3) -> None" == str(inspect.signature(tool(f)))


@pytest.mark.parametrize(
    ("parameter", "got"),
    [
        ("a [:int] = [1]", [1]),
        ("a :int = 1", 1),
        ('a :datetime = "2026-01-31T10:00:00Z"', dt.datetime(2026, 1, 31, 10, tzinfo=dt.UTC)),
    ],
)
def test_a_default_of_an_explicit_signature_is_passed(parameter: str, got: Any) -> None:
    @tool(f"({parameter}) -> :any")
    def f(a: Any) -> str:
        return repr(a)

    assert [repr(got)] * 5 == [f.call({}).result for _ in range(5)]


def test_a_default_of_an_explicit_signature_is_passed_beside_what_is_coerced() -> None:
    @tool("(n :int, a [:int] = [1]) -> :any")
    def f(n: int, a: Any) -> Any:
        return [n, a]

    assert [[2, [1]]] * 5 == [f.call({"n": "2"}).result for _ in range(5)]


@pytest.mark.parametrize("sent", [{}, {"b": "2"}, {"B": 2}, {"a": None}])
def test_a_positional_default_before_an_argument_is_the_functions_own(sent: Any) -> None:
    default = object()

    def f(a: Any = default, b: int = 3, /, *rest: int) -> bool:
        return a is default or a is None

    made = tool(f)

    assert [True] * 4 == [made.call(sent).result for _ in range(4)]
