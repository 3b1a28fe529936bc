"""An open model that writes its calls as text, in the dialect of its family."""

from __future__ import annotations

import typesig
from typesig import tool


@tool
def forecast(city: str, days: int = 1) -> list[str]:
    """Return the weather of the next days."""
    return ["sun"] * days


#: `hermes` is the dialect of Qwen 2.5 and 3, too; `dialect="mistral"` and others are the same.
WIRE = typesig.tools_of([forecast]).project(dialect="hermes")

#: What the model writes: a misspelt name, a right call, an answer.
TEXTS = iter(
    [
        '<tool_call>{"name": "forcast", "arguments": {"city": "Bern"}}</tool_call>',
        '<tool_call>{"name": "forecast", "arguments": {"city": "Bern", "days": "2"}}</tool_call>',
        "It will be sunny on both days.",
    ]
)


def generate(messages: list[dict[str, object]]) -> str:
    """Return the text of the model; a server's `/completion`, say, takes its place."""
    return next(TEXTS)


def demo() -> None:
    messages: list[dict[str, object]] = [{"role": "user", "content": "Shall I take an umbrella?"}]
    while True:
        text = generate(messages)
        messages.append(WIRE.assembled(text))
        results = WIRE.handle(text)
        if not results:
            break
        messages += results
    for message in messages:
        print(f"{message['role']}: {message.get('tool_calls') or message['content']}")


if __name__ == "__main__":
    demo()
