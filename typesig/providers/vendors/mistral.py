"""Mistral: Chat Completions as OpenAI has them.

Definitions and response formats have a `strict`, but no page says which schemas it takes, so that
nothing is strict; and none says how many tools there may be.
Read in mistralai 3.7.0, `client/models/function.py` and `client/models/jsonschema.py`, 2026-11.
"""

from __future__ import annotations

from dataclasses import replace

from typesig.providers.vendors.openai import CHAT, OPENAI

_PROFILES = [each for each in OPENAI.profiles if each.api == CHAT and not each.strict]

MISTRAL = replace(
    OPENAI.derive("mistral", "Mistral", _PROFILES),
    definitions="of Chat Completions",
    strict_answers=False,
    limits=(),
)
