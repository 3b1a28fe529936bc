"""DeepSeek: Chat Completions and Responses as OpenAI has them.

A chat takes no schema of an answer ('This response_format type is unavailable now'; pydantic-ai
2.68, `providers/deepseek.py`, 2026-11).  Its strict calls are a beta at another address, which is
left out, so that nothing is strict; no page says how many tools there may be.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from typesig.providers.registry.vendor import Profile
from typesig.providers.vendors.openai import CHAT, OPENAI

_PROFILES = [each for each in OPENAI.profiles if not each.strict]


def _build_format(profile: Profile, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Build the response format: plain JSON mode in chat, otherwise a JSON *schema*."""
    if profile.api == CHAT:
        return {"type": "json_object"}
    return OPENAI.format_of(profile, name, schema)


DEEPSEEK = replace(
    OPENAI.derive("deepseek", "DeepSeek", _PROFILES),
    strict_answers=False,
    limits=(),
    format_of=_build_format,
)
