"""Calls of tools: `tool(f).call(arguments)` against the ways of other libraries to call a function.

All check what a model sent and call the function; typesig, pydantic's
`validate_call(validate_return=True)` and FastMCP also check or serialise its result.  typesig keeps
the outcome with its warnings, and the value as JSON data.  openai-agents is given JSON text, the
others the arguments as a dict; *typesig, text* is typesig with the text.  CPU time, the smallest of
several rounds in which all take turns; ratios are the time divided by that of typesig: above 1
typesig is faster.

    python -m pip install pydantic fastmcp openai-agents langchain-core
    python benchmarks/calls.py      # with those that are installed

FastMCP and openai-agents have coroutines, which one event loop awaits one after the other; so is
*typesig, awaited*, the same call by `acall`.  A library that refuses the arguments has no figure.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from typing_extensions import TypedDict

from benchmarks.tables import Table, markdown
from benchmarks.validation_peers import installed, version_of
from typesig import tool

ROUNDS = 21


class Item(TypedDict):
    id: int
    title: str


@dataclass
class Point:
    x: int
    y: float
    tags: list[str]


def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b


def search(
    query: str, limit: int = 10, exact: bool = False, order: str = "asc", page: int | None = None
) -> list[Item]:
    """Search for items."""
    return [{"id": limit, "title": query}]


def move(point: Point, by: int) -> Point:
    """Move a point."""
    return Point(point.x + by, point.y, point.tags)


async def later(a: int) -> int:
    """Return a number."""
    return a


POINT = {"point": {"x": 1, "y": 2.5, "tags": ["a"]}, "by": 1}
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "scalars": (add, {"a": 1}),
    "a record as the result": (search, {"query": "x", "limit": 3}),
    "a dataclass, both ways": (move, POINT),
    "coerced text": (add, {"a": "1"}),
    "a coroutine": (later, {"a": 1}),
}

Call = Callable[[], Awaitable[Any]]
Plain = Callable[[], Any]


def typesig_call(function: Any, arguments: dict[str, Any]) -> Plain:
    made = tool(function)
    return lambda: made.call(arguments).result


def typesig_text(function: Any, arguments: dict[str, Any]) -> Plain:
    made, text = tool(function), json.dumps(arguments)
    return lambda: made.call(text).result


def typesig_awaited(function: Any, arguments: dict[str, Any]) -> Call:
    made = tool(function)

    async def call() -> Any:
        return (await made.acall(arguments)).result

    return call


def typesig_awaited_text(function: Any, arguments: dict[str, Any]) -> Call:
    made, text = tool(function), json.dumps(arguments)

    async def call() -> Any:
        return (await made.acall(text)).result

    return call


def validate_call(function: Any, arguments: dict[str, Any]) -> Plain:
    made = importlib.import_module("pydantic").validate_call(validate_return=True)(function)
    return lambda: made(**arguments)


def langchain(function: Any, arguments: dict[str, Any]) -> Plain:
    made = importlib.import_module("langchain_core.tools").tool(function)
    return lambda: made.invoke(arguments)


def langchain_awaited(function: Any, arguments: dict[str, Any]) -> Call:
    made = importlib.import_module("langchain_core.tools").tool(function)
    return lambda: made.ainvoke(arguments)


def fastmcp(function: Any, arguments: dict[str, Any]) -> Call:
    made = importlib.import_module("fastmcp.tools").Tool.from_function(function)
    return lambda: made.run(arguments)


def openai_agents(function: Any, arguments: dict[str, Any]) -> Call:
    # A failure is raised, and not told to the model.
    made = importlib.import_module("agents").function_tool(function, failure_error_function=None)
    context_of = importlib.import_module("agents.tool_context").ToolContext
    text = json.dumps(arguments)
    context = context_of(context=None, tool_name=made.name, tool_call_id="1", tool_arguments=text)
    return lambda: made.on_invoke_tool(context, text)


OURS, AWAITED = "typesig", "typesig, awaited"
#: The package of each way, what makes a call, and whether it is awaited; the plain ways of a
#: function that is a coroutine are those that are awaited.
WAYS: dict[str, tuple[str, Any, bool]] = {
    OURS: ("", typesig_call, False),
    "typesig, text": ("", typesig_text, False),
    AWAITED: ("", typesig_awaited, True),
    "typesig, awaited, text": ("", typesig_awaited_text, True),
    "pydantic validate_call": ("pydantic", validate_call, False),
    "LangChain": ("langchain-core", langchain, False),
    "LangChain, awaited": ("langchain-core", langchain_awaited, True),
    "FastMCP, awaited": ("fastmcp", fastmcp, True),
    "openai-agents, awaited, text": ("openai-agents", openai_agents, True),
}
#: The ways that return a coroutine if the function does.
RETURNS_COROUTINE = {"pydantic validate_call"}


async def timed(call: Callable[[], Any], awaited: bool, repeat: int) -> float:
    start = time.process_time()
    if awaited:
        for _ in range(repeat):
            await call()
    else:
        for _ in range(repeat):
            call()
    return (time.process_time() - start) / repeat


async def smallest(name: str) -> dict[str, float]:
    """Return the smallest CPU seconds of each way to make the call *name*."""
    function, arguments = CALLS[name]
    coroutine = asyncio.iscoroutinefunction(function)
    cases: dict[str, tuple[Callable[[], Any], bool]] = {}
    for way, (package, make, awaited) in WAYS.items():
        if package and version_of(package) is None:
            continue
        awaits = awaited or (coroutine and way in RETURNS_COROUTINE)
        if coroutine and not awaits:
            continue
        try:
            call = make(function, arguments)
            await timed(call, awaits, 20)
        except Exception as error:
            print(f"{way} does not take {name}: {type(error).__name__}", file=sys.stderr)
            continue
        cases[way] = (call, awaits)
    best = dict.fromkeys(cases, float("inf"))
    once = {way: await timed(call, awaits, 20) for way, (call, awaits) in cases.items()}
    gc.collect()
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for way, (call, awaits) in cases.items():
                repeat = max(5, min(2_000, int(0.01 / max(once[way], 1e-7))))
                best[way] = min(best[way], await timed(call, awaits, repeat))
    finally:
        gc.enable()
    return best


def measured() -> Table:
    """Return the microseconds of typesig, and the ratios of the others to it."""
    found = {name: asyncio.run(smallest(name)) for name in CALLS}
    units = {name: best.get(OURS, best[AWAITED]) for name, best in found.items()}
    lines: dict[str, Any] = {"typesig, µs": [unit * 1e6 for unit in units.values()]}
    for way in WAYS:
        ratios = [best[way] / units[name] if way in best else None for name, best in found.items()]
        if way != OURS and any(ratios):
            lines[way] = ratios
    return Table("", list(CALLS), lines)


if __name__ == "__main__":
    print(markdown(measured()))
    versions = installed(package for package, _, _ in WAYS.values() if package)
    told = ", ".join(f"{package} {version}" for package, version in versions.items())
    print(f"\nthe time divided by typesig's; Python {sys.version.split()[0]}, {told}")
