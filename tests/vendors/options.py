"""The options that make a projection what a profile of a vendor describes."""

from __future__ import annotations

from typing import Any

#: The options of a projection for each profile of tools.
OPTIONS: dict[tuple[str, str], dict[str, Any]] = {
    ("openai", "chat"): {"api": "chat", "strict": False},
    ("openai", "chat_strict"): {"api": "chat", "strict": True},
    ("openai", "responses"): {"api": "responses", "strict": False},
    ("openai", "responses_strict"): {"api": "responses", "strict": True},
    ("anthropic", "tools"): {"strict": False},
    ("anthropic", "tools_strict"): {"strict": True},
    ("gemini", "parameters"): {"api": "parameters"},
    ("gemini", "json_schema"): {"api": "json"},
    ("mcp", "2025-06-18"): {"api": "2025-06-18"},
    ("mcp", "2025-11-25"): {"api": "2025-11-25"},
    ("mcp", "2026-07-28"): {"api": "2026-07-28"},
    ("mistral", "chat"): {},
    ("deepseek", "chat"): {"api": "chat"},
    ("deepseek", "responses"): {"api": "responses"},
    ("moonshot", "chat"): {},
    ("xai", "chat"): {"api": "chat"},
    ("xai", "responses"): {"api": "responses"},
}
#: The options of the response format of a contract for each profile of formats.
FORMATS: dict[tuple[str, str], dict[str, Any]] = {
    ("openai", "chat_format_strict"): {"api": "chat"},
    ("openai", "responses_format_strict"): {"api": "responses"},
    ("anthropic", "format"): {},
    ("gemini", "response_schema"): {"api": "parameters"},
    ("gemini", "response_json_schema"): {"api": "json"},
    ("mistral", "chat_format"): {},
    ("deepseek", "responses_format"): {"api": "responses"},
    ("moonshot", "chat_format"): {},
    ("xai", "chat_format"): {"api": "chat"},
    ("xai", "responses_format"): {"api": "responses"},
}
