"""Calls of a toolset under a governance."""

from __future__ import annotations

import pytest

from typesig import TypesigError, tool, tools_of
from typesig.governance import Ask, Governance, Paused, PendingCalls
from typesig.mcp import Request


@tool
def pay(amount: int) -> int:
    """Pay."""
    return amount


@tool
def who(request: Request) -> str:
    """Tell."""
    return type(request).__name__


TOOLS = tools_of([pay, who])


def test_a_call_that_waits_is_data_and_goes_on_later() -> None:
    governance = Governance(before=lambda call: Ask(f"Pay {call.arguments['amount']}?"))
    with pytest.raises(Paused) as caught:
        TOOLS.call("pay", '{"amount": "3"}', governance=governance)
    pending = PendingCalls.from_json(caught.value.pending.to_json())

    assert ["Pay 3?"] == [call.question for call in pending.asked]
    assert 3 == TOOLS.call(pending.decided({"0": None})).value
    with pytest.raises(TypesigError, match=r"^call takes what pending\.decided"):
        TOOLS.call(pending)


def test_what_is_no_governance_is_told() -> None:
    with pytest.raises(TypesigError, match=r"^governance takes a typesig\.governance\.Governance"):
        TOOLS.call("pay", {"amount": 1}, governance={})  # type: ignore[arg-type]


def test_a_request_outside_a_server_stands_for_one() -> None:
    assert "Request" == TOOLS.call("who").value


def test_what_is_no_name_is_no_tool() -> None:
    outcome = TOOLS.call(3, {})  # type: ignore[arg-type]

    assert "call" == outcome.errors[0].code
