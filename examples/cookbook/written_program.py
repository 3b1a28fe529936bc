"""A model writes one program in place of ten calls: it is checked, then it runs in a sandbox.

The sandbox needs `pip install 'typesig[code]'`.
"""

from __future__ import annotations

from typing import TypedDict

import typesig
from typesig import tool


class Order(TypedDict):
    id: int
    title: str
    total: float
    # The model does not see it, and neither does its program.
    _customer: str


ORDERS: list[Order] = [
    {"id": 1, "title": "Paper", "total": 12.5, "_customer": "ann"},
    {"id": 2, "title": "Pens", "total": 7.5, "_customer": "bob"},
    {"id": 3, "title": "Chairs", "total": 240.0, "_customer": "ann"},
]
SHIPPED = {1: "2027-01-31", 3: "2027-02-02"}


@tool
def search_orders(words: str = "") -> list[Order]:
    """Search for orders by words of their titles; without words, list all."""
    return [order for order in ORDERS if words.lower() in order["title"].lower()]


@tool
def shipped(order: int) -> str | None:
    """Tell on which day an order was shipped."""
    return SHIPPED.get(order)


CODE = typesig.tools_of([search_orders, shipped]).code()

#: What the model writes: first with a wrong key, then as the feedback says.
PROGRAMS = (
    "[order['name'] for order in search_orders() if not shipped(order['id'])]",
    "[order['title'] for order in search_orders() if not shipped(order['id'])]",
)


def demo() -> None:
    print(CODE.prompt())
    for program in PROGRAMS:
        outcome = CODE.run(program)
        print("---", program, sep="\n")
        print(outcome.text() if outcome.ok else outcome.feedback())


if __name__ == "__main__":
    demo()
