# pyright: strict
"""The loop of README with the clients of vendors, whose packages say what they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typesig import tool, tools_of

if TYPE_CHECKING:  # this is not run, and few tests have the packages
    import anthropic
    import openai
    from anthropic.types import MessageParam


@tool
def search(query: str, limit: int = 10) -> list[str]:
    """Search for items matching query."""
    return [query][:limit]


tools = tools_of([search])


def ask_chat(client: openai.OpenAI, question: str) -> object:
    wire = tools.project("openai", api="chat")
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        done = client.chat.completions.create(
            model="gpt-5.2", messages=messages, tools=wire.definitions
        )
        messages.append(done.choices[0].message)
        results = wire.handle(done)
        if not results:
            return done.choices[0].message.content
        messages += results


def ask_responses(client: openai.OpenAI, question: str) -> object:
    wire = tools.project("openai", api="responses")
    items: list[Any] = [{"role": "user", "content": question}]
    while True:
        done = client.responses.create(model="gpt-5.2", input=items, tools=wire.definitions)
        items += done.output
        results = wire.handle(done)
        if not results:
            return done.output_text
        items += results


def ask_anthropic(client: anthropic.Anthropic, question: str) -> object:
    wire = tools.project("anthropic")
    messages: list[MessageParam] = [{"role": "user", "content": question}]
    while True:
        done = client.messages.create(
            model="claude", max_tokens=1_000, messages=messages, tools=wire.definitions
        )
        messages.append({"role": "assistant", "content": done.content})
        results = wire.handle(done)
        if not results:
            return done.content
        messages += results
