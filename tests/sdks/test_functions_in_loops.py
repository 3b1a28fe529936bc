"""Functions of tools in the loops of frameworks that take plain functions, with scripted models.

Each loop gets `as_function` of a tool, and a model that calls it once and then ends.  What the model
reads is the result, or the complaint about the call: that of typesig, where the framework does not
check what it hands on.  Each test needs its framework, of which not all can be installed together
with the extras:

    pip install llama-index-core google-adk agno autogen-agentchat autogen-ext dspy crewai
    python -m pytest --noconftest tests/sdks/test_functions_in_loops.py
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

import pytest

from benchmarks.framework_loops import FRAMEWORKS
from typesig import Injected, tool

# The frameworks warn of their own dependencies.
pytestmark = pytest.mark.filterwarnings("ignore")


@dataclass
class Line:
    item: str
    count: int = 1


class Store:
    """What the host injects."""

    def __init__(self) -> None:
        self.orders: list[Any] = []


@tool
def place_order(
    store: Injected[Store], number: int, lines: list[Line], day: datetime.date | None = None
) -> str:
    """Place an order.

    Args:
        store: where orders are
        number: of the order
        lines: what is ordered
        day: when it is needed
    """
    store.orders.append((number, lines, day))
    return f"order {number}: {lines[0].count} {lines[0].item}"


#: These check nothing themselves, or hand on what does not fit.
HANDING_ON = ["llama-index", "google-adk"]
#: It wants each argument to have its type, and refuses a number in quotes.
STRICT = ["dspy"]

RAW = {"number": "7", "lines": [{"item": "fig", "count": "2"}], "day": "2026-01-02"}
EXACT = {"number": 7, "lines": [{"item": "fig", "count": 2}], "day": "2026-01-02"}


def told(framework: str, function: Any, sent: dict[str, Any]) -> str:
    """Return what a model reads after it called *function*."""
    try:
        return FRAMEWORKS[framework].loop(function, sent)
    except ImportError:
        pytest.skip(f"{framework} is not installed")


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_function_gets_objects_for_what_a_model_sends(framework: str) -> None:
    store = Store()
    function = place_order.as_function({"store": store})
    read = told(framework, function, EXACT if framework in STRICT else RAW)

    assert "order 7: 2 fig" in read
    assert [(7, [Line("fig", 2)], datetime.date(2026, 1, 2))] == store.orders


@pytest.mark.parametrize("framework", HANDING_ON)
def test_a_model_reads_what_is_wrong_with_its_call(framework: str) -> None:
    store = Store()
    function = place_order.as_function({"store": store})
    try:
        read = told(framework, function, {**RAW, "number": "seven"})
    except Exception as error:
        # A framework that does not catch what a function raises.
        read = str(error)

    assert '"number": "seven",  // expected int, got string "seven"' in read
    assert "A call that fits: place_order(number :int" in read
    assert [] == store.orders
