"""Requests that the SDK would read as something else are answered with an error."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("mcp")

import typesig
from tests.generators import LAW
from tests.mcp.test_mcp_lockouts import serving
from typesig import tool
from typesig.mcp.transport.frames import find_refusal
from typesig.mcp.transport.stdio import _check_line

CALL = '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"f","arguments":%s}}'

ODD_IDS = ("null", "1.5", "true", "[]", "{}", "1e3", "-0.0")


@pytest.mark.parametrize("number", ODD_IDS)
def test_an_id_that_is_neither_text_nor_an_integer_is_answered(number: str) -> None:
    for text in (CALL % (number, "{}"), '{"method":"ping", "id" : ' + number + "}"):
        answer: Any = find_refusal(text)

        assert (None, -32600) == (answer["id"], answer["error"]["code"])
        assert number[:1] in answer["error"]["message"]


@pytest.mark.parametrize("number", ['"a"', "7", "-7"])
def test_a_key_that_stands_twice_in_arguments_is_answered(number: str) -> None:
    for arguments in ('{"x":1,"x":2}', '{"a":{"x":1,"x":1}}', '[{"\\u0078":1, "x":2}]'):
        answer: Any = find_refusal(CALL % (number, arguments))
        assert (json.loads(number), -32602) == (answer["id"], answer["error"]["code"])
        assert "the key 'x' stands twice in an object; send it once" == answer["error"]["message"]


@pytest.mark.parametrize(
    "text",
    [
        CALL % (1, '{"a":{"x":1},"b":{"x":2}}'),
        CALL % (1, '{"id":null}'),
        '{"jsonrpc":"2.0","id":1,"method":"ping","a":1,"a":2}',
        '{"jsonrpc":"2.0","id":null,"result":{}}',
        '{"id":null',
        "[" * 100_000 + '"id":null',
        '[{"id":null}]',
        "",
    ],
)
def test_other_messages_are_left_to_their_reader(text: str) -> None:
    assert None is find_refusal(text)
    assert text is _check_line(text)


DATA = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)


@LAW
@given(st.dictionaries(st.text(max_size=2), DATA))
def test_arguments_without_a_key_twice_are_not_refused(arguments: dict[str, Any]) -> None:
    assert None is find_refusal(CALL % (1, json.dumps(arguments)))


@tool
def leave(how: str) -> str:
    """Raise."""
    raise {"interrupt": KeyboardInterrupt, "exit": SystemExit}[how]()


@tool
async def aleave(how: str) -> str:
    """Raise."""
    raise {"interrupt": KeyboardInterrupt, "exit": SystemExit}[how]()


@pytest.mark.needs_process
@pytest.mark.parametrize("name", ["leave", "aleave"])
@pytest.mark.parametrize("how", ["interrupt", "exit"])
def test_a_tool_does_not_end_the_server(name: str, how: str) -> None:
    from mcp import Client

    async def main() -> None:
        served = typesig.mcp.server([leave, aleave])
        async with Client(served.lowlevel) as client:
            for _ in range(2):
                found = await client.call_tool(name, {"how": how})
                assert found.is_error
                assert "failed with an error of its own" in found.content[0].text  # type: ignore[union-attr]

    asyncio.run(main())


@pytest.mark.needs_process
def test_a_request_over_http_is_refused_as_well() -> None:
    import httpx2

    async def use(url: str, port: int) -> None:
        headers = {"content-type": "application/json", "accept": "application/json"}
        async with httpx2.AsyncClient(headers=headers) as client:

            async def parts(text: str) -> Any:
                yield text[:20].encode()
                yield text[20:].encode()

            for number, arguments, code in (("null", "{}", -32600), ("3", '{"x":1,"x":2}', -32602)):
                text = CALL % (number, arguments)
                found = await client.post(url, content=parts(text))
                assert 400 == found.status_code
                assert code == found.json()["error"]["code"]

    serving(use)


def test_a_line_that_is_refused_is_answered_over_standard_input() -> None:
    import mcp_types
    from mcp.shared.message import SessionMessage
    from pydantic import ValidationError

    from typesig.mcp.transport.frames import RefusedLine
    from typesig.mcp.transport.stdio import _make_error_answer

    line = _check_line(CALL % ("null", "{}"))
    assert isinstance(line, RefusedLine)
    with pytest.raises(ValidationError) as caught:
        mcp_types.jsonrpc_message_adapter.validate_json(line)
    answer = _make_error_answer(caught.value)
    assert isinstance(answer, SessionMessage)
    assert answer.message.error.code == -32600  # type: ignore[union-attr]
