"""Ways that are seldom taken, each by an example of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any, TypedDict

import pytest

import typesig
from typesig import contract, tool
from typesig.calls.results import ToolResult
from typesig.providers.engines.trials import find_llguidance_refusal
from typesig.providers.projection.replies import _show_text
from typesig.validation.mending.lone_json import _make_lone
from typesig.validation.outcome.check_context import NOT_WHOLE, CheckContext, PassthroughContext
from typesig.validation.plan.operations import Operation
from typesig.validation.rows.policy import ENABLED


@dataclass
class Item:
    id: int
    title: str
    level: int = 3


@dataclass
class Plain:
    id: int
    title: str


def test_what_cannot_be_shown_without_a_rewrite_is_not_whole() -> None:
    t = typesig.parse("() -> :one[:int, :string]").returns
    about = PassthroughContext("output", t, (), ENABLED)

    assert NOT_WHOLE is _show_text(about, 1)
    assert NOT_WHOLE is about.showing.exact(1)
    assert NOT_WHOLE is about.showing.data(1)


def test_a_check_says_nothing_beside_its_result() -> None:
    about = CheckContext("output", typesig.parse("() -> :int").returns, (), ENABLED)

    assert about.may_notice(None) is False
    assert about.find_notice(None) is None


def test_an_operation_has_a_closure_of_its_own() -> None:
    with pytest.raises(NotImplementedError):
        Operation().closure()


@pytest.mark.parametrize("text", ["```json\nnone\n```", "Here: {", "} and {", "] so: [", "a: } {"])
def test_text_without_a_value_is_refused(text: str) -> None:
    asked = contract(list[Item])

    for _ in range(4):
        assert not asked.read(text).ok


def test_a_value_that_ends_where_it_begins_is_none() -> None:
    assert _make_lone("} {", 0, 2, 1, {}, False) is None


def test_a_part_of_an_intersection_that_is_wrong_gets_no_defaults() -> None:
    signature = typesig.parse("(x {a :int = 1} & {b :int}) -> :any")

    for _ in range(4):
        outcome = signature.validate_input({"x": {"b": "no"}})
        assert ['x.b: expected int, got string "no"'] == [str(each) for each in outcome.errors]
        assert {"a": 1, "b": 2} == signature.validate_input({"x": {"b": 2}}).value["x"]


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ('```json\n{"id": 1, "title": "x"}\n```', True),
        ("```json\nnone\n```", False),
        ('Here: {"id": 1, "title": "x"}', True),
        ("Here: nothing", False),
        ('Here: {"id": 1} and {"title": "x"}', False),
    ],
)
def test_an_answer_in_other_text_is_read_each_time_alike(text: str, is_read: bool) -> None:
    class Row(TypedDict):
        id: int
        title: str

    for hint in (Row, Item, Plain):
        asked = contract(hint)
        for _ in range(70):
            assert asked.read('{"id": 1, "title": "x"}').value["title"] == "x"
        for _ in range(8):
            outcome = asked.read(text)
            assert is_read is outcome.ok
            assert not is_read or outcome.value["title"] == "x"


def test_the_value_of_an_answer_in_prose_is_what_was_read() -> None:
    asked, text = contract(list[Item]), '[{"id": 1, "title": "x", "level": 2}]'
    for _ in range(8):
        outcome = asked.read(f"Here it is:\n{text}\nDone.")
        assert [Item(1, "x", 2)] == outcome.result
        assert [{"id": 1, "title": "x", "level": 2}] == outcome.value
        assert outcome.warnings


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
    given = typesig.tool(lambda: hidden(), name="later")

    async def main() -> None:
        for _ in range(6):
            assert 5 == (await five.acall({})).value
            assert (await given.acall({})).ok

    asyncio.run(main())


def test_what_an_engine_says_of_a_grammar_is_its_first_line(monkeypatch: Any) -> None:
    engine: Any = ModuleType("llguidance")
    engine.LLTokenizer = lambda name: name
    engine.LLMatcher = SimpleNamespace(
        grammar_from_json_schema=lambda text: f"schema {text}",
        grammar_from_lark=lambda text: f"lark {text}",
        validate_grammar=lambda grammar, tokenizer: f"{grammar} for {tokenizer}\nmore",
    )
    monkeypatch.setitem(sys.modules, "llguidance", engine)
    schema: Any = SimpleNamespace(syntax="json_schema", grammar={"a": 1})
    lark: Any = SimpleNamespace(syntax="lark", grammar="start: A")

    assert 'schema {"a": 1} for byte' == find_llguidance_refusal(schema)
    assert "lark start: A for byte" == find_llguidance_refusal(lark)
    monkeypatch.setitem(sys.modules, "llguidance", None)
    assert "" == find_llguidance_refusal(lark)


def test_blocks_of_a_result_are_sent_as_they_are_by_each_call() -> None:
    block = {"type": "image", "data": "aGk=", "mimeType": "image/png"}

    @tool
    def image() -> ToolResult:
        return ToolResult((block,))

    wire = typesig.Toolset([image]).project("mcp")
    sent = {"method": "tools/call", "params": {"name": "image", "arguments": {}}}
    for _ in range(8):
        [answer] = wire.handle(sent)
        assert [block] == answer["content"]
