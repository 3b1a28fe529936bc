"""xAI: Chat Completions and Responses as OpenAI has them.

No page says which schemas `strict` takes, so that nothing is strict.
"""

from __future__ import annotations

from dataclasses import replace

from typesig.providers.registry.provider import LimitRow
from typesig.providers.vendors.openai import OPENAI

_PROFILES = [each for each in OPENAI.profiles if not each.strict]

XAI = replace(
    OPENAI.derive("xai", "xAI", _PROFILES),
    strict_answers=False,
    limits=(LimitRow("tools", 128, False, False, "2026-11", "xai-sdk 1.21.0, `chat.py`"),),
)
