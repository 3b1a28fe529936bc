"""Many customers, one toolset: who asks is given by the host, and no model can choose it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import typesig
from typesig import Injected, ToolError, tool


@dataclass
class Tenant:
    """The data of one customer."""

    name: str
    notes: dict[int, str] = field(default_factory=dict)


@tool
def add_note(text: str, tenant: Injected[Tenant]) -> int:
    """Keep a note, and return its number."""
    number = len(tenant.notes) + 1
    tenant.notes[number] = text
    return number


@tool
def read_note(number: int, tenant: Injected[Tenant]) -> str:
    """Return a note by its number."""
    if number not in tenant.notes:
        raise ToolError(f"there is no note {number}")
    return tenant.notes[number]


WIRE = typesig.tools_of([add_note, read_note]).project("openai")


def asks(name: str, **arguments: Any) -> dict[str, Any]:
    """Return what a model sends: here it is a script."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"tool_calls": [{"id": "call_1", "type": "function", "function": function}]}


def demo() -> None:
    acme, zenith = Tenant("acme"), Tenant("zenith")
    print(WIRE.definitions[1]["function"]["parameters"]["properties"])
    for tenant, call in (
        (acme, asks("add_note", text="Call Ann.")),
        (acme, asks("read_note", number=1)),
        (zenith, asks("read_note", number=1)),
        (zenith, asks("read_note", number=1, tenant="acme")),
    ):
        [message] = WIRE.handle(call, given={"tenant": tenant})
        print(f"{tenant.name}: {message['content']}")


if __name__ == "__main__":
    demo()
