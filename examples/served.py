"""The tools of the shop as an MCP server, with one that tells how far it is.

With the extra `mcp`, one client is served over standard input and output, or many over HTTP:

    typesig serve examples.served:server
    typesig serve examples.served:server --http

Run this file to see what a client is told, without one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import typesig
from examples import shop
from typesig import Injected, tool
from typesig.mcp import Request


async def lifespan() -> AsyncIterator[dict[str, Any]]:
    """Yield what the host supplies to tools, open while the server runs."""
    items: list[shop.Item] = [
        {"id": 7, "title": "Budget 2027", "price": 9.5, "_supplier": "acme"},
        {"id": 8, "title": "Budget 2028", "price": 12.0, "_supplier": "acme"},
    ]
    yield {"store": shop.Store(items)}


@tool(title="Raise prices", annotations={"destructiveHint": True, "idempotentHint": False})
async def raise_prices(
    percent: float, store: Injected[shop.Store], request: Request
) -> dict[str, float]:
    """Raise all prices by some percent, and return the new ones."""
    for done, item in enumerate(store.items):
        request.progress(done, len(store.items), item["title"])
        item["price"] = round(item["price"] * (1 + percent / 100), 2)
    request.log(f"{len(store.items)} prices raised", "notice")
    return {item["title"]: item["price"] for item in store.items}


TOOLS = typesig.tools_of(shop) + typesig.tools_of([raise_prices])


def __getattr__(name: str) -> Any:
    """Return the server, which is made when it is asked for, since it needs the SDK."""
    if name != "server":
        raise AttributeError(name)
    return typesig.mcp.server(TOOLS, name="shop", lifespan=lifespan)


def demo() -> None:
    """Print the definitions that a client is told, and a result."""
    import asyncio

    for definition in TOOLS.project("mcp").definitions:
        print(definition["name"], definition.get("annotations", {}), definition["outputSchema"])

    async def call() -> Any:
        given = {**await anext(lifespan()), "request": Request()}
        return await TOOLS.acall("raise_prices", {"percent": "10"}, given=given)

    print(asyncio.run(call()).text())


if __name__ == "__main__":
    demo()
