"""The tools of a shop: TypedDict, dataclass, Enum, datetime, a firewalled field, injection.

Run `typesig list examples.shop` for the listing that a model reads, or this file for some calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from typing import Annotated, NotRequired, TypedDict

from annotated_types import Ge, Le

import typesig
from typesig import Injected, ToolError, tool


class Status(Enum):
    """The state of an order."""

    OPEN = "open"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"


class Item(TypedDict):
    """Something on sale."""

    id: int
    title: str
    price: float
    note: NotRequired[str | None]
    # A model does not see it.
    _supplier: str


@dataclass
class Line:
    """A number of one item."""

    item: int
    count: Annotated[int, Ge(1), Le(100)] = 1


@dataclass
class Order:
    """The order of a customer."""

    id: int
    lines: list[Line]
    placed: datetime
    status: Status = Status.OPEN
    tags: set[str] = field(default_factory=set)


@dataclass
class Store:
    """The data of the host, which a model never sees."""

    items: list[Item]
    orders: dict[int, Order] = field(default_factory=dict)


@tool
def search(
    query: str, store: Injected[Store], limit: Annotated[int, Ge(1), Le(50)] = 10
) -> list[Item]:
    """Search for items matching query.

    Args:
        query: words to look for in the title
        limit: maximum number of items
    """
    words = query.lower()
    return [item for item in store.items if words in item["title"].lower()][:limit]


@tool
def place_order(
    lines: list[Line], store: Injected[Store], tags: frozenset[str] = frozenset()
) -> Order:
    """Place an order and return it."""
    known = {item["id"] for item in store.items}
    for line in lines:
        if line.item not in known:
            raise ToolError(f"there is no item {line.item}; call search")
    placed = datetime(2027, 1, 31, 10, 0, tzinfo=UTC)
    order = Order(len(store.orders) + 1, lines, placed, tags=set(tags))
    store.orders[order.id] = order
    return order


@tool
def orders(
    store: Injected[Store], status: Status | None = None, since: datetime | None = None
) -> list[Order]:
    """List orders, newest first; give a status or a time to see fewer."""
    found = [
        order
        for order in store.orders.values()
        if (status is None or order.status is status) and (since is None or order.placed >= since)
    ]
    return sorted(found, key=lambda order: order.id, reverse=True)


@tool(annotations={"destructiveHint": True})
def cancel(order: int, store: Injected[Store]) -> Order:
    """Cancel an order that has not been shipped."""
    found = store.orders.get(order)
    if found is None:
        raise ToolError(f"there is no order {order}; call orders")
    found.status = Status.CANCELLED
    return found


def demo() -> None:
    """Print the listing, and the results of some calls."""
    item: Item = {"id": 7, "title": "Budget 2027", "price": 9.5, "_supplier": "acme"}
    given = {"store": Store([item])}
    tools = typesig.tools_of(__name__)
    print(tools.prompt())
    print()
    placed = tools.call("place_order", '{"lines": [{"item": "7", "count": 2}]}', given=given)
    print(placed.value)
    print(placed.report())
    print(tools.call("place_order", {"lines": [{"item": 8}]}, given=given).report())
    print(tools.call("cancel", {"ordr": 1}, given=given).report())


if __name__ == "__main__":
    demo()
