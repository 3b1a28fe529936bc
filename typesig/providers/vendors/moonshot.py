"""Moonshot: Chat Completions as OpenAI has them.

Its schemas have no `type` beside `anyOf`, and no list of schemas as `items`, as ours have neither.
No page says which schemas `strict` takes, so that nothing is strict; and none says how many tools
there may be.  Read in @ai-sdk/moonshotai 2.0.61, `normalize-json-schema-for-mfjs.ts`, 2026-11.
"""

from __future__ import annotations

from dataclasses import replace

from typesig.providers.vendors.openai import CHAT, OPENAI

_PROFILES = [each for each in OPENAI.profiles if each.api == CHAT and not each.strict]

MOONSHOT = replace(
    OPENAI.derive("moonshot", "Moonshot", _PROFILES),
    definitions="of Chat Completions",
    strict_answers=False,
    limits=(),
)
