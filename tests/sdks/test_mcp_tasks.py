"""Tools of others that can only be called as a task: started, waited for, read, cancelled."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("mcp")

import mcp
from mcp_types import methods

from tests.sdks.foreign import server, tool, using
from typesig import ToolError
from typesig.mcp import tools_from
from typesig.mcp.client import tool_calls
from typesig.mcp.client.tool_calls import make_caller

DONE = {"content": [{"type": "text", "text": "done"}]}
WORKING = {"taskId": "a", "status": "working", "pollInterval": 1}
NO_RESULT = "the server answered with what is no result of a tool; use another tool"
NO_TASK = "the server returned an invalid task; use another tool"


class Session:
    """A session whose server gives *answers* by method, one after the other.

    #: sent: the methods that were asked for
    """

    protocol_version = "2025-11-25"

    def __init__(self, started: Any, *states: Any, result: Any = DONE, cancel: Any = None) -> None:
        self.sent: list[str] = []
        self._answers = {
            "tools/call": [started],
            "tasks/get": list(states),
            "tasks/result": [result],
            "tasks/cancel": [cancel or {}],
        }

    async def send_request(self, request: Any, *_: Any, **__: Any) -> Any:
        self.sent.append(request.method)
        await asyncio.sleep(0)
        answers = self._answers[request.method]
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(found, Exception):
            raise found
        if request.method == "tools/call":
            assert request.params.task is not None
            methods.validate_server_result("tools/call", self.protocol_version, found)
        return found


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_calls, "_LEAST", 0)


def call(session: Session, timeout: float | None = None) -> Any:
    async def main() -> Any:
        return await make_caller(session, "t", timeout, is_task=True)()

    return asyncio.run(main())


def test_a_task_is_waited_for_and_its_result_is_that_of_the_call() -> None:
    session = Session(
        {"task": WORKING}, WORKING, {**WORKING, "pollInterval": None}, {"status": "completed"}
    )
    pauses: list[float] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tool_calls, "_choose_pause", lambda asked: pauses.append(asked) or 0)
        result = call(session)

    assert "done" == result.data()
    assert [1, 1, None] == pauses
    assert ["tools/call", *["tasks/get"] * 3, "tasks/result"] == session.sent


def test_a_task_that_failed_has_a_result_that_says_why() -> None:
    broken = {"content": [{"type": "text", "text": "bro\u200bken"}], "isError": True}
    with pytest.raises(ToolError, match=r"^broken$"):
        call(Session({"task": {**WORKING, "status": "failed"}}, result=broken))


@pytest.mark.parametrize(
    ("started", "message"),
    [
        ({"task": 3}, NO_TASK),
        ({"task": {"taskId": 3}}, NO_TASK),
        ({"task": {"taskId": "a"}}, NO_TASK),
        ({}, NO_RESULT),
        (
            {"task": {"taskId": "a", "status": "cancelled"}},
            "the tool has no result: its task is cancelled; use another tool",
        ),
        (
            {"task": {"taskId": "a", "status": "input_required", "statusMessage": "whi\x1bch?"}},
            "the tool has no result: which?; use another tool",
        ),
    ],
)
def test_a_task_without_a_result_is_an_error(started: Any, message: str) -> None:
    with pytest.raises(ToolError) as raised:
        call(Session(started))

    assert message == str(raised.value)


def test_a_server_may_answer_at_once() -> None:
    assert "done" == call(Session(DONE)).data()


@pytest.mark.parametrize("cancel", [{}, mcp.MCPError(-32601, "no")])
def test_a_task_that_takes_too_long_is_cancelled(cancel: Any) -> None:
    session = Session({"task": WORKING}, WORKING, cancel=cancel)
    with pytest.raises(ToolError) as raised:
        call(session, 0.02)

    assert "the tool did not end within 0.02 s and was cancelled" == str(raised.value)
    assert "tasks/cancel" == session.sent[-1]


def test_a_task_is_cancelled_with_its_call() -> None:
    session = Session({"task": WORKING}, WORKING)

    async def main() -> None:
        calling = asyncio.ensure_future(make_caller(session, "t", None, is_task=True)())
        while "tasks/get" not in session.sent:
            await asyncio.sleep(0)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling

    asyncio.run(main())

    assert "tasks/cancel" == session.sent[-1]


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [(500, 0.5), (0.001, 0.05), (-1, 0.05), (10**9, 10), (None, 1), ("x", 1), (True, 1)],
)
def test_how_often_a_server_is_asked_is_bounded(
    asked: Any, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_calls, "_LEAST", 0.05)

    assert seconds == tool_calls._choose_pause(asked)


def test_a_tool_that_has_to_be_a_task_is_called_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def kept(session: Any, name: str, timeout: Any, is_task: bool, is_described: bool) -> Any:
        made.append((name, is_task))
        return make_caller(session, name, timeout, is_task, is_described)

    monkeypatch.setattr("typesig.mcp.client.tool_list.make_caller", kept)
    listed = [tool(name, execution={"taskSupport": name}) for name in ("required", "optional")]
    tools = using(server([[*listed, tool("none")]]), tools_from)

    assert [("required", True), ("optional", False), ("none", False)] == made
    assert ("required", "optional", "none") == tools.names
