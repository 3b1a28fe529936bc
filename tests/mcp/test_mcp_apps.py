"""Apps of a served toolset: pages for results, as the SDK's own client and ours see them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import Client, MCPError

import typesig
from typesig import TypesigError, tool
from typesig.mcp import AppPage

MODES = ("legacy", "auto")
PAGE = "<!doctype html><title>Rows</title>"
ABOUT = {"csp": {"connectDomains": ["https://example.org"]}, "prefersBorder": True}
EXTENSION, TYPE = "io.modelcontextprotocol/ui", "text/html;profile=mcp-app"


@tool
def find(query: str) -> list[str]:
    """Find rows."""
    return [query]


@tool
def refresh() -> str:
    """Read the rows again."""
    return "read"


@tool
def plain() -> str:
    """Say something."""
    return "something"


def serve(**apps: Any) -> typesig.mcp.Server:
    return typesig.mcp.server([find, refresh, plain], name="my rows", apps=apps)


def use(server: Any, mode: Any, work: Any) -> Any:
    async def run() -> Any:
        async with Client(server.lowlevel, mode=mode) as client:
            return await work(client)

    return asyncio.run(run())


@pytest.mark.parametrize("mode", MODES)
def test_a_page_is_a_resource_that_its_tool_names(mode: Any) -> None:
    async def work(client: Any) -> Any:
        tools = {each.name: each.meta for each in (await client.list_tools()).tools}
        listed = (await client.list_resources()).resources
        read = [await client.read_resource(each.uri) for each in listed]
        called = await client.call_tool("find", {"query": "a"})
        return tools, listed, read, called, client.server_capabilities

    tools, [one, other], read, called, able = use(
        serve(
            find=AppPage(PAGE, ui=ABOUT),
            refresh=AppPage("<p>", "ui://rows/new", visibility=("app",)),
        ),
        mode,
        work,
    )

    assert {"ui": {"resourceUri": "ui://my%20rows/find"}} == tools["find"]
    assert {"ui": {"resourceUri": "ui://rows/new", "visibility": ["app"]}} == tools["refresh"]
    assert not tools["plain"]
    assert ("ui://my%20rows/find", "find", TYPE) == (str(one.uri), one.name, one.mime_type)
    assert {"ui": ABOUT} == one.meta
    assert ("ui://rows/new", None) == (str(other.uri), other.meta)
    contents = [each.contents[0] for each in read]
    assert [(PAGE, TYPE), ("<p>", TYPE)] == [(each.text, each.mime_type) for each in contents]
    assert {"ui": ABOUT} == contents[0].meta
    assert '["a"]' == called.content[0].text
    assert {EXTENSION: {}} == able.extensions


@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_page_is_an_error_of_the_protocol(mode: Any) -> None:
    async def work(client: Any) -> str:
        with pytest.raises(MCPError) as raised:
            await client.read_resource("ui://rows/none")
        return str(raised.value)

    wanted = "there is no resource ui://rows/none; resources/list names those that there are"

    assert wanted == use(serve(find=PAGE), mode, work)


def test_a_server_without_apps_has_no_resources() -> None:
    async def work(client: Any) -> Any:
        return client.server_capabilities

    able = use(serve(), "auto", work)
    assert (None, None) == (able.resources, able.extensions)


def test_tools_may_share_a_page() -> None:
    async def work(client: Any) -> Any:
        return (await client.list_resources()).resources

    page = AppPage(PAGE, "ui://rows/page")
    assert 1 == len(use(serve(find=page, refresh=page), "auto", work))


def test_tools_of_a_page_are_left_out_of_a_toolset_and_metadata_is_kept() -> None:
    server = serve(find=PAGE, refresh=AppPage(PAGE, "ui://rows/2", visibility=("app",)))

    async def work(client: Any) -> Any:
        return await typesig.mcp.tools_from(client), await typesig.mcp.tools_from(client, apps=True)

    tools, everything = use(server, "auto", work)

    assert ("find", "plain") == tools.names
    assert ("find", "refresh", "plain") == everything.names
    [warning] = tools.warnings
    assert "for a page of the server, and not for a model" in str(warning)
    found, _ = tools.project("mcp").definitions
    assert {"ui": {"resourceUri": "ui://my%20rows/find"}} == found["_meta"]


@pytest.mark.parametrize(("meta", "names"), [
    ({"ui": "page"}, ("one",)), ({"ui": {"visibility": "app"}}, ("one",)),
    ({"ui": {"visibility": ["model"]}}, ("one",)), ({"ui": {"visibility": []}}, ()),
    ({"ui": {}}, ("one",)), ({}, ("one",)),
])  # fmt: skip
def test_only_a_list_without_the_model_hides_a_tool(meta: Any, names: Any) -> None:
    import mcp_types as types
    from mcp.server.lowlevel import Server

    async def listing(context: Any, params: Any) -> Any:
        one = types.Tool(name="one", input_schema={"type": "object"}, _meta=meta)
        return types.ListToolsResult(tools=[one])

    async def run() -> Any:
        async with Client(Server("other", on_list_tools=listing)) as client:
            return await typesig.mcp.tools_from(client)

    assert names == asyncio.run(run()).names


@pytest.mark.parametrize(("apps", "why"), [
    ([PAGE], "apps are pages by the names of tools"),
    ({"fnid": PAGE}, "apps: there is no tool 'fnid'"),
    ({"find": 7}, "the app of find is HTML text or an AppPage, not 7"),
    ({"find": AppPage(b"<p>")}, "the app of find is HTML text or an AppPage"),  # type: ignore[arg-type]
    ({"find": AppPage(PAGE, "https://x.org")}, "the address of an app begins with ui://"),
    ({"find": AppPage(PAGE, ui={"border": True})}, "apps have csp, permissions, domain, prefersBorder"),
    ({"find": AppPage(PAGE, visibility=())}, "visibility is of model, app"),
    ({"find": AppPage(PAGE, visibility=("me",))}, "visibility is of model, app"),  # type: ignore[arg-type]
    ({"find": AppPage(PAGE, "ui://a"), "plain": AppPage("<p>", "ui://a")}, "there are two pages at ui://a"),
])  # fmt: skip
def test_a_wrong_app_is_refused(apps: Any, why: str) -> None:
    with pytest.raises(TypesigError, match=why):
        typesig.mcp.server([find, plain], apps=apps)
