"""Refunds under rules: small ones run, large ones wait for a person, who may answer next week."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import typesig
from typesig import tool
from typesig.governance import Ask, Call, Governance, Paused, PendingCalls, Refuse


@tool(annotations={"destructiveHint": True})
def refund(order: int, amount: float) -> str:
    """Pay money back for an order."""
    return f"paid back {amount:.2f} for order {order}"


def before(call: Call) -> Ask | Refuse | None:
    """Decide on a call before anything runs."""
    amount = call.arguments["amount"]
    if amount > 500:
        return Refuse("refunds above 500 are not possible")
    return Ask(f"Pay back {amount:.2f}?") if amount > 50 else None


WIRE = typesig.tools_of([refund]).project("openai")
GOVERNANCE = Governance(before=before, repeats=3)


def asks(*calls: dict[str, Any]) -> dict[str, Any]:
    """Return what a model sends: here it is a script."""
    return {
        "tool_calls": [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": "refund", "arguments": json.dumps(arguments)},
            }
            for number, arguments in enumerate(calls, 1)
        ]
    }


def demo() -> None:
    message = asks(
        {"order": 1, "amount": 10}, {"order": 2, "amount": 80}, {"order": 3, "amount": 900}
    )
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder) / "pending.json"
        try:
            WIRE.handle(message, governance=GOVERNANCE)
        except Paused as paused:
            stored.write_text(json.dumps(paused.pending.to_json()), encoding="utf-8")

        # Later, in another process: a person looks at what waits, and decides.
        pending = PendingCalls.from_json(json.loads(stored.read_text(encoding="utf-8")))
    for call in pending.asked:
        print("asked:", call.question)
    decided = pending.decided({call.key: None for call in pending.asked})
    for result in WIRE.handle(decided, governance=GOVERNANCE):
        print(result["tool_call_id"], result["content"])


if __name__ == "__main__":
    demo()
