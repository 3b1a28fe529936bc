"""A call of a tool as each vendor's model writes it: what `handle` reads."""

from __future__ import annotations

import json
from typing import Any, assert_never

from typesig.providers.rows.provider import ProviderName


def call_of(provider: ProviderName, api: str, name: str, arguments: Any) -> Any:
    """Return a call as *provider* spells it; OpenAI's arguments are text."""
    text = arguments if isinstance(arguments, str | bytes) else json.dumps(arguments)
    match provider:
        case "openai":
            if api == "responses":
                return {"type": "function_call", "call_id": "c", "name": name, "arguments": text}
            return [{"id": "c", "function": {"name": name, "arguments": text}}]
        case "anthropic":
            return {"type": "tool_use", "id": "c", "name": name, "input": arguments}
        case "gemini":
            return {"functionCall": {"id": "c", "name": name, "args": arguments}}
        case "mcp":
            return {"name": name, "arguments": arguments}
        case _:
            assert_never(provider)
