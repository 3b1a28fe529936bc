"""A proxy: what it passes on of another server, how it follows its changes, and what goes wrong."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("mcp")

import mcp
import mcp_types as types
from mcp.client._memory import InMemoryTransport
from mcp.client.subscriptions import ToolsListChanged
from mcp.server import Server
from mcp.server.lowlevel import NotificationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler

import typesig
from tests.sdks.foreign import tool
from typesig import TypesigError
from typesig.mcp import forwarder, proxy
from typesig.mcp import proxy_server as proxying
from typesig.mcp.client import connection as connecting
from typesig.mcp.forwarder import Link
from typesig.mcp.serving.lowlevel import FRESH
from typesig.mcp.transport.lifespans import Lifetime

ICON = {"src": "https://x.org/a.png", "mimeType": "image/png"}
TAG = "\U000e0041"
RESOURCES = [
    {
        "name": "a", "uri": "res://a", "title": "Ti\u200btle", "description": "D\x1b[1m", "size": 3,
        "mimeType": "text/plain", "icons": [ICON], "_meta": {"k": 1},
        "annotations": {"priority": 0.5},
    },
    {"name": "hid\u200bden", "uri": "res://b"},
    {"name": "c", "uri": "res://c" + TAG},
]  # fmt: skip
TEMPLATES = [{"name": "t", "uriTemplate": "res://{x}", "description": "T\u200b"}]
PROMPTS = [
    {
        "name": "ask",
        "description": "A\u200bsk.",
        "arguments": [{"name": "what", "description": "W\u200b", "required": True}],
    }
]
CONTENTS = [
    {"uri": "res://a", "text": "as it is\u200b", "mimeType": "text/plain"},
    {"uri": "res://a", "blob": "AAA=", "_meta": {"k": 1}},
]
MESSAGES = [
    {"role": "user", "content": {"type": "text", "text": "go\u200b"}},
    {"role": "assistant", "content": {"type": "image", "data": "AAA=", "mimeType": "image/png"}},
]


class Back:
    """The other server; its tools can be changed, and what it answers.

    #: seen: the params that it was sent; events: what its tool was told
    """

    def __init__(self) -> None:
        self.tools = [tool("one"), tool("two")]
        self.answers: dict[str, Any] = {
            "resources/list": {"resources": RESOURCES, "nextCursor": "2"},
            "resources/templates/list": {"resourceTemplates": TEMPLATES},
            "resources/read": {"contents": CONTENTS},
            "prompts/list": {"prompts": PROMPTS},
            "prompts/get": {"description": "D\u200b", "messages": MESSAGES},
            "completion/complete": {"completion": {"values": ["a", "b\x1b"], "total": 2}},
            "tools/call": {"content": [{"type": "text", "text": "done"}]},
        }
        self.seen: list[Any] = []
        self.events: list[str] = []
        self.contexts: list[Any] = []
        self.bus = InMemorySubscriptionBus()
        self.server: Any = Server(
            "back",
            instructions="Use\u200b me.",
            on_list_tools=self.list_tools,
            on_call_tool=self.call,
            on_list_resources=self.answering("resources/list"),
            on_list_resource_templates=self.answering("resources/templates/list"),
            on_read_resource=self.answering("resources/read"),
            on_list_prompts=self.answering("prompts/list"),
            on_get_prompt=self.answering("prompts/get"),
            on_completion=self.answering("completion/complete"),
            on_subscriptions_listen=ListenHandler(self.bus),
        )
        options = functools.partial(
            self.server.create_initialization_options,
            NotificationOptions(True, True, True),
        )
        self.server.create_initialization_options = options

    async def list_tools(self, context: Any, _: Any) -> Any:
        self.contexts.append(context)
        return types.ListToolsResult.model_validate({"tools": self.tools})

    async def call(self, context: Any, params: Any) -> Any:
        if params.name == "slow":
            for done in range(3):
                await context.session.report_progress(done, 3, "st\u200bep")
            self.events.append("started")
            try:
                await asyncio.sleep(1000)
            finally:
                self.events.append("cancelled")
        if params.name == "steps":
            for done in range(3):
                await context.session.report_progress(done, 3, "st\u200bep")
        return types.CallToolResult.model_validate(self.answers["tools/call"])

    def answering(self, method: str) -> Callable[..., Awaitable[Any]]:
        async def answer(context: Any, params: Any) -> Any:
            self.seen.append(params)
            found = self.answers[method]
            if isinstance(found, Exception):
                raise found
            return {**FRESH, **found}

        return answer

    async def announce(self) -> None:
        """Say that all lists have changed, to clients of each version."""
        from mcp.shared import subscriptions

        for event in (
            subscriptions.PromptsListChanged(),
            subscriptions.ResourcesListChanged(),
            subscriptions.ToolsListChanged(),
        ):
            await self.bus.publish(event)
        for context in self.contexts[-1:]:
            connection = context.session._connection
            await connection.send_prompt_list_changed()
            await connection.send_resource_list_changed()
            await connection.send_tool_list_changed()


@pytest.fixture(params=["legacy", "auto"])
def mode(request: pytest.FixtureRequest) -> Any:
    """Return how a client, and the proxy, agree on a version."""
    return request.param


@pytest.fixture
def back(monkeypatch: pytest.MonkeyPatch, mode: Any) -> Back:
    made = Back()
    monkeypatch.setattr(
        connecting, "_make_command_transport", lambda *_: InMemoryTransport(made.server)
    )

    class Client(mcp.Client):
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, mode=mode, **options)

    monkeypatch.setattr(mcp, "Client", Client)
    return made


def using(made: typesig.mcp.Server, use: Callable[[Any], Awaitable[Any]], **options: Any) -> Any:
    """Return what *use* returns of a client of *made*."""

    async def run() -> Any:
        async with mcp.Client(made.lowlevel, **options) as client:
            return await use(client)

    return asyncio.run(run())


def dumped(model: Any) -> Any:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


def test_resources_and_prompts_pass_through_with_clean_texts(
    back: Back, caplog: pytest.LogCaptureFixture
) -> None:
    async def use(client: Any) -> None:
        able = client.server_capabilities
        assert None not in (able.resources, able.prompts, able.completions)
        assert "Use me." == client.instructions
        listed = await client.list_resources(cursor="1")
        shown = {**RESOURCES[0], "title": "Title", "description": "D[1m"}
        assert [shown] == [dumped(each) for each in listed.resources]
        assert ("2", "1") == (listed.next_cursor, back.seen[-1].cursor)
        templates = await client.list_resource_templates()
        assert [{**TEMPLATES[0], "description": "T"}] == [
            dumped(each) for each in templates.resource_templates
        ]
        read = await client.read_resource("res://a", meta={"x": 1})
        assert CONTENTS == [dumped(each) for each in read.contents]
        assert "res://a" == back.seen[-1].uri
        [prompt] = (await client.list_prompts()).prompts
        assert "Ask." == prompt.description
        assert "W" == prompt.arguments[0].description
        got = await client.get_prompt("ask", {"what": "x"})
        assert ("D", MESSAGES) == (got.description, [dumped(each) for each in got.messages])
        assert {"what": "x"} == back.seen[-1].arguments
        ref = types.PromptReference(name="ask")
        completed = await client.complete(ref, {"name": "what", "value": ""})
        assert ["a"] == completed.completion.values

    with caplog.at_level(logging.WARNING, "typesig.mcp"):
        using(proxy("x"), use)

    assert [
        "not passed on: hidden: its name has characters that are not seen",
        "not passed on: c: uri: the value has characters that are not seen",
    ] == caplog.messages


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        (mcp.MCPError(-32602, "no\x1b such", {"a": 1}), -32602, "no such"),
        (mcp.MCPError(-32000, "gone"), -32603, "the other server cannot be reached"),
    ],
)
def test_errors_of_what_is_passed_on_are_those_of_the_other_server(
    back: Back, answer: Exception, code: int, message: str
) -> None:
    back.answers["prompts/get"] = answer

    async def use(client: Any) -> None:
        with pytest.raises(mcp.MCPError) as raised:
            await client.get_prompt("ask")
        assert (code, message) == (raised.value.code, raised.value.error.message)

    using(proxy("x"), use)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"messages": 3}, "the other server answered with what is no result"),
        ({"resultType": "input_required"}, "the other server asks for more before it answers"),
    ],
)
def test_what_is_no_result_is_not_passed_on(answer: Any, message: str) -> None:
    class Session:
        async def send_request(self, *_: Any) -> Any:
            if "messages" in answer:
                types.GetPromptResult.model_validate(answer)
            return answer

    class There(Link):
        session = Session()

        async def wait_until_ready(self) -> None:
            """Be there."""

    method = forwarder.METHODS["prompts/get"]
    passed = forwarder._ForwardingHandler(There("x", {}, print), "prompts/get", method)  # type: ignore[arg-type]
    with pytest.raises(mcp.MCPError) as raised:
        asyncio.run(passed._forward(types.GetPromptRequestParams(name="ask")))

    assert (types.INTERNAL_ERROR, message) == (raised.value.code, raised.value.error.message)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ("back", "3", "Ti tle")),
        ({"version": "9"}, ("back", "9", "Ti tle")),
        ({"name": "front"}, ("front", "3", None)),
        ({"name": "front", "version": "9"}, ("front", "9", None)),
    ],
)
def test_a_proxy_has_the_name_and_the_version_of_the_other_server_unless_it_is_told(
    back: Back, options: Any, expected: Any
) -> None:
    back.server.name, back.server.version, back.server.title = "ba\u200bck", "3", "Ti\ntle"

    async def use(client: Any) -> None:
        info = client.server_info
        assert expected == (info.name, info.version, info.title)

    using(proxy("x", **options), use)


class Nameless:
    """A session with a server that says nothing of itself."""

    server_info = None


def test_a_server_that_says_nothing_of_itself_has_no_name_to_pass_on() -> None:
    made = typesig.mcp.server([])
    proxying.rename_server(made, Nameless().server_info, None, None)

    assert ("tools", "0") == (made.lowlevel.name, made.lowlevel.version)


def test_only_tools_are_served_if_that_is_asked(back: Back) -> None:
    async def use(client: Any) -> None:
        assert client.server_capabilities.resources is None
        assert client.server_capabilities.prompts is None
        with pytest.raises(mcp.MCPError, match="Method not found"):
            await client.list_resources()

    using(proxy("x", tools_only=True), use)


async def until(is_so: Callable[[], Any]) -> Any:
    """Return what *is_so* returns, once it is true."""
    for _ in range(1_000):
        found = is_so()
        found = await found if isinstance(found, Awaitable) else found
        if found:
            return found
        await asyncio.sleep(0.005)
    raise AssertionError


async def names(client: Any) -> list[str]:
    return [each.name for each in (await client.list_tools(cache_mode="bypass")).tools]


def test_changes_of_the_other_server_are_followed_and_announced(back: Back, mode: str) -> None:
    told: list[type] = []

    async def handle(message: Any) -> None:
        told.append(type(message))

    async def use(client: Any) -> None:
        assert ["one", "two"] == await names(client)
        back.tools = [tool("two"), tool("three")]
        await back.announce()
        await until(lambda: has_changed(client))
        assert ["two", "three"] == await names(client)
        gone = await client.call_tool("one")
        assert gone.is_error
        assert 'there is no tool "one"' in gone.content[0].text
        assert not (await client.call_tool("three")).is_error
        if mode == "legacy":
            changed = {
                types.PromptListChangedNotification,
                types.ResourceListChangedNotification,
                types.ToolListChangedNotification,
            }
            await until(lambda: changed <= set(told))

    async def has_changed(client: Any) -> bool:
        return "three" in await names(client)

    async def listening(client: Any) -> None:
        if mode == "legacy":
            await use(client)
            return
        async with client.listen(tools_list_changed=True) as events:
            await use(client)
            assert ToolsListChanged() == await asyncio.wait_for(anext(events), 10)

    using(proxy("x"), listening, message_handler=handle)


def test_what_cannot_be_read_again_leaves_the_tools_as_they_were(
    back: Back, caplog: pytest.LogCaptureFixture
) -> None:
    def choose(tools: typesig.Toolset) -> typesig.Toolset:
        return tools.select("one")

    async def use(client: Any) -> None:
        back.tools = [tool("two")]
        await back.announce()
        await until(lambda: caplog.messages)
        assert ["one"] == await names(client)

    with caplog.at_level(logging.WARNING, "typesig.mcp"):
        using(proxy("x", choose=choose), use)

    assert caplog.messages[0].startswith(
        "the tools of the other server have changed and cannot be read: KeyError"
    )


def test_what_is_not_served_is_told_once(back: Back, caplog: pytest.LogCaptureFixture) -> None:
    back.tools = [tool("one"), tool("one")]

    async def use(client: Any) -> None:
        back.tools = [*back.tools, tool("two")]
        await back.announce()
        await until(lambda: has_two(client))

    async def has_two(client: Any) -> bool:
        return "two" in await names(client)

    with caplog.at_level(logging.WARNING, "typesig.mcp"):
        using(proxy("x"), use)

    assert ["the server lists two tools of this name" in each for each in caplog.messages] == [True]


def test_icons_and_meta_of_tools_and_results_pass_through(back: Back) -> None:
    hidden = tool("hidden", icons=[{"src": "data:" + TAG}], _meta={"ui/resourceUri": "ui://a"})
    back.tools = [tool("one", icons=[ICON], _meta={"k": {"title": "T"}}), hidden]
    link = {"type": "resource_link", "name": "n", "uri": "a:b", "annotations": {"priority": 1}}
    back.answers["tools/call"] = {"content": [link], "_meta": {"k": [1]}}

    async def use(client: Any) -> Any:
        one, other = (await client.list_tools()).tools
        assert ([ICON], {"k": {"title": "T"}}) == ([dumped(each) for each in one.icons], one.meta)
        assert (None, {"ui/resourceUri": "ui://a"}) == (other.icons, other.meta)
        result = dumped(await client.call_tool("one"))
        assert ([link], [1]) == (result["content"], result["_meta"]["k"])
        told = result["_meta"].get("io.modelcontextprotocol/serverInfo", {"name": "back"})
        assert "back" == told["name"]

    made = proxy("x")
    using(made, use)

    warning = "hidden: icons: 0.src: the value has characters that are not seen, so it is left out"
    assert [f"{warning}; ask those who run the server"] == [str(w) for w in made.tools.warnings]


def test_progress_passes_through_to_those_who_ask(back: Back) -> None:
    back.tools = [tool("steps")]
    found: list[Any] = []

    async def note(*progress: Any) -> None:
        found.append(progress)

    async def use(client: Any) -> None:
        await client.call_tool("steps", progress_callback=note)
        await until(lambda: (2, 3, "step") in found)
        await client.call_tool("steps")

    using(proxy("x"), use)

    # What comes too fast for the client is told by what comes later.
    assert found in ([(0, 3, "step"), (2, 3, "step")], [(n, 3, "step") for n in range(3)])


def test_a_hundred_calls_that_are_cancelled_are_cancelled_there_and_others_go_on(
    back: Back,
) -> None:
    back.tools = [tool("slow"), tool("one")]

    async def use(client: Any) -> None:
        slow = [asyncio.ensure_future(client.call_tool("slow")) for _ in range(100)]
        quick = [asyncio.ensure_future(client.call_tool("one")) for _ in range(100)]
        await until(lambda: back.events.count("started") == 100)
        for each in slow:
            each.cancel()
        assert not any(each.is_error for each in await asyncio.gather(*quick))
        await asyncio.gather(*slow, return_exceptions=True)
        await until(lambda: back.events.count("cancelled") == 100)
        assert not (await client.call_tool("one")).is_error

    using(proxy("x"), use)


def test_a_client_that_disappears_cancels_its_calls_there(back: Back) -> None:
    back.tools = [tool("slow")]

    async def use(client: Any) -> None:
        waiting = asyncio.ensure_future(client.call_tool("slow"))
        await until(lambda: back.events)
        waiting.cancel()

    using(proxy("x"), use)

    assert ["started", "cancelled"] == back.events


def test_a_proxy_runs_once_at_a_time(back: Back) -> None:
    made = proxy("x")

    async def use(client: Any) -> Any:
        with pytest.raises(TypesigError) as raised:
            async with made.start_lifetime():
                raise AssertionError
        return str(raised.value)

    told = "the proxy runs already: make another one for another transport"
    assert told == using(made, use)
    assert told == using(made, use)


def test_only_what_the_other_server_has_is_passed_on() -> None:
    lowlevel = typesig.mcp.server([]).lowlevel
    able = types.ServerCapabilities(resources=types.ResourcesCapability())

    assert () == forwarder.pass_on(lowlevel, Link("x", {}, print), able)  # type: ignore[arg-type]
    assert lowlevel.get_request_handler("resources/read") is not None
    assert lowlevel.get_request_handler("prompts/get") is None


def test_what_does_not_change_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(Lifetime, "announce", lambda self, kind: told.append(kind))

    async def main() -> None:
        made = typesig.mcp.server([])
        async with made.start_lifetime():
            made.announce("prompts")
            made.announce("tools")

    asyncio.run(main())

    assert ["tools"] == told


def test_choose_is_a_function() -> None:
    with pytest.raises(TypesigError) as raised:
        proxy("x", choose="search")  # type: ignore[arg-type]

    assert str(raised.value) == (
        "choose is a function of a toolset, not str; write choose=lambda tools: "
        'tools.select("search")'
    )
