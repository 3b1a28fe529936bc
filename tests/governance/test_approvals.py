"""An approval is used once, in one process and in several, and what was approved is counted."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import typesig
from typesig import TypesigError
from typesig.governance import Ask, Governance, Paused, PendingCalls, Refuse

RAN: list[int] = []


@typesig.tool
def pay(amount: int) -> str:
    """Pay."""
    RAN.append(amount)
    return f"paid {amount}"


TOOLS = typesig.tools_of([pay])
WIRE = TOOLS.project("mcp")
CALL = {"name": "pay", "arguments": {"amount": 1}}


class Store:
    """A store that several workers share."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._claimed: set[str] = set()

    def claim(self, id: str) -> bool:
        with self._lock:
            is_first = id not in self._claimed
            self._claimed.add(id)
        return is_first


class AwaitedStore(Store):
    async def claim(self, id: str) -> bool:  # type: ignore[override]
        return super().claim(id)


@pytest.fixture(autouse=True)
def _nothing_ran() -> None:
    RAN.clear()


def ask(_: Any) -> Ask:
    return Ask("Pay?")


def approved(governance: Governance, use: Callable[..., Any] | None = None) -> PendingCalls:
    """Return a call that a person has allowed."""
    use = use or (lambda governance: WIRE.handle(CALL, governance=governance))
    with pytest.raises(Paused) as caught:
        use(governance)
    return caught.value.pending.decided({"0": None})


def text_of(messages: Any) -> str:
    [message] = messages
    return str(message["content"][0]["text"])


@pytest.mark.parametrize("repeats", [None, 1, 2])
def test_an_approval_is_used_once(repeats: int | None) -> None:
    governance = Governance(before=ask, repeats=repeats)
    pending = approved(governance)

    assert "paid 1" == text_of(WIRE.handle(pending, governance=governance))
    stored = PendingCalls.from_json(pending.to_json())
    for again in (pending, stored):
        for one in (governance, governance.conversation()):
            told = text_of(WIRE.handle(again, governance=one))
            assert "what a person decided on these calls was used before" in told
    assert [1] == RAN


def test_an_approval_of_a_call_by_name_is_used_once() -> None:
    governance = Governance(before=ask)
    pending = approved(
        governance, lambda governance: TOOLS.call("pay", {"amount": 1}, governance=governance)
    )

    assert "paid 1" == TOOLS.call(pending, governance=governance).value
    again = TOOLS.call(pending, governance=governance)
    assert ["refused"] == [error.code for error in again.errors]
    assert [1] == RAN


def test_an_approval_of_a_request_is_used_once() -> None:
    governance, number = Governance(before=ask), typesig.contract(int)
    with pytest.raises(Paused) as caught:
        number.ask(lambda _: "3", "How many?", governance=governance)
    messages, pending = caught.value.messages, caught.value.pending.decided({"0": None})

    def again() -> Any:
        return number.ask(lambda _: "3", messages, pending=pending, governance=governance)

    assert 3 == again().result
    assert "was used before" in str(again().ended)


def test_what_is_approved_in_another_process_is_counted() -> None:
    pending = approved(Governance(before=ask, repeats=1))
    other = Governance(repeats=1)

    assert "paid 1" == text_of(WIRE.handle(pending, governance=other))
    told = text_of(WIRE.handle(CALL, governance=other))
    assert "the same call was made once before" in told
    twin = approved(Governance(before=ask))
    assert "the same call was made 2 times" in text_of(WIRE.handle(twin, governance=other))
    assert [1] == RAN


@pytest.mark.needs_process
def test_several_workers_use_an_approval_once() -> None:
    store = Store()
    data = approved(Governance(before=ask)).to_json()

    def work(_: int) -> str:
        # Each worker has a governance of its own, as in a process of its own.
        governance = Governance(before=ask, approvals=store)
        try:
            return text_of(WIRE.handle(PendingCalls.from_json(data), governance=governance))
        except TypesigError as error:
            return str(error).partition(" claimed before")[2]

    with ThreadPoolExecutor(8) as threads:
        found = sorted(threads.map(work, range(8)))
    assert [": whoever claimed them handles them"] * 7 + ["paid 1"] == found
    assert [1] == RAN


def test_a_store_may_be_awaited() -> None:
    governance = Governance(before=ask, approvals=AwaitedStore())
    pending = approved(governance)

    async def run() -> None:
        assert "paid 1" == text_of(await WIRE.ahandle(pending, governance=governance))
        with pytest.raises(TypesigError, match="claimed before"):
            await WIRE.ahandle(pending, governance=governance)

    asyncio.run(run())
    with pytest.raises(TypesigError, match=r"approvals\.claim is a coroutine function"):
        WIRE.handle(approved(governance), governance=governance)
    assert [1] == RAN


def test_calls_that_still_wait_keep_their_id_and_are_not_used() -> None:
    governance = Governance(before=ask)
    calls = [CALL, {"name": "pay", "arguments": {"amount": 2}}]
    openai = TOOLS.project("openai", api="responses")
    items = [
        {
            "type": "function_call",
            "call_id": f"c{n}",
            "name": "pay",
            "arguments": f'{{"amount":{n}}}',
        }
        for n in range(len(calls))
    ]
    with pytest.raises(Paused) as caught:
        openai.handle(items, governance=governance)
    half = caught.value.pending.decided({"c0": None})
    with pytest.raises(Paused) as again:
        openai.handle(half, governance=governance)

    assert half == again.value.pending
    whole = again.value.pending.decided({"c1": Refuse("no")})
    assert 2 == len(openai.handle(whole, governance=governance))
    openai.handle(half.decided({"c1": None}), governance=governance)
    assert [0] == RAN


def test_calls_that_were_stored_without_an_id_have_one() -> None:
    data = approved(Governance(before=ask)).to_json()
    del data["id"]
    one, other = PendingCalls.from_json(data), PendingCalls.from_json(data)

    assert one == other
    assert len(one.id) == 32
    with pytest.raises(TypesigError, match="the JSON form of pending calls"):
        PendingCalls.from_json({**data, "id": 3})


def test_arguments_are_not_in_the_text_of_pending_calls() -> None:
    governance = Governance(before=lambda _: Ask("Pay?"))
    with pytest.raises(Paused) as caught:
        WIRE.handle({**CALL, "arguments": {"amount": 4321}}, governance=governance)

    pending = caught.value.pending
    assert "4321" not in repr(pending) + repr(caught.value) + str(caught.value)
    assert "PendingCall(key='0', name='pay', decision=Ask(question='Pay?'))" in repr(pending)


def test_a_store_has_a_method() -> None:
    with pytest.raises(
        TypesigError, match=r"^approvals of a governance is an object with claim\(id\) -> bool"
    ):
        Governance(approvals=3)  # type: ignore[arg-type]


def test_old_ids_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    from typesig.governance import governance as module

    monkeypatch.setattr(module, "MAX_REMEMBERED", 1)
    governance = Governance(before=ask)
    first, second = approved(governance), approved(governance)
    WIRE.handle(first, governance=governance)
    WIRE.handle(second, governance=governance)
    assert [1, 1] == RAN
