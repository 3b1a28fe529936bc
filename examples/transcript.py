"""A conversation in which a model makes a mistake, reads the feedback and corrects its call.

    python -m examples.transcript

prints each turn.  The model's turns are those of the script in `openai_loop`, so that the example
runs without a network; the rest is what typesig wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from examples.booking import QUESTION
from examples.openai_loop import ANSWERS, CALLS, ask_chat, completion
from examples.scripted import Scripted


def turns() -> Iterator[tuple[str, str]]:
    """Yield who speaks, and what."""
    client = Scripted(
        *[completion(text, *calls) for text, calls in zip(ANSWERS, CALLS, strict=True)]
    )
    answer = ask_chat(client, QUESTION)
    message: Any
    for message in client.requests[-1]["messages"]:
        if not isinstance(message, dict):
            for call in message.tool_calls or ():
                yield "model", f"{call.function.name}({call.function.arguments})"
        elif message["role"] == "tool":
            yield "typesig", message["content"]
        else:
            yield message["role"], message["content"]
    yield "model", answer


def demo() -> None:
    """Print the turns, with the name of the speaker before the first line of each."""
    for speaker, text in turns():
        first, *rest = text.splitlines()
        print(f"{speaker:<8} {first}")
        for line in rest:
            print(" " * 9 + line if line else "")


if __name__ == "__main__":
    demo()
