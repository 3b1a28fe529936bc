"""What a server says of changes of its lists: who is told, and what if it stops telling."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("mcp")

import mcp
import mcp_types as types
from mcp.client import subscriptions
from mcp.client.subscriptions import SubscriptionLost, ToolsListChanged

from typesig.mcp.client import tool_list

TOOLS = ToolsListChanged()
REFUSED = mcp.MCPError(types.METHOD_NOT_FOUND, "no")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setattr(tool_list, "_AGAIN", 0.001)
    monkeypatch.setattr(tool_list, "_LONGEST", 0.002)
    return []


def listen(monkeypatch: pytest.MonkeyPatch, told: list[Any], *scripts: Any) -> None:
    """Listen to a server that answers by one of *scripts* after the other."""
    left = list(scripts)

    @asynccontextmanager
    async def listened(session: Any, **wanted: bool) -> AsyncIterator[Any]:
        assert {f"{kind}_list_changed": True for kind in tool_list.KINDS} == wanted
        if not left:
            raise asyncio.CancelledError
        script = left.pop(0)
        if isinstance(script, Exception):
            raise script
        yield events(script)

    async def events(script: list[Any]) -> AsyncIterator[Any]:
        for each in script:
            if isinstance(each, Exception):
                raise each
            yield each

    monkeypatch.setattr(subscriptions, "listen", listened)
    asyncio.run(tool_list.listen(None, told.append))


@pytest.mark.parametrize("error", [REFUSED, SubscriptionLost(), TimeoutError()])
def test_a_server_that_does_not_tell_of_changes_is_not_asked_again(
    monkeypatch: pytest.MonkeyPatch, told: list[Any], error: Exception
) -> None:
    listen(monkeypatch, told, error, [TOOLS])

    assert [] == told


def test_a_server_that_stops_is_asked_again_and_everything_counts_as_changed(
    monkeypatch: pytest.MonkeyPatch, told: list[Any]
) -> None:
    with pytest.raises(asyncio.CancelledError):
        listen(
            monkeypatch, told,
            [TOOLS, SubscriptionLost()], REFUSED, REFUSED, REFUSED, [TOOLS], [],
        )  # fmt: skip

    assert ["tools", *tool_list.KINDS, "tools", *tool_list.KINDS] == told


def test_changes_of_older_servers_are_told_and_other_messages_are_not(told: list[Any]) -> None:
    handle = tool_list.make_message_handler(told.append)
    for message in (
        types.PromptListChangedNotification(),
        types.ResourceListChangedNotification(),
        types.ToolListChangedNotification(),
        ValueError("a bad frame"),
    ):
        asyncio.run(handle(message))

    assert ["prompts", "resources", "tools"] == told


def test_what_is_called_does_not_end_the_connection(caplog: pytest.LogCaptureFixture) -> None:
    def refuse(kind: str) -> None:
        raise KeyError(kind)

    asyncio.run(tool_list.make_message_handler(refuse)(types.ToolListChangedNotification()))

    assert ["on_change raised for the tools"] == caplog.messages


def test_changes_wait_once_until_they_are_asked_for() -> None:
    async def main() -> Any:
        noted = tool_list.Changes()
        for kind in ("tools", "prompts", "tools"):
            noted.note(kind)
        first = await noted.next()
        waiting = asyncio.ensure_future(noted.next())
        await asyncio.sleep(0)
        assert not waiting.done()
        noted.note("resources")
        return first, await waiting

    assert (["tools", "prompts"], ["resources"]) == asyncio.run(main())
