"""The vendors, one row each."""

from __future__ import annotations

from typing import Any, assert_never

from typesig.errors import TypesigError, short
from typesig.providers.rows.provider import (
    ALIASES,
    PROVIDER_NAMES,
    SPELLING_NAMES,
    ProviderName,
    SpellingName,
)
from typesig.providers.rows.vendor import Vendor
from typesig.providers.vendors.anthropic import ANTHROPIC
from typesig.providers.vendors.deepseek import DEEPSEEK
from typesig.providers.vendors.gemini import GEMINI
from typesig.providers.vendors.mcp import MCP
from typesig.providers.vendors.mistral import MISTRAL
from typesig.providers.vendors.moonshot import MOONSHOT
from typesig.providers.vendors.openai import OPENAI
from typesig.providers.vendors.xai import XAI
from typesig.validation.issues.near import Near, Search


def _row_of(name: ProviderName) -> Vendor:
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


VENDORS: dict[ProviderName, Vendor] = {name: _row_of(name) for name in PROVIDER_NAMES}

_BY_ANY_NAME: dict[str, Vendor] = dict(VENDORS.items())
_BY_ANY_NAME.update((other, VENDORS[name]) for other, name in ALIASES.items())


def vendor_of(provider: Any) -> Vendor:
    """Return the row of *provider*, or of its other name; raise `TypesigError` if there is none."""
    row = _BY_ANY_NAME.get(provider) if isinstance(provider, str) else None
    if row is not None:
        return row
    near = ""
    if isinstance(provider, str):
        known = {name: name for name in _BY_ANY_NAME}
        near = Search().hint(Near(provider.lower(), lambda: known))
    raise TypesigError(
        f"there is no provider {short(provider)}; there are {', '.join(PROVIDER_NAMES)}"
        + (f" ({near})" if near else "")
    )


def spelling_of(vendor: Vendor) -> SpellingName:
    """Return the vendor that spells calls as *vendor* does, which is that itself or its model."""
    return next(name for name in SPELLING_NAMES if VENDORS[name].calls is vendor.calls)


def likeness(vendor: Vendor, message: object) -> tuple[Vendor, str] | None:
    """Return a vendor with a form of its own for *message*, and the form's name, or None.

    It spells calls in another way than *vendor* does.
    """
    for other in VENDORS.values():
        form = None if other.calls is vendor.calls else other.calls.form_of(message)
        if form is not None and not form.vague:
            return other, form.title
    return None
