"""A conversation with a model of OpenAI, by Chat Completions and by Responses.

The client is a stand-in, so that the example runs without a network.  With the package `openai`,
write `ask_chat(OpenAI(), QUESTION)`.
"""

from __future__ import annotations

from typing import Any

from examples.booking import QUESTION, TOOLS
from examples.scripted import Scripted

CHAT = TOOLS.project("openai", api="chat")
RESPONSES = TOOLS.project("openai", api="responses")


def ask_chat(client: Any, question: str, model: str = "gpt-5.2") -> str:
    """Return the model's answer to *question*, after all the calls that it made."""
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        done = client.chat.completions.create(
            model=model, messages=messages, tools=CHAT.definitions
        )
        messages.append(done.choices[0].message)
        results = CHAT.handle(done)
        if not results:
            return str(done.choices[0].message.content)
        messages += results


def ask_responses(client: Any, question: str, model: str = "gpt-5.2") -> str:
    """Return the model's answer to *question*, after all the calls that it made."""
    items: list[Any] = [{"role": "user", "content": question}]
    while True:
        done = client.responses.create(model=model, input=items, tools=RESPONSES.definitions)
        items += done.output
        results = RESPONSES.handle(done)
        if not results:
            return str(done.output_text)
        items += results


def completion(content: str | None, *calls: tuple[str, str, str]) -> dict[str, Any]:
    """Return a chat completion with *calls*: the id, the tool and the arguments of each."""
    asked = [
        {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
        for id, name, arguments in calls
    ]
    message = {"role": "assistant", "content": content, "tool_calls": asked or None}
    reason = "tool_calls" if calls else "stop"
    return {"choices": [{"index": 0, "finish_reason": reason, "message": message}]}


def response(text: str | None, *calls: tuple[str, str, str]) -> dict[str, Any]:
    """Return a response with *calls*: the id, the tool and the arguments of each."""
    output: list[Any] = [
        {"type": "function_call", "call_id": id, "name": name, "arguments": arguments}
        for id, name, arguments in calls
    ]
    return {"status": "completed", "output": output, "output_text": text}


#: What the model asks for: once wrongly, then as the feedback says, and two calls at once.
CALLS: tuple[list[tuple[str, str, str]], ...] = (
    [("call_1", "rooms", '{"seats": 8}'), ("call_2", "book", '{"room": "Elm", "date": "30 June"}')],
    [("call_3", "book", '{"room": "Elm", "day": "2027-06-30", "note": null}')],
    [],
)
ANSWERS = (None, None, "Elm is yours on 30 June.")


def demo() -> None:
    """Print what the model reads after each of its calls, and what it answers."""
    pairs = [*zip(ANSWERS, CALLS, strict=True)]
    client = Scripted(*[completion(text, *calls) for text, calls in pairs])
    print(ask_chat(client, QUESTION))
    for message in client.requests[-1]["messages"]:
        if isinstance(message, dict) and message["role"] == "tool":
            print(f"--- {message['tool_call_id']}\n{message['content']}")
    client = Scripted(*[response(text, *calls) for text, calls in pairs])
    print(ask_responses(client, QUESTION))


if __name__ == "__main__":
    demo()
