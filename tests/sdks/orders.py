"""The tools that the bridges are tested with."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from typing import Annotated, Any, TypedDict

from typesig import Injected, Media, ToolError, tool, tools_of


class Store:
    """What the host injects."""

    def __init__(self, **titles: str) -> None:
        self.titles = titles


class Order(TypedDict):
    number: int
    title: str
    _customer: str


@tool
def find_order(number: int, store: Injected[Store], note: str | None = None) -> Order:
    """Find an order.

    Args:
        number: of the order
        store: where orders are
        note: for the record
    """
    if f"o{number}" not in store.titles:
        raise ToolError("no such order; call list_orders")
    return {"number": number, "title": store.titles[f"o{number}"], "_customer": "Ann"}


@tool
async def list_orders(store: Injected[Store], _limit: int = 9) -> list[str]:
    """List the orders."""
    return list(store.titles)[:_limit]


@tool
def ship(weight: float, to: str | list[str]) -> str:
    """Ship a parcel."""
    if weight > 1000:
        raise ZeroDivisionError("the scale broke")
    return f"{weight} kg to {to}"


@tool
def count() -> int:
    """Count orders."""
    return "many"  # type: ignore[return-value]


STORE = Store(o7="Budget", o8="Chairs")
ORDERS = tools_of([find_order, list_orders, ship, count])

#: A call that does not fit, as the model of the tests sends it first, and what it is told.
BAD = {"number": "seven"}
COMPLAINT = """\
Tool validation errors:
{
  "number": "seven"  // expected integer, got string "seven"
}

A call that fits: find_order with {"number": integer, "note": string or null (optional)}"""

#: A call that is coerced, and its result.
GOOD = {"number": "7"}
RESULT: dict[str, Any] = {"number": 7, "title": "Budget"}


def asked(seen: list[Any]) -> Callable[[Any], dict[str, Any]]:
    """Return a function that gives the store for a call, and keeps the context in *seen*."""

    def given(context: Any) -> dict[str, Any]:
        seen.append(context)
        return {"store": STORE}

    return given


async def given_later() -> dict[str, Any]:
    """Return what the host injects, as a coroutine function does."""
    return {"store": STORE}


#: An image of one dot.
DOT = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC"
)


@tool
def draw() -> Annotated[bytes, Media("image/png")]:
    """Draw the orders."""
    return DOT


@tool
def export() -> list[Media]:
    """Export the orders."""
    return [
        Media("image/png", DOT),
        Media("text/csv", b"number,title"),
        Media("application/pdf", b"pdf", "orders.pdf"),
        Media("audio/wav", b"wav"),
        Media("font/woff", b"font"),
    ]


#: What a model reads of the last of them.
EXPORTED = [
    "[image/png, 69 B]", "[text/csv, 12 B]", "[application/pdf, 3 B, orders.pdf]",
    "[audio/wav, 3 B]", "[font/woff, 4 B]",
]  # fmt: skip
