"""The vendors, one row each; four of them have the formats of OpenAI."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from typesig.errors import TypesigError, format_value
from typesig.providers.registry.provider import (
    ALIASES,
    PROVIDER_NAMES,
    SPELLING_NAMES,
    LimitRow,
    ProviderName,
    SpellingName,
)
from typesig.providers.registry.vendor import Profile, Vendor
from typesig.providers.vendors.anthropic import ANTHROPIC
from typesig.providers.vendors.gemini import GEMINI
from typesig.providers.vendors.mcp import MCP
from typesig.providers.vendors.openai import CHAT, OPENAI
from typesig.validation.issues.suggestions import SuggestionQuery, SuggestionSearch

# No page of these four says which schemas `strict` takes, so that nothing is strict; and only one
# says how many tools there may be.
_UNSTRICT = [each for each in OPENAI.profiles if not each.strict]
_IN_CHAT: Any = {"definitions": "of Chat Completions", "strict_answers": False, "limits": ()}
_CHATS = [each for each in _UNSTRICT if each.api == CHAT]


def _build_deepseek_format(profile: Profile, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Build the response format: plain JSON mode in chat, otherwise a JSON *schema*."""
    is_chat = profile.api == CHAT
    return {"type": "json_object"} if is_chat else OPENAI.format_of(profile, name, schema)


# Read in mistralai 3.7.0, `client/models/function.py` and `client/models/jsonschema.py`, 2026-11.
MISTRAL = replace(OPENAI.derive("mistral", "Mistral", _CHATS), **_IN_CHAT)
# A chat takes no schema of an answer ('This response_format type is unavailable now'; pydantic-ai
# 2.68, `providers/deepseek.py`, 2026-11).  Its strict calls are a beta at another address.
DEEPSEEK = replace(
    OPENAI.derive("deepseek", "DeepSeek", _UNSTRICT),
    strict_answers=False,
    limits=(),
    format_of=_build_deepseek_format,
)
# Schemas have no `type` beside `anyOf`, and no list of schemas as `items`, as ours have neither.
# Read in @ai-sdk/moonshotai 2.0.61, `normalize-json-schema-for-mfjs.ts`, 2026-11.
MOONSHOT = replace(OPENAI.derive("moonshot", "Moonshot", _CHATS), **_IN_CHAT)
XAI = replace(
    OPENAI.derive("xai", "xAI", _UNSTRICT),
    strict_answers=False,
    limits=(LimitRow("tools", 128, False, False, "2026-11", "xai-sdk 1.21.0, `chat.py`"),),
)

VENDORS: dict[ProviderName, Vendor] = {
    each.name: each for each in (OPENAI, ANTHROPIC, GEMINI, MCP, MISTRAL, DEEPSEEK, MOONSHOT, XAI)
}

_BY_ANY_NAME: dict[str, Vendor] = dict(VENDORS.items())
_BY_ANY_NAME.update((other, VENDORS[name]) for other, name in ALIASES.items())


def find_vendor(provider: Any) -> Vendor:
    """Find the vendor of the name or alias *provider*, or raise `TypesigError`."""
    row = _BY_ANY_NAME.get(provider) if isinstance(provider, str) else None
    if row is not None:
        return row
    near = ""
    if isinstance(provider, str):
        known = {name: name for name in _BY_ANY_NAME}
        near = SuggestionSearch().find_hint(SuggestionQuery(provider.lower(), lambda: known))
    raise TypesigError(
        f"there is no provider {format_value(provider)}; there are {', '.join(PROVIDER_NAMES)}"
        + (f" ({near})" if near else "")
    )


def find_spelling(vendor: Vendor) -> SpellingName:
    """Find the provider whose call format *vendor* uses, which may be itself."""
    return next(name for name in SPELLING_NAMES if VENDORS[name].calls is vendor.calls)


def find_likeness(vendor: Vendor, message: object) -> tuple[Vendor, str] | None:
    """Find another vendor with a form of its own for *message*, and the form's title.

    It spells calls in another way than *vendor* does.
    """
    for other in VENDORS.values():
        form = None if other.calls is vendor.calls else other.calls.find_form(message)
        if form is not None and not form.vague:
            return other, form.title
    return None
