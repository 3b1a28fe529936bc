"""The providers, one row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from typesig.errors import TypesigError, short
from typesig.providers.rows.profile import PROVIDER_NAMES, Profile, ProviderName
from typesig.providers.rows.wire import WireTool
from typesig.providers.vendors import (
    anthropic,
    gemini,
    mcp,
    openai,
)


class Vendor(NamedTuple):
    """What is a provider's own.

    #: profile_of: returns the profile of options, or raises `TypesigError`
    #: definition_of: returns the definition of a tool; format_of: the response format of a schema
    #: result_of: returns the result of a tool as it is sent
    #: strict_answers: whether response formats are strict unless asked otherwise
    """

    profile_of: Callable[[Mapping[str, Any]], Profile]
    definition_of: Callable[[Profile, WireTool], dict[str, Any]]
    format_of: Callable[[Profile, str, dict[str, Any]], dict[str, Any]]
    result_of: Callable[[Any], Any]
    strict_answers: bool


def _as_it_is(data: Any) -> Any:
    return data


VENDORS: dict[ProviderName, Vendor] = {
    "openai": Vendor(openai.profile_of, openai.definition_of, openai.format_of, _as_it_is, True),
    "anthropic": Vendor(
        anthropic.profile_of, anthropic.definition_of, anthropic.format_of, _as_it_is, True
    ),
    "gemini": Vendor(
        gemini.profile_of, gemini.definition_of, gemini.format_of, gemini.result_of, False
    ),
    "mcp": Vendor(mcp.profile_of, mcp.definition_of, mcp.format_of, _as_it_is, False),
}


def vendor_of(provider: Any) -> Vendor:
    """Return the row of *provider*; raise `TypesigError` if there is none."""
    for name in PROVIDER_NAMES:
        if provider == name:
            return VENDORS[name]
    raise TypesigError(
        f"there is no provider {short(provider)}; there are {', '.join(PROVIDER_NAMES)}"
    )
