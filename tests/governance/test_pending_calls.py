"""Calls that wait for a person: data that is stored, and goes on as if it had run at once."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from tests.providers.projection.test_call_handler import SPELLINGS
from typesig import TypesigError
from typesig.governance import Ask, Call, Governance, Paused, PendingCalls, Refuse, pending, turn

RAN: list[Any] = []


@typesig.tool
def pay(amount: int) -> str:
    """Pay."""
    RAN.append(amount)
    return f"paid {amount}"


@typesig.tool
def look(amount: int = 0) -> list[int]:
    """Look."""
    RAN.append(-amount)
    return [amount]


TOOLS = typesig.tools_of([pay, look])


def asks(call: Call) -> Ask | None:
    return Ask(f"Pay {call.arguments['amount']}?") if call.name == "pay" else None


def pending_of(wire: Any, message: Any, governance: Governance) -> PendingCalls:
    with pytest.raises(Paused) as caught:
        wire.handle(message, governance=governance)
    assert [] == RAN
    return caught.value.pending


@pytest.mark.parametrize("spelling", SPELLINGS)
@given(
    st.lists(
        st.tuples(st.sampled_from(["pay", "look", "nothing"]), st.integers(-3, 3), st.booleans()),
        max_size=5,
    )
)
@LAW
def test_pending_calls_that_go_on_are_as_if_they_had_run_at_once(
    spelling: str, calls: list[tuple[str, int, bool]]
) -> None:
    provider, spell = SPELLINGS[spelling]
    wire = TOOLS.project(provider)  # type: ignore[call-overload]
    message = spell(*[(name, {"amount": amount}) for name, amount, _ in calls])
    allowed = {place: fine for place, (_, _, fine) in enumerate(calls)}
    place = -1

    def at_once(call: Call) -> Refuse | None:
        nonlocal place
        places = [n for n, (name, _, _) in enumerate(calls) if name != "nothing"]
        place += 1
        at = places[place]
        return None if call.name == "look" or allowed[at] else Refuse("too dear")

    RAN.clear()
    expected = wire.handle(message, governance=Governance(before=at_once))
    ran = list(RAN)
    RAN.clear()
    governance = Governance(before=asks, repeats=9)
    pending: PendingCalls | None = None
    try:
        found = wire.handle(message, governance=governance)
    except Paused as error:
        pending = error.pending
    if pending is not None:
        assert [] == RAN
        stored = PendingCalls.from_json(json.loads(json.dumps(pending.to_json())))
        assert stored == pending == pickle.loads(pickle.dumps(pending))
        decisions = {
            each.key: None if fine else Refuse("too dear")
            for each, (_, _, fine) in zip(stored.calls, calls, strict=True)
            if each.question is not None
        }
        found = wire.handle(stored.decided(decisions), governance=governance)

    assert expected == found
    assert ran == RAN


def chat(*calls: tuple[str, Any], ids: bool = True) -> Any:
    message = SPELLINGS["chat"][1](*calls)
    if not ids:
        for each in message["choices"][0]["message"]["tool_calls"]:
            each["id"] = "same"
    return message


def test_what_is_not_decided_waits_again() -> None:
    RAN.clear()
    wire, governance = TOOLS.project("openai"), Governance(before=asks)
    pending = pending_of(wire, chat(("pay", {"amount": 1}), ("pay", {"amount": 2})), governance)
    assert ["Pay 1?", "Pay 2?"] == [each.question for each in pending.asked]

    half = pending_of(wire, pending.decided({"c0": Refuse("no")}), governance)
    half = PendingCalls.from_json(half.to_json())

    assert ["c1"] == [each.key for each in half.asked]
    found = wire.handle(half.decided({"c1": None}), governance=governance)
    assert ["paid 2"] == [each["content"] for each in found[1:]]
    assert [2] == RAN


@pytest.mark.needs_process
def test_pending_calls_go_on_in_a_loop_too() -> None:
    RAN.clear()
    wire, governance = TOOLS.project("openai"), Governance(before=asks)

    async def run() -> Any:
        with pytest.raises(Paused) as caught:
            await wire.ahandle(chat(("pay", {"amount": 1})), governance=governance)
        pending = caught.value.pending.decided({"c0": None})
        nothing = await wire.ahandle(chat(("nothing", {})), governance=governance)
        assert "there is no tool" in nothing[0]["content"]
        return await wire.ahandle(pending, governance=governance)

    assert "paid 1" == asyncio.run(run())[0]["content"]


@typesig.tool
async def draw(amount: int) -> typesig.Media:
    """Draw."""
    return typesig.Media("image/png", b"png")


def test_calls_in_the_text_of_an_open_model_wait_and_show_media_too() -> None:
    RAN.clear()
    wire = typesig.tools_of([pay]).project(dialect="hermes")
    governance = Governance(before=asks)
    text = '<tool_call>{"name": "pay", "arguments": {"amount": 1}}</tool_call>'
    pending = pending_of(wire, text, governance)
    [key] = [each.key for each in pending.asked]

    [found] = wire.handle(pending.decided({key: None}), governance=governance)

    assert ("tool", "pay", "paid 1") == (found["role"], found["name"], found["content"])

    async def run() -> Any:
        drawn = typesig.tools_of([draw]).project(dialect="hermes")
        asking = Governance(before=lambda call: Ask("Draw?"))
        with pytest.raises(Paused) as caught:
            await drawn.ahandle(text.replace("pay", "draw"), governance=asking)
        decided = caught.value.pending.decided({key: None})
        return await drawn.ahandle(decided, governance=asking)

    tool, user = asyncio.run(run())
    assert ("[image/png, 3 B]", "user") == (tool["content"], user["role"])


def test_calls_without_ids_of_their_own_have_their_places() -> None:
    RAN.clear()
    wire, governance = TOOLS.project("openai"), Governance(before=asks)
    message = chat(("pay", {"amount": 1}), ("pay", {"amount": 2}), ids=False)

    assert ["0", "1"] == [each.key for each in pending_of(wire, message, governance).asked]


def test_paused_says_what_waits_and_survives_a_pickle() -> None:
    RAN.clear()
    wire, governance = TOOLS.project("openai"), Governance(before=asks)
    error = Paused(pending_of(wire, chat(("pay", {"amount": 1})), governance))

    assert (
        "a person has to decide on pay; no call has run: store error.pending, and handle "
        "error.pending.decided({…}) later" == str(error)
    )
    assert error.pending == pickle.loads(pickle.dumps(error)).pending


@pytest.mark.parametrize(
    ("attempt", "told"),
    [
        (
            lambda wire, pending: pending.decided({"c9": None}),
            "no call waits for a decision by the key 'c9'; there are c0",
        ),
        (
            lambda wire, pending: pending.decided({"c0": None}).decided({"c0": None}),
            "no call waits for a decision by the key 'c0'",
        ),
        (
            lambda wire, pending: pending.decided({"c0": False}),
            "before returns None to let a call run, Refuse(reason) or Ask(question), not bool",
        ),
        (
            lambda wire, pending: TOOLS.project("gemini").handle(pending, governance=Governance()),
            "the pending calls are of openai, and the projection is for gemini",
        ),
        (
            lambda wire, pending: wire.handle(pending),
            "handle takes a chat completion, its choice or message, a response, or calls of their "
            "tools, not PendingCalls",
        ),
        (
            lambda wire, pending: PendingCalls(
                "openai", (pending.calls[0]._replace(arguments=object()),)
            ).to_json(),
            "a call has what JSON cannot write: object is no JSON data",
        ),
    ],
)
def test_wrong_use_of_pending_calls_is_told(attempt: Callable[..., Any], told: str) -> None:
    RAN.clear()
    wire, governance = TOOLS.project("openai"), Governance(before=asks)
    pending = pending_of(wire, chat(("pay", {"amount": 1})), governance)

    with pytest.raises(TypesigError) as caught:
        attempt(wire, pending)
    assert told == str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"provider": "openai"},
        {"provider": 3, "calls": []},
        {"provider": "openai", "calls": ["x"]},
        {"provider": "openai", "calls": [{"key": "0"}]},
        {"provider": "openai", "calls": [{"key": "0", "name": "f", "ask": 3}]},
        {"provider": "openai", "calls": [{"key": "0", "name": "f", "extra": []}]},
    ],
)
def test_other_data_is_no_pending_calls(data: Any) -> None:
    with pytest.raises(TypesigError) as caught:
        PendingCalls.from_json(data)

    assert 'the JSON form of pending calls is {"provider": …, "calls": […]}' == str(caught.value)


def test_bytes_of_a_call_that_waits_are_text_in_its_json() -> None:
    call = {"thought_signature": b"ab", "args": [1]}
    text = json.dumps(call, default=pending._bytes_to_json)

    assert {"thought_signature": {"base64": "YWI="}, "args": [1]} == json.loads(text)
    assert call == json.loads(text, object_hook=pending._json_to_bytes)
    with pytest.raises(TypeError, match=r"^set is no JSON data$"):
        pending._bytes_to_json(set())


def test_equal_arguments_have_one_key_as_data_and_as_text() -> None:
    assert turn._make_key("f", {"a": 1, "b": 2}) == turn._make_key("f", '{"b": 2, "a": 1}')
    assert turn._make_key("f", {"a": 1}) != turn._make_key("g", {"a": 1})
    assert turn._make_key("f", "no JSON") == turn._make_key("f", "no JSON")
