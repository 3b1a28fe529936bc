"""The tools of another server as a toolset, over the official package's client and server."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("mcp")

import mcp
import mcp_types as types

import typesig
from tests.sdks.foreign import Answer, server, tool, using
from typesig import TypesigError
from typesig.errors import TooLarge
from typesig.mcp import ToolResult, tools_from
from typesig.mcp.client import tool_list

QUERY = {
    "type": "object",
    "properties": {
        "q": {"type": "string", "description": "wor\u200bds"},
        "limit": {"type": "integer", "minimum": 1},
        "_meta": {"type": ["string", "null"]},
    },
    "required": ["q"],
}


def read(*tools: dict[str, Any], mode: str = "legacy") -> typesig.Toolset:
    """Return the toolset of a server with *tools*, whose session has ended."""
    return using(server([list(tools)]), tools_from, mode)


def outcome_of(
    answer: Answer, arguments: Any = None, mode: str = "legacy", /, **parts: Any
) -> typesig.Outcome[Any]:
    """Return the outcome of a call of the one tool of a server that answers by *answer*."""

    async def call(session: Any) -> typesig.Outcome[Any]:
        return await (await tools_from(session)).acall("search", arguments)

    return using(server([[tool(**parts)]], answer), call, mode)


def said(*content: Any, **parts: Any) -> dict[str, Any]:
    """Return a result with *content*, of which texts are text blocks."""
    blocks = [{"type": "text", "text": c} if isinstance(c, str) else c for c in content]
    return {"content": blocks, **parts}


def raising(code: int, message: str = "broken") -> Answer:
    def answer(_: Any) -> Any:
        raise mcp.MCPError(code, message)

    return answer


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_arguments_are_checked_and_mended_before_they_are_sent(mode: str) -> None:
    sent = {"q": "x", "limit": "5", "_meta": None, "other": {"deep": None}}
    outcome = outcome_of(lambda p: said(json.dumps(p.arguments)), sent, mode, schema=QUERY)

    assert {**sent, "limit": 5} == json.loads(outcome.value)
    assert ['limit: coerced string "5" to int'] == [str(w) for w in outcome.warnings]


def test_a_number_is_sent_as_it_was_written() -> None:
    schema = {"type": "object", "properties": {name: {"type": "number"} for name in "abc"}}
    sent = {"a": 7, "b": 2**53 + 1, "c": 7.0}
    outcome = outcome_of(lambda p: said(json.dumps(p.arguments)), sent, schema=schema)

    assert '{"a": 7, "b": 9007199254740993, "c": 7.0}' == outcome.value


def test_arguments_that_do_not_fit_are_not_sent() -> None:
    calls: list[Any] = []
    outcome = outcome_of(lambda p: calls.append(p), {"limit": 0}, schema=QUERY)

    assert [] == calls
    assert "- q: is required" in outcome.report() or "q: expected string" in outcome.report()


def test_undeclared_names_are_sent_if_the_schema_allows_them_and_refused_if_not() -> None:
    closed = {**QUERY, "additionalProperties": False}
    first, second = [
        outcome_of(lambda p: said(json.dumps(p.arguments)), {"q": "x", "z": 1}, schema=schema)
        for schema in (QUERY, closed)
    ]

    assert {"q": "x", "z": 1} == json.loads(first.value)
    assert ["z: unexpected key"] == [str(error) for error in second.errors]


def test_names_with_an_underscore_of_a_foreign_schema_are_shown_and_sent() -> None:
    [one] = read(tool(schema=QUERY))

    assert 'search(q :string "words", limit? :int[1..], "_meta" :string?) -> :any' == one.prompt()
    assert () == one.needs


def test_all_pages_are_read() -> None:
    pages = [[tool("a"), tool("b")], [tool("c")], [], [tool("d")]]

    assert ("a", "b", "c", "d") == using(server(pages), tools_from).names


def test_titles_annotations_and_descriptions_are_those_of_the_server() -> None:
    hints = {"title": "Old", "readOnlyHint": True}
    one, other = read(
        tool("a", title="Ti\u202etle", description="D\x1b[2J\r\nE\U000e0041", annotations=hints),
        tool("b", annotations=hints),
    )

    assert ("Title", "D[2J\nE") == (one.title, one.description)
    assert (None, None, hints) == (other.title, other.description, other.annotations)
    assert hints == one.annotations


def test_schemas_are_listed_again_as_they_came_without_what_is_not_seen() -> None:
    schema = {**QUERY, "$schema": "https://json-schema.org/draft/2020-12/schema", "x-of": [1]}
    output = {"type": "object", "properties": {"n": {"type": "integer"}}, "title": "O\u2066ut"}
    tools = read(tool(schema=schema, outputSchema=output), tool("plain"))
    first, second = tools.project("mcp").definitions

    shown = json.loads(json.dumps(schema).replace("\\u200b", ""))
    assert shown == first["inputSchema"]
    assert {**output, "title": "Out"} == first["outputSchema"]
    assert {"name": "plain", "inputSchema": {"type": "object"}} == second


REMOTE = {"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}}


@pytest.mark.parametrize(
    ("schema", "signature"),
    [
        (REMOTE, "(a? :any) -> :any"),
        ({"type": "object", "properties": {"a": {"type": "odd"}}}, "(a? :any) -> :any"),
        ({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, "() -> :any"),
        ({"type": "object", "minProperties": 1}, "() -> :any"),
    ],
)
def test_a_schema_that_is_refused_gives_a_tool_with_a_wider_check(
    schema: dict[str, Any], signature: str
) -> None:
    tools = read(tool(schema=schema))
    [one] = tools
    losses = tools.project("openai").losses

    assert signature == str(one.signature)
    assert schema == tools.project("mcp").definitions[0]["inputSchema"]
    assert () == tools.project("mcp").losses
    assert one.warnings
    assert one.binding.original is not None
    assert [str(loss) for loss in one.binding.original.losses] == [
        str(loss).removeprefix("search.") for loss in losses
    ]


def test_the_loss_of_a_remote_reference_is_told() -> None:
    [one] = read(tool(schema=REMOTE))

    told = (
        "input.properties.a.$ref: the keyword $ref: 'https://example.com/a.json' is not in the "
        "document; pass it in resources, by its URI 'https://example.com/a.json'; it became "
        "anything"
    )
    assert [told] == [str(warning) for warning in one.warnings]


def test_a_parameter_that_nests_too_deep_is_widened_alone() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(150):
        deep = {"type": "array", "items": deep}
    [one] = read(tool(schema={"type": "object", "properties": {"a": deep}}, outputSchema=REMOTE))

    assert "(a? :any) -> {a? :any}" == str(one.signature)
    assert ["input.properties.a", "output.properties.a.$ref"] == [w.place for w in one.warnings]


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"properties": {"a\u200bb": {}}}, "properties.ab: the name"),
        ({"properties": {"a": {"enum": ["x", "y\U000e0041"]}}}, "properties.a.enum.1: the value"),
        ({"properties": {"a": {"default": {"b\x1b": 1}}}}, "properties.a.default.b: the name"),
        ({"properties": {"title": {"const": "\u202e"}}}, "properties.title.const: the value"),
    ],
)
def test_a_name_or_a_value_that_hides_something_costs_the_tool(
    schema: dict[str, Any], why: str
) -> None:
    tools = read(tool(schema={"type": "object", **schema}), tool("other"))

    told = f"search: {why} has characters that are not seen, so it is left out; ask those who run"
    assert ("other",) == tools.names
    assert [f"{told} the server"] == [str(warning) for warning in tools.warnings]


def test_values_keep_what_emoji_and_texts_need() -> None:
    values = ["👩\u200d🔬", "line\nbreak", "tab\t", "\x1b"]
    [one] = read(tool(schema={"type": "object", "properties": {"a": {"enum": values}}}))

    assert one.binding.original is not None
    assert one.binding.original.input["properties"]["a"]["enum"] == values


def test_names_that_providers_refuse_are_changed_and_sent_as_they_were() -> None:
    called: list[str] = []

    async def call(session: Any) -> typesig.Toolset:
        tools = await tools_from(session)
        await tools.acall("a_b")
        return tools

    def answer(params: types.CallToolRequestParams) -> Any:
        called.append(params.name)
        return said("x")

    tools = using(server([[tool("a\u200b b")]], answer), call)

    assert ["a\u200b b"] == called
    assert ["a_b: the server calls it 'a b'; call it by this name"] == [
        str(warning) for warning in tools.warnings
    ]


def test_of_two_tools_of_one_name_the_second_is_left_out() -> None:
    tools = read(tool("a", description="first"), tool("a", description="second"))

    assert ["first"] == [one.description for one in tools]
    assert "a: the server lists two tools of this name, so it is left out" in str(tools.warnings[0])


IMAGE = {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}
LINK = {"type": "resource_link", "name": "n", "uri": "file:///a", "annotations": {"priority": 1}}
TEXT = {"type": "resource", "resource": {"uri": "a:b", "text": "whole"}}
BLOB = {"type": "resource", "resource": {"uri": "a:c", "blob": "AAA="}, "_meta": {"k": 1}}


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (["one"], "one"),
        ([], None),
        (["one", "two"], ["one", "two"]),
        ([IMAGE], {"type": "image", "mimeType": "image/png", "size": 5}),
        ([AUDIO, "x"], [{"type": "audio", "mimeType": "audio/wav", "size": 2}, "x"]),
        ([LINK], {"type": "resource_link", "name": "n", "uri": "file:///a"}),
        ([TEXT], TEXT),
        ([BLOB], {"type": "resource", "resource": {"uri": "a:c", "size": 2}}),
    ],
)
def test_blocks_of_a_result_are_told_to_a_model_without_their_bytes(
    content: list[Any], value: Any
) -> None:
    outcome = outcome_of(lambda _: said(*content))

    assert value == outcome.value == outcome.for_model()
    assert value == json.loads(outcome.text())
    assert len(content) == len(outcome.result.content)


@pytest.mark.parametrize("block", [IMAGE, AUDIO, LINK, TEXT, BLOB], ids=lambda b: b["type"])
def test_blocks_pass_through_a_projection_for_mcp(block: dict[str, Any]) -> None:
    async def call(session: Any) -> Any:
        wire = (await tools_from(session)).project("mcp")
        return await wire.ahandle({"name": "search", "arguments": {}})

    [result] = using(server([[tool()]], lambda _: said("see", block)), call)

    assert [{"type": "text", "text": "see"}, block] == result["content"]


OUTPUT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def test_structured_content_is_the_value_and_passes_whole() -> None:
    async def call(session: Any) -> Any:
        tools = await tools_from(session)
        outcome = await tools.acall("search")
        return outcome, await tools.project("mcp").ahandle({"name": "search", "arguments": {}})

    answer = said(IMAGE, structuredContent={"n": 1, "more": [2]}, _meta={"k": "v"})
    outcome, [result] = using(server([[tool(outputSchema=OUTPUT)]], lambda _: answer), call)

    assert {"n": 1, "more": [2]} == outcome.value == result["structuredContent"]
    assert {"n": 1} == outcome.for_model()
    assert ToolResult((IMAGE,), outcome.value, True, {"k": "v"}) == outcome.result
    assert [IMAGE] == result["content"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (said("x", structuredContent={"n": "1"}), 'n: expected int, got string "1"'),
        (said("x"), 'expected map, got string "x"'),
        (said(structuredContent={}), "n: expected int, got nil (missing)"),
    ],
)
def test_a_result_that_does_not_fit_the_output_schema_is_an_error_and_is_kept(
    answer: dict[str, Any], message: str
) -> None:
    outcome = outcome_of(lambda _: answer, outputSchema=OUTPUT)

    assert "output" == outcome.stage
    assert [message] == [str(error) for error in outcome.errors]
    assert isinstance(outcome.rejected, ToolResult)


def test_results_are_not_checked_in_the_mode_without_checks() -> None:
    async def call(session: Any) -> Any:
        return await (await tools_from(session, mode="disabled")).acall("search", {"z": 1})

    answer = said(structuredContent={"n": "1"})
    outcome = using(server([[tool(outputSchema=OUTPUT)]], lambda _: answer), call)

    assert ({"n": "1"}, {"n": "1"}) == (outcome.value, outcome.for_model())


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda _: said("no \x1b[31msuch\u200b row", isError=True), "no [31msuch row"),
        (lambda _: said("a", "b", isError=True), "a\nb"),
        (lambda _: said(isError=True), "the tool failed and does not say why"),
        (
            lambda _: said(IMAGE, isError=True),
            '{"type":"image","mimeType":"image/png","size":5}',
        ),
        (raising(types.INVALID_PARAMS, "q is wrong"), "q is wrong"),
        (raising(types.INTERNAL_ERROR, "\u202e"), "the tool failed and does not say why"),
        (raising(-32050, "quota"), "quota"),
        (raising(types.CONNECTION_CLOSED, "a server's own code"), "a server's own code"),
    ],
)
def test_errors_that_a_model_can_act_on_are_outcomes(answer: Answer, message: str) -> None:
    outcome = outcome_of(answer, outputSchema=OUTPUT)

    assert "call" == outcome.stage
    assert [message] == [error.message for error in outcome.errors]


def test_a_timeout_is_an_outcome() -> None:
    async def call(session: Any) -> Any:
        return await (await tools_from(session, timeout=0.01)).acall("search")

    outcome = using(server([[tool()]], lambda _: asyncio.sleep(60)), call)

    assert "call" == outcome.stage
    assert "imed out" in outcome.report()


@pytest.mark.parametrize("code", [types.METHOD_NOT_FOUND, types.URL_ELICITATION_REQUIRED])
def test_errors_that_only_a_host_can_mend_pass(code: int) -> None:
    async def call(session: Any) -> Any:
        tools = await tools_from(session)
        with pytest.raises(mcp.MCPError) as raised:
            await tools.acall("search")
        return raised.value

    error = using(server([[tool()]], raising(code)), call)

    assert code == error.code
    assert ["raised by a call of the tool search of another server"] == error.__notes__


def test_a_connection_that_is_gone_passes() -> None:
    class Gone(mcp.ClientSession):
        async def send_request(self, *_: Any, **__: Any) -> Any:
            raise mcp.MCPError(types.CONNECTION_CLOSED, "Connection closed")

    async def call(session: Any) -> Any:
        tools = await tools_from(session)
        session.__class__ = Gone
        with pytest.raises(mcp.MCPError) as raised:
            await tools.acall("search")
        session.__class__ = mcp.ClientSession
        return raised.value

    assert types.CONNECTION_CLOSED == using(server([[tool()]]), call).code


def raw(result: dict[str, Any]) -> type[mcp.ClientSession]:
    """Return a session class whose calls of tools end in *result*, whatever the protocol says."""

    class Raw(mcp.ClientSession):
        async def send_request(self, request: Any, result_type: Any, *_: Any, **__: Any) -> Any:
            return result_type.validate_python(result)

    return Raw


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (3, "the server answered with what is no result of a tool; use another tool"),
        (
            {"resultType": "input_required"},
            "the server asks for something that the protocol does not have; use another tool",
        ),
    ],
)
def test_answers_that_are_no_results_are_outcomes(result: Any, message: str) -> None:
    async def call(session: Any) -> Any:
        tools = await tools_from(session)
        session.__class__ = raw(result)
        outcome = await tools.acall("search")
        session.__class__ = mcp.ClientSession
        return outcome

    [error] = using(server([[tool()]]), call).errors

    assert message == error.message


def test_a_call_that_is_cancelled_ends_and_the_session_goes_on() -> None:
    started: list[str] = []

    async def answer(params: Any) -> Any:
        started.append(params.name)
        await asyncio.sleep(0 if len(started) > 1 else 60)
        return said("done")

    async def call(session: Any) -> Any:
        tools = await tools_from(session)
        task = asyncio.ensure_future(tools.acall("search"))
        while not started:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await tools.acall("search")

    assert "done" == using(server([[tool()]], answer), call).value


def test_calls_run_at_once_over_one_session() -> None:
    async def answer(params: Any) -> Any:
        await asyncio.sleep(0)
        return said(str(params.arguments["n"]))

    async def call(session: Any) -> Any:
        tools = await tools_from(session)
        calls = [tools.acall("search", {"n": n}) for n in range(100)]
        return [outcome.value for outcome in await asyncio.gather(*calls)]

    assert [str(n) for n in range(100)] == using(server([[tool()]], answer), call)


def test_a_synchronous_call_tells_what_to_write() -> None:
    [one] = read(tool())
    with pytest.raises(TypesigError) as raised:
        one.call({})

    assert "search is a coroutine function: write await search.acall(…)" == str(raised.value)


def test_toolsets_of_servers_are_added_selected_and_prefixed() -> None:
    async def call(session: Any) -> Any:
        tools = await tools_from(session)
        both = tools.select("b").prefixed("x_") + tools.select("a")
        return both.names, (await both.acall("x_b")).value

    found = using(server([[tool("a"), tool("b")]], lambda p: said(p.name)), call)

    assert (("x_b", "a"), "b") == found


def test_a_client_is_taken_for_its_session() -> None:
    async def run() -> Any:
        async with mcp.Client(server([[tool()]])) as client:
            return await tools_from(client)

    assert ("search",) == asyncio.run(run()).names


def test_what_is_no_session_is_refused() -> None:
    with pytest.raises(TypesigError) as raised:
        asyncio.run(tools_from("npx server"))  # type: ignore[arg-type]

    assert (
        "tools_from takes a mcp.ClientSession or a mcp.Client, not str; write async with "
        "typesig.mcp.connect(…) as session"
    ) == str(raised.value)


def test_a_session_that_is_not_initialised_is_refused() -> None:
    async def use(session: Any) -> None:
        fresh = object.__new__(mcp.ClientSession)
        fresh.__dict__.update({**session.__dict__, "_negotiated_version": None})
        await tools_from(fresh)

    with pytest.raises(BaseExceptionGroup) as raised:
        using(server([[tool()]]), use)

    assert raised.group_contains(TypesigError, match="the session is not initialised", depth=None)


def test_a_server_without_tools_gives_an_empty_toolset() -> None:
    from mcp.server import Server

    tools = using(Server("empty"), tools_from)

    assert 0 == len(tools)
    assert ["the server has no tools; ask another"] == [str(w) for w in tools.warnings]


def listing(page: Any) -> type[mcp.ClientSession]:
    """Return a session class whose server lists *page*, which is called for each request."""

    class Listing(mcp.ClientSession):
        async def list_tools(self, **_: Any) -> Any:
            return page()

    return Listing


def refusal_of_list(page: Any) -> Any:
    """Return what `tools_from` raises if the server lists *page*."""

    async def use(session: Any) -> Any:
        session.__class__ = listing(page)
        with pytest.raises((TypesigError, mcp.MCPError)) as raised:
            await tools_from(session)
        session.__class__ = mcp.ClientSession
        return raised.value

    return using(server([[]]), use)


def a_page(cursor: str | None, count: int = 1) -> types.ListToolsResult:
    tools = [tool(f"t{i}") for i in range(count)]
    return types.ListToolsResult.model_validate({"tools": tools, "nextCursor": cursor})


def test_a_list_that_does_not_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    again = refusal_of_list(lambda: a_page("1"))
    cursors = iter(map(str, range(100)))
    monkeypatch.setattr(tool_list, "MAX_PAGES", 3)
    endless = refusal_of_list(lambda: a_page(next(cursors)))

    assert isinstance(again, TooLarge)
    assert "the server's list of tools does not end: it lists a page again" == str(again)
    assert "the server lists more than 3 pages of tools" == str(endless)


def test_a_list_of_too_many_tools_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_list, "MAX_FOREIGN_TOOLS", 2)
    error = refusal_of_list(lambda: a_page(None, 3))

    assert "tools_from reads 2 tools, the server lists more" == str(error)


def test_a_list_that_is_not_valid_is_refused() -> None:
    error = refusal_of_list(lambda: types.ListToolsResult.model_validate({"tools": [{"name": 3}]}))

    assert str(error).startswith("the server's list of tools is not valid: tools.0.name: Input")


def test_other_errors_of_the_list_pass() -> None:
    def page() -> Any:
        raise mcp.MCPError(types.INTERNAL_ERROR, "broken")

    assert isinstance(refusal_of_list(page), mcp.MCPError)


def test_a_schema_that_no_copy_can_be_made_of_costs_the_tool() -> None:
    loop: dict[str, Any] = {"type": "object"}
    loop["properties"] = {"a": loop}
    made = a_page(None)
    made.tools[0].input_schema = loop

    async def use(session: Any) -> Any:
        session.__class__ = listing(lambda: made)
        tools = await tools_from(session)
        session.__class__ = mcp.ClientSession
        return tools

    [warning] = using(server([[]]), use).warnings

    assert str(warning).startswith("t0: its schemas nest too deep, so it is left out")
