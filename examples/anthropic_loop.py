"""A conversation with a model of Anthropic.

The client is a stand-in, so that the example runs without a network.  With the package
`anthropic`, write `ask(Anthropic(), QUESTION)`.
"""

from __future__ import annotations

from typing import Any

from examples.booking import QUESTION, TOOLS
from examples.scripted import Scripted

WIRE = TOOLS.project("anthropic")


def ask(client: Any, question: str, model: str = "claude-sonnet-5") -> str:
    """Return the model's answer to *question*, after all the calls that it made."""
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        done = client.messages.create(
            model=model, max_tokens=4096, messages=messages, tools=WIRE.definitions
        )
        messages.append({"role": "assistant", "content": done.content})
        results = WIRE.handle(done)
        if not results:
            return "".join(block.text for block in done.content if block.type == "text")
        messages += results


def message(text: str, *calls: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    """Return a message with *calls*: the id, the tool and the input of each."""
    uses = [{"type": "tool_use", "id": id, "name": name, "input": i} for id, name, i in calls]
    reason = "tool_use" if calls else "end_turn"
    content = [{"type": "text", "text": text}, *uses]
    return {"type": "message", "role": "assistant", "content": content, "stop_reason": reason}


#: What the model asks for: once wrongly, then as the feedback says, and two calls at once.
CALLS: tuple[list[tuple[str, str, dict[str, Any]]], ...] = (
    [
        ("toolu_1", "rooms", {"seats": 8}),
        ("toolu_2", "book", {"room": "Elm", "date": "30 June"}),
    ],
    [("toolu_3", "book", {"room": "Elm", "day": "2027-06-30"})],
    [],
)
ANSWERS = ("I look for a room.", "I correct the day.", "Elm is yours on 30 June.")


def demo() -> None:
    """Print what the model answers, and what it reads after each of its calls."""
    pairs = zip(ANSWERS, CALLS, strict=True)
    client = Scripted(*[message(text, *calls) for text, calls in pairs])
    print(ask(client, QUESTION))
    for each in client.requests[-1]["messages"][2::2]:
        for block in each["content"]:
            print(f"--- {block['tool_use_id']}{' failed' * block.get('is_error', False)}")
            print(block["content"])


if __name__ == "__main__":
    demo()
