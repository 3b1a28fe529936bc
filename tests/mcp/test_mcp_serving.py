"""A toolset that is served, as the SDK's own client sees it, within one process."""

from __future__ import annotations

import asyncio
import datetime
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypedDict

import pytest

pytest.importorskip("mcp")

import anyio
import mcp_types as types
from mcp import Client

import typesig
from typesig import Injected, Ledger, ToolError, TypesigError, tool, tools_of
from typesig.mcp import Request, Server
from typesig.mcp.serving import call_runner

MODES = ("legacy", "auto")


class Row(TypedDict):
    id: int
    _owner: str


class Store:
    name = "store"


@tool(title="Find rows", annotations={"readOnlyHint": True, "destructiveHint": False})
def find(query: str, limit: int = 2) -> list[Row]:
    """Find rows."""
    return [{"id": number, "_owner": query} for number in range(limit)]


@tool
def count(n: int) -> int:
    return n


@tool
def fail(secret: str) -> int:
    raise ValueError(secret)


@tool
def refuse() -> int:
    raise ToolError("no such order; call list_orders")


@tool
def leave() -> int:
    raise SystemExit(3)


@tool
async def give_up() -> int:
    raise asyncio.CancelledError


@tool
def wrong() -> int:
    return "many"  # type: ignore[return-value]


@tool
def whose(store: Injected[Store], _user: str = "nobody") -> str:
    return f"{store.name} of {_user}"


@tool
async def report(n: int, request: Request) -> str:
    for done in range(n):
        request.progress(done, n, f"row {done}")
        request.log({"row": done}, "debug" if done else "warning", "rows")
        await asyncio.sleep(0)
    return f"{request.client} {sorted(request.meta)} {request.id is not None}"


PLAIN = tools_of([find, count, fail, refuse, leave, give_up, wrong, report])


def used(
    server: Server, use: Callable[[Client], Awaitable[Any]], mode: str = "auto", **options: Any
) -> Any:
    """Return what *use* returns with a client of *server*."""

    async def main() -> Any:
        async with Client(server.lowlevel, mode=mode, **options) as client:
            return await use(client)

    return asyncio.run(main())


def called(
    server: Server, name: str, arguments: Any = None, mode: str = "auto", **options: Any
) -> Any:
    return used(server, lambda client: client.call_tool(name, arguments, **options), mode)


def text_of(result: Any) -> str:
    [part] = result.content
    return str(part.text)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_is_told_of_the_tools_as_the_projection_has_them(mode: str) -> None:
    server = typesig.mcp.server(PLAIN, name="shop", version="2", instructions="Find first.")

    async def listed(client: Client) -> Any:
        assert "Find first." == client.instructions
        assert ("shop", "2") == (client.server_info.name, client.server_info.version)  # type: ignore[union-attr]
        assert client.server_capabilities.tools.list_changed  # type: ignore[union-attr]
        return await client.list_tools()

    tools = used(server, listed, mode).tools
    made = PLAIN.project("mcp", api="2025-11-25" if mode == "legacy" else "2026-07-28")

    assert list(made.definitions) == [
        one.model_dump(by_alias=True, mode="json", exclude_none=True) for one in tools
    ]
    assert "Find rows" == tools[0].title
    assert (True, False) == (
        tools[0].annotations.read_only_hint, tools[0].annotations.destructive_hint
    )  # fmt: skip
    assert {"n"} == set(tools[-1].input_schema["properties"])


@pytest.mark.parametrize("mode", MODES)
def test_structured_content_fits_the_schema_that_was_listed_and_text_is_beside_it(
    mode: str,
) -> None:
    server = typesig.mcp.server(PLAIN)

    # The client checks what it gets against the schema.
    found = called(server, "find", {"query": "a", "limit": "1"}, mode)
    counted = called(server, "count", {"n": 3}, mode)

    assert ('[{"id":0}]', {"items": [{"id": 0}]}, False) == (
        text_of(found), found.structured_content, found.is_error
    )  # fmt: skip
    assert ("3", {"result": 3} if mode == "legacy" else 3) == (
        text_of(counted), counted.structured_content
    )  # fmt: skip


def nothing() -> None: ...


def maybe() -> int | None: ...


def maybe_all() -> dict[str, Any] | None: ...


def naive() -> datetime.datetime:
    return datetime.datetime(2026, 1, 31, 10)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", [nothing, maybe, maybe_all])
def test_a_client_gets_a_result_that_is_null(mode: str, function: Any) -> None:
    # The client raises if there is no structured content.
    result = called(typesig.mcp.server([tool(function)]), function.__name__, {}, mode)

    assert ("null", {"result": None}, False) == (
        text_of(result), result.structured_content, result.is_error
    )  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_the_schema_of_results_has_datetimes_without_an_offset(mode: str) -> None:
    result = called(typesig.mcp.server([tool(naive)]), "naive", {}, mode)
    text = "2026-01-31T10:00:00"

    assert (text, {"result": text} if mode == "legacy" else text, False) == (
        text_of(result), result.structured_content, result.is_error
    )  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("count", {"n": "x"}, 'Tool validation errors:\n{\n  "n": "x"  // expected integer, got string "x"\n}\n\nA call that fits: count with {"n": integer}'),
        ("count", None, 'Tool validation errors:\n{\n  // missing: "n": integer\n}\n\nA call that fits: count with {"n": integer}'),
        ("coumt", {"n": 1}, 'Tool validation errors:\n- there is no tool "coumt"; did you mean count?'),
        ("refuse", {}, "Tool errors:\n- no such order; call list_orders"),
        ("fail", {"secret": "s3cret"}, "fail failed with an error of its own, which its host has been told; it may have done a part of its work"),
        ("leave", {}, "leave failed with an error of its own, which its host has been told; it may have done a part of its work"),
        ("give_up", {}, "give_up failed with an error of its own, which its host has been told; it may have done a part of its work"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_told_to_the_model_as_an_error_of_the_tool(
    mode: str, name: str, arguments: Any, text: str
) -> None:
    result = called(typesig.mcp.server(PLAIN), name, arguments, mode)

    assert (True, None, text) == (result.is_error, result.structured_content, text_of(result))


def test_a_result_that_does_not_fit_is_an_error_of_the_tool() -> None:
    result = called(typesig.mcp.server(PLAIN), "wrong")

    assert result.is_error
    assert "expected integer" in text_of(result)


def test_the_host_is_told_what_a_tool_raised(caplog: pytest.LogCaptureFixture) -> None:
    called(typesig.mcp.server(PLAIN), "fail", {"secret": "s3cret"})
    [record] = [each for each in caplog.records if each.name == "typesig.mcp"]

    assert ("the tool fail raised", logging.ERROR) == (record.getMessage(), record.levelno)
    assert isinstance(record.exc_info[1], ValueError)  # type: ignore[index]


def test_a_function_makes_the_text_for_the_model_of_an_exception() -> None:
    server = typesig.mcp.server(PLAIN, on_exception=lambda error, call: f"{call.name}: {error}")

    assert "fail: s" == text_of(called(server, "fail", {"secret": "s"}))


def test_a_ledger_counts_what_the_calls_of_a_server_mended() -> None:
    ledger = Ledger()
    called(typesig.mcp.server(PLAIN, ledger=ledger), "count", {"n": "3"})

    assert ["count"] == [row.tool for row in ledger.rows()]


async def raw(client: Client, arguments: Any) -> Any:
    """Return the result of a call of `count` with *arguments*, which the SDK would not send."""
    params = {"name": "count", "arguments": arguments}
    version = client.protocol_version
    if version == "2026-07-28":
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    return await client.session._dispatcher.send_raw_request("tools/call", params)


@pytest.mark.parametrize("mode", MODES)
def test_arguments_that_are_no_object_are_mended_or_told_and_no_error_of_the_protocol(
    mode: str,
) -> None:
    server = typesig.mcp.server(PLAIN)

    async def use(client: Client) -> Any:
        return [await raw(client, sent) for sent in ('{"n": "3"}', [3], 7, "{")]

    mended, *others = used(server, use, mode)

    assert ("3", False) == (mended["content"][0]["text"], mended["isError"])
    assert all(each["isError"] for each in others)
    assert "expected named arguments" in others[0]["content"][0]["text"]


@pytest.mark.parametrize("mode", MODES)
def test_a_tool_tells_how_far_it_is_and_writes_to_the_log_of_the_client(mode: str) -> None:
    heard: list[Any] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        heard.append((done, total, message))

    async def log(entry: types.LoggingMessageNotificationParams) -> None:
        heard.append((entry.level, entry.data, entry.logger))

    async def use(client: Client) -> Any:
        if mode == "legacy":
            await client.session.send_request(
                types.SetLevelRequest(params=types.SetLevelRequestParams(level="debug")),
                types.EmptyResult,
            )
        return await client.call_tool("report", {"n": 2}, progress_callback=progress)

    options: dict[str, Any] = {"logging_callback": log, "log_level": "debug"}
    options["client_info"] = types.Implementation(name="tester", version="1")
    result = used(typesig.mcp.server(PLAIN), use, mode, **options)

    assert text_of(result).startswith("tester 1 [")
    assert text_of(result).endswith("True")
    assert [
        (0, 2, "row 0"), ("warning", {"row": 0}, "rows"),
        (1, 2, "row 1"), ("debug", {"row": 1}, "rows"),
    ] == heard  # fmt: skip


@pytest.mark.parametrize(("mode", "count"), [("legacy", 1), ("auto", 0)])
def test_a_client_hears_from_a_tool_only_what_it_asked_for(mode: str, count: int) -> None:
    heard: list[Any] = []

    async def log(entry: types.LoggingMessageNotificationParams) -> None:
        heard.append(entry.level)

    used(
        typesig.mcp.server(PLAIN), lambda client: client.call_tool("report", {"n": 3}), mode,
        logging_callback=log,
    )  # fmt: skip

    assert ["warning"] * count == heard


@pytest.mark.parametrize("mode", MODES)
def test_a_cancelled_call_is_cancelled_in_the_tool_and_others_go_on(mode: str) -> None:
    ended: list[str] = []

    @tool
    async def wait(request: Request) -> int:
        try:
            await asyncio.sleep(1000)
        except asyncio.CancelledError:
            ended.append(f"cancelled {request.cancelled}")
            raise
        return 1

    async def use(client: Client) -> Any:
        with anyio.move_on_after(0.02):
            await client.call_tool("wait")
        return await client.call_tool("count", {"n": 1})

    assert "1" == text_of(used(typesig.mcp.server([wait, count]), use, mode))
    assert ["cancelled True"] == ended


@pytest.mark.needs_process
def test_a_tool_in_a_thread_reads_that_its_call_is_cancelled() -> None:
    from threading import Event

    started, ended = Event(), Event()

    @tool
    def block(request: Request) -> int:
        started.set()
        while not request.cancelled:
            pass
        ended.set()
        return 1

    async def use(client: Client) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "block")
            while not started.is_set():
                await asyncio.sleep(0)
            group.cancel_scope.cancel()

    server = typesig.mcp.server([block])
    used(server, use)

    assert ended.is_set()
    assert 0 == server.calls.unfinished_count


def test_a_hundred_calls_at_once_with_cancellations_all_end() -> None:
    @tool
    async def wait(seconds: float) -> float:
        await asyncio.sleep(seconds)
        return seconds

    async def use(client: Client) -> int:
        results: list[Any] = []

        async def one(seconds: float) -> None:
            results.append(await client.call_tool("wait", {"seconds": seconds}))

        async with anyio.create_task_group() as group:
            for number in range(100):
                group.start_soon(one, 0 if number % 2 else 1000)
            while len(results) < 50:
                await asyncio.sleep(0)
            group.cancel_scope.cancel()
        await client.call_tool("wait", {"seconds": 0})
        return len(results)

    server = typesig.mcp.server([wait])

    assert 50 == used(server, use, "legacy")
    assert 0 == server.calls.unfinished_count


def test_a_call_that_takes_too_long_is_stopped_and_the_model_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @tool
    async def wait() -> int:
        await asyncio.sleep(1000)
        return 1

    result = called(typesig.mcp.server([wait], seconds=0.01), "wait")

    assert result.is_error
    assert (
        "wait did not end within 0.01 s and was stopped; it may have done a part of its work"
        == text_of(result)
    )
    assert "the tool wait did not end within 0.01 s" in caplog.messages


def test_calls_beyond_the_limit_are_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_runner, "MAX_SERVED_CALLS", 0)

    assert "the server is busy with other calls: send this one again later" == text_of(
        called(typesig.mcp.server(PLAIN), "count", {"n": 1})
    )


def test_calls_that_run_when_a_server_ends_are_cancelled() -> None:
    async def wait() -> Any:
        await asyncio.sleep(300)

    async def ended() -> list[bool]:
        calls = call_runner.Calls(None, None, None, None)
        running = [asyncio.create_task(wait()), asyncio.create_task(wait())]
        calls._running.update(dict.fromkeys(running, Request()))
        await asyncio.sleep(0)
        await calls.cancel_all()
        return [task.cancelled() for task in running]

    assert [True, True] == asyncio.run(ended())


STORE = Store()


def test_injected_parameters_are_given_by_a_dict_or_by_a_function_of_the_request() -> None:
    def each(request: Request) -> dict[str, Any]:
        return {"store": STORE, "_user": request.client.partition(" ")[0]}

    assert "store of nobody" == text_of(
        called(typesig.mcp.server([whose], given={"store": STORE}), "whose")
    )
    assert "store of mcp" == text_of(called(typesig.mcp.server([whose], given=each), "whose"))


@asynccontextmanager
async def asynchronous() -> AsyncIterator[dict[str, Any]]:
    yield {"store": STORE, "_user": "ann"}


@contextmanager
def plain() -> Iterator[dict[str, Any]]:
    yield {"store": STORE, "_user": "ann"}


async def generator() -> AsyncIterator[dict[str, Any]]:
    yield {"store": STORE, "_user": "ann"}


def plain_generator() -> Iterator[dict[str, Any]]:
    yield {"store": STORE, "_user": "ann"}


@pytest.mark.parametrize("lifespan", [asynchronous, plain, generator, plain_generator])
def test_a_lifespan_function_gives_injected_parameters(lifespan: Any) -> None:
    server = typesig.mcp.server([whose], lifespan=lifespan)

    assert "store of ann" == text_of(called(server, "whose"))


def test_what_a_function_gives_for_a_call_counts_more_than_what_the_lifespan_gives() -> None:
    server = typesig.mcp.server([whose], lifespan=generator, given=lambda: {"_user": "bob"})

    assert "store of bob" == text_of(called(server, "whose"))


def test_the_context_of_the_lifespan_is_open_while_the_server_runs() -> None:
    states: list[Any] = []

    async def lifespan() -> AsyncIterator[None]:
        states.append(server.is_running)
        yield
        states.append(server.is_running)

    server = typesig.mcp.server([count], lifespan=lifespan)
    called(server, "count", {"n": 1})

    assert ([True, True], False) == (states, server.is_running)


def test_a_function_that_gives_too_little_is_an_error_that_the_host_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    result = called(typesig.mcp.server([whose], given=dict), "whose")

    assert result.is_error
    assert "store" not in text_of(result)
    assert "whose needs store from its host" in caplog.text


async def coroutine() -> dict[str, Any]:
    return {}


@pytest.mark.parametrize(
    ("lifespan", "message"),
    [
        (lambda: 3, "lifespan is a function that yields a dict of values by name, or returns a context manager that does, not one that returns int"),
        (coroutine, "lifespan is a function that yields a dict of values by name, or returns a context manager that does, not one that returns coroutine"),
        (lambda: (yield 3), 'lifespan yields a dict of values by name, not int; write yield {"db": db}'),
        (lambda: (yield), 'whose needs store from its host: write given={"store": …}, or a function that returns it'),
    ],
)  # fmt: skip
def test_a_lifespan_function_that_gives_something_else(lifespan: Any, message: str) -> None:
    server = typesig.mcp.server([whose], lifespan=lifespan)

    async def main() -> None:
        async with server.start_lifetime():
            pass

    with pytest.raises(TypesigError) as raised:
        asyncio.run(main())

    assert message == str(raised.value)
    assert not server.is_running


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, 'whose needs store from its host: write given={"store": …}, or a function that returns it'),
        ({"given": 3}, "given is a dict, or a function that returns one, not int"),
        ({"on_exception": "x"}, "on_exception is a function, not str; write on_exception=lambda error, call: str(error)"),
        ({"lifespan": STORE}, "lifespan is a function, not Store"),
        ({"name": 3}, "name is text, not int"),
        ({"version": 3}, "version is text, not int"),
        ({"title": 3}, "title is text, not int"),
        ({"seconds": 0}, "seconds is a positive number, not 0"),
        ({"seconds": "1"}, "seconds is a positive number, not '1'"),
    ],
)  # fmt: skip
def test_wrong_use_of_server(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TypesigError) as raised:
        typesig.mcp.server([whose], **options)

    assert message == str(raised.value)


@pytest.mark.parametrize("mode", MODES)
def test_clients_are_told_when_tools_are_replaced(mode: str) -> None:
    server = typesig.mcp.server([count], name="shop")
    heard: list[str] = []

    async def message(each: Any) -> None:
        heard.append(type(each).__name__)

    async def use(client: Client) -> list[str]:
        await client.list_tools()
        if mode == "legacy":
            server.replace([count, refuse])
            while not heard:
                await asyncio.sleep(0)
        else:
            async with client.listen(tools_list_changed=True) as events:
                server.replace([count, refuse])
                heard.append(type(await anext(aiter(events))).__name__)
        return [one.name for one in (await client.list_tools()).tools]

    assert ["count", "refuse"] == used(server, use, mode, message_handler=message)
    assert "ListChanged" in heard[0]
    assert ("count", "refuse") == server.tools.names
    assert "<MCP server 'shop': count, refuse>" == repr(server)


def test_the_same_tools_again_are_no_change() -> None:
    server = typesig.mcp.server(PLAIN)
    heard: list[Any] = []

    async def message(each: Any) -> None:
        heard.append(each)

    async def use(client: Client) -> None:
        await client.list_tools()
        server.replace(tools_of(PLAIN))
        await client.list_tools()

    used(server, use, "legacy", message_handler=message)

    assert [] == heard


def test_tools_that_lack_what_the_host_gives_do_not_replace_others() -> None:
    server = typesig.mcp.server([count])

    async def running() -> None:
        async with server.start_lifetime():
            with pytest.raises(TypesigError):
                server.replace([whose])

    with pytest.raises(TypesigError):
        server.replace([whose])
    asyncio.run(running())

    assert ("count",) == server.tools.names


def test_a_run_in_a_loop_that_was_closed_is_not_told() -> None:
    server = typesig.mcp.server([count])

    async def entered() -> Any:
        context = server.start_lifetime()
        return await context.__aenter__()

    lifetime = asyncio.run(entered())
    lifetime.announce("tools")
    gc.collect()


def test_a_client_that_cannot_be_told_does_not_keep_others_from_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Gone:
        async def send_tool_list_changed(self) -> None:
            raise OSError("gone")

    caplog.set_level(logging.DEBUG, "typesig.mcp")
    server, gone = typesig.mcp.server([count]), Gone()

    async def main() -> None:
        async with server.start_lifetime() as lifetime:
            lifetime.connections.add(gone)  # type: ignore[arg-type]
            lifetime.announce("tools")
            while not caplog.messages:
                await asyncio.sleep(0)

    asyncio.run(main())

    assert [
        "a client could not be told that the tools have changed: OSError('gone')"
    ] == caplog.messages


def test_a_tool_that_the_protocol_cannot_take_is_not_served_and_the_host_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @tool("(a " + "[" * 127 + ":int" + "]" * 127 + ") -> :int")
    def deep(a):  # type: ignore[no-untyped-def]
        return 1

    server = typesig.mcp.server([count, deep, tool("() -> :int", name="zähle")(lambda: 1)])
    listed = used(server, lambda client: client.list_tools())

    assert ["count", "z_hle"] == [one.name for one in listed.tools]
    assert [
        "not served: deep: the tool: deep: a type may nest 128 levels, this one has more; the tool is left out; became no definition"
    ] == caplog.messages


def test_the_schema_of_a_tool_is_that_of_its_arguments() -> None:
    server = typesig.mcp.server(PLAIN)

    assert {"n"} == set((server.find_schema("count") or {})["properties"])
    assert server.find_schema("no_such") is None


def test_the_host_has_to_give_what_is_injected_and_is_not_the_request() -> None:
    assert ["store"] == call_runner.get_required_names(whose)
    assert [] == call_runner.get_required_names(report)
