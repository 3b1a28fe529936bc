"""A conversation with a model of Google.

The client is a stand-in, so that the example runs without a network.  With the package
`google-genai`, write `ask(genai.Client(), QUESTION)`.
"""

from __future__ import annotations

from typing import Any

from examples.booking import QUESTION, TOOLS
from examples.scripted import Scripted

WIRE = TOOLS.project("gemini")


def ask(client: Any, question: str, model: str = "gemini-3-pro") -> str:
    """Return the model's answer to *question*, after all the calls that it made."""
    contents: list[Any] = [{"role": "user", "parts": [{"text": question}]}]
    config = {"tools": [{"function_declarations": WIRE.definitions}]}
    while True:
        done = client.models.generate_content(model=model, contents=contents, config=config)
        content = done.candidates[0].content
        if content and content.parts:
            contents.append(content)
        results = WIRE.handle(done)
        if not results:
            return str(done.text)
        contents += results


def answer(text: str, *calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a response with *calls*: the tool and the arguments of each."""
    asked = [
        {"function_call": {"id": None, "name": name, "args": args}, "thought_signature": b"signed"}
        for name, args in calls
    ]
    content = {"role": "model", "parts": [{"text": text, "function_call": None}, *asked]}
    return {"candidates": [{"content": content, "finish_reason": "STOP"}], "text": text}


#: What the model asks for: once wrongly, then as the feedback says, and two calls at once.
CALLS: tuple[list[tuple[str, dict[str, Any]]], ...] = (
    [("rooms", {"seats": 8}), ("book", {"room": "Elm", "date": "30 June"})],
    [("book", {"room": "Elm", "day": "2027-06-30"})],
    [],
)
ANSWERS = ("I look for a room.", "I correct the day.", "Elm is yours on 30 June.")


def demo() -> None:
    """Print what the model answers, and what it reads after each of its calls."""
    pairs = zip(ANSWERS, CALLS, strict=True)
    client = Scripted(*[answer(text, *calls) for text, calls in pairs])
    print(ask(client, QUESTION))
    for content in client.requests[-1]["contents"][2::2]:
        for part in content["parts"]:
            response = part["function_response"]
            print(f"--- {response['name']}\n{response['response']}")


if __name__ == "__main__":
    demo()
