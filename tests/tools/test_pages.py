"""Results that a model reads in parts."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from tests.validation.repair.test_repair_laws import VALUES
from typesig import Toolset, tool, tools_of
from typesig.errors import TooLarge, TypesigError
from typesig.limits.contracts import MAX_KEPT_RESULTS

_CURSOR = re.compile(r'; call more\("(p\d+)"\)\]$')
_NUMBERS = list(range(300))


def returning(value: Any) -> Toolset:
    @tool
    def get() -> Any:
        """Get it."""
        return value

    return tools_of([get])


def texts_of(value: Any, budget: int) -> list[str]:
    """Return all parts of *value*."""
    pages = returning(value).pages(budget, "json")
    texts = [pages.text(pages.tools.call("get", {}))]
    while found := _CURSOR.search(texts[-1]):
        texts.append(pages.text(pages.tools.call("more", {"cursor": found[1]})))
    return texts


def shown(text: str) -> str:
    return text.rpartition("\n")[0] if _CURSOR.search(text) else text


@LAW
@given(st.lists(VALUES.filter(lambda v: len(json.dumps(v)) < 60), max_size=30))
def test_the_parts_of_a_list_are_the_whole(items: list[Any]) -> None:
    texts = texts_of(items, 150)

    assert all(len(text) <= 150 for text in texts)
    assert json.dumps(items) == json.dumps([i for t in texts for i in json.loads(shown(t))])


@LAW
@given(st.text("ab \n…é", min_size=1, max_size=400))
def test_the_parts_of_a_text_are_the_whole(text: str) -> None:
    *begun, last = texts_of(text, 70)

    assert text == "".join(shown(part).removesuffix("…") for part in begun) + last


def test_a_model_reads_on_where_it_was_cut() -> None:
    pages = returning({"n": 1, "items": _NUMBERS}).pages(90)
    wire = pages.tools.project("anthropic")

    def asked(name: str, **arguments: Any) -> str:
        call = {"type": "tool_use", "id": "c", "name": name, "input": arguments}
        [message] = wire.handle({"role": "assistant", "content": [call]}, pages=pages)
        content: str = message["content"][0]["content"]
        return content

    first = asked("get")
    assert '; call more("p1")]' in first
    assert first.startswith('{"n":1,"items":[0,1,2,')

    assert asked("more", cursor="p1").startswith('{"items":[')
    assert "no result is kept for the cursor 'p9'; call the tool again" in asked(
        "more", cursor="p9"
    )


def test_gemini_and_coroutines_get_parts_too() -> None:
    @tool
    async def get() -> list[int]:
        return _NUMBERS

    pages = tools_of([get]).pages(60)
    message = {"role": "model", "parts": [{"functionCall": {"name": "get", "args": {}}}]}

    [answer] = asyncio.run(pages.tools.project("gemini").ahandle(message, pages=pages))

    response = answer["parts"][0]["functionResponse"]["response"]
    assert '[0,1,2,3,4,5]\n[not shown: 294 of 300 items; call more("p1")]' == response["output"]


def test_a_result_that_fits_is_whole_and_an_error_is_feedback() -> None:
    pages = returning([{"a": 1}, {"a": 2}]).pages(40)

    assert "a\n1\n2" == pages.text(pages.tools.call("get", {}))
    refused = pages.tools.call("more", {})
    assert refused.feedback() == pages.text(refused)


def test_the_oldest_rest_is_forgotten() -> None:
    pages = returning(_NUMBERS).pages(60)
    for _ in range(MAX_KEPT_RESULTS + 1):
        pages.text(pages.tools.call("get", {}))

    assert not pages.tools.call("more", {"cursor": "p1"}).ok
    assert pages.tools.call("more", {"cursor": "p2"}).ok


def test_results_of_mcp_are_not_shown_in_parts() -> None:
    pages = returning(_NUMBERS).pages(60)

    with pytest.raises(TypesigError) as raised:
        pages.tools.project("mcp").handle({"name": "get", "arguments": {}}, pages=pages)

    assert (
        "results of MCP have structured data, which is not shown in parts; leave out pages"
        == str(raised.value)
    )


def test_a_budget_for_not_even_a_line_is_an_error() -> None:
    pages = returning(_NUMBERS).pages(20)

    with pytest.raises(TooLarge):
        pages.text(pages.tools.call("get", {}))
    with pytest.raises(TypesigError, match="a budget is a whole number above 0, not 0"):
        returning(1).pages(0)
