"""Served calls under a governance, and tools that take the same from every host."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest

pytest.importorskip("mcp")

import mcp
import mcp_types as types

import typesig
from typesig import Injected, tool, tools_of
from typesig.governance import Ask, Call, Governance, Refuse
from typesig.mcp import Request

RAN: list[int] = []


@tool
async def pay(amount: int) -> str:
    """Pay."""
    RAN.append(amount)
    await asyncio.sleep(0.01 * amount)
    return f"paid {amount}"


async def asked(governance: Governance, amount: int, answers: Any = None) -> tuple[str, bool]:
    """Return what a client reads, whose person *answers* if it can ask one."""
    server = typesig.mcp.server([pay], governance=governance)

    async def person(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        assert f"Pay {amount}?" == params.message
        return types.ElicitResult(**answers)

    callback = None if answers is None else person
    async with mcp.Client(server.lowlevel, elicitation_callback=callback) as client:
        found = await client.call_tool("pay", {"amount": amount})
    return found.content[0].text, bool(found.is_error)


def asks(call: Call) -> Ask | Refuse | None:
    amount = call.arguments["amount"]
    return Refuse("too dear") if amount > 100 else Ask(f"Pay {amount}?") if amount > 2 else None


@pytest.mark.parametrize(
    ("amount", "answers", "told"),
    [
        (2, None, "paid 2"),
        (101, None, "this call was not run: too dear"),
        (
            3,
            None,
            "this call was not run: a person has to allow it, and this client has no way to ask one",
        ),
        (3, {"action": "accept", "content": {"value": True}}, "paid 3"),
        (
            3,
            {"action": "accept", "content": {"value": False}},
            "this call was not run: the person at the client did not allow it",
        ),
        (
            3,
            {"action": "decline"},
            "this call was not run: the person at the client did not allow it",
        ),
    ],
)
def test_the_person_at_the_client_is_asked(amount: int, answers: Any, told: str) -> None:
    RAN.clear()

    text, is_error = asyncio.run(asked(Governance(before=asks), amount, answers))

    ran = told.startswith("paid")
    assert (told if ran else f"Tool errors:\n- {told}", not ran) == (text, is_error)
    assert ([amount] if ran else []) == RAN


def test_a_served_call_that_is_late_is_told() -> None:
    text, is_error = asyncio.run(asked(Governance(seconds=0.02), 50))

    assert is_error
    assert "pay did not end within 0.02 s and was stopped" in text


# The same tool, by each way to call it


class Store:
    name = "store"


@tool
async def report(n: int, store: Injected[Store], request: Request, _user: str = "nobody") -> str:
    """Report."""
    request.progress(1, 2)
    request.log("working")
    return f"{n} {store.name} {_user} {request.cancelled} {type(request).__name__}"


@tool
def plainly(n: int, store: Injected[Store], request: Request, _user: str = "nobody") -> str:
    """Report."""
    request.progress(1, 2)
    return f"{n} {store.name} {_user} {request.cancelled} {type(request).__name__}"


@asynccontextmanager
async def lifespan() -> AsyncIterator[dict[str, Any]]:
    yield {"store": Store(), "_user": "ann"}


@contextmanager
def plain_lifespan() -> Iterator[dict[str, Any]]:
    yield {"store": Store(), "_user": "ann"}


TOLD = "3 store ann False Request"
CHAT = {
    "role": "assistant",
    "tool_calls": [
        {"id": "c", "type": "function", "function": {"name": "plainly", "arguments": '{"n": 3}'}}
    ],
}
governances = pytest.mark.parametrize("governance", [None, Governance()], ids=["plain", "governed"])


@governances
def test_handle_takes_what_a_lifespan_function_yields(governance: Governance | None) -> None:
    wire = tools_of([plainly]).project("openai")

    with plain_lifespan() as values:
        [found] = wire.handle(CHAT, given=values, governance=governance)

    assert TOLD == found["content"]


@governances
def test_ahandle_takes_what_a_lifespan_function_yields(governance: Governance | None) -> None:
    wire = tools_of([report]).project("mcp")

    async def run() -> Any:
        async with lifespan() as values:
            call = {"name": "report", "arguments": {"n": 3}}
            return await wire.ahandle(call, given=values, governance=governance)

    assert TOLD == asyncio.run(run())[0]["content"][0]["text"]


@governances
@pytest.mark.parametrize("one", [report, plainly])
@pytest.mark.needs_process
def test_a_served_call_takes_what_a_lifespan_function_yields(
    one: Any, governance: Governance | None
) -> None:
    async def run() -> str:
        server = typesig.mcp.server([one], lifespan=lifespan, governance=governance)
        async with mcp.Client(server.lowlevel) as client:
            found = await client.call_tool(one.name, {"n": 3})
        return str(found.content[0].text)

    assert TOLD == asyncio.run(run())


def test_a_call_of_the_tool_itself_takes_them_too() -> None:
    with plain_lifespan() as values:
        outcome = plainly.call({"n": 3}, given={**values, "request": Request()})

    assert TOLD == outcome.value


def test_a_request_that_the_host_gives_is_the_one() -> None:
    class Own(Request):
        """A request of the host's own."""

    wire = tools_of([plainly]).project("openai")
    [found] = wire.handle(CHAT, given={"store": Store(), "request": Own()})

    assert found["content"].endswith("Own")


def test_a_request_of_the_hosts_own_kind_has_to_be_given() -> None:
    class Own(Request):
        """A request of the host's own."""

    def f(request: Own) -> int:
        return 1

    f.__annotations__["request"] = Own
    with pytest.raises(typesig.TypesigError, match="f needs request from its host"):
        tools_of([f]).project("mcp").handle({"name": "f", "arguments": {}})
