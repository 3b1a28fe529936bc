"""The first calls of a tool, which have no generated code, have the outcomes of all others."""

from __future__ import annotations

import asyncio
import enum
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest

from tests.calls.generated.test_quick import told_of
from tests.generated_off import switch_off
from typesig import Ledger, ToolError, tool, tools_of
from typesig.calls.results import ToolResult


class Color(enum.Enum):
    RED = "red"


@dataclass
class Even:
    n: int
    note: str | None = None

    def __post_init__(self) -> None:
        if self.n % 2:
            raise ValueError("odd")


class Opaque:
    pass


def even(part: Even, q: int = 3) -> list[int]:
    return [part.n, q]


def days(q: str, **more: date) -> list[str]:
    return [q, *[f"{name}:{day!r}" for name, day in more.items()]]


def anything(q: str, **more: Any) -> list[Any]:
    return [q, more]


def placed(a: int, /, b: int, *rest: int, c: Color = Color.RED) -> list[Any]:
    return [a, b, *rest, c.value]


def unchecked(q: str, other: Opaque | None = None) -> str:
    return q


def defaults(q: str, page: int = 1, tags: list[str] | None = None) -> list[Any]:
    return [q, page, tags]


def failing(q: str) -> str:
    raise ToolError(q)


def items(n: int) -> Iterator[int]:
    yield from range(n)


CALLS: list[tuple[Any, Any]] = [
    (even, {"part": {"n": 2}}),
    (even, {"part": {"n": 1}}),
    (even, {"part": {"n": "2", "note": None}, "q": "4"}),
    (even, {"part": '{"n": 2}'}),
    (even, {"part": {"n": 2}, "z": 1}),
    (even, '{"part": {"n": 2}, "q": 2.0}'),
    (days, {"q": "a", "x": "2026-01-31", "y": "2026-02-01"}),
    (days, {"q": "a", "x": "2026-01-32"}),
    (days, '{"q": "a", "x": "2026-01-31"}'),
    (anything, {"q": "a", "b": [1], "arguments": {"q": 1}}),
    (anything, {"arguments": {"q": "a"}}),
    (placed, {"a": 1, "b": 2, "rest": [3], "c": "red"}),
    (placed, {"a": 1, "b": 2}),
    (placed, {"b": 2}),
    (unchecked, {"q": "a"}),
    (unchecked, {"q": "a", "other": 1}),
    (defaults, {"q": "a"}),
    (defaults, {"q": "a", "page": None}),
    (defaults, {"q": "a", "page": None, "z": None}),
    (defaults, {"q": "a", "z": 1}),
    (defaults, {"q": "a", "z": 1, "page": "2"}),
    (defaults, {"arguments": {"q": "a"}}),
    (defaults, ' {"q": "a", "tags": ["b"]} '),
    (defaults, "{"),
    (defaults, ""),
    (defaults, None),
    (defaults, [1]),
    (failing, {"q": "a"}),
    (items, {"n": 2}),
]

modes = pytest.mark.parametrize("mode", ["enabled", "strict", "lenient", "warn_only", "json"])


def report(call: Any) -> Any:
    """Return all that the outcome of *call* tells, or the error that it raises."""
    try:
        return told_of(call)
    except ValueError as error:
        return repr(error)


@pytest.mark.parametrize(("function", "sent"), CALLS)
@modes
@pytest.mark.parametrize("is_off", [False, True], ids=["generated", "closures"])
def test_all_calls_have_one_outcome(
    function: Any, sent: Any, mode: Any, is_off: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_off:
        switch_off(monkeypatch)
    made = tool(function, mode=mode)
    reference = report(lambda: made.call(sent, ledger=Ledger()))

    assert [reference] * 6 == [report(lambda: made.call(sent)) for _ in range(6)]


@pytest.mark.parametrize(("function", "sent"), CALLS)
def test_all_calls_of_a_strict_projection_have_one_outcome(function: Any, sent: Any) -> None:
    made = tools_of([function]).project("openai", strict=True).tools.get(function.__name__)
    if made is None:
        return
    reference = report(lambda: made.call(sent, ledger=Ledger()))

    assert [reference] * 6 == [report(lambda: made.call(sent)) for _ in range(6)]


@pytest.mark.parametrize(("function", "sent"), CALLS)
@pytest.mark.parametrize("is_plain", [True, False], ids=["thread", "awaited"])
def test_all_awaited_calls_have_one_outcome(function: Any, sent: Any, is_plain: bool) -> None:
    async def later(*args: Any, **named: Any) -> Any:
        returned = function(*args, **named)
        return [*returned] if isinstance(returned, Iterator) else returned

    async def main() -> None:
        made: Any = tool(function)
        if not is_plain:
            made = made.__class__(function)
            object.__setattr__(made, "_call", later)
        reference = told(await made.acall(sent, ledger=Ledger()))

        assert [reference] * 6 == [told(await made.acall(sent)) for _ in range(6)]

    def told(outcome: Any) -> Any:
        return report(lambda: outcome)

    asyncio.run(main())


def test_a_null_for_a_parameter_that_the_signature_lacks_is_given_each_time() -> None:
    @tool("(a :int) -> :int")
    def f(a: int, db: int | None) -> int:
        return a

    assert [1] * 6 == [f.call({"a": 1}).result for _ in range(6)]


@pytest.mark.parametrize("provider", ["openai", "gemini"])
def test_the_first_calls_of_a_projection_are_shown_alike(provider: Any) -> None:
    made = tools_of([even]).project(provider)
    name, sent = "even", {"part": {"n": 2}}
    if provider == "openai":
        call = {"id": "c", "type": "function", "function": {"name": name, "arguments": sent}}
        message: Any = {"role": "assistant", "tool_calls": [call]}
    else:
        part = {"functionCall": {"name": name, "args": {"part": {"n": 2.0}}}}
        content = {"role": "model", "parts": [part]}
        message = {"candidates": [{"content": content, "finishReason": "STOP"}]}
    first = made.handle(message)

    assert [first] * 6 == [made.handle(message) for _ in range(6)]
    assert "2" in str(first)


class OwnResult(ToolResult):
    """A result of a class of its own."""


def test_items_of_an_asynchronous_iterator_are_collected_by_the_first_calls() -> None:
    @tool
    async def rows(count: int) -> AsyncIterator[int]:
        for n in range(count):
            yield n

    async def main() -> None:
        for _ in range(6):
            assert [0, 1] == (await rows.acall({"count": 2})).value

    asyncio.run(main())


def test_an_awaitable_object_is_awaited_by_the_first_calls() -> None:
    class Later:
        def __await__(self) -> Any:
            yield from asyncio.sleep(0).__await__()
            return 5

    @tool
    async def five() -> int:
        return 5

    hidden: Any = Later
    given = tool(lambda: hidden(), name="later")

    async def main() -> None:
        for _ in range(6):
            assert 5 == (await five.acall({})).value
            assert 5 == (await given.acall({})).value

    asyncio.run(main())


@pytest.mark.parametrize("cls", [ToolResult, OwnResult])
def test_blocks_of_a_result_are_sent_as_they_are_by_each_call(cls: type[ToolResult]) -> None:
    block = {"type": "image", "data": "aGk=", "mimeType": "image/png"}

    @tool
    def image() -> ToolResult:
        return cls((block,))

    wire = tools_of([image]).project("mcp")
    sent = {"method": "tools/call", "params": {"name": "image", "arguments": {}}}
    for _ in range(8):
        [answer] = wire.handle(sent)
        assert [block] == answer["content"]
