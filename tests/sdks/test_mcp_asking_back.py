"""What another server asks and logs: a connection answers it, and a proxy passes it on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("mcp")

import mcp
import mcp_types as types
from mcp.client._memory import InMemoryTransport

import typesig
from typesig import ToolError, tool
from typesig.mcp import Request, connect, proxy, tools_from
from typesig.mcp.client import connection as connecting
from typesig.mcp.client import tool_calls
from typesig.mcp.forwarder import ClientForwarder
from typesig.mcp.serving.questions import Questions

SAMPLING = {
    "messages": [
        {"role": "user", "content": {"type": "text", "text": "Na\u200bme"}},
        {"role": "user", "content": [{"type": "text", "text": "on\u200be"}]},
        {"role": "user", "content": {"type": "image", "data": "AA==", "mimeType": "image/png"}},
    ],
    "systemPrompt": "Be\u200b brief.",
    "maxTokens": 9,
}


@tool
async def everything(request: Request) -> str:
    """Ask all at once."""
    found = await asyncio.gather(
        request.aelicit(int, "How\u200b many?"),
        request.aask("sampling/createMessage", SAMPLING),
        request.aask("roots/list", {}),
    )
    number, sample, roots = found
    return f"{number.value} {sample['content']['text']} {roots['roots'][0]['uri']}"


@tool
async def ask(request: Request) -> str:
    """Ask how many."""
    return str((await request.aelicit(int, "How many?")).value)


@tool
async def hiding(kind: str, request: Request) -> str:
    """Ask what hides something."""
    params = {"message": "?", "mode": "form", "requestedSchema": {"type": "object"}}
    if kind == "form":
        field = {"type": "string"}
        params["requestedSchema"] = {"type": "object", "properties": {"a\u200bb": field}}
    else:
        more = {"url": "https://x\u200b.org", "elicitationId": "1"}
        params = {"message": "?", "mode": "url", **more}
    return str(await request.aask("elicitation/create", params))


@tool
async def visit(request: Request) -> str:
    """Ask to open a page."""
    more = {"url": "https://x.org", "elicitationId": "1"}
    params = {"message": "Se\u200be", "mode": "url", **more}
    return str((await request.aask("elicitation/create", params))["action"])


@tool
async def log(request: Request) -> str:
    """Log some things."""
    request.log("te\u200bxt", "debug", "lo\u200bg")
    request.log({"ke\u200by": ["va\u200blue", 1]}, "error")
    await asyncio.sleep(0.05)
    return "logged"


ENDED: list[str] = []


@tool
async def patient(request: Request) -> str:
    """Ask, and note how that ends."""
    try:
        return str((await request.aelicit(int, "How many?")).value)
    finally:
        ENDED.append("ended")


@tool
async def slow() -> str:
    """Take too long."""
    await asyncio.sleep(1000)
    raise AssertionError


FAR = [everything, ask, hiding, visit, log, patient, slow]


@pytest.fixture(params=["legacy", "auto"])
def mode(request: pytest.FixtureRequest) -> Any:
    """Return how a client, and the proxy, agree on a version."""
    return request.param


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch, mode: Any) -> None:
    """Let connections to commands be those to a server of `FAR`."""
    made = typesig.mcp.server(FAR)
    monkeypatch.setattr(
        connecting, "_make_command_transport", lambda *_: InMemoryTransport(made.lowlevel)
    )

    class Client(mcp.Client):
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **{"mode": mode, **options})

    monkeypatch.setattr(mcp, "Client", Client)


class Person:
    """What the client of a proxy has: it answers, and keeps what it was asked and told."""

    def __init__(self, delay: float = 0) -> None:
        self.asked: list[Any] = []
        self.logged: list[Any] = []
        self.delay = delay

    async def elicit(self, _: Any, params: Any) -> Any:
        self.asked.append(params)
        await asyncio.sleep(self.delay)
        content = {} if params.mode == "url" else {"content": {"value": 3}}
        return types.ElicitResult.model_validate({"action": "accept", **content})

    async def sample(self, _: Any, params: Any) -> Any:
        self.asked.append(params)
        content = types.TextContent(type="text", text="blue")
        return types.CreateMessageResult(role="assistant", content=content, model="m")

    async def roots(self, _: Any) -> Any:
        return types.ListRootsResult.model_validate({"roots": [{"uri": "file:///x"}]})

    async def log(self, params: Any) -> None:
        self.logged.append((params.level, params.data, params.logger))

    def options(self) -> Any:
        return {
            "elicitation_callback": self.elicit,
            "sampling_callback": self.sample,
            "list_roots_callback": self.roots,
            "logging_callback": self.log,
            "log_level": "debug",
        }


def using(use: Callable[[Any], Awaitable[Any]], person: Person | None, **options: Any) -> Any:
    """Return what *use* returns of a client of a proxy."""

    async def run() -> Any:
        own = {} if person is None else person.options()
        async with mcp.Client(proxy("x", **options).lowlevel, **own) as client:
            return await use(client)

    return asyncio.run(run())


async def text(client: Any, name: str, arguments: Any = None) -> str:
    told = str((await client.call_tool(name, arguments or {})).content[0].text)
    return told.removeprefix("Tool errors:\n- ")


async def text_or_error(client: Any) -> str:
    try:
        return await text(client, "ask")
    except mcp.MCPError as error:
        return error.error.message


@pytest.mark.usefixtures("far")
def test_what_the_other_server_asks_reaches_the_client_of_a_proxy() -> None:
    person = Person()

    assert "3 blue file:///x" == using(lambda client: text(client, "everything"), person)
    asked = {type(each).__name__: each for each in person.asked}
    sampled = asked["CreateMessageRequestParams"]
    assert "How many?" == asked["ElicitRequestFormParams"].message
    assert ("Be brief.", "Name") == (sampled.system_prompt, sampled.messages[0].content.text)


@pytest.mark.usefixtures("far")
def test_a_page_to_open_reaches_the_client_of_a_proxy() -> None:
    person = Person()

    assert "accept" == using(lambda client: text(client, "visit"), person)
    [asked] = person.asked
    assert ("See", "https://x.org") == (asked.message, asked.url)


@pytest.mark.usefixtures("far")
@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("form", "the form cannot be shown: requestedSchema"),
        ("url", "the address has characters that are not seen"),
    ],
)
def test_a_question_that_hides_something_is_not_passed_on(kind: str, told: str) -> None:
    person = Person()
    found = using(lambda client: text(client, "hiding", {"kind": kind}), person)

    assert told.replace("requestedSchema", "") in found.replace("requestedSchema", "")
    assert [] == person.asked


@pytest.mark.usefixtures("far")
def test_a_client_that_cannot_ask_is_told_to_the_other_server() -> None:
    told = using(text_or_error, None)

    assert "the client cannot ask the person: it has no elicitation" in told


@pytest.mark.usefixtures("far")
def test_a_proxy_of_tools_only_passes_nothing_of_this_on() -> None:
    person = Person()

    found = using(text_or_error, person, tools_only=True)

    assert "has no elicitation" in found or "ask failed with an error of its own" in found
    assert [] == person.asked


@pytest.mark.usefixtures("far")
def test_the_log_of_the_other_server_reaches_the_client_of_a_proxy(mode: str) -> None:
    person = Person()

    async def use(client: Any) -> None:
        if mode == "legacy":
            params = types.SetLevelRequestParams(level="debug")
            await client.session.send_request(
                types.SetLevelRequest(params=params), types.EmptyResult
            )
        await text(client, "log")

    using(use, person)

    assert [("debug", "text", "log"), ("error", {"key": ["value", 1]}, None)] == person.logged


@pytest.mark.usefixtures("far")
def test_a_call_that_is_cancelled_asks_no_more_there() -> None:
    ENDED.clear()
    person = Person(1000)

    async def use(client: Any) -> None:
        call = asyncio.ensure_future(client.call_tool("patient", {}))
        while not person.asked:
            await asyncio.sleep(0.01)
        call.cancel()
        if client.protocol_version != "2026-07-28":
            while not ENDED:
                await asyncio.sleep(0.01)

    using(use, person)

    assert ["ended"] == ENDED


@pytest.mark.usefixtures("far")
def test_a_person_may_take_longer_than_the_other_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_calls, "_LOOKING", 0.05)

    async def use(client: Any) -> Any:
        return await text(client, "ask"), await text(client, "slow")

    found = using(use, Person(0.6), timeout=0.3)

    assert ("3", "Request 'tools/call' timed out") == found


class Asked(Request):
    """A request by a connection."""

    def __init__(self, connection: Any) -> None:
        super().__init__()
        self.context = self
        self.session = self
        self._connection = connection

    __slots__ = ("_connection", "session")


@pytest.mark.parametrize(
    ("connections", "told"),
    [
        ([], "nobody can be asked: no call of a client is running"),
        (["a", "b"], "nobody can be asked: calls of several clients are running"),
        (["a", "a"], "nobody can be asked: the call does not come from a client"),
    ],
)
def test_a_client_is_asked_only_if_it_is_sure_which(connections: list[str], told: str) -> None:
    back = ClientForwarder(lambda: [*map(Asked, connections)])

    for asking in (back._list_roots({}), back._sample({"messages": []})):
        with pytest.raises(ToolError) as raised:
            asyncio.run(asking)
        assert told == str(raised.value)
    back._log({"level": "info", "data": "x"})


def answered(answer: Any, tool_name: str = "everything") -> Any:
    """Return the outcome of a call whose questions are all answered by *answer*."""

    async def main() -> Any:
        options = {"on_elicit": answer, "on_sample": answer, "on_roots": answer, "on_log": answer}
        async with connect("x", **options) as session:
            return await (await tools_from(session)).acall(tool_name, {})

    return asyncio.run(main())


def answer(params: dict[str, Any]) -> Any:
    if "message" in params:
        return {"action": "accept", "content": {"value": "3"}}
    if "messages" in params:
        content = [{"type": "text", "text": "blue"}]
        return {
            "role": "assistant",
            "content": content if "tools" in params else content[0],
            "model": "m",
        }
    return {"roots": [{"uri": "file:///x"}]}


async def answer_later(params: dict[str, Any]) -> Any:
    return answer(params)


@pytest.mark.usefixtures("far")
@pytest.mark.parametrize("given", [answer, answer_later])
def test_a_connection_answers_by_functions_of_json_data(given: Any) -> None:
    assert "3 blue file:///x" in answered(given).text()


def raising(error: Any) -> Any:
    def raise_it(params: Any) -> Any:
        if isinstance(error, Exception):
            raise error
        return error

    return raise_it


@pytest.mark.usefixtures("far")
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ToolError("not today"), "not today"),
        (mcp.MCPError(-32600, "not now"), "not now"),
        (ValueError("secret"), "the client failed"),
        ({"action": 3}, "there is no valid answer"),
    ],
)
def test_a_function_that_fails_is_told_to_the_server_without_what_is_private(
    error: Any, told: str
) -> None:
    outcome = answered(raising(error), "ask")

    assert told in outcome.report()
    assert "secret" not in outcome.report()


@pytest.mark.usefixtures("far")
def test_a_log_that_makes_a_function_raise_does_not_end_a_call(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR, "typesig.mcp"):
        outcome = answered(raising(ValueError("no")), "log")

    assert "logged" in outcome.text()
    assert {"what a server asked, or its log, made a function raise"} == set(caplog.messages)


def test_a_sample_with_calls_of_tools_is_one() -> None:
    found = asyncio.run(
        connecting._AnswerCallback(answer, "CreateMessageResult")(
            None, types.CreateMessageRequestParams(messages=[], max_tokens=1, tools=[])
        )
    )

    assert isinstance(found, types.CreateMessageResultWithTools)


class Level:
    """A session whose server has a log, and refuses to be asked for more of it."""

    server_capabilities = types.ServerCapabilities(logging=types.LoggingCapability())
    initialize_result = "done"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def send_request(self, request: Any, _: Any) -> Any:
        self.asked.append(request.params.level)
        raise mcp.MCPError(-32601, "no")


def test_a_server_that_does_not_take_a_level_has_its_own() -> None:
    session = Level()
    asyncio.run(connecting.ask_for_logs(session))

    assert ["debug"] == session.asked


def test_a_server_that_asks_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    async def endless(context: Any, params: Any) -> Any:
        return {"resultType": "input_required", "requestState": "s"}

    async def listed(*_: Any) -> Any:
        return types.ListToolsResult.model_validate(
            {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}
        )

    made: Any = mcp.server.Server("x", on_list_tools=listed, on_call_tool=endless)  # type: ignore[attr-defined]

    async def main() -> Any:
        async with mcp.Client(made) as client:
            return await (await tools_from(client)).acall("t", {})

    assert "the server asks for more than the arguments before it answers; use another tool" in (
        asyncio.run(main()).report()
    )


def test_a_request_that_is_not_asked_from_a_client_is_not_asking() -> None:
    async def main() -> list[bool]:
        questions = Questions(lambda *_: None, None, {})
        request = Request(ask=questions)
        before = request.is_asking
        task = asyncio.ensure_future(request.aask("roots/list", {}))
        await questions.changed
        during = request.is_asking
        request.cancel()
        with pytest.raises(ToolError, match="nobody waits for the call any more"):
            await task
        with pytest.raises(ToolError, match="nobody waits for the call any more"):
            await request.aask("roots/list", {})
        return [Request().is_asking, before, during, request.is_asking]

    assert [False, False, True, False] == asyncio.run(main())
