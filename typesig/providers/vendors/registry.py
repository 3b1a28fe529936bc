"""The vendors, one row each."""

from __future__ import annotations

from typing import Any, assert_never

from typesig.errors import TypesigError, format_value
from typesig.providers.registry.provider import (
    ALIASES,
    PROVIDER_NAMES,
    SPELLING_NAMES,
    ProviderName,
    SpellingName,
)
from typesig.providers.registry.vendor import Vendor
from typesig.providers.vendors.anthropic import ANTHROPIC
from typesig.providers.vendors.deepseek import DEEPSEEK
from typesig.providers.vendors.gemini import GEMINI
from typesig.providers.vendors.mcp import MCP
from typesig.providers.vendors.mistral import MISTRAL
from typesig.providers.vendors.moonshot import MOONSHOT
from typesig.providers.vendors.openai import OPENAI
from typesig.providers.vendors.xai import XAI
from typesig.validation.issues.suggestions import SuggestionQuery, SuggestionSearch


def _get_vendor(name: ProviderName) -> Vendor:
    """Vendor of the provider *name*."""
    # Unlike a table, a match that lacks a name is refused by the type checker.
    match name:
        case "openai":
            return OPENAI
        case "anthropic":
            return ANTHROPIC
        case "gemini":
            return GEMINI
        case "mcp":
            return MCP
        case "mistral":
            return MISTRAL
        case "deepseek":
            return DEEPSEEK
        case "moonshot":
            return MOONSHOT
        case "xai":
            return XAI
        case _:
            assert_never(name)


VENDORS: dict[ProviderName, Vendor] = {name: _get_vendor(name) for name in PROVIDER_NAMES}

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
