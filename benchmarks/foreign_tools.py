"""The tools of real MCP servers, read by `tools_from` and served again; and what a call costs.

    python benchmarks/foreign_tools.py                        # the npm servers of the table
    python benchmarks/foreign_tools.py @playwright/mcp --folder /tmp/servers
    python benchmarks/foreign_tools.py --load tools.json      # a listing that mcp_tools.py saved
    python benchmarks/foreign_tools.py --calls                # only the cost of a call

It needs `typesig[mcp]`, and npm and a network for the servers (`mcp_servers.py` has the table).
They are started by `typesig.mcp.connect`, without accounts; none of their tools is called. A server
of the toolset that was read lists the tools to the official client.

- tools      how many the server lists
- served     how many are served again
- same       definitions that are equal as JSON, the name and titles included
- cleaned    definitions that are equal but for characters that nobody sees
- widened    tools whose check is wider than the schema

With `--load`, all tools of the listing are then served by one process of the official SDK's server,
in pages, and by `typesig serve --mcp` with it; the official client reads both over standard input
and output, and compares each definition as JSON. Names are numbered, so that no two are the same.

Then the CPU time of one call in the same process, in microseconds: the SDK's `call_tool`, a tool of
`tools_from`, and the SDK's `call_tool` over a proxy between both. The exit status is 1 if a tool
that is served is neither the same nor cleaned, or differs through the processes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from mcp_servers import SERVERS, command_of, installed, row_of

#: What a definition has that is compared.
KEYS = (
    "name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta",
)  # fmt: skip

#: How many tools a page of the listing has.
PAGE = 100

#: Rounds, and calls in each; the least round counts.
ROUNDS, CALLS = 7, 100


class Found(NamedTuple):
    """The counts of one server, and what is wrong."""

    tools: int
    served: int
    same: int
    cleaned: int
    widened: int
    problems: list[str]


async def compared(session: Any) -> Found:
    """Return how the tools of *session* come out of a server of them."""
    import mcp

    import typesig
    from typesig.tools.foreign.foreign_texts import strip_invisible

    theirs = {tool["name"]: tool for tool in await listed(session)}
    tools = await typesig.mcp.tools_from(session)
    async with mcp.Client(typesig.mcp.server(tools).lowlevel) as client:
        ours = {tool["name"]: tool for tool in await listed(client.session)}
    same = [name for name, tool in theirs.items() if ours.get(name) == tool]
    others = [name for name in theirs if name not in same and name in ours]
    cleaned = [
        name
        for name in others
        if strip_invisible(json.dumps(theirs[name], ensure_ascii=False, sort_keys=True))
        == strip_invisible(json.dumps(ours[name], ensure_ascii=False, sort_keys=True))
    ]
    problems = [f"{name}: another definition" for name in others if name not in cleaned]
    problems += [str(warning) for warning in tools.warnings]
    widened = [one.name for one in tools if one.warnings]
    return Found(len(theirs), len(ours), len(same), len(cleaned), len(widened), problems)


async def listed(session: Any) -> list[dict[str, Any]]:
    """Return the definitions that the server of *session* lists, on all pages."""
    import mcp_types as types

    found: list[dict[str, Any]] = []
    cursor = None
    while True:
        params = types.PaginatedRequestParams(cursor=cursor)
        page = await session.list_tools(params=params)
        for tool in page.tools:
            told = tool.model_dump(by_alias=True, mode="json", exclude_none=True)
            found.append({key: told[key] for key in KEYS if key in told})
        cursor = page.next_cursor
        if not cursor:
            return found


async def of_server(package: str, folder: Path) -> Found:
    """Return how the tools of the server *package*, installed below *folder*, come out."""
    import typesig

    server = row_of(package)
    home = installed(server, folder)
    env = {"HOME": str(home), **server.env}
    with (home / "errors.txt").open("w") as errlog:
        command = command_of(server, home)
        opened = typesig.mcp.connect(command, env=env, cwd=home, errlog=errlog)
        async with opened as session:
            return await compared(session)


def stand_in(tools: list[dict[str, Any]]) -> Any:
    """Return a server in this process that lists *tools*, and returns what it is sent."""
    import mcp_types as types
    from mcp.server import Server

    page = types.ListToolsResult.model_validate({"tools": tools})

    async def list_tools(*_: Any) -> Any:
        return page

    async def call_tool(_: Any, params: Any) -> Any:
        text = types.TextContent(text="done")
        return types.CallToolResult(content=[text], structured_content=params.arguments)

    return Server("stand-in", on_list_tools=list_tools, on_call_tool=call_tool)


async def of_listing(tools: list[dict[str, Any]]) -> Found:
    """Return how *tools*, which `mcp_tools.py` saved, come out."""
    import mcp

    defined = [
        {"name": tool["tool"], **{k: tool[k] for k in KEYS if tool.get(k) is not None}}
        for tool in tools
    ]
    async with mcp.Client(stand_in(defined)) as client:
        return await compared(client.session)


def numbered(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the definitions of *tools*, which `mcp_tools.py` saved, by names of their own."""
    return [
        {"name": f"t{i}_{tool['tool']}", **{k: tool[k] for k in KEYS if tool.get(k) is not None}}
        for i, tool in enumerate(tools)
    ]


async def serve_pages(tools: list[dict[str, Any]]) -> None:
    """Serve *tools* over standard input and output, in pages, by the SDK alone."""
    import mcp_types as types
    from mcp.server import Server
    from mcp.server.stdio import stdio_server

    defined = numbered(tools)

    async def list_tools(_: Any, params: Any) -> Any:
        at = int(params.cursor or 0) if params is not None else 0
        cursor = str(at + PAGE) if at + PAGE < len(defined) else None
        page = {"tools": defined[at : at + PAGE], "nextCursor": cursor}
        return types.ListToolsResult.model_validate(page)

    server = Server("stand-in", on_list_tools=list_tools)
    async with stdio_server() as streams:
        await server.run(*streams, server.create_initialization_options())


async def through_processes(path: str) -> tuple[int, list[str]]:
    """Return how many tools of the listing at *path* come through, and the names of the others."""
    import typesig

    theirs = [
        sys.executable,
        str(Path(__file__).resolve()),
        "--stand-in",
        str(Path(path).resolve()),
    ]
    ours = [sys.executable, "-m", "typesig", "serve", "--mcp", shlex.join(theirs)]
    env = {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    found = []
    for command in (theirs, ours):
        async with typesig.mcp.connect(command, env=env) as session:
            found.append({tool["name"]: tool for tool in await listed(session)})
    others = [name for name, tool in found[0].items() if found[1].get(name) != tool]
    return len(found[0]) - len(others), others


# the cost of a call

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["query"],
}
SENT = {"query": "budget", "limit": 5, "tags": ["a", "b"]}


async def costs() -> dict[str, float]:
    """Return the microseconds of CPU time that a call takes, by what makes it."""
    import mcp

    import typesig

    definition = {"name": "search", "inputSchema": SCHEMA, "outputSchema": SCHEMA}
    async with mcp.Client(stand_in([definition])) as client:
        tools = await typesig.mcp.tools_from(client)
        one = tools["search"]
        async with mcp.Client(typesig.mcp.server(tools).lowlevel) as proxied:
            return {
                "the SDK's call_tool": await _least(
                    lambda: client.session.call_tool("search", SENT)
                ),
                "a tool of tools_from": await _least(lambda: one.acall(SENT)),
                "the SDK's call_tool over a proxy": await _least(
                    lambda: proxied.session.call_tool("search", SENT)
                ),
            }


async def _least(call: Callable[[], Awaitable[Any]]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(CALLS):
            await call()
        best = min(best, time.process_time() - start)
    return best / CALLS * 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("servers", nargs="*", help="npm packages (all in the table)")
    parser.add_argument("--folder", metavar="PATH", help="where servers are installed, and stay")
    parser.add_argument("--load", metavar="FILE", help="read the tools in FILE, start no server")
    parser.add_argument("--stand-in", metavar="FILE", help="serve the tools in FILE (for --load)")
    parser.add_argument("--calls", action="store_true", help="only measure calls")
    asked = parser.parse_args()
    if asked.stand_in:
        asyncio.run(serve_pages(json.loads(Path(asked.stand_in).read_text("utf-8"))))
        return 0
    found: dict[str, Found] = {}
    failed: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="typesig-foreign-") as temporary:
        folder = Path(asked.folder or temporary)
        if asked.load:
            by_server: dict[str, list[dict[str, Any]]] = {}
            for tool in json.loads(Path(asked.load).read_text("utf-8")):
                by_server.setdefault(tool["server"], []).append(tool)
            for name, tools in by_server.items():
                found[name] = asyncio.run(of_listing(tools))
        elif not asked.calls:
            for name in asked.servers or [server.package for server in SERVERS]:
                try:
                    found[name] = asyncio.run(of_server(name, folder))
                except Exception as error:
                    failed[name] = str(error)
    _print(found, failed)
    others: list[str] = []
    if asked.load:
        same, others = asyncio.run(through_processes(asked.load))
        print(f"through processes: {same} tools are the same, {len(others)} are not")
        print("".join(f"  {name}\n" for name in others), end="")
    for what, microseconds in asyncio.run(costs()).items():
        print(f"{what:40}{microseconds:8.0f}")
    is_wrong = any(each.served > each.same + each.cleaned for each in found.values())
    return 1 if is_wrong or others else 0


def _print(found: dict[str, Found], failed: dict[str, str]) -> None:
    columns = Found._fields[:-1]
    print(f"{'server':46}" + "".join(f"{column:>9}" for column in columns))
    total = [sum(each[i] for each in found.values()) for i in range(len(columns))]
    for name, each in [*found.items(), (f"all {len(found)}", Found(*total, []))]:  # type: ignore[arg-type]
        print(f"{name:46}" + "".join(f"{count:>9}" for count in each[: len(columns)]))
        for problem in each.problems:
            print(f"  {problem}")
    for name, reason in failed.items():
        print(f"did not start: {name}: {reason}")


if __name__ == "__main__":
    sys.exit(main())
