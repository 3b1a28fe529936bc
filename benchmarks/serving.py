"""The cost of a served call of MCP: typesig's server beside the SDK's own, for the same functions.

One client of the SDK, in this process, calls tools of both servers in turn, so that framing, client
and transport are the same.  What an empty request (ping) takes on the same connection is the cost
of these alone; it is subtracted for the column *share*.  CPU time, the minimum of the rounds.

    python -m pip install -e '.[mcp]'
    python benchmarks/serving.py

Columns: the tool; microseconds of CPU time for a call of typesig's server, for one of the SDK's
server, for a ping; the share of the SDK's time that typesig takes, without the ping.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from mcp import Client
from mcp.server import MCPServer
from pydantic import BaseModel

import typesig


class Row(BaseModel):
    id: int
    title: str
    tags: list[str]


ROWS = [Row(id=number, title=f"Budget {number}", tags=["a", "b"]) for number in range(100)]


async def add(first: int, second: int = 1) -> int:
    """Add two numbers."""
    return first + second


async def find(query: str, limit: int = 10) -> list[Row]:
    """Find rows by a word of their title."""
    return [row for row in ROWS if query in row.title][:limit]


async def store(rows: list[Row]) -> int:
    """Store rows."""
    return len(rows)


def plain(first: int) -> int:
    """Double a number, in a thread."""
    return 2 * first


FUNCTIONS: list[Callable[..., Any]] = [add, find, store, plain]


class Case(NamedTuple):
    name: str
    tool: str
    arguments: dict[str, Any]


CASES = [
    Case("two numbers", "add", {"first": 1, "second": 2}),
    Case("10 records come back", "find", {"query": "Budget", "limit": 10}),
    Case("100 records come back", "find", {"query": "Budget", "limit": 100}),
    Case("100 records are sent", "store", {"rows": [row.model_dump() for row in ROWS]}),
    Case("a plain function", "plain", {"first": 4}),
    Case("wrong arguments", "add", {"first": "x"}),
]


async def fastest(work: Callable[[], Awaitable[Any]], calls: int) -> float:
    """Return the seconds of CPU time of one *work* of *calls*."""
    began = time.process_time()
    for _ in range(calls):
        await work()
    return (time.process_time() - began) / calls


async def measure(mode: str, calls: int, rounds: int) -> None:
    theirs = MCPServer("theirs")
    for function in FUNCTIONS:
        theirs.tool()(function)
    ours = typesig.mcp.server(typesig.tools_of(FUNCTIONS))
    async with (
        Client(ours.lowlevel, mode=mode) as one,
        Client(theirs, mode=mode) as other,
    ):
        print(f"{mode}, {one.protocol_version}: µs of CPU time of a call")
        print(f"{'':24}{'typesig':>9}{'SDK':>9}{'ping':>9}{'share':>8}")
        for client in (one, other):
            await client.list_tools()
        for case in CASES:
            best = [float("inf")] * 3

            def call(client: Client, case: Case = case) -> Callable[[], Awaitable[Any]]:
                return lambda: client.call_tool(case.tool, case.arguments)

            works = [call(one), call(other), one.send_ping if mode == "legacy" else None]
            answers = [await works[0](), await works[1]()]
            assert answers[0].is_error == answers[1].is_error == (case.name == "wrong arguments")
            for _ in range(rounds):
                for number, work in enumerate(works):
                    if work is not None:
                        best[number] = min(best[number], await fastest(work, calls))
            mine, sdk, ping = (each * 1e6 for each in best)
            base = ping if ping < float("inf") else 0.0
            share = (mine - base) / (sdk - base)
            print(f"{case.name:24}{mine:9.0f}{sdk:9.0f}{base:9.0f}{share:8.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--calls", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    logging.disable(logging.CRITICAL)
    for mode in ("legacy", "auto"):
        asyncio.run(measure(mode, chosen.calls, chosen.rounds))


if __name__ == "__main__":
    main()
